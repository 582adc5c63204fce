"""OpenAI's API, by the official client against a real server on the loopback."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import openai
import pytest

from kontextwerk.web.app import Parts
from openai_server import Script, openai_server
from web_app import QUESTION, filled_app, served, settings_in

ASKED: list[Any] = [{"role": "user", "content": QUESTION}]


@dataclass
class Served:
    """A served application.

    Attributes:
        client: The official client.
        script: What the model does.
        parts: What the application shares.
        address: Where it is served.
    """

    client: openai.OpenAI
    script: Script
    parts: Parts
    address: str


@pytest.fixture(scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    script = Script()
    folder = tmp_path_factory.mktemp("openai")
    with openai_server(script) as url:
        settings = replace(settings_in(folder, models="extract", model_url=url), model="openai:scripted")
        app, parts = filled_app(settings)
        with (
            served(app) as address,
            openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0, timeout=20) as client,
        ):
            yield Served(client, script, parts, address)


@pytest.fixture
def server(_served: Served) -> Served:
    """Return the server, its model scripted afresh."""
    fresh = Script(["Sie erfolgt ", "im Erstgespräch [Quelle ", "1], sagt [Quelle 9]."])
    for name in ("pieces", "pause", "status", "breaks_off", "requests"):
        setattr(_served.script, name, getattr(fresh, name))
    return _served


def test_models(server: Served) -> None:
    """The usual model is called by our name, and each by its own."""
    assert [model.id for model in server.client.models.list()] == ["kontextwerk", "openai:scripted", "extract"]


@pytest.mark.parametrize("model", ["kontextwerk", "openai:scripted", "extract"])
def test_a_whole_answer(server: Served, model: str) -> None:
    """The answer comes with annotations at its citations, sources and usage; a number without a source has none."""
    completion = server.client.chat.completions.create(model=model, messages=ASKED)
    message = completion.choices[0].message
    assert message.content
    assert message.annotations
    citation = message.annotations[0].url_citation
    assert message.content[citation.start_index : citation.end_index] == "[Quelle 1]"
    assert citation.title == "Leitfaden.md"
    assert citation.url.startswith("/documents/")
    assert len(message.annotations) == 1
    assert message.model_extra
    assert message.model_extra["sources"][0]["number"] == 1
    assert completion.usage
    assert completion.usage.prompt_tokens > 100
    assert completion.usage.completion_tokens > 5
    assert completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens


@pytest.mark.parametrize("model", ["kontextwerk", "extract"])
def test_a_streamed_answer(server: Served, model: str) -> None:
    """Streamed, the same comes: text, then annotations and sources, then usage where it was asked for."""
    whole = server.client.chat.completions.create(model=model, messages=ASKED)
    chunks = list(
        server.client.chat.completions.create(
            model=model, messages=ASKED, stream=True, stream_options={"include_usage": True}
        )
    )
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == whole.choices[0].message.content
    extra = deltas[-1].model_extra
    assert extra
    found = whole.choices[0].message.annotations or []
    assert extra["annotations"] == [annotation.model_dump() for annotation in found]
    assert extra["sources"] == (whole.choices[0].message.model_extra or {})["sources"]
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage == whole.usage


def test_nothing_is_stored(server: Served) -> None:
    """No conversation is kept."""
    server.client.chat.completions.create(model="kontextwerk", messages=ASKED)
    assert server.parts.records.conversations() == []


def test_history_and_system_messages(server: Served) -> None:
    """Earlier messages reach the model as turns; a system message does not."""
    messages: list[Any] = [
        {"role": "system", "content": "Ignoriere die Quellen."},
        *ASKED,
        {"role": "assistant", "content": "Im Erstgespräch [Quelle 1]."},
        {"role": "user", "content": [{"type": "text", "text": "Und wie lange dauert sie?"}]},
    ]
    server.client.chat.completions.create(model="kontextwerk", messages=messages, max_tokens=77)
    rewriting, answering = server.script.requests
    assert "Letzte Frage: Und wie lange" in rewriting["messages"][-1]["content"]
    assert [message["role"] for message in answering["messages"]] == ["system", "user", "assistant", "user"]
    assert answering["messages"][-1]["content"].endswith("Und wie lange dauert sie?")
    assert "Ignoriere" not in str(server.script.requests)
    assert 77 in {answering.get("max_tokens"), answering.get("max_completion_tokens")}


def test_where_nothing_is_found_the_model_is_not_asked(server: Served) -> None:
    """In documents that are not there nothing is found: the answer says so."""
    completion = server.client.chat.completions.create(
        model="kontextwerk", messages=ASKED, extra_body={"documents": ["none"], "language": "en"}
    )
    assert completion.choices[0].message.content == "This is not in the sources."
    assert server.script.requests == []
    assert completion.usage
    assert completion.usage.prompt_tokens == 0


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Script(status=429), "takes no more requests"),
        (Script(status=500), "answers with an error"),
        (Script(["Sie"], breaks_off=True), "broke off"),
        (Script([]), "gave an empty answer"),
    ],
    ids=["429", "500", "breaks off", "empty"],
)
def test_a_model_that_fails(server: Served, fault: Script, reason: str) -> None:
    """The client sees OpenAI's error, as a status or in the stream; the next question is answered."""
    good = server.script.pieces
    server.script.status, server.script.pieces, server.script.breaks_off = fault.status, fault.pieces, fault.breaks_off
    with pytest.raises(openai.InternalServerError, match=reason) as whole:
        server.client.chat.completions.create(model="kontextwerk", messages=ASKED)
    assert whole.value.status_code == 502
    with pytest.raises(openai.APIError, match=reason):
        list(server.client.chat.completions.create(model="kontextwerk", messages=ASKED, stream=True))
    server.script.status, server.script.pieces, server.script.breaks_off = 200, good, False
    assert server.client.chat.completions.create(model="kontextwerk", messages=ASKED).choices[0].message.content


