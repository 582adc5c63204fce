"""However an ingest is interrupted, the next one makes the index what an undisturbed one would have made it."""

import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from index_doubles import Counting, Interruption, Points, points, text, write
from qdrant_client import QdrantClient

from kontextwerk.documents import split
from kontextwerk.index import Store, documents, ingest, open_store
from kontextwerk.index.server import ServerStore, open_server
from kontextwerk.index.store import Point
from kontextwerk.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")

FILES = {"a.txt": text(1, 120), "b.txt": text(2, 40), "c.txt": text(3, 5)}


def undisturbed(folder: Path, settings: Settings) -> Points:
    """Return the points that one ingest into a new index makes."""
    scratch = Path(tempfile.mkdtemp(dir=settings.data_dir.parent))
    with open_store(replace(settings, data_dir=scratch), Counting(), create=True) as store:
        ingest([folder], store, Counting(), settings)
        return points(store)


@pytest.mark.parametrize("after", [0, 1, 16, 17, 32, 45, 50])
def test_an_interruption_while_embedding(store: Store, folder: Path, settings: Settings, after: int) -> None:
    """After a break the next run embeds what is missing and nothing twice, and ends where an undisturbed one does."""
    write(folder, FILES)
    broken, whole = Counting(breaks_after=after), Counting()
    with pytest.raises(Interruption):
        ingest([folder], store, broken, settings)
    assert store.count() == broken.embedded <= after
    report = ingest([folder], store, whole, settings)
    assert broken.embedded + whole.embedded == store.count() == sum(state.chunks for state in documents(store))
    assert len(report.added) + len(report.unchanged) == 3
    assert all(state.complete for state in documents(store))
    assert compared(points(store)) == compared(undisturbed(folder, settings))


@pytest.mark.parametrize("new", [text(7, 120), text(7, 70), text(7, 180)], ids=["as long", "shorter", "longer"])
@pytest.mark.parametrize("after", [0, 16])
def test_an_interruption_while_replacing(store: Store, folder: Path, settings: Settings, new: str, after: int) -> None:
    """A changed document that was replaced in part is known to be incomplete, and is made whole by the next run."""
    ingest([write(folder, FILES)], store, Counting(), settings)
    write(folder, {"a.txt": new})
    with pytest.raises(Interruption):
        ingest([folder], store, Counting(breaks_after=after), settings)
    assert [state.complete for state in documents(store)] == [not after, True, True]
    report = ingest([folder], store, Counting(), settings)
    assert [Path(path).name for path in report.changed] == ["a.txt"]
    assert compared(points(store)) == compared(undisturbed(folder, settings))


def compared(held: Points) -> dict[str, tuple[object, ...]]:
    """Return points as all kinds of stores keep them: the client without a server rounds a vector in its own way."""
    return {name: (payload, [round(x, 5) for x in dense], *terms) for name, (payload, dense, *terms) in held.items()}


