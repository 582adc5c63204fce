"""What a page of a PDF holds: lines of text and where they stand, and the bookmarks that point at them.

It leaves out where they come from (`pdf`) and what becomes of them (`running`, `outline`, `paragraphs`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page as it stands on paper.

    Attributes:
        text: Its wording, without white space at its ends. A word divided at its end has a hyphen there.
        size: The size of its type, in points.
        left: Where its box begins and ends: points from the page's left and lower edge, as the page is read.
        right: See `left`.
        bottom: See `left`.
        top: See `left`.
        cells: How many stretches of it stand far apart: a row of a table has several.
    """

    text: str
    size: float
    left: float
    right: float
    bottom: float
    top: float
    cells: int = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """A bookmark of the outline.

    Attributes:
        level: 1 for the outermost.
        title: Its wording.
        page: The page that it points at, from 0.
        top: How high on that page, in points from the lower edge; None for the page as a whole.
    """

    level: int
    title: str
    page: int
    top: float | None


Pages: TypeAlias = Sequence[Sequence[Line]]
"""The lines of each page, in reading order."""


def body_size(lines: Iterable[Line]) -> float:
    """Return the size in which most characters are set, or 0 where there are none."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size * 2) / 2] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def same_size(one: Line, other: Line) -> bool:
    """Say whether two lines are set in about the same size."""
    return abs(one.size - other.size) <= 0.07 * max(one.size, other.size)


def same_row(one: Line, other: Line) -> bool:
    """Say whether two lines stand beside each other: most of the lower one's height lies within the other's."""
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared > 0.5 * min(one.top - one.bottom, other.top - other.bottom)


def is_below(line: Line, other: Line) -> bool:
    """Say whether the line stands below the other, in the same column."""
    return line.bottom < other.bottom and min(line.right, other.right) > max(line.left, other.left)
