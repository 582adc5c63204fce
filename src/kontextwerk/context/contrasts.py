"""What of a claim its evidence does not hold: figures that differ, names and words that are missing.

It leaves out negations and opposites, see `negations`, how the evidence is found, see `statements`, and what follows
from it, see `checking`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from kontextwerk.context.claims import Reason, ReasonKind
from kontextwerk.context.holding import Holding
from kontextwerk.context.model import Span
from kontextwerk.context.statements import Reading, Statement, clauses
from kontextwerk.context.values import Value

NEAR = 0.75
"""Where a figure stands beside so much of what a rival figure stands beside, it is the one that is meant."""
SAID = 0.6
"""And so does this share of all that the claim says of it."""
RIVAL = 0.5
"""The share of what is said of a figure that must be said of another one before that is a rival."""


def figures(reading: Reading, holding: Holding, others: Sequence[Statement]) -> Iterator[Reason]:
    """Yield a reason for each figure of a claim that its sources do not hold.

    Args:
        reading: The claim.
        holding: Its evidence.
        others: The sentences that may hold the figure too, where they say as much of what it counts.
    """
    for index, value in enumerate(reading.values):
        context = _context(reading, value.span)
        rivals = [
            (statement, other)
            for statement in holding.statements
            for other in statement.values
            if (other.firm >= value.firm or other.dimension)
            and value.comparable(other)
            and not (other.held_by(value) or _claimed(reading.values, other))
        ]
        against = max((_shared(reading, context, statement) for statement, _ in rivals), default=-1.0)
        # Where less is said of the matter than beside a rival figure, the figure belongs to something else.
        if _held(reading, index, context, (*holding.statements, *others), min(against * NEAR, len(context) * SAID)):
            continue
        if against < RIVAL * len(context):
            rivals = []
        if not value.firm and not rivals:
            continue
        best = [pair for pair in rivals if _shared(reading, context, pair[0]) == against]
        found = tuple(dict.fromkeys(s.text[slice(*other.span)] for s, other in best))
        kind: ReasonKind = "number_differs" if value.date is None else "date_differs"
        yield Reason(kind, (reading.text[slice(*value.span)],), found)


def _claimed(claimed: Sequence[Value], other: Value) -> bool:
    """Say whether a figure of the evidence is one of the claim's own."""
    return any(value.held_by(other) for value in claimed)


def _held(reading: Reading, index: int, context: frozenset[str], statements: Sequence[Statement], least: float) -> bool:
    """Say whether a sentence has the figure, and enough of what is said of it."""
    value = reading.values[index]
    return any(
        any(map(value.held_by, statement.values)) and _shared(reading, context, statement) >= least
        for statement in statements
    )


def _context(reading: Reading, span: Span) -> frozenset[str]:
    """Return the stems that stand in the same clause of the claim as a figure; all where it stands alone."""
    for start, end in clauses(reading.text):
        if start <= span[0] < end:
            own = frozenset(word.own for word in reading.words if start <= word.span[0] < end)
            if own:
                return own
    return frozenset(reading.terms.stems)


def _shared(reading: Reading, stems: frozenset[str], statement: Statement) -> float:
    """Return how many of these stems a sentence meets."""
    return sum(likeness for own, likeness in reading.terms.match(statement.words).items() if own in stems)


_TITLE = re.compile(r"(?:Herr|Herrn|Frau|Dr|Prof|Mr|Mrs|Ms|Sir|Lord|Familie|Firma|König|Königin)$")
_CAPITAL = re.compile(r"[^\W\d_a-zäöüß]")


def name_like(reading: Reading) -> frozenset[str]:
    """Return the stems of a claim's words that are names, as far as writing shows.

    In English a capital inside the sentence shows it. In German every noun has one: there two capitals in a row, an
    abbreviation in capitals, or a title before it show a name.
    """
    found = set()
    for index, word in enumerate(reading.words):
        if not _CAPITAL.match(word.text):
            continue
        if reading.language == "en":
            if word.span[0] > 0 or _beside(reading, index):
                found.add(word.own)
        elif word.text[1:] != word.text[1:].casefold() or _beside(reading, index) or _titled(reading.text, word.span):
            found.add(word.own)
    return frozenset(found)


def _titled(text: str, span: Span) -> bool:
    return _TITLE.search(text[: span[0]].rstrip(" .")) is not None


def _beside(reading: Reading, index: int) -> bool:
    """Say whether a capitalised word stands right beside another one."""
    own = reading.words[index].span
    for other in (*reading.words[max(index - 1, 0) : index], *reading.words[index + 1 : index + 2]):
        first, last = sorted((own, other.span))
        if last[0] - first[1] == 1 and _CAPITAL.match(other.text):
            return True
    return False


def missing(reading: Reading, met: Mapping[str, float], least: float = 0.6) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the other content words of a claim that its evidence does not meet, as they are written."""
    names = name_like(reading)
    lacking = [word for word in reading.words if met.get(word.own, 0.0) < least]
    return (
        tuple(dict.fromkeys(word.text for word in lacking if word.own in names)),
        tuple(dict.fromkeys(word.text for word in lacking if word.own not in names)),
    )
