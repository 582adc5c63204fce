"""Where a text may be cut, and how well a cut would do there.

Best between paragraphs, then between list items and table rows, then between sentences; hardly behind a heading or
another line that announces what follows, and hardly within a list or a table that would fit as a whole. It leaves out
which cut is taken: see `split`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from kontextwerk.context.model import Language, Span
from kontextwerk.context.sentences import sentences

_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦▪–—][ \t]|\(?\d{1,3}[.)][ \t]|\(?[a-zA-Z][.)][ \t]|\|)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_GAP = re.compile(r"\n\s*")
_CLOSED = (".", "…", ";", ",", "|")
_SHORT = 60  # characters: a shorter paragraph without a full stop announces what follows
_LOOK = 8  # characters behind the last place at which a gap may go on
_GRAPHEME = regex.compile(r"\X")

# How good a cut is, on a scale on which the wrong length costs up to 1.
_PARAGRAPH, _ROW, _SENTENCE = 0.6, 0.5, 0.2
_ANNOUNCED = -0.3  # behind a line that announces what follows
_INSIDE = -0.5  # within a block that would fit as a whole
_HEADING = -2.0  # behind a heading
_SHORT_LINE = -0.8  # behind a short line before one that begins large: perhaps an address or a verse
_LINE = -3.0  # at the end of another line, which is merely wrapped


@dataclass(frozen=True, slots=True)
class Ground:
    """A text, and what in it is better kept together.

    Attributes:
        text: The text.
        language: Whose sentences it holds.
        blocks: Start and end of each list, table and code block that would fit into a chunk.
        headings: Where headings begin.
    """

    text: str
    language: Language
    blocks: Sequence[Span]
    headings: Sequence[int]


def blocks(text: str, most: int) -> tuple[Span, ...]:
    """Return start and end of each list, table and code block of no more than so many characters."""
    return tuple((start, end) for start, end in _blocks(text) if end - start <= most)


def _blocks(text: str) -> Iterator[Span]:
    start, fenced, position = -1, False, 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line) is not None
        inside = (
            fenced
            or fence
            or _ITEM.match(line) is not None
            or (start >= 0 and line[:1] in " \t" and bool(line.strip()))
        )
        if inside and start < 0:
            start = position
        if (not inside or (fence and fenced)) and start >= 0:
            yield start, position + len(line) if inside else position
            start = -1
        fenced = fenced != fence
        position += len(line)
    if start >= 0:
        yield start, position


def cuts(ground: Ground, start: int, end: int, limit: int) -> Iterator[tuple[int, float]]:
    """Yield places after `start` and up to `limit` at which the text can be cut, and how good each is.

    Args:
        ground: The text.
        start: Where the piece begins.
        end: Where the text ends that may be looked at.
        limit: The last place.
    """
    text = ground.text
    for gap in _GAP.finditer(text, start, min(end, limit + _LOOK)):
        if start < gap.start() <= limit and gap.end() < end:
            yield gap.start(), _worth(ground, start, gap)
    ahead = text[start : min(end, limit + (limit - start) // 4 + 1)]
    for _, sentence_end in sentences(ahead, ground.language):
        place = start + sentence_end
        if start < place <= limit and place < end:
            yield place, _INSIDE if _inside(ground, place) else _SENTENCE


def _worth(ground: Ground, start: int, gap: re.Match[str]) -> float:
    """Return how good a cut is at the end of a line."""
    text, place = ground.text, gap.start()
    heading = bisect_right(ground.headings, place) - 1
    if heading >= 0 and text.find("\n", ground.headings[heading], place + 1) == place:
        return _HEADING
    if _inside(ground, place):
        return _INSIDE
    line_start = text.rfind("\n", start, place) + 1 or start
    line = text[line_start:place].strip()
    is_paragraph = "\n" in gap[0][1:]
    if not is_paragraph and _ITEM.match(text, gap.end()) is None:
        return _SHORT_LINE if len(line) < _SHORT and text[gap.end()].isupper() else _LINE
    is_alone = line_start == start or text[line_start - 2 : line_start - 1] == "\n"
    if len(line) < _SHORT and is_alone and not line.endswith(_CLOSED) and _ITEM.match(line) is None:
        return _ANNOUNCED
    return _PARAGRAPH if is_paragraph else _ROW


def _inside(ground: Ground, place: int) -> bool:
    """Say whether a place lies within a block that would fit as a whole."""
    index = bisect_right(ground.blocks, (place, len(ground.text) + 1)) - 1
    return index >= 0 and ground.blocks[index][0] < place < ground.blocks[index][1] - 1


def forced(text: str, start: int, limit: int) -> int:
    """Return the last place up to `limit` between two words, or else between two graphemes, or else `limit` itself."""
    stretch = text[start : limit + 1]
    blank = next((place for place in range(len(stretch) - 1, 0, -1) if stretch[place].isspace()), 0)
    if blank:
        return start + blank
    # The last grapheme may go on behind the stretch: the cut is where it begins.
    last = max((match.start() for match in _GRAPHEME.finditer(stretch)), default=0)
    return start + last if last else limit
