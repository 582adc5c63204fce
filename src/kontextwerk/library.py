"""The index held open for an application that runs long: searched and filled from several threads.

It opens when first used, is made where there is none, and where another process holds it, each use says so and the
next one tries again. It leaves out what is done with what was found.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, Self

from kontextwerk.index import DocumentState, Embedder, Progress, Report, Store, make_embedder, open_store
from kontextwerk.index import documents as indexed_documents
from kontextwerk.index import ingest as ingest_paths
from kontextwerk.index import search as search_index
from kontextwerk.settings import Settings

KNOWN_SECONDS = 10.0
"""How long the list of documents is taken for true: a Qdrant server's index may be filled by others, too."""


class Library:
    """The indexed documents.

    Args:
        settings: Where the index lies, and how it is filled.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = RLock()
        self._filling = RLock()
        self._embedder: Embedder | None = None
        self._store: Store | None = None
        self._documents: list[DocumentState] | None = None
        self._read = 0.0

    @property
    def embedder(self) -> Embedder:
        """What embeds; loaded when first used."""
        with self._lock:
            if self._embedder is None:
                self._embedder = make_embedder(self._settings)
            return self._embedder

    @property
    def store(self) -> Store:
        """The open index.

        Raises:
            IndexingError: It is in use elsewhere, damaged or out of reach.
        """
        with self._lock:
            if self._store is None:
                self._store = open_store(self._settings, self.embedder, create=True)
            return self._store

    def search(self, question: str, document_ids: Sequence[str] = (), limit: int | None = None) -> list[dict[str, Any]]:
        """Find the chunks that best fit a question: see `index.search`."""
        return search_index(
            question, self.store, self.embedder, limit=limit or self._settings.limit, document_ids=document_ids
        )

    def documents(self) -> list[DocumentState]:
        """Return what the index holds of each document, by path; what others change shows after `KNOWN_SECONDS`."""
        with self._lock:
            if self._documents is None or monotonic() - self._read > KNOWN_SECONDS:
                self._documents, self._read = indexed_documents(self.store), monotonic()
            return self._documents

    def document(self, name: str) -> DocumentState | None:
        """Return what the index holds of a document; None where there is none of that identifier."""
        return next((state for state in self.documents() if state.document_id == name), None)

    def add(self, path: Path, title: str, progress: Callable[[Progress], None] | None = None) -> Report:
        """Take a file in; one at a time."""
        try:
            with self._filling:
                titles = {str(path): title}
                return ingest_paths([path], self.store, self.embedder, self._settings, progress=progress, titles=titles)
        finally:
            self._forget()

    def remove(self, document_id: str) -> None:
        """Take a document out of the index; its file stays."""
        with self._filling:
            self.store.delete(document_id)
        self._forget()

    def close(self) -> None:
        """Let go of the index."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None
            self._documents = None

    def _forget(self) -> None:
        with self._lock:
            self._documents = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()
