"""Markdown: what stays, what goes, and where the headings are."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontextwerk.documents.markdown import headings, plain, slides
from kontextwerk.documents.tables import table


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ('Siehe [das Handbuch](https://example.org/a_(b) "Titel").', "Siehe das Handbuch."),
        ("[[1]{.number} Anlass](#anlass){#toc}", "1 Anlass"),
        ("[![Skizze](a.png)](b.html)", "Skizze"),
        ("![](data:image/png;base64,AAAA)", ""),
        ("![Picture 3](Picture3.jpg) ![Inhaltsplatzhalter 4](a.jpg) ![foto.jpeg](foto.jpeg)", ""),
        ("![Bildung für alle](a.png)", "Bildung für alle"),
        ("Mehr unter <https://example.org>.", "Mehr unter https://example.org."),
        ("Eins<!-- zwei\n\ndrei --> vier <!-- offen", "Eins vier <!-- offen"),
        ("Teilnehmer\\*innen und snake\\_case", "Teilnehmer*innen und snake_case"),
        ("\\# kein Titel", "\\# kein Titel"),
        ("<u>unter</u><span class='x'>strichen</span><br/>neu, 3 < 4 > 2", "unterstrichen neu, 3 < 4 > 2"),
        ("::: {.figure}\nText\n:::", "Text"),
        ("a [x] b (c)", "a [x] b (c)"),
        ("```\n[a](b)\n```\n[a](b)", "```\n[a](b)\n```\na"),
        ("~~~\n```\n<!-- bleibt -->\n~~~", "~~~\n```\n<!-- bleibt -->\n~~~"),
        ("```\n[a](b)", "```\na"),
        ("---\ntitle: T\n...\nText", "Text"),
        ("---\nText ohne Ende", "---\nText ohne Ende"),
        ("Text\n\n---\n\nText", "Text\n\n---\n\nText"),
    ],
)
def test_only_what_is_read_stays(markdown: str, expected: str) -> None:
    """Words stay; addresses, attributes, comments, escapes, metadata and tags that only shape go, except in code."""
    assert plain(markdown) == expected


def test_headings_are_found() -> None:
    """Headings are found in each form, with level, place and words without markup."""
    text = (
        "# Eins\n\n## *Zwei* & `Code` ##\n\nDrei\n====\n\nVier\n---\n\n  ### C# {#id .class}\n\n#### snake_case __b__"
    )
    found = headings(text)
    assert [(heading.level, heading.text) for heading in found] == [
        (1, "Eins"), (2, "Zwei & Code"), (1, "Drei"), (2, "Vier"), (3, "C#"), (4, "snake_case b"),
    ]  # fmt: skip
    assert [text[heading.start :].split(maxsplit=1)[0] for heading in found] == [
        "#",
        "##",
        "Drei",
        "Vier",
        "###",
        "####",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "#ohne Blank",
        "####### sieben",
        "    # eingerückt",
        "```\n# im Code\n```",
        "~~~~\n# im Code\n~~~\n# immer noch\n~~~~",
        "# ",
        "# **",
        "Absatz\nüber zwei Zeilen\n---",
        "- Punkt\n---",
        "| a |\n---",
        "---\n---",
    ],
)
def test_what_only_looks_like_a_heading(text: str) -> None:
    """Code, hashtags, rules and tables are no headings."""
    assert headings(text) == ()


def test_a_heading_behind_code_has_the_right_place() -> None:
    """Places count from the beginning of the text, code included."""
    text = "Vor\n```\n# nein\n```\n# Ja"
    assert [text[heading.start :] for heading in headings(text)] == ["# Ja"]


def test_a_long_heading_is_cut() -> None:
    """A paragraph set as a heading does not become a name of its length."""
    assert len(headings("# " + "wort " * 500)[0].text) <= 200


def test_slides_without_text_are_empty_pages() -> None:
    """A slide without text has its place."""
    contents = ("# Eins", "![Bild 1](a.jpg)", "Drei")
    text, pages = slides("\n\n".join(f"<!-- Slide number: {at} -->\n{words}" for at, words in enumerate(contents, 1)))
    assert [text[start:end].strip() for start, end in pages] == ["# Eins", "", "Drei"]


@pytest.mark.parametrize(
    "piece", ["![", "[", "[a](", "<!--", "[a]{", "<span ", "---\n", "\\*", "[a](x", "```\n", "# a\n=\n", "(()"]
)
def test_hostile_repetitions_take_no_time(piece: str) -> None:
    """Markup that begins a hundred thousand times and never ends is read in a moment."""
    started = time.perf_counter()
    headings(plain(piece * 100_000))
    assert time.perf_counter() - started < 5


@given(st.text(alphabet="#=-*_`~[](){}<>!\\ \n|ab", max_size=200))
@settings(deadline=None)
def test_tidying_never_fails(text: str) -> None:
    """Any mixture of markup is tidied, and each heading stands at the beginning of a line."""
    tidy = plain(text)
    for heading in headings(tidy):
        assert heading.start == 0 or tidy[heading.start - 1] == "\n"
        assert heading.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("a;b\n1,5;2\n\n3", "| a | b |\n| --- | --- |\n| 1,5 | 2 |\n| 3 |  |"),
        ("a\tb\n1\t2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ('a;b\n"x;y\nz|";2', "| a | b |\n| --- | --- |\n| x;y z\\| | 2 |"),
        ("nur\nZeilen", "nur\nZeilen"),
        ("", ""),
    ],
)
def test_tables(text: str, expected: str) -> None:
    """The delimiter is found, quoted cells are one, short rows are filled."""
    assert table(text) == expected
