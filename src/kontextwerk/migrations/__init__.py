"""The forms that the records' tables had, oldest first, and the steps from each to the next (Alembic).

A change of `kontextwerk.records` brings a module in `versions` with it; none is changed once it was released.
"""

from pathlib import Path

from sqlalchemy import Engine

from kontextwerk.context.errors import MissingExtraError

try:
    from alembic import command
    from alembic.config import Config
except ImportError as missing:
    raise MissingExtraError("alembic", "records") from missing


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring a database's tables to a form, the latest one by default; what they hold stays."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
