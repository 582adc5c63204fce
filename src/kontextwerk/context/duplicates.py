"""Equal and near-equal chunks, found in near-linear time.

Two texts are near-equal where nine tenths of their word triples are the same, case, white space and punctuation aside,
and the same numbers stand in both: "binnen 14 Tagen" is no twin of "binnen 10 Tagen". Only texts that share half of a
sample of their words are compared: near-equal texts share nearly all of it. It leaves out overlapping chunks of one
document: see `neighbours`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from unicodedata import normalize
from zlib import crc32

from kontextwerk.context.model import Counter as TokenCounter
from kontextwerk.context.selection import Candidate

LIKENESS = 0.9
"""The least share of common word triples (Jaccard) at which two texts count as one."""
_SAMPLE = 8
"""Words by which texts are found again: those with the smallest checksums, so that two texts draw alike (the bottom
sketch of Broder's MinHash, 1997)."""
_LONG = 7
_TRIED = 16
_WORD = re.compile(r"\w+")


REACH, LEAST = 2, 50
"""How much is looked at, best first: this many times the budget's worth of text, and at least so many chunks."""
FOCUS_REACH, FOCUS_LEAST = 8, 100
"""The same with a question: a chunk far down may answer it."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A candidate that stands in the context under another's number.

    Attributes:
        candidate: What is left out.
        twin: The hit that stands for it, by its place in the input.
        likeness: Share of common word triples, 0 to 1.
    """

    candidate: Candidate
    twin: int
    likeness: float


class _Text:
    """A text in the forms in which it is compared, each made when first asked for."""

    def __init__(self, candidate: Candidate) -> None:
        self.hit = candidate.hit
        self.text = candidate.text

    @cached_property
    def words(self) -> list[str]:
        """The words, case and punctuation aside."""
        return _WORD.findall(normalize("NFC", self.text).casefold())

    @cached_property
    def triples(self) -> frozenset[tuple[str, ...]]:
        """Every three words in a row; the words themselves where a single change would leave no triple in common."""
        few = len(self.words) < 8  # noqa: PLR2004
        return frozenset(zip(*(islice(self.words, start, None) for start in range(1 if few else 3)), strict=False))

    @cached_property
    def sample(self) -> list[str]:
        """Some of its words, the same ones in every text that has them; long ones, where there are enough."""
        words = set(self.text.casefold().split())
        long = [word for word in words if len(word) > _LONG]
        drawn = long if len(long) >= _SAMPLE else words
        return [word for _, word in sorted((crc32(word.encode("utf-8", "replace")), word) for word in drawn)[:_SAMPLE]]

    @cached_property
    def numbers(self) -> list[str]:
        """What must be the same in both."""
        return sorted(word for word in self.words if any(map(str.isdigit, word)))


def distinct(
    candidates: Sequence[Candidate], max_tokens: int, counter: TokenCounter, *, focused: bool
) -> tuple[tuple[Candidate, ...], tuple[Duplicate, ...]]:
    """Look closely at the best candidates, and keep the first of equal and near-equal ones.

    Args:
        candidates: Best first.
        max_tokens: The budget: enough of them to fill it several times are looked at.
        counter: From text to tokens.
        focused: Whether sentences are chosen from them.

    Returns:
        The candidates that stay, in order, and their duplicates.
    """
    reach, least = (FOCUS_REACH, FOCUS_LEAST) if focused else (REACH, LEAST)
    tokens = size = 0
    while True:
        while size < len(candidates) and (size < least or tokens <= reach * max_tokens):
            tokens += min(counter(candidates[size].text), max_tokens)
            size += 1
        kept, duplicates = drop_duplicates(candidates[:size])
        if size == len(candidates) or len(kept) * 2 >= size:
            return kept, duplicates
        # Most of it is the same: look further.
        reach, least = reach * 2, least * 2


def drop_duplicates(candidates: Sequence[Candidate]) -> tuple[tuple[Candidate, ...], tuple[Duplicate, ...]]:
    """Keep the first of equal and near-equal candidates.

    Args:
        candidates: Best first.

    Returns:
        The candidates that stay, in order, and the others with their twins.
    """
    kept: list[Candidate] = []
    duplicates: list[Duplicate] = []
    equal: dict[str, int] = {}
    by_word: dict[str, list[_Text]] = {}
    for candidate in candidates:
        key = " ".join(candidate.text.split())
        if key in equal:
            duplicates.append(Duplicate(candidate, equal[key], 1.0))
            continue
        equal[key] = candidate.hit
        text = _Text(candidate)
        telling = [known for word in text.sample if len(known := by_word.setdefault(word, [])) < _TRIED]
        sharing = Counter(other for others in telling for other in others)
        twin = _twin(text, (other for other, shared in sharing.items() if shared * 2 >= len(telling)))
        if twin is not None:
            duplicates.append(Duplicate(candidate, *twin))
            continue
        kept.append(candidate)
        for others in telling:  # a word in many different texts tells nothing
            others.append(text)
    return tuple(kept), tuple(duplicates)


def _twin(text: _Text, others: Iterable[_Text]) -> tuple[int, float] | None:
    """Return the hit most like this text and how like, or None where none is near-equal."""
    best: tuple[int, float] | None = None
    for other in others:
        common = len(text.triples & other.triples)
        likeness = common / max(len(text.triples) + len(other.triples) - common, 1)
        if likeness >= LIKENESS and text.numbers == other.numbers and (best is None or likeness > best[1]):
            best = other.hit, likeness
    return best
