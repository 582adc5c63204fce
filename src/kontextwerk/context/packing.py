"""What fits the budget, by score.

By score, chunks enter whole, best first. The best one that does not fit enters in part, cut between sentences and
marked `[…]`; smaller ones after it may still enter whole. Only a sentence larger than the whole budget is cut between
words, or inside one between graphemes. It leaves out a question: see `choosing`; and the finished text's exact count:
see `assemble`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import regex

from kontextwerk.context.budget import most
from kontextwerk.context.cutting import cut, joined
from kontextwerk.context.format import Format
from kontextwerk.context.identity import document_of
from kontextwerk.context.labels import Labels, one_line
from kontextwerk.context.model import Counter, Language, Passage, Span
from kontextwerk.context.neighbours import Part, Region
from kontextwerk.context.plain import PLAIN
from kontextwerk.context.selection import Candidate
from kontextwerk.context.sentences import sentences
from kontextwerk.context.words import language_of

_WORD = re.compile(r"\w")
BEGINNING = 400
"""Characters that show a text's language."""


@dataclass(frozen=True, slots=True)
class Portion:
    """What of a region enters the context.

    Attributes:
        region: The region.
        kept: Start and end of what enters, in characters of the region's text, in order, without overlap.
        ends: Positions of the region's text at which nothing is marked as left out, though there is more text.
    """

    region: Region
    kept: tuple[Span, ...]
    ends: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        """The wording, `[…]` where something was left out."""
        return cut(self.region.text, self.kept, self.ends)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The chunks of which something stands, best first."""
        return tuple(part for part in self.region.parts if self._overlaps(part.span))

    @property
    def best(self) -> Candidate:
        """The best chunk of which something stands."""
        return next(part.candidate for part in self.region.parts if self._overlaps(part.span))

    @property
    def says_nothing(self) -> bool:
        """Whether no word stands, such as marks of what was sent before, though there are words in the region."""
        text = self.region.text
        return not any(_WORD.search(text, *span) for span in self.kept) and _WORD.search(text) is not None

    def holds(self, span: Span) -> bool:
        """Say whether all of a stretch stands, white space at its ends aside."""
        stretch = self.region.text[slice(*span)]
        first, last = span[0] + len(stretch) - len(stretch.lstrip()), span[0] + len(stretch.rstrip())
        return any(start <= first and last <= end for start, end in self.kept)

    def _overlaps(self, span: Span) -> bool:
        text = self.region.text
        return any(text[max(start, span[0]) : min(end, span[1])].strip() for start, end in self.kept)


@dataclass(frozen=True, slots=True)
class Form:
    """How passages are written, and with which counter their cost is counted.

    Attributes:
        counter: From text to tokens.
        labels: The words in headers.
        language: That of the labels, and of texts that show none.
        format: How they are put together.
        max_tokens: The whole budget.
        titles: What documents are called that share a title, or have several; see `names`.
    """

    counter: Counter
    labels: Labels
    language: Language
    max_tokens: int
    format: Format = PLAIN
    titles: Mapping[str, str] = field(default_factory=dict)

    def passage(self, portion: Portion, number: int) -> Passage:
        """Return the portion as a passage with this number."""
        return Passage(number, self.title(portion.region), portion.text)

    def title(self, region: Region) -> str:
        """Return the title in a passage's header."""
        chunk = region.best.chunk
        title = self.titles.get(document_of(chunk), chunk.title) if self.titles else chunk.title
        return one_line(title) or self.labels.unknown

    def cost(self, passage: Passage, *, last: bool = True) -> int:
        """Return the tokens of a passage under its header; with the separator behind it where it is not the last."""
        block = self.format.block(passage, self.labels.source)
        return self.counter(block if last else block + self.format.separator)

    def language_of(self, text: str) -> Language:
        """Return in which language a text is written, as its beginning shows; that of the labels where it does not."""
        return language_of(text[:BEGINNING], self.language)

    def is_oversized(self, portion: Portion) -> bool:
        """Say whether a portion alone is larger than the whole budget."""
        block = self.format.block(self.passage(portion, 1), self.labels.source)
        return self.counter(self.format.opening + block + self.format.closing) > self.max_tokens

    def head_cost(self, region: Region) -> int:
        """Return the tokens of what stands around a region's text."""
        head = self.format.head(1, self.title(region), self.labels.source)
        return self.counter(head) + (self.counter(self.format.tail) if self.format.tail else 0)

    def text_cost(self, text: str) -> int:
        """Return the tokens of a text as it is written in a passage."""
        return self.counter(self.format.body(text, self.labels.source))


