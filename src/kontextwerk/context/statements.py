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

WINDOW = 3
"""How many neighbouring sentences may hold a claim together."""
LEAST_GAIN = 0.08
"""The share of a claim that a sentence must add to be evidence too."""
FIGURE = 2.0
"""How many times a word a figure counts."""


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

    @property
    def items(self) -> tuple[str, ...]:
        """What can be met in a source: the stems, and `#0`, `#1`, … for the figures that are certainly such."""
        return (*self.terms.stems, *(f"#{index}" for index, value in enumerate(self.values) if value.firm))

    def match(self, statement: Statement) -> dict[str, float]:
        """Return which of the items a sentence meets, and how well each, above 0 to 1."""
        met = self.terms.match(statement.words)
        for index, value in enumerate(self.values):
            if value.firm and any(map(value.held_by, statement.values)):
                met[f"#{index}"] = 1.0
        return met


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


def read_claim(text: str, language: Language) -> Reading:
    """Read the content words and figures of a claim."""
    figures = values(text, language)
    words = []
    for match in WORD.finditer(text):
        start, end = match.span()
        if any(start < value.span[1] and value.span[0] < end for value in figures):
            continue
        own = stem(match[0], language)
        if len(own) > 1 and not any(carries_grammar(form, language) for form in (fold(match[0]), own)):
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
        share = _share(weights, _joined(met, *(matches[index] for index in window)))
        if share > best[0] + 1e-9:
            best = share, window
    chosen: list[int] = []
    joined = dict(met)
    for index in sorted(best[1], key=lambda index: -_share(weights, _joined(met, matches[index]))):
        gained = _joined(joined, matches[index])
        if _share(weights, gained) - _share(weights, joined) >= (LEAST_GAIN if chosen else 1e-9):
            chosen.append(index)
            joined = gained
    return Holding(tuple(statements[index] for index in chosen), joined, min(_share(weights, joined), 1.0))


def _joined(*matches: Mapping[str, float]) -> dict[str, float]:
    """Return for each item the best of how well it is met."""
    joined: dict[str, float] = {}
    for match in matches:
        for own, likeness in match.items():
            if likeness > joined.get(own, 0.0):
                joined[own] = likeness
    return joined


def _share(weights: Mapping[str, float], met: Mapping[str, float]) -> float:
    return sum(weights[own] * likeness for own, likeness in met.items())


CLAUSE = re.compile(r"[,;:()–—]|\s(?:und|and|sowie|aber|but|sondern|while|während)\s")


def clauses(text: str) -> list[Span]:
    """Return the spans of a sentence's clauses, as its marks and conjunctions part them."""
    ends = [0, *(match.end() for match in CLAUSE.finditer(text)), len(text)]
    return [pair for pair in pairwise(ends) if text[slice(*pair)].strip()]
