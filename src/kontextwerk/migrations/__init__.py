"""The forms that the records' tables had, oldest first, and the steps from each to the next (Alembic).

A change of `kontextwerk.records` brings a module in `versions` with it; none is changed once it was released.
"""

from pathlib import Path

from sqlalchemy import Engine

from kontextwerk.context.errors import MissingExtraError, RecordsError

try:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
except ImportError as missing:
    raise MissingExtraError("alembic", "records") from missing


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring a database's tables to a form, the latest one by default; what they hold stays.

    It is one step: where it breaks off, the tables are as they were.

    Raises:
        RecordsError: The tables have a form that is not known here.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":  # whose driver begins no transaction before tables are made
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            place = engine.url.database or engine.dialect.name
            raise RecordsError(place, f"is of another version ({error})", "Install the newest Kontextwerk") from error
