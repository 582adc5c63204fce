"""What stands between two lines of a page, and which lines are headings: cases that one page can hardly show."""

from collections.abc import Sequence

import pytest

from kontextwerk.documents.hyphens import link, rejoined, words
from kontextwerk.documents.lines import Line, Mark
from kontextwerk.documents.outline import titles
from kontextwerk.documents.paragraphs import run_together

LONG = "Diese Zeile reicht bis an den rechten Rand der Spalte heran und"


def line(text: str, row: float, *, left: float = 50, right: float = 350, size: float = 10) -> Line:
    """Return a line in a given row of a page, with a distance of 12 points between rows."""
    bottom = 700 - 12 * row
    return Line(text, size, left, right, bottom, bottom + size)


def text_of(*pages: Sequence[Line]) -> str:
    """Return the running text of pages without headings."""
    return run_together(pages, {})[0]


WRAPPED = [line(LONG, row) for row in range(4)]  # shows the usual distance of lines, and the column's edge
BEFORE = " ".join([LONG] * 4)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # In one row: pieces of a word, words, cells.
        ([line("Praxis", 5, right=100), line("jahr", 5, left=100)], "\n\nPraxisjahr"),
        ([line("Praxis", 5, right=100), line("und", 5, left=103)], "\n\nPraxis und"),
        ([line("Praxis", 5, right=100), line("Jahr", 5, left=150)], "\n\nPraxis\nJahr"),
        ([line("Praxis", 5, right=100), line("\u0301 und", 5, left=100)], "\n\nPraxis \u0301 und"),
        # A dash or a number at the beginning of a wrapped line is no item.
        ([line("– so heißt es – weitergeht.", 4)], " – so heißt es – weitergeht."),
        ([line("12. Mai weitergeht.", 4)], " 12. Mai weitergeht."),
        ([line("– eingerückt", 4, left=70)], "\n– eingerückt"),
        # Behind an item, a line further left is no part of it.
        ([line("– Open Space", 4, left=70, right=120), line("Kurz", 5, right=90)], "\n– Open Space\n\nKurz"),
        # Short lines: an address stays in lines, what begins small goes on.
        ([line("Muster GmbH", 6, right=110), line("Hauptstraße 5", 7, right=112)], "\n\nMuster GmbH\nHauptstraße 5"),
        ([line("Der Antrag", 6, right=110), line("wird geprüft.", 7, right=100)], "\n\nDer Antrag wird geprüft."),
        ([line("Ein Satz.", 6, right=90), line("Noch einer", 7, right=95)], "\n\nEin Satz.\n\nNoch einer"),
        # A first line that is indented begins a paragraph behind a full line that ends a sentence.
        ([line("endet ganz genau am rechten Rand der Spalte.", 4), line("Der neue", 5, left=62)], None),
        # Entries of a table of contents.
        ([line("Teil I … 3", 6), line("Anlass … 4", 7), line("Ziel … 5", 9)], "\n\nTeil I … 3\nAnlass … 4\n\nZiel … 5"),
        # Smaller type is another paragraph.
        ([line("klein gesetzt", 4, size=7)], "\n\nklein gesetzt"),
    ],
)
def test_what_stands_between_two_lines(lines: list[Line], expected: str | None) -> None:
    """Rows, items, addresses, indented beginnings, entries and small type are told apart by where the lines stand."""
    if expected is None:
        expected = " endet ganz genau am rechten Rand der Spalte.\n\nDer neue"
    assert text_of([*WRAPPED, *lines]) == BEFORE + expected


def test_a_paragraph_goes_on_only_where_it_may() -> None:
    """At a page break a paragraph goes on if its last line is full or the next begins small, and no sentence ended."""
    assert text_of(WRAPPED, [line("Häuser stehen dort.", 0)]) == f"{BEFORE} Häuser stehen dort."
    assert text_of([*WRAPPED, line("kurz", 4, right=80)], [line("und klein", 0)]) == f"{BEFORE} kurz und klein"
    assert text_of([*WRAPPED, line("Kurz", 6, right=80)], [line("Und groß", 0)]) == f"{BEFORE}\n\nKurz\n\nUnd groß"
    assert text_of([*WRAPPED, line("zu Ende.", 4, right=80)], [line("und klein", 0)]).endswith("zu Ende.\n\nund klein")
    assert text_of(WRAPPED, [line("• Punkt", 0)]) == f"{BEFORE}\n\n• Punkt"


def test_footnotes_stay_where_nothing_goes_on() -> None:
    """Footnotes behind a paragraph that ends stand behind it."""
    note = line("1 Anmerkung", 50, size=7)
    assert (
        text_of([*WRAPPED, line("zu Ende.", 4), note], [line("Neu.", 0)]) == f"{BEFORE} zu Ende.\n\n1 Anmerkung\n\nNeu."
    )


def test_footnotes_do_not_leave_their_page() -> None:
    """A paragraph that began on an earlier page is interrupted rather than its page's footnotes moved."""
    note = line("1 Anmerkung", 50, size=7)
    text, _, pages = run_together([WRAPPED, [*WRAPPED, note], WRAPPED], {})
    assert text == f"{BEFORE} {BEFORE}\n\n1 Anmerkung\n\n{BEFORE}"
    assert text[slice(*pages[1])].strip() == f"{BEFORE}\n\n1 Anmerkung"


def test_a_page_of_small_type_has_no_footnotes() -> None:
    """Small type alone in its column is text."""
    small = line("klein", 0, size=7)
    assert text_of(WRAPPED, [small], WRAPPED) == f"{BEFORE}\n\nklein\n\n{BEFORE}"


