"""PDFs: text in reading order, words and paragraphs whole, headings, pages, passwords and damage."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from minimal_pdf import Bookmark, Text, column, pdf

from kontextwerk.context.errors import DocumentError
from kontextwerk.documents import Document, read, split

SECRET = "geheim"  # noqa: S105  of the files that are written here
PROSE = (
    "Die Auftragsklärung findet im Erstgespräch statt, bevor der",
    "eigentliche Coaching-Prozess beginnt. Beide Seiten klären die",
    "Ziele und den Rahmen der Zusammenarbeit.",
)


def document(path: Path, data: bytes, password: str = "") -> Document:
    """Write a PDF and read it."""
    file = path / "Handbuch.pdf"
    file.write_bytes(data)
    return read(file, password=password)


def test_wrapped_lines_become_running_prose(tmp_path: Path) -> None:
    """Lines that were merely wrapped are joined by a blank; a gap between lines ends a paragraph."""
    found = document(tmp_path, pdf([column([*PROSE, "", *PROSE])]))
    paragraph = " ".join(PROSE)
    assert found.text == f"{paragraph}\n\n{paragraph}"
    assert found.title == "Handbuch.pdf"
    assert found.pages == ((0, len(found.text)),)


@pytest.mark.parametrize(
    ("line", "following", "expected"),
    [
        ("Beide Seiten halten sich an die vereinbarten Grund-", "sätze der Arbeit.", "Grundsätze der Arbeit."),
        ("Beide Seiten kennen von Anfang an den Coaching-", "Prozess genau.", "Coaching-Prozess genau."),
        ("Beide Seiten hinterlegen eine gültige E-Mail-", "Adresse im System.", "E-Mail-Adresse im System."),
        ("Beide Seiten wohnen in Häusern im Nord-", "und Südteil der Stadt.", "Nord- und Südteil der Stadt."),
        ("Beide Seiten kennen die Methode der x-", "beliebigen Wahl gut.", "x-beliebigen Wahl gut."),
    ],
)
def test_divided_words_are_joined(tmp_path: Path, line: str, following: str, expected: str) -> None:
    """A hyphen at a line's end goes where it only divides a word, and stays where it belongs to the word."""
    found = document(tmp_path, pdf([column([line, following])]))
    assert found.text.endswith(expected)
    assert "\n" not in found.text


def test_a_word_that_the_document_writes_with_a_hyphen_keeps_it(tmp_path: Path) -> None:
    """How the rest of the document writes a word decides whether its hyphen at a line's end stays."""
    lines = ["The dual-encoder learns from pairs of questions. A dual-", "encoder needs few of them."]
    assert document(tmp_path, pdf([column(lines)])).text.endswith("A dual-encoder needs few of them.")


def test_a_word_and_a_sentence_go_on_over_a_page_break(tmp_path: Path) -> None:
    """A word divided between two pages is whole, and the second page begins inside it."""
    first = column(["Die Prüfung der Voraussetzungen erfolgt nach den allgemeinen Grund-"])
    second = column(["sätzen des Verfahrens. Danach folgt der Bescheid."])
    found = document(tmp_path, pdf([first, second]))
    assert "Grundsätzen des Verfahrens." in found.text
    (start, middle), (second_start, end) = found.pages
    assert found.text[start:middle].endswith("Grund")
    assert found.text[second_start:end].startswith("sätzen")
    (chunk,) = split(found)
    assert chunk.pages == (1, 2)


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    """A paragraph goes on from the first column to the second, in the file's order."""
    left = column(["Der erste Absatz ist lang und", "füllt die Spalte ganz aus, er"], left=57)
    right = column(["geht in der zweiten weiter.", "", "Der zweite Absatz folgt."], left=307)
    found = document(tmp_path, pdf([[*left, *right]]))
    assert found.text == (
        "Der erste Absatz ist lang und füllt die Spalte ganz aus, er geht in der zweiten weiter.\n\n"
        "Der zweite Absatz folgt."
    )


