"""What fits the budget.

Candidates enter whole, best first. The best one that does not fit enters in part, cut between sentences and marked
`[…]`; smaller ones after it may still enter whole. Only a sentence larger than the whole budget is cut between words,
or inside one between graphemes. It leaves out the finished text's exact count: see `assemble`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from kontextwerk.context.budget import most
from kontextwerk.context.model import Counter, Decision, Language, Passage, Span
from kontextwerk.context.rendering import ELISION, SEPARATOR, Labels, block, one_line
from kontextwerk.context.selection import Candidate, decide
from kontextwerk.context.sentences import sentences


@dataclass(frozen=True, slots=True)
class Packed:
    """A candidate that enters, as a passage.

    Attributes:
        candidate: Where it comes from.
        passage: What stands in the context.
        whole: Whether nothing was left out.
    """

    candidate: Candidate
    passage: Passage
    whole: bool


@dataclass(frozen=True, slots=True)
class Form:
    """How passages are written, and with which counter their cost is counted.

    Attributes:
        counter: From text to tokens.
        labels: The words in headers.
        language: Whose sentences they are.
    """

    counter: Counter
    labels: Labels
    language: Language

    def passage(self, candidate: Candidate, number: int, text: str) -> Passage:
        """Return the candidate as a passage with this number and text."""
        return Passage(number, one_line(candidate.chunk.title) or self.labels.unknown, text)

    def cost(self, passage: Passage, *, last: bool = True) -> int:
        """Return the tokens of a passage under its header; with the separator behind it where it is not the last."""
        return self.counter(block(passage, self.labels.source) + ("" if last else SEPARATOR))


def pack(
    candidates: Sequence[Candidate], max_tokens: int, form: Form
) -> tuple[tuple[Packed, ...], tuple[Decision, ...]]:
    """Choose what enters a budget.

    Args:
        candidates: Best first.
        max_tokens: The budget. Sums of counts guide the choice, so the finished text may be a few tokens off.
        form: How passages are written and counted.

    Returns:
        What enters, best first, numbered from 1; and a decision for each candidate that does not.
    """
    packed: list[Packed] = []
    decisions: list[Decision] = []
    # Where not even the shortest header fits, the rest need not be counted.
    left, least = max_tokens, form.counter(f"[{form.labels.source} 1: ]")
    for candidate in candidates:
        in_part = all(item.whole for item in packed)
        try_it = left > least
        entered = _enter(candidate, len(packed) + 1, (left, max_tokens), form, in_part=in_part) if try_it else None
        if entered is None:
            reason = f"More than the {max(left, 0)} tokens that were left"
            decisions.append(decide(candidate.hit, candidate.chunk, "over_budget", max(left, 0), reason=reason))
        else:
            packed.append(entered)
            left -= form.cost(entered.passage, last=False)
    return tuple(packed), tuple(decisions)


def _enter(candidate: Candidate, number: int, budget: tuple[int, int], form: Form, *, in_part: bool) -> Packed | None:
    """Return the candidate whole or in part, whichever fits what is left of the budget, or None."""
    left, whole_budget = budget
    passage = form.passage(candidate, number, candidate.text)
    if form.cost(passage) <= left:
        return Packed(candidate, passage, whole=True)
    if not in_part:
        return None

    def fits(text: str, tokens: int = left) -> bool:
        return form.cost(form.passage(candidate, number, text)) <= tokens

    text = _beginning(candidate.text, form.language, fits, lambda text: fits(text, whole_budget))
    return None if text is None else Packed(candidate, form.passage(candidate, number, text), whole=False)


def _beginning(
    text: str, language: Language, fits: Callable[[str], bool], fits_alone: Callable[[str], bool]
) -> str | None:
    """Return as many sentences from the beginning as fit; of a first one larger than the whole budget, its words."""
    spans = sentences(text, language)
    kept = most(len(spans) - 1, lambda n: fits(cut(text, spans, range(n))))
    if kept:
        return cut(text, spans, range(kept))
    first = text[slice(*spans[0])]
    if fits_alone(f"{first} {ELISION}" if len(spans) > 1 else first):
        return None
    return _first_words(first, fits)


def cut(text: str, spans: Sequence[Span], kept: Sequence[int]) -> str:
    """Return the sentences with these indices in the text's order, `[…]` where others stood between, before or after.

    >>> cut("Eins. Zwei. Drei.", [(0, 5), (6, 11), (12, 17)], [0, 2])
    'Eins. […] Drei.'
    """
    if not kept:
        return ""
    parts = ["" if kept[0] == 0 else f"{ELISION} ", text[slice(*spans[kept[0]])]]
    for before, index in pairwise(kept):
        parts.append(text[spans[before][1] : spans[index][0]] if index == before + 1 else f" {ELISION} ")
        parts.append(text[slice(*spans[index])])
    if kept[-1] != len(spans) - 1:
        parts.append(f" {ELISION}")
    return "".join(parts)


def _first_words(sentence: str, fits: Callable[[str], bool]) -> str | None:
    """Return the beginning of a sentence up to a word, or up to a grapheme of its first word, as far as it fits."""
    for pattern in (r"\S+", r"\X"):
        ends = [match.end() for match in regex.finditer(pattern, sentence)]

        def beginning(n: int, ends: list[int] = ends) -> str:
            return f"{sentence[: ends[n - 1]]} {ELISION}"

        kept = most(len(ends) - 1, lambda n, beginning=beginning: fits(beginning(n)))  # type: ignore[misc]
        if kept:
            return beginning(kept)
    return None
