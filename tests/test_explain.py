"""A context in the terminal: the same at any width, without colour, and where the output knows ASCII alone."""

import builtins
import importlib
import io
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from kontextwerk import Chunk, Context, Language, MissingExtraError, Options, assemble
from kontextwerk.context.assemble import assemble as assemble_chunks
from kontextwerk.explain import MOST_ROWS, terminal
from strategies import budgets, counters, hit_lists, languages, questions

Hits = list[dict[str, Any]]
LANGUAGES: list[Language] = ["de", "en"]
CHUNKS = [
    Chunk("Die Auftragsklärung dauert eine Stunde. " * 3, "Leitfaden.docx", 0.9, section=("Zeitpunkt",), pages=(3, 4)),
    Chunk("Absagen sind frei.", "AGB 2025.pdf", 0.6, pages=(6, 8), page_labels=("iv", "vi"), fault="invalid score 'x'"),
    Chunk("Schwach.", "Größe [bold]rot[/bold].txt", 0.1),
    *(Chunk("", f"Leer {number}.pdf", fault="content is missing") for number in range(MOST_ROWS + 3)),
]


def by_four(text: str) -> int:
    """Count four characters as a token."""
    return -(-len(text) // 4)


def made(language: Language, max_tokens: int = 80) -> Context:
    """Make a context with two sources, and more left out than is named."""
    return assemble_chunks(CHUNKS, max_tokens, by_four, language=language, options=Options(min_score=0.2))


def shown(context: Context, width: int, encoding: str = "utf-8") -> str:
    """Return what a console without colour shows, read back from the bytes that it wrote."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width).print(terminal(context))
    stream.seek(0)
    return "\n".join(line.rstrip() for line in stream.read().splitlines())


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_reads_so(language: Language, width: int, snapshot: SnapshotAssertion) -> None:
    """Bar, size, sources and what was left out, in the reader's language."""
    assert shown(made(language), width) == snapshot


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_it_reads_so_in_other_encodings(encoding: str, snapshot: SnapshotAssertion) -> None:
    """Nothing is lost that the encoding can carry, and the columns stay in line."""
    assert shown(made("de"), 80, encoding) == snapshot


@pytest.mark.parametrize("width", [20, 80, 100, 200])
def test_the_bar_is_one_line(width: int) -> None:
    """It is as wide as there is room, 100 columns at the most."""
    bar = shown(made("de"), width).splitlines()[0]
    assert len(bar) == min(width, 100)
    assert re.search("█ 1 █.*▓.*░$", bar)


def test_the_bar_is_in_proportion() -> None:
    """A source's stretch is its tokens' part of the line, to a column."""
    context = made("de")
    bar = shown(context, 100).splitlines()[0]
    assert abs(bar.count("░") - 100 * (80 - context.tokens) / 80) <= 1


def test_an_empty_context_says_so() -> None:
    """A budget of 0 is a line of nothing, and no error."""
    text = shown(made("de", 0), 80)
    assert text.startswith("░" * 80)
    assert "Im Kontext steht nichts." in text
    assert "Every hit stands in the context." in shown(assemble([], 9, language="en"), 80)


def test_colour_is_there_where_the_output_has_it() -> None:
    """On a terminal neighbours in the bar differ in colour too; no markup of a title has an effect."""
    stream = io.StringIO()
    Console(file=stream, width=80, force_terminal=True, color_system="standard", _environ={}).print(
        terminal(made("de"))
    )
    assert "\x1b[36m" in stream.getvalue()
    assert "Größe [bold]rot[/bold].txt" in stream.getvalue()


@given(hit_lists, budgets, counters, questions, languages, st.integers(30, 130), st.sampled_from(["utf-8", "ascii"]))
def test_any_context_can_be_shown(  # noqa: PLR0913, PLR0917  one strategy each
    hits: Hits,
    budget: int,
    count: Callable[[str], int],
    question: str | None,
    language: Language,
    width: int,
    code: str,
) -> None:
    """Whatever it holds, it is shown, within the width, each source by its number."""
    context = assemble(hits, budget, question=question, counter=count, language=language)
    text = shown(context, width, code)
    assert max(map(cell_len, text.split("\n"))) <= width
    for source in context.sources:
        assert re.search(rf"^ *{source.number} ", text, re.MULTILINE)


def test_without_rich_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rich is not installed, one line says what to install."""
    usual = builtins.__import__

    def without(name: str, *arguments: Any) -> Any:  # noqa: ANN401  as Python's own
        if name.startswith("rich"):
            raise ModuleNotFoundError(name)
        return usual(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.delitem(sys.modules, "kontextwerk.explain")
    with pytest.raises(MissingExtraError) as raised:
        importlib.import_module("kontextwerk.explain")
    assert str(raised.value) == "rich: is not installed. Install it with: pip install 'kontextwerk[cli]'"
