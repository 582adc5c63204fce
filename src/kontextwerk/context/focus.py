"""How much each sentence helps to answer a question, without a model.

A sentence's weight is its share of one unit that all sentences compete for: a softmax over a sum of what speaks for it.
Its chunk's rank; how many of the question's words it shares, rare ones counting more, alone and together with its
document's title and its neighbours; whether it holds the kind of thing that is asked for; whether other sentences that
match name its document. `docs/explanation/focus.md` has the reasons and the measurements. It leaves out which sentences
enter: see `choosing`; and meaning without common words.
"""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import mul
from typing import NamedTuple

from kontextwerk.context.errors import InputError
from kontextwerk.context.kinds import Kind
from kontextwerk.context.model import Similarity, Span
from kontextwerk.context.neighbours import Region
from kontextwerk.context.reading import Reading, share


class Signs(NamedTuple):
    """What speaks for a sentence: a value for each sign, or a factor for each.

    The factors were fitted by conditional logit on either half of three sets of questions and rounded between the two;
    the measurements are flat around them: see `docs/explanation/focus.md`.

    Attributes:
        rank: ln(1 + rank) of its chunk: at a factor of -1 the weight falls as 1 / (1 + rank).
        own: The share of the question that it holds, 0 to 1.
        with_title: The share that it holds with its document's title.
        with_neighbours: What its neighbours add to that share.
        in_order: The share of the question's neighbouring words that are neighbours in it.
        kind: 1 where it holds the kind of thing that is asked for.
        first: 1 where it is the first of its passage.
        named: How well the best sentence elsewhere that names its document matches the question, 0 to 1.
        wordless: 1 where it has no word.
    """

    rank: float
    own: float
    with_title: float
    with_neighbours: float
    in_order: float
    kind: float
    first: float
    named: float
    wordless: float


BY_WORDS = Signs(-1.0, 4.0, 4.0, 1.0, 1.0, kind=1.5, first=0.5, named=4.0, wordless=-50.0)
BESIDE_MEANING = Signs(-0.7, 0.0, 5.0, 1.0, 0.5, kind=1.5, first=0.0, named=4.0, wordless=-50.0)
"""The same where closeness of meaning counts too."""
MEANING = 30.0
"""The factor of that closeness, per unit of cosine."""
COMPARED = 48
"""How many sentences, the best by their words, are compared by meaning: with 24 it loses a little, with all it gains
nothing."""

_LEAST_NAME = 4


def weigh(reading: Reading, similarity: Similarity | None = None) -> tuple[tuple[float, ...], ...]:
    """Weigh sentences by what they contribute to answering the question.

    Args:
        reading: The sentences.
        similarity: How close sentences are to the question in meaning; None to go by words alone.

    Returns:
        For each region one weight a sentence, 0 to 1; all together they sum to 1.

    Raises:
        InputError: The similarity does not give one finite number for each text.
    """
    signs = _signs(reading)
    weights = _softmax([[_added(values, BY_WORDS) for values in row] for row in signs])
    if similarity is None:
        return weights
    closeness = _closeness(reading, weights, similarity)
    least = min(closeness.values())
    return _softmax(
        [
            [
                _added(values, BESIDE_MEANING) + MEANING * closeness.get((region, place), least)
                for place, values in enumerate(row)
            ]
            for region, row in enumerate(signs)
        ]
    )


def _closeness(
    reading: Reading, weights: Sequence[Sequence[float]], similarity: Similarity
) -> dict[tuple[int, int], float]:
    """Compare the sentences that weigh most with the question by meaning."""
    places = [(region, place) for region, row in enumerate(weights) for place in range(len(row))]
    best = sorted(places, key=lambda pair: -weights[pair[0]][pair[1]])[:COMPARED]
    found = similarity(reading.question, [reading.sentences[region][place].text for region, place in best])
    if len(found) != len(best) or not all(map(math.isfinite, found)):
        raise InputError("similarity", "gives no finite number for each text", "Return one cosine a text, in order")
    return dict(zip(best, found, strict=True))


def _signs(reading: Reading) -> list[list[Signs]]:
    """Return the value of each sign for each sentence of each region."""
    named = _named(reading)
    kind = Kind(reading.question, reading.asked.language)
    ranks = _ranks(reading.regions)
    found = []
    for index, (region, spans) in enumerate(zip(reading.regions, reading.spans, strict=True)):
        row = []
        title = share([reading.titles[index]], reading.rarity)
        for place, (span, sentence) in enumerate(zip(spans, reading.sentences[index], strict=True)):
            own = share([sentence.match], reading.rarity) if sentence.match else 0.0
            full = share([sentence.match, reading.titles[index]], reading.rarity) if own and title else own + title
            row.append(
                Signs(
                    rank=math.log1p(_rank(region, span, ranks)),
                    own=own,
                    with_title=full,
                    with_neighbours=reading.around(index, place) - full,
                    in_order=reading.asked.in_order(sentence.words) if len(sentence.match) > 1 else 0.0,
                    kind=kind.is_in(sentence),
                    first=place == 0,
                    named=named[index],
                    wordless=not sentence.words,
                )
            )
        found.append(row)
    return found


def _added(values: Signs, factors: Signs) -> float:
    return math.fsum(map(mul, values, factors))


def _named(reading: Reading) -> list[float]:
    """Return for each region how well the best sentence elsewhere that names its title matches the question.

    This is the way to a second document that shares no word with the question.
    """
    regions = reading.regions
    names = [re.sub(r" \(.*", "", region.best.chunk.title) for region in regions]
    by_name: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        if len(name) >= _LEAST_NAME and not name.isdigit():
            by_name[name].append(index)
    best = [0.0] * len(regions)
    if len(by_name) < 2:  # noqa: PLR2004  nobody else could name it
        return best
    pattern = re.compile("|".join(map(re.escape, sorted(by_name, key=len, reverse=True))))
    for index, found in enumerate(reading.sentences):
        for sentence in found:
            for name in set(pattern.findall(sentence.text)) - {names[index]}:
                matching = share([sentence.match], reading.rarity)
                for other in by_name[name]:
                    best[other] = max(best[other], matching)
    return best


def _ranks(regions: Sequence[Region]) -> dict[int, int]:
    """Return the place of each candidate among those that are left."""
    ranks = sorted(part.candidate.rank for region in regions for part in region.parts)
    return {rank: place for place, rank in enumerate(ranks)}


def _rank(region: Region, span: Span, ranks: Mapping[int, int]) -> int:
    """Return the place of the best chunk in which a sentence stands."""
    for part in region.parts:
        if part.span[0] < span[1] and part.span[1] > span[0]:
            return ranks[part.candidate.rank]
    return len(ranks)


def _softmax(signs: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    highest = max((sign for row in signs for sign in row), default=0.0)
    powers = [[math.exp(sign - highest) for sign in row] for row in signs]
    total = sum(map(sum, powers)) or 1.0
    return tuple(tuple(power / total for power in row) for row in powers)
