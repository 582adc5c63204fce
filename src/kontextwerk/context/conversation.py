"""What a context of a conversation's next turn need not say again.

Where the text that was already sent is to stay as it is, so that a model's prompt cache holds, only what is new may be
added behind it. It leaves out numbers: see `numbering`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kontextwerk.context.context import Context
from kontextwerk.context.identity import document_of
from kontextwerk.context.labels import ELISION
from kontextwerk.context.model import Chunk, Decision, Language, Source
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
        rest = None if source else _rest(candidate, sent.sources, sent.language)
        if rest:
            new.append(rest)
            continue
        source = source or next(_of_document(candidate.chunk, sent.sources))
        reason = f"Was sent in an earlier turn, as source {source.number}"
        decisions.append(
            decide(candidate.hit, candidate.chunk, "kept", source.tokens, reason=reason, source=source.number)
        )
    ranked = (replace(candidate, rank=rank) for rank, candidate in enumerate(new))
    return tuple(ranked), tuple(decisions)


def _of_document(chunk: Chunk, sources: Iterable[Source]) -> Iterator[Source]:
    """Yield the sources of a chunk's document, those made of the chunk itself first."""
    document = document_of(chunk)
    own = [source for source in sources if document_of(source) == document or stood_in(chunk, source)]
    yield from sorted(own, key=lambda source: not stood_in(chunk, source))


def _rest(candidate: Candidate, sources: Iterable[Source], language: Language) -> Candidate | None:
    """Return the candidate without the sentences that were sent; None where all were.

    Those are what stands in a source made of the same chunk, and the long ones in others of its document: a short one
    may well be said twice.
    """
    own = list(_of_document(candidate.chunk, sources))
    if not own:
        return candidate
    texts = [source.text for source in own]
    made_of_it = [source.text for source in own if stood_in(candidate.chunk, source)]
    rest, is_new, last = "", False, 0
    for start, end in sentences(candidate.text, language):
        piece = candidate.text[start:end]
        gap = candidate.text[last:start]
        last = end
        if not any(piece in sent for sent in (texts if len(piece) >= LONG else made_of_it)):
            # Between what stays the white space stays, too: neighbours are known by their wording.
            rest, is_new = rest + (" " if rest.endswith(ELISION) else gap) + piece, True
        elif not rest.endswith(ELISION):
            rest = f"{rest} {ELISION}".lstrip()
    if not is_new:
        return None
    # A rest without a word is no rest: the chunk is sent as it is.
    return replace(candidate, text=rest) if re.search(r"\w", rest) else candidate
