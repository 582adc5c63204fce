"""Chunks: whole sentences of one section, exact places, nothing lost, and quickly so."""

import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Chunk
from kontextwerk.documents import Document, split
from kontextwerk.documents.markdown import headings

SENTENCE = "Dieser Satz von Dr. med. Meier hat genau so viele Zeichen wie der nächste."


def markdown(text: str) -> Document:
    """Return a document of a Markdown text."""
    return Document(title="Handbuch.md", path="/a/Handbuch.md", text=text, headings=headings(text))


def checked(document: Document, max_chars: int) -> tuple[Chunk, ...]:
    """Split a document, and check what holds for every document."""
    chunks = split(document, max_chars=max_chars)
    for chunk in chunks:
        assert chunk.span is not None
        assert document.text[slice(*chunk.span)] == chunk.text
        assert 0 < len(chunk.text) <= max_chars
        assert chunk.text == chunk.text.strip()
    ends = [0, *(place for chunk in chunks for place in chunk.span or ()), len(document.text)]
    assert all(first <= second for first, second in pairwise(ends))
    assert all(not document.text[end:start].strip() for end, start in zip(ends[::2], ends[1::2], strict=True))
    return chunks


PIECES = (*"ab .!?\n\t#-*|`:„“»1.)(äש漢\0\u00a0\u2028\u0301", "o\u0308", "👩\u200d👧", "\n\n", "```\n", "- ", "A. ")
hostile = st.lists(st.one_of(st.sampled_from(PIECES), st.characters()), max_size=400).map("".join)


@given(hostile, st.integers(1, 120))
@settings(deadline=None)
@example("\U0001f468\u200d\U0001f469\u200d\U0001f467" * 9, 10)
@example("a" + "\u0301" * 50, 7)
@example("```\n\n" * 9 + "- a\n  b\n\n" * 9, 20)
def test_chunks_hold_everything_once(text: str, max_chars: int) -> None:
    """Spans are exact and in order, no chunk is too long, and only white space stands between them."""
    checked(markdown(text), max_chars)


@given(
    st.lists(
        st.sampled_from(["# A\n", "## B\n\n", "### C\n", "Ein Satz. ", "Noch einer.\n\n", "- Punkt\n", "| a | b |\n"]),
        max_size=40,
    )
)
@settings(max_examples=200, deadline=None)
def test_sections_are_those_of_the_beginning(parts: list[str]) -> None:
    """A chunk's section is the path of headings that holds where its first text stands."""
    document = markdown("".join(parts))
    for chunk in checked(document, 60):
        assert chunk.section == () or document.headings
        assert all(name in {"A", "B", "C"} for name in chunk.section)


def test_what_a_chunk_says_of_itself() -> None:
    """A chunk knows its document, and has no score and no identifier yet."""
    (chunk,) = split(markdown("# Anlass\n\nEin Satz."), document_id="d1")
    assert chunk == Chunk(
        text="# Anlass\n\nEin Satz.",
        title="Handbuch.md",
        path="/a/Handbuch.md",
        document_id="d1",
        section=("Anlass",),
        span=(0, 19),
    )


def test_an_empty_document_has_no_chunks() -> None:
    """No text, no chunk."""
    assert split(markdown("")) == ()
    assert split(markdown(" \n\n ")) == ()


@pytest.mark.parametrize("max_chars", [0, -1])
def test_a_length_that_cannot_be_meant(max_chars: int) -> None:
    """A chunk of no characters is a caller's mistake."""
    with pytest.raises(InputError, match="max_chars"):
        split(markdown("Text"), max_chars=max_chars)


def test_sentences_stay_whole() -> None:
    """Prose is cut between sentences, not behind abbreviations, and into parts of about equal length."""
    chunks = checked(markdown(" ".join([SENTENCE] * 20)), 400)
    assert all(chunk.text.startswith("Dieser Satz") and chunk.text.endswith("nächste.") for chunk in chunks)
    lengths = [len(chunk.text) for chunk in chunks]
    assert min(lengths) > max(lengths) / 2


def test_english_is_cut_by_english_rules() -> None:
    """The language of a text decides which abbreviations go on."""
    text = "This is what the approx. Value of it was. " * 20
    assert all(chunk.text.startswith("This") for chunk in checked(markdown(text), 200))


def test_paragraphs_are_preferred() -> None:
    """Where paragraphs end within reach, a chunk ends with one."""
    paragraph = " ".join([SENTENCE] * 3)
    chunks = checked(markdown("\n\n".join([paragraph] * 6)), 520)
    assert [chunk.text for chunk in chunks] == [f"{paragraph}\n\n{paragraph}"] * 3


def test_a_chunk_has_text_of_one_section() -> None:
    """A chunk ends where a section ends, although more would fit."""
    text = f"# Eins\n\n{SENTENCE} {SENTENCE}\n\n# Zwei\n\n{SENTENCE} {SENTENCE}\n\n## Drei\n\n{SENTENCE} {SENTENCE}"
    chunks = checked(markdown(text), 700)
    assert [chunk.section for chunk in chunks] == [("Eins",), ("Zwei",), ("Zwei", "Drei")]


