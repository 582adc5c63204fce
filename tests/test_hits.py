"""Hits of any origin into chunks."""

from types import SimpleNamespace
from typing import Any

import pytest

from kontextwerk import Fields, InputError
from kontextwerk.context.model import Chunk
from kontextwerk.hits import to_chunks

PAYLOAD = {
    "content": "Text.",
    "document_title": "A.pdf",
    "document_id": "d",
    "path": "2024/A.pdf",
    "url": "https://a.example/1",
    "section": ["Teil", "Kapitel"],
    "page_first": 3,
    "page_last": 4,
    "start": 10,
    "end": 15,
}
CHUNK = Chunk(
    "Text.",
    "A.pdf",
    0.5,
    "7",
    "d",
    "2024/A.pdf",
    "https://a.example/1",
    ("Teil", "Kapitel"),
    pages=(3, 4),
    span=(10, 15),
)
HIT = {"id": 7, "score": 0.5, "payload": PAYLOAD}


@pytest.mark.parametrize(
    "hits",
    [
        [HIT],
        {"result": [HIT], "status": "ok"},
        {"result": {"points": [HIT]}},
        [SimpleNamespace(**HIT)],
        SimpleNamespace(points=[SimpleNamespace(**HIT)]),
        [{**PAYLOAD, "id": 7, "score": 0.5}],
        iter([HIT]),
    ],
)
def test_every_shape_gives_the_same_chunk(hits: Any) -> None:  # noqa: ANN401  any shape
    """REST bodies, scored points and plain dicts become the same chunk, all its fields kept."""
    assert to_chunks(hits) == (CHUNK,)


def test_field_names_are_settings() -> None:
    """A collection that somebody else filled is read by its own names, nested ones by dots."""
    hit = {"score": 1, "payload": {"body": "Text.", "metadata": {"source": "B.pdf", "page": 2}}}
    (chunk,) = to_chunks([hit], Fields(text="body", title="metadata.source", page_first="metadata.page"))
    assert (chunk.text, chunk.title, chunk.pages) == ("Text.", "B.pdf", (2, 2))


@pytest.mark.parametrize(
    ("hit", "text", "fault"),
    [
        ({"score": 1, "payload": None}, "", "no payload"),
        ({"score": 1}, "", "content is missing"),
        (SimpleNamespace(score=1, payload=None), "", "no payload"),
        ({"score": 1, "payload": {"content": 42}}, "", "content is of type int"),
        ({"score": 1, "payload": {"content": ["a"]}}, "", "content is of type list"),
        ({"score": float("nan"), "payload": {"content": "x"}}, "x", "invalid score"),
        ({"score": "viel", "payload": {"content": "x"}}, "x", "invalid score 'viel'"),
        (None, "", "no payload"),
    ],
)
def test_a_fault_is_named_and_nothing_dropped(hit: object, text: str, fault: str) -> None:
    """A hit that is not as it should be becomes a chunk all the same, its fault named."""
    (chunk,) = to_chunks([hit])
    assert chunk.text == text
    assert fault in chunk.fault


@pytest.mark.parametrize("pages", [(0, 3), (4, 3), ("3", "4"), (None, 4), (True, True)])
def test_wrong_pages_are_none(pages: tuple[object, object]) -> None:
    """Pages that are no range from 1 are none."""
    payload = {"content": "x", "page_first": pages[0], "page_last": pages[1]}
    assert to_chunks([{"payload": payload}])[0].pages is None


@pytest.mark.parametrize("hits", ["text", 3, {"a": 1}, None])
def test_what_is_no_list_is_refused(hits: Any) -> None:  # noqa: ANN401  the fault under test
    """Hits that are no list are the caller's mistake."""
    with pytest.raises(InputError, match="hits") as caught:
        to_chunks(hits)
    assert caught.value.mend


@pytest.mark.parametrize(
    ("first", "last", "labels"),
    [
        ("iv", "vi", ("iv", "vi")),
        ("iv", None, ("iv", "iv")),
        (4, 5, ("4", "5")),
        (None, "v", None),
        (["iv"], "v", None),
    ],
)
def test_pages_as_printed(first: object, last: object, labels: object) -> None:
    """Labels of pages are text or numbers; a missing last one is the first."""
    payload = {"content": "x", "page_label_first": first, "page_label_last": last}
    assert to_chunks([{"payload": payload}])[0].page_labels == labels
