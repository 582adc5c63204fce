"""A question into hits: the nearest chunks in meaning and in words, fused into one ranking.

The fusion is done here and not by Qdrant, whose order of equal scores differs from one call to the next: most fused
scores have an equal, in the other ranking. It leaves out what is made of the hits: see `kontextwerk.hits`.
"""

import math
import unicodedata
from collections.abc import Sequence
from typing import Any, get_args

from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language
from kontextwerk.index.embedding import Embedder
from kontextwerk.index.store import Ranked, Store
from kontextwerk.index.terms import query_terms

K = 10
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009, who take 60). With two rankings a
smaller one lets the first ranks count: on German XQuAD recall@5 rises from .872 to .881."""
ROUNDING = 1e-6
"""By how much equal scores may differ, as a share of the score: they are sums of single-precision numbers."""
DEPTH, LEAST_DEPTH = 3, 60
"""How deep each ranking is read: so many times the limit, and at least so many chunks."""


def search(
    question: str, store: Store, embedder: Embedder, *, limit: int = 20, document_ids: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Find the chunks that best fit a question.

    Args:
        question: In the person's words.
        store: The index.
        embedder: The one that filled the index.
        limit: The most hits.
        document_ids: Search in these documents only; in all where there are none.

    Returns:
        Hits as Qdrant's REST API shapes them, `{"id": …, "score": …, "payload": {…}}`, best first; the score is that of
        the fusion, at most 2 / (K + 1). `kontextwerk.hits` reads them.

    Raises:
        InputError: An empty question, or a limit below 1.
        IndexingError: The index cannot be searched.
        ModelError: The question could not be embedded.
    """
    question = unicodedata.normalize("NFC", question).strip()
    if not question:
        raise InputError("question", "is empty", "Ask something")
    if limit < 1:
        raise InputError("limit", f"{limit} is below 1", "Ask for at least one hit")
    terms = query_terms(question, [language for language in get_args(Language) if language in store.values("language")])
    depth = max(limit * DEPTH, LEAST_DEPTH)
    rankings = store.rankings(embedder.query(question), terms, depth, document_ids=document_ids)
    best = fuse(*rankings, depth=depth)[:limit]
    payloads = store.fetch([hit.id for hit in best])
    return [{"id": hit.id, "score": hit.score, "payload": payloads[hit.id]} for hit in best if hit.id in payloads]


def fuse(*rankings: Sequence[Ranked], depth: int = 0) -> list[Ranked]:
    """Fuse rankings by the reciprocal of the ranks, so that scores of different kinds need not be comparable.

    Equal scores have equal ranks, and equal fused scores are ordered by identifier, so that the same comes out whatever
    the order of equals was.

    Args:
        rankings: What each search found.
        depth: The most hits that each search could find; which of the last equals are among so many is chance, so that
            these are left out. 0 for no limit.

    >>> [hit.id for hit in fuse([Ranked("a", 0.9), Ranked("b", 0.8)], [Ranked("b", 7.0), Ranked("c", 6.0)])]
    ['b', 'a', 'c']
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        ranks = _ranks(ranking)
        last = max(ranks.values(), default=0) if len(ranking) == depth else 0
        for name, rank in ranks.items():
            if rank != last or rank == 1:
                scores[name] = scores.get(name, 0.0) + 1 / (K + rank)
    return sorted((Ranked(name, score) for name, score in scores.items()), key=lambda hit: (-hit.score, hit.id))


def _ranks(ranking: Sequence[Ranked]) -> dict[str, int]:
    """Return the rank of each hit, from 1; hits that differ by no more than rounding have the same."""
    ranks: dict[str, int] = {}
    rank, previous = 1, math.inf
    for position, hit in enumerate(sorted(ranking, key=lambda hit: -hit.score), start=1):
        if previous - hit.score > ROUNDING * max(1.0, abs(hit.score)):
            rank = position
        ranks[hit.id], previous = rank, hit.score
    return ranks
