"""Office files, e-books and web pages: their text as Markdown, with headings."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from minimal_office import archive, docx, epub, slides, workbook
from minimal_pdf import column, pdf

from kontextwerk.context.errors import DocumentError, MissingExtraError
from kontextwerk.documents import Document, read, split

Write = Callable[[str, bytes], Document]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Write a file of that name and read it."""

    def write(name: str, data: bytes) -> Document:
        path = tmp_path / name
        path.write_bytes(data)
        return read(path)

    return write


def test_a_word_file_keeps_headings(written: Write) -> None:
    """Headings of a Word file are headings; asterisks that are part of words stay as they are."""
    found = written(
        "Leitfaden.docx", docx([("Heading1", "Anlass"), ("", "Für alle Teilnehmer*innen."), ("Heading2", "Ziel")])
    )
    assert found.text == "# Anlass\n\nFür alle Teilnehmer*innen.\n\n## Ziel"
    assert [(heading.level, heading.text, heading.start) for heading in found.headings] == [
        (1, "Anlass", 0),
        (2, "Ziel", 38),
    ]
    assert found.pages == ()


def test_slides_are_pages(written: Write) -> None:
    """Each slide is a page, and its title a heading."""
    found = written("Vortrag.pptx", slides([("Anlass", "Warum wir hier sind."), ("Ziel", "Wohin wir wollen.")]))
    assert [found.text[start:end].strip() for start, end in found.pages] == [
        "# Anlass\nWarum wir hier sind.",
        "# Ziel\nWohin wir wollen.",
    ]
    assert [(chunk.pages, chunk.section) for chunk in split(found, max_chars=50)] == [
        ((1, 1), ("Anlass",)),
        ((2, 2), ("Ziel",)),
    ]


def test_sheets_are_tables_under_their_names(written: Write) -> None:
    """Each sheet of a workbook is a table under a heading; empty cells are empty."""
    prices: list[list[str | float | None]] = [["Ware", "Preis"], ["Brot", 3.5], ["Salz", None]]
    found = written("Liste.xlsx", workbook({"Preise": prices, "Orte": [["Ort"], ["Köln"]]}))
    assert [heading.text for heading in found.headings] == ["Preise", "Orte"]
    assert "| Brot | 3.5 |" in found.text
    assert "NaN" not in found.text
    assert "| Köln |" in found.text


def test_chapters_of_a_book_follow_each_other(written: Write) -> None:
    """An e-book's chapters stand in the order in which they are read."""
    found = written("Buch.epub", epub(["<h1>Eins</h1><p>Erster Text.</p>", "<h1>Zwei</h1><p>Zweiter Text.</p>"]))
    assert [heading.text for heading in found.headings] == ["Eins", "Zwei"]
    assert found.text.endswith("# Eins\n\nErster Text.\n\n# Zwei\n\nZweiter Text.")


def test_a_web_page_without_what_is_for_the_browser(written: Write) -> None:
    """Scripts, styles, comments, addresses and tags go; words, headings and lists stay."""
    page = (
        "<html><head><style>p {}</style><script>let a = 1;</script></head><body><h2>Die Größe</h2><!-- weg -->"
        '<p>Siehe <a href="https://example.org/eine/lange/adresse">das Handbuch</a> <b>hier</b>.</p>'
        '<img src="data:image/png;base64,AAAA" alt="Skizze des Ablaufs"><img src="a.png" alt="a.png">'
        "<ul><li>eins</li><li>zwei</li></ul></body></html>"
    )
    found = written("Seite.html", page.encode())
    assert found.text == "## Die Größe\n\nSiehe das Handbuch **hier**.\n\nSkizze des Ablaufs\n\n* eins\n* zwei"
    assert found.headings[0].level == 2


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", ""),
        ("utf-8", '<meta charset="iso-8859-1">'),  # wrongly declared
        ("cp1252", '<meta charset="windows-1252">'),
        ("cp1252", '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">'),
        ("cp1252", ""),
        ("cp1252", '<meta charset="no-such-encoding">'),
        ("utf-16", ""),
        ("mac_roman", '<meta charset="macintosh">'),
        ("cp1251", '<meta charset="windows-1251">'),
    ],
)
def test_a_web_page_in_the_encoding_that_it_declares(written: Write, encoding: str, head: str) -> None:
    """The declared encoding holds where the bytes fit it, and else the one that fits."""
    words = "Привет, мир" if encoding == "cp1251" else "Größe „mal“ Übermut"
    page = f"<html><head>{head}</head><body><p>{words}</p></body></html>"
    assert written("Seite.htm", page.encode(encoding)).text == words


