"""Which chunks may enter the context, and in what order.

Best score first; chunks without a score after those with one, in the order in which they came. What has no text, or too
low a score, leaves with a decision. It leaves out what fits: see `packing`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kontextwerk.context.model import Chunk, Decision, Outcome


@dataclass(frozen=True, slots=True)
class Candidate:
    """Text that may become a passage.

    Attributes:
        text: The wording.
        chunk: The chunk it comes from.
        hit: That chunk's place in the input, from 0.
        rank: Its place among the candidates, best first, from 0.
    """

    text: str
    chunk: Chunk
    hit: int
    rank: int


def select(
    chunks: Sequence[Chunk], min_score: float | None = None
) -> tuple[tuple[Candidate, ...], tuple[Decision, ...]]:
    """Order the chunks by score and set aside what cannot enter.

    Args:
        chunks: In the order in which they came.
        min_score: The lowest score that may enter; a chunk without a score is not held to it. None for no limit.

    Returns:
        The candidates, best first, and a decision for each chunk that is none.
    """
    usable: list[tuple[int, Chunk]] = []
    decisions: list[Decision] = []
    for hit, chunk in enumerate(chunks):
        if not chunk.text.strip():
            reason = f"Has no usable text: {chunk.fault}" if chunk.fault else "Has no text"
            decisions.append(decide(hit, chunk, "empty", 0, reason=reason))
        elif min_score is not None and chunk.score is not None and chunk.score < min_score:
            reason = f"Its score {chunk.score:.4g} is below {min_score:.4g}"
            decisions.append(decide(hit, chunk, "below_score", min_score, reason=reason))
        else:
            usable.append((hit, chunk))
    ranked = enumerate(sorted(usable, key=_order))
    return tuple(Candidate(chunk.text, chunk, hit, rank) for rank, (hit, chunk) in ranked), tuple(decisions)


def decide(  # noqa: PLR0913  one argument a column of the table
    hit: int, chunk: Chunk, outcome: Outcome, figure: float, *, reason: str, source: int | None = None
) -> Decision:
    """Make the decision on a chunk, its fault added to the reason."""
    if chunk.fault and outcome != "empty":
        reason = f"{reason}; {chunk.fault}"
    return Decision(hit, chunk.id, chunk.title, chunk.score, outcome, source, figure, reason)


def _order(usable: tuple[int, Chunk]) -> tuple[bool, float, int]:
    hit, chunk = usable
    return chunk.score is None, -(chunk.score or 0.0), hit
