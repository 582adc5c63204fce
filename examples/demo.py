"""The whole way on the example library: read, split, embed, store, search, build a context, answer with sources.

Run it with `make demo`, or `python examples/demo.py "Your question"`. The index lies in `.demo/`; a second run finds it
there and embeds nothing.
"""

import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from kontextwerk import Options
from kontextwerk.chat import ask
from kontextwerk.context.explaining import place
from kontextwerk.extract import Extract
from kontextwerk.index import Embedder, Report, Store, ingest, make_embedder, open_store, search, similarity
from kontextwerk.index import Progress as IngestProgress
from kontextwerk.settings import Settings

ROOT = Path(__file__).resolve().parent
LIBRARY = ROOT / "library"
DATA = ROOT.parent / ".demo"
QUESTION = "Wann erfolgt die Auftragsklärung?"
MAX_TOKENS = 600

console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Index the library, answer the question, and show each step's result."""
    question = " ".join(sys.argv[1:]) or QUESTION
    settings = replace(Settings(), data_dir=DATA)
    embedder = make_embedder(settings)
    step("1", f"Reading, splitting and embedding {LIBRARY.relative_to(ROOT.parent)}/ (the first time under a minute)")
    with open_store(settings, embedder, create=True) as store:
        report = index(store, embedder, settings)
        console.print(
            f"  {len(report.added) + len(report.changed)} documents new, {len(report.unchanged)} unchanged,"
            f" {report.chunks_embedded} chunks embedded"
        )
        step("2", f"Searching: {question}")
        hits = search(question, store, embedder, limit=settings.limit)
    console.print(f"  {len(hits)} hits, dense and BM25 search fused")

    meaning = similarity(embedder)
    reply = ask(question, hits, Extract(meaning), max_tokens=MAX_TOKENS, options=Options(similarity=meaning))
    step("3", f"The context that a model would read: {reply.context.tokens} of {MAX_TOKENS} tokens")
    console.print(reply.context.text, markup=False, style="dim")
    step("4", "Its sources")
    for source in reply.context.sources:
        console.print(f"  [{source.number}] {place(source, 'de')}", markup=False)
    step("5", "The answer, quoted from the sources: no language model is set up")
    console.print(f"[bold]{escape(''.join(reply.pieces))}[/bold]")
    console.print(
        "\nTry it with your own files:\n"
        "  .venv/bin/kontextwerk ingest ~/Documents\n"
        '  .venv/bin/kontextwerk ask "…"            with --explain: what became of each hit, and why\n'
        '  .venv/bin/kontextwerk ask "…" --model ollama:llama3.2    with a language model; --help shows more\n'
        "  make serve                               the chat in the browser, on this library",
        markup=False,
    )


def step(number: str, text: str) -> None:
    """Print the head of a step."""
    console.print(f"\n[bold cyan]{number}[/bold cyan] [bold]{escape(text)}[/bold]")


def index(store: Store, embedder: Embedder, settings: Settings) -> Report:
    """Ingest the library with a bar that shows the chunks."""
    columns = (TextColumn("  {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def update(state: IngestProgress) -> None:
            name = Path(state.path).name if state.path else ""
            bar.update(task, description=name[:40], completed=state.chunks_done, total=state.chunks_total or None)

        return ingest([LIBRARY], store, embedder, settings, progress=update)


if __name__ == "__main__":
    main()
