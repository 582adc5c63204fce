"""What a context of a conversation's next turn need not say again.

Where the text that was already sent is to stay as it is, so that a model's prompt cache holds, only what is new may be
added behind it. It leaves out numbers: see `numbering`.
"""

import re
from collections.abc import Iterable

from kontextwerk.context.context import Context
from kontextwerk.context.identity import document_of
from kontextwerk.context.labels import ELISION
from kontextwerk.context.model import Decision, Language, Source
from kontextwerk.context.numbering import stood_in
from kontextwerk.context.selection import Candidate, decide
from kontextwerk.context.sentences import sentences

LONG = 40
"""Characters of a sentence that a document hardly says twice."""


def not_yet_sent(candidates: Iterable[Candidate], sent: Context) -> tuple[tuple[Candidate, ...], tuple[Decision, ...]]:
    """Set aside what stands in a context that was already sent.

    Args:
        candidates: Best first.
        sent: The context of the turn before.

    Returns:
        The candidates that are new, those of which a part was sent cut down to the rest, with `[…]` for that part; and
        a decision for each that was sent whole.
    """
    new: list[Candidate] = []
    decisions: list[Decision] = []
    for candidate in candidates:
        source = next((source for source in sent.sources if candidate.text.strip() in source.text), None)
        if source:
            reason = f"Was sent in an earlier turn, as source {source.number}"
            decisions.append(
                decide(candidate.hit, candidate.chunk, "kept", source.tokens, reason=reason, source=source.number)
            )
        else:
            new.append(_rest(candidate, sent.sources, sent.language))
    ranked = (_ranked(candidate, rank) for rank, candidate in enumerate(new))
    return tuple(ranked), tuple(decisions)


def _ranked(candidate: Candidate, rank: int) -> Candidate:
    return Candidate(candidate.text, candidate.chunk, candidate.hit, rank, candidate.deferred)


def _rest(candidate: Candidate, sources: Iterable[Source], language: Language) -> Candidate:
    """Return the candidate without the sentences that were sent.

    Those are what stands in a source made of the same chunk, and the long ones in others of its document: a short one
    may well be said twice.
    """
    document = document_of(candidate.chunk)
    own = [source for source in sources if document_of(source) == document or stood_in(candidate.chunk, source)]
    if not own:
        return candidate
    made_of_it = [source.text for source in own if stood_in(candidate.chunk, source)]
    texts = [source.text for source in own]
    text = candidate.text
    pieces: list[str] = []
    for start, end in sentences(text, language):
        piece = text[start:end]
        if any(piece in sent for sent in (texts if len(piece) >= LONG else made_of_it)):
            piece = ELISION
        if piece != ELISION or pieces[-1:] != [ELISION]:
            pieces.append(piece)
    rest = " ".join(pieces)
    # Where only marks are left the sentences were sent in other places: nothing would be added by them.
    return (
        Candidate(rest, candidate.chunk, candidate.hit, candidate.rank, candidate.deferred)
        if re.search(r"\w", rest)
        else candidate
    )
