"""The index on a Qdrant server, or a cluster of them.

Any number of processes may search it while one fills it. It leaves out sharding and replicas: those are the server's.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from kontextwerk.context.errors import IndexingError, MissingExtraError
from kontextwerk.index.embedding import Embedder, Vector
from kontextwerk.index.store import DENSE, KEYS, MOST_VALUES, PAGE, SPARSE, Point, Ranked, absent, other_size
from kontextwerk.index.terms import Terms
from kontextwerk.settings import Settings

try:
    from qdrant_client import QdrantClient, models
    from qdrant_client.http.exceptions import ApiException, UnexpectedResponse
except ImportError as missing:
    raise MissingExtraError("qdrant-client", "index") from missing

TIMEOUT = 60
"""Seconds that the server may take for one request."""


def open_server(
    settings: Settings, embedder: Embedder, *, create: bool = False, client: QdrantClient | None = None
) -> "ServerStore":
    """Open a collection on a server.

    Args:
        settings: The address, the key and the collection's name.
        embedder: Whose vectors it is to hold, where it is made.
        create: Make the collection where there is none.
        client: What speaks to the server; None for one of its own.

    Raises:
        IndexingError: The server is out of reach or refuses the key; the collection is not there, or not one of ours.
    """
    place = f"{settings.collection} at {settings.qdrant_url or 'a Qdrant client'}"
    with _mapped(place):
        client = client or _client(settings)
        store = ServerStore(client, settings.collection, place)
        if client.collection_exists(settings.collection):
            _check_shape(client, settings.collection, place)
        elif not create:
            raise absent(place)
        else:
            _create(client, settings.collection, embedder.size)
        if create:  # also after an interruption between the two
            for key in KEYS:
                client.create_payload_index(settings.collection, key, models.PayloadSchemaType.KEYWORD)
    return store


class ServerStore:
    """A `Store` on a server.

    Args:
        client: What speaks to the server.
        collection: The collection's name.
        place: Where it lies, for messages.
    """

    def __init__(self, client: QdrantClient, collection: str, place: str) -> None:
        self._client = client
        self._collection = collection
        self._place = place

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return self._place

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points; they are found when this returns."""
        rows = [
            models.PointStruct(
                id=point.id, vector={DENSE: point.dense.tolist(), SPARSE: _sparse(point.terms)}, payload=point.payload
            )
            for point in points
        ]
        with _mapped(self._place):
            self._client.upsert(self._collection, rows, wait=True)

    def delete(self, document_id: str, *, start: int = 0) -> None:
        """Take away a document's points from the chunk with the index `start` on."""
        later = [models.FieldCondition(key="chunk_index", range=models.Range(gte=start))] if start else []
        condition = models.Filter(must=[_equals("document_id", [document_id]), *later])
        with _mapped(self._place):
            self._client.delete(self._collection, models.FilterSelector(filter=condition), wait=True)

    def payloads(self, fields: Sequence[str], *, document_id: str = "") -> Iterator[Mapping[str, Any]]:
        """Yield these fields of every point's payload, of one document or of all."""
        condition = _only([document_id] if document_id else [])
        offset: Any = None
        while True:
            with _mapped(self._place):
                records, offset = self._client.scroll(
                    self._collection, condition, limit=PAGE, offset=offset, with_payload=list(fields)
                )
            yield from (record.payload or {} for record in records)
            if offset is None:
                return

    def values(self, key: str) -> list[str]:
        """Return the different values that a payload field has in the index, or had, in order."""
        with _mapped(self._place):
            found = self._client.facet(self._collection, key, limit=MOST_VALUES, exact=False)
        return sorted(str(hit.value) for hit in found.hits)

    def rankings(
        self, dense: Vector, terms: Terms, limit: int, *, document_ids: Sequence[str] = ()
    ) -> tuple[list[Ranked], list[Ranked]]:
        """Return the points nearest in meaning and in words, at most `limit` each, best first."""
        condition = _only(document_ids)
        requests = [
            models.QueryRequest(query=query, using=using, limit=limit, filter=condition, with_payload=False)
            for query, using in ((dense.tolist(), DENSE), (_sparse(terms), SPARSE))
        ]
        with _mapped(self._place):
            by_meaning, by_words = self._client.query_batch_points(self._collection, requests)
        return _ranked(by_meaning), _ranked(by_words)

    def fetch(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the payloads of points by id."""
        with _mapped(self._place):
            records = self._client.retrieve(self._collection, list(ids), with_payload=True)
        return {str(record.id): dict(record.payload or {}) for record in records}

    def count(self) -> int:
        """Return the number of points."""
        with _mapped(self._place):
            return self._client.count(self._collection, exact=True).count

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def _client(settings: Settings) -> QdrantClient:
    with warnings.catch_warnings():
        # That a key goes over an unencrypted connection is the caller's choice of address.
        warnings.filterwarnings("ignore", message="Api key is used with an insecure connection")
        try:
            return QdrantClient(
                url=settings.qdrant_url,
                api_key=settings.qdrant_api_key or None,
                timeout=TIMEOUT,
                check_compatibility=False,
            )
        except ValueError as error:
            raise IndexingError(settings.qdrant_url, f"is no address ({error})", "Mend qdrant_url") from error


def _create(client: QdrantClient, collection: str, size: int) -> None:
    client.create_collection(
        collection,
        vectors_config={DENSE: models.VectorParams(size=size, distance=models.Distance.COSINE)},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )


def _check_shape(client: QdrantClient, collection: str, place: str) -> None:
    """Refuse a collection that somebody else made for something else."""
    params = client.get_collection(collection).config.params
    dense = isinstance(params.vectors, dict) and DENSE in params.vectors
    if not dense or SPARSE not in (params.sparse_vectors or {}):
        raise IndexingError(place, f"has no vectors {DENSE} and {SPARSE}", "Name another collection")


@contextmanager
def _mapped(place: str) -> Iterator[None]:
    """Turn what the client raises into an error of ours."""
    try:
        yield
    except UnexpectedResponse as error:
        raise _judged(place, error) from error
    except ApiException as error:
        raise IndexingError(
            place, f"the server cannot be reached ({error})", "Check qdrant_url and that the server runs"
        ) from error
    except ValueError as error:
        if "dimension" in str(error) or "not aligned" in str(error):  # the client without a server
            raise other_size(place) from error
        reason = f"the server does not answer as Qdrant does ({' '.join(str(error).split())[:200]})"
        raise IndexingError(place, reason, "Check qdrant_url") from error


def _judged(place: str, error: UnexpectedResponse) -> IndexingError:
    text = error.content.decode("utf-8", "replace")
    if error.status_code in {401, 403}:
        return IndexingError(place, "the server refuses the key", "Check qdrant_api_key")
    if "dimension" in text:
        return other_size(place)
    return IndexingError(
        place, f"the server answers {error.status_code}: {' '.join(text.split())[:200]}", "Check qdrant_url"
    )


def _only(document_ids: Sequence[str]) -> models.Filter | None:
    return models.Filter(must=[_equals("document_id", document_ids)]) if document_ids else None


def _equals(key: str, values: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchAny(any=list(values)))


def _sparse(terms: Terms) -> models.SparseVector:
    return models.SparseVector(indices=list(terms.indices), values=list(terms.values))


def _ranked(response: models.QueryResponse) -> list[Ranked]:
    return [Ranked(str(point.id), point.score) for point in response.points]
