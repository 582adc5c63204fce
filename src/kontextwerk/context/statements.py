"""A claim and the sentences of sources as they are compared: their content words and their figures.

It leaves out which sentences hold a claim: see `holding`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from kontextwerk.context.function_words import carries_grammar
from kontextwerk.context.markup import plain
from kontextwerk.context.model import Language, Span
from kontextwerk.context.sentences import sentences
from kontextwerk.context.values import Value, values
from kontextwerk.context.words import WORD, Terms, fold, language_of, stem


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
    def plain(self) -> str:
        """Its wording without markup, to be compared as a whole."""
        return as_whole(self.text)

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


def as_whole(text: str) -> str:
    """Return a sentence as it is compared as a whole: without markup and the marks at its end.

    >>> as_whole("- **Zwei**  Wochen.") == as_whole("Zwei Wochen")
    True
    """
    return plain(text).rstrip(" .!?…").casefold()


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


CLAUSE = re.compile(r"[,;:()–—]|\s(?:und|and|sowie|aber|but|sondern|while|während)\s")


def clauses(text: str) -> list[Span]:
    """Return the spans of a sentence's clauses, as its marks and conjunctions part them."""
    ends = [0, *(match.end() for match in CLAUSE.finditer(text)), len(text)]
    return [pair for pair in pairwise(ends) if text[slice(*pair)].strip()]
