"""Chunks as points of the index: their identifiers, their payloads, and the fingerprint that says what made them.

The state of a document lies in its points and nowhere else, so that no interruption can part the two: each point says
how many chunks its document has, and the fingerprint of what they were made from. A document is complete when as many
points of one fingerprint are there, and no others. It leaves out when points are made: see `ingest`.
"""

import hashlib
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from kontextwerk.characters import encodable
from kontextwerk.context.errors import DocumentError
from kontextwerk.context.model import Chunk, Language
from kontextwerk.index.embedding import Embedder
from kontextwerk.index.store import Point, Store
from kontextwerk.index.terms import document_terms
from kontextwerk.settings import Settings

VERSION = 2
"""Raise it when reading, splitting, the payload or the terms change: every document is then made anew."""

_NAMESPACE = UUID("5f1c2b7e-6c1d-5a64-9b39-3f0f5a1f7c11")
_STATE_FIELDS = ("document_id", "document_title", "path", "fingerprint", "chunk_count", "page_last")


@dataclass(frozen=True, slots=True)
class DocumentState:
    """What the index holds of a document.

    Attributes:
        document_id: Its identifier, made from its path.
        title: Its title.
        path: Where it lies, absolute.
        pages: The last page that holds text, from 1; 0 for formats without pages.
        chunks: How many of its chunks are stored.
        complete: Whether exactly the chunks of one version of the file are stored.
        fingerprint: What they were made from; empty where they stem from more than one version.
    """

    document_id: str
    title: str
    path: str
    pages: int
    chunks: int
    complete: bool
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What a document's points have in common.

    Attributes:
        document_id: Made from its path.
        title: The document's title.
        path: Where it lies, absolute.
        fingerprint: What the points are made from.
        embedder: Whose vectors they hold.
        language: Whose stems their terms are.
        chunk_count: How many points the document has.
    """

    document_id: str
    title: str
    path: str
    fingerprint: str
    embedder: str
    language: Language
    chunk_count: int


def documents(store: Store) -> list[DocumentState]:
    """Return the state of every document in the index, by path.

    Raises:
        IndexingError: The index cannot be read.
    """
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    for payload in store.payloads(_STATE_FIELDS):
        if payload.get("document_id"):
            tallies[payload["document_id"]].add(payload)
    return sorted((tally.state(name) for name, tally in tallies.items()), key=lambda state: (state.path, state.title))


def document_id(path: Path) -> str:
    """Return the identifier of the document at an absolute path."""
    return str(uuid5(_NAMESPACE, shown(path)))


def shown(path: Path) -> str:
    r"""Return a path as text that can be stored: bytes that are no UTF-8 become escapes such as `\xff`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def fingerprint(path: Path, embedder: Embedder, settings: Settings) -> str:
    """Return what identifies the points of a file: its bytes, and all that has a part in making points of them.

    Raises:
        DocumentError: The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DocumentError(shown(path), error.strerror or str(error), "Check that it can be read") from error
    parts = (str(VERSION), str(settings.chunk_chars), settings.language, embedder.name, digest)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def held_chunks(store: Store, origin: Origin) -> frozenset[int]:
    """Return which chunks of a document the store holds as they are to be, by their index."""
    fields = ("fingerprint", "chunk_count", "chunk_index")
    return frozenset(
        payload["chunk_index"]
        for payload in store.payloads(fields, document_id=origin.document_id)
        if (payload.get("fingerprint"), payload.get("chunk_count")) == (origin.fingerprint, origin.chunk_count)
    )


def make_points(chunks: Mapping[int, Chunk], embedder: Embedder, origin: Origin) -> list[Point]:
    """Embed chunks of a document, given by their index, and make their points.

    Raises:
        ModelError: The embedder failed.
    """
    vectors = embedder.passages([chunk.text for chunk in chunks.values()])
    return [
        Point(
            id=str(uuid5(UUID(origin.document_id), str(index))),
            dense=vector,
            terms=document_terms(chunk.text, origin.language),
            payload=_payload(chunk, index, origin),
        )
        for (index, chunk), vector in zip(chunks.items(), vectors, strict=True)
    ]


def _payload(chunk: Chunk, index: int, origin: Origin) -> dict[str, Any]:
    first, last = chunk.pages or (None, None)
    first_label, last_label = chunk.page_labels or (None, None)
    start, end = chunk.span or (None, None)
    return {
        "content": encodable(chunk.text),
        "document_title": origin.title,
        "document_id": origin.document_id,
        "path": origin.path,
        "chunk_index": index,
        "chunk_count": origin.chunk_count,
        "start": start,
        "end": end,
        "page_first": first,
        "page_last": last,
        "page_label_first": first_label,
        "page_label_last": last_label,
        "section": [encodable(heading) for heading in chunk.section],
        "fingerprint": origin.fingerprint,
        "embedder": origin.embedder,
        "language": origin.language,
    }


class _Tally:
    """Counts the points of one document."""

    def __init__(self) -> None:
        self.versions: set[tuple[str, int]] = set()
        self.chunks = self.pages = 0
        self.title = self.path = ""

    def add(self, payload: Mapping[str, Any]) -> None:
        self.versions.add((payload.get("fingerprint") or "", payload.get("chunk_count") or 0))
        self.chunks += 1
        self.pages = max(self.pages, payload.get("page_last") or 0)
        self.title = payload.get("document_title") or self.title
        self.path = payload.get("path") or self.path

    def state(self, name: str) -> DocumentState:
        made_from, expected = next(iter(self.versions)) if len(self.versions) == 1 else ("", -1)
        complete = self.chunks == expected
        return DocumentState(name, self.title, self.path, self.pages, self.chunks, complete, made_from)
