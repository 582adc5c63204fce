"""Language models by name, against a scripted server."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from kontextwerk import ModelError, SettingsError
from kontextwerk.llm import make_model
from kontextwerk.prompt import Message, Prompt, complete
from kontextwerk.settings import Settings
from openai_server import Script, openai_server

PROMPT = Prompt("Antworte {knapp}.", (Message("user", "Was heißt {frage}? ü 👩‍👩‍👧 %s"),), max_tokens=7)
SETTINGS = replace(Settings(), model="openai:modell")


def test_pieces_arrive_as_they_are_sent() -> None:
    """The first piece is there before the last one is sent."""
    script = Script(["Im ", "Erst", "gespräch", "."], pause=0.1)
    with openai_server(script) as url:
        arrived, pieces = [], []
        for piece in make_model(replace(SETTINGS, model_url=url)).stream(PROMPT):
            arrived.append(time.monotonic())
            pieces.append(piece)
    assert "".join(pieces) == "Im Erstgespräch."
    assert arrived[0] < script.sent[-1]


def test_the_prompt_arrives_unchanged() -> None:
    """Instructions, turns and limits stand in the request, braces and emoji as they were."""
    script = Script(["Ja."])
    with openai_server(script) as url:
        assert complete(make_model(replace(SETTINGS, model_url=url)), PROMPT) == "Ja."
    (request,) = script.requests
    contents = [message["content"] for message in request["messages"]]
    assert contents == [PROMPT.instructions, PROMPT.messages[0].text]
    assert (request["model"], request["stream"], request["temperature"]) == ("modell", True, 0)
    assert 7 in {request.get("max_tokens"), request.get("max_completion_tokens")}


@pytest.mark.parametrize(
    ("status", "message", "reason"),
    [
        (401, "bad key", "refuses the key"),
        (403, "no access", "refuses the key"),
        (404, "no such model", "is not there"),
        (429, "slow down", "takes no more requests"),
        (400, "maximum context length is 8 tokens", "prompt too long"),
        (400, "unexpected token in the request", "answers with an error"),
        (500, "oops", "answers with an error"),
    ],
)
def test_errors_are_mapped(status: int, message: str, reason: str) -> None:
    """Every refusal becomes one error that names the model, the reason and the mend."""
    with openai_server(Script(status=status, message=message)) as url:
        model = make_model(replace(SETTINGS, model_url=url))
        with pytest.raises(ModelError, match=reason) as caught:
            list(model.stream(PROMPT))
    assert caught.value.thing == "openai:modell"
    assert caught.value.mend


def test_an_answer_that_says_nothing_is_an_error() -> None:
    """An empty answer is named, not passed on."""
    with openai_server(Script([])) as url, pytest.raises(ModelError):
        complete(make_model(replace(SETTINGS, model_url=url)), PROMPT)


def test_anthropic_streams() -> None:
    """A model of Anthropic's is asked in its provider's words, and streams the same way."""
    script = Script(["Im ", "Erstgespräch."])
    with openai_server(script) as url:
        settings = replace(
            Settings(), model="anthropic:m", model_url=url.removesuffix("/v1"), model_api_key="schluessel"
        )
        assert complete(make_model(settings), PROMPT) == "Im Erstgespräch."
    (request,) = script.requests
    assert PROMPT.instructions in str(request["system"])
    assert request["max_tokens"] == 7


def test_a_stream_that_breaks_off_keeps_what_came() -> None:
    """What arrived before the break stays, and the error says that it broke off."""
    arrived: list[str] = []
    with openai_server(Script(["Im ", "Erst"], breaks_off=True)) as url:
        stream = make_model(replace(SETTINGS, model_url=url)).stream(PROMPT)
        with pytest.raises(ModelError, match="broke off"):
            arrived.extend(stream)
    assert "".join(arrived) == "Im Erst"


def test_nobody_listens() -> None:
    """A server that is not there is named, with the mend."""
    with pytest.raises(ModelError, match="cannot be reached"):
        list(make_model(replace(SETTINGS, model="ollama:x", model_url="http://127.0.0.1:9/v1")).stream(PROMPT))


def test_leaving_early_ends_the_request() -> None:
    """Who stops reading does not wait for the rest."""
    with openai_server(Script(["a"] * 100, pause=0.05)) as url:
        stream = make_model(replace(SETTINGS, model_url=url)).stream(PROMPT)
        next(stream)
        begun = time.monotonic()
        stream.close()  # type: ignore[attr-defined]  # a generator, as the protocol's iterator here is
        assert time.monotonic() - begun < 3


def test_streams_run_side_by_side() -> None:
    """Several threads may ask at once."""
    with openai_server(Script(["Ja", "."], pause=0.02)) as url, ThreadPoolExecutor(4) as pool:
        model = make_model(replace(SETTINGS, model_url=url))
        assert set(pool.map(lambda _: complete(model, PROMPT), range(8))) == {"Ja."}


@pytest.mark.parametrize("name", ["gpt", "openai:", ":x", "roman:x", "extract"])
def test_an_unknown_model_is_named(name: str) -> None:
    """A name that is no model is refused with the forms that are."""
    with pytest.raises(SettingsError, match="ollama:NAME"):
        make_model(replace(Settings(), model=name))


@pytest.mark.parametrize(("name", "variable"), [("openai:x", "OPENAI_API_KEY"), ("anthropic:x", "ANTHROPIC_API_KEY")])
def test_a_missing_key_is_named(name: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key there is no request, but the variable's name."""
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(SettingsError, match=variable):
        make_model(replace(Settings(), model=name))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    """A missing file and one of another kind are refused before anything is loaded."""
    (tmp_path / "x.gguf").write_bytes(b"PK\x03\x04")
    for path in (tmp_path / "x.gguf", tmp_path / "fehlt.gguf"):
        with pytest.raises(SettingsError, match=str(path)):
            make_model(replace(Settings(), model=f"gguf:{path}"))
