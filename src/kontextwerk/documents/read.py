"""A file into a document, whatever its format.

Order: is it there, what is it, and then the one reader for it. It leaves out the formats themselves: PDF is in `pdf`
and what follows it, office files and web pages in `office` and `markdown`, bytes in `encoding`.
"""

import csv
import stat
import unicodedata
from pathlib import Path
from typing import NamedTuple

from kontextwerk.context.errors import DocumentError
from kontextwerk.context.model import Span
from kontextwerk.documents import markdown, office, outline, paragraphs, pdf, running
from kontextwerk.documents.characters import clean
from kontextwerk.documents.encoding import decode
from kontextwerk.documents.hyphens import rejoined
from kontextwerk.documents.model import Document, Heading
from kontextwerk.documents.sniff import BY_SUFFIX, Kind, kind_of
from kontextwerk.documents.tables import table

SUFFIXES: frozenset[str] = frozenset(BY_SUFFIX)
"""The suffixes of the files that `read` takes, in small letters."""


class _Read(NamedTuple):
    """What the reader of a format found: see `Document`."""

    text: str
    headings: tuple[Heading, ...] = ()
    pages: tuple[Span, ...] = ()
    page_labels: tuple[str, ...] = ()


def read(path: Path, *, password: str = "") -> Document:
    """Read a file.

    Args:
        path: The file; its suffix is one of `SUFFIXES`, in any case. What it is counts more than what it is called.
        password: Opens an encrypted PDF.

    Raises:
        DocumentError: The file is missing, empty, damaged, encrypted, of another format, or has no text.
        MissingExtraError: The libraries for its format are not installed.
    """
    data = _data(path)
    kind = kind_of(data, path.suffix.lower(), str(path))
    found = _read(data, kind, str(path), password)
    if not found.text.strip():
        if kind == "pdf":
            raise DocumentError(str(path), "has no text layer", "Pass it through text recognition (OCR) first")
        raise DocumentError(str(path), "has no text", "Leave it out")
    title = unicodedata.normalize("NFC", path.name)
    return Document(title, str(path), *found)


def _data(path: Path) -> bytes:
    """Return the bytes of a file that is there, is a file, has a name that can be stored, and is not empty."""
    thing = str(path).encode("utf-8", "replace").decode()
    if thing != str(path):
        raise DocumentError(thing, "has a name that is no text", "Rename it")
    if path.suffix.lower() not in SUFFIXES and not path.is_dir():
        raise DocumentError(thing, "has an unknown format", f"Pass one of {', '.join(sorted(SUFFIXES))}")
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise DocumentError(thing, "is a folder", "Pass the files in it")
        if not stat.S_ISREG(mode):
            raise DocumentError(thing, "is no regular file", "Copy its content into a file")
        data = path.read_bytes()
    except FileNotFoundError as error:
        if path.is_symlink():
            raise DocumentError(
                thing, "is a link to a file that is gone", "Remove the link or bring the file back"
            ) from error
        raise DocumentError(thing, "does not exist", "Check the path") from error
    except PermissionError as error:
        raise DocumentError(thing, "may not be read", "Change its permissions") from error
    except (OSError, ValueError) as error:
        raise DocumentError(thing, f"cannot be read: {error}", "Copy it elsewhere and pass the copy") from error
    if not data:
        raise DocumentError(thing, "is empty", "Leave it out, or copy it again")
    return data


def _read(data: bytes, kind: Kind, path: str, password: str) -> _Read:
    if kind == "pdf":
        return _read_pdf(data, path, password)
    if kind == "pptx":
        text, pages = markdown.slides(office.to_markdown(data, kind, path))
        return _Read(text, markdown.headings(text), pages)
    if kind in {"docx", "xlsx", "epub", "html"}:
        text = markdown.plain(office.to_markdown(data, kind, path))
        return _Read(text, markdown.headings(text))
    text = _decoded(data, path)
    if kind == "csv":
        return _Read(_table(text))
    if kind == "text":
        return _Read(rejoined(clean(text)))
    text = markdown.plain(text)
    return _Read(text, markdown.headings(text))


def _read_pdf(data: bytes, path: str, password: str) -> _Read:
    found = pdf.contents(data, path, password)
    pages = running.without_running(found.pages)
    return _Read(*paragraphs.run_together(pages, outline.titles(pages, found.marks)), found.labels)


def _decoded(data: bytes, path: str) -> str:
    try:
        return decode(data)
    except UnicodeError as error:
        raise DocumentError(path, "is no text", "Check what is in it") from error


def _table(text: str) -> str:
    text = clean(text)
    try:
        return table(text)
    except csv.Error:
        return text
