"""Which sentences enter a budget: those with the most weight for their tokens, wherever they stand.

A greedy choice: each step takes the sentence with the highest weight / tokens ** EXPONENT among those that still fit,
its header and the marks around it counted; a neighbour of a chosen sentence saves marks and so is cheaper. It leaves
out what gives a sentence its weight: see `focus`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate

from kontextwerk.context.budget import most
from kontextwerk.context.cutting import joined
from kontextwerk.context.labels import ELISION
from kontextwerk.context.model import Span
from kontextwerk.context.neighbours import Region
from kontextwerk.context.packing import Form, Portion, first_words
from kontextwerk.context.reading import Reading
from kontextwerk.context.sentences import announces
from kontextwerk.context.words import Terms

EXPONENT = 0.7
"""How much a sentence's length counts against it: at 1 many short ones win, at 0 few long ones. Measured: 0.5 to 0.9
make no difference that counts."""
LAST = 1e-9
"""What a heading's weight is multiplied with, as long as nothing below it is chosen."""
PARTLY = 0.6
"""How much of a sentence's weight is expected in a part of it, cut around the question's words."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What sentences cost, counted once.

    Attributes:
        sentences: For each region, the tokens of each sentence.
        announcing: For each region, whether a sentence only announces something.
        heads: For each region, the tokens of its header.
        separator: The tokens of a separator.
        mark: The tokens of a mark.
    """

    sentences: tuple[tuple[int, ...], ...]
    announcing: tuple[tuple[bool, ...], ...]
    heads: tuple[int, ...]
    separator: int
    mark: int


def costs(reading: Reading, form: Form) -> Costs:
    """Count what the choice is made with."""
    return Costs(
        tuple(tuple(form.text_cost(sentence.text) for sentence in row) for row in reading.sentences),
        tuple(tuple(announces(sentence.text) for sentence in row) for row in reading.sentences),
        tuple(map(form.head_cost, reading.regions)),
        form.counter(form.format.separator),
        form.counter(f" {ELISION} "),
    )


class _Choice:
    """What is chosen so far, and what one more sentence costs and gains."""

    def __init__(self, costs: Costs, weights: Sequence[Sequence[float]]) -> None:
        self.costs = costs
        self.weights = weights
        self.chosen: list[set[int]] = [set() for _ in weights]
        self.empty = True

    def cost(self, region: int, sentence: int) -> int:
        """Return about how many tokens more the context takes with this sentence."""
        chosen, last, mark = self.chosen[region], len(self.weights[region]) - 1, self.costs.mark
        tokens = self.costs.sentences[region][sentence]
        if not chosen:
            tokens += self.costs.heads[region] + (0 if self.empty else self.costs.separator)
            return tokens + mark * ((sentence > 0) + (sentence < last))
        before = -1 if sentence - 1 in chosen else int(sentence > 0)
        after = -1 if sentence + 1 in chosen else int(sentence < last)
        return max(tokens + mark * (before + after), 1)

    def gain(self, region: int, sentence: int) -> float:
        """Return the sentence's weight for its cost."""
        gain: float = self.weights[region][sentence] / self.cost(region, sentence) ** EXPONENT
        # What only announces something may join a passage, but opens one last of all.
        return gain * LAST if self.costs.announcing[region][sentence] and not self.chosen[region] else gain


def choose(
    reading: Reading, weights: Sequence[Sequence[float]], costs: Costs, max_tokens: int
) -> tuple[tuple[Portion, ...], float]:
    """Fill a budget with the sentences that weigh most.

    Args:
        reading: The regions and their sentences.
        weights: For each region, the weight of its sentences.
        costs: What they cost; see `costs`.
        max_tokens: The budget. Sums of counts guide the choice, so the finished text may be a few tokens off.

    Returns:
        What enters of each region, in the order of the regions, and the weight of it all. Regions without a chosen
        sentence are left out.
    """
    choice = _Choice(costs, weights)
    left = max_tokens
    places = [(region, sentence) for region, row in enumerate(weights) for sentence in range(len(row))]
    heap = [(-choice.gain(*place), *place) for place in places]
    heapify(heap)
    while heap:
        loss, region, sentence = heappop(heap)
        chosen = choice.chosen[region]
        cost = choice.cost(region, sentence)
        if sentence in chosen or cost > left or not loss:
            continue
        now = -choice.gain(region, sentence)
        if now > loss:  # dearer than when it was entered: a separator has come before it
            heappush(heap, (now, region, sentence))
            continue
        others = range(len(weights[region])) if not chosen else (sentence - 1, sentence + 1)
        chosen.add(sentence)
        choice.empty = False
        left -= cost
        # What has become cheaper is entered anew; its older, dearer entry is passed over when it comes up.
        for other in others:
            if 0 <= other < len(weights[region]) and other not in chosen:
                heappush(heap, (-choice.gain(region, other), region, other))
    portions = tuple(
        Portion(region, joined((own[sentence] for sentence in chosen), region.text))
        for region, own, chosen in zip(reading.regions, reading.spans, choice.chosen, strict=True)
        if chosen
    )
    weight = sum(weights[region][sentence] for region, chosen in enumerate(choice.chosen) for sentence in chosen)
    return portions, weight


def heaviest(weights: Sequence[Sequence[float]]) -> tuple[float, int, int]:
    """Return the highest weight, its region and its sentence; the first of equals."""
    weight, region, sentence = max(
        (weight, -region, -sentence) for region, row in enumerate(weights) for sentence, weight in enumerate(row)
    )
    return weight, -region, -sentence


def cut_oversized(region: Region, span: Span, asked: Terms, max_tokens: int, form: Form) -> Portion | None:
    """Return a sentence that is larger than the whole budget, cut to the words around those of the question.

    Args:
        region: Where it stands.
        span: The sentence.
        asked: The question's words.
        max_tokens: The budget.
        form: How passages are written and counted.

    Returns:
        The run of words that holds most of the question's and fits. None where the sentence is not larger than the
        budget, or nothing of it fits.
    """

    def fits(portion: Portion) -> bool:
        return form.cost(form.passage(portion, 1)) <= max_tokens

    if fits(Portion(region, (span,))):
        return None
    words = asked.values(region.text, span)
    values = [value for _, _, value in words]

    def run(n: int) -> Portion:
        first = _densest(values, n)
        return Portion(region, ((words[first][0], words[first + n - 1][1]),))

    kept = most(len(words), lambda n: fits(run(n)))
    return run(kept) if kept else first_words(lambda last: Portion(region, ((span[0], last),)), span, region.text, fits)


def _densest(values: Sequence[float], n: int) -> int:
    """Return where the n values with the highest sum begin; of equals the one nearest to the middle of them all."""
    middle = sum(place * value for place, value in enumerate(values)) / (sum(values) or 1.0)
    sums = [0.0, *accumulate(values)]
    return max(
        range(len(values) - n + 1),
        key=lambda first: (round(sums[first + n] - sums[first], 6), -abs(first + n / 2 - middle)),
    )
