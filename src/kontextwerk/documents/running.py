"""Running heads, footers and page numbers, which would interrupt the text at every page.

Conservative: a line goes only from the edge of a page, and only when it stands so on most pages; a line of few letters
only when its numbers are alike or count with the pages. It leaves out documents of fewer than three pages.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from kontextwerk.documents.lines import Line, Pages

_SHARE = 0.6  # of all pages, or of the left or the right ones
_LEAST = 3  # pages
_DEPTH = 4  # lines at an edge that may be running heads,
_MARGIN = 0.1  # and of the height that all text takes, how much is edge
_LETTERS = 12  # in a line that repeats, from which its numbers may differ: such a line is no row of a table
_NUMBER = re.compile(r"\d{1,9}")

_Seen: TypeAlias = tuple[int, tuple[int, ...]]
"""A page from 0, and the numbers in one of its lines."""
_Rule: TypeAlias = tuple[tuple[bool, int], ...]
"""For each number of a running head: whether it counts with the pages, and its value (on page 0). Empty: any number."""


def without_running(pages: Pages) -> tuple[tuple[Line, ...], ...]:
    """Return the pages without the lines at their edges that repeat from page to page."""
    edges = tuple(_edges(pages))
    seen: dict[str, dict[_Seen, None]] = {}
    for page, (upper, lower) in enumerate(edges):
        for line in (*upper, *lower):
            seen.setdefault(_words(line), {})[page, _numbers(line)] = None
    rules: dict[str, _Rule] = {}
    for words, found in seen.items():
        many_letters = sum(character.isalpha() for character in words) >= _LETTERS
        rule = _rule(list(found), len(pages), many_letters=many_letters)
        if rule is not None:
            rules[words] = rule
    gone = [{*_running(upper, page, rules), *_running(lower, page, rules)} for page, (upper, lower) in enumerate(edges)]
    return tuple(
        tuple(line for line in lines if line not in running) for lines, running in zip(pages, gone, strict=True)
    )


def _edges(pages: Pages) -> Iterator[tuple[list[Line], list[Line]]]:
    """Yield the lines at the upper and at the lower edge of each page, the outermost first."""
    filled = [lines for lines in pages if lines]
    if not filled:
        yield from (([], []) for _ in pages)
        return
    # The usual edges, not the outermost: a damaged page may have text far outside.
    top = median(max(line.top for line in lines) for lines in filled)
    bottom = median(min(line.bottom for line in lines) for lines in filled)
    margin = _MARGIN * (top - bottom)
    for lines in pages:
        ordered = sorted(lines, key=lambda line: (-line.top, line.left))
        upper = [line for line in ordered[:_DEPTH] if line.top >= top - margin]
        lower = [line for line in ordered[: -_DEPTH - 1 : -1] if line.bottom <= bottom + margin]
        yield upper, lower


def _rule(found: Sequence[_Seen], count: int, *, many_letters: bool) -> _Rule | None:
    """Return what the numbers of lines with equal words have in common, if they stand on enough pages."""
    columns = () if many_letters else zip(*(numbers for _, numbers in found), strict=True)
    pages = [page for page, _ in found]
    rule = tuple(_commonest(pages, column) for column in columns)
    fitting = {page for page, numbers in found if _fits(rule, page, numbers)}
    right = sum(page % 2 == 0 for page in fitting)
    for standing, possible in ((len(fitting), count), (right, (count + 1) // 2), (len(fitting) - right, count // 2)):
        if standing >= max(_LEAST, _SHARE * possible):
            return rule
    return None


def _commonest(pages: Sequence[int], numbers: Sequence[int]) -> tuple[bool, int]:
    fixed = Counter(numbers).most_common(1)[0]
    counting = Counter(number - page for page, number in zip(pages, numbers, strict=True)).most_common(1)[0]
    return (True, counting[0]) if counting[1] > fixed[1] else (False, fixed[0])


def _fits(rule: _Rule, page: int, numbers: Sequence[int]) -> bool:
    return all(number - page * counts == value for number, (counts, value) in zip(numbers, rule, strict=False))


def _running(edge: Sequence[Line], page: int, rules: Mapping[str, _Rule]) -> Iterator[Line]:
    """Yield the running lines of an edge, up to the first line that is none."""
    for line in edge:
        rule = rules.get(_words(line))
        if rule is None or not _fits(rule, page, _numbers(line)):
            return
        yield line


def _words(line: Line) -> str:
    """Return a line's words, with a mark that no text holds for each number."""
    return _NUMBER.sub("\0", " ".join(line.text.casefold().split()))


def _numbers(line: Line) -> tuple[int, ...]:
    return tuple(int(number) for number in _NUMBER.findall(line.text))
