"""What stands between two lines of a PDF: nothing, a blank, a line break or a blank line.

What is sure is written so: a blank where a line was merely wrapped, a blank line where a paragraph ends. What is not
keeps its line break. It leaves out words divided by a hyphen (`hyphens`) and lines that are not neighbours.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kontextwerk.context.model import Span
from kontextwerk.documents.hyphens import is_divided
from kontextwerk.documents.lines import Line, is_below, same_row, same_size

DIVIDED = "-"
"""What `between` returns where both lines share a word, divided by a hyphen."""

# A list item, a numbered paragraph, a section of a law, a footnote behind its raised number.
_ITEM = re.compile(
    r"(?:[-*+•‣◦▪●○–—]|\d{1,3}[.)]|\(\d{1,3}[a-z]?\)|[a-zA-Z][.)]|\([a-zA-Z]\)|§+|Art\.|Artikel|Abs\.|[⁰¹²³⁴-⁹]{1,3})\s"
    r"|\d{1,3}(?=[A-ZÄÖÜ][a-zäöüß])"
)
_ENTRY = re.compile(r" … \S+$")  # of a table of contents, its dots made one sign
_SENTENCE_END = (".", "!", "?", ":", ";", "…", "”", "“", "»", "«", "‹", "›", "‘", '"', ")")
_LOOSE = 1.2  # times the usual distance of two lines, from which a paragraph ends
_NARROW = 30  # characters: in a shorter line, reaching the edge may be chance
_USUAL = 1.2  # distance of lines in sizes of type where a document shows none: what typesetters take unasked


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of a document, and what the lines around it say about it.

    Attributes:
        line: The line.
        page: Its page, from 0.
        index: Its place on the page, from 0.
        full: It reaches its column's edge: the first word of the next line would not have fitted.
        title: Where on its page the heading begins that it belongs to; -1 for text.
        note: It is part of the footnotes of its column.
    """

    line: Line
    page: int
    index: int
    full: bool
    title: int
    note: bool


def columns(lines: Sequence[Line]) -> Iterator[Span]:
    """Yield start and end of the stretches of lines that go down without a jump up or aside."""
    start = 0
    for index in range(1, len(lines)):
        if not is_below(lines[index], lines[index - 1]) and not same_row(lines[index], lines[index - 1]):
            yield start, index
            start = index
    if lines:
        yield start, len(lines)


def full(lines: Sequence[Line]) -> list[bool]:
    """Say of each line of a page whether it reaches the right edge of its column."""
    result: list[bool] = []
    for start, end in columns(lines):
        by_size: dict[int, list[float]] = {}
        for line in lines[start:end]:
            by_size.setdefault(round(line.size), []).append(line.right)
        edges = {size: _edge(rights) for size, rights in by_size.items()}
        result.extend(
            edges[round(line.size)] - line.right < _first_word(lines[min(index + 1, len(lines) - 1)])
            for index, line in enumerate(lines[start:end], start)
        )
    return result


def _edge(rights: Sequence[float]) -> float:
    """Return where most lines end, or else where the longest does."""
    place, count = Counter(round(right / 3) for right in rights).most_common(1)[0]
    return place * 3 if count >= max(3, 0.4 * len(rights)) else max(rights)


def _first_word(line: Line) -> float:
    """Return the width of a line's first word and a blank, in points."""
    return (line.right - line.left) / len(line.text) * (len(line.text.split(maxsplit=1)[0]) + 1)


def usual_distance(placed: Sequence[Placed]) -> float:
    """Return the distance of wrapped lines, in sizes of type."""
    counts = Counter(
        round(_distance(one.line, other.line) * 20) / 20
        for one, other in pairwise(placed)
        if one.page == other.page and one.full and same_size(one.line, other.line) and is_below(other.line, one.line)
    )
    return max(_USUAL / 2, counts.most_common(1)[0][0]) if counts else _USUAL


def _distance(line: Line, below: Line) -> float:
    return (line.bottom - below.bottom) / max(line.size, 0.1)


def between(before: Placed, item: Placed, usual: float) -> str:
    """Return what stands between a line and the next one, or `DIVIDED`.

    Args:
        before: The line before.
        item: The line.
        usual: The distance of wrapped lines; see `usual_distance`.
    """
    one, other = before.line, item.line
    same_page = before.page == item.page
    if same_page and same_row(one, other):
        return _beside(one, other)
    if before.title != item.title or (item.title >= 0 and not same_page) or not same_size(one, other):
        return "\n\n"
    if is_divided(one.text) and other.text[0].isalnum():
        return DIVIDED
    if item.title >= 0:
        return " "
    if same_page and is_below(other, one):
        return _beneath(before, item, loose=_distance(one, other) > usual * _LOOSE)
    goes_on = not _ends(one) and not _is_item(other) and (before.full or other.text[0].islower())
    return " " if goes_on else "\n\n"


def _beside(one: Line, other: Line) -> str:
    """Return what stands between two lines of one row."""
    space = other.left - one.right
    if space > one.size:
        return "\n"
    return " " if space > 0.1 * one.size or unicodedata.combining(other.text[0]) else ""


def _beneath(before: Placed, item: Placed, *, loose: bool) -> str:
    """Return what stands between a line and the next one below it, in the same size."""
    one, other = before.line, item.line
    entries = _ENTRY.search(one.text) or _ENTRY.search(other.text)
    if (one.cells > 1 and other.cells > 1) or (entries and not loose):
        return "\n"
    outdented = _is_item(one) and not _is_item(other) and other.left < one.left - 0.5 * one.size and not before.full
    if loose or outdented:
        return "\n\n" if before.full or item.full or outdented or entries or _ends(one) else "\n"
    if _is_item(other) and not _may_wrap(before, item):
        return "\n"
    starts_small = other.text[0].islower()
    if before.full and (starts_small or len(one.text) >= _NARROW):
        indented = other.left > one.left + 0.7 * one.size and not _is_item(one)
        return "\n\n" if indented and _ends(one) and not starts_small else " "
    if starts_small and not _ends(one):
        return " "
    return "\n\n" if _ends(one) else "\n"


def _may_wrap(before: Placed, item: Placed) -> bool:
    """Say whether what looks like an item's mark may be the wrapped text's own: a dash, or "12. Mai"."""
    aside = abs(item.line.left - before.line.left) > 0.5 * before.line.size
    return before.full and not aside and not _ends(before.line) and not _is_item(before.line)


def _ends(line: Line) -> bool:
    return line.text.endswith(_SENTENCE_END)


def _is_item(line: Line) -> bool:
    return _ITEM.match(line.text) is not None
