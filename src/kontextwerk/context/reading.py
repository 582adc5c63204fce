"""The sentences of regions, read with a question in mind: which of its words each one meets, and how rare these are.

It leaves out what a sentence weighs: see `focus`.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kontextwerk.context.model import Span
from kontextwerk.context.neighbours import Region
from kontextwerk.context.words import WORD, Terms, fold, terms


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it is weighed.

    Attributes:
        text: The wording.
        words: Its words, folded.
        match: Which of the question's terms it meets, and how well.
    """

    text: str
    words: tuple[str, ...]
    match: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """Regions, read with a question in mind.

    Attributes:
        question: In the person's words.
        asked: Its terms.
        regions: Best first.
        spans: For each region, start and end of its sentences.
        sentences: For each region, these sentences.
        titles: For each region, which terms its document's title meets.
        rarity: The weight of each term: the rarer among the sentences, the more; all together 1.
    """

    question: str
    asked: Terms
    regions: Sequence[Region]
    spans: Sequence[Sequence[Span]]
    sentences: Sequence[Sequence[Sentence]]
    titles: Sequence[Mapping[str, float]]
    rarity: Mapping[str, float]

    def around(self, region: int, place: int) -> float:
        """Return the share of the question that a sentence, its neighbours and its title hold together, 0 to 1."""
        near = (sentence.match for sentence in self.sentences[region][max(place - 1, 0) : place + 2])
        return share([*near, self.titles[region]], self.rarity)


def read(regions: Sequence[Region], spans: Sequence[Sequence[Span]], question: str) -> Reading:
    """Find the question's terms in the sentences of regions.

    Args:
        regions: Best first.
        spans: For each region, start and end of its sentences.
        question: In the person's words, German or English.
    """
    asked = terms(question)
    found = [_sentences(region.text, own, asked) for region, own in zip(regions, spans, strict=True)]
    titles = [asked.match(map(fold, WORD.findall(region.best.chunk.title))) for region in regions]
    rarity = _rarity(asked, [sentence.match for region in found for sentence in region])
    return Reading(question, asked, regions, spans, found, titles, rarity)


def _sentences(text: str, spans: Sequence[Span], asked: Terms) -> list[Sentence]:
    found = []
    for start, end in spans:
        sentence = text[start:end]
        words = tuple(map(fold, WORD.findall(sentence)))
        found.append(Sentence(sentence, words, asked.match(words)))
    return found


def _rarity(asked: Terms, matches: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return each term's weight: the logarithm of how rare it is among the sentences (Spärck Jones, 1972)."""
    frequency: dict[str, float] = defaultdict(float)
    for match in matches:
        for term, likeness in match.items():
            frequency[term] += likeness
    weights = {term: math.log((len(matches) + 1) / (frequency[term] + 0.5)) for term in asked.stems}
    total = sum(weights.values()) or 1.0
    return {term: weight / total for term, weight in weights.items()}


def share(matches: Iterable[Mapping[str, float]], rarity: Mapping[str, float]) -> float:
    """Return the share of the question that these matches hold together, 0 to 1."""
    best: dict[str, float] = {}
    for match in filter(None, matches):
        for term, likeness in match.items():
            best[term] = max(likeness, best.get(term, 0.0))
    return sum(rarity[term] * likeness for term, likeness in best.items())
