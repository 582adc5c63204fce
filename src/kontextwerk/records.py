"""Conversations and uploads on disk: SQLite in the data directory, PostgreSQL where `records_url` names one.

    Conversation 1 ──▶ n Turn          Upload: a file that was given to us, and how far it is

The tables are brought to their latest form when the records are opened (see `migrations`). It leaves out how a turn
comes about: see `chat`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias
from uuid import uuid4

from kontextwerk.characters import encodable
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError, MissingExtraError, RecordsError, SettingsError
from kontextwerk.context.model import Language
from kontextwerk.settings import Settings

try:
    import sqlalchemy as sa
except ImportError as missing:
    raise MissingExtraError("sqlalchemy", "records") from missing

State: TypeAlias = Literal["answering", "done", "stopped", "failed"]
"""How far a turn is. `answering` without anybody who answers is one that an end of the program interrupted."""
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
        if self.context is None:
            return None
        try:
            return Context.from_dict(self.context)
        except (KeyError, TypeError, ValueError):
            return None


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
    """There is no conversation, turn or upload of that identifier."""


METADATA = sa.MetaData()
_CONVERSATIONS = sa.Table(
    "conversations",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("documents", sa.JSON, nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    sa.Column("updated", sa.DateTime(timezone=True), nullable=False, index=True),
)
_TURNS = sa.Table(
    "turns",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("conversation", sa.String(36), sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("max_tokens", sa.Integer, nullable=False),
    sa.Column("context", sa.JSON(none_as_null=True)),
    sa.Column("checks", sa.JSON(none_as_null=True)),
    sa.Column("feedback", sa.String(4), nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    sa.UniqueConstraint("conversation", "position", name="one_turn_a_position"),
)
_UPLOADS = sa.Table(
    "uploads",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("chunks_done", sa.Integer, nullable=False),
    sa.Column("chunks_total", sa.Integer, nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
)


def open_records(settings: Settings) -> "Records":
    """Open the records that the settings name, and bring their tables to the latest form.

    Raises:
        RecordsError: They cannot be opened, or stem from a newer version.
        SettingsError: `records_url` is no address of a database.
        MissingExtraError: The library for them is not installed.
    """
    from kontextwerk.migrations import upgrade

    if settings.records_url:
        url = _url(settings.records_url)
        # Neither who comes in nor how: a password may stand in several places of an address.
        place = f"{url.drivername}://{url.host or ''}/{url.database or ''}"
    else:
        file = settings.data_dir.expanduser() / "records.sqlite"
        url, place = sa.URL.create("sqlite", database=str(file)), str(file)
    with _mapped(place):
        if not settings.records_url:
            Path(place).parent.mkdir(parents=True, exist_ok=True)
        engine = _engine(url)
        try:
            upgrade(engine)
        except BaseException:
            engine.dispose()
            raise
    return Records(engine, place)


class Records:
    """What is kept. Safe to use from several threads; every method raises `RecordsError` where it cannot be done.

    Args:
        engine: The database, its tables made.
        place: Where it lies, for messages.
    """

    def __init__(self, engine: sa.Engine, place: str) -> None:
        self._engine = engine
        self.place = place

    def begin(self, *, language: Language = "de", documents: Sequence[str] = (), title: str = "") -> Conversation:
        """Begin a conversation."""
        now = _now()
        made = Conversation(str(uuid4()), _storable(title[:TITLE_CHARS]), language, tuple(documents), now, now)
        with self._transaction() as connection:
            connection.execute(_CONVERSATIONS.insert().values(_row(made)))
        return made

    def conversations(self, *, limit: int = 200) -> list[Conversation]:
        """Return the conversations, the latest first."""
        order = (_CONVERSATIONS.c.updated.desc(), _CONVERSATIONS.c.id)
        with self._transaction() as connection:
            rows = connection.execute(sa.select(_CONVERSATIONS).order_by(*order).limit(limit))
            return [_conversation(dict(row)) for row in rows.mappings()]

    def conversation(self, name: str) -> Conversation:
        """Return a conversation; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            row = connection.execute(sa.select(_CONVERSATIONS).where(_CONVERSATIONS.c.id == name)).mappings().first()
        if row is None:
            raise _absent(name)
        return _conversation(dict(row))

    def change(self, name: str, **changes: Any) -> Conversation:  # noqa: ANN401  by column
        """Change a conversation's `title`, `language` or `documents`; raises `AbsentError` where there is none."""
        self.conversation(name)
        with self._transaction() as connection:
            connection.execute(
                _CONVERSATIONS.update().where(_CONVERSATIONS.c.id == name).values(_storable_row(changes))
            )
        return self.conversation(name)

    def delete(self, name: str) -> None:
        """Delete a conversation and its turns; raises `AbsentError` where there is none."""
        self.conversation(name)
        with self._transaction() as connection:
            connection.execute(_TURNS.delete().where(_TURNS.c.conversation == name))
            connection.execute(_CONVERSATIONS.delete().where(_CONVERSATIONS.c.id == name))

    def ask(self, conversation: str, question: str, *, model: str, max_tokens: int) -> StoredTurn:
        """Keep a question as the conversation's next turn; raises `AbsentError` where there is no such conversation."""
        now, question = _now(), _storable(question)
        own, of_it = _CONVERSATIONS.c.id == conversation, _TURNS.c.conversation == conversation
        title = sa.case(
            (_CONVERSATIONS.c.title == "", " ".join(question.split())[:TITLE_CHARS]), else_=_CONVERSATIONS.c.title
        )
        with self._transaction() as connection:
            # It comes first: whoever else asks in this conversation waits here, so that no position is given twice.
            found = connection.execute(_CONVERSATIONS.update().where(own).values(updated=now, title=title))
            if not found.rowcount:
                raise _absent(conversation)
            last = connection.execute(sa.select(sa.func.max(_TURNS.c.position)).where(of_it)).scalar()
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
            connection.execute(_TURNS.insert().values(_row(turn)))
        return turn

    def update(self, turn: str, **changes: Any) -> StoredTurn:  # noqa: ANN401  by column
        """Change a turn's columns; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            connection.execute(_TURNS.update().where(_TURNS.c.id == turn).values(_storable_row(changes)))
        return self.turn(turn)

    def turn(self, name: str) -> StoredTurn:
        """Return a turn; raises `AbsentError` where there is none."""
        with self._transaction() as connection:
            row = connection.execute(sa.select(_TURNS).where(_TURNS.c.id == name)).mappings().first()
        if row is None:
            raise AbsentError(f"turn {name}", "is not there", "Ask again")
        return _turn(dict(row))

    def turns(self, conversation: str) -> list[StoredTurn]:
        """Return the turns of a conversation, oldest first."""
        query = sa.select(_TURNS).where(_TURNS.c.conversation == conversation).order_by(_TURNS.c.position)
        with self._transaction() as connection:
            return [_turn(dict(row)) for row in connection.execute(query).mappings()]

    def add_upload(self, name: str, path: str, size: int, *, id: str) -> Upload:  # noqa: A002  the column's name
        """Keep that a file has come."""
        upload = Upload(id, _storable(name), path, size, "waiting", "", 0, 0, _now())
        with self._transaction() as connection:
            connection.execute(_UPLOADS.insert().values(_row(upload)))
        return upload

    def update_upload(self, name: str, **changes: Any) -> None:  # noqa: ANN401  by column
        """Change an upload's columns."""
        with self._transaction() as connection:
            connection.execute(_UPLOADS.update().where(_UPLOADS.c.id == name).values(_storable_row(changes)))

    def uploads(self) -> list[Upload]:
        """Return the uploads, the latest first."""
        with self._transaction() as connection:
            rows = connection.execute(sa.select(_UPLOADS).order_by(_UPLOADS.c.created.desc(), _UPLOADS.c.id))
            return [Upload(**{**dict(row), "created": _aware(row["created"])}) for row in rows.mappings()]

    def delete_upload(self, name: str) -> None:
        """Forget an upload."""
        with self._transaction() as connection:
            connection.execute(_UPLOADS.delete().where(_UPLOADS.c.id == name))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with _mapped(self.place), self._engine.begin() as connection:
            yield connection


