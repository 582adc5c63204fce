"""What happens while an answer comes about, as typed events, in this order.

    sources  (text | citation)*  check*  done        or, at any point, error

Each has a `kind`, and `to_dict` for any JSON writer. It leaves out who makes them: see `chat`.
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeAlias

from kontextwerk.context.claims import Check
from kontextwerk.context.context import Context
from kontextwerk.context.model import Span
from kontextwerk.context.telling import to_dict as check_to_dict


@dataclass(frozen=True, slots=True)
class Sources:
    """What the model reads; it comes before the first word.

    Attributes:
        query: What was searched for.
        context: The context, with its sources.
    """

    kind: ClassVar[str] = "sources"
    query: str
    context: Context

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, "query": self.query, "context": self.context.to_dict()}


@dataclass(frozen=True, slots=True)
class Text:
    """More of the answer.

    Attributes:
        text: What comes next, without citations.
    """

    kind: ClassVar[str] = "text"
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in the answer; its mark is part of the answer's text.

    Attributes:
        text: The mark as the model wrote it.
        span: Where it stands in the answer, in characters.
        numbers: The sources that it names.
        unknown: Numbers in it that no source has.
    """

    kind: ClassVar[str] = "citation"
    text: str
    span: Span
    numbers: tuple[int, ...]
    unknown: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found of a sentence of the answer.

    Attributes:
        check: Its verdict, with evidence and reasons.
    """

    kind: ClassVar[str] = "check"
    check: Check

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, **check_to_dict(self.check)}


@dataclass(frozen=True, slots=True)
class Done:
    """The end of an answer.

    Attributes:
        turn: The identifier of its turn.
        answer: The whole answer.
        stopped: Whether it was ended early, by the person.
    """

    kind: ClassVar[str] = "done"
    turn: str
    answer: str
    stopped: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Failed:
    """The end of an answer that failed; what came before it stays.

    Attributes:
        turn: The identifier of its turn.
        message: The thing, the reason and the mend, in one line.
    """

    kind: ClassVar[str] = "error"
    turn: str
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, **asdict(self)}


Event: TypeAlias = Sources | Text | Cited | Checked | Done | Failed
"""Anything that happens while an answer comes about."""
