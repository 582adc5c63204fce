"""Overlapping, contained and adjacent chunks of one document, as one region of its text, the overlap once.

Offsets are believed only where the texts agree with them; otherwise the longest end of one chunk that begins another
decides. It leaves out which parts of a region enter the context: see `packing`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kontextwerk.context.model import Span
from kontextwerk.context.selection import Candidate

TOUCHING = 2
"""Chunks of one document with at most so many characters between them are adjacent: a blank line, not a word."""
OVERLAP = 24
"""The shortest common end and beginning, in characters, that shows without offsets that two chunks overlap."""


@dataclass(frozen=True, slots=True)
class Part:
    """A candidate within a region.

    Attributes:
        candidate: The candidate.
        span: Where its text stands in the region's text.
    """

    candidate: Candidate
    span: Span


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of one document's text that chunks cover without a gap.

    Attributes:
        text: The wording.
        parts: The candidates that it is made of, best first.
    """

    text: str
    parts: tuple[Part, ...]

    @property
    def best(self) -> Candidate:
        """The candidate with the best score."""
        return self.parts[0].candidate


def regions(candidates: Sequence[Candidate]) -> tuple[Region, ...]:
    """Make one region of the chunks of a document that overlap or touch.

    Args:
        candidates: Best first.

    Returns:
        The regions in the order of their best candidate. Every candidate is a part of exactly one.
    """
    documents: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        # Without an identifier nothing says that two chunks are of one document.
        own = candidate.chunk.document_id or f"\0{candidate.hit}"
        documents.setdefault(own, []).append(candidate)
    found = (region for group in documents.values() for region in _merged(group))
    ranked = (replace(region, parts=tuple(sorted(region.parts, key=_rank))) for region in found)
    return tuple(sorted(ranked, key=lambda region: region.best.rank))


def _rank(part: Part) -> int:
    return part.candidate.rank


def _merged(group: Iterable[Candidate]) -> list[Region]:
    """Join the chunks of one document in its order; a chunk without offsets is tried on the regions by its text."""
    placed = sorted((item for item in group if item.chunk.span), key=lambda item: (item.chunk.span, item.hit))
    joined: list[Region] = []
    end = 0
    for candidate in placed:
        start, stop = candidate.chunk.span or (0, 0)
        region = _join(joined[-1], candidate, start - end) if joined else None
        if region is None:
            joined.append(_alone(candidate))
            end = stop
        else:
            joined[-1] = region
            end = max(end, stop)
    for candidate in (item for item in group if not item.chunk.span):
        _place_by_text(joined, candidate)
    return joined


def _alone(candidate: Candidate) -> Region:
    return Region(candidate.text, (Part(candidate, (0, len(candidate.text))),))


def _join(region: Region, candidate: Candidate, distance: int) -> Region | None:
    """Return the region with the candidate at this distance from its end (negative: overlapping), or None.

    Where the offsets say that they overlap but the texts do not agree, the texts decide.
    """
    text = candidate.text
    if 0 <= distance <= TOUCHING:
        # What stood between them was white space: chunks are cut there, and a word cannot be that short on both sides.
        between = "" if distance == 0 else " " if distance == 1 else "\n\n"
        return _extended(region, candidate, len(region.text) + len(between), region.text + between + text)
    if distance < 0:
        start = len(region.text) + distance
        if start >= 0 and region.text[start : start + len(text)] == text[: len(region.text) - start]:
            return _extended(region, candidate, start, region.text[:start] + max(text, region.text[start:], key=len))
        return _by_text(region, candidate)
    return None


def _place_by_text(joined: list[Region], candidate: Candidate) -> None:
    """Join a chunk without offsets to the first region that it overlaps by its text, or put it beside them."""
    for index, region in enumerate(joined):
        longer = _by_text(region, candidate)
        if longer is not None:
            joined[index] = longer
            return
    joined.append(_alone(candidate))


def _by_text(region: Region, candidate: Candidate) -> Region | None:
    """Join by wording: contained, or the end of one the beginning of the other; None where neither."""
    text = candidate.text
    inside = region.text.find(text)
    if inside >= 0:
        return _extended(region, candidate, inside, region.text)
    after = overlap(region.text, text)
    if after >= OVERLAP:
        return _extended(region, candidate, len(region.text) - after, region.text + text[after:])
    before = overlap(text, region.text)
    if before >= OVERLAP:
        shift = len(text) - before
        moved = tuple(replace(part, span=(part.span[0] + shift, part.span[1] + shift)) for part in region.parts)
        return _extended(Region(region.text, moved), candidate, 0, text[:shift] + region.text)
    return None


def _extended(region: Region, candidate: Candidate, start: int, text: str) -> Region:
    part = Part(candidate, (start, start + len(candidate.text)))
    return Region(text, (*region.parts, part))


def overlap(left: str, right: str) -> int:
    """Return the length of the longest end of `left` that begins `right`, in characters.

    Linear in time: the failure function of Knuth, Morris and Pratt (1977), over no more than the shorter text.

    >>> overlap("Die Frist beginnt.", "beginnt. Danach")
    8
    """
    longest = min(len(left), len(right))
    if not longest or right[0] not in left[-longest:]:
        return 0
    pattern, text = right[:longest], left[-longest:]
    failure = [0] * longest
    matched = 0
    for index in range(1, longest):
        while matched and pattern[index] != pattern[matched]:
            matched = failure[matched - 1]
        matched += pattern[index] == pattern[matched]
        failure[index] = matched
    matched = 0
    for index, character in enumerate(text):
        while matched and (matched == longest or character != pattern[matched]):
            matched = failure[matched - 1]
        matched += character == pattern[matched]
        if matched == longest and index < longest - 1:
            matched = failure[matched - 1]
    return matched