def test_an_interruption_before_an_update(
    store: Store, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the same file is split otherwise after the break, as by a new library, no chunk of the old way is left."""
    write(folder, FILES)
    with pytest.raises(Interruption):
        ingest([folder], store, Counting(breaks_after=32), settings)
    module = sys.modules["kontextwerk.index.ingest"]
    monkeypatch.setattr(module, "split", lambda document, **_: split(document, max_chars=333))
    ingest([folder], store, Counting(), settings)
    assert all(state.complete for state in documents(store))
    assert compared(points(store)) == compared(undisturbed(folder, settings))


INGEST = """
    import sys
    import time
    from dataclasses import replace
    from pathlib import Path
    from kontextwerk.index import ingest, open_store
    from kontextwerk.index.local import Hashing
    from kontextwerk.settings import Settings

    class Slow(Hashing):
        def passages(self, texts):
            time.sleep(0.02)
            return super().passages(texts)

    settings = replace(Settings(), data_dir=Path(sys.argv[2]), embedder="hashing", chunk_chars=200)
    embedder = Slow(16)
    print("ready", flush=True)
    with open_store(settings, embedder, create=True) as store:
        ingest([Path(sys.argv[1])], store, embedder, settings)
"""


def test_kills_at_random_moments(folder: Path, settings: Settings) -> None:
    """Processes killed at random while they fill an index leave one that the next run makes whole, to the bit."""
    write(folder, {f"{number}.txt": text(number, 40) for number in range(9)})
    command = [sys.executable, "-c", textwrap.dedent(INGEST), str(folder), str(settings.data_dir)]
    moments = random.Random(3)  # noqa: S311  moments need no secrecy
    killed = 0
    for longest in (0.02, 0.3, 0.3, 0.3):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(moments.uniform(0, longest))
            process.kill()
        killed += process.returncode < 0
    assert killed
    with open_store(settings, Counting(), create=True) as store:
        assert store.count() < 9 * 20
        ingest([folder], store, Counting(), settings)
        assert points(store) == undisturbed(folder, settings)


class Brittle(ServerStore):
    """A store whose process dies at a certain write, just before or just after it."""

    writes_left = -1
    dies_after = False

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points, and perhaps die."""
        self._perhaps_die(before=True)
        super().upsert(points)
        self._perhaps_die(before=False)

    def delete(self, document_id: str, *, start: int = 0) -> None:
        """Take points away, and perhaps die."""
        self._perhaps_die(before=True)
        super().delete(document_id, start=start)
        self._perhaps_die(before=False)

    def _perhaps_die(self, *, before: bool) -> None:
        if before:
            self.writes_left -= 1
        if self.writes_left == 0 and before != self.dies_after:
            raise Interruption


NAMES = st.sampled_from(["a.txt", "b.txt", "unter/c.txt"])
STEPS = st.one_of(
    st.tuples(st.just("write"), NAMES, st.sampled_from([text(1, 1), text(2, 3), text(3, 60), text(4, 61)])),
    st.tuples(st.just("remove"), NAMES),
    st.tuples(st.just("break"), NAMES, st.just(b"\0\1\2\3")),
    st.tuples(st.just("ingest"), st.integers(1, 6), st.booleans()),
)


@hypothesis_settings(max_examples=100, deadline=None)
@given(st.lists(STEPS, max_size=12))
def test_any_history_ends_in_the_same_state(steps: list[tuple[object, ...]]) -> None:
    """After any changes to a folder and any interruptions, one ingest leaves what a first one would have made.

    A file that is broken at the end is left out of the comparison: of it the index keeps what it had.
    """
    settings = replace(Settings(), chunk_chars=200)
    client = QdrantClient(":memory:")
    scratch = Path(tempfile.mkdtemp())
    try:
        folder = write(scratch, {"unter/leer": ""})
        open_server(settings, Counting(), create=True, client=client)
        store = Brittle(client, settings.collection, "a test")
        for step in steps:
            take(step, folder, store, settings)
        store.writes_left = -1
        report = ingest([folder], store, Counting(), settings)
        broken = {failure.path for failure in report.failed}
        assert {state.path for state in documents(store) if not state.complete} <= broken
        found = {name: point for name, point in points(store).items() if point[0]["path"] not in broken}
        fresh = open_server(settings, Counting(), create=True, client=QdrantClient(":memory:"))
        ingest([folder], fresh, Counting(), settings)
        assert compared(found) == compared(points(fresh))
        assert ingest([folder], store, Counting(), settings).chunks_embedded == 0
    finally:
        shutil.rmtree(scratch)


def take(step: tuple[object, ...], folder: Path, store: Brittle, settings: Settings) -> None:
    """Take one step of a history."""
    match step:
        case ("write", str(name), str(content)):
            write(folder, {name: content})
        case ("break", str(name), bytes(content)):
            (folder / name).write_bytes(content)
        case ("remove", str(name)):
            (folder / name).unlink(missing_ok=True)
        case ("ingest", int(writes), bool(after)):
            store.writes_left, store.dies_after = writes, after
            with suppress(Interruption):
                ingest([folder], store, Counting(), settings)