def test_a_deeply_nested_page_is_read(written: Write) -> None:
    """A page nested deeper than can be followed gives its words, without a warning."""
    page = "<html><body>" + "<div>" * 3000 + "Tief unten" + "</div>" * 3000
    assert written("Seite.html", page.encode()).text == "Tief unten"


def test_content_counts_more_than_the_name(written: Write) -> None:
    """A file of one format under another's name is read as what it is."""
    assert written("a.docx", pdf([column(["Ein Satz im Dokument."])])).text == "Ein Satz im Dokument."
    assert written("a.pdf", docx([("", "Ein Satz.")])).text == "Ein Satz."
    assert written("a.xlsx", docx([("", "Ein Satz.")])).text == "Ein Satz."
    assert written("a.docx", b"<!DOCTYPE html><html><body><p>Ein Satz.</p></body></html>").text == "Ein Satz."
    assert written("a.txt", pdf([column(["Ein Satz im Dokument."])])).text == "Ein Satz im Dokument."


def test_without_the_extra_the_error_says_what_to_install(written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that is not installed is named with the command that installs it."""
    monkeypatch.setitem(sys.modules, "markitdown", None)
    with pytest.raises(MissingExtraError, match=r"kontextwerk\[documents\]"):
        written("a.html", b"<html>Text</html>")
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtraError, match=r"kontextwerk\[documents\]"):
        written("a.pdf", pdf([column(["Text"])]))


def test_the_libraries_are_quiet(
    written: Write, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed, logged or warned about while a file with oddities is read; then the log is as it was."""
    logger = logging.getLogger("bs4")
    logger.setLevel(logging.INFO)
    written("a.epub", epub(["<h1>Gr\ufffd\xe4\xdfe</h1>" + "<div>" * 2000]))
    written("a.html", b"http://example.org/seite.html")
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []
    assert logger.level == logging.INFO
    logger.setLevel(logging.NOTSET)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", archive({"a.txt": "Text"}), "is an archive, no document"),
        ("a.epub", docx([("", "x")])[:200], "is damaged"),
        ("a.docx", docx([("", "x")]).replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff"), "is damaged"),
        ("a.docx", archive({"word/document.xml": "<w:document"}), r"cannot be read as \.docx"),
        ("a.pptx", archive({"ppt/presentation.xml": "<p/>"}), r"cannot be read as \.pptx"),
        ("a.xlsx", archive({"xl/workbook.xml": "<p/>"}), r"cannot be read as \.xlsx"),
        ("a.epub", archive({"META-INF/container.xml": "<p/>"}), r"cannot be read as \.epub"),
        ("a.docx", b"Nur Text.", r"is no \.docx file, or damaged"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "is in an Office format from before 2007"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "is encrypted"),
        ("a.docx", b"{\\rtf1 Text}", "is in Rich Text Format"),
        ("a.pdf", b"\x89PNG\r\n\x1a\n", "is an image"),
        ("a.docx", docx([("", " ")]), "has no text"),
        ("a.html", b"<html><body><script>1</script></body></html>", "has no text"),
    ],
)
def test_what_cannot_be_read_is_named(written: Write, name: str, data: bytes, reason: str) -> None:
    """Every failure is one error with the file, the reason and a mend, whatever the libraries raise."""
    with pytest.raises(DocumentError, match=reason) as caught:
        written(name, data)
    assert caught.value.thing.endswith(name)
    assert caught.value.mend


def test_an_encrypted_archive_is_named(written: Write) -> None:
    """An archive with a password is not handed to the readers."""
    data = bytearray(archive({"word/document.xml": "x"}))
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1  # the general purpose flag: encrypted
    with pytest.raises(DocumentError, match="is encrypted"):
        written("a.docx", bytes(data))


def test_an_archive_that_would_fill_the_memory_is_refused(written: Write) -> None:
    """An archive that unpacks to more than a document can have is not unpacked."""
    data = bytearray(archive({"word/document.xml": "x"}))
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = (0xF0000000).to_bytes(4, "little")  # the size that it says to unpack to
    with pytest.raises(DocumentError, match="unpacks to more than 1 GiB"):
        written("a.docx", bytes(data))
