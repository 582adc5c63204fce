"""Counters by name: exact, offline, on a server, or anybody's own."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from kontextwerk import InputError, ModelError, assemble, counter
from kontextwerk.counters import VOCABULARIES

TEXT = "Die Auftragsklärung erfolgt im Erstgespräch – 3.500 € sind binnen 14 Tagen zu zahlen. 👩‍👩‍👧 <|endoftext|> 漢字"
# By the package that agrees with each vocabulary's reference on 500 other texts.
COUNTS = {
    "o200k_base": 41,
    "cl100k_base": 52,
    "llama3": 49,
    "mistral": 53,
    "mistral_v1": 63,
    "mistral_v3": 53,
    "qwen3": 51,
    "deepseek_v3": 48,
    "gemma3": 40,
}


@pytest.mark.parametrize("name", VOCABULARIES)
def test_each_name_counts_by_its_own_vocabulary(name: str) -> None:
    """A name stands for its vocabulary, and no other."""
    assert counter(name)(TEXT) == COUNTS[name]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_special_tokens_are_plain_text(name: str) -> None:
    """What looks like a special token counts as the text that it is."""
    assert counter(name)("<|endoftext|>") > 1
    assert counter(name)("") == 0


def test_a_lone_surrogate_is_counted() -> None:
    """Text that no encoding can carry is counted as it would be sent."""
    assert counter()("\ud800") == counter()("?")


def test_the_estimate_is_four_characters() -> None:
    """The estimate counts four characters a token, one begun counting whole."""
    assert [counter("estimate")("x" * length) for length in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_a_callable_is_a_counter() -> None:
    """Anything callable is taken as it is."""
    assert counter(len)("Hallo") == 5


@contextmanager
def tokenize_server(answer: object, asked: list[dict[str, object]]) -> Iterator[str]:
    """Serve one answer to every request for tokens."""

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        def do_POST(self) -> None:
            """Answer as told."""
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_server_counts() -> None:
    """A server with /tokenize is asked in the words of llama.cpp and of vLLM, each text once."""
    asked: list[dict[str, object]] = []
    with tokenize_server({"tokens": [1, 2, 3]}, asked) as url:
        count = counter(url)
        assert [count("Grüße"), count("Grüße"), count("")] == [3, 3, 0]
    assert [(request["content"], request["prompt"]) for request in asked] == [("Grüße", "Grüße")]


@pytest.mark.parametrize("answer", [{}, {"tokens": 3}, [1]])
def test_a_server_without_tokens_is_named(answer: object) -> None:
    """An answer without a list of tokens is an error that names the server."""
    with tokenize_server(answer, []) as url, pytest.raises(ModelError, match=url):
        counter(url)("Text")


def test_an_unknown_counter_is_named(tmp_path: Path) -> None:
    """A name that is none, and a file that is none, are refused with a mend."""
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    for name in ("gpt9", f"file:{tmp_path}/fehlt.json", f"file:{tmp_path}/tokenizer.json"):
        with pytest.raises(InputError) as caught:
            assemble([], counter=name)
        assert caught.value.mend
