"""Which texts overlap: one stands in another, or begins with another's end.

Found in near-linear time: pieces of each text's beginning are looked up at every few characters of the others, and what
is found is compared in full. It leaves out which texts are of one document: see `neighbours`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kontextwerk.context.model import Span

LEAST = 24
"""The shortest common end and beginning, in characters, that shows that two texts overlap."""
_PIECE, _STRIDE = 16, 8
"""A beginning's pieces of 16 characters, one from each of its first 8; one of them lies at a multiple of 8 of the other
text. So every overlap of 23 characters is found."""
_MANY, _OFTEN = 64, 4
"""So many beginnings are remembered for a piece, and so many places of it in a text: more of them are boilerplate, and
comparing all with all would take a quadratic time."""
_FEW = 200
"""Among no more texts than this, those shorter than an overlap are looked for, too."""


class _Overlap(NamedTuple):
    """How many characters two texts have in common, and where in the first the second begins."""

    common: int
    first: int
    second: int
    start: int


def laid_out(texts: Sequence[str]) -> list[tuple[str, list[Span]]]:
    """Join texts that overlap.

    Args:
        texts: In any order.

    Returns:
        Each stretch that they make, with the index of each text in it and where that text begins; all in the order of
        each stretch's first text.

    >>> laid_out(["Ende.", "beträgt zwei volle Wochen. Sie beginnt.", "Die Frist beträgt zwei volle Wochen."])
    [('Ende.', [(0, 0)]), ('Die Frist beträgt zwei volle Wochen. Sie beginnt.', [(2, 0), (1, 10)])]
    """
    found = []
    for members in _groups(texts):
        found += _joined(texts, members)
    return sorted(found, key=lambda stretch: min(index for index, _ in stretch[1]))


def _groups(texts: Sequence[str]) -> Iterator[list[Span]]:
    """Yield the indices of texts that hang together, and where each begins beside the others.

    The longest overlaps count first.
    """
    group = list(range(len(texts)))
    start = [0] * len(texts)
    members = {index: [index] for index in group}
    for overlap in sorted(_overlaps(texts), reverse=True):
        one, other = group[overlap.first], group[overlap.second]
        if one == other:
            continue
        shift = start[overlap.first] + overlap.start - start[overlap.second]
        if len(members[one]) < len(members[other]):  # the smaller group moves
            one, other, shift = other, one, -shift
        for index in members[other]:
            group[index] = one
            start[index] += shift
        members[one] += members.pop(other)
    for own in members.values():
        yield [(index, start[index]) for index in own]


def _overlaps(texts: Sequence[str]) -> Iterator[_Overlap]:
    """Yield which texts overlap, and where."""
    beginnings = _beginnings(texts)
    for index, text in enumerate(texts):
        for piece, places in _places(text, beginnings).items():
            for other, skipped in beginnings[piece]:
                if other != index:
                    yield from _compared(texts, index, other, [place - skipped for place in places])
    if len(texts) <= _FEW:
        yield from _short(texts)


def _beginnings(texts: Sequence[str]) -> dict[str, list[Span]]:
    """Return for each piece of a beginning whose it is, and how many characters stand before it."""
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for index, text in enumerate(texts):
        for skipped in range(_STRIDE if len(text) >= LEAST else 0):
            known = found[text[skipped : skipped + _PIECE]]
            if len(known) < _MANY:
                known.append((index, skipped))
    return dict(found)


def _places(text: str, beginnings: Mapping[str, object]) -> dict[str, list[int]]:
    """Return where in a text the pieces of beginnings stand: of one that is repeated the first few places."""
    found: dict[str, list[int]] = {}
    for place in range(0, len(text) - _PIECE + 1, _STRIDE):
        piece = text[place : place + _PIECE]
        if piece in beginnings and len(known := found.setdefault(piece, [])) < _OFTEN:
            known.append(place)
    return found


def _compared(texts: Sequence[str], first: int, second: int, starts: Iterable[int]) -> Iterator[_Overlap]:
    """Yield the overlaps where the second text does begin at one of these places of the first."""
    one, other = texts[first], texts[second]
    for start in starts:
        common = min(len(one) - start, len(other))
        if start >= 0 and common >= LEAST and one.startswith(other[:common], start):
            yield _Overlap(common, first, second, start)


def _short(texts: Sequence[str]) -> Iterator[_Overlap]:
    """Yield in which texts those stand that are shorter than an overlap."""
    for other, short in enumerate(texts):
        if len(short) < LEAST:
            inside = ((index, text.find(short)) for index, text in enumerate(texts) if index != other)
            yield from (_Overlap(len(short), index, other, start) for index, start in inside if start >= 0)


def _joined(texts: Sequence[str], members: Sequence[Span]) -> list[tuple[str, list[Span]]]:
    """Write out a group; what does not agree with the texts before it, as in repetitive texts, stays alone."""
    base = min(start for _, start in members)
    text, inside = "", []
    alone: list[tuple[str, list[Span]]] = []
    for index, start in sorted(members, key=lambda member: (member[1], -len(texts[member[0]]))):
        own, place = texts[index], start - base
        common = min(len(text) - place, len(own))
        if place <= len(text) and text[place : place + common] == own[:common]:
            text += own[common:]
            inside.append((index, place))
        else:
            alone.append((own, [(index, 0)]))
    return [(text, inside), *alone]
