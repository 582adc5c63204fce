"""The whole way on the example library, with the real embedder and the real index: documents in, cited answers out."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from kontextwerk import Options, Similarity, assemble
from kontextwerk.chat import ask
from kontextwerk.extract import Extract
from kontextwerk.index import Embedder, Store, ingest, make_embedder, open_store, search, similarity
from kontextwerk.prompt import NOT_IN_SOURCES
from kontextwerk.settings import Settings

EXAMPLES = Path(__file__).parent.parent / "examples"
QUESTIONS = json.loads((EXAMPLES / "questions.json").read_text(encoding="utf-8"))
ANSWERABLE = [entry for entry in QUESTIONS["answerable"] if not entry.get("paraphrase")]


@dataclass(frozen=True)
class Library:
    """The indexed library."""

    store: Store
    embedder: Embedder
    meaning: Similarity

    def hits(self, question: str) -> list[dict[str, Any]]:
        """Search it."""
        return search(question, self.store, self.embedder)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Index the example library."""
    settings = replace(Settings(), data_dir=tmp_path_factory.mktemp("data"))
    embedder = make_embedder(settings)
    with open_store(settings, embedder, create=True) as store:
        report = ingest([EXAMPLES / "library"], store, embedder, settings)
        assert not report.failed
        yield Library(store, embedder, similarity(embedder))


def folded(text: str) -> str:
    """Fold white space."""
    return " ".join(text.split())


def test_every_answer_is_in_a_full_context(library: Library) -> None:
    """At 3000 tokens the context holds the answering phrase of every question that shares a word with it."""
    missing = [
        entry["question"]
        for entry in ANSWERABLE
        if folded(entry["phrase"])
        not in folded(assemble(library.hits(entry["question"]), 3000, question=entry["question"]).text)
    ]
    assert missing == []


def test_most_answers_are_in_a_small_context(library: Library) -> None:
    """At 300 tokens, a tenth of that, it still holds 85 of a hundred."""
    found = sum(
        folded(entry["phrase"])
        in folded(assemble(library.hits(entry["question"]), 300, question=entry["question"]).text)
        for entry in ANSWERABLE
    )
    assert found >= 0.85 * len(ANSWERABLE)


def answer(library: Library, question: str) -> tuple[str, set[str]]:
    """Answer without a model; return the answer and the titles of the sources that it cites."""
    options = Options(similarity=library.meaning)
    reply = ask(question, library.hits(question), Extract(library.meaning), options=options)
    text = "".join(reply.pieces)
    cited = {source.title for source in reply.context.sources if f"[Quelle {source.number}]" in text}
    return folded(text), cited


def test_quotations_answer(library: Library) -> None:
    """Of every fourth question, at least six in ten are answered by the phrase, from the right document."""
    asked = ANSWERABLE[::4]
    right = 0
    for entry in asked:
        text, cited = answer(library, entry["question"])
        right += folded(entry["phrase"]) in text and bool(cited & {entry["document"], *entry.get("also", ())})
    assert right >= 0.6 * len(asked)


def test_what_nothing_answers_is_said(library: Library) -> None:
    """At least eight in ten questions that nothing answers are answered by saying so."""
    refused = [answer(library, question)[0] == NOT_IN_SOURCES["de"] for question in QUESTIONS["unanswerable"]]
    assert sum(refused) >= 0.8 * len(refused)
