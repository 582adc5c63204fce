"""What an ingest does to the index, case by case, on every kind of store."""

import itertools
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from index_doubles import Counting, points, text, write

from kontextwerk.context.errors import ModelError
from kontextwerk.context.model import Chunk
from kontextwerk.documents import read, split
from kontextwerk.hits import to_chunks
from kontextwerk.index import Progress, Store, documents, ingest
from kontextwerk.index.embedding import RefusedError, Vector
from kontextwerk.index.ingest import BATCH
from kontextwerk.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")

THREE = {"a.txt": text(1), "b.md": f"# Titel\n\n{text(2)}", "unter/c.txt": text(3)}


def paths(folder: Path, *names: str) -> tuple[str, ...]:
    """Return the paths of files as a report shows them."""
    return tuple(os.path.realpath(folder / name) for name in names)


def test_the_first_time_all_is_added(store: Store, folder: Path, settings: Settings) -> None:
    """Every document of a folder and below is added, and the report counts its chunks."""
    embedder = Counting()
    report = ingest([write(folder, THREE)], store, embedder, settings)
    assert report.added == paths(folder, "a.txt", "b.md", "unter/c.txt")
    assert report.chunks_embedded == embedder.embedded == store.count() > 6
    assert (report.changed, report.unchanged, report.removed, report.failed) == ((), (), (), ())


def test_the_second_time_nothing_changes(store: Store, folder: Path, settings: Settings) -> None:
    """The same folder again embeds nothing and leaves every point as it was."""
    embedder = Counting()
    ingest([write(folder, THREE)], store, embedder, settings)
    before, embedded = points(store), embedder.embedded
    report = ingest([folder], store, embedder, settings)
    assert report.unchanged == paths(folder, "a.txt", "b.md", "unter/c.txt")
    assert (report.added, report.changed, report.chunks_embedded) == ((), (), 0)
    assert embedder.embedded == embedded
    assert points(store) == before


