"""A document's text into chunks: the pieces that are embedded, found and cited.

A chunk holds whole sentences of one section and says where it stands. Sections come from `sections`, the places to cut
from `breaks`; here the cuts are chosen so that the chunks of a section are of about equal length. It leaves out
overlap: neighbours are put together again when a context is made.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator

from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Chunk, Span
from kontextwerk.context.words import language_of
from kontextwerk.documents.breaks import Ground, blocks, cuts, forced
from kontextwerk.documents.model import Document
from kontextwerk.documents.sections import Section, sections

_TINY = 0.2  # of a chunk: a shorter section is joined with the next one, if both are no more than half a chunk
_SAMPLE = 1 << 16  # characters that decide about the language


def split(document: Document, *, document_id: str = "", max_chars: int = 1000) -> tuple[Chunk, ...]:
    r"""Cut a document into chunks, in order.

    Args:
        document: The document.
        document_id: What the chunks get as theirs.
        max_chars: The most characters of a chunk. A sentence that alone has more is cut between words.

    Returns:
        Chunks whose texts are exactly the stretches of the document's text at their spans, without white space at their
        ends. Together they hold every character that is no white space, each once.

    Raises:
        InputError: `max_chars` is less than 1.

    >>> from kontextwerk.documents import Heading
    >>> document = Document("a.md", "", "# Eins\n\nErster Satz. Zweiter Satz.", (Heading(0, 1, "Eins"),))
    >>> [(chunk.text, chunk.section) for chunk in split(document, max_chars=25)]
    [('# Eins\n\nErster Satz.', ('Eins',)), ('Zweiter Satz.', ('Eins',))]
    """
    if max_chars < 1:
        raise InputError("max_chars", f"is {max_chars}", "Pass at least 1")
    text = document.text
    headings = [heading.start for heading in document.headings]
    ground = Ground(text, language_of(text[:_SAMPLE]), blocks(text, max_chars), headings)
    return tuple(
        _chunk(document, document_id, section, span)
        for section in sections(document, math.ceil(_TINY * max_chars), max_chars // 2)
        for span in _pieces(ground, section, max_chars)
    )


def _chunk(document: Document, document_id: str, section: Section, span: Span) -> Chunk:
    pages = _pages(document, *span)
    return Chunk(
        text=document.text[slice(*span)],
        title=document.title,
        path=document.path,
        document_id=document_id,
        section=section.path,
        pages=pages,
        page_labels=_labels(document, pages),
        span=span,
    )


def _pieces(ground: Ground, section: Section, most: int) -> Iterator[Span]:
    """Yield the chunks' spans in a section."""
    text = ground.text
    start, end = _trimmed(text, section.start, section.end)
    while end - start > most:
        cut = _cut(ground, start, end, most)
        yield _trimmed(text, start, cut)
        start, _ = _trimmed(text, cut, end)
    if start < end:
        yield start, end


def _cut(ground: Ground, start: int, end: int, most: int) -> int:
    """Return the best place to cut: a good one in itself, and near to the length that makes the pieces equal."""
    equal = (end - start) / math.ceil((end - start) / most)
    places = cuts(ground, start, end, start + most)
    best = max(places, key=lambda place: place[1] - abs(place[0] - start - equal) / equal, default=None)
    return best[0] if best else forced(ground.text, start, start + most)


def _trimmed(text: str, start: int, end: int) -> Span:
    """Return the span without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _labels(document: Document, pages: Span | None) -> tuple[str, str] | None:
    """Return what the first and the last page are called on paper, where that is not their number."""
    if pages is None or not document.page_labels:
        return None
    return document.page_labels[pages[0] - 1], document.page_labels[pages[1] - 1]


def _pages(document: Document, start: int, end: int) -> Span | None:
    """Return the first and the last page on which a stretch stands, from 1."""
    if not document.pages:
        return None
    first, last = (bisect_right(document.pages, place, key=lambda page: page[0]) for place in (start, end - 1))
    return max(1, first), max(1, last)
