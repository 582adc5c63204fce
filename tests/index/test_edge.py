"""The index in a folder: locked, missing, damaged, half made, filled by another embedder."""

import os
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from index_doubles import Counting, text, write

from kontextwerk.context.errors import IndexingError, KontextwerkError
from kontextwerk.index import documents, ingest, open_store
from kontextwerk.index.edge import _mapped, open_edge
from kontextwerk.settings import Settings

OPEN = """
    import sys
    from dataclasses import replace
    from pathlib import Path
    from kontextwerk.index import open_store
    from kontextwerk.index.local import Hashing
    from kontextwerk.settings import Settings

    with open_store(replace(Settings(), data_dir=Path(sys.argv[1])), Hashing(16), create=True) as store:
        print("open", flush=True)
        sys.stdin.readline()
"""


def start(settings: Settings) -> subprocess.Popen[str]:
    """Start a process that opens the index and holds it until it is sent a line."""
    command = [sys.executable, "-c", textwrap.dedent(OPEN), str(settings.data_dir)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def filled(folder: Path, settings: Settings) -> Settings:
    """The settings of an index with one document."""
    with open_store(settings, Counting(), create=True) as store:
        ingest([write(folder, {"a.txt": text(1)})], store, Counting(), settings)
    return settings


def test_no_index_yet(settings: Settings) -> None:
    """Where there is no index, opening it names the place and the mend, and makes nothing."""
    with pytest.raises(IndexingError, match="Run kontextwerk ingest first") as caught:
        open_store(settings, Counting())
    assert caught.value.thing == str(settings.data_dir / "index")
    assert not settings.data_dir.exists()


def test_what_was_stored_is_there_after_opening_again(filled: Settings) -> None:
    """Closing and opening an index loses nothing."""
    with open_store(filled, Counting()) as store:
        assert [(state.title, state.complete) for state in documents(store)] == [("a.txt", True)]


def test_another_process_has_it_open(filled: Settings) -> None:
    """While another process has the index open it cannot be opened; once that has ended, or died, it can."""
    with start(filled) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        with pytest.raises(IndexingError, match="is open in another process") as caught:
            open_store(filled, Counting())
        assert caught.value.mend
        process.kill()
    with open_store(filled, Counting()) as store:
        assert store.count()


def test_two_processes_make_it_at_once(settings: Settings) -> None:
    """Of processes that make an index at the same moment, one makes it; the others open it later or say who has it."""
    processes = [start(settings) for _ in range(2)]
    results = [process.communicate("\n", timeout=30) for process in processes]
    assert any(stdout == "open\n" for stdout, _ in results)
    assert all(stdout == "open\n" or "is open in another process" in stderr for stdout, stderr in results)
    with open_store(settings, Counting()) as store:
        assert store.count() == 0
    assert [path.name for path in settings.data_dir.iterdir()] == ["index"]


def test_making_it_was_interrupted(settings: Settings) -> None:
    """What an interrupted making left beside the place is cleared away; before, there is no index."""
    write(settings.data_dir / "index.new", {"edge_config.json": "", "segments/x/segment.json": "{"})
    with pytest.raises(IndexingError, match="there is no index"):
        open_store(settings, Counting())
    with open_store(settings, Counting(), create=True) as store:
        assert store.count() == 0
    assert [path.name for path in settings.data_dir.iterdir()] == ["index"]


@pytest.mark.parametrize(
    ("pattern", "content"),
    [
        ("edge_config.json", b"{"),
        ("segments/*/segment.json", b""),
        ("segments/*/vector_storage-dense/vectors/status.dat", b""),
        ("wal/open-*", b""),
    ],
    ids=["settings", "segment", "a file whose damage makes the engine panic", "log"],
)
def test_a_damaged_index(filled: Settings, pattern: str, content: bytes) -> None:
    """A damaged index is an error that says so and how to go on, with and without leave to make one."""
    for path in (filled.data_dir / "index").glob(pattern):
        path.write_bytes(content)
    for create in (False, True):
        with pytest.raises(IndexingError, match="is damaged") as caught:
            open_store(filled, Counting(), create=create)
        assert caught.value.mend.startswith("Delete the folder")


def test_another_embedder(filled: Settings) -> None:
    """An index that another embedder filled is not opened, the error names both, and the index can be opened after."""
    other = Counting()
    other.name = "anders"
    with pytest.raises(IndexingError, match="filled by the embedder hashing, not by anders"):
        open_store(filled, other, create=True)
    with open_store(filled, Counting()) as store:
        assert store.count()


def test_another_embedder_after_all_is_gone(filled: Settings, folder: Path) -> None:
    """An index whose documents are all gone may be filled by another embedder."""
    (folder / "a.txt").unlink()
    with open_store(filled, Counting()) as store:
        ingest([folder], store, Counting(), filled)
    other = Counting()
    other.name = "anders"
    with open_store(filled, other) as store:
        assert len(ingest([write(folder, {"b.txt": text(2)})], store, other, filled).added) == 1


def test_an_empty_index_of_another_size(settings: Settings) -> None:
    """An index made for vectors of one size takes none of another, and says so when the first are stored."""
    open_store(settings, Counting(), create=True).close()
    folder = write(settings.data_dir.parent / "d", {"a.txt": text(1)})
    with (
        open_store(settings, Counting(size=24)) as store,
        pytest.raises(IndexingError, match="another size"),
    ):
        ingest([folder], store, Counting(size=24), settings)


def test_a_file_in_the_place_of_the_folder(settings: Settings) -> None:
    """A data folder that is a file is an error of ours, to read and to make."""
    settings.data_dir.write_text("x")
    for create in (False, True):
        with pytest.raises(IndexingError, match=r"no index|Not a directory|File exists"):
            open_store(settings, Counting(), create=create)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_may_not_be_written(filled: Settings) -> None:
    """Missing permissions are named, for an index that is there and for one to be made."""
    elsewhere = replace(filled, data_dir=filled.data_dir / "neu")
    folder = filled.data_dir
    (folder / "index").chmod(0o500)
    folder.chmod(0o500)
    for path in (folder / "index").rglob("*"):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        for settings in (filled, elsewhere):
            with pytest.raises(IndexingError, match="permissions"):
                open_store(settings, Counting(), create=True)
    finally:
        for path in [folder, folder / "index", *(folder / "index").rglob("*")]:
            path.chmod(0o700)


def test_a_closed_store(settings: Settings) -> None:
    """A store that was closed says so in an error of ours; closing it again does nothing."""
    store = open_edge(settings.data_dir / "index", Counting(), create=True)
    store.close()
    store.close()
    with pytest.raises(IndexingError):
        store.count()


@pytest.mark.parametrize(
    ("text_below", "reason"),
    [
        ("Can't init WAL: Kind(WouldBlock)", "is open in another process"),
        ("Vector dimension error: expected dim: 384, got 5", "was made for vectors of another size"),
        ("IO Error: Permission denied (os error 13)", "cannot be written"),
        ("IO Error: Read-only file system (os error 30)", "cannot be written"),
        ("IO Error: No space left on device (os error 28)", "the disk is full"),
        ("something else", "is damaged (something else)"),
    ],
)
def test_the_engines_errors_are_told_apart(text_below: str, reason: str) -> None:
    """The engine raises plain exceptions that differ in their text only: each kind has its reason and mend."""
    with pytest.raises(KontextwerkError) as caught, _mapped(Path("/index")):
        raise Exception(text_below)  # noqa: TRY002  as the engine does
    assert caught.value.reason == reason
    assert caught.value.mend


def test_an_interrupt_stays_one() -> None:
    """A keyboard interrupt in the engine is not taken for damage."""
    with pytest.raises(KeyboardInterrupt), _mapped(Path("/index")):
        raise KeyboardInterrupt