def test_what_has_not_changed_is_not_read_again(
    store: Store, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time, files are recognised by their bytes; no text is taken out of them again."""
    ingest([write(folder, THREE)], store, Counting(), settings)
    read_again: list[Path] = []
    monkeypatch.setattr(sys.modules["kontextwerk.index.ingest"], "read", read_again.append)
    for path in folder.rglob("*.*"):
        path.touch()
    assert len(ingest([folder], store, Counting(), settings).unchanged) == 3
    assert read_again == []


@pytest.mark.parametrize("new", [text(9), text(9, 3), text(9, 40)], ids=["as long", "shorter", "longer"])
def test_a_changed_file_replaces_its_chunks(store: Store, folder: Path, settings: Settings, new: str) -> None:
    """After a change the index holds the new text's chunks and none of the old one's; other documents stay."""
    embedder = Counting()
    ingest([write(folder, THREE)], store, embedder, settings)
    write(folder, {"a.txt": new})
    embedded = embedder.embedded
    report = ingest([folder], store, embedder, settings)
    expected = split(read(folder / "a.txt"), max_chars=settings.chunk_chars)
    assert (report.changed, len(report.unchanged)) == (paths(folder, "a.txt"), 2)
    assert report.chunks_embedded == embedder.embedded - embedded == len(expected)
    held = [payload for payload, *_ in points(store).values() if payload["document_title"] == "a.txt"]
    assert sorted(payload["content"] for payload in held) == sorted(chunk.text for chunk in expected)


def test_a_removed_file_takes_its_chunks_along(store: Store, folder: Path, settings: Settings) -> None:
    """A file that is gone from an ingested folder is removed; what is left is as if it had never been."""
    embedder = Counting()
    ingest([write(folder, {"a.txt": text(1)})], store, embedder, settings)
    alone = points(store)
    ingest([write(folder, THREE)], store, embedder, settings)
    (folder / "b.md").unlink()
    (folder / "unter" / "c.txt").unlink()
    report = ingest([folder], store, embedder, settings)
    assert report.removed == paths(folder, "b.md", "unter/c.txt")
    assert points(store) == alone


def test_files_that_were_not_named_are_not_touched(store: Store, folder: Path, settings: Settings) -> None:
    """Ingesting one folder leaves the documents of another, also those that are gone from it."""
    ingest([write(folder, {"eins/a.txt": text(1), "eins2/b.txt": text(2)})], store, Counting(), settings)
    (folder / "eins2" / "b.txt").unlink()
    report = ingest([folder / "eins"], store, Counting(), settings)
    assert report.removed == ()
    assert [state.title for state in documents(store)] == ["a.txt", "b.txt"]


def test_a_folder_that_is_gone(store: Store, folder: Path, settings: Settings) -> None:
    """Naming a folder or a file that is gone removes its documents; naming one that never was is a failure."""
    ingest([write(folder, {"eins/a.txt": text(1), "b.txt": text(2)})], store, Counting(), settings)
    (folder / "eins" / "a.txt").unlink()
    (folder / "eins").rmdir()
    (folder / "b.txt").unlink()
    report = ingest([folder / "eins", folder / "b.txt", folder / "nie.txt"], store, Counting(), settings)
    assert report.removed == paths(folder, "b.txt", "eins/a.txt")
    assert [(failure.path, failure.reason) for failure in report.failed] == [
        (str(folder / "nie.txt"), "there is no such file or folder")
    ]
    assert store.count() == 0


def test_a_broken_file_does_not_stop_the_rest(store: Store, folder: Path, settings: Settings) -> None:
    """A file that cannot be read is reported with reason and mend, and the others are taken in."""
    write(folder, THREE)
    (folder / "a0.pdf").write_bytes(b"%PDF-1.7 broken")
    report = ingest([folder], store, Counting(), settings)
    ((path, reason, mend),) = [(failure.path, failure.reason, failure.mend) for failure in report.failed]
    assert path == str(folder / "a0.pdf")
    assert reason
    assert mend
    assert len(report.added) == 3


def test_a_file_that_breaks_keeps_its_chunks(store: Store, folder: Path, settings: Settings) -> None:
    """What was indexed of a file stays when the file is broken later, and is replaced when it is mended."""
    ingest([write(folder, {"a.txt": text(1)})], store, Counting(), settings)
    before = points(store)
    (folder / "a.txt").write_bytes(b"")
    report = ingest([folder], store, Counting(), settings)
    assert [failure.path for failure in report.failed] == [str(folder / "a.txt")]
    assert report.removed == ()
    assert points(store) == before
    write(folder, {"a.txt": text(2)})
    assert ingest([folder], store, Counting(), settings).changed == paths(folder, "a.txt")


def test_payload_says_where_a_chunk_stands(store: Store, folder: Path, settings: Settings) -> None:
    """The payload holds all that a hit needs, and `to_chunks` gives back the chunk that was stored."""
    ingest([write(folder, {"b.md": f"# Titel\n\n{text(2)}"})], store, Counting(), settings)
    path = folder / "b.md"
    expected = split(read(path), max_chars=settings.chunk_chars)
    payloads = sorted((payload for payload, *_ in points(store).values()), key=lambda payload: payload["chunk_index"])
    assert [payload["chunk_index"] for payload in payloads] == list(range(len(expected)))
    assert {payload["chunk_count"] for payload in payloads} == {len(expected)}
    assert {(payload["embedder"], payload["language"]) for payload in payloads} == {("hashing", "de")}
    chunks = to_chunks([{"payload": payload} for payload in payloads])
    (document,) = documents(store)
    assert chunks == tuple(
        Chunk(one.text, "b.md", document_id=document.document_id, path=str(path), section=("Titel",), span=one.span)
        for one in expected
    )


def test_documents_are_listed_by_path(store: Store, folder: Path, settings: Settings) -> None:
    """The list of documents says how many chunks each has, and that all are there."""
    ingest([write(folder, THREE)], store, Counting(), settings)
    states = documents(store)
    assert [state.path for state in states] == list(paths(folder, "a.txt", "b.md", "unter/c.txt"))
    assert sum(state.chunks for state in states) == store.count()
    assert all(state.complete and state.pages == 0 for state in states)


@pytest.mark.parametrize(
    "changed", [{"chunk_chars": 300}, {"language": "en"}], ids=["chunks of another size", "another language"]
)
def test_other_settings_make_documents_anew(
    store: Store, folder: Path, settings: Settings, changed: dict[str, object]
) -> None:
    """Where a setting that shapes the points changes, a document counts as changed, and the index as made with it."""
    ingest([write(folder, {"a.txt": text(1)})], store, Counting(), settings)
    other = replace(settings, **changed)  # type: ignore[arg-type]
    assert ingest([folder], store, Counting(), other).changed == paths(folder, "a.txt")
    assert ingest([folder], store, Counting(), other).unchanged == paths(folder, "a.txt")


def test_a_file_named_twice_is_taken_once(store: Store, folder: Path, settings: Settings) -> None:
    """The same file by two paths, a link, and its folder is one document."""
    write(folder, {"a.txt": text(1)})
    (folder / "link.txt").symlink_to(folder / "a.txt")
    twice = [folder, folder / "a.txt", folder / "link.txt", folder / ".." / folder.name / "a.txt"]
    assert ingest(twice, store, Counting(), settings).added == paths(folder, "a.txt")


def test_progress_tells_every_batch(store: Store, folder: Path, settings: Settings) -> None:
    """Progress is told before a document is read and after each batch, and ends with all chunks done."""
    told: list[Progress] = []
    write(folder, {"a.txt": text(1, 120), "b.txt": text(2)})
    report = ingest([folder], store, Counting(), settings, progress=told.append)
    first = [state for state in told if state.path == str(folder / "a.txt")]
    assert (first[0].chunks_done, first[0].chunks_total) == (0, 0)
    assert first[-1].chunks_done == first[-1].chunks_total > 2 * BATCH
    steps = [later.chunks_done - state.chunks_done for state, later in itertools.pairwise(first)]
    assert 0 < max(steps) <= BATCH
    assert {state.documents_total for state in told} == {2}
    assert [state.documents_done for state in told] == sorted(state.documents_done for state in told)
    assert report.chunks_embedded == first[-1].chunks_total + told[-1].chunks_total


class Choosy(Counting):
    """Refuses texts with a certain word, and fails for good on another."""

    def passages(self, texts: Sequence[str]) -> Vector:
        """Embed what it likes."""
        if any("verboten" in one for one in texts):
            raise RefusedError("hashing", "the text is too long")
        if any("kaputt" in one for one in texts):
            raise ModelError("hashing", "is out of reach")
        return super().passages(texts)


def test_a_text_that_the_model_refuses_does_not_stop_the_rest(store: Store, folder: Path, settings: Settings) -> None:
    """A document whose text the model does not take is a failure; a model that is out of reach ends the ingest."""
    write(folder, {"a.txt": "verboten", "b.txt": text(2)})
    report = ingest([folder], store, Choosy(), settings)
    assert [(failure.path, failure.reason) for failure in report.failed] == [
        (str(folder / "a.txt"), "the text is too long")
    ]
    assert len(report.added) == 1
    write(folder, {"a.txt": "kaputt"})
    with pytest.raises(ModelError, match="out of reach"):
        ingest([folder], store, Choosy(), settings)
    assert [state.title for state in documents(store)] == ["b.txt"]


def test_a_name_that_is_no_utf8(store: Store, folder: Path, settings: Settings) -> None:
    """A file whose name is no valid UTF-8 is a failure that can be shown and stored as text."""
    path = Path(os.fsdecode(os.fsencode(folder) + b"/f\xfcr.txt"))
    path.write_text(text(1))
    (failure,) = ingest([write(folder, {"a.txt": text(1)})], store, Counting(), settings).failed
    assert failure.path == f"{folder}/f\\xfcr.txt"
    assert failure.mend
    assert len(documents(store)) == 1


def test_a_format_whose_library_is_missing(
    store: Store, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the library for one format is not installed, its files are failures and the others are taken in."""
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    write(folder, {"a.txt": text(1)})
    (folder / "b.pdf").write_bytes(b"%PDF-1.7 and so on")
    report = ingest([folder], store, Counting(), settings)
    assert [(failure.path, failure.reason) for failure in report.failed] == [
        (str(folder / "b.pdf"), "pypdfium2 is not installed")
    ]
    assert report.added == paths(folder, "a.txt")
