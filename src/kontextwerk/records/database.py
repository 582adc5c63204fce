"""The database: its address, its engine, transactions, and its errors as ours.

It leaves out what stands in it: see `tables`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from kontextwerk.context.errors import MissingExtraError, RecordsError, SettingsError


def address(text: str) -> sa.URL:
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


def open_engine(url: sa.URL) -> sa.Engine:
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
def mapped(place: str) -> Iterator[None]:
    """Turn what the database, which lies in this place, raises into a `RecordsError`."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, OSError) as error:
        cause = (str(getattr(error, "orig", None) or error) or type(error).__name__).splitlines()[0][:200]
        full = "disk is full" in cause or "No space left" in cause
        mend = "Make room and try again" if full else "Check that it is there and may be written"
        raise RecordsError(place, "the disk is full" if full else f"cannot be used ({cause})", mend) from error


@contextmanager
def transaction(engine: sa.Engine, place: str) -> Iterator[sa.Connection]:
    """Give a connection whose changes all hold at the end, or none where an error is raised.

    Args:
        engine: The database.
        place: Where it lies, for messages.

    Raises:
        RecordsError: The database cannot do it.
    """
    with mapped(place), engine.begin() as connection:
        yield connection
