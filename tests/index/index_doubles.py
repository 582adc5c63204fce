"""What the tests of the index share: embedders that count or break off, texts, and a look at every point of a store."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge

from kontextwerk.index.edge import EdgeStore
from kontextwerk.index.embedding import Vector
from kontextwerk.index.local import Hashing
from kontextwerk.index.server import ServerStore
from kontextwerk.index.store import Store

WORDS = ("Auftrag", "Klärung", "Erstgespräch", "Honorar", "Absage", "Team", "Konflikt", "Beratung", "Termin", "Regel")

Points = dict[str, tuple[Any, ...]]
"""Payload, dense vector and terms of each point, by its identifier."""


class Interruption(Exception):  # noqa: N818  stands for a loss of power, not for an error
    """An interruption from outside."""


class Counting(Hashing):
    """The hashing embedder, which counts what it embeds and can break off.

    Args:
        size: Numbers a vector.
        breaks_after: How many texts it embeds before it is interrupted; None for no interruption.
    """

    def __init__(self, size: int = 16, breaks_after: int | None = None) -> None:
        super().__init__(size)
        self.embedded = 0
        self.breaks_after = breaks_after

    def passages(self, texts: Sequence[str]) -> Vector:
        """Embed, unless it is to break off."""
        if self.breaks_after is not None and self.embedded + len(texts) > self.breaks_after:
            raise Interruption
        self.embedded += len(texts)
        return super().passages(texts)


def text(seed: int, sentences: int = 10) -> str:
    """Return sentences that are the same for the same seed."""
    chosen = random.Random(seed)  # noqa: S311  texts need no secrecy
    return " ".join(f"{' '.join(chosen.choices(WORDS, k=6))} {seed} {number}." for number in range(sentences))


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder, and return the folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def points(store: Store) -> Points:
    """Return every point of a store, past its interface, which leaves the vectors out."""
    if isinstance(store, EdgeStore):
        records: list[Any] = store._shard.scroll(
            qdrant_edge.ScrollRequest(limit=100_000, with_payload=True, with_vector=True)
        )[0]
    else:
        assert isinstance(store, ServerStore)
        records = store._client.scroll(store._collection, limit=100_000, with_payload=True, with_vectors=True)[0]
    return {
        str(record.id): (
            record.payload,
            tuple(np.asarray(record.vector["dense"], dtype=np.float32).tolist()),
            tuple(record.vector["bm25"].indices),
            tuple(record.vector["bm25"].values),
        )
        for record in records
    }
