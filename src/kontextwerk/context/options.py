"""What can be asked of a context beside its budget and its question.

It leaves out what each choice does: see the module that a choice is named after.
"""

from dataclasses import dataclass
from typing import get_args

from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError
from kontextwerk.context.labels import Labels
from kontextwerk.context.model import FormatName, Numbering, Order, Scores, Similarity


@dataclass(frozen=True, slots=True)
class Options:
    """What can be asked of a context beside its budget and its question.

    Attributes:
        labels: Words for headers; None for the language's own.
        min_score: The worst score that may enter; None for no limit.
        similarity: How close sentences are to the question in meaning, such as from an embedder; None to choose
            sentences by their words.
        format: How passages are written: `text`, `markdown`, `xml` or `json`.
        order: In what order they stand: by `relevance`, by `document`, or the best at both `ends`.
        numbering: What has a number of its own: a `passage` or a `document`.
        per_document: The most chunks of one document that enter before those of others; None for no limit. The others
            enter where room is left.
        scores: What scores mean: `similarity`, `distance` or `rank`.
        after: The context of the conversation's turn before: its sources keep their numbers.
        append: Whether the text of `after` stays, byte for byte, and what is new comes behind it, so that a model's
            prompt cache holds. Where that text alone is over the budget, the context is made anew.

    Raises:
        InputError: A choice that there is not, or `append` without `after`.
    """

    labels: Labels | None = None
    min_score: float | None = None
    similarity: Similarity | None = None
    format: FormatName = "text"
    order: Order = "relevance"
    numbering: Numbering = "passage"
    per_document: int | None = None
    scores: Scores = "similarity"
    after: Context | None = None
    append: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        choices = {"format": FormatName, "order": Order, "numbering": Numbering, "scores": Scores}
        for name, literal in choices.items():
            if getattr(self, name) not in get_args(literal):
                raise InputError(
                    name, f"{getattr(self, name)!r} is unknown", f"Use one of: {', '.join(get_args(literal))}"
                )
        if self.per_document is not None and (type(self.per_document) is not int or self.per_document < 1):
            raise InputError("per_document", f"is {self.per_document!r}", "Pass 1 or more, or None")
        if self.append and self.after is None:
            raise InputError("append", "has nothing to append to", "Pass the turn before as `after`")