def pack(regions: Sequence[Region], max_tokens: int, form: Form) -> tuple[Portion, ...]:
    """Fill a budget with the best chunks.

    Args:
        regions: Best first.
        max_tokens: The budget. Sums of counts guide the choice, so the finished text may be a few tokens off.
        form: How passages are written and counted.

    Returns:
        What enters of each region, in the order in which the regions' first chunks entered.
    """
    portions: dict[int, Portion] = {}
    # Where not even the shortest header fits, the rest need not be counted.
    left, least, in_part = max_tokens, form.counter(form.format.head(1, "", form.labels.source).strip()), True
    for part, index in _by_rank(regions):
        if left <= least:
            break
        before = portions.get(index)
        whole = _with(before, regions[index], [part.span], part)
        cost = _added(before, whole, len(portions) + 1, form)
        if cost > left:
            beginning = _beginning(before, part, whole, left, form) if in_part else None
            if beginning is None:
                continue
            in_part, whole = False, beginning
            cost = _added(before, whole, len(portions) + 1, form)
        portions[index] = whole
        # The passage is the last one until another enters: its separator is paid then.
        left -= cost + (0 if before else form.counter(form.format.separator))
    return tuple(portions.values())


def _by_rank(regions: Sequence[Region]) -> Iterable[tuple[Part, int]]:
    parts = ((part, index) for index, region in enumerate(regions) for part in region.parts)
    return sorted(parts, key=lambda pair: pair[0].candidate.rank)


def _with(before: Portion | None, region: Region, spans: Iterable[Span], part: Part) -> Portion:
    """Return the portion with these spans of a part added; at the part's own ends nothing of ours was left out."""
    kept = (*before.kept, *spans) if before else spans
    ends = before.ends if before else frozenset[int]()
    return Portion(region, joined(kept, region.text), ends | frozenset(part.span))


def _added(before: Portion | None, after: Portion, number: int, form: Form) -> int:
    """Return about how many tokens a portion takes more than before: exactly, where it is new."""
    if before is None:
        return form.cost(form.passage(after, number))
    text = after.region.text
    return sum(form.text_cost(text[slice(*span)]) for span in _difference(after.kept, before.kept))


def _difference(spans: Iterable[Span], taken: Sequence[Span]) -> Iterable[Span]:
    """Yield what of the spans is in none of those taken."""
    for start, end in spans:
        cursor = start
        for first, last in taken:
            if first < end and last > cursor:
                if first > cursor:
                    yield cursor, first
                cursor = last
        if cursor < end:
            yield cursor, end


def _beginning(before: Portion | None, part: Part, whole: Portion, left: int, form: Form) -> Portion | None:
    """Return as many of the part's first sentences as fit; of one larger than the whole budget, its first words."""
    region, (start, end) = whole.region, part.span
    spans = [
        (start + first, start + last)
        for first, last in sentences(region.text[start:end], form.language_of(region.text))
    ]

    def beginning(n: int) -> Portion:
        return _with(before, region, [(spans[0][0], spans[n - 1][1])], part)

    def fits(portion: Portion) -> bool:
        return _added(before, portion, 1, form) <= left

    kept = most(len(spans) - 1, lambda n: fits(beginning(n)))
    # A beginning without a word, such as a mark of what was sent before, is none.
    if kept and _WORD.search(region.text, start, spans[kept - 1][1]):
        return beginning(kept)
    if before is not None or not form.is_oversized(beginning(1)):
        return None
    return first_words(lambda last: _with(None, region, [(spans[0][0], last)], part), spans[0], region.text, fits)


def first_words(
    portion: Callable[[int], Portion], sentence: Span, text: str, fits: Callable[[Portion], bool]
) -> Portion | None:
    """Return the beginning of a sentence up to a word, or up to a grapheme of its first word, as far as it fits."""
    words = [match.end() for match in regex.finditer(r"\S+", text, pos=sentence[0], endpos=sentence[1])]
    graphemes = [match.end() for match in regex.finditer(r"\X", text, pos=sentence[0], endpos=words[0])]
    for ends in (words, graphemes):
        kept = most(len(ends) - 1, lambda n, ends=ends: fits(portion(ends[n - 1])))  # type: ignore[misc]
        if kept:
            return portion(ends[kept - 1])
    return None
