"""The citations of an answer, in the forms that models really write, found while the answer streams in.

    [Quelle 1] [Quelle 1, 3] [Quellen 1 und 2] (Source 2) [Quelle 2, S. 14] [1] [1–3] [^1] 【1†…】

`Reader` takes an answer piece by piece and gives the same whatever the pieces are; `find` reads a whole one. Years,
code and other brackets stay text, and no character is lost. It leaves out whether a source supports what cites it: see
`checking`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import regex

from kontextwerk.context.labels import LABELS
from kontextwerk.context.model import Span

HELD = 240
"""The most characters that are held back until it is clear what they are: as long as a header with a long title."""
LONGEST_RANGE = 50
"""The most numbers that a range stands for; of a longer one only its ends are meant."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in an answer that names sources.

    Attributes:
        text: The mark as it was written, with its brackets.
        span: Where it stands in the answer, in characters.
        numbers: The numbers that it names, in its order, each once.
    """

    text: str
    span: Span
    numbers: tuple[int, ...]

    def known(self, sources: Collection[int]) -> tuple[int, ...]:
        """Return the numbers that are those of sources."""
        return tuple(number for number in self.numbers if number in sources)

    def unknown(self, sources: Collection[int]) -> tuple[int, ...]:
        """Return the numbers that no source has."""
        return tuple(number for number in self.numbers if number not in sources)


Part: TypeAlias = str | Citation
"""A stretch of plain text, or a citation."""


def find(answer: str, label: str = "") -> tuple[Citation, ...]:
    """Return the citations of a whole answer, in order.

    Args:
        answer: What the model wrote.
        label: What heads a source in its context, where that is none of our languages' words.

    >>> [citation.numbers for citation in find("Das gilt seit 2019 [1], siehe [Quellen 2 und 3] und [2023].")]
    [(1,), (2, 3)]
    """
    return tuple(part for part in parts(answer, label) if isinstance(part, Citation))


def parts(answer: str, label: str = "") -> list[Part]:
    """Return a whole answer as text and citations; joined, they are the answer."""
    reader = Reader(label)
    return _joined([*reader.feed(answer), *reader.end()])


class Reader:
    """Finds citations in an answer that arrives in pieces; it holds back at most `HELD` characters.

    Args:
        label: What heads a source in the context, where that is none of our languages' words.
    """

    def __init__(self, label: str = "") -> None:
        self._pattern, self._further = _patterns(label)
        self._held = ""
        self._read = 0  # characters of the answer that were given back
        self._fence = ""  # the run that opened the code block in which we are
        self._line = ""  # how the line in hand begins

    def feed(self, piece: str) -> list[Part]:
        """Take the answer's next piece; return what is clear by now."""
        self._held += piece
        return list(self._parts(final=False))

    def end(self) -> list[Part]:
        """Return what was held back: nothing more will come."""
        return list(self._parts(final=True))

    def _parts(self, *, final: bool) -> Iterator[Part]:
        while self._held:
            step = self._step(final=final)
            if step is None:
                return
            part, length = step
            text, self._held = self._held[:length], self._held[length:]
            self._read += length
            _, line_break, line = text.rpartition("\n")
            self._line = (line if line_break else self._line + line)[:_LINE_CHARS]
            yield text if part is None else part

    def _step(self, *, final: bool) -> tuple[Citation | None, int] | None:
        """Return what the held text begins with and its length; None where more must come before that is clear.

        What is decided depends on the first `HELD` characters alone, so that it is the same however they came.
        """
        held, window = self._held, self._held[: HELD + 1]
        is_clear = final or len(held) > HELD
        if self._fence:
            return self._in_fence(window, is_clear=is_clear)
        if plain := _PLAIN.match(held):
            return None, plain.end()
        if held[0] in "`~":
            return self._code(window, is_clear=is_clear)
        mark = self._pattern.fullmatch(window, partial=True) or self._pattern.match(window)
        if mark and not is_clear and (mark.partial or _may_be_link(window[mark.end() :])):
            return None
        if not mark or mark.partial or (mark["bare"] and _LINK.match(window, mark.end())):
            return None, 1
        numbers = self._numbers(mark)
        return (
            (Citation(mark.group(), (self._read, self._read + mark.end()), numbers), mark.end())
            if numbers
            else (None, 1)
        )

    def _in_fence(self, window: str, *, is_clear: bool) -> tuple[None, int] | None:
        """Return the length of a line of a code block, or of what is there of it; the line that ends it ends it."""
        line, line_break, _ = window.partition("\n")
        stripped = line.strip()
        may_end = not self._line.strip() and not stripped.strip(self._fence[0])
        if may_end and not line_break and not is_clear:
            return None
        if may_end and len(stripped) >= len(self._fence):
            self._fence = ""
        return None, len(line) + len(line_break)

    def _code(self, window: str, *, is_clear: bool) -> tuple[None, int] | None:
        """Return the length of what a run of backticks or tildes opens; None where that is not clear yet.

        A run that opens a line opens a block, unless it is closed on the same line. One that is closed nowhere near is
        text.
        """
        run = _RUN.match(window)
        length = run.end() if run else 1
        line, line_break, _ = window.partition("\n")
        runs = _RUN.finditer(line, length) if window[0] == "`" else ()
        closing = next((run for run in runs if run.group() == window[:length]), None)
        if closing and (closing.end() < len(window) or is_clear):
            return None, closing.end()
        if not line_break and not is_clear:
            return None
        if length >= _FENCE and _LINE_OPENING.fullmatch(self._line) and (line_break or len(window) <= HELD):
            self._fence = window[:length]
            return None, len(line)
        return None, length

    def _numbers(self, mark: "regex.Match[str]") -> tuple[int, ...]:
        """Return the numbers of a mark in its order, ranges filled; none where they cannot be meant."""
        groups = {name: text for name, text in mark.groupdict().items() if text}
        name, text = groups.popitem()
        found = dict.fromkeys(_counted(text))
        if name.endswith("bare") and 0 in found:
            return ()
        for further in self._further.finditer(mark.group()):
            found |= dict.fromkeys(_counted(further["numbers"]))
        return tuple(found)