def test_no_pages_no_text() -> None:
    """A document without pages or without lines has no text."""
    assert run_together([], {}) == ("", (), ())
    assert run_together([[], []], {}) == ("", (), ((0, 0), (0, 0)))


def headings(lines: Sequence[Line], *marks: Mark) -> list[tuple[str, int]]:
    """Return each heading's words and the lines that it takes."""
    return [(title.text, title.lines) for found in titles([lines], marks).values() for title in found]


@pytest.mark.parametrize(
    "large",
    [
        [line(f"Name {row}", row, size=14) for row in range(-5, -1)],  # too many lines
        [line("Name" * 40, -3, size=14)],  # too long
        [line("2024", -3, size=14)],  # no letter
        [line("und weiter", -3, size=14)],  # begins small
        [line("Ein Satz.", -3, size=14)],
        [line("Eins", -3, right=100, size=14), line("Zwei", -3, left=120, size=14)],  # beside each other
    ],
)
def test_large_type_that_is_no_heading(large: list[Line]) -> None:
    """Lists of names, sentences, numbers and pieces of a row are no headings, however large."""
    assert headings([*large, *WRAPPED * 4]) == []


def test_a_heading_of_two_lines() -> None:
    """Two large lines below each other are one heading, two far apart are two; the last line of a page is none."""
    two = [line("Ablauf und", -4, size=14), line("Dauer", -3, size=14)]
    assert headings([*two, *WRAPPED * 4]) == [("Ablauf und Dauer", 2)]
    assert headings([line("Titel", -9, size=14), *two, *WRAPPED * 4]) == [("Ablauf und Dauer", 2)]
    assert headings([*WRAPPED * 4, line("Titel", 60, size=14)]) == []


def test_bookmarks_that_point_at_no_words() -> None:
    """A bookmark whose words are not on its page begins its section where it points, or with the page."""
    page = [line("Anlass", -2, right=90), *WRAPPED]
    found = Mark(1, "Anlass", 0, None)
    assert headings(page, found, Mark(1, "Anhang", 0, None)) == [("Anlass", 1), ("Anhang", 0)]
    assert headings(page, found, Mark(1, LONG * 5, 0, None)) == [("Anlass", 1), (LONG * 5, 0)]
    assert list(titles([page], [found, Mark(1, "Anhang", 0, 690)])) == [(0, 0), (0, 2)]
    assert list(titles([page], [found, Mark(1, "Anhang", 0, -5)])) == [(0, 0)]


def test_bookmarks_of_another_file() -> None:
    """Where few bookmarks have their words on their pages, as in a file of extracted pages, only those are headings."""
    page = [line("Anlass", -2, right=90), *WRAPPED]
    others = [Mark(1, name, 0, None) for name in ("Ablauf", "Anhang", "Quellen")]
    assert headings(page, Mark(1, "Anlass", 0, None), *others) == [("Anlass", 1)]
    assert headings(page, *others) == []


def test_bookmarks_that_point_at_no_page() -> None:
    """A bookmark without words, or beyond the pages, is none."""
    assert headings(WRAPPED, Mark(1, "Anhang", 7, None), Mark(1, " ", 0, None)) == []
    assert titles([[]], [Mark(1, "Anhang", 0, None)]) == {}


def test_the_nearest_of_equal_words_is_the_heading() -> None:
    """Words that stand on a page twice are a heading where the bookmark points; without a place, the first time."""
    page = [line("Anlass", 0), *WRAPPED, line("Anlass", 20)]
    assert list(titles([page], [Mark(1, "Anlass", 0, 475)])) == [(0, 5)]
    assert list(titles([page], [Mark(1, "Anlass", 0, None)])) == [(0, 0)]


@pytest.mark.parametrize(
    ("first", "following", "expected"),
    [
        ("Grund-", "sätze", ""),
        ("Grund\u2010", "sätze", ""),
        ("Coaching-", "Prozess", "-"),
        ("Vor-", "und Nachteile", "- "),
        ("Haupt-", "bzw. Nebenfach", "- "),
        ("two-", "or threefold", "- "),
        ("Ge-", "undete", ""),
        ("x-", "beliebig", "-"),
        ("3-", "fach", "-"),
        ("E-Mail-Adres-", "se", ""),
        ("Ja-", "(nein)", "-"),
        ("dual-", "encoder", "-"),
        ("Über-", "raschung", ""),
        ("DSGVO-", "KONFORM", ""),
        ("BARCAMP-", "Tools", "-"),
        ("»Virtually Connecting«-", "Session", "-"),
        ("www.example.org/eine-", "adresse", "-"),
        ("anna@example-", "firma.de", "-"),
    ],
)
def test_the_hyphen_at_a_line_end(first: str, following: str, expected: str) -> None:
    """What follows decides whether a hyphen is the word's own, and how the document writes the word elsewhere."""
    assert link(first, following, words("The dual-encoder. DSGVOKONFORM BarcampTools")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("öffent-\nlicher Raum", "öffentlicher\nRaum"),
        ("öffent-\n  licher\nRaum", "öffentlicher\nRaum"),
        ("Coaching-\nProzess", "Coaching-Prozess"),
        ("Vor-\nund Nachteile", "Vor- und\nNachteile"),
        ("- eins\n- zwei", "- eins\n- zwei"),
        ("Titel\n-----\nText", "Titel\n-----\nText"),
        ("1990-\n2000", "1990-\n2000"),
    ],
)
def test_divided_words_in_a_text_of_lines(text: str, expected: str) -> None:
    """A divided word is put together in the line in which it begins; lists, rules and numbers stay."""
    assert rejoined(text) == expected
