"""What became of every hit, read off the finished context. It leaves out how that came about."""

from collections.abc import Iterable, Sequence
from itertools import chain

from kontextwerk.context.duplicates import Duplicate
from kontextwerk.context.model import Decision
from kontextwerk.context.packing import Portion
from kontextwerk.context.selection import Candidate, decide


def decisions(  # noqa: PLR0913  what each stage left
    candidates: Sequence[Candidate],
    entered: Iterable[tuple[Portion, int, int]],
    duplicates: Iterable[Duplicate],
    unfit: Iterable[Decision],
    *,
    reached: Iterable[Candidate],
    left: int,
) -> tuple[Decision, ...]:
    """Make one decision for each hit.

    Args:
        candidates: What could have entered.
        entered: What did, with its number and its tokens in the context.
        duplicates: Which candidates are equal or near-equal to another.
        unfit: The decisions on hits that are no candidates.
        reached: The candidates that were looked at closely.
        left: The tokens that the context leaves of its budget.

    Returns:
        The decisions, in the order of the hits.
    """
    standing = {
        decision.hit: decision for portion, number, cost in entered for decision in _of_portion(portion, number, cost)
    }
    looked_at = {candidate.hit for candidate in reached}
    twins = {duplicate.candidate.hit: duplicate for duplicate in duplicates}
    made: list[Decision] = []
    for candidate in candidates:
        if candidate.hit in standing:
            made.append(standing[candidate.hit])
        elif candidate.hit in twins:
            made.append(_duplicate(twins[candidate.hit], standing))
        else:
            close = candidate.hit in looked_at
            reason = "Did not fit beside better text" if close else "Not tried: better text fills the budget"
            reason = f"{reason}; {left} tokens are left"
            made.append(decide(candidate.hit, candidate.chunk, "over_budget", left, reason=reason))
    return tuple(sorted(chain(unfit, made), key=lambda decision: decision.hit))


def _of_portion(portion: Portion, number: int, cost: int) -> Iterable[Decision]:
    """Decide on the chunks of a region that stand in a passage; the best one of them gave it its place."""
    for place, part in enumerate(portion.parts):
        candidate = part.candidate
        whole = portion.holds(part.span)
        if whole and place:
            reason = f"Stands in the passage of a neighbour, source {number}"
            yield decide(candidate.hit, candidate.chunk, "merged", cost, reason=reason, source=number)
        elif whole:
            yield decide(candidate.hit, candidate.chunk, "kept", cost, reason="Stands whole", source=number)
        else:
            reason = "Stands in part: the whole did not fit"
            yield decide(candidate.hit, candidate.chunk, "trimmed", cost, reason=reason, source=number)


def _duplicate(duplicate: Duplicate, standing: dict[int, Decision]) -> Decision:
    twin = standing.get(duplicate.twin)
    alike = "Equal" if duplicate.likeness == 1 else f"To {duplicate.likeness:.0%} equal"
    reason = f"{alike} to hit {duplicate.twin + 1}" + ("" if twin else ", which did not fit")
    candidate = duplicate.candidate
    return decide(
        candidate.hit,
        candidate.chunk,
        "duplicate",
        round(duplicate.likeness, 3),
        reason=reason,
        source=twin.source if twin else None,
    )
