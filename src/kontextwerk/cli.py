"""The command `kontextwerk`: documents in, cited answers out.

Results go to standard output, progress and messages to standard error. With `--json` a command prints one JSON value.

Exit codes: 0 done · 1 failed, with the reason · 2 wrong use · 3 done, but some files could not be read · 4 done, but
nothing was found, or the answer is not in the sources.
"""

import dataclasses
import json
import os
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table

from kontextwerk.chat import ask as ask_chat
from kontextwerk.context import explaining
from kontextwerk.context.citations import find
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError, KontextwerkError
from kontextwerk.context.labels import one_line
from kontextwerk.context.options import Options
from kontextwerk.context.page import MARK
from kontextwerk.context.sources import EXCERPT_CHARS
from kontextwerk.explain import terminal
from kontextwerk.extract import Extract
from kontextwerk.generate import content_types, find_content_type, generation_prompt
from kontextwerk.hits import assemble, to_chunks
from kontextwerk.index import Embedder, make_embedder, open_store, similarity
from kontextwerk.index import documents as indexed_documents
from kontextwerk.index import ingest as ingest_paths
from kontextwerk.index import search as search_index
from kontextwerk.llm import make_model
from kontextwerk.prompt import NOT_IN_SOURCES, Message, Prompt
from kontextwerk.settings import Settings, load

FAILED, IN_PART, NOTHING = 1, 3, 4
CONFIG = Path("~/.config/kontextwerk/config.toml")

