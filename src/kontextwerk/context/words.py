"""The words of a question, and how well other words meet them: inflected, in compounds, umlauts in either spelling.

A term meets a word by the share of its stem's four-letter pieces that stand in the word: "Auftragsklärung" is wholly in
"Auftragsklärungsgespräche", "nordwestlich" partly in "Nordwesten". Short terms meet words of the same stem only. It
leaves out meaning: synonyms do not meet.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from unicodedata import normalize

import snowballstemmer

from kontextwerk.context.model import Language, Span

WORD = re.compile(r"\w+(?:[.,]\d+)*")
_RUN = re.compile(r"\S+")
PIECE = 4
"""Letters of a piece. Three make no difference that counts (measured on German and English questions)."""
LEAST = 0.5
"""The least share of a term's pieces that counts as a meeting."""
_NOTHING: Mapping[str, float] = {}
_UMLAUTS = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_STEMMERS = {"de": snowballstemmer.stemmer("german"), "en": snowballstemmer.stemmer("english")}
_COMMON: dict[Language, str] = {
    "de": "der die das den dem des ein eine einer eines und oder ist sind war wird werden wie was wer wann wo warum "
    "welche welcher welches mit von für auf im in zu bei nicht ich man sich",
    "en": "the a an and or is are was were be do does did how what who when where why which with of for on in to at "
    "not i that it",
}
_FUNCTION_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}


def language_of(text: str, otherwise: Language = "de") -> Language:
    """Say whether a text is German or English, by its commonest words.

    Args:
        text: A question, or the beginning of a text: a few sentences tell.
        otherwise: What is said where neither shows.

    >>> language_of("Who was the first president?")
    'en'
    """
    words = [word.casefold() for word in WORD.findall(text)]
    german, english = (sum(word in _FUNCTION_WORDS[language] for word in words) for language in _FUNCTION_WORDS)
    return otherwise if german == english else "en" if english > german else "de"


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Return a word in the spelling in which words are compared: small letters, umlauts as their vowels.

    >>> fold("Auftragsklärung") == fold("AUFTRAGSKLAERUNG")
    True
    """
    plain = normalize("NFC", word).casefold().translate(_UMLAUTS)
    return plain.replace("ae", "a").replace("oe", "o").replace("ue", "u")


@lru_cache(maxsize=1 << 12)
def stem(word: str, language: Language) -> str:
    """Return a word's stem (Snowball), folded."""
    return fold(_STEMMERS[language].stemWord(normalize("NFC", word).casefold()))


@dataclass(frozen=True)
class Terms:
    """The words of a question.

    Attributes:
        stems: The stem of each word, in the question's order, each once.
        language: The question's.
        pairs: Every two stems that stand side by side.
    """

    stems: tuple[str, ...]
    language: Language
    pairs: frozenset[tuple[str, str]]

    @cached_property
    def _by_piece(self) -> Mapping[str, list[tuple[str, float]]]:
        """For each piece, the stems that have it, with the piece's share of each."""
        found: dict[str, list[tuple[str, float]]] = {}
        for own in self.stems:
            pieces = {own[start : start + PIECE] for start in range(len(own) - PIECE + 1)}
            for piece in pieces:
                found.setdefault(piece, []).append((own, 1 / len(pieces)))
        return found

    @cached_property
    def _short(self) -> Mapping[str, str]:
        """The stems that are too short for a piece, by their first two letters."""
        return {own[:2]: own for own in self.stems if len(own) < PIECE}

    @cached_property
    def meet(self) -> Callable[[str], Mapping[str, float]]:
        """From a folded word to the stems that it meets, and how well each, above 0 to 1; each word is tried once."""
        return lru_cache(maxsize=None)(self._meet)

    def _meet(self, word: str) -> Mapping[str, float]:
        met: dict[str, float] = {}
        by_piece = self._by_piece
        for start in range(len(word) - PIECE + 1):
            for own, share in by_piece.get(word[start : start + PIECE], ()):
                met[own] = met.get(own, 0.0) + share
        if word[:2] in self._short and len(word) < PIECE * 2 and (short := stem(word, self.language)) in self.stems:
            met[short] = 1.0
        return {own: min(share, 1.0) for own, share in met.items() if share >= LEAST} if met else _NOTHING

    def match(self, words: Iterable[str]) -> dict[str, float]:
        """Return the stems that any of these folded words meets, each with its best likeness."""
        best: dict[str, float] = {}
        for met in filter(None, map(self.meet, words)):
            for own, likeness in met.items():
                if likeness > best.get(own, 0.0):
                    best[own] = likeness
        return best

    def values(self, text: str, span: Span) -> list[tuple[int, int, float]]:
        """Return start, end and likeness to the question of each word in a stretch of text; of short words 0."""
        found = []
        for match in _RUN.finditer(text, *span):
            meetings = (self.meet(fold(word)) for word in WORD.findall(match.group()) if len(word) >= PIECE)
            found.append((*match.span(), max((share for met in meetings for share in met.values()), default=0.0)))
        return found

    def in_order(self, words: Sequence[str]) -> float:
        """Return the share of the question's neighbouring words that are neighbours here too, 0 to 1."""
        if not self.pairs:
            return 0.0
        found = {
            (left, right)
            for one, other in pairwise(map(self.meet, words))
            if one and other
            for left in one
            for right in other
            if (left, right) in self.pairs
        }
        return len(found) / len(self.pairs)


def terms(question: str) -> Terms:
    """Return the words of a question as terms."""
    language = language_of(question)
    stems = [stem(word, language) for word in WORD.findall(question)]
    return Terms(tuple(dict.fromkeys(stems)), language, frozenset(pairwise(stems)))
