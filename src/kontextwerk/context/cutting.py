"""Text with parts left out: which stretches stand, and how the cuts are marked.

It leaves out which parts those are: see `packing`.
"""

from collections.abc import Iterable, Sequence

from kontextwerk.context.labels import ELISION
from kontextwerk.context.model import Span


def joined(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
    """Put spans in order, and make one of those that overlap or have only white space between them.

    >>> joined([(6, 11), (0, 5)], "Eins. Zwei. Drei.")
    ((0, 11),)
    """
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and not text[result[-1][1] : start].strip():
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return tuple(result)


def cut(text: str, kept: Sequence[Span], ends: Iterable[int] = ()) -> str:
    """Return the stretches of a text that are kept, `[…]` where others stood before, between or behind them.

    Args:
        text: The whole text.
        kept: What stands of it, in order, without overlap.
        ends: Positions at which the text is taken to begin or end, so that no cut is marked there.

    >>> cut("Eins. Zwei. Drei.", [(0, 5), (12, 17)])
    'Eins. […] Drei.'
    """
    if not kept:
        return ""
    first, last = kept[0][0], kept[-1][1]
    parts = [] if first in ends or not text[:first].strip() else [ELISION, _gap(text, 0, first)]
    for index, (start, end) in enumerate(kept):
        if index:
            gap = _gap(text, kept[index - 1][1], start)
            parts.extend((gap, ELISION, gap))
        parts.append(text[start:end])
    if last not in ends and text[last:].strip():
        parts.extend((_gap(text, last, len(text)), ELISION))
    return "".join(parts)


def _gap(text: str, start: int, end: int) -> str:
    """Return what stands between a stretch and a mark: a line break where whole lines were left out, else a blank."""
    after_line = start == 0 or text[start : start + 1] == "\n"
    before_line = end == len(text) or text[end - 1] == "\n"
    return "\n" if after_line and before_line else " "
