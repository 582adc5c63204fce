"""The index in a folder: Qdrant's engine in the process.

One process at a time holds it, by a lock in its write-ahead log. Searches are exact: every vector is compared, 3 ms for
20,000 chunks on two cores. It leaves out a graph for approximate search, for which there is `server`, and giving back
the space of replaced chunks, 1.5 kB each.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from kontextwerk.context.errors import IndexingError, KontextwerkError, MissingExtraError
from kontextwerk.index.embedding import Embedder, Vector
from kontextwerk.index.store import DENSE, KEYS, MOST_VALUES, PAGE, SPARSE, Point, Ranked, absent, other_size
from kontextwerk.index.terms import Terms

try:
    import qdrant_edge as edge
except ImportError as missing:
    raise MissingExtraError("qdrant-edge-py", "index") from missing


def open_edge(folder: Path, embedder: Embedder, *, create: bool = False) -> "EdgeStore":
    """Open the index in a folder.

    Args:
        folder: Where it lies.
        embedder: Whose vectors it is to hold, where it is made.
        create: Make it where there is none.

    Raises:
        IndexingError: There is none, it is open elsewhere, damaged, or the folder cannot be written.
    """
    with _mapped(folder):
        if not folder.exists():
            if not create:
                raise absent(str(folder))
            _create(folder, embedder.size)
        return EdgeStore(edge.EdgeShard.load(str(folder)), folder)


class EdgeStore:
    """A `Store` in a folder.

    Args:
        shard: The open shard.
        folder: Where it lies.
    """

    def __init__(self, shard: "edge.EdgeShard", folder: Path) -> None:
        self._shard = shard
        self._folder = folder

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return str(self._folder)

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points; they are on disk when this returns."""
        rows = [
            edge.Point(UUID(point.id), {DENSE: point.dense.tolist(), SPARSE: _sparse(point.terms)}, point.payload)
            for point in points
        ]
        self._write(edge.UpdateOperation.upsert_points(rows))

    def delete(self, document_id: str, *, start: int = 0) -> None:
        """Take away a document's points from the chunk with the index `start` on; on disk when this returns."""
        later = [edge.FieldCondition("chunk_index", range=edge.RangeFloat(gte=start))] if start else []
        condition = edge.Filter(must=[_equals("document_id", [document_id]), *later])
        self._write(edge.UpdateOperation.delete_points_by_filter(condition))

    def payloads(self, fields: Sequence[str], *, document_id: str = "") -> Iterator[Mapping[str, Any]]:
        """Yield these fields of every point's payload, of one document or of all."""
        condition = _only([document_id] if document_id else [])
        offset = None
        while True:
            with _mapped(self._folder):
                records, offset = self._shard.scroll(
                    edge.ScrollRequest(offset=offset, limit=PAGE, filter=condition, with_payload=list(fields))
                )
            yield from (record.payload or {} for record in records)
            if offset is None:
                return

    def values(self, key: str) -> list[str]:
        """Return the different values that a payload field has in the index, or had, in order."""
        with _mapped(self._folder):
            found = self._shard.facet(edge.FacetRequest(key, limit=MOST_VALUES, exact=False))
        return sorted(str(hit.value) for hit in found.hits)

    def rankings(
        self, dense: Vector, terms: Terms, limit: int, *, document_ids: Sequence[str] = ()
    ) -> tuple[list[Ranked], list[Ranked]]:
        """Return the points nearest in meaning and in words, at most `limit` each, best first."""
        nearest = (edge.Query.Nearest(dense.tolist(), using=DENSE), edge.Query.Nearest(_sparse(terms), using=SPARSE))
        condition = _only(document_ids)
        with _mapped(self._folder):
            by_meaning, by_words = (
                self._shard.query(edge.QueryRequest(limit=limit, query=query, filter=condition)) for query in nearest
            )
        return _ranked(by_meaning), _ranked(by_words)

    def fetch(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the payloads of points by id."""
        with _mapped(self._folder):
            records = self._shard.retrieve([UUID(name) for name in ids], with_payload=True, with_vector=False)
        return {str(record.id): dict(record.payload or {}) for record in records}

    def count(self) -> int:
        """Return the number of points."""
        with _mapped(self._folder):
            return self._shard.count(edge.CountRequest(exact=True))

    def close(self) -> None:
        """Write what is pending and release the lock."""
        with _mapped(self._folder):
            self._shard.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _write(self, operation: "edge.UpdateOperation") -> None:
        with _mapped(self._folder):
            self._shard.update(operation)
            self._shard.flush()


def _create(folder: Path, size: int) -> None:
    """Make the index beside its place and move it there, so that it is there as a whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(folder.name + ".new")
    with _locked(folder.parent):
        if folder.exists():  # another process was faster
            return
        shutil.rmtree(new, ignore_errors=True)  # what an interrupted one left
        new.mkdir()
        config = edge.EdgeConfig(
            vectors={DENSE: edge.EdgeVectorParams(size=size, distance=edge.Distance.Cosine)},
            sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        )
        shard = edge.EdgeShard.create(str(new), config)
        for key in KEYS:
            shard.update(edge.UpdateOperation.create_field_index(key, edge.PayloadSchemaType.Keyword))
        shard.close()
        new.rename(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time make an index in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _mapped(folder: Path) -> Iterator[None]:
    """Turn what the engine raises into an error of ours: plain exceptions that differ in their text, and panics."""
    try:
        yield
    except KontextwerkError:
        raise
    except OSError as error:
        raise IndexingError(str(folder), error.strerror or str(error), "Check the folder's permissions") from error
    except Exception as error:
        raise _judged(folder, str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # an interrupt stays one
            raise
        raise _judged(folder, str(error)) from error


def _judged(folder: Path, text: str) -> IndexingError:
    place = str(folder)
    if "WouldBlock" in text:
        return IndexingError(place, "is open in another process", "Wait until it has ended, or use another data_dir")
    if "dimension" in text or "incompatible" in text:
        return other_size(place)
    if "Permission denied" in text or "Read-only file system" in text:
        return IndexingError(place, "cannot be written", "Check the folder's permissions")
    if "No space left" in text:
        return IndexingError(place, "the disk is full", "Make room and run kontextwerk ingest again")
    return IndexingError(
        place, f"is damaged ({' '.join(text.split())[:200]})", "Delete the folder and run kontextwerk ingest again"
    )


def _only(document_ids: Sequence[str]) -> "edge.Filter | None":
    return edge.Filter(must=[_equals("document_id", document_ids)]) if document_ids else None


def _equals(key: str, values: Sequence[str]) -> "edge.FieldCondition":
    return edge.FieldCondition(key, match=edge.MatchAny(any=list(values)))


def _sparse(terms: Terms) -> "edge.SparseVector":
    return edge.SparseVector(list(terms.indices), list(terms.values))


def _ranked(points: "Sequence[edge.ScoredPoint]") -> list[Ranked]:
    return [Ranked(str(point.id), point.score) for point in points]
