"""The seam between us and a language model: a `Prompt` in, pieces of text out.

`llm` makes models behind an API or from a file, `extract` answers without one; to bring another, write a class with a
`name` and a `stream`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from kontextwerk.context.context import Context
from kontextwerk.context.errors import ModelError
from kontextwerk.context.model import Language

NOT_IN_SOURCES: dict[Language, str] = {
    "de": "Das steht nicht in den Quellen.",
    "en": "This is not in the sources.",
}
"""What an answer says where the sources hold none."""


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of the conversation.

    Attributes:
        role: Who speaks.
        text: What is said.
    """

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.

    Attributes:
        instructions: By what rules it answers: the system prompt.
        messages: The turns, oldest first; the last one is the user's.
        question: What is asked, or the briefing, for a model that answers from the context itself.
        context: What the sources in the last message were made from, for the same purpose.
        max_tokens: The most tokens of the answer; None for the model's own limit.
    """

    instructions: str
    messages: tuple[Message, ...]
    question: str = ""
    context: Context | None = None
    max_tokens: int | None = None


class LanguageModel(Protocol):
    """What answers a prompt."""

    @property
    def name(self) -> str:
        """What it is called in settings and messages."""
        ...

    def stream(self, prompt: Prompt) -> Iterator[str]:
        """Yield the answer's text as it arrives.

        Raises:
            ModelError: No answer, or one that broke off; what was yielded stays valid.
        """
        ...


def complete(model: LanguageModel, prompt: Prompt) -> str:
    """Return the whole answer.

    Raises:
        ModelError: The model failed, or its answer is empty.
    """
    answer = "".join(model.stream(prompt))
    if not answer.strip():
        raise ModelError(model.name, "gave an empty answer", "Try again, or name another model")
    return answer