def test_footnotes_make_way_for_a_sentence_that_goes_on(tmp_path: Path) -> None:
    """Footnotes stand before the paragraph that they would cut in two, on their page."""
    body = column([*PROSE, "", "Der zweite Absatz beginnt auf der ersten Seite und er ist"])
    note = [Text(70, 60, 8, "Vgl. dazu die Anmerkungen im Anhang.")]
    rest = column(["erst auf der zweiten zu Ende.", "", *PROSE])
    found = document(tmp_path, pdf([[*body, *note], rest]))
    assert "auf der ersten Seite und er ist erst auf der zweiten zu Ende." in found.text
    assert found.text.index("Vgl. dazu") < found.pages[0][1]


def test_lists_keep_their_lines(tmp_path: Path) -> None:
    """Each item of a list stands on a line of its own; its wrapped lines are joined."""
    lines = ["Mitzubringen sind die folgenden Unterlagen für das erste Gespräch:"]
    items = ["• der Vertrag in zwei Ausfertigungen, beide unterschrieben und mit", "• ein Ausweis"]
    body = [
        *column([*lines, items[0]]),
        Text(80, 750 - 2 * 13.2, 11, "Datum versehen"),
        Text(70, 750 - 3 * 13.2, 11, items[1]),
    ]
    found = document(tmp_path, pdf([body]))
    assert found.text.split("\n") == [*lines, f"{items[0]} Datum versehen", items[1]]


def test_rows_of_a_table_keep_their_lines(tmp_path: Path) -> None:
    """Rows whose cells stand far apart are lines, even where they reach the page's edge."""
    rows = [("Österreich", "8,9 Millionen Menschen", "Wien"), ("Belgien", "11,5 Millionen Menschen", "Brüssel")]
    page = [
        Text(left, 700 - 13.2 * number, 11, cell)
        for number, row in enumerate(rows)
        for left, cell in zip((70, 200, 400), row, strict=True)
    ]
    assert document(tmp_path, pdf([page])).text == "\n".join(" ".join(row) for row in rows)


def test_running_heads_and_page_numbers_go(tmp_path: Path) -> None:
    """What repeats at the edges of most pages goes, numbers counting with the pages; what stands once stays."""
    pages = [
        [
            Text(250, 810, 9, "Handbuch Coaching 2024"),
            *column([f"Kapitel {name} hat nur diesen einen Satz.", "Die Zahl 7 steht in jedem."]),
            Text(290, 30, 9, f"Seite {number} / 4"),
        ]
        for number, name in enumerate(("Anton", "Berta", "Cäsar", "Dora"), 1)
    ]
    found = document(tmp_path, pdf(pages))
    assert "Handbuch" not in found.text
    assert "Seite" not in found.text
    assert found.text.count("Die Zahl 7 steht in jedem.") == 4
    assert [found.text[start:end].split()[1] for start, end in found.pages] == ["Anton", "Berta", "Cäsar", "Dora"]


def test_rows_that_only_look_alike_stay(tmp_path: Path) -> None:
    """Figures at the edge of each page that neither repeat nor count are no page numbers."""
    pages = [column([f"Umsatz {figure} Euro", "im ganzen Jahr."]) for figure in (1203, 77, 4810)]
    text = document(tmp_path, pdf(pages)).text
    assert all(figure in text for figure in ("1203", "77", "4810"))


def test_running_heads_name_the_sections_of_their_pages(tmp_path: Path) -> None:
    """A running head of many letters goes whatever its numbers are; left and right pages may have their own."""
    heads = ("Verwaltungsverfahrensgesetz § {}", "Erster Abschnitt: Allgemeine Vorschriften {}")
    pages = [[Text(70, 810, 9, heads[page % 2].format(page * page)), *column(PROSE)] for page in range(6)]
    assert set(re.findall("Verwaltung|Abschnitt", document(tmp_path, pdf(pages)).text)) == set()


def test_signs_for_numbers_are_no_numbers(tmp_path: Path) -> None:
    """A running head may hold any sign beside its number."""
    pages = [[Text(70, 810, 9, head), *column(PROSE)] for head in ("# 1", "2 #", "# #", "4 4", "# 5")]
    assert document(tmp_path, pdf(pages)).text.count("Erstgespräch") == 5


def test_two_pages_are_too_few_for_running_heads(tmp_path: Path) -> None:
    """Nothing is taken for a running head in a document of two pages."""
    pages = [[Text(70, 810, 9, "Vertrag"), *column(PROSE)] for _ in range(2)]
    assert document(tmp_path, pdf(pages)).text.count("Vertrag") == 2


