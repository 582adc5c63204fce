"""The seam between us and Qdrant: a `Store` holds points and finds the nearest.

`edge` keeps them in a folder, in the process; `server` on a Qdrant server. Both find the same. It leaves out what a
point says about its document (see `points`) and how two rankings become one (see `search`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from kontextwerk.context.errors import IndexingError
from kontextwerk.index.embedding import Embedder, Vector
from kontextwerk.index.terms import Terms
from kontextwerk.settings import Settings

DENSE, SPARSE = "dense", "bm25"
"""The names of a point's two vectors."""
PAGE = 1000
"""How many points are read at once when all are."""
MOST_VALUES = 1000
"""The most different values of a payload field that are asked for; it has few."""
KEYS = ("document_id", "embedder", "language")
"""The payload fields by which points are filtered or counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """A chunk as it is stored.

    Attributes:
        id: A UUID, as text.
        dense: The vector of its meaning.
        terms: The terms of its text.
        payload: Its text and where it stands; see `points`.
    """

    id: str
    dense: Vector
    terms: Terms
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A point that one kind of search found.

    Attributes:
        id: The point.
        score: How near it is, higher is nearer; comparable within one ranking only.
    """

    id: str
    score: float


class Store(Protocol):
    """Where points are kept. A context manager: leaving it closes it.

    Every method raises `IndexingError` where the store cannot be read or written.
    """

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        ...

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points; one with the same id is replaced."""
        ...

    def delete(self, document_id: str, *, start: int = 0) -> None:
        """Take away a document's points from the chunk with the index `start` on."""
        ...

    def payloads(self, fields: Sequence[str], *, document_id: str = "") -> Iterator[Mapping[str, Any]]:
        """Yield these fields of every point's payload, of one document or of all; in no order that means anything."""
        ...

    def values(self, key: str) -> list[str]:
        """Return the different values that a payload field, one of `KEYS`, has in the index, in order.

        It takes no time that grows with the index, and may name values of points that are gone.
        """
        ...

    def rankings(
        self, dense: Vector, terms: Terms, limit: int, *, document_ids: Sequence[str] = ()
    ) -> tuple[list[Ranked], list[Ranked]]:
        """Return the points of these documents nearest in meaning and in words, at most `limit` each, best first."""
        ...

    def fetch(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the payloads of points by id; those that are not there are left out."""
        ...

    def count(self) -> int:
        """Return the number of points."""
        ...

    def close(self) -> None:
        """Write what is pending and let go of it; a second call does nothing."""
        ...

    def __enter__(self) -> Self:
        """Return itself."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        ...


def open_store(settings: Settings, embedder: Embedder, *, create: bool = False) -> Store:
    """Open the index that the settings name: on a server where there is an address, else in the data folder.

    Args:
        settings: Where it lies.
        embedder: What fills and searches it.
        create: Make it where there is none.

    Raises:
        IndexingError: There is none, it is damaged, in use, out of reach, or filled by another embedder.
        MissingExtraError: The library for it is not installed.
    """
    store: Store
    if settings.qdrant_url:
        from kontextwerk.index.server import open_server

        store = open_server(settings, embedder, create=create)
    else:
        from kontextwerk.index.edge import open_edge

        store = open_edge(settings.data_dir.expanduser() / "index", embedder, create=create)
    try:
        _check_embedder(store, embedder)
    except BaseException:
        store.close()
        raise
    return store


def _check_embedder(store: Store, embedder: Embedder) -> None:
    """Compare the embedder with the one that filled the index; vectors of two models are not comparable."""
    others = set(store.values("embedder")) - {embedder.name}
    if not others:
        return
    filled_by = others.intersection(str(payload.get("embedder")) for payload in store.payloads(["embedder"]))
    if filled_by:
        name = min(filled_by)
        raise IndexingError(
            store.place,
            f"was filled by the embedder {name}, not by {embedder.name}",
            f"Set embedder to {name}, or use another data_dir or collection",
        )


def absent(place: str) -> IndexingError:
    """Return the error for an index that is not there."""
    return IndexingError(place, "there is no index", "Run kontextwerk ingest first")


def other_size(place: str) -> IndexingError:
    """Return the error for vectors that do not fit the index."""
    return IndexingError(
        place,
        "was made for vectors of another size",
        "Set embedder to the one that made it, or use another data_dir or collection",
    )
