"""The numbered entries that a person sees, read off what entered the context.

It leaves out numbers and order: see `numbering`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kontextwerk.context.labels import ELISION, one_line
from kontextwerk.context.model import Passage, Source, Span
from kontextwerk.context.neighbours import Part, stretch
from kontextwerk.context.packing import Portion

EXCERPT_CHARS = 200


def source_of(portion: Portion, passage: Passage, place: Span, tokens: int) -> Source:
    """Return the entry for a passage.

    Args:
        portion: What stands of a region.
        passage: The same as a passage.
        place: Where it stands in the context's text.
        tokens: What it costs there.
    """
    parts = portion.parts
    chunk, text = parts[0].candidate.chunk, portion.text
    ordered = sorted(parts, key=lambda part: part.span)
    pages, labels = _pages(ordered)
    return Source(
        number=passage.number,
        title=passage.title,
        pages=pages,
        page_labels=labels,
        section=chunk.section,
        link=chunk.link,
        path=chunk.path,
        score=chunk.score,
        excerpt=one_line(text, EXCERPT_CHARS),
        text=text,
        document_id=chunk.document_id,
        chunk_ids=tuple(part.candidate.chunk.id for part in ordered),
        spans=_spans(portion.kept, ordered),
        places=(place,),
        tokens=tokens,
    )


def together(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Make one entry of those with one number, in the order in which each number first appears."""
    by_number: dict[int, Source] = {}
    for source in sources:
        before = by_number.get(source.number)
        by_number[source.number] = _both(before, source) if before else source
    return tuple(by_number.values())


def _both(one: Source, other: Source) -> Source:
    """Return the entry for two passages of one document: the first one's, with what the second adds."""
    pages, labels = _range([(source.pages, source.page_labels) for source in (one, other) if source.pages])
    return replace(
        one,
        pages=pages,
        page_labels=labels,
        text=f"{one.text}\n\n{ELISION}\n\n{other.text}",
        chunk_ids=(*one.chunk_ids, *(own for own in other.chunk_ids if own not in one.chunk_ids)),
        spans=_joined([*one.spans, *other.spans]),
        places=(*one.places, *other.places),
        tokens=one.tokens + other.tokens,
    )


Labelled = tuple[Span | None, tuple[str, str] | None]
"""A range of pages, and what is printed on the first and the last."""


def _pages(parts: Iterable[Part]) -> Labelled:
    chunks = (part.candidate.chunk for part in parts)
    return _range([(chunk.pages, chunk.page_labels) for chunk in chunks if chunk.pages])


def _range(found: Sequence[Labelled]) -> Labelled:
    """Return the range from the first page to the last of all, and their labels."""
    known = [(pages, labels) for pages, labels in found if pages]
    if not known:
        return None, None
    (first, _), first_labels = min(known, key=lambda pair: pair[0][0])
    (_, last), last_labels = max(known, key=lambda pair: pair[0][1])
    labels = (first_labels[0], last_labels[1]) if first_labels and last_labels else None
    return (first, last), labels


def _spans(kept: Iterable[Span], parts: Sequence[Part]) -> tuple[Span, ...]:
    """Return what of the document stands, as far as its chunks' offsets fit their texts."""
    found = []
    for start, end in kept:
        for part in parts:
            own, (first, last) = stretch(part.candidate.chunk), part.span
            if own and first < end and last > start:
                shift = own[0] - first
                found.append((max(start, first) + shift, min(end, last) + shift))
    return _joined(found)


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Put spans in order, and make one of those that overlap or touch."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return tuple(result)
