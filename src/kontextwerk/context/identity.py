"""Which document a chunk is of, and what a reader calls it.

It leaves out everything that is not said by the chunk itself: files are not looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kontextwerk.context.labels import one_line
from kontextwerk.context.model import Chunk, Source

_SLASHES = re.compile(r"[/\\]+")


def document_of(item: Chunk | Source) -> str:
    """Return what tells documents apart: the identifier, else the path, the link without its anchor, or the title.

    Empty where nothing is known of the document.

    >>> document_of(Chunk("…", link="https://a.example/1#page=3")) == document_of(Chunk("…", link="https://a.example/1"))
    True
    """
    if item.document_id:
        return f"id {item.document_id}"
    if item.path:
        return f"path {item.path}"
    if item.link:
        return f"link {item.link.partition('#')[0]}"
    title = one_line(item.title)
    return f"title {title}" if title else ""


def names(chunks: Iterable[Chunk]) -> Mapping[str, str]:
    """Return what documents are called, by `document_of`, where that is not simply the title of each chunk.

    A document has one title, that of its first chunk that has any. Documents that share theirs are told apart by their
    paths, by as many of the last folders as it takes; without one, by their links. Where neither is known, the title
    stays as it is.
    """
    first: dict[str, Chunk] = {}
    several: set[str] = set()
    for chunk in chunks:
        document = document_of(chunk)
        known = first.setdefault(document, chunk)
        if document and known.title != chunk.title:
            several.add(document)
            first[document] = known if known.title else chunk
    by_title: defaultdict[str, dict[str, Chunk]] = defaultdict(dict)
    for document, chunk in first.items():
        if chunk.title:
            by_title[chunk.title][document] = chunk
    shared = (documents for documents in by_title.values() if len(documents) > 1)
    told_apart = {document: title for documents in shared for document, title in _told_apart(documents).items()}
    return {document: first[document].title for document in several} | told_apart


def _told_apart(documents: Mapping[str, Chunk]) -> dict[str, str]:
    paths = [_SLASHES.split(chunk.path) for chunk in documents.values()]
    return {
        document: _longer(chunk, own, [path for other, path in enumerate(paths) if other != place])
        for place, ((document, chunk), own) in enumerate(zip(documents.items(), paths, strict=True))
    }


def _longer(chunk: Chunk, path: Sequence[str], others: Sequence[Sequence[str]]) -> str:
    """Return the title with what tells it apart."""
    for folders in range(1, len(path)):
        end = path[-folders - 1 :]
        if all(other[-folders - 1 :] != end for other in others):
            return f"{'/'.join(end[:-1])}/{chunk.title}"
    return f"{chunk.title} ({chunk.link})" if chunk.link else chunk.title
