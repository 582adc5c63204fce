"""Which sentences enter a budget: those with the most weight for their tokens, wherever they stand.

A greedy choice: each step takes the sentence with the highest weight / tokens ** EXPONENT among those that still fit,
its header and the marks around it counted; a neighbour of a chosen sentence saves marks and so is cheaper. It leaves
out what gives a sentence its weight: see `focus`.
"""

from collections.abc import Iterable, Sequence
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
from kontextwerk.context.structure import Leads, leads
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
        leads: For each region, which others come along with a sentence: see `structure`.
        heads: For each region, the tokens of its header.
        separator: The tokens of a separator.
        mark: The tokens of a mark.
    """

    sentences: tuple[tuple[int, ...], ...]
    announcing: tuple[tuple[bool, ...], ...]
    leads: tuple[tuple[Leads, ...], ...]
    heads: tuple[int, ...]
    separator: int
    mark: int


def costs(reading: Reading, form: Form) -> Costs:
    """Count what the choice is made with."""
    return Costs(
        tuple(tuple(form.text_cost(sentence.text) for sentence in row) for row in reading.sentences),
        tuple(tuple(announces(sentence.text) for sentence in row) for row in reading.sentences),
        tuple(leads(region.text, spans) for region, spans in zip(reading.regions, reading.spans, strict=True)),
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

    def missing(self, region: int, sentence: int) -> tuple[int, ...]:
        """Return the sentence and those that come along with it, as far as they are not chosen."""
        together = self.costs.leads[region][sentence]
        if not together:
            return (sentence,)
        return tuple(unit for unit in (*together, sentence) if unit not in self.chosen[region])

    def cost(self, region: int, sentence: int) -> int:
        """Return about how many tokens more the context takes with this sentence and what comes along with it."""
        added = self.missing(region, sentence)
        if len(added) == 1:
            return self._one(region, sentence, self.chosen[region])
        chosen = set(self.chosen[region])
        tokens = 0
        for unit in added:
            tokens += self._one(region, unit, chosen)
            chosen.add(unit)
        return tokens

    def _one(self, region: int, sentence: int, chosen: set[int]) -> int:
        last, mark = len(self.weights[region]) - 1, self.costs.mark
        tokens = self.costs.sentences[region][sentence]
        if not chosen:
            tokens += self.costs.heads[region] + (0 if self.empty else self.costs.separator)
            return tokens + mark * ((sentence > 0) + (sentence < last))
        before = -1 if sentence - 1 in chosen else int(sentence > 0)
        after = -1 if sentence + 1 in chosen else int(sentence < last)
        return max(tokens + mark * (before + after), 1)

    def gain(self, region: int, sentence: int) -> float:
        """Return the weight of the sentence and what comes along with it for their cost."""
        row = self.weights[region]
        weight = row[sentence]
        if self.costs.leads[region][sentence]:
            weight = sum(row[unit] for unit in self.missing(region, sentence))
        gain: float = weight / self.cost(region, sentence) ** EXPONENT
        # What only announces something may join a passage, but opens one last of all.
        return gain * LAST if self.costs.announcing[region][sentence] and not self.chosen[region] else gain

    def add(self, region: int, sentence: int) -> Iterable[int]:
        """Choose the sentence and what comes along with it; return those in the region whose cost this may change."""
        added = self.missing(region, sentence)
        opened = not self.chosen[region]
        self.chosen[region].update(added)
        self.empty = False
        if opened or len(added) > 1:
            return range(len(self.weights[region]))
        return (sentence - 1, sentence + 1)


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
        others = choice.add(region, sentence)
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
    """Return of a sentence that is larger than the whole budget the words around those of the question.

    Args:
        region: Where it stands.
        span: The sentence.
        asked: The question's words.
        max_tokens: What is left of the budget.
        form: How passages are written and counted.

    Returns:
        The run of words that holds most of the question's and fits, or None where nothing does.
    """

    def fits(portion: Portion) -> bool:
        return form.cost(form.passage(portion, 1)) <= max_tokens

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