def test_bookmarks_are_headings(tmp_path: Path) -> None:
    """Bookmarks become headings where their words stand, with or without their number; and else where they point."""
    page = column(["1 Anlass", "", *PROSE, "", "2 Ablauf und", "Dauer", "", *PROSE])
    marks = [Bookmark("Anlass", 0, 760), Bookmark("Ablauf und Dauer", 0, 690), Bookmark("Anhang", 1, 700)]
    second = column([*PROSE, "", "", *PROSE])
    found = document(tmp_path, pdf([page, second], bookmarks=marks))
    assert [heading.text for heading in found.headings] == ["Anlass", "Ablauf und Dauer", "Anhang"]
    starts = [found.text[heading.start :] for heading in found.headings]
    assert starts[0].startswith("1 Anlass\n\nDie Auftragsklärung")
    assert starts[1].startswith("2 Ablauf und Dauer\n\n")
    assert starts[2].startswith("Die Auftragsklärung")
    assert {chunk.section for chunk in split(found)} == {("Anlass",), ("Ablauf und Dauer",), ("Anhang",)}


def test_bookmarks_of_other_forms(tmp_path: Path) -> None:
    """A bookmark may give a height alone, or a page alone; one that points nowhere is none."""
    marks = [Bookmark("Erstens", 0, 761), Bookmark("Zweitens", 0, 762), Bookmark("Drittens", 0, 763)]
    data = pdf([column(["Zweitens", "", *PROSE, "", *PROSE])], bookmarks=marks)
    for old, new in ((b"/XYZ 0 761 0", b"/FitH 684"), (b"/XYZ 0 762 0", b"/Fit"), (b"/Dest [4 0 R /XYZ 0 763 0]", b"")):
        assert old in data
        data = data.replace(old, new)
    found = document(tmp_path, data)
    assert [heading.text for heading in found.headings] == ["Zweitens", "Erstens"]
    assert found.text[found.headings[1].start :].startswith("Die Auftragsklärung")


def test_a_damaged_bookmark_is_none(tmp_path: Path) -> None:
    """A bookmark whose words cannot be decoded is passed over."""
    marks = [Bookmark("Erstens", 0, 760), Bookmark("Ende", 0, 760)]
    data = pdf([column(["Erstens", "", *PROSE])], bookmarks=marks).replace(
        "Ende".encode("utf-16-be").hex().encode(), b"d800d8000041dc00"
    )
    assert [heading.text for heading in document(tmp_path, data).headings] == ["Erstens"]


def test_large_type_is_a_heading_where_there_are_no_bookmarks(tmp_path: Path) -> None:
    """Short lines in larger type above text are headings, a level for each size; long ones and sentences are not."""
    page = [
        Text(70, 800, 20, "Leitfaden"),
        Text(70, 770, 14, "Erstgespräch"),
        *column(PROSE * 3, top=740),
        Text(70, 600, 14, "Dieser Satz ist groß gesetzt."),
        *column(PROSE * 3, top=570),
    ]
    headings = document(tmp_path, pdf([page])).headings
    assert [(heading.level, heading.text) for heading in headings] == [(1, "Leitfaden"), (2, "Erstgespräch")]


def test_a_poster_has_no_headings(tmp_path: Path) -> None:
    """Where much of the text is large, size tells nothing."""
    page = [Text(70, 800, 20, "Herzlich willkommen"), Text(70, 770, 11, "Heute ist ein guter Tag, um etwas zu lernen")]
    assert document(tmp_path, pdf([page])).headings == ()
    assert document(tmp_path, pdf([[*page, *column(PROSE, top=700)]])).headings != ()


def test_raised_numbers_are_written_as_such(tmp_path: Path) -> None:
    """The mark of a footnote does not stick to its word, and a power stays one."""
    page = [
        Text(70, 700, 11, "Es gilt das Recht"),
        Text(153, 705, 6, "3"),
        Text(70, 680, 11, "Das Zimmer hat 12 m"),
        Text(171, 685, 6, "2"),
        Text(70, 60, 6, "3"),
        Text(73.6, 56, 8, "Siehe oben."),
    ]
    text = document(tmp_path, pdf([page])).text
    assert "Recht ³" in text
    assert "m²" in text
    assert "³ Siehe oben." in text


