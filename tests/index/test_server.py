"""The index on a server: out of reach, refusing, not one of ours. What it stores is tested in `test_store`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from index_doubles import Counting
from qdrant_client import QdrantClient, models

from kontextwerk.context.errors import IndexingError
from kontextwerk.index import open_store
from kontextwerk.index.server import open_server
from kontextwerk.settings import Settings


@contextmanager
def answering(status: int, body: bytes) -> Iterator[tuple[str, list[str | None]]]:
    """Run a server that answers everything alike; yield its address and the keys that it was shown."""
    keys: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            keys.append(self.headers.get("api-key"))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", keys
        server.shutdown()


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "127.0.0.1:9"])
def test_a_server_out_of_reach(settings: Settings, url: str) -> None:
    """A server that cannot be reached is an error that names its address and what to check."""
    with pytest.raises(IndexingError, match="cannot be reached") as caught:
        open_store(replace(settings, qdrant_url=url), Counting(), create=True)
    assert url in caught.value.thing
    assert "qdrant_url" in caught.value.mend


def test_an_address_that_is_none(settings: Settings) -> None:
    """An address of an unknown kind is an error about the setting."""
    with pytest.raises(IndexingError, match="is no address"):
        open_store(replace(settings, qdrant_url="ftp://127.0.0.1"), Counting())


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key(settings: Settings, status: int) -> None:
    """A key that the server refuses is named as the cause; the key was sent, and is not in the message."""
    with answering(status, b'{"status": {"error": "Unauthorized"}}') as (url, keys):
        asked = replace(settings, qdrant_url=url, qdrant_api_key="geheim")
        with pytest.raises(IndexingError, match="refuses the key") as caught:
            open_store(asked, Counting())
    assert keys == ["geheim"]
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [(500, b"out of memory", "answers 500: out of memory"), (200, b"<html>", "not answer as Qdrant does")],
    ids=["an error", "not a Qdrant server"],
)
def test_a_strange_answer(settings: Settings, status: int, body: bytes, reason: str) -> None:
    """A server's error comes with its words; a server of another kind is an error, too."""
    with answering(status, body) as (url, _), pytest.raises(IndexingError, match=reason):
        open_store(replace(settings, qdrant_url=url), Counting())


def test_no_collection_yet(settings: Settings) -> None:
    """Where there is no collection, opening it names the mend and makes none."""
    client = QdrantClient(":memory:")
    with pytest.raises(IndexingError, match="Run kontextwerk ingest first"):
        open_server(settings, Counting(), client=client)
    assert not client.collection_exists(settings.collection)


@pytest.mark.parametrize(
    "vectors",
    [
        models.VectorParams(size=16, distance=models.Distance.COSINE),
        {"dense": models.VectorParams(size=16, distance=models.Distance.COSINE)},
    ],
    ids=["no names", "no terms"],
)
def test_a_collection_of_somebody_else(
    settings: Settings, vectors: models.VectorParams | dict[str, models.VectorParams]
) -> None:
    """A collection of another shape is left alone, with and without leave to make one."""
    client = QdrantClient(":memory:")
    client.create_collection(settings.collection, vectors_config=vectors)
    for create in (False, True):
        with pytest.raises(IndexingError, match="has no vectors dense and bm25"):
            open_server(settings, Counting(), create=create, client=client)


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")
def test_opening_again(settings: Settings) -> None:
    """A collection that is there is opened, not made again, and so is one whose making broke off before its indexes."""
    client = QdrantClient(":memory:")
    for create in (True, True, False):
        assert open_server(settings, Counting(), create=create, client=client).count() == 0
