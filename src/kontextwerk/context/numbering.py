"""In what order passages stand, and which numbers they have.

Numbers run from 1 in order of appearance. In a conversation a source keeps the number that it had in an earlier turn,
and a new one gets the next that was never given. It leaves out what enters: see `packing` and `choosing`.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from kontextwerk.context.context import Context
from kontextwerk.context.identity import document_of
from kontextwerk.context.model import Chunk, Numbering, Order, Source
from kontextwerk.context.neighbours import Region
from kontextwerk.context.packing import Portion


def ordered(portions: Sequence[Portion], order: Order) -> tuple[Portion, ...]:
    """Put portions in the order in which they stand.

    Args:
        portions: In any order.
        order: `relevance`: the best first. `document`: those of a document together and in its order, the document of
            the best first. `ends`: the best first, the second best last, and so on to the middle, since models read
            beginnings and ends more closely than the middle (Liu et al., Lost in the Middle, 2023).
    """
    best_first = sorted(portions, key=lambda portion: portion.best.rank)
    if order == "ends":
        return (*best_first[::2], *best_first[1::2][::-1])
    if order == "relevance":
        return tuple(best_first)
    documents: dict[str, list[Portion]] = {}
    for portion in best_first:
        best = portion.best
        documents.setdefault(document_of(best.chunk) or f"hit {best.hit}", []).append(portion)
    return tuple(portion for group in documents.values() for portion in sorted(group, key=_position))


def _position(portion: Portion) -> tuple[bool, int, int]:
    """Return where a portion stands in its document; those that do not say it come last."""
    starts = [part.candidate.chunk.span[0] for part in portion.region.parts if part.candidate.chunk.span]
    pages = [part.candidate.chunk.pages[0] for part in portion.region.parts if part.candidate.chunk.pages]
    rank = portion.best.rank
    if starts:
        return False, min(starts), rank
    return not pages, min(pages, default=0), rank


def numbers(
    portions: Iterable[Portion], numbering: Numbering, after: Context | None, title: Callable[[Region], str]
) -> tuple[int, ...]:
    """Give each portion, in the order in which they stand, its number.

    Args:
        portions: As they stand.
        numbering: Whether the passages of a document share a number.
        after: The context of the conversation's turn before; None where there is none.
        title: From a region to the title in its header.
    """
    known = (*after.sources, *after.earlier) if after else ()
    unused = count(max((source.number for source in known), default=0) + 1)
    given: dict[str, int] = {}
    taken: set[int] = set()
    found = []
    for portion in portions:
        best = portion.region.best
        document = document_of(best.chunk) or f"hit {best.hit}"
        if numbering == "document" and document in given:
            found.append(given[document])
            continue
        same = (source for source in known if source.number not in taken)
        number = next((source.number for source in same if _is_same(portion, source, numbering, title)), None)
        number = number or next(unused)
        taken.add(number)
        given[document] = number
        found.append(number)
    return tuple(found)


def _is_same(portion: Portion, source: Source, numbering: Numbering, title: Callable[[Region], str]) -> bool:
    """Say whether a source of an earlier turn stands for this portion: of its document, or with a chunk of it."""
    chunks = [part.candidate.chunk for part in portion.parts]
    document = document_of(chunks[0])
    # A source always has a title, though it be the word for an unknown one.
    if document_of(source) != (document or f"title {title(portion.region)}"):
        return False
    return (numbering == "document" and bool(document)) or any(stood_in(chunk, source) for chunk in chunks)


def stood_in(chunk: Chunk, source: Source) -> bool:
    """Say whether a chunk of the source's document is one of its own."""
    if chunk.id and any(source.chunk_ids):
        return chunk.id in source.chunk_ids
    if chunk.span and source.spans:
        return any(start < chunk.span[1] and end > chunk.span[0] for start, end in source.spans)
    return chunk.text.strip() in source.text
