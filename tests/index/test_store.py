"""The contract of `Store`: the same cases on every kind of it."""

from uuid import UUID, uuid4

import numpy as np
import pytest
from index_doubles import Counting, points, text

from kontextwerk.context.errors import IndexingError
from kontextwerk.index.store import Point, Store
from kontextwerk.index.terms import document_terms, query_terms

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")

A, B = str(UUID(int=1)), str(UUID(int=2))
EMBEDDER = Counting()


def point(content: str, document_id: str = A, index: int = 0, **payload: object) -> Point:
    """Return a point with a payload as ingest makes it, in short."""
    fields = {"content": content, "document_id": document_id, "chunk_index": index, "embedder": "hashing", **payload}
    return Point(str(uuid4()), EMBEDDER.query(content), document_terms(content, "de"), fields)


def test_what_is_stored_comes_back(store: Store) -> None:
    """A point keeps its payload, its terms and its vector, of which Qdrant keeps the direction."""
    made = point("Die Klärung.", pages=None, section=["Eins", "Zwei"], number=3)
    store.upsert([made])
    ((payload, dense, indices, values),) = points(store).values()
    assert payload == made.payload
    assert np.allclose(dense, made.dense / np.linalg.norm(made.dense), atol=1e-6)
    assert indices == made.terms.indices
    assert np.allclose(values, made.terms.values)
    assert store.fetch([made.id, str(uuid4())]) == {made.id: made.payload}


def test_the_same_id_replaces(store: Store) -> None:
    """Storing a point again changes it and adds none."""
    old = point("Das Alte.")
    store.upsert([old])
    store.upsert([Point(old.id, old.dense, old.terms, {"content": "Das Neue."})])
    assert store.count() == 1
    assert store.fetch([old.id])[old.id] == {"content": "Das Neue."}


def test_delete_takes_one_document(store: Store) -> None:
    """Deleting a document leaves the others, and one that is not there is no error."""
    store.upsert([point("a"), point("b", index=1), point("c", B)])
    store.delete(A)
    store.delete(str(uuid4()))
    assert [payload["content"] for payload in store.payloads(["content"])] == ["c"]


def test_delete_from_a_chunk_on(store: Store) -> None:
    """Deleting from an index on leaves the chunks before it, and other documents' later ones."""
    store.upsert([*(point(str(index), index=index) for index in range(5)), point("b", B, 9)])
    store.delete(A, start=3)
    assert sorted(payload["content"] for payload in store.payloads(["content"])) == ["0", "1", "2", "b"]


def test_payloads_by_document_and_field(store: Store) -> None:
    """Payloads come with the fields asked for, of one document or of all, more than fit on one page."""
    many = [point(str(index), A if index % 2 else B, index) for index in range(2050)]
    for start in range(0, len(many), 500):
        store.upsert(many[start : start + 500])
    assert len(list(store.payloads(["content"]))) == store.count() == 2050
    of_a = list(store.payloads(["chunk_index"], document_id=A))
    assert sorted(payload["chunk_index"] for payload in of_a) == list(range(1, 2050, 2))
    assert {key for payload in of_a for key in payload} == {"chunk_index"}


def test_values_of_a_field(store: Store) -> None:
    """The different values of a field come in order, each once; none from an empty index."""
    assert store.values("language") == []
    store.upsert([point("a", language="en"), point("b", language="de"), point("c", language="de")])
    assert store.values("language") == ["de", "en"]


def test_rankings_are_by_meaning_and_by_words(store: Store) -> None:
    """Each ranking is in its own order, best first, and holds no more than asked for."""
    store.upsert([point(text(number)) for number in range(20)])
    wanted = point("Ein Leitfaden zur Absage.")
    store.upsert([wanted])
    dense, terms = EMBEDDER.query("Leitfaden zur Absage"), query_terms("Leitfaden zur Absage", ["de"])
    by_meaning, by_words = store.rankings(dense, terms, 7)
    assert by_meaning[0].id == by_words[0].id == wanted.id
    for ranking in (by_meaning, by_words):
        assert len(ranking) <= 7
        assert [hit.score for hit in ranking] == sorted((hit.score for hit in ranking), reverse=True)


def test_rankings_in_some_documents(store: Store) -> None:
    """With documents named, only their points are ranked."""
    made = [point(text(number), str(UUID(int=number))) for number in range(9)]
    store.upsert(made)
    wanted = [str(UUID(int=number)) for number in (2, 5)]
    dense, terms = EMBEDDER.query("Auftrag"), query_terms("Auftrag Honorar Team Ziel Coach Regel", ["de"])
    for ranking in store.rankings(dense, terms, 9, document_ids=wanted):
        assert {hit.id for hit in ranking} <= {made[2].id, made[5].id}
    assert len(store.rankings(dense, terms, 9, document_ids=wanted)[0]) == 2


def test_no_terms_rank_nothing(store: Store) -> None:
    """A question of stop words ranks by meaning alone."""
    store.upsert([point("Die Klärung.")])
    by_meaning, by_words = store.rankings(EMBEDDER.query("der die das"), query_terms("der die das", ["de"]), 5)
    assert (len(by_meaning), by_words) == (1, [])


def test_an_empty_store(store: Store) -> None:
    """An empty store answers everything with nothing."""
    assert store.count() == 0
    assert list(store.payloads(["content"])) == []
    assert store.fetch([]) == {}
    assert store.rankings(EMBEDDER.query("Auftrag"), query_terms("Auftrag", ["de"]), 5) == ([], [])


def test_vectors_of_another_size(store: Store) -> None:
    """A vector of another size is refused with a mend, and nothing of it is stored."""
    other = Counting(size=24).query("Auftrag")
    with pytest.raises(IndexingError, match="another size") as caught:
        store.upsert([Point(str(uuid4()), other, document_terms("Auftrag", "de"), {})])
    assert caught.value.mend
    store.upsert([point("a")])
    with pytest.raises(IndexingError, match="another size"):
        store.rankings(other, query_terms("Auftrag", ["de"]), 5)
    assert store.count() == 1


def test_closing_twice(store: Store) -> None:
    """A store may be closed twice: leaving it closes it again."""
    assert store.place
    store.close()
