"""A question into hits: what is found, in which order, and that every store finds the same."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from conftest import opened
from hypothesis import given
from hypothesis import strategies as st
from index_doubles import Counting, text, write

from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language
from kontextwerk.hits import to_chunks
from kontextwerk.index import Store, documents, ingest, search
from kontextwerk.index.search import fuse
from kontextwerk.index.store import Ranked
from kontextwerk.index.terms import query_terms
from kontextwerk.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")

QUESTIONS = [
    "Auftrag und Honorar",
    "Wann ist die Absage?",
    "Klärung 3 im Team",
    "der die das",
    "🙂",
    "x" * 20_000,
    "\0\ud800",
]
EMBEDDER = Counting()


@pytest.fixture
def filled(store: Store, folder: Path, settings: Settings) -> Store:
    """A store with ten documents, two of them equal, and one that stands out."""
    files = {f"{number}.txt": text(number) for number in range(8)}
    files |= {"zwilling.txt": text(7), "anders.txt": "Der Leitfaden für Gärtner erklärt die Bewässerung."}
    ingest([write(folder, files)], store, EMBEDDER, settings)
    return store


def test_what_fits_best_comes_first(filled: Store) -> None:
    """The chunk that holds the question's words is the first hit; hits have the shape of Qdrant's REST API."""
    best, *others = search("Leitfaden zur Bewässerung", filled, EMBEDDER, limit=5)
    assert set(best) == {"id", "score", "payload"}
    assert best["payload"]["document_title"] == "anders.txt"
    assert [hit["score"] for hit in others] == sorted((hit["score"] for hit in others), reverse=True)
    assert len(others) == 4
    assert [chunk.id for chunk in to_chunks([best, *others])] == [hit["id"] for hit in [best, *others]]


@pytest.mark.parametrize("language", ["de", "en"])
def test_words_are_stemmed_as_in_the_index(store: Store, folder: Path, settings: Settings, language: Language) -> None:
    """Other forms of a word find it, in the language in which the index was filled."""
    texts: dict[Language, str] = {"de": "Die Aufträge des Gärtners.", "en": "The gardeners watered their plants."}
    question: dict[Language, str] = {"de": "Auftrag Gaertner", "en": "gardener plant"}
    write(folder, {"a.txt": texts[language], "b.txt": "Etwas anderes.", "c.txt": "Something else."})
    ingest([folder], store, EMBEDDER, replace(settings, language=language))
    by_words = store.rankings(EMBEDDER.query("x"), query_terms(question[language], [language]), 9)[1]
    assert len(by_words) == 1
    assert search(question[language], store, EMBEDDER)[0]["payload"]["document_title"] == "a.txt"


def test_search_in_some_documents(filled: Store) -> None:
    """With documents named, every hit is from one of them, and all their chunks can be had."""
    wanted = [state for state in documents(filled) if state.title in {"3.txt", "zwilling.txt"}]
    hits = search("Auftrag", filled, EMBEDDER, limit=100, document_ids=[state.document_id for state in wanted])
    assert len(hits) == sum(state.chunks for state in wanted)
    assert {hit["payload"]["document_title"] for hit in hits} == {"3.txt", "zwilling.txt"}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_question_finds_the_same(filled: Store, question: str) -> None:
    """Asked ten times, a question finds the same chunks in the same order, equal scores included."""
    first = search(question, filled, EMBEDDER)
    assert first
    assert all(search(question, filled, EMBEDDER) == first for _ in range(9))


@pytest.mark.parametrize("question", ["", "  \n\t", "\u00a0"])
def test_an_empty_question(store: Store, question: str) -> None:
    """A question of nothing but white space is refused with a mend."""
    with pytest.raises(InputError, match="question") as caught:
        search(question, store, EMBEDDER)
    assert caught.value.mend


def test_a_limit_below_one(store: Store) -> None:
    """A limit that allows no hit is refused; one beyond the index finds all there is."""
    with pytest.raises(InputError, match="limit"):
        search("Auftrag", store, EMBEDDER, limit=0)
    assert search("Auftrag", store, EMBEDDER, limit=10_000) == []


def test_every_store_finds_the_same(folder: Path, settings: Settings) -> None:
    """The same documents in the folder's index and behind the client of a server give the same hits, in order."""
    write(folder, {f"{number}.txt": text(number) for number in range(29)} | {"zwilling.txt": text(7)})
    found = {}
    for kind in ("edge", "memory"):
        with opened(kind, settings) as store:
            ingest([folder], store, EMBEDDER, settings)
            found[kind] = [[(hit["id"], hit["payload"]) for hit in search(one, store, EMBEDDER)] for one in QUESTIONS]
    assert found["edge"] == found["memory"]


RANKING = st.lists(
    st.builds(Ranked, st.sampled_from("abcdefgh"), st.sampled_from([0.1, 0.2, 0.5])), unique_by=lambda hit: hit.id
)


@given(RANKING, RANKING, st.randoms())
def test_fusion_knows_ranks_alone(first: list[Ranked], second: list[Ranked], shuffler: Random) -> None:
    """Fused are all points of both rankings, each once, whatever the order of equals and of the rankings."""
    fused = fuse(first, second)
    assert sorted(hit.id for hit in fused) == sorted({hit.id for hit in [*first, *second]})
    assert [hit.score for hit in fused] == sorted((hit.score for hit in fused), reverse=True)
    noisy = [Ranked(hit.id, hit.score + shuffler.uniform(-1e-7, 1e-7)) for hit in first]
    shuffler.shuffle(noisy)
    assert fuse(second, noisy) == fused


@given(RANKING.filter(bool))
def test_fusion_leaves_out_what_is_there_by_chance(ranking: list[Ranked]) -> None:
    """Of a ranking that was cut off, the last equals are left out, unless all are equal."""
    lowest = min(hit.score for hit in ranking)
    better = {hit.id for hit in ranking if hit.score > lowest}
    assert {hit.id for hit in fuse(ranking, depth=len(ranking))} == (better or {hit.id for hit in ranking})
    assert {hit.id for hit in fuse(ranking, depth=len(ranking) + 1)} == {hit.id for hit in ranking}


def test_fusion_by_hand() -> None:
    """A point first in one ranking and second in the other has 1/11 + 1/12."""
    (best, *_) = fuse([Ranked("a", 0.9), Ranked("b", 0.8)], [Ranked("c", 7.0), Ranked("a", 6.0)])
    assert best.id == "a"
    assert best.score == pytest.approx(1 / 11 + 1 / 12)
