"""The HTTP API on a real index and real records, with and without a model."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from kontextwerk.context.context import Context
from kontextwerk.context.errors import (
    BudgetError,
    DocumentError,
    IndexingError,
    InputError,
    KontextwerkError,
    ModelError,
    RecordsError,
    SettingsError,
)
from kontextwerk.records import AbsentError
from kontextwerk.web import runs, streams
from kontextwerk.web.app import Parts
from kontextwerk.web.failures import error_response
from openai_server import Script, openai_server
from web_app import QUESTION, events_of, filled_app, served, settings_in

API = "/api/v1"
SCRIPTED = "openai:scripted"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Return a client of an application that answers without a model."""
    app, _ = filled_app(settings_in(tmp_path))
    with TestClient(app, base_url="http://localhost") as made:
        yield made


@pytest.fixture
def script() -> Script:
    """Return what the model of `scripted` does."""
    return Script(["Sie erfolgt ", "im Erstgespräch ", "[Quelle ", "1]."])


@pytest.fixture
def scripted(tmp_path: Path, script: Script) -> Iterator[TestClient]:
    """Return a client of an application that may answer with a scripted model."""
    with openai_server(script) as url:
        app, _ = filled_app(settings_in(tmp_path, models=SCRIPTED, model_url=url))
        with TestClient(app, base_url="http://localhost") as made:
            yield made


def begin(client: TestClient, **asked: Any) -> str:  # noqa: ANN401  the body
    """Begin a conversation; return its identifier."""
    response = client.post(f"{API}/conversations", json=asked)
    assert response.status_code == 201
    return str(response.json()["id"])


def ask(client: TestClient, conversation: str, question: str = QUESTION, **more: Any) -> Any:  # noqa: ANN401
    """Ask a question; return the response."""
    return client.post(f"{API}/conversations/{conversation}/answers", json={"question": question, **more})


def parts_of(client: TestClient) -> Parts:
    """Return what the application shares."""
    parts: Parts = client.app.state.parts  # type: ignore[attr-defined]
    return parts


def test_health(client: TestClient) -> None:
    """The program says that it runs, and its version."""
    assert client.get(f"{API}/health").json()["status"] == "ok"


def test_documents_are_listed_uploaded_and_removed(client: TestClient) -> None:
    """An upload is read, found by a search, listed, and gone after its removal."""
    files = [
        ("files", ("Neu.txt", b"Supervision findet monatlich statt.")),
        ("files", ("Bild.png", b"\x89PNG")),
    ]
    response = client.post(f"{API}/documents", files=files)
    assert response.status_code == 202
    taken = response.json()
    assert [one["name"] for one in taken["uploads"]] == ["Neu.txt"]
    assert [one["thing"] for one in taken["refused"]] == ["Bild.png"]

    deadline = time.monotonic() + 10
    while (upload := client.get(f"{API}/uploads").json()[0])["state"] in {"waiting", "reading"}:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert upload["state"] == "done"
    document = next(one for one in client.get(f"{API}/documents").json() if one["title"] == "Neu.txt")
    assert document["complete"]
    hits = client.post(f"{API}/search", json={"question": "Supervision", "documents": [document["id"]]}).json()
    assert hits[0]["payload"]["document_title"] == "Neu.txt"

    assert client.delete(f"{API}/documents/{document['id']}").status_code == 204
    assert client.delete(f"{API}/documents/{document['id']}").status_code == 404
    assert client.get(f"{API}/uploads").json() == []


def test_uploads_that_are_all_refused(client: TestClient) -> None:
    """Where no file is taken, the request fails; too many at once are refused, too."""
    response = client.post(f"{API}/documents", files=[("files", ("leer.txt", b""))])
    assert response.status_code == 422
    assert response.json()["thing"] == "leer.txt"
    many = [("files", (f"{number}.txt", b"x")) for number in range(21)]
    assert client.post(f"{API}/documents", files=many).status_code == 422


