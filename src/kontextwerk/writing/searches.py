"""Several searches for one text, fused into one ranking that covers every topic.

It leaves out what is searched for: see `topics`; and what becomes of the hits: see `sources`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

K = 10
"""As in `index.search`: the constant of reciprocal rank fusion."""


def fuse(found: Sequence[Sequence[Mapping[str, Any]]], limit: int) -> list[dict[str, Any]]:
    """Fuse the hits of several searches: what any of them found first comes before what any found second.

    So each topic has its best chunks at the top, however many searches agree on those of another one; among equals,
    reciprocal rank fusion decides, then the identifier.

    Args:
        found: The hits of each search, best first, each with an `id`.
        limit: The most hits.

    Returns:
        The hits, each once, best first; the score is 1 / (K + best rank), plus a small part for what others found.

    >>> [hit["id"] for hit in fuse([[{"id": "a"}, {"id": "b"}], [{"id": "c"}, {"id": "b"}]], 3)]
    ['a', 'c', 'b']
    """
    hits: dict[str, dict[str, Any]] = {}
    best: dict[str, int] = {}
    fused: dict[str, float] = {}
    for ranking in found:
        for rank, hit in enumerate(ranking, start=1):
            name = str(hit["id"])
            hits.setdefault(name, dict(hit))
            best[name] = min(rank, best.get(name, rank))
            fused[name] = fused.get(name, 0.0) + 1 / (K + rank)
    order = sorted(hits, key=lambda name: (best[name], -fused[name], name))[:limit]
    return [{**hits[name], "score": 1 / (K + best[name]) + _SMALL * fused[name]} for name in order]


_SMALL = 1e-5
"""Too small for any sum of ranks to overtake the next rank among the first hundred."""
