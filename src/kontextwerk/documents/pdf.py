"""A PDF into pages of lines, the labels of its pages and the bookmarks of its outline, with PDFium.

It leaves out what the lines mean: running heads, headings and paragraphs are found in `running`, `outline` and
`paragraphs`. PDFium is not thread-safe: see `quiet`.
"""

import logging
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from kontextwerk.context.errors import DocumentError, MissingExtraError
from kontextwerk.context.labels import one_line
from kontextwerk.documents import glyphs
from kontextwerk.documents.characters import clean
from kontextwerk.documents.lines import Line, Mark
from kontextwerk.documents.quiet import quietly
from kontextwerk.documents.salvage import is_legible, with_catalog

_PDFium: TypeAlias = Any
"""The module, or an object of it: it has no types."""

_LOG = logging.getLogger(__name__)
_MEND = "Open it in a viewer and save it again, or get another copy"
_LABEL_CHARS = 20  # a longer label is no page number
_MOST_MARKS = 10_000  # a damaged outline may repeat itself
_PASSWORD, _SECURITY = 4, 5  # FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of PDFium's fpdfview.h
_AT_LEFT_TOP, _AT_TOP = 1, (3, 7)  # PDFDEST_VIEW_XYZ; PDFDEST_VIEW_FITH and PDFDEST_VIEW_FITBH of fpdf_doc.h


class Contents(NamedTuple):
    """What a PDF holds.

    Attributes:
        pages: The lines of each page, in PDFium's reading order.
        marks: The bookmarks.
        labels: What each page is called on paper, such as "iv"; empty where that is the number of the page.
    """

    pages: tuple[tuple[Line, ...], ...]
    marks: tuple[Mark, ...] = ()
    labels: tuple[str, ...] = ()


def contents(data: bytes, path: str, password: str) -> Contents:
    """Return the lines of each page, the bookmarks and the pages' labels.

    Raises:
        DocumentError: The file is encrypted, or too damaged to find a page in it.
        MissingExtraError: PDFium is not installed.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingExtraError("pypdfium2", "documents") from error
    with quietly():
        document = _opened(pypdfium2, data, path, password)
        repaired = None if document else with_catalog(data)
        if repaired:
            document = _opened(pypdfium2, repaired, path, password)
        if document is None:
            raise DocumentError(path, "is no PDF, or damaged", _MEND)
        try:
            pages = tuple(_page(pypdfium2, document, number, path) for number in range(len(document)))
            if repaired:
                return Contents(_legible(pages, path))
            return Contents(pages, tuple(_marks(document)), _labels(document))
        finally:
            document.close()


def _legible(pages: Sequence[Sequence[Line]], path: str) -> tuple[tuple[Line, ...], ...]:
    """Return the pages of a repaired document, those empty that have lost their fonts."""
    legible = tuple(tuple(page) if is_legible("".join(line.text for line in page)) else () for page in pages)
    found = sum(1 for page in legible if page)
    if not found:
        raise DocumentError(path, "is damaged, and no text can be found in it", _MEND)
    _LOG.warning("%s is damaged: text was found on %d pages", path, found)
    return legible


def _opened(pypdfium2: _PDFium, data: bytes, path: str, password: str) -> _PDFium | None:
    """Open a document; None where it is damaged."""
    try:
        return pypdfium2.PdfDocument(data, password=password or None)
    except pypdfium2.PdfiumError as error:
        if error.err_code in {_PASSWORD, _SECURITY}:
            raise _locked(path, error.err_code, password) from error
        return None
    except UnicodeError as error:
        raise _locked(path, _PASSWORD, password) from error


def _locked(path: str, code: int, password: str) -> DocumentError:
    if code == _SECURITY:
        return DocumentError(path, "is encrypted in a way that PDFium does not know", "Save it without encryption")
    if password:
        return DocumentError(path, "does not open with this password", "Pass the right password")
    return DocumentError(path, "is encrypted", "Pass its password, or save it without one")


def _page(pypdfium2: _PDFium, document: _PDFium, number: int, path: str) -> tuple[Line, ...]:
    """Return the lines of a page; none, and a warning in the log, where the page is damaged."""
    try:
        page = document[number]
        textpage = page.get_textpage()
    except pypdfium2.PdfiumError as error:
        _LOG.warning("%s: page %d cannot be read: %s", path, number + 1, error)
        return ()
    lines = tuple(glyphs.lines(textpage, page.get_rotation()))
    textpage.close()
    page.close()
    return lines


def _labels(document: _PDFium) -> tuple[str, ...]:
    """Return what each page is called on paper; nothing where that says no more than its number, or is damaged."""
    try:
        labels = tuple(
            one_line(clean(document.get_page_label(number)), _LABEL_CHARS) for number in range(len(document))
        )
    except (UnicodeError, ValueError):
        return ()
    plain = all(label in {"", str(number)} for number, label in enumerate(labels, 1))
    return () if plain else tuple(label or str(number) for number, label in enumerate(labels, 1))


def _marks(document: _PDFium) -> Iterator[Mark]:
    for bookmark in islice(document.get_toc(), _MOST_MARKS):
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        if page is not None:
            yield Mark(bookmark.level + 1, _title(bookmark), page, _top(*target.get_view()))


def _title(bookmark: _PDFium) -> str:
    """Return a bookmark's words; none where they are damaged."""
    try:
        return clean(bookmark.get_title())
    except UnicodeError:
        return ""


def _top(view: int, places: list[float]) -> float | None:
    """Return how high on its page a bookmark points, where it says so."""
    if view == _AT_LEFT_TOP and len(places) > 1:
        return places[1]
    return places[0] if view in _AT_TOP and places else None
