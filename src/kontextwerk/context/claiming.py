"""An answer into claims: its sentences without citations and markup, each with the sources that it cites.

A citation belongs to the sentence in which it stands, or behind whose end it stands; at the beginning of a line to what
follows. Blocks of code claim nothing and are left out. It leaves out which claims are worth a check: see `claims`.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from kontextwerk.context.citations import Citation, find
from kontextwerk.context.claims import Claim
from kontextwerk.context.markup import HEADING, MARKER, plain
from kontextwerk.context.model import Language, Span
from kontextwerk.context.sentences import announces, sentences
from kontextwerk.context.structure import code_blocks
from kontextwerk.context.values import values

_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_OPEN = re.compile(r"[^\s.!?…:;)\]”“\"»*_|]\s*$")
_TAIL = 80
_DOUBLED = re.compile(r"(?<=[.!?])[\s.,;]+$")
_HOLE = "\x1f"
_HOLES = re.compile(rf"\s*{_HOLE}[\s{_HOLE}]*(?=[.,;:!?)\]]|$)|{_HOLE}")


def claims(
    answer: str, language: Language = "de", citations: Sequence[Citation] | None = None, label: str = ""
) -> tuple[Claim, ...]:
    """Cut an answer into claims.

    Args:
        answer: What the model wrote.
        language: Whose rules for the ends of sentences hold.
        citations: Those of the answer, in order; None to find them.
        label: What heads a source in the context, where that is none of our languages' words.

    Returns:
        Its sentences, items and rows in order. A span begins and ends with the sentence and the citations that belong
        to it; no two overlap. What holds no letter and no digit, and blocks of code, are left out.

    >>> [(claim.text, claim.cited) for claim in claims("Die Frist beginnt. [1] Sie endet [Quelle 2, S. 4].")]
    [('Die Frist beginnt.', (1,)), ('Sie endet.', (2,))]
    """
    marks = tuple(find(answer, label) if citations is None else citations)
    units = _units(_blanked(answer, marks), language)
    owned: list[list[Citation]] = [[] for _ in units]
    for mark in marks if units else ():
        owned[_owner(answer, units, mark.span)].append(mark)
    found = []
    for index, (unit, own) in enumerate(zip(units, owned, strict=True)):
        written = _without(answer, unit, own)
        text = _DOUBLED.sub("", plain(written)) if own else plain(written)
        # A list of sources: "[1] Handbuch.pdf".
        is_entry = bool(own) and own[0].span[0] <= unit[0] and announces(text)
        cited = () if is_entry else tuple(dict.fromkeys(number for mark in own for number in mark.numbers))
        between = answer[unit[1] : units[index + 1][0]] if index + 1 < len(units) else None
        heads = HEADING.match(written) or (not cited and _leads(written, between, language))
        span = min([unit[0], *(mark.span[0] for mark in own)]), max([unit[1], *(mark.span[1] for mark in own)])
        found.append(Claim(text, span, cited, heads=is_entry or bool(heads)))
    return tuple(found)


def _blanked(answer: str, marks: Sequence[Citation]) -> str:
    """Return the answer with blanks for its citations: every offset stays.

    One that begins a line behind the end of another becomes the mark of an item, so that lists of sources part.
    """
    parts, position, is_item = [], 0, False
    for mark in marks:
        start, end = mark.span
        line = answer.rfind("\n", 0, start) + 1
        if not answer[line:start].strip():
            is_next = is_item and line <= answer.find("\n", position) + 1
            is_item = is_next or not _OPEN.search(answer[max(line - _TAIL, 0) : line])
            hole = "- ".ljust(end - start) if is_item else " " * (end - start)
        else:
            hole = " " * (end - start)
        parts += [answer[position:start], hole]
        position = end
    return "".join([*parts, answer[position:]])


def _units(text: str, language: Language) -> list[Span]:
    """Return the spans of sentences, blocks of code left out; a full stop behind a citation joins its own."""
    code = code_blocks(text)
    units: list[Span] = []
    for start, end in sentences(text, language):
        if any(first <= start < last for first, last in code):
            continue
        if _FENCE.match(text, start):  # a block that is never closed goes on to the end
            break
        if any(map(str.isalnum, plain(text[start:end]))):
            units.append((start, end))
        elif units and "\n" not in text[units[-1][1] : start]:
            units[-1] = (units[-1][0], end)
    return units


def _owner(answer: str, units: Sequence[Span], mark: Span) -> int:
    """Return which sentence a citation belongs to, by its index."""
    behind = bisect_right(units, mark[0], key=lambda unit: unit[1])
    if behind == len(units) or (behind and mark[0] < units[behind][0] and _follows(answer, units[behind - 1], mark)):
        return behind - 1
    if behind and mark[0] < units[behind][0] and "\n" in answer[mark[1] : units[behind][0]]:
        return behind - 1  # on a line of its own
    return behind


def _follows(answer: str, unit: Span, mark: Span) -> bool:
    return "\n" not in answer[unit[1] : mark[0]]


def _without(answer: str, unit: Span, marks: Sequence[Citation]) -> str:
    """Return the wording of a sentence without its citations, and without the blanks that they leave."""
    parts, position = [], unit[0]
    for mark in marks:
        start, end = mark.span
        if unit[0] <= start < unit[1]:
            parts.append(answer[position:start])
            position = min(end, unit[1])
    parts.append(answer[position : unit[1]])
    return _HOLES.sub("", _HOLE.join(parts))


def _leads(written: str, between: str | None, language: Language) -> bool:
    """Say whether a unit only heads what follows: a table's first row, or a short line without an end.

    Args:
        written: The unit without its citations.
        between: What stands between it and the next unit; None where none follows.
        language: Whose figures are told.
    """
    if between is None:
        return False
    if written.startswith("|"):
        return bool(between.strip())  # its ruler
    text = plain(written)
    return not MARKER.match(written) and announces(text) and not values(text, language)
