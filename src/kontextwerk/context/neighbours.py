"""Overlapping, contained and adjacent chunks of one document, as one region of its text, the overlap once.

Offsets are believed only where the texts agree with them; otherwise the texts decide: see `overlaps`. It leaves out
which parts of a region enter the context: see `packing`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kontextwerk.context.identity import document_of
from kontextwerk.context.model import Chunk, Span
from kontextwerk.context.overlaps import laid_out
from kontextwerk.context.selection import Candidate

TOUCHING = 2
"""Chunks of one document with at most so many characters between them are adjacent: a blank line, not a word."""


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
        # Where nothing is known of the document, nothing says that two chunks are of one.
        documents.setdefault(document_of(candidate.chunk) or f"hit {candidate.hit}", []).append(candidate)
    found = (region for document, group in documents.items() for region in _merged(document, group))
    ranked = (replace(region, parts=tuple(sorted(region.parts, key=_rank))) for region in found)
    return tuple(sorted(ranked, key=lambda region: region.best.rank))


def stretch(chunk: Chunk) -> Span | None:
    """Return where a chunk's text stands in its document's: white space that was cut off its end is no part of it.

    None where it has no offsets, or they are those of another text.

    >>> stretch(Chunk("Ende.", span=(10, 16)))
    (10, 15)
    """
    if chunk.span is None:
        return None
    start, end = chunk.span
    cut_off = end - start - len(chunk.text)
    return (start, end - cut_off) if 0 <= cut_off <= TOUCHING else None


def _rank(part: Part) -> int:
    return part.candidate.rank


def _merged(document: str, group: Sequence[Candidate]) -> Sequence[Region]:
    """Join the chunks of one document: by their offsets in its order, and by their texts where there are none.

    Of a document that is known by its title alone offsets say nothing: there may be two of that title.
    """
    if len(group) == 1:
        return [_alone(group[0])]
    trusted = not document.startswith("title ")
    stretches = {item.hit: own for item in group if trusted and (own := stretch(item.chunk))}
    placed = sorted((item for item in group if item.hit in stretches), key=lambda item: (stretches[item.hit], item.hit))
    joined: list[Region] = []
    end = 0
    for candidate in placed:
        start, stop = stretches[candidate.hit]
        region = _join(joined[-1], candidate, start - end) if joined else None
        if region is None:
            joined.append(_alone(candidate))
            end = stop
        else:
            joined[-1] = region
            end = max(end, stop)
    if len(placed) == len(group):
        return joined
    return _merged_by_text([*joined, *(_alone(item) for item in group if item.hit not in stretches)])


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
        both = _merged_by_text([region, _alone(candidate)])
        return both[0] if len(both) == 1 else None
    return None


def _extended(region: Region, candidate: Candidate, start: int, text: str) -> Region:
    part = Part(candidate, (start, start + len(candidate.text)))
    return Region(text, (*region.parts, part))


def _merged_by_text(found: Sequence[Region]) -> Sequence[Region]:
    """Join regions of one document that overlap by their texts."""
    return [
        Region(text, tuple(_moved(part, start) for index, start in members for part in found[index].parts))
        for text, members in laid_out([region.text for region in found])
    ]


def _moved(part: Part, by: int) -> Part:
    return replace(part, span=(part.span[0] + by, part.span[1] + by)) if by else part