def _url(text: str) -> sa.URL:
    """Return the address of a database that the settings name.

    Raises:
        SettingsError: It is none. What stands in it is not repeated: there may be a password in it.
    """
    try:
        url = sa.engine.make_url(text)
    except (sa.exc.ArgumentError, ValueError):
        raise SettingsError("records_url", "is no address of a database", f"Set it to one such as {_EXAMPLE}") from None
    if "@" in (url.host or ""):
        raise SettingsError("records_url", "has two @ before the host", "Write an @ in the password as %40")
    # Without a driver's name this is the one that the extra installs.
    return url.set(drivername="postgresql+psycopg") if url.drivername in {"postgres", "postgresql"} else url


_EXAMPLE = "postgresql+psycopg://NAME:PASSWORD@HOST/DATABASE"


def _engine(url: sa.URL) -> sa.Engine:
    """Return the database's engine; SQLite with a write-ahead log, so that readers do not wait for a writer.

    Raises:
        SettingsError: There is no such kind of database, or no driver for it.
        MissingExtraError: Its driver is not installed.
    """
    is_file = url.get_backend_name() == "sqlite"
    options: dict[str, Any] = {"connect_args": {"timeout": 30}} if is_file else {"pool_pre_ping": True}
    try:
        engine = sa.create_engine(url, **options)
    except sa.exc.NoSuchModuleError:
        reason = f"there is no kind of database {url.drivername!r}"
        raise SettingsError("records_url", reason, f"Set it to one such as {_EXAMPLE}") from None
    except ImportError as error:
        if url.drivername == "postgresql+psycopg":
            raise MissingExtraError("psycopg", "postgresql") from error
        reason = f"the driver for {url.drivername!r} is not installed"
        raise SettingsError("records_url", reason, f"Install it, or set one such as {_EXAMPLE}") from error
    if is_file:

        @sa.event.listens_for(engine, "connect")
        def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  the driver's own
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
                connection.execute(f"PRAGMA {pragma}")

    return engine


