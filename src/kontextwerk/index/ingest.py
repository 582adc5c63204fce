"""Documents into the index: what is new or changed is read, split, embedded and stored; what is gone is taken away.

It may be interrupted at any moment. Whatever was stored by then counts, the next run does the rest, and the index is
then as if nothing had happened. Documents are taken one at a time and chunks in small batches, so that memory stays
bounded. It leaves out how the index is searched: see `search`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from kontextwerk.characters import encodable
from kontextwerk.context.errors import DocumentError, MissingExtraError
from kontextwerk.documents import Document, read, split
from kontextwerk.index.embedding import Embedder, RefusedError, batches
from kontextwerk.index.files import Failure, Found, find, gone
from kontextwerk.index.points import (
    DocumentState,
    Origin,
    document_id,
    documents,
    fingerprint,
    held_chunks,
    make_points,
    shown,
)
from kontextwerk.index.store import Store
from kontextwerk.settings import Settings

BATCH = 16
"""How many chunks are embedded and stored at once: a few seconds' work, the most that an interruption costs."""

Outcome: TypeAlias = Literal["added", "changed", "unchanged"]


@dataclass(frozen=True, slots=True)
class Report:
    """What an ingest did; paths are absolute and in order.

    Attributes:
        added: Documents that were not in the index, or not as a whole.
        changed: Documents of which another version was in the index.
        unchanged: Documents that the index already held as they are.
        removed: Documents that are gone, and their chunks with them.
        failed: What could not be read; the chunks that the index held of it stay.
        chunks_embedded: How many chunks were embedded and stored.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    failed: tuple[Failure, ...]
    chunks_embedded: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an ingest is.

    Attributes:
        path: The document in hand.
        chunks_done: How many of its chunks are stored.
        chunks_total: How many it has; 0 while it is being read.
        documents_done: How many documents are done.
        documents_total: How many there are.
    """

    path: str
    chunks_done: int
    chunks_total: int
    documents_done: int
    documents_total: int


@dataclass(frozen=True, slots=True)
class _Work:
    """What is the same for every document of a run."""

    store: Store
    embedder: Embedder
    settings: Settings
    states: dict[str, DocumentState]
    titles: Mapping[str, str]


def ingest(  # noqa: PLR0913  each argument is one choice
    paths: Iterable[Path],
    store: Store,
    embedder: Embedder,
    settings: Settings,
    *,
    progress: Callable[[Progress], None] | None = None,
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Report:
    """Bring the index in line with files and folders; documents that lie elsewhere are not touched.

    Args:
        paths: Files, and folders with all that is in and below them. A document in the index that lay at or below one
            of them and is there no more is removed.
        store: The index.
        embedder: What embeds the chunks.
        settings: How long chunks are, and in which language their words are stemmed.
        progress: Told before each document is read and after each batch of its chunks.
        titles: What documents are called, by path, where that is not the file's name.

    Raises:
        IndexingError: The index cannot be read or written.
        ModelError: The embedder failed. The next run goes on from there.
    """
    found = find(paths)
    work = _Work(store, embedder, settings, {state.document_id: state for state in documents(store)}, titles)
    removed = _remove(work, found)
    failed = [*found.failures, *_not_there(found, removed)]
    outcomes: dict[Outcome, list[str]] = {"added": [], "changed": [], "unchanged": []}
    embedded = 0
    files = sorted(found.files)
    for number, path in enumerate(files):
        tell = _teller(progress, shown(path), number, len(files))
        tell(0, 0)
        try:
            outcome, count = _take_in(path, work, tell)
        except (DocumentError, RefusedError) as error:
            failed.append(Failure(shown(path), error.reason, error.mend))
        else:
            outcomes[outcome].append(shown(path))
            embedded += count
    return Report(
        added=tuple(outcomes["added"]),
        changed=tuple(outcomes["changed"]),
        unchanged=tuple(outcomes["unchanged"]),
        removed=removed,
        failed=tuple(sorted(failed, key=lambda failure: failure.path)),
        chunks_embedded=embedded,
    )


def _remove(work: _Work, found: Found) -> tuple[str, ...]:
    """Take away the documents that are gone, and return their paths."""
    removed = [state for state in work.states.values() if gone(Path(state.path), found)]
    for state in removed:
        work.store.delete(state.document_id)
    return tuple(state.path for state in removed)


def _not_there(found: Found, removed: tuple[str, ...]) -> list[Failure]:
    """Return a failure for each path at which there is nothing, unless documents of the index lay there."""
    lay_there = {parent for path in map(Path, removed) for parent in (path, *path.parents)}
    missing = sorted(found.missing - lay_there)
    return [Failure(shown(path), "there is no such file or folder", "Check the path") for path in missing]


def _teller(
    progress: Callable[[Progress], None] | None, path: str, number: int, total: int
) -> Callable[[int, int], None]:
    """Return what takes how many of a document's chunks are stored and how many it has, and passes it on."""

    def tell(chunks_done: int, chunks_total: int) -> None:
        if progress:
            progress(Progress(path, chunks_done, chunks_total, number, total))

    return tell


def _take_in(path: Path, work: _Work, tell: Callable[[int, int], None]) -> tuple[Outcome, int]:
    """Store what the index lacks of a document; return what became of it, and how many chunks were embedded.

    The fingerprint is taken before the text, so that a file which changes in between is taken in again the next time.
    New chunks come before stale ones go: what an interruption leaves is never taken for complete.
    """
    name = document_id(path)
    made_from = fingerprint(path, work.embedder, work.settings)
    state = work.states.get(name)
    if state and state.complete and state.fingerprint == made_from:
        return "unchanged", 0
    document = _read(path)
    chunks = split(document, document_id=name, max_chars=work.settings.chunk_chars)
    origin = Origin(
        name,
        encodable(work.titles.get(shown(path), document.title)),
        shown(path),
        made_from,
        work.embedder.name,
        work.settings.language,
        len(chunks),
    )
    held = held_chunks(work.store, origin) if state else frozenset()
    missing = [index for index in range(len(chunks)) if index not in held]
    done = len(chunks) - len(missing)
    tell(done, len(chunks))
    for batch in batches(missing, BATCH):
        work.store.upsert(make_points({index: chunks[index] for index in batch}, work.embedder, origin))
        done += len(batch)
        tell(done, len(chunks))
    if state:
        work.store.delete(name, start=len(chunks))
    return ("changed" if state and state.fingerprint != made_from else "added"), len(missing)


def _read(path: Path) -> Document:
    """Read a file; that the library for its format is missing concerns this file, not the others."""
    try:
        return read(path)
    except MissingExtraError as error:
        raise DocumentError(shown(path), f"{error.thing} {error.reason}", error.mend) from error