_PLAIN = regex.compile(r"[^\[(【［`~]+")
_RUN = regex.compile(r"`+|~+")
_FENCE = 3
_LINE_CHARS = 20
# What may stand before a fence: white space, the mark of a quotation or of a list item.
_LINE_OPENING = regex.compile(r"[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?")
_LINK = regex.compile(r"\((?:https?:|www\.|#|/)")
_LINK_CHARS = 7
_NUMBER = r"#?\d{1,3}(?!\d)"
_RANGE = r"\s?[-–—‑]\s?|\s(?i:bis|to)\s"
_JOINT = rf"(?:\s?[,;&/+]\s?(?:(?i:und|and)\s)?|\s(?i:und|and|u\.|sowie|or|oder)\s|{_RANGE})"


def _may_be_link(behind: str) -> bool:
    """Say whether more must come behind a mark to tell whether it is a link."""
    return not behind or (behind[0] == "(" and len(behind) < _LINK_CHARS)


@lru_cache(maxsize=64)
def _name(label: str) -> str:
    """Return the pattern of what stands before the numbers: a label in any of our languages, or the caller's own."""
    words = {word for labels in LABELS.values() for word in (labels.source, f"{labels.source}n", f"{labels.source}s")}
    names = "|".join(sorted(map(regex.escape, words | ({label} if label else set())), key=len, reverse=True))
    return rf"(?i:{names})(?:\s(?i:nr\.?|no\.?|nummer|number))?[\s:#_-]{{0,3}}"


@lru_cache(maxsize=64)
def _patterns(label: str) -> tuple["regex.Pattern[str]", "regex.Pattern[str]"]:
    """Return the pattern of a citation, and that of further sources in one that says where in the source."""
    name = _name(label)
    before = r"(?:(?i:siehe auch|siehe|s\.|vgl\.|nach|laut|aus|see also|see|cf\.|from)\s)?"
    numbers = rf"{_NUMBER}(?:{_JOINT}(?:{name})?{_NUMBER})*"

    def labelled(group: str, brackets: str = "") -> str:
        # Behind the numbers may stand where in the source, or its title.
        inner = rf"[^\[\]【】［］\n{brackets}]"
        place = rf"(?:\s?[,:;.]?\s?(?:\d{{4}}|(?![\d,:;.\s]){inner}){inner}*)?"
        return rf"{before}{name}(?P<{group}>{numbers}){place}"

    return regex.compile(
        rf"\[\s?(?:{labelled('square')}|\^?(?P<bare>{numbers}))\s?\]"
        rf"|\(\s?{labelled('round', '()')}\s?\)"
        rf"|［\s?(?:{labelled('wide')}|(?P<wide_bare>{numbers}))\s?］"
        rf"|【\s?(?:{labelled('black')}|(?P<black_bare>{numbers})|(?P<daggered>\d{{1,3}})(?::\d+)?†[^\[\]【】\n]*)\s?】"
    ), regex.compile(rf"[,;]\s?(?:(?i:und|and)\s)?{name}(?P<numbers>{numbers})")


def _counted(text: str) -> Iterator[int]:
    """Yield the numbers in a text, ranges filled."""
    last = None
    for between, digits in regex.findall(r"(\D*)(\d+)", text):
        number = int(digits)
        if last is not None and last < number <= last + LONGEST_RANGE and regex.search(_RANGE, between):
            yield from range(last + 1, number)
        yield number
        last = number


def _joined(found: list[Part]) -> list[Part]:
    """Join stretches of text that stand side by side."""
    joined: list[Part] = []
    for part in found:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return joined
