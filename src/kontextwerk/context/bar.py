"""The budget as a row of segments: what each source takes, and what is left.

It leaves out how a segment looks: see `page` and `kontextwerk.explain`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kontextwerk.context.model import Source


class Segment(NamedTuple):
    """A stretch of the budget.

    Attributes:
        source: What takes it; None for what is left.
        tokens: How much it is.
    """

    source: Source | None
    tokens: int


def segments(sources: Sequence[Source], tokens: int, max_tokens: int) -> tuple[Segment, ...]:
    """Return one segment for each source, and one for what is left of the budget, if anything is.

    Args:
        sources: In order; the counts of parts need not add up to the count of the whole.
        tokens: What the whole context takes: the segments of the sources add up to this.
        max_tokens: The budget.
    """
    taken = apportion(tokens, [source.tokens for source in sources])
    left = max_tokens - tokens
    free = [Segment(None, left)] if left > 0 else []
    return (*map(Segment, sources, taken), *free)


def apportion(units: int, weights: Sequence[int], least: int = 0) -> tuple[int, ...]:
    """Divide whole units in proportion to weights, by the largest remainder.

    Args:
        units: What is to be divided.
        weights: None is negative; where all are 0, they count alike.
        least: What each gets at the least, where there is enough for all.

    Returns:
        A share for each weight; they add up to `units` where there is a weight.

    >>> apportion(10, [1, 1, 1])
    (4, 3, 3)
    """
    if not weights:
        return ()
    if not any(weights):
        weights = [1] * len(weights)
    total = sum(weights)
    least = least if least * len(weights) <= units else 0
    shares = [max(units * weight // total, least) for weight in weights]
    # How far a share is above its due, in parts of `total`: whole numbers stay exact.
    while sum(shares) != units:
        excess = [share * total - units * weight for share, weight in zip(shares, weights, strict=True)]
        if sum(shares) < units:
            shares[excess.index(min(excess))] += 1
        else:
            able = [place for place, share in enumerate(shares) if share > least]
            shares[max(able, key=excess.__getitem__)] -= 1
    return tuple(shares)