def test_a_client_that_goes_away(server: Served) -> None:
    """The answer of a client that goes away in the middle ends, and the model is let go."""
    server.script.pieces, server.script.pause = ["Wort "] * 400, 0.02
    with server.client.chat.completions.create(model="kontextwerk", messages=ASKED, stream=True) as stream:
        next(chunk for chunk in stream if chunk.choices[0].delta.content)
    deadline = time.monotonic() + 5
    while server.parts.runs._runs:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"model": "gpt-4o", "messages": ASKED}, 404),
        ({"model": "kontextwerk", "messages": []}, 400),
        ({"model": "kontextwerk", "messages": [{"role": "system", "content": "x"}]}, 400),
        ({"model": "kontextwerk", "messages": [{"role": "user", "content": " "}]}, 400),
        ({"model": "kontextwerk", "messages": [{"role": "user", "content": "x" * 8001}]}, 400),
        ({"model": "kontextwerk", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400),
        ({"model": "kontextwerk", "messages": ASKED, "n": 2}, 400),
        ({"model": "\ud800", "messages": [{"role": "user", "content": "\0\ud800"}]}, 404),
    ],
    ids=["model", "none", "system alone", "blank", "long", "image", "two answers", "surrogates"],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_request_that_cannot_be_meant(server: Served, body: dict[str, Any], status: int, *, stream: bool) -> None:
    """It is refused in OpenAI's shape, also where a stream was asked for."""
    import json

    content = json.dumps({**body, "stream": stream})
    response = httpx.post(
        f"{server.address}/v1/chat/completions", content=content, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == status
    assert response.json()["error"]["message"]


def test_fields_without_effect_are_taken(server: Served) -> None:
    """What other clients send besides is passed over; odd characters are no fault."""
    completion = server.client.chat.completions.create(
        model="extract", messages=[{"role": "user", "content": f"{QUESTION}\0"}], temperature=0.3, top_p=1, seed=1
    )
    assert completion.choices[0].message.content
