"""What is kept on disk: SQLite in the data directory, PostgreSQL where `records_url` names one.

    Conversation 1 ──▶ n Turn          Upload: a file that was given to us, and how far it is
    Draft        1 ──▶ n Version

The tables are brought to their latest form when the records are opened (see `migrations`). Read `rows` and
`draft_rows` first: what is kept; then `conversations` and `drafts`: what can be done with it. It leaves out how a turn
comes about: see `chat`.
"""

from pathlib import Path

from kontextwerk.context.errors import MissingExtraError
from kontextwerk.settings import Settings

try:
    import sqlalchemy as sa
except ImportError as missing:
    raise MissingExtraError("sqlalchemy", "records") from missing

from kontextwerk.records.conversations import Records
from kontextwerk.records.database import address, mapped, open_engine
from kontextwerk.records.draft_rows import DraftEntry, DraftKind, SectionAction, StoredDraft, StoredVersion
from kontextwerk.records.drafts import Drafts
from kontextwerk.records.rows import (
    TITLE_CHARS,
    AbsentError,
    Conversation,
    Feedback,
    State,
    StoredTurn,
    Upload,
    UploadState,
)
from kontextwerk.records.tables import METADATA

__all__ = [
    "METADATA",
    "TITLE_CHARS",
    "AbsentError",
    "Conversation",
    "DraftEntry",
    "DraftKind",
    "Drafts",
    "Feedback",
    "Records",
    "SectionAction",
    "State",
    "StoredDraft",
    "StoredTurn",
    "StoredVersion",
    "Upload",
    "UploadState",
    "open_records",
]


def open_records(settings: Settings) -> Records:
    """Open the records that the settings name, and bring their tables to the latest form.

    Raises:
        RecordsError: They cannot be opened, or stem from a newer version.
        SettingsError: `records_url` is no address of a database.
        MissingExtraError: The library for them is not installed.
    """
    from kontextwerk.migrations import upgrade

    if settings.records_url:
        url = address(settings.records_url)
        # Neither who comes in nor how: a password may stand in several places of an address.
        place = f"{url.drivername}://{url.host or ''}/{url.database or ''}"
    else:
        file = settings.data_dir.expanduser() / "records.sqlite"
        url, place = sa.URL.create("sqlite", database=str(file)), str(file)
    with mapped(place):
        if not settings.records_url:
            Path(place).parent.mkdir(parents=True, exist_ok=True)
        engine = open_engine(url)
        try:
            upgrade(engine)
        except BaseException:
            engine.dispose()
            raise
    return Records(engine, place)
