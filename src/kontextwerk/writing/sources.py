"""The sources of a text: what was found, less what the author removed, their own texts and what they pinned first.

It leaves out the search: see `searches`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kontextwerk.context.assemble import assemble
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Counter, Language, Similarity
from kontextwerk.context.options import Options
from kontextwerk.hits import to_chunks

OWN = "own-"
"""The identifiers of an author's own texts begin with this."""
OWN_CHARS = 50_000
"""The longest own text."""
MOST_OWN = 20
"""The most own texts of a draft."""
_OWN_TITLE: dict[Language, str] = {"de": "Eigener Text", "en": "Own text"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What was found, and what the author made of it.

    Attributes:
        hits: What was found, best first, each with an `id`.
        removed: The identifiers of hits that are left out.
        pinned: The identifiers of hits that come first.
        own: The author's own texts, each as `{"id": ..., "title": ..., "text": ...}`; they
            come first, as pinned hits do.
    """

    hits: Sequence[Mapping[str, Any]]
    removed: Sequence[str] = ()
    pinned: Sequence[str] = ()
    own: Sequence[Mapping[str, Any]] = ()

    def context(  # noqa: PLR0913  each argument is one choice
        self,
        max_tokens: int,
        counter: Counter,
        *,
        question: str,
        language: Language,
        similarity: Similarity | None = None,
        after: Context | None = None,
    ) -> Context:
        """Return the context within the budget: own texts and pinned hits first, the others as far as there is room.

        Args:
            max_tokens: The most tokens of its text.
            counter: From text to its number of tokens.
            question: The briefing: where not all fits, the sentences nearest to it enter.
            language: The language of its labels.
            similarity: How close sentences are to the briefing in meaning; None to choose by words.
            after: A context whose sources keep their numbers; None for none.

        Raises:
            InputError: A negative budget.
        """
        own = [
            {
                "id": one["id"],
                "score": 1.0,
                "payload": {
                    "content": one["text"],
                    "document_title": one["title"] or _OWN_TITLE[language],
                    "document_id": one["id"],
                },
            }
            for one in self.own
        ]
        kept = [hit for hit in self.hits if str(hit["id"]) not in self.removed]
        first = [*own, *(hit for hit in kept if str(hit["id"]) in self.pinned)]
        options = Options(similarity=similarity, after=after)
        if first:
            chosen = assemble(
                to_chunks(first), max_tokens, counter, question=question, language=language, options=options
            )
            # What is pinned stays as it stands, however good the others are.
            options = Options(similarity=similarity, after=chosen, append=True)
        return assemble(
            to_chunks([*own, *kept]), max_tokens, counter, question=question, language=language, options=options
        )


def own_text(title: str, text: str, name: str) -> dict[str, str]:
    """Return an author's own text as it is kept.

    Args:
        title: What its source is called; empty for "own text".
        text: Its wording.
        name: Its identifier; begins with `OWN`.

    Raises:
        InputError: It is empty or too long.
    """
    if not text.strip():
        raise InputError("own text", "is empty", "Write or paste some")
    if len(text) > OWN_CHARS:
        raise InputError("own text", f"has {len(text)} characters", f"Use {OWN_CHARS} at most, or add it as a document")
    return {"id": name, "title": " ".join(title.split())[:200], "text": text.strip()}