@contextmanager
def _mapped(place: str) -> Iterator[None]:
    """Turn what the database raises into one of our errors."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, OSError) as error:
        cause = (str(getattr(error, "orig", None) or error) or type(error).__name__).splitlines()[0][:200]
        full = "disk is full" in cause or "No space left" in cause
        mend = "Make room and try again" if full else "Check that it is there and may be written"
        raise RecordsError(place, "the disk is full" if full else f"cannot be used ({cause})", mend) from error


def _absent(conversation: str) -> AbsentError:
    return AbsentError(f"conversation {conversation}", "is not there", "Begin a new one")


def _row(record: Conversation | StoredTurn | Upload) -> Mapping[str, Any]:
    return _storable_row({field.name: getattr(record, field.name) for field in fields(record)})


def _storable_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns as databases take them."""
    return {name: _storable(value) for name, value in row.items()}


def _storable(value: Any) -> Any:  # noqa: ANN401  any column's
    """Return a value as databases take it: no tuple, in texts no NUL and no lone surrogate."""
    if isinstance(value, str):
        return encodable(value)
    return list(value) if isinstance(value, tuple) else value


def _conversation(row: Mapping[str, Any]) -> Conversation:
    times = {name: _aware(row[name]) for name in ("created", "updated")}
    return Conversation(**{**row, "documents": tuple(row["documents"]), **times})


def _turn(row: Mapping[str, Any]) -> StoredTurn:
    return StoredTurn(**{**row, "created": _aware(row["created"])})


def _now() -> datetime:
    return datetime.now(UTC)


def _aware(time: datetime) -> datetime:
    """SQLite forgets the zone: times are kept in UTC."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
