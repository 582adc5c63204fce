"""Counters of tokens, by name: exact ones offline, from a tokenizer's file, from a server; and the estimate.

    counter("o200k_base")                    the default: GPT-4o and later
    counter("cl100k_base" | "llama3" | "mistral" | "qwen3" | "deepseek_v3" | "gemma3" | …)
    counter("file:/models/tokenizer.json")   any model's own tokenizer
    counter("http://localhost:8080")         llama.cpp or vLLM: whatever the server has loaded
    counter("estimate")                      four characters a token
    counter(len)                             anything callable

Vocabularies come from an installed package, never from the network. What looks like a special token in a text
(`<|endoftext|>`) is plain text. It leaves out budgets: see `context.budget`.
"""

import json
import urllib.error
import urllib.request
from functools import lru_cache
from pathlib import Path
from typing import Any

import splintr

from kontextwerk.context.budget import estimate
from kontextwerk.context.errors import InputError, ModelError
from kontextwerk.context.model import Counter

DEFAULT = "o200k_base"

VOCABULARIES = {
    "o200k_base": "o200k_base",
    "cl100k_base": "cl100k_base",
    "llama3": "llama3",
    "mistral": "mistral_v3",
    "mistral_v1": "mistral_v1",
    "mistral_v3": "mistral_v3",
    "qwen3": "qwen3",
    "deepseek_v3": "deepseek_v3",
    "gemma3": "gemma3",
}
"""Our names, and what the package with the vocabularies calls them."""

SERVER_SECONDS = 30


def counter(name: str | Counter = DEFAULT) -> Counter:
    """Return the counter of this name.

    Args:
        name: A vocabulary, `estimate`, `file:` with the path of a `tokenizer.json`, the address of a server with
            `/tokenize`, or a callable from text to a number of tokens, which is returned as it is.

    Raises:
        InputError: There is no such counter, or its file cannot be read.

    >>> counter("o200k_base")("Die Auftragsklärung erfolgt im Erstgespräch.")
    10
    """
    if callable(name):
        return name
    if name == "estimate":
        return estimate
    if name in VOCABULARIES:
        return _vocabulary(VOCABULARIES[name])
    if name.startswith("file:"):
        return _from_file(name.removeprefix("file:"))
    if name.startswith(("http://", "https://")):
        return _from_server(name.rstrip("/"))
    known = ", ".join(("estimate", *VOCABULARIES))
    raise InputError(
        f"counter {name!r}", "is unknown", f"Use one of {known}, file:PATH, an http address, or a callable"
    )


@lru_cache
def _vocabulary(name: str) -> Counter:
    return _counting(splintr.Tokenizer.from_pretrained(name))


@lru_cache
def _from_file(path: str) -> Counter:
    if not Path(path).is_file():
        raise InputError(f"tokenizer {path}", "is no file", "Name the tokenizer.json of the model")
    try:
        return _counting(splintr.from_json(path))
    except Exception as error:  # whatever the parser raises, the file is at fault
        raise InputError(
            f"tokenizer {path}", f"cannot be read ({error})", "Name the tokenizer.json of the model"
        ) from error


def _counting(tokenizer: splintr.AnyTokenizer) -> Counter:
    def count(text: str) -> int:
        try:
            return len(tokenizer.encode_ordinary(text))
        except UnicodeEncodeError:  # a lone surrogate reaches no model: it is sent as a replacement character
            return len(tokenizer.encode_ordinary(text.encode("utf-8", "replace").decode()))

    return count


@lru_cache
def _from_server(address: str) -> Counter:
    url = address if address.endswith("/tokenize") else f"{address}/tokenize"

    @lru_cache(maxsize=4096)  # each count is a request
    def count(text: str) -> int:
        return len(_tokens(url, text.encode("utf-8", "replace").decode())) if text else 0

    return count


def _tokens(url: str, text: str) -> list[Any]:
    """Ask for the tokens, in the words of llama.cpp (`content`) and of vLLM (`prompt`) at once."""
    body = {"content": text, "prompt": text, "add_special": False, "add_special_tokens": False, "parse_special": False}
    request = urllib.request.Request(  # noqa: S310  `counter` lets only http and https through
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SERVER_SECONDS) as response:  # noqa: S310
            tokens = json.load(response)["tokens"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"counter {url}", f"gives no tokens ({error})", "Check that the server runs and has /tokenize"
        ) from error
    if not isinstance(tokens, list):
        raise ModelError(f"counter {url}", "gives no list of tokens", "Check that it is llama.cpp or vLLM")
    return tokens
