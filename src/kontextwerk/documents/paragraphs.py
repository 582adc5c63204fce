"""The lines of a PDF's pages into running text.

Footnotes stay on their page, but make way for a paragraph that goes on in the next column or on the next page. It
leaves out what parts two lines (`joints`) and tables as such: a row is a line.
"""

from collections.abc import Iterator, Sequence

from kontextwerk.context.model import Span
from kontextwerk.documents.hyphens import link, words
from kontextwerk.documents.joints import DIVIDED, Placed, between, columns, full, usual_distance
from kontextwerk.documents.lines import Line, Pages, body_size
from kontextwerk.documents.model import Heading
from kontextwerk.documents.outline import Titles

_SMALL = 0.93  # times the text's size, below which the last lines of a column are footnotes


def run_together(pages: Pages, titles: Titles) -> tuple[str, tuple[Heading, ...], tuple[Span, ...]]:
    """Return the text of the lines, its headings, and start and end of each page in it."""
    placed = _placed(pages, titles)
    usual = usual_distance(placed)
    known = words("\n".join(item.line.text for item in placed))
    parts: list[str] = []
    headings: list[Heading] = []
    starts: dict[int, int] = {}
    length = 0
    before: Placed | None = None
    for item in _notes_aside(placed, usual):
        gap = between(before, item, usual) if before else ""
        if gap == DIVIDED:
            gap = link(parts[-1], item.line.text, known)
            parts[-1] = parts[-1][:-1]
            length -= 1
        length += len(gap)
        starts.setdefault(item.page, length)
        headings.extend(Heading(length, title.level, title.text) for title in titles.get((item.page, item.index), ()))
        parts.extend((gap, item.line.text))
        length += len(item.line.text)
        before = item
    return "".join(parts), tuple(headings), _spans(starts, len(pages), length)


def _placed(pages: Pages, titles: Titles) -> list[Placed]:
    small = _SMALL * body_size(line for lines in pages for line in lines)
    return [item for page, lines in enumerate(pages) for item in _on_page(lines, page, titles, small)]


def _on_page(lines: Sequence[Line], page: int, titles: Titles, small: float) -> Iterator[Placed]:
    reaching, notes = full(lines), _notes(lines, small)
    start, end = -1, 0
    for index, line in enumerate(lines):
        count = max((title.lines for title in titles.get((page, index), ())), default=0)
        if count:
            start, end = index, index + count
        yield Placed(line, page, index, reaching[index], start if index < end else -1, index in notes)


def _notes(lines: Sequence[Line], small: float) -> frozenset[int]:
    """Return which lines are footnotes: the small ones that end a column of larger ones."""
    notes: set[int] = set()
    for start, end in columns(lines):
        first = end
        while first > start and lines[first - 1].size < small:
            first -= 1
        if first > start:
            notes.update(range(first, end))
    return frozenset(notes)


def _notes_aside(placed: Sequence[Placed], usual: float) -> Iterator[Placed]:
    """Yield the lines in order, but footnotes before the paragraph that they would interrupt."""
    waiting: list[Placed] = []  # the paragraph that may go on
    notes: list[Placed] = []
    for item in placed:
        if item.note:
            notes.append(item)
            continue
        goes_on = bool(waiting) and between(waiting[-1], item, usual) in {" ", DIVIDED}
        if notes:
            yield from (*notes, *waiting) if goes_on and waiting[0].page == notes[0].page else (*waiting, *notes)
            waiting, notes = [], []
        elif not goes_on:
            yield from waiting
            waiting = []
        waiting.append(item)
    yield from (*waiting, *notes)


def _spans(starts: dict[int, int], count: int, length: int) -> tuple[Span, ...]:
    """Return the pages' spans, without gaps; a page without lines is empty and stands where the next one begins."""
    spans: list[Span] = []
    end = length
    for page in reversed(range(count)):
        start = starts.get(page, end)
        spans.append((start, end))
        end = start
    return tuple(reversed(spans))
