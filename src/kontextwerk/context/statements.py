"""A claim and the sentences of sources as they are compared: content words, figures, and which hold how much.

It leaves out what contradicts a claim, see `contrasts`, and the verdict, see `checking`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from kontextwerk.context.function_words import carries_grammar
from kontextwerk.context.model import Language, Span
from kontextwerk.context.sentences import sentences
from kontextwerk.context.values import Value, values
from kontextwerk.context.words import WORD, Terms, fold, language_of, stem

MOST = 3
"""How many sentences may hold a claim together: an answer's sentence may merge that many."""
LEAST_GAIN = 0.08
"""The share of a claim that a further sentence must add to be evidence too."""
NEAR = 1.3
"""How much more an addition counts from a sentence beside one that is evidence: what belongs together stands so."""


@dataclass(frozen=True)
class Statement:
    """A sentence of a source.

    Attributes:
        source: The source's number.
        place: Which sentence of the source it is, from 0.
        span: Where it stands in the source's text.
        text: Its wording.
        language: The source's, by its commonest words.
    """

    source: int
    place: int
    span: Span
    text: str
    language: Language

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, folded."""
        return tuple(map(fold, WORD.findall(self.text)))

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its figures."""
        return values(self.text, self.language)


@dataclass(frozen=True, slots=True)
class Word:
    """A content word of a claim.

    Attributes:
        text: As it is written.
        own: Its stem.
        span: Where it stands in the claim.
    """

    text: str
    own: str
    span: Span


@dataclass(frozen=True, slots=True)
class Reading:
    """A claim, read: its content words and its figures.

    Attributes:
        text: Its wording.
        language: Its language.
        words: Its content words in order; function words and figures are none.
        values: Its figures.
        terms: The stems of its content words, to be met by other words.
    """

    text: str
    language: Language
    words: tuple[Word, ...]
    values: tuple[Value, ...]
    terms: Terms


@dataclass(frozen=True, slots=True)
class Holding:
    """How well sentences hold a claim.

    Attributes:
        statements: The sentences, best first.
        met: How well each of the claim's stems is met in them, 0 to 1.
        share: The share of the claim that they hold together, 0 to 1.
        best: The share that the first holds alone.
    """

    statements: tuple[Statement, ...]
    met: Mapping[str, float]
    share: float
    best: float


def read_claim(text: str, language: Language) -> Reading:
    """Read the content words and figures of a claim."""
    figures = values(text, language)
    words = []
    for match in WORD.finditer(text):
        start, end = match.span()
        if any(start < value.span[1] and value.span[0] < end for value in figures):
            continue
        own = stem(match[0], language)
        if not (carries_grammar(fold(match[0]), language) or carries_grammar(own, language)) and len(own) > 1:
            words.append(Word(match[0], own, (start, end)))
    stems = [word.own for word in words]
    terms = Terms(tuple(dict.fromkeys(stems)), language, frozenset(pairwise(stems)))
    return Reading(text, language, tuple(words), figures, terms)


def read_sources(texts: Mapping[int, str], language: Language) -> tuple[Statement, ...]:
    """Cut sources into sentences, each by the rules of its own language.

    Args:
        texts: From a source's number to its text.
        language: Where a text's own does not show.
    """
    found = []
    for number, text in texts.items():
        own = language_of(text, language)
        for place, (start, end) in enumerate(sentences(text, own)):
            found.append(Statement(number, place, (start, end), text[start:end], own))
    return tuple(found)


def rarity(reading: Reading, matches: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the weight of each of the claim's stems: the rarer among the sentences, the more; all together 1."""
    frequency = dict.fromkeys(reading.terms.stems, 0.0)
    for match in matches:
        for own, likeness in match.items():
            frequency[own] += likeness
    # As if ten sentences more had been read: in a single short source no word is rare.
    weights = {own: math.log((len(matches) + 10) / (times + 0.5)) for own, times in frequency.items()}
    total = sum(weights.values()) or 1.0
    return {own: weight / total for own, weight in weights.items()}


def hold(
    reading: Reading,
    statements: Sequence[Statement],
    matches: Sequence[Mapping[str, float]],
    weights: Mapping[str, float],
    closeness: Sequence[float],
) -> Holding:
    """Choose the sentences that hold most of a claim together: the best, then those that add most.

    Args:
        reading: The claim.
        statements: The sentences that may hold it.
        matches: For each, which of the claim's stems it meets and how well.
        weights: The weight of each stem.
        closeness: For each sentence what closeness of meaning adds in choosing the first; zeros to go by words alone.
    """
    met: dict[str, float] = {}
    chosen: list[int] = []
    best = 0.0
    for _ in range(MOST):
        gains = [_gain(match, met, weights) for match in matches]
        order = [
            (gain * (NEAR if _near(statements[index], [statements[other] for other in chosen]) else 1.0))
            + (0.0 if chosen else closeness[index] + _figures(reading, statements[index]))
            for index, gain in enumerate(gains)
        ]
        index = max(range(len(order)), key=order.__getitem__, default=-1)
        if index < 0 or gains[index] < (LEAST_GAIN if chosen else 1e-9) or index in chosen:
            break
        best = best if chosen else gains[index]
        chosen.append(index)
        for own, likeness in matches[index].items():
            met[own] = max(met.get(own, 0.0), likeness)
    share = sum(weights[own] * likeness for own, likeness in met.items())
    return Holding(tuple(statements[index] for index in chosen), met, min(share, 1.0), best)


def _gain(match: Mapping[str, float], met: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weights[own] * max(likeness - met.get(own, 0.0), 0.0) for own, likeness in match.items())


def _near(statement: Statement, chosen: Sequence[Statement]) -> bool:
    return any(other.source == statement.source and abs(other.place - statement.place) == 1 for other in chosen)


def _figures(reading: Reading, statement: Statement) -> float:
    """Return a little for each figure of the claim that a sentence holds: among equals it decides."""
    return sum(0.05 for value in reading.values if any(map(value.held_by, statement.values)))


CLAUSE = re.compile(r"[,;:()–]|\s(?:und|and|sowie|aber|but|sondern|while|während)\s")


def clauses(text: str) -> list[Span]:
    """Return the spans of a sentence's clauses, as its marks and conjunctions part them."""
    ends = [0, *(match.end() for match in CLAUSE.finditer(text)), len(text)]
    return [pair for pair in pairwise(ends) if text[slice(*pair)].strip()]