app = typer.Typer(
    name="kontextwerk",
    help="Documents in, answers with sources out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, soft_wrap=True, highlight=False)

Config = Annotated[Path | None, typer.Option("--config", help="A TOML file with settings.", show_default=str(CONFIG))]
DataDir = Annotated[Path | None, typer.Option("--data-dir", help="The folder for the index.")]
Lang = Annotated[str | None, typer.Option("--language", "-l", help="Labels and answers in: de, en.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]
Limit = Annotated[int | None, typer.Option("--limit", "-n", min=1, help="The most hits to search for.")]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", "-t", min=0, help="The budget of the context, in tokens.")
]
CounterName = Annotated[str | None, typer.Option("--counter", help="The counter of tokens, such as o200k_base.")]
Model = Annotated[
    str | None, typer.Option("--model", "-m", help="extract, openai:…, anthropic:…, ollama:… or gguf:FILE.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show what each source costs, what was left out, and why.")]
Page = Annotated[Path | None, typer.Option("--html", help="A file to write the same to, as a page with the texts.")]


def run() -> NoReturn:
    """Run the command line; an error of ours becomes one line and exit code 1."""
    try:
        app()
    except KontextwerkError as error:
        err.print(f"[red]kontextwerk:[/red] {escape(str(error))}")
    except BrokenPipeError:  # the reader of our output has seen enough, such as `head`
        sys.stderr.close()
    sys.exit(FAILED)


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", show_default=False)],
    config: Config = None,
    data_dir: DataDir = None,
    language: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Read, split, embed and store documents; what has not changed is passed over."""
    settings = _settings(config, data_dir=data_dir, language=language)
    embedder = make_embedder(settings)
    with open_store(settings, embedder, create=True) as store, _progress() as progress:
        report = ingest_paths(paths, store, embedder, settings, progress=progress)
    if as_json:
        _print_json(dataclasses.asdict(report))
    else:
        counts = {"added": report.added, "changed": report.changed, "removed": report.removed}
        parts = [f"{len(names)} {word}" for word, names in counts.items() if names]
        parts.append(f"{len(report.unchanged)} unchanged")
        out.print(f"{', '.join(parts)} · {report.chunks_embedded} chunks embedded")
        for failure in report.failed:
            err.print(
                f"[yellow]not read:[/yellow] {escape(failure.path)}: {escape(failure.reason)}. {escape(failure.mend)}"
            )
    if report.failed:
        raise typer.Exit(IN_PART)


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="What to search for.", show_default=False)],
    limit: Limit = None,
    config: Config = None,
    data_dir: DataDir = None,
    language: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Show the chunks that a search finds, best first; with --json, as hits that `context` reads."""
    settings = _settings(config, data_dir=data_dir, language=language, limit=limit)
    hits = _search(question, settings, make_embedder(settings))
    if as_json:
        _print_json(hits)
    else:
        for number, chunk in enumerate(to_chunks(hits), 1):
            place = explaining.place(chunk, settings.language)
            out.print(f"[bold]{number}. {escape(place)}[/bold]  {chunk.score:.4f}")
            out.print(f"   {escape(one_line(chunk.text, EXCERPT_CHARS))}")
    if not hits:
        raise typer.Exit(NOTHING)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.", show_default=False)],
    model: Model = None,
    max_tokens: MaxTokens = None,
    limit: Limit = None,
    counter: CounterName = None,
    config: Config = None,
    data_dir: DataDir = None,
    language: Lang = None,
    explained: Explain = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question from the indexed documents, with sources."""
    values = {"model": model, "chat_tokens": max_tokens, "limit": limit, "counter": counter}
    settings = _settings(config, data_dir=data_dir, language=language, **values)
    embedder = make_embedder(settings)
    meaning = similarity(embedder)
    answerer = Extract(meaning) if settings.model == "extract" else make_model(settings)
    reply = ask_chat(
        question,
        _search(question, settings, embedder),
        answerer,
        max_tokens=settings.chat_tokens,
        language=settings.language,
        count=settings.counter,
        options=Options(similarity=meaning),
    )
    pieces = []
    for piece in reply.pieces:
        pieces.append(piece)
        if not as_json:
            out.print(piece, end="", markup=False)
    answer = "".join(pieces)
    if as_json:
        _print_json({"question": question, "answer": answer, "model": answerer.name, **reply.context.to_dict()})
    else:
        out.print()
        _print_sources(reply.context, {number for mark in find(answer) for number in mark.numbers})
        if explained:
            err.print(terminal(reply.context))
    if answer.strip() == NOT_IN_SOURCES[settings.language]:
        raise typer.Exit(NOTHING)


@app.command()
def context(
    hits: Annotated[str, typer.Argument(help="A JSON file with hits; - for standard input.", show_default=False)] = "-",
    max_tokens: MaxTokens = None,
    question: Annotated[str | None, typer.Option("--question", "-q", help="What the context is to answer.")] = None,
    counter: CounterName = None,
    min_score: Annotated[float | None, typer.Option("--min-score", help="The lowest score that may enter.")] = None,
    config: Config = None,
    language: Lang = None,
    explained: Explain = False,
    page: Page = None,
    as_json: AsJson = False,
) -> None:
    """Build a context from hits: a list of {id, score, payload}, or the body of a Qdrant answer."""
    settings = _settings(config, language=language, counter=counter)
    budget = settings.chat_tokens if max_tokens is None else max_tokens
    made = assemble(
        _read_json(hits),
        budget,
        question=question,
        counter=settings.counter,
        language=settings.language,
        options=Options(min_score=min_score),
    )
    if as_json:
        _print_json(made.to_dict())
    else:
        out.print(made.text, markup=False)
    if explained:
        err.print(terminal(made))
    if page:
        _write_page(page, made.to_html())
    if not made.sources:
        raise typer.Exit(NOTHING)


@app.command()
def generate(
    briefing: Annotated[str, typer.Argument(help="What the text is about.", show_default=False)],
    content_type: Annotated[str, typer.Option("--type", help=f"One of: {', '.join(content_types())}.")] = "blogartikel",
    model: Model = None,
    max_tokens: MaxTokens = None,
    limit: Limit = None,
    counter: CounterName = None,
    config: Config = None,
    data_dir: DataDir = None,
    language: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Write a text on the indexed documents; without a model, print the prompt for one."""
    values = {"model": model, "generate_tokens": max_tokens, "limit": limit or 40, "counter": counter}
    settings = _settings(config, data_dir=data_dir, language=language, **values)
    find_content_type(content_type, settings.language)
    prompt = generation_prompt(
        briefing,
        _search(briefing, settings, make_embedder(settings)),
        settings.generate_tokens,
        content_type=content_type,
        language=settings.language,
        count=settings.counter,
    )
    draft = ""
    if settings.model != "extract":
        messages = (Message("user", prompt.task),)
        for piece in make_model(settings).stream(Prompt(prompt.instructions, messages, briefing, prompt.context)):
            draft += piece
            if not as_json:
                out.print(piece, end="", markup=False)
    if as_json:
        _print_json(
            {
                "draft": draft,
                "prompt": prompt.text,
                "frame_tokens": prompt.frame_tokens,
                **prompt.context.to_dict(),
            }
        )
    elif draft:
        out.print()
        _print_sources(prompt.context)
    else:
        out.print(prompt.text, markup=False)
        err.print(f"[dim]{escape(_size(prompt.context))} · {prompt.frame_tokens} tokens around them[/dim]")


@app.command()
def chat(
    model: Model = None,
    max_tokens: MaxTokens = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Go on with this one; its identifier is shown at the end.")
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    language: Lang = None,
) -> None:
    """Talk with the indexed documents; an empty line or Ctrl-D ends it, Ctrl-C ends an answer."""
    from kontextwerk.dialogue import converse

    settings = _settings(config, data_dir=data_dir, language=language, model=model, chat_tokens=max_tokens)
    converse(settings, out, err, conversation)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option("--host", help="The address to serve at.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535, help="Its port.")] = None,
    model: Model = None,
    config: Config = None,
    data_dir: DataDir = None,
    language: Lang = None,
) -> None:
    """Serve the page and the HTTP API; for this machine alone, unless a token is set."""
    from kontextwerk.web.server import run as serve_app

    settings = _settings(config, data_dir=data_dir, language=language, host=host, port=port, model=model)

    def ready(address: str) -> None:
        out.print(f"Kontextwerk: {address}", markup=False)
        out.file.flush()  # whoever reads it through a pipe waits for it

    serve_app(settings, ready)


@app.command()
def documents(config: Config = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the indexed documents."""
    settings = _settings(config, data_dir=data_dir)
    with open_store(settings, make_embedder(settings)) as store:
        states = indexed_documents(store)
    if as_json:
        _print_json([dataclasses.asdict(state) for state in states])
        return
    table = _table("document", "pages", "chunks", "path")
    for state in states:
        chunks = str(state.chunks) if state.complete else f"{state.chunks} (incomplete)"
        table.add_row(escape(state.title), str(state.pages or "–"), chunks, escape(state.path))
    out.print(table)


@app.command()
def config(config: Config = None, data_dir: DataDir = None, language: Lang = None, as_json: AsJson = False) -> None:
    """Show the settings in force; keys are not shown."""
    settings = dataclasses.asdict(_settings(config, data_dir=data_dir, language=language))
    shown = {
        key: "(set)" if key.endswith(("api_key", "token")) and value else _shown(value)
        for key, value in settings.items()
    }
    if as_json:
        _print_json(shown)
        return
    for key, value in shown.items():
        out.print(f"{key} = {value}", markup=False)


def _shown(value: object) -> str:
    """Return a setting as it may be shown: an address without its password."""
    return re.sub(r"(?<=://)([^/@:]*):[^/@]*@", r"\1:***@", str(value))


def _settings(config: Path | None, **overrides: object) -> Settings:
    """Make the settings of one run; the file at its usual place counts where it is there."""
    usual = CONFIG.expanduser()
    file = config or (usual if usual.is_file() else None)
    return load(file, overrides=overrides)


def _search(question: str, settings: Settings, embedder: Embedder) -> list[dict[str, Any]]:
    with open_store(settings, embedder) as store:
        return search_index(question, store, embedder, limit=settings.limit)


def _read_json(name: str) -> Any:  # noqa: ANN401  whatever the file holds; `to_chunks` judges it
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
        return json.loads(text)
    except OSError as error:
        raise InputError(
            name, error.strerror or "cannot be read", "Name a JSON file, or - for standard input"
        ) from error
    except ValueError as error:
        raise InputError(name, f"is no valid JSON ({error})", "Pass a list of hits") from error


@contextmanager
def _progress() -> Iterator[Any]:
    """Show a bar on standard error while documents are read and chunks embedded."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("chunks"),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def update(state: Any) -> None:  # noqa: ANN401
            name = Path(state.path).name if state.path else ""
            bar.update(
                task, description=escape(name[:40]), completed=state.chunks_done, total=state.chunks_total or None
            )

        yield update


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def _write_page(file: Path, page: str) -> None:
    """Write a page whole or not at all; only a page of ours is replaced."""
    file = file.resolve()  # a link stays a link
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    mend = "Name a file in a folder that can be written"
    try:
        if file.exists() and not (file.is_file() and _is_page(file)):
            raise InputError(str(file), "is there and is no page of a context", "Name another file")
        try:
            part.write_text(page, encoding="utf-8")
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(str(file), error.strerror or "cannot be written", mend) from error


def _is_page(file: Path) -> bool:
    """Say whether a file begins as a page of ours does, or is empty."""
    with file.open("rb") as stream:
        return stream.read(len(MARK)) in {b"", MARK.encode()}


def _print_sources(made: Context, numbers: Collection[int] | None = None) -> None:
    """List the sources with these numbers, all where there are none to choose by."""
    shown = [source for source in made.sources if numbers is None or source.number in numbers]
    if shown:
        out.print()
    for line in explaining.listed(shown, made.language):
        out.print(f"[dim]{escape(line)}[/dim]")


def _table(*heads: str) -> Table:
    """Return a table that wraps what is too wide; nothing is cut off."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _size(made: Context) -> str:
    return explaining.summary(
        len(made.sources), len(made.decisions), tokens=made.tokens, max_tokens=made.max_tokens, language=made.language
    )
