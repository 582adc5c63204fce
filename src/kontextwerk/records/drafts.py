"""Drafts and their versions: begun, changed, looked up, deleted.

It leaves out who searches and writes: it keeps what it is told.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from kontextwerk.records.database import transaction
from kontextwerk.records.draft_rows import (
    DraftEntry,
    DraftKind,
    SectionAction,
    StoredDraft,
    StoredVersion,
    draft_of,
    draft_row,
    entry_of,
    plain,
    plain_row,
    version_of,
)
from kontextwerk.records.rows import TITLE_CHARS, AbsentError, State, present
from kontextwerk.records.tables import DRAFTS, VERSIONS


class Drafts:
    """The drafts that are kept. Safe to use from several threads; every method raises `RecordsError` where it fails.

    Args:
        engine: The database, its tables made.
        place: Where it lies, for messages.
    """

    def __init__(self, engine: sa.Engine, place: str) -> None:
        self._engine = engine
        self._place = place

    def begin(self, brief: Mapping[str, Any], *, model: str, max_tokens: int, title: str = "") -> StoredDraft:
        """Begin a draft.

        Args:
            brief: What is to be written, as plain data.
            model: Who writes.
            max_tokens: The budget of its context, in tokens.
            title: What it is called; cut off after `TITLE_CHARS` characters.
        """
        time = present()
        begun = StoredDraft(
            str(uuid4()),
            title[:TITLE_CHARS],
            brief=dict(brief),
            model=model,
            max_tokens=max_tokens,
            searches=None,
            hits=None,
            removed=(),
            pinned=(),
            own=[],
            outline="",
            error="",
            created=time,
            updated=time,
        )
        row = draft_row(begun)
        with self._transaction() as connection:
            connection.execute(DRAFTS.insert().values(row))
        return draft_of(row)

    def drafts(self, *, limit: int = 200) -> list[StoredDraft]:
        """Return the drafts, the latest first, at most so many."""
        return [draft_of(row) for row in self._rows(_latest(sa.select(DRAFTS), limit))]

    def listed(self, *, limit: int = 200) -> list[DraftEntry]:
        """Return what a list shows of the drafts, the latest first, at most so many; what they gathered is not read."""
        columns = sa.select(DRAFTS.c.id, DRAFTS.c.title, DRAFTS.c.updated)
        return [entry_of(row) for row in self._rows(_latest(columns, limit))]

    def draft(self, name: str) -> StoredDraft:
        """Return a draft; raises `AbsentError` where there is none."""
        rows = self._rows(sa.select(DRAFTS).where(DRAFTS.c.id == plain(name)))
        if not rows:
            raise _absent(name)
        return draft_of(rows[0])

    def change(self, name: str, **changes: Any) -> StoredDraft:  # noqa: ANN401  by column
        """Change a draft's columns; what is not named stays, and `updated` is set.

        Raises:
            AbsentError: There is none.
        """
        row = {"updated": present(), **plain_row(changes)}
        with self._transaction() as connection:
            connection.execute(DRAFTS.update().where(DRAFTS.c.id == plain(name)).values(row))
        return self.draft(name)

    def delete(self, name: str) -> None:
        """Delete a draft and its versions; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            connection.execute(VERSIONS.delete().where(VERSIONS.c.draft == plain(name)))
            if not connection.execute(DRAFTS.delete().where(DRAFTS.c.id == plain(name))).rowcount:
                raise _absent(name)

    def add_version(  # noqa: PLR0913  by column
        self,
        draft: str,
        *,
        kind: DraftKind = "draft",
        base: str = "",
        section: int | None = None,
        action: SectionAction = "",
        wish: str = "",
        text: str = "",
        model: str = "",
        state: State = "answering",
        context: dict[str, Any] | None = None,
        checks: list[dict[str, Any]] | None = None,
    ) -> StoredVersion:
        """Keep a text as the draft's next version; the draft counts as changed.

        Args:
            draft: The identifier of the draft.
            kind: How it comes about.
            base: The identifier of the version that it is made from; empty for none.
            section: Which section is made anew, from 0; None for none.
            action: What is done with that section.
            wish: What the person asks for, in their words.
            text: As far as it has come.
            model: Who writes it.
            state: How far it is.
            context: `Context.to_dict()`; None where there is none yet.
            checks: What was found of its sentences; None where there is nothing yet.

        Raises:
            AbsentError: There is no such draft.
        """
        time = present()
        with self._transaction() as connection:
            # It comes first: whoever else adds to this draft waits here, so that no position is given twice.
            found = connection.execute(DRAFTS.update().where(DRAFTS.c.id == plain(draft)).values(updated=time))
            if not found.rowcount:
                raise _absent(draft)
            last = connection.execute(
                sa.select(sa.func.max(VERSIONS.c.position)).where(VERSIONS.c.draft == plain(draft))
            ).scalar()
            added = StoredVersion(
                str(uuid4()),
                draft,
                position=0 if last is None else last + 1,
                kind=kind,
                base=base,
                section=section,
                action=action,
                wish=wish,
                text=text,
                state=state,
                error="",
                model=model,
                context=context,
                checks=checks,
                created=time,
            )
            row = draft_row(added)
            connection.execute(VERSIONS.insert().values(row))
        return version_of(row)

    def version(self, name: str) -> StoredVersion:
        """Return a version; raises `AbsentError` where there is none."""
        rows = self._rows(sa.select(VERSIONS).where(VERSIONS.c.id == plain(name)))
        if not rows:
            raise AbsentError(f"version {name}", "is not there", "Write it anew")
        return version_of(rows[0])

    def versions(self, draft: str) -> list[StoredVersion]:
        """Return the versions of a draft, oldest first; none where there is no such draft."""
        return [version_of(row) for row in self._rows(_of_draft(sa.select(VERSIONS), draft))]

    def version_entries(self, draft: str) -> list[StoredVersion]:
        """Return the versions of a draft, oldest first, with `context` and `checks` None: these are not read."""
        columns = sa.select(*(column for column in VERSIONS.c if column.name not in {"context", "checks"}))
        rows = self._rows(_of_draft(columns, draft))
        return [version_of({**row, "context": None, "checks": None}) for row in rows]

    def update_version(self, name: str, **changes: Any) -> StoredVersion:  # noqa: ANN401  by column
        """Change a version's columns; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            connection.execute(VERSIONS.update().where(VERSIONS.c.id == plain(name)).values(plain_row(changes)))
        return self.version(name)

    def _rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with self._transaction() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def _transaction(self) -> AbstractContextManager[sa.Connection]:
        return transaction(self._engine, self._place)


def _latest(query: sa.Select[Any], limit: int) -> sa.Select[Any]:
    return query.order_by(DRAFTS.c.updated.desc(), DRAFTS.c.id).limit(limit)


def _of_draft(query: sa.Select[Any], draft: str) -> sa.Select[Any]:
    return query.where(VERSIONS.c.draft == plain(draft)).order_by(VERSIONS.c.position)


def _absent(draft: str) -> AbsentError:
    return AbsentError(f"draft {draft}", "is not there", "Begin a new one")
