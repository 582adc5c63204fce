"""Time and memory to assemble a context, beside those to count the same text once.

Times of a shared machine are noise; what counts is each time as a multiple of the counting in the same run. Hits are
distinct paragraphs, made from the sentences of the data. It leaves out the search.
"""

import gc
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sentencex
from simple import COUNT, Hit, Way

SIZES = (20, 200, 2_000, 10_000)
BUDGET = 3000
PATIENCE = 5
"""Seconds after which a way is not tried with more hits."""
QUESTION = "Wann wurde der erste Vorsitzende des Vereins gewählt, und wie lange blieb er im Amt?"
RUNS = {20: 15, 200: 9, 2_000: 5, 10_000: 3}
_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class Cost:
    """What a way costs.

    Attributes:
        seconds: The median of several runs.
        times: The same as a multiple of counting all hits once.
        megabytes: The most memory that Python held more than before.
    """

    seconds: float
    times: float
    megabytes: float


def hits(texts: Sequence[str], size: int) -> list[Hit]:
    """Return distinct hits, made of the sentences of texts, the same ones at each call."""
    drawn = random.Random(size)  # noqa: S311  no secret
    pool = [sentence.strip() for text in texts for sentence in sentencex.segment("de", text)]
    return [
        {
            "id": str(place),
            "score": 1 / (1 + place),
            "payload": {
                "content": " ".join(drawn.sample(pool, _SENTENCES)),
                "document_title": f"Dokument {place % (size // 4 + 1)}",
                "document_id": str(place % (size // 4 + 1)),
            },
        }
        for place in range(size)
    ]


def cost(way: Way, found: Sequence[Hit]) -> Cost:
    """Measure a way on hits, in turn with the counting of the same text."""
    counting: list[float] = []
    assembling: list[float] = []
    while len(assembling) < RUNS.get(len(found), 3) and sum(assembling) <= PATIENCE:
        counting.append(_timed(lambda: [COUNT(hit["payload"]["content"]) for hit in found]))
        assembling.append(_timed(lambda: way(found, QUESTION, BUDGET)))
    tracemalloc.start()
    way(found, QUESTION, BUDGET)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    seconds = statistics.median(assembling)
    return Cost(seconds, seconds / statistics.median(counting), peak)


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