def test_search(client: TestClient) -> None:
    """The best hit answers the question, and there are at most as many as asked for."""
    hits = client.post(f"{API}/search", json={"question": QUESTION, "limit": 1}).json()
    assert len(hits) == 1
    assert "Erstgespräch" in hits[0]["payload"]["content"]


def test_context_of_a_question_and_of_hits(client: TestClient) -> None:
    """A context is made from what was found, or from the hits that are passed; it reads back as a context."""
    found = client.post(f"{API}/context", json={"question": QUESTION, "max_tokens": 200}).json()
    assert Context.from_dict(found).sources[0].number == 1
    hit = {"id": 7, "score": 0.9, "payload": {"content": "Im Erstgespräch.", "document_title": "Handbuch.pdf"}}
    made = client.post(f"{API}/context", json={"hits": [hit], "format": "xml", "language": "en"}).json()
    assert made["sources"][0]["title"] == "Handbuch.pdf"
    assert made["decisions"][0]["outcome"] == "kept"
    assert client.post(f"{API}/context", json={}).status_code == 422


def test_conversations_are_kept_changed_and_deleted(client: TestClient) -> None:
    """A conversation is begun, listed, renamed and deleted; after that it is not there."""
    name = begin(client, language="en")
    assert client.get(f"{API}/conversations").json()[0]["id"] == name
    changed = client.patch(f"{API}/conversations/{name}", json={"title": "Neu", "documents": ["x"]}).json()
    assert (changed["title"], changed["language"], changed["documents"]) == ("Neu", "en", ["x"])
    assert client.patch(f"{API}/conversations/{name}", json={}).json()["title"] == "Neu"
    assert client.delete(f"{API}/conversations/{name}").status_code == 204
    for response in (client.get(f"{API}/conversations/{name}"), ask(client, name)):
        assert response.status_code == 404
        assert response.json()["reason"] == "is not there"


def test_a_whole_answer(client: TestClient) -> None:
    """The turn comes with answer, sources and checks, and stands in its conversation."""
    name = begin(client)
    turn = ask(client, name).json()
    assert turn["state"] == "done"
    assert "[Quelle 1]" in turn["answer"]
    assert turn["context"]["sources"][0]["title"] == "Leitfaden.md"
    assert turn["checks"][0]["verdict"] == "supported"
    read = client.get(f"{API}/conversations/{name}").json()
    assert read["turns"] == [turn]
    assert read["title"] == QUESTION
    assert client.get(f"{API}/turns/{turn['id']}").json() == turn


def test_a_streamed_answer(scripted: TestClient) -> None:
    """Events come in their order, and later the same are told again."""
    response = ask(scripted, begin(scripted), model=SCRIPTED, stream=True)
    assert response.headers["content-type"].startswith("text/event-stream")
    told = events_of(response.text)
    kinds = [kind for kind, _ in told]
    assert list(dict.fromkeys(kinds)) == ["sources", "text", "citation", "check", "done"]
    answer = "".join(event["text"] for kind, event in told if kind in {"text", "citation"})
    assert answer == told[-1][1]["answer"] == "Sie erfolgt im Erstgespräch [Quelle 1]."
    again = events_of(scripted.get(f"{API}/turns/{told[-1][1]['turn']}/events").text)
    assert again[0] == told[0]
    assert again[-1] == told[-1]
    assert [one for one in again if one[0] in {"citation", "check"}] == [
        one for one in told if one[0] in {"citation", "check"}
    ]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Script(status=429), "takes no more requests"),
        (Script(status=500), "answers with an error (500)"),
        (Script(["Sie"], breaks_off=True), "broke off"),
        (Script([]), "gave an empty answer"),
    ],
    ids=["429", "500", "breaks off", "empty"],
)
def test_a_model_that_fails(scripted: TestClient, script: Script, fault: Script, reason: str) -> None:
    """The failure is an event, or a status; the conversation goes on, and the turn can be retried."""
    good = list(script.pieces)
    script.status, script.pieces, script.breaks_off = fault.status, fault.pieces, fault.breaks_off
    name = begin(scripted)
    whole = ask(scripted, name, model=SCRIPTED)
    assert whole.status_code == 502
    assert reason in whole.json()["detail"]
    kind, event = events_of(ask(scripted, name, model=SCRIPTED, stream=True).text)[-1]
    assert kind == "error"
    assert reason in event["message"]

    script.status, script.pieces, script.breaks_off = 200, good, False
    assert ask(scripted, name, model=SCRIPTED).json()["answer"] == "".join(good)
    retried = scripted.post(f"{API}/turns/{event['turn']}/retry", json={})
    assert retried.json()["state"] == "done"
    states = [turn["state"] for turn in scripted.get(f"{API}/conversations/{name}").json()["turns"]]
    assert states == ["failed", "done", "done"]