def test_text_before_the_first_heading_has_no_section() -> None:
    """What stands before all headings is under none."""
    chunks = checked(markdown("Vorwort.\n\n# Eins\n\nText."), 500)
    assert [(chunk.text, chunk.section) for chunk in chunks] == [("Vorwort.", ()), ("# Eins\n\nText.", ("Eins",))]


def test_a_heading_stays_with_the_text_below() -> None:
    """Headings without text of their own go with the next section, also where that is cut."""
    text = "# Eins\n\n## Zwei\n\nAnlass\n======\n\n" + f"{SENTENCE} {SENTENCE}\n\n" * 4
    first, *others = checked(markdown(text), 300)
    assert first.text.startswith("# Eins\n\n## Zwei\n\nAnlass\n======\n\nDieser Satz")
    assert {chunk.section for chunk in (first, *others)} == {("Anlass",)}


def test_tiny_sections_of_one_parent_go_together() -> None:
    """Tiny neighbours become one chunk; a section of another parent begins a new one."""
    text = "# A\n\n## B\n\nKurz.\n\n## C\n\nKurz.\n\n# D\n\nKurz."
    chunks = checked(markdown(text), 500)
    assert [(chunk.text, chunk.section) for chunk in chunks] == [
        ("# A\n\n## B\n\nKurz.\n\n## C\n\nKurz.", ("A", "B")),
        ("# D\n\nKurz.", ("D",)),
    ]


def test_lists_and_tables_stay_whole_where_they_fit() -> None:
    """A list or a table that fits into a chunk is not cut; the text before it ends earlier."""
    listed = "\n".join(f"- Punkt {number} der Liste steht hier" for number in range(9))
    table = "\n".join(f"| Zeile {number} | Wert {number} |" for number in range(12))
    for block in (listed, table, f"```\n{listed}\n\n{listed[:90]}\n```"):
        text = f"{SENTENCE} {SENTENCE} {SENTENCE}\n\n{block}\n\n{SENTENCE} {SENTENCE}"
        assert any(block in chunk.text for chunk in checked(markdown(text), 480))


def test_long_lists_and_tables_are_cut_between_rows() -> None:
    """A list or a table that does not fit is cut between its rows."""
    for row in ("| Zeile {} | Wert. Und mehr. |", "- Punkt {}. Und mehr davon."):
        rows = [row.format(number) for number in range(40)]
        chunks = checked(markdown("\n".join(rows)), 300)
        assert [line for chunk in chunks for line in chunk.text.split("\n")] == rows


def test_a_line_that_announces_stays_with_what_follows() -> None:
    """A short line before a list or a paragraph begins the next chunk instead of ending one."""
    text = f"{SENTENCE} {SENTENCE}\n\nMitzubringen sind:\n\n- eins\n- zwei\n\n{SENTENCE} {SENTENCE}"
    assert all(
        not chunk.text.endswith("sind:") for limit in range(170, 330, 10) for chunk in checked(markdown(text), limit)
    )


def test_lines_without_sentences_are_cut_between_lines() -> None:
    """Addresses, verses and logs are cut at line ends."""
    lines = [f"Zeile Nummer {number}" for number in range(60)]
    chunks = checked(markdown("\n".join(lines)), 200)
    assert [line for chunk in chunks for line in chunk.text.split("\n")] == lines


def test_a_sentence_too_long_is_cut_between_words() -> None:
    """A sentence longer than a chunk is cut between words, a word longer than a chunk between graphemes."""
    chunks = checked(markdown("wort " * 100 + "ende."), 52)
    assert all(set(chunk.text.split()) <= {"wort", "ende."} for chunk in chunks)
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert all(len(chunk.text) % len(family) == 0 for chunk in checked(markdown(family * 40), 23))


def test_pages_are_those_of_the_text() -> None:
    """A chunk knows its first and last page, from 1; empty pages are passed over."""
    text = "Erster Satz. Zweiter Satz. Dritter Satz."
    document = Document("a.pdf", "", text, pages=((0, 0), (0, 13), (13, 13), (13, 27), (27, 40)))
    assert [(chunk.text, chunk.pages) for chunk in split(document, max_chars=27)] == [
        ("Erster Satz. Zweiter Satz.", (2, 4)),
        ("Dritter Satz.", (5, 5)),
    ]
    assert [chunk.pages for chunk in split(document)] == [(2, 5)]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "o\u0308" * 500_000,
        "漢字" * 500_000,
        "a" + "\u0301" * 1_000_000,
        " ".join([SENTENCE] * 65_000),
        "- a\n\n" * 100_000,
        "\n" * 1_000_000 + "x",
        "```\n" * 200_000,
    ],
    ids=["letters", "combining", "ideographs", "one grapheme", "prose", "items", "blank lines", "fences"],
)
def test_time_is_linear(text: str) -> None:
    """Megabytes are split in seconds, whatever is in them."""
    started = time.perf_counter()
    chunks = split(Document("a.txt", "", text))
    assert time.perf_counter() - started < 20
    assert sum(len(chunk.text) for chunk in chunks) > 0.9 * len(text.strip())
