"""Settings: from a file, the environment and the call, the later ones winning."""

from pathlib import Path

import pytest

from kontextwerk import SettingsError
from kontextwerk.settings import Settings, load


def test_later_ones_win(tmp_path: Path) -> None:
    """The call wins over the environment, that over the file, that over the defaults."""
    file = tmp_path / "config.toml"
    file.write_text('model = "ollama:a"\nlimit = 5\nchat_tokens = 100\n', encoding="utf-8")
    environment = {"KONTEXTWERK_LIMIT": "6", "KONTEXTWERK_CHAT_TOKENS": "200", "OTHER": "x"}
    settings = load(file, environment, {"chat_tokens": 300, "collection": None})
    assert (settings.model, settings.limit, settings.chat_tokens) == ("ollama:a", 6, 300)
    assert settings.collection == Settings().collection


@pytest.mark.parametrize(
    ("text", "thing", "reason"),
    [
        ("modell = 1", "modell", "is no setting"),
        ('limit = "viele"', "limit", "is no whole number"),
        ("limit = 0", "limit", "is too small"),
        ("model = 3", "model", "is no text"),
        ('language = "fr"', "language", "is unknown"),
        ("limit =", "config.toml", "is no valid TOML"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, thing: str, reason: str) -> None:
    """A mistake in a file names the key, the file, the reason and the mend."""
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=reason) as caught:
        load(file, {})
    assert thing in caught.value.thing
    assert str(file) in caught.value.thing
    assert caught.value.mend


def test_a_missing_file_is_named() -> None:
    """A file that is not there is refused."""
    with pytest.raises(SettingsError, match=r"fehlt\.toml"):
        load(Path("/fehlt.toml"), {})