def mapped(data: bytes, *pairs: str) -> bytes:
    """Return a PDF in which characters stand for others, each pair in hexadecimal digits as PDF writes it."""
    cmap = f"begincmap 1 begincodespacerange <00> <ff> endcodespacerange {len(pairs)} beginbfchar "
    cmap += " ".join(pairs) + " endbfchar endcmap"
    stream = f"/ToUnicode 99 0 R >>\nendobj\n99 0 obj\n<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream"
    return data.replace(b"/Encoding /WinAnsiEncoding >>", stream.encode())


def test_characters_beyond_the_basic_plane(tmp_path: Path) -> None:
    """A character that takes two units in PDFium is one, and those behind it keep their places."""
    data = mapped(pdf([column(["Smile X now", "", "Und hier ein Satz."])]), "<58> <d83dde00>")
    assert document(tmp_path, data).text == "Smile \U0001f600 now\n\nUnd hier ein Satz."


def test_lines_without_a_visible_character(tmp_path: Path) -> None:
    """Blanks and characters of no width make no lines."""
    data = mapped(
        pdf([column(["X", "", "", "Text", "", "", "Y", "", "", "Z"])]), "<58> <200b>", "<59> <00a0>", "<5a> <0001>"
    )
    assert document(tmp_path, data).text == "Text"


def test_dots_that_lead_the_eye_go(tmp_path: Path) -> None:
    """The dots of a table of contents become one sign, and its entries keep their lines."""
    lines = [f"{name} {'. ' * 30}{page}" for name, page in (("Anlass", 3), ("Ablauf", 5))]
    assert document(tmp_path, pdf([column(lines)])).text == "Anlass … 3\nAblauf … 5"
    dots = "Sie sagen, dass . . . « und gehen . . . weiter."
    assert document(tmp_path, pdf([column([dots])])).text == "Sie sagen, dass …« und gehen … weiter."


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_pages_that_are_turned_to_be_read(tmp_path: Path, turned: int) -> None:
    """On a turned page what is below is judged as the page is read."""
    lines = "Die Tabelle im Querformat ist\nauf dieser Seite gedreht worden."
    found = document(tmp_path, turned_page(lines.split("\n"), turned))
    assert found.text == lines.replace("\n", " ")


def turned_page(lines: list[str], turned: int) -> bytes:
    """Return a PDF whose text runs against the page's turn, so that it is upright when the page is read."""
    data = pdf([column(lines)], turned=turned)
    cos, sin = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turned]
    places = {90: ("300", "100"), 180: ("500", "400"), 270: ("200", "700")}[turned]
    for row in range(len(lines)):
        across, up = float(places[0]) + sin * 13.2 * row, float(places[1]) - cos * 13.2 * row
        old = b"1 0 0 1 70 %g Tm" % (750 - 13.2 * row)
        data = data.replace(old, b"%d %d %d %d %g %g Tm" % (cos, sin, -sin, cos, across, up))
    return data


def test_an_encrypted_file_opens_with_its_password(tmp_path: Path) -> None:
    """The user's password opens an encrypted file, its bookmarks too."""
    data = pdf([column(["Anlass", "", *PROSE])], bookmarks=[Bookmark("Anlass", 0, 760)], user_password=SECRET)
    found = document(tmp_path, data, SECRET)
    assert "Erstgespräch" in found.text
    assert found.headings[0].text == "Anlass"


@pytest.mark.parametrize(("password", "reason"), [("", "is encrypted"), ("falsch", "does not open with this password")])
def test_an_encrypted_file_does_not_open_without(tmp_path: Path, password: str, reason: str) -> None:
    """No password and a wrong one are told apart, each with what to do."""
    with pytest.raises(DocumentError) as caught:
        document(tmp_path, pdf([column(PROSE)], user_password=SECRET), password)
    assert caught.value.reason == reason
    assert "assword" in caught.value.mend


def test_a_password_that_cannot_be_encoded_is_wrong(tmp_path: Path) -> None:
    """A password with a lone surrogate, as a shell may pass it, is a wrong one."""
    with pytest.raises(DocumentError, match="does not open with this password"):
        document(tmp_path, pdf([column(PROSE)], user_password=SECRET), "\udcff")


