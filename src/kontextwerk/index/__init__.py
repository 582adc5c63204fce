"""The index: documents, embedded and stored in Qdrant, and the search in it.

Read `store` and `embedding` for the two seams, then `ingest` and `search`. Nothing here builds a context or answers.
"""

from kontextwerk.index.embedding import Embedder, make_embedder, similarity
from kontextwerk.index.files import Failure
from kontextwerk.index.ingest import Progress, Report, ingest
from kontextwerk.index.points import DocumentState, documents
from kontextwerk.index.search import search
from kontextwerk.index.store import Store, open_store

__all__ = [
    "DocumentState",
    "Embedder",
    "Failure",
    "Progress",
    "Report",
    "Store",
    "documents",
    "ingest",
    "make_embedder",
    "open_store",
    "search",
    "similarity",
]
