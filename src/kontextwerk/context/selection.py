"""Which chunks may enter the context, and in what order.

Best score first; chunks without a score after those with one, in the order in which they came. What has no text, or too
bad a score, leaves with a decision. It leaves out what fits: see `packing`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kontextwerk.context.identity import document_of
from kontextwerk.context.model import Chunk, Decision, Outcome, Scores


@dataclass(frozen=True, slots=True)
class Candidate:
    """Text that may become a passage.

    Attributes:
        text: The wording.
        chunk: The chunk it comes from.
        hit: That chunk's place in the input, from 0.
        rank: Its place among the candidates, best first, from 0.
        deferred: Whether it enters only where nothing of another document is left to enter.
    """

    text: str
    chunk: Chunk
    hit: int
    rank: int
    deferred: bool = False


def select(
    chunks: Sequence[Chunk], min_score: float | None = None, scores: Scores = "similarity"
) -> tuple[tuple[Candidate, ...], tuple[Decision, ...]]:
    """Order the chunks by score and set aside what cannot enter.

    Args:
        chunks: In the order in which they came.
        min_score: The worst score that may enter; a chunk without a score is not held to it. None for no limit.
        scores: What scores mean.

    Returns:
        The candidates, best first, and a decision for each chunk that is none.
    """
    sign = -1 if scores == "similarity" else 1
    usable: list[tuple[int, Chunk]] = []
    decisions: list[Decision] = []
    for hit, chunk in enumerate(chunks):
        if not chunk.text.strip():
            reason = f"Has no usable text: {chunk.fault}" if chunk.fault else "Has no text"
            decisions.append(decide(hit, chunk, "empty", 0, reason=reason))
        elif min_score is not None and chunk.score is not None and chunk.score * sign > min_score * sign:
            side = "below" if sign < 0 else "above"
            reason = f"Its score {chunk.score:.4g} is {side} {min_score:.4g}"
            decisions.append(decide(hit, chunk, "below_score", min_score, reason=reason))
        else:
            usable.append((hit, chunk))
    usable.sort(key=lambda pair: (pair[1].score is None, sign * (pair[1].score or 0.0), pair[0]))
    return tuple(Candidate(chunk.text, chunk, hit, rank) for rank, (hit, chunk) in enumerate(usable)), tuple(decisions)


def spread(candidates: Iterable[Candidate], per_document: int) -> tuple[Candidate, ...]:
    """Put behind all others, and mark, what a document has beyond so many candidates; each group keeps its order.

    Args:
        candidates: Best first.
        per_document: The most candidates of a document that enter as they come.
    """
    first: list[Candidate] = []
    later: list[Candidate] = []
    counts: Counter[str] = Counter()
    for candidate in candidates:
        document = document_of(candidate.chunk) or f"hit {candidate.hit}"
        counts[document] += 1
        (first if counts[document] <= per_document else later).append(candidate)
    behind = (replace(candidate, deferred=True) for candidate in later)
    return tuple(replace(candidate, rank=rank) for rank, candidate in enumerate((*first, *behind)))


def decide(  # noqa: PLR0913  one argument a column of the table
    hit: int, chunk: Chunk, outcome: Outcome, figure: float, *, reason: str, source: int | None = None
) -> Decision:
    """Make the decision on a chunk, its fault added to the reason."""
    if chunk.fault and outcome != "empty":
        reason = f"{reason}; {chunk.fault}"
    return Decision(hit, chunk.id, chunk.title, chunk.score, outcome, source, figure, reason)
