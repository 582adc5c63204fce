"""Conversations, turns and uploads as they are kept, and the way between them and rows of the tables.

It leaves out drafts: see `draft_rows`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from kontextwerk.characters import encodable
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language

State: TypeAlias = Literal["answering", "done", "stopped", "failed"]
"""How far a turn is, or a version of a draft.

`answering` without anybody who answers is one that an end of the program interrupted.
"""
Feedback: TypeAlias = Literal["", "up", "down"]
"""What the person thinks of an answer."""
UploadState: TypeAlias = Literal["waiting", "reading", "done", "failed"]
"""How far an upload is."""
TITLE_CHARS = 80
"""A conversation is called by the beginning of its first question, so long."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Questions and answers that belong together.

    Attributes:
        id: Its identifier.
        title: What it is called; empty until its first question.
        language: The language of its answers.
        documents: The identifiers of the documents that it asks; empty for all.
        created: When it was begun.
        updated: When its last turn was begun.
    """

    id: str
    title: str
    language: Language
    documents: tuple[str, ...]
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question and its answer, as they are kept.

    Attributes:
        id: Its identifier.
        conversation: That of its conversation.
        position: Which turn of it this is, from 0.
        question: In the person's words.
        query: What was searched for: the question, made to stand by itself.
        answer: As far as it has come.
        state: How far it is.
        error: Why it failed, in one line; empty where it did not.
        model: Who answers.
        max_tokens: The budget of its context.
        context: `Context.to_dict()`; None until there is one.
        checks: What was found of its sentences, as `context.telling.to_dict` gives it; None until there is anything.
        feedback: What the person thinks of it.
        created: When it was asked.
    """

    id: str
    conversation: str
    position: int
    question: str
    query: str
    answer: str
    state: State
    error: str
    model: str
    max_tokens: int
    context: dict[str, Any] | None
    checks: list[dict[str, Any]] | None
    feedback: Feedback
    created: datetime

    def read_context(self) -> Context | None:
        """Return the context; None where there is none yet, or one that this version cannot read."""
        return read_context(self.context)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was given to us.

    Attributes:
        id: Its identifier; its file is named by it.
        name: What the person's file is called.
        path: Where it lies.
        size: Its bytes.
        state: How far it is.
        error: Why it was not read; empty where it was.
        chunks_done: How many of its chunks are stored.
        chunks_total: How many it has; 0 while that is not known.
        created: When it came.
    """

    id: str
    name: str
    path: str
    size: int
    state: UploadState
    error: str
    chunks_done: int
    chunks_total: int
    created: datetime


class AbsentError(InputError):
    """There is no conversation, turn, upload, draft or version of that identifier."""


def row_of(record: Conversation | StoredTurn | Upload) -> dict[str, Any]:
    """Return what is kept as the columns of its row."""
    return storable_row({field.name: getattr(record, field.name) for field in fields(record)})


def storable_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns as databases take them."""
    return {name: storable(value) for name, value in row.items()}


def storable(value: Any) -> Any:  # noqa: ANN401  any column's
    """Return a value as databases take it: no tuple, in texts no NUL and no lone surrogate."""
    if isinstance(value, str):
        return encodable(value)
    return list(value) if isinstance(value, tuple) else value


def conversation_of(row: Mapping[str, Any]) -> Conversation:
    """Return a row of the table `conversations` as what it holds."""
    times = {name: aware(row[name]) for name in ("created", "updated")}
    return Conversation(**{**row, "documents": tuple(row["documents"]), **times})


def turn_of(row: Mapping[str, Any]) -> StoredTurn:
    """Return a row of the table `turns` as what it holds."""
    return StoredTurn(**{**row, "created": aware(row["created"])})


def upload_of(row: Mapping[str, Any]) -> Upload:
    """Return a row of the table `uploads` as what it holds."""
    return Upload(**{**row, "created": aware(row["created"])})


def read_context(stored: dict[str, Any] | None) -> Context | None:
    """Return the context that `to_dict` made this of; None where there is none, or one that cannot be read any more."""
    if stored is None:
        return None
    try:
        return Context.from_dict(stored)
    except (KeyError, TypeError, ValueError):
        return None


def present() -> datetime:
    """Return the time that it is, in UTC."""
    return datetime.now(UTC)


def aware(time: datetime) -> datetime:
    """Return a time with its zone, which SQLite forgets: times are kept in UTC."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
