"""Drafts and their versions as they are kept, and the way between them and rows of the tables.

It leaves out how a draft comes about: what is written here is only kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from math import isfinite
from typing import Any, Literal, TypeAlias

from kontextwerk.characters import encodable
from kontextwerk.context.context import Context
from kontextwerk.records.rows import State, aware, read_context

DraftKind: TypeAlias = Literal["draft", "section", "edit"]
"""How a version came about: written whole, a section made anew, changed by hand."""
SectionAction: TypeAlias = Literal["", "rewrite", "shorten", "extend", "source"]
"""What was done with the section that was made anew: written anew, made shorter, made longer, given sources."""


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """What is to be written, and what was gathered for it; the texts themselves are its versions.

    Attributes:
        id: Its identifier.
        title: What it is called.
        brief: What is to be written, as plain data.
        model: Who writes.
        max_tokens: The budget of its context, in tokens.
        searches: What was searched for, and whether the library covers it, each as `{"query": str, "covered": bool}`;
            None until it was searched.
        hits: What the searches found, best first, each as `{"id": ..., "score": ..., "payload": ...}`; None until it
            was searched.
        removed: The identifiers of hits that the person took out.
        pinned: The identifiers of hits that come first.
        own: Texts of the person's own, each as `{"id": ..., "title": ..., "text": ...}`.
        outline: The outline; empty until there is one.
        error: Why the last search or outline failed, in one line; empty where it did not.
        created: When it was begun.
        updated: When it was last changed, or its last version begun.
    """

    id: str
    title: str
    brief: dict[str, Any]
    model: str
    max_tokens: int
    searches: list[dict[str, Any]] | None
    hits: list[dict[str, Any]] | None
    removed: tuple[str, ...]
    pinned: tuple[str, ...]
    own: list[dict[str, Any]]
    outline: str
    error: str
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class DraftEntry:
    """A draft as a list shows it, without what was gathered for it.

    Attributes:
        id: Its identifier.
        title: What it is called.
        updated: When it was last changed, or its last version begun.
    """

    id: str
    title: str
    updated: datetime


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A text that a draft had or has.

    Attributes:
        id: Its identifier.
        draft: That of its draft.
        position: Which version of it this is, from 0.
        kind: How it came about.
        base: The identifier of the version that it was made from; empty for none.
        section: Which section was made anew, from 0; None where it was none.
        action: What was done with that section; empty where it was none.
        wish: What the person asked for, in their words.
        text: As far as it has come.
        state: How far it is.
        error: Why it failed, in one line; empty where it did not.
        model: Who wrote it.
        context: `Context.to_dict()`; None until there is one.
        checks: What was found of its sentences, as `context.telling.to_dict` gives it; None until there is anything.
        created: When it was begun.
    """

    id: str
    draft: str
    position: int
    kind: DraftKind
    base: str
    section: int | None
    action: SectionAction
    wish: str
    text: str
    state: State
    error: str
    model: str
    context: dict[str, Any] | None
    checks: list[dict[str, Any]] | None
    created: datetime

    def read_context(self) -> Context | None:
        """Return the context; None where there is none yet, or one that this version cannot read."""
        return read_context(self.context)


def draft_row(record: StoredDraft | StoredVersion) -> dict[str, Any]:
    """Return what is kept as the columns of its row."""
    return plain_row({field.name: getattr(record, field.name) for field in fields(record)})


def plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns as databases take them."""
    return {name: plain(value) for name, value in row.items()}


def plain(value: Any) -> Any:  # noqa: ANN401  any column's
    r"""Return a value as databases take it, and all that stands in it.

    In texts NUL becomes a blank and a lone surrogate U+FFFD; a tuple becomes a list; a number that is not finite, which
    PostgreSQL's JSON does not know, becomes None. All else stays.

    >>> plain({"id": "a\0b", "score": float("nan"), "payload": ({"text": "c"},)})
    {'id': 'a b', 'score': None, 'payload': [{'text': 'c'}]}
    """
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def draft_of(row: Mapping[str, Any]) -> StoredDraft:
    """Return a row of the table `drafts` as what it holds."""
    times = {name: aware(row[name]) for name in ("created", "updated")}
    hits = {name: tuple(row[name]) for name in ("removed", "pinned")}
    return StoredDraft(**{**row, **hits, **times})


def entry_of(row: Mapping[str, Any]) -> DraftEntry:
    """Return a row of some columns of the table `drafts` as what it holds."""
    return DraftEntry(**{**row, "updated": aware(row["updated"])})


def version_of(row: Mapping[str, Any]) -> StoredVersion:
    """Return a row of the table `versions` as what it holds."""
    return StoredVersion(**{**row, "created": aware(row["created"])})