def test_an_unknown_citation(scripted: TestClient, script: Script) -> None:
    """A number that no source has is told as unknown, and the answer stands."""
    script.pieces = ["Im Erstgespräch [Quelle 9]."]
    told = events_of(ask(scripted, begin(scripted), model=SCRIPTED, stream=True).text)
    assert [event["unknown"] for kind, event in told if kind == "citation"] == [[9]]
    assert told[-1][0] == "done"


def test_an_answer_goes_on_when_its_reader_goes_away_and_can_be_stopped(tmp_path: Path) -> None:
    """Who comes back reads the answer from its first event; stopping keeps what has come."""
    script = Script(["Wort "] * 200, pause=0.05)
    with openai_server(script) as url:
        app, parts = filled_app(settings_in(tmp_path, models=SCRIPTED, model_url=url))
        with served(app) as address, httpx.Client(base_url=f"{address}{API}", timeout=20) as client:
            name = client.post("/conversations", json={}).json()["id"]
            question = {"question": QUESTION, "model": SCRIPTED, "stream": True}
            with client.stream("POST", f"/conversations/{name}/answers", json=question) as response:
                lines = response.iter_lines()
                while next(lines) != "event: text":
                    pass
            turn = client.get(f"/conversations/{name}").json()["turns"][0]["id"]
            assert parts.runs.get(turn) is not None
            with client.stream("GET", f"/turns/{turn}/events") as response:
                assert next(response.iter_lines()) == "event: sources"
            kept = client.post(f"/turns/{turn}/stop").json()
            assert kept["state"] == "stopped"
            assert kept["answer"].startswith("Wort ")
            question["stream"] = False
            script.pieces, script.pause = ["Gut [Quelle 1]."], 0.0
            assert client.post(f"/conversations/{name}/answers", json=question).json()["answer"] == "Gut [Quelle 1]."


