"""Conversations, their turns, and uploads: begun, changed, looked up, deleted.

It leaves out how a turn comes about: see `chat`; and drafts, which a `Records` hands over: see `drafts`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Self
from uuid import uuid4

import sqlalchemy as sa

from kontextwerk.context.model import Language
from kontextwerk.records.database import transaction
from kontextwerk.records.drafts import Drafts
from kontextwerk.records.rows import (
    TITLE_CHARS,
    AbsentError,
    Conversation,
    StoredTurn,
    Upload,
    conversation_of,
    present,
    row_of,
    storable,
    storable_row,
    turn_of,
    upload_of,
)
from kontextwerk.records.tables import CONVERSATIONS, TURNS, UPLOADS


class Records:
    """What is kept. Safe to use from several threads; every method raises `RecordsError` where it cannot be done.

    Args:
        engine: The database, its tables made.
        place: Where it lies, for messages.

    Attributes:
        place: Where it lies.
        drafts: The drafts that are kept in it.
    """

    def __init__(self, engine: sa.Engine, place: str) -> None:
        self._engine = engine
        self.place = place
        self.drafts = Drafts(engine, place)

    def begin(self, *, language: Language = "de", documents: Sequence[str] = (), title: str = "") -> Conversation:
        """Begin a conversation."""
        now = present()
        made = Conversation(str(uuid4()), storable(title[:TITLE_CHARS]), language, tuple(documents), now, now)
        with self._transaction() as connection:
            connection.execute(CONVERSATIONS.insert().values(row_of(made)))
        return made

    def conversations(self, *, limit: int = 200) -> list[Conversation]:
        """Return the conversations, the latest first."""
        order = (CONVERSATIONS.c.updated.desc(), CONVERSATIONS.c.id)
        with self._transaction() as connection:
            rows = connection.execute(sa.select(CONVERSATIONS).order_by(*order).limit(limit))
            return [conversation_of(dict(row)) for row in rows.mappings()]

    def conversation(self, name: str) -> Conversation:
        """Return a conversation; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            row = connection.execute(sa.select(CONVERSATIONS).where(CONVERSATIONS.c.id == name)).mappings().first()
        if row is None:
            raise _absent(name)
        return conversation_of(dict(row))

    def change(self, name: str, **changes: Any) -> Conversation:  # noqa: ANN401  by column
        """Change a conversation's `title`, `language` or `documents`; raises `AbsentError` where there is none."""
        self.conversation(name)
        with self._transaction() as connection:
            connection.execute(CONVERSATIONS.update().where(CONVERSATIONS.c.id == name).values(storable_row(changes)))
        return self.conversation(name)

    def delete(self, name: str) -> None:
        """Delete a conversation and its turns; raises `AbsentError` where there is none."""
        self.conversation(name)
        with self._transaction() as connection:
            connection.execute(TURNS.delete().where(TURNS.c.conversation == name))
            connection.execute(CONVERSATIONS.delete().where(CONVERSATIONS.c.id == name))

    def ask(self, conversation: str, question: str, *, model: str, max_tokens: int) -> StoredTurn:
        """Keep a question as the conversation's next turn; raises `AbsentError` where there is no such conversation."""
        now, question = present(), storable(question)
        own, of_it = CONVERSATIONS.c.id == conversation, TURNS.c.conversation == conversation
        title = sa.case(
            (CONVERSATIONS.c.title == "", " ".join(question.split())[:TITLE_CHARS]), else_=CONVERSATIONS.c.title
        )
        with self._transaction() as connection:
            # It comes first: whoever else asks in this conversation waits here, so that no position is given twice.
            found = connection.execute(CONVERSATIONS.update().where(own).values(updated=now, title=title))
            if not found.rowcount:
                raise _absent(conversation)
            last = connection.execute(sa.select(sa.func.max(TURNS.c.position)).where(of_it)).scalar()
            turn = StoredTurn(
                str(uuid4()),
                conversation,
                position=0 if last is None else last + 1,
                question=question,
                query="",
                answer="",
                state="answering",
                error="",
                model=model,
                max_tokens=max_tokens,
                context=None,
                checks=None,
                feedback="",
                created=now,
            )
            connection.execute(TURNS.insert().values(row_of(turn)))
        return turn

    def update(self, turn: str, **changes: Any) -> StoredTurn:  # noqa: ANN401  by column
        """Change a turn's columns; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            connection.execute(TURNS.update().where(TURNS.c.id == turn).values(storable_row(changes)))
        return self.turn(turn)

    def turn(self, name: str) -> StoredTurn:
        """Return a turn; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            row = connection.execute(sa.select(TURNS).where(TURNS.c.id == name)).mappings().first()
        if row is None:
            raise AbsentError(f"turn {name}", "is not there", "Ask again")
        return turn_of(dict(row))

    def turns(self, conversation: str) -> list[StoredTurn]:
        """Return the turns of a conversation, oldest first."""
        query = sa.select(TURNS).where(TURNS.c.conversation == conversation).order_by(TURNS.c.position)
        with self._transaction() as connection:
            return [turn_of(dict(row)) for row in connection.execute(query).mappings()]

    def add_upload(self, name: str, path: str, size: int, *, id: str) -> Upload:  # noqa: A002  the column's name
        """Keep that a file has come."""
        upload = Upload(id, storable(name), path, size, "waiting", "", 0, 0, present())
        with self._transaction() as connection:
            connection.execute(UPLOADS.insert().values(row_of(upload)))
        return upload

    def update_upload(self, name: str, **changes: Any) -> None:  # noqa: ANN401  by column
        """Change an upload's columns."""
        with self._transaction() as connection:
            connection.execute(UPLOADS.update().where(UPLOADS.c.id == name).values(storable_row(changes)))

    def uploads(self) -> list[Upload]:
        """Return the uploads, the latest first."""
        with self._transaction() as connection:
            rows = connection.execute(sa.select(UPLOADS).order_by(UPLOADS.c.created.desc(), UPLOADS.c.id))
            return [upload_of(dict(row)) for row in rows.mappings()]

    def delete_upload(self, name: str) -> None:
        """Forget an upload."""
        with self._transaction() as connection:
            connection.execute(UPLOADS.delete().where(UPLOADS.c.id == name))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _transaction(self) -> AbstractContextManager[sa.Connection]:
        return transaction(self._engine, self.place)


def _absent(conversation: str) -> AbsentError:
    return AbsentError(f"conversation {conversation}", "is not there", "Begin a new one")
