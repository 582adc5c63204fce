"""The evidence for a claim: the neighbouring sentences that hold most of it, rare words and figures counting more.

It leaves out what contradicts a claim, see `contrasts` and `negations`, and the verdict, see `checking`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kontextwerk.context.statements import Reading, Statement

WINDOW = 3
"""How many neighbouring sentences may hold a claim together."""
LEAST_GAIN = 0.08
"""The share of a claim that a sentence must add to be evidence too."""
FIGURE = 2.0
"""How many times a word a figure counts."""


@dataclass(frozen=True, slots=True)
class Holding:
    """How well sentences hold a claim.

    Attributes:
        statements: The sentences, the one that holds most first.
        met: How well each of the claim's items is met in them, 0 to 1.
        share: The share of the claim that they hold together, 0 to 1.
    """

    statements: tuple[Statement, ...]
    met: Mapping[str, float]
    share: float


def rarity(reading: Reading, matches: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the weight of each item of a claim: the rarer among the sentences, the more; all together 1."""
    frequency = dict.fromkeys(reading.items, 0.0)
    for match in matches:
        for own, likeness in match.items():
            frequency[own] += likeness
    # As if ten sentences more had been read: in a single short source no word is rare.
    weights = {
        own: math.log((len(matches) + 10) / (times + 0.5)) * (FIGURE if own[0] == "#" else 1.0)
        for own, times in frequency.items()
    }
    total = sum(weights.values()) or 1.0
    return {own: weight / total for own, weight in weights.items()}


def hold(
    statements: Sequence[Statement],
    matches: Sequence[Mapping[str, float]],
    weights: Mapping[str, float],
    met: Mapping[str, float],
) -> Holding:
    """Choose the neighbouring sentences that hold most of a claim together.

    Args:
        statements: The sentences that may hold it, in order.
        matches: For each, which of the claim's items it meets and how well.
        weights: The weight of each item.
        met: How well items are met elsewhere already.
    """
    best: tuple[float, list[int]] = (0.0, [])
    for first in range(len(statements)):
        window: list[int] = []
        for index in range(first, min(first + WINDOW, len(statements))):
            if statements[index].source != statements[first].source:
                break
            window.append(index)
        share = _share(weights, joined(met, *(matches[index] for index in window)))
        if share > best[0] + 1e-9:
            best = share, window
    chosen: list[int] = []
    held = dict(met)
    for index in sorted(best[1], key=lambda index: -_share(weights, joined(met, matches[index]))):
        gained = joined(held, matches[index])
        if _share(weights, gained) - _share(weights, held) >= (LEAST_GAIN if chosen else 1e-9):
            chosen.append(index)
            held = gained
    return Holding(tuple(statements[index] for index in chosen), held, min(_share(weights, held), 1.0))


def joined(*matches: Mapping[str, float]) -> dict[str, float]:
    """Return for each item the best of how well it is met."""
    found: dict[str, float] = {}
    for match in matches:
        for own, likeness in match.items():
            if likeness > found.get(own, 0.0):
                found[own] = likeness
    return found


def _share(weights: Mapping[str, float], met: Mapping[str, float]) -> float:
    return sum((weights[own] * likeness for own, likeness in met.items()), 0.0)
