"""Every kind of store, empty, behind one fixture; and settings that lead into a folder of the test."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from index_doubles import Counting
from qdrant_client import QdrantClient

from kontextwerk.index import Store, open_store
from kontextwerk.index.server import open_server
from kontextwerk.settings import Settings

SERVER = os.environ.get("KONTEXTWERK_TEST_QDRANT_URL", "")
NO_SERVER = pytest.mark.skipif(not SERVER, reason="KONTEXTWERK_TEST_QDRANT_URL is not set")
KINDS = ["edge", "memory", pytest.param("server", marks=[pytest.mark.server, NO_SERVER])]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with the index in a folder of the test, and small chunks."""
    return replace(Settings(), data_dir=tmp_path / "data", embedder="hashing", chunk_chars=200)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for documents."""
    made = tmp_path / "documents"
    made.mkdir()
    return made


@contextmanager
def opened(kind: str, settings: Settings) -> Iterator[Store]:
    """Open an empty store of a kind, and leave nothing behind on a server."""
    embedder = Counting()
    if kind == "edge":
        with open_store(settings, embedder, create=True) as store:
            yield store
        return
    client = QdrantClient(":memory:") if kind == "memory" else QdrantClient(SERVER, check_compatibility=False)
    named = replace(settings, collection=f"kontextwerk-test-{uuid4()}")
    with open_server(named, embedder, create=True, client=client) as store:
        yield store
    if kind == "server":
        QdrantClient(SERVER, check_compatibility=False).delete_collection(named.collection)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, settings: Settings) -> Iterator[Store]:
    """An empty store of each kind."""
    with opened(request.param, settings) as made:
        yield made