def test_an_unknown_encryption_is_named(tmp_path: Path) -> None:
    """An encryption that PDFium does not know is no matter of passwords."""
    data = pdf([column(PROSE)], user_password=SECRET).replace(b"/Filter /Standard", b"/Filter /Fremdes_")
    with pytest.raises(DocumentError, match="is encrypted in a way that PDFium does not know"):
        document(tmp_path, data)


def test_a_file_with_an_owner_password_alone_opens(tmp_path: Path) -> None:
    """A file that anyone may read opens without a password."""
    assert "Erstgespräch" in document(tmp_path, pdf([column(PROSE)], user_password="")).text


@pytest.mark.parametrize("pages", [[[]], [[], []]])
def test_a_scan_is_named(tmp_path: Path, pages: list[list[Text]]) -> None:
    """A file whose pages have no text says so, and how to get some."""
    with pytest.raises(
        DocumentError, match=re.escape("has no text layer. Pass it through text recognition (OCR) first")
    ):
        document(tmp_path, pdf(pages))


def test_empty_pages_are_pages(tmp_path: Path) -> None:
    """A page without text has its place: those behind it keep their numbers."""
    found = document(tmp_path, pdf([[], column(PROSE), [], column(["Schluss."]), []]))
    assert len(found.pages) == 5
    assert [found.text[start:end].strip()[:8] for start, end in found.pages] == ["", "Die Auft", "", "Schluss.", ""]
    assert [chunk.pages for chunk in split(found)] == [(2, 4)]


def test_a_truncated_file_is_read_as_far_as_it_goes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file that has lost its end gives the pages that are left, in order, and a warning in the log."""
    data = pdf([column(PROSE), column(["Die zweite Seite ist noch da."]), column(["Die dritte ist fort."])])
    with caplog.at_level(logging.WARNING):
        found = document(tmp_path, data[: data.index(b"dritte")])
    assert "Erstgespräch" in found.text
    assert found.text.endswith("Die zweite Seite ist noch da.")
    assert "is damaged: text was found on 2 pages" in caplog.text


@pytest.mark.parametrize("data", [b"%PDF-1.7\n" + b"\xff" * 500, b"%PDF-", b"%PDF-1.4\n1 0 obj\n<< /Type /Page >>\n"])
def test_a_destroyed_file_is_named(tmp_path: Path, data: bytes) -> None:
    """A file in which no page can be found says that it is damaged."""
    with pytest.raises(DocumentError, match="damaged"):
        document(tmp_path, data)


def test_a_damaged_page_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A page that cannot be loaded is empty, and the log says which."""
    data = pdf([column(PROSE), column(["Schluss."])]).replace(b"6 0 R] /Count 2", b"9 0 R] /Count 2")
    with caplog.at_level(logging.WARNING):
        found = document(tmp_path, data)
    assert "page 2 cannot be read" in caplog.text
    assert found.pages[1] == (len(found.text), len(found.text))


def test_files_are_read_in_threads(tmp_path: Path) -> None:
    """Several threads can read at once, although PDFium cannot."""
    for number in range(8):
        (tmp_path / f"{number}.pdf").write_bytes(pdf([column([f"Datei {number}.", *PROSE])] * 2))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read, [tmp_path / f"{number}.pdf" for number in range(8)]))
    assert [one.text[:8] for one in found] == [f"Datei {number}." for number in range(8)]


def test_pages_have_the_names_that_stand_on_them(tmp_path: Path) -> None:
    """A page is called as on paper, through to the chunks; where that is its number, nothing is said."""
    pages = [column(PROSE) for _ in range(3)]
    found = document(tmp_path, pdf(pages, labels="0 << /S /r >> 2 << /S /D >>"))
    assert found.page_labels == ("i", "ii", "1")
    assert [chunk.page_labels for chunk in split(found, max_chars=180)] == [("i", "ii"), ("ii", "1")]
    assert document(tmp_path, pdf(pages, labels="0 << /S /D >>")).page_labels == ()
    assert document(tmp_path, pdf(pages)).page_labels == ()


def test_labels_that_cannot_be_read_are_none(tmp_path: Path) -> None:
    """Damaged labels never stop a document from being read."""
    found = document(tmp_path, pdf([column(PROSE)], labels="0 << /P <FEFFD800> >> 9999999999 null"))
    assert found.text
    assert all(label.isprintable() for label in found.page_labels)
