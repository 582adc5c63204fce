"""Text into weighted terms for BM25: the half of a search that knows words, not meaning.

Terms are computed here and not by Qdrant, so that every store finds the same. A question's are stemmed in the languages
in which the index's are, whatever the language of the answer. It leaves out the weight of rare terms, which the store
computes over all of its points.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kontextwerk.characters import encodable
from kontextwerk.context.errors import MissingExtraError
from kontextwerk.context.model import Language

STEMMING: dict[Language, str] = {"de": "german", "en": "english"}
"""What Qdrant calls the languages."""

_SPELT_OUT = re.compile("ae|oe|(?<![aeq])ue")


@dataclass(frozen=True, slots=True)
class Terms:
    """A sparse vector.

    Attributes:
        indices: The terms, as numbers in ascending order.
        values: The weight of each.
    """

    indices: tuple[int, ...] = ()
    values: tuple[float, ...] = ()


def document_terms(text: str, language: Language) -> Terms:
    """Return the terms of a text that is to be found, by how often they stand in it."""
    return _terms(_bm25(STEMMING[language]).embed_document(_folded(text, language)))


def query_terms(text: str, languages: Iterable[Language]) -> Terms:
    """Return the terms of a question, stemmed in each of these languages; none where it has only stop words."""
    weights: dict[int, float] = {}
    for language in languages:
        found = _terms(_bm25(STEMMING[language]).embed_query(_folded(text, language)))
        weights |= dict(zip(found.indices, found.values, strict=True))
    return Terms(tuple(sorted(weights)), tuple(weights[index] for index in sorted(weights)))


def _folded(text: str, language: Language) -> str:
    """Return the text with umlauts for their spellings in two letters, as in the stemmer "German2" of Snowball.

    It is applied to texts and questions alike, so that it does no harm where the letters are no umlaut ("Poesie").
    """
    text = encodable(text)
    if language != "de":
        return text
    return _SPELT_OUT.sub(lambda match: {"a": "ä", "o": "ö", "u": "ü"}[match[0][0]], text.lower())


@cache
def _bm25(language: str) -> Any:  # noqa: ANN401  the library is imported where it is used
    try:
        from qdrant_edge import Bm25, Bm25Config
    except ImportError as error:
        raise MissingExtraError("qdrant-edge-py", "index") from error
    return Bm25(Bm25Config(language=language))


def _terms(sparse: Any) -> Terms:  # noqa: ANN401
    pairs = sorted(zip(sparse.indices, sparse.values, strict=True))
    return Terms(tuple(index for index, _ in pairs), tuple(value for _, value in pairs))
