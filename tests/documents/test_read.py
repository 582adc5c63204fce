"""Files of plain text, and files that are none: names, links, folders, permissions."""

import os
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest

from kontextwerk.context.errors import DocumentError, KontextwerkError
from kontextwerk.documents import SUFFIXES, read


def test_the_suffixes_are_these() -> None:
    """The formats that can be read are named once, in small letters."""
    assert sorted(SUFFIXES) == [
        ".csv", ".docx", ".epub", ".htm", ".html", ".markdown", ".md", ".pdf", ".pptx", ".text", ".txt", ".xlsx",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["Notiz.txt", "Notiz.TXT", "Notiz.text"])
def test_plain_text(tmp_path: Path, name: str) -> None:
    """A text is read as it is: line ends and umlauts in one form, divided words joined, no headings, no pages."""
    path = tmp_path / name
    path.write_bytes("Die Gro\u0308ße\r\nim öffent-\r\nlichen Raum\r\n\r\n\r\n\r\n# kein Titel\r\n".encode())
    found = read(path)
    assert found.text == "Die Größe\nim öffentlichen\nRaum\n\n# kein Titel"
    assert (found.headings, found.pages) == ((), ())
    assert found.path == str(path)


def test_the_title_is_the_name_in_composed_characters(tmp_path: Path) -> None:
    """A file name with decomposed umlauts, as some systems write them, gives a title with composed ones."""
    path = tmp_path / unicodedata.normalize("NFD", "Präsenz.md")
    path.write_text("Text", encoding="utf-8")
    assert read(path).title == "Präsenz.md"


@pytest.mark.parametrize("name", ["a.md", "a.markdown"])
def test_markdown(tmp_path: Path, name: str) -> None:
    """Markdown gives its text without metadata, and its headings."""
    path = tmp_path / name
    path.write_text("---\ntitle: T\n---\n# Eins\n\nText mit [Verweis](http://a.b).\n", encoding="utf-8")
    found = read(path)
    assert found.text == "# Eins\n\nText mit Verweis."
    assert [heading.text for heading in found.headings] == ["Eins"]


def test_values_become_a_table(tmp_path: Path) -> None:
    """Comma-separated values become a table, in whatever encoding the spreadsheet wrote."""
    path = tmp_path / "a.csv"
    path.write_bytes("Ware;Größe\nBrot;3,5\n".encode("cp1252"))
    assert read(path).text == "| Ware | Größe |\n| --- | --- |\n| Brot | 3,5 |"


def test_values_too_large_for_a_table_stay_as_they_are(tmp_path: Path) -> None:
    """A field beyond the reader's limit leaves the text as it is."""
    path = tmp_path / "a.csv"
    path.write_text("a;b\n" + "x" * 200_000 + ";y\n", encoding="utf-8")
    assert read(path).text.startswith("a;b\nxxx")


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    """A link to a file is read as the file, under its own name."""
    (tmp_path / "a.txt").write_text("Text", encoding="utf-8")
    (tmp_path / "b.txt").symlink_to("a.txt")
    assert read(tmp_path / "b.txt").title == "b.txt"


def raised(path: Path) -> DocumentError:
    """Return the error that reading raises; it names the file and a mend."""
    with pytest.raises(DocumentError) as caught:
        read(path)
    assert caught.value.thing == str(path).encode("utf-8", "replace").decode()
    assert caught.value.mend
    assert isinstance(caught.value, KontextwerkError)
    return caught.value


def test_a_missing_file(tmp_path: Path) -> None:
    """A file that is not there is named."""
    assert raised(tmp_path / "a.txt").reason == "does not exist"


def test_a_dangling_link(tmp_path: Path) -> None:
    """A link whose file is gone is told apart from a missing file."""
    (tmp_path / "a.pdf").symlink_to("fort.pdf")
    assert raised(tmp_path / "a.pdf").reason == "is a link to a file that is gone"


def test_a_link_to_itself(tmp_path: Path) -> None:
    """A link that leads nowhere is an error of ours."""
    (tmp_path / "a.pdf").symlink_to("a.pdf")
    assert raised(tmp_path / "a.pdf").reason.startswith("cannot be read")


@pytest.mark.parametrize("name", ["Ordner", "Ordner.pdf"])
def test_a_folder(tmp_path: Path, name: str) -> None:
    """A folder is named as one, also under a file's name."""
    (tmp_path / name).mkdir()
    assert raised(tmp_path / name).reason == "is a folder"


def test_a_pipe(tmp_path: Path) -> None:
    """A pipe is not waited for."""
    os.mkfifo(tmp_path / "a.txt")
    assert raised(tmp_path / "a.txt").reason == "is no regular file"


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission to read is named."""

    def refuse(path: Path) -> bytes:  # permissions themselves do not stop an administrator
        raise PermissionError(13, "Permission denied", str(path))

    path = tmp_path / "a.txt"
    path.write_text("Text", encoding="utf-8")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert raised(path).reason == "may not be read"


@pytest.mark.parametrize("name", ["a.exe", "a", ".pdf", "a.docx.bak"])
def test_an_unknown_format(tmp_path: Path, name: str) -> None:
    """A suffix that is not ours is named, with those that are."""
    (tmp_path / name).write_text("Text", encoding="utf-8")
    error = raised(tmp_path / name)
    assert error.reason == "has an unknown format"
    assert ".docx" in error.mend


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    """A file name in another encoding than the system's could not be stored."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/Gr\xf6\xdfe.txt"))
    path.write_text("Text", encoding="utf-8")
    assert raised(path).reason == "has a name that is no text"


def test_a_name_with_a_null(tmp_path: Path) -> None:
    """A path that no system can open is an error of ours."""
    assert raised(tmp_path / "a\0.txt").reason.startswith("cannot be read")


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_an_empty_file(tmp_path: Path, suffix: str) -> None:
    """A file of no bytes is empty, in each format."""
    path = tmp_path / f"a{suffix}"
    path.touch()
    assert raised(path).reason == "is empty"


@pytest.mark.parametrize("data", [b" \n\t\n", "\u00a0\u200b\n".encode(), b"\xef\xbb\xbf", b"\0\0\n"])
def test_a_file_of_white_space(tmp_path: Path, data: bytes) -> None:
    """White space, zero-width characters and marks are no text."""
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert raised(path).reason in {"has no text", "is no text"}


@pytest.mark.parametrize("suffix", [".txt", ".md", ".csv"])
def test_a_file_of_no_text(tmp_path: Path, suffix: str) -> None:
    """Bytes that are no text in any encoding are named."""
    path = tmp_path / f"a{suffix}"
    path.write_bytes(bytes(range(256)) * 8)
    assert raised(path).reason == "is no text"


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
@pytest.mark.parametrize(
    "data", [b"\xff" * 300, b"PK\x03\x04" + b"\0" * 300, b"%PDF-1.7 x", b"<html", b"\xff\xfe\0\0\xff"]
)
def test_rubbish_of_any_kind_under_any_name(tmp_path: Path, suffix: str, data: bytes) -> None:
    """Whatever is in a file: it gives a document or our error."""
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)
    with suppress(DocumentError):
        assert read(path).text
