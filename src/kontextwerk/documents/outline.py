"""Where the headings of a PDF stand: by its bookmarks, or without any by the size of the type.

It leaves out headings that are set in the size of the text: bold type alone is too often mere emphasis.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from kontextwerk.documents.lines import Line, Mark, Pages, body_size, is_below, same_row, same_size

_LARGER = 1.08  # times the text's size, from which a line may be a heading
_MOST_LINES = 3
_MOST_CHARACTERS = 120
_MOST_SHARE = 0.2  # of all characters: with more in large type, size tells nothing
_LEAST_FOUND = 0.5  # of the bookmarks: with fewer on their pages, they are those of another file
_NUMBERING = 8  # characters of a number before a heading that its bookmark may lack


@dataclass(frozen=True, slots=True)
class Title:
    """A heading on a page.

    Attributes:
        level: 1 for the outermost.
        text: Its wording on one line.
        lines: How many lines it takes; 0 where it was not found, and the section begins at the line.
    """

    level: int
    text: str
    lines: int


_Placed: TypeAlias = tuple[tuple[int, int], Title]
"""A page and a line, both from 0, and the heading there."""

Titles: TypeAlias = Mapping[tuple[int, int], Sequence[Title]]
"""The headings at a page and a line, both from 0."""


def titles(pages: Pages, marks: Sequence[Mark]) -> Titles:
    """Return the headings of a document, by page and line."""
    found: dict[tuple[int, int], list[Title]] = {}
    for place, title in _marked(pages, marks) or _large(pages):
        found.setdefault(place, []).append(title)
    return found


def _marked(pages: Pages, marks: Sequence[Mark]) -> list[_Placed]:
    """Return the headings of the bookmarks: of all, or where few of their words are on their pages, of those alone."""
    placed: list[_Placed] = []
    for mark in marks:
        if mark.page < len(pages) and pages[mark.page] and mark.title.strip():
            index, lines = _place(pages[mark.page], mark)
            placed.append(((mark.page, index), Title(mark.level, " ".join(mark.title.split()), lines)))
    found = [(place, title) for place, title in placed if title.lines]
    return placed if len(found) >= _LEAST_FOUND * len(placed) else found


def _place(lines: Sequence[Line], mark: Mark) -> tuple[int, int]:
    """Return the line at which a bookmark's heading begins, and how many lines it takes."""
    wanted = _folded(mark.title)
    found = [
        (index, count) for index in range(len(lines)) if (count := _length(lines[index : index + _MOST_LINES], wanted))
    ]
    top = mark.top
    if found:
        return found[0] if top is None else min(found, key=lambda place: abs(lines[place[0]].top - top))
    if top is None:
        return 0, 0
    return next((index for index, line in enumerate(lines) if line.bottom < top), 0), 0


def _length(lines: Sequence[Line], wanted: str) -> int:
    """Return how many of a few lines, from the first, make up the heading; or 0."""
    folded = ""
    for count, line in enumerate(lines, 1):
        if not same_size(line, lines[0]):  # the last short line of the text above is no numbering
            return 0
        folded += _folded(line.text)
        if wanted and folded.endswith(wanted) and len(folded) - len(wanted) <= _NUMBERING:
            return count
        if len(folded) > len(wanted) + _NUMBERING:
            return 0
    return 0


def _folded(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKD", text).casefold() if character.isalnum())


def _large(pages: Pages) -> list[_Placed]:
    """Return the headings that stand out by their size."""
    body = body_size(line for lines in pages for line in lines)
    groups = [
        (page, start, tuple(lines[start:end]))
        for page, lines in enumerate(pages)
        for start, end in _groups(lines, body * _LARGER)
        if _is_heading(lines, start, end)
    ]
    total = sum(len(line.text) for lines in pages for line in lines)
    if sum(len(line.text) for *_, group in groups for line in group) > total * _MOST_SHARE:
        return []
    sizes = sorted({round(group[0].size) for *_, group in groups}, reverse=True)
    return [
        (
            (page, start),
            Title(sizes.index(round(group[0].size)) + 1, " ".join(line.text for line in group), len(group)),
        )
        for page, start, group in groups
    ]


def _groups(lines: Sequence[Line], least: float) -> Iterator[tuple[int, int]]:
    """Yield start and end of the stretches of lines in one large size that stand close below each other."""
    start = 0
    for index in range(1, len(lines) + 1):
        if index < len(lines) and _goes_on(lines[index], lines[index - 1]):
            continue
        if lines[start].size >= least:
            yield start, index
        start = index


def _goes_on(line: Line, before: Line) -> bool:
    return same_size(line, before) and is_below(line, before) and before.bottom - line.bottom < 1.8 * line.size


def _is_heading(lines: Sequence[Line], start: int, end: int) -> bool:
    """Say whether large lines read as a heading, with smaller type below."""
    text = " ".join(line.text for line in lines[start:end])
    return (
        end - start <= _MOST_LINES
        and len(text) <= _MOST_CHARACTERS
        and any(character.isalpha() for character in text)
        and not text[0].islower()
        and not text.startswith((",", ".", ";", ")"))
        and not text.endswith((".", ",", ";"))
        and end < len(lines)
        and not same_size(lines[end], lines[start])
        and not any(same_row(one, other) for one, other in pairwise(lines[max(0, start - 1) : end + 1]))
    )
