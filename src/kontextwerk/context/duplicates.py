"""Equal and near-equal chunks, found in near-linear time.

Two texts are near-equal where nine tenths of their word triples are the same, case, white space and punctuation aside,
and the same numbers stand in both: "binnen 14 Tagen" is no twin of "binnen 10 Tagen". Only texts that share half of
their rarest words are compared: near-equal texts share nearly all. It leaves out overlapping chunks of one document:
see `neighbours`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from unicodedata import normalize

from kontextwerk.context.selection import Candidate

LIKENESS = 0.9
"""The least share of common word triples (Jaccard) at which two texts count as one."""
_RAREST = 4
_LONG = 5
_TRIED = 16
_WORD = re.compile(r"\w+")


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
    def numbers(self) -> list[str]:
        """What must be the same in both."""
        return sorted(word for word in self.words if any(map(str.isdigit, word)))


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
    rare_words = _rare_words(candidates)
    for candidate, rare in zip(candidates, rare_words, strict=True):
        key = " ".join(candidate.text.split())
        if key in equal:
            duplicates.append(Duplicate(candidate, equal[key], 1.0))
            continue
        equal[key] = candidate.hit
        text = _Text(candidate)
        sharing = Counter(other for word in rare for other in by_word.get(word, ()))
        twin = _twin(text, (other for other, shared in sharing.items() if shared * 2 >= len(rare)))
        if twin is not None:
            duplicates.append(Duplicate(candidate, *twin))
            continue
        kept.append(candidate)
        for word in rare:
            others = by_word.setdefault(word, [])
            if len(others) < _TRIED:  # a word in that many different texts tells nothing
                others.append(text)
    return tuple(kept), tuple(duplicates)


def _rare_words(candidates: Sequence[Candidate]) -> list[list[str]]:
    """Return each candidate's rarest words among all candidates; long ones, where there are any."""
    bags = []
    for candidate in candidates:
        words = set(candidate.text.casefold().split())
        # Sorted: the order of a set differs from run to run.
        bags.append(sorted(word for word in words if len(word) > _LONG) or sorted(words))
    frequency = Counter(word for bag in bags for word in bag)
    return [sorted(bag, key=frequency.__getitem__)[:_RAREST] for bag in bags]


def _twin(text: _Text, others: Iterable[_Text]) -> tuple[int, float] | None:
    """Return the hit most like this text and how like, or None where none is near-equal."""
    best: tuple[int, float] | None = None
    for other in others:
        common = len(text.triples & other.triples)
        likeness = common / max(len(text.triples) + len(other.triples) - common, 1)
        if likeness >= LIKENESS and text.numbers == other.numbers and (best is None or likeness > best[1]):
            best = other.hit, likeness
    return best