def test_silence_is_broken_by_signs_of_life(
    scripted: TestClient, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a model thinks, comments are sent, which readers of events pass over."""
    monkeypatch.setattr(streams, "PING_SECONDS", 0.05)
    script.pause = 0.2
    text = ask(scripted, begin(scripted), model=SCRIPTED, stream=True).text
    assert ": ping\n\n" in text
    assert events_of(text)[-1][0] == "done"


def test_an_interrupted_answer(client: TestClient) -> None:
    """A turn that an end of the program interrupted is told as failed, and can be stopped or answered anew."""
    name = begin(client)
    turn = parts_of(client).chat.ask(name, QUESTION).id
    assert events_of(client.get(f"{API}/turns/{turn}/events").text)[-1][0] == "error"
    assert client.post(f"{API}/turns/{turn}/stop").json()["state"] == "stopped"
    retried = client.post(f"{API}/turns/{turn}/retry", json={"stream": True})
    assert events_of(retried.text)[-1][0] == "done"


def test_too_many_answers_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that cannot be begun is refused; its question is kept, and can be answered later."""
    name = begin(client)
    with monkeypatch.context() as patched:
        patched.setattr(runs, "MOST", 0)
        assert ask(client, name).status_code == 422
    turn = client.get(f"{API}/conversations/{name}").json()["turns"][0]
    assert turn["state"] == "failed"
    assert client.post(f"{API}/turns/{turn['id']}/retry", json={}).json()["state"] == "done"


def test_deleting_a_conversation_ends_its_answer(scripted: TestClient, script: Script) -> None:
    """An answer whose conversation is deleted stops; nothing of it is left."""
    script.pieces, script.pause = ["Wort "] * 100, 0.05
    name = begin(scripted)
    turn = parts_of(scripted).chat.ask(name, QUESTION, model=SCRIPTED)
    run = parts_of(scripted).runs.start(turn)
    assert scripted.delete(f"{API}/conversations/{name}").status_code == 204
    deadline = time.monotonic() + 5
    while not run.ended:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert scripted.get(f"{API}/turns/{turn.id}").status_code == 404


def test_a_lone_surrogate_of_a_model(scripted: TestClient, script: Script) -> None:
    """What no encoding can carry in an answer is replaced; the answer is kept."""
    script.pieces = ["Im Erst\ud800gespräch [Quelle 1]."]
    turn = ask(scripted, begin(scripted), model=SCRIPTED).json()
    assert (turn["state"], turn["answer"]) == ("done", "Im Erst\ufffdgespräch [Quelle 1].")


def test_a_token(tmp_path: Path) -> None:
    """Where a token is set, requests without it are refused in the shape of their API."""
    app, _ = filled_app(settings_in(tmp_path, token="a" * 16))
    with TestClient(app, base_url="http://localhost") as client:
        assert "token" in client.get(f"{API}/documents").json()["detail"]
        assert "token" in client.get("/v1/models").json()["error"]["message"]
        assert client.get("/v1/models", headers={"Authorization": f"Bearer {'a' * 16}"}).status_code == 200


def test_feedback(client: TestClient) -> None:
    """What the person thinks is kept; anything else than the three is refused."""
    turn = ask(client, begin(client)).json()["id"]
    url = f"{API}/turns/{turn}/feedback"
    assert client.put(url, json={"feedback": "up"}).json()["feedback"] == "up"
    assert client.put(url, json={"feedback": "well"}).status_code == 422
    assert client.put(f"{API}/turns/none/feedback", json={"feedback": "up"}).status_code == 404


def test_a_model_that_is_not_offered(client: TestClient) -> None:
    """Only the models of the settings may be asked."""
    response = ask(client, begin(client), model="openai:other")
    assert response.status_code == 422
    assert response.json()["thing"] == "model openai:other"


@pytest.mark.parametrize(
    "text",
    ['"a\\u0000b \\ud800"', '"\\ud800"', f'"{"x" * 8001}"', '""', '" "', "7", "NaN", "1e999", "[]", "{", "9" * 5000],
)
def test_no_text_is_a_fault_of_ours(client: TestClient, text: str) -> None:
    """Whatever stands in a question or beside it, the answer is no server error, and readable."""
    name = begin(client)
    body = f'{{"question": {text}, "\\ud800": {text}}}'
    for content in (body, f'{{"question": {text}}}', f'{{"question": "x", "hits": [{{"payload": {text}}}]}}'):
        for path in (f"/conversations/{name}/answers", "/search", "/context"):
            response = client.post(API + path, content=content.encode(), headers={"Content-Type": "application/json"})
            assert response.status_code < 500, (path, content[:50])
            json.loads(response.text)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (AbsentError("x", "y"), 404),
        (InputError("x", "y"), 422),
        (BudgetError("x", "y"), 422),
        (DocumentError("x", "y"), 422),
        (IndexingError("x", "y"), 409),
        (ModelError("x", "y"), 502),
        (RecordsError("x", "y"), 503),
        (SettingsError("x", "y"), 500),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_error_has_its_status(error: KontextwerkError, status: int) -> None:
    """An error names thing, reason and mend under /api/, and has OpenAI's shape under /v1/."""
    ours, theirs = error_response("/api/v1/x", error), error_response("/v1/x", error)
    assert ours.status_code == status
    assert json.loads(bytes(ours.body)) == {"detail": "x: y", "thing": "x", "reason": "y", "mend": ""}
    assert theirs.status_code == (400 if status == 422 else status)
    assert json.loads(bytes(theirs.body))["error"]["message"] == "x: y"
