"""Files that people give us: which are taken, under which names, and that none is lost or stops another."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kontextwerk import DocumentError, RecordsError
from kontextwerk.index import Progress, Report
from kontextwerk.index.points import document_id
from kontextwerk.library import Library
from kontextwerk.records import Records, Upload, open_records
from kontextwerk.settings import Settings
from kontextwerk.web.uploads import Uploads

TEXT = b"Die Abgabefrist endet am 3. Mai.\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with an index of the test's own, an instant embedder, and a small limit."""
    return replace(Settings(), data_dir=tmp_path / "data", embedder="hashing", upload_megabytes=1, chunk_chars=200)


@pytest.fixture
def records(settings: Settings) -> Iterator[Records]:
    """Open empty records."""
    with open_records(settings) as made:
        yield made


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    """Open an empty index."""
    with Library(settings) as made:
        yield made


@pytest.fixture
def uploads(settings: Settings, records: Records, library: Library) -> Iterator[Uploads]:
    """What takes files in."""
    made = Uploads(settings, records, library)
    yield made
    made.close()
    if made._worker:
        made._worker.join(10)


async def pieces(content: bytes, size: int = 1 << 16) -> AsyncIterator[bytes]:
    """Yield a file's bytes as they come over the network."""
    for start in range(0, len(content), size):
        yield content[start : start + size]


def take(uploads: Uploads, name: str, content: bytes = TEXT) -> Upload:
    """Upload a file."""
    return asyncio.run(uploads.take(name, pieces(content)))


def settled(records: Records) -> list[Upload]:
    """Return the uploads, oldest first, once all are read or named as failed."""
    end = time.monotonic() + 20
    while any(upload.state in {"waiting", "reading"} for upload in records.uploads()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return records.uploads()[::-1]


def files(settings: Settings) -> list[str]:
    """Return the names of the files that lie in the folder."""
    folder = settings.data_dir / "uploads"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_file_is_taken_in(uploads: Uploads, records: Records, library: Library, settings: Settings) -> None:
    """An upload is stored under a name of ours, found under the person's, and its record says how far it is."""
    given = take(uploads, "Größe & Übersicht.txt", b"\n\n".join(b"Satz %d steht hier." % n for n in range(60)))
    assert (given.name, given.state, given.size) == ("Größe & Übersicht.txt", "waiting", 1248)
    assert files(settings) == [f"{given.id}.txt"]
    done = settled(records)[0]
    assert (done.state, done.error) == ("done", "")
    assert done.chunks_done == done.chunks_total > 1
    assert library.search("Satz 7")[0]["payload"]["document_title"] == "Größe & Übersicht.txt"
    assert [document.title for document in library.documents()] == ["Größe & Übersicht.txt"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("/etc/cron.d/x.md", "x.md"),
        ("C:\\Benutzer\\x\\y.txt", "y.txt"),
        ("..\\..\\z.txt", "z.txt"),
        ("a/b\\c/d.txt", "d.txt"),
        ("zeile\neins\x00\x1b[31m.txt", "zeile eins [31m.txt"),
        ("  .versteckt.txt. ", "versteckt.txt"),
        ("GROSS.TXT", "GROSS.TXT"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
        ("Gro\u0308ße.txt", "Größe.txt"),
        ("kaputt\ud800.txt", "kaputt\ufffd.txt"),
        ("'; DROP TABLE uploads; --.txt", "'; DROP TABLE uploads; --.txt"),
        ("con.txt", "con.txt"),
        ("%2e%2e%2fx.txt", "%2e%2e%2fx.txt"),
    ],
)
def test_a_name_leads_nowhere(uploads: Uploads, records: Records, settings: Settings, name: str, shown: str) -> None:
    """Of a name only the last part is shown, on one line; the file itself is never named by it."""
    given = take(uploads, name)
    assert given.name == records.uploads()[0].name == shown
    folder = (settings.data_dir / "uploads").resolve()
    assert Path(given.path) == folder / f"{given.id}{Path(shown).suffix.lower()}"
    assert Path(given.path).read_bytes() == TEXT


@pytest.mark.parametrize("length", [151, 1_000, 100_000])
def test_a_long_name_keeps_its_suffix(uploads: Uploads, length: int) -> None:
    """A name is shortened before its suffix, however long it is."""
    given = take(uploads, "ü" * length + ".txt")
    assert given.name == "ü" * 146 + ".txt"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("programm.exe", r"files of the kind \.exe are not read"),
        ("ohne", r"files of the kind \(none\) are not read"),
        ("", r"Unbenannt: files of the kind \(none\)"),
        ("..", r"Unbenannt: files of the kind \(none\)"),
        (".txt", r"txt: files of the kind \(none\)"),
        ("x.pdf/", r"x\.pdf: is empty"),
        ("x.txt.svg", r"files of the kind \.svg"),
        ("x." + "y" * 500, r"files of the kind \.y+ are not read"),
    ],
)
def test_other_kinds_are_refused(
    uploads: Uploads, records: Records, settings: Settings, name: str, reason: str
) -> None:
    """What is not read is refused with the kinds that are, before a byte is stored."""
    with pytest.raises(DocumentError, match=reason) as caught:
        take(uploads, name, b"")
    assert len(str(caught.value)) < 700
    assert records.uploads() == []
    assert files(settings) == []


def test_an_empty_file_is_refused(uploads: Uploads, records: Records, settings: Settings) -> None:
    """A file without a byte is refused with what to do."""
    with pytest.raises(DocumentError, match=r"leer\.txt: is empty\. Leave it out, or copy it again"):
        take(uploads, "leer.txt", b"")
    assert (records.uploads(), files(settings)) == ([], [])


@pytest.mark.parametrize(("size", "fits"), [(1_000_000, True), (1_000_001, False), (5_000_000, False)])
def test_a_file_has_a_largest_size(
    uploads: Uploads, records: Records, settings: Settings, size: int, *, fits: bool
) -> None:
    """A file up to the limit is stored; of a larger one nothing stays, and reading ends when that is clear."""
    read = 0

    async def counted() -> AsyncIterator[bytes]:
        """Yield pieces, and count them."""
        nonlocal read
        async for piece in pieces(b" " * size):
            read += len(piece)
            yield piece

    if fits:
        assert asyncio.run(uploads.take("x.txt", counted())).size == size
        assert len(files(settings)) == 1
        return
    with pytest.raises(DocumentError, match=r"x\.txt: is larger than 1 MB\. Split it, or raise upload_megabytes"):
        asyncio.run(uploads.take("x.txt", counted()))
    assert read <= 1_000_000 + (1 << 16)
    assert (records.uploads(), files(settings)) == ([], [])


def test_files_of_one_name_are_told_apart(uploads: Uploads, records: Records, library: Library) -> None:
    """The same name twice is numbered, so that a reader can tell the sources apart; both are in the index."""
    names = [take(uploads, "a.b.txt", TEXT + b"%d" % number).name for number in range(3)]
    assert names == ["a.b.txt", "a.b (2).txt", "a.b (3).txt"]
    assert {upload.state for upload in settled(records)} == {"done"}
    assert sorted(document.title for document in library.documents()) == sorted(names)


def test_files_at_once_are_told_apart(uploads: Uploads, records: Records) -> None:
    """Uploads that come interleaved have names of their own as well."""

    async def slowly(number: int) -> AsyncIterator[bytes]:
        """Yield pieces with pauses."""
        for _ in range(3):
            await asyncio.sleep(0)
            yield b"Text %d. " % number

    async def all_at_once() -> list[Upload]:
        """Take all."""
        return await asyncio.gather(*(uploads.take("x.txt", slowly(number)) for number in range(8)))

    given = asyncio.run(all_at_once())
    assert len({upload.name for upload in given}) == len({upload.path for upload in given}) == 8
    assert {upload.state for upload in settled(records)} == {"done"}


@pytest.mark.parametrize("error", [ConnectionError("gone"), asyncio.CancelledError(), RuntimeError("a bug")])
def test_an_interrupted_upload_leaves_nothing(
    uploads: Uploads, records: Records, settings: Settings, error: BaseException
) -> None:
    """Where the connection breaks, the request is cancelled or a fault occurs, no part of the file stays."""

    async def breaking() -> AsyncIterator[bytes]:
        """Break off after a piece."""
        yield TEXT
        assert len(files(settings)) == 1
        raise error

    with pytest.raises((DocumentError, asyncio.CancelledError, RuntimeError)):
        asyncio.run(uploads.take("x.txt", breaking()))
    assert (records.uploads(), files(settings)) == ([], [])


def test_a_disk_that_cannot_be_written_is_named(uploads: Uploads, records: Records, settings: Settings) -> None:
    """Where the file cannot be stored, that is an error of ours with its mend."""
    (settings.data_dir / "uploads").write_text("im Weg", encoding="utf-8")
    with pytest.raises(DocumentError, match=r"x\.txt: .*Make room, or try again"):
        take(uploads, "x.txt")
    assert records.uploads() == []


class Full(Records):
    """Records on a full disk."""

    def add_upload(self, name: str, path: str, size: int, *, id: str) -> Upload:  # noqa: A002, ARG002
        """Keep nothing."""
        raise RecordsError("records", "the disk is full", "Make room and try again")


def test_a_file_without_a_record_does_not_stay(settings: Settings, records: Records, library: Library) -> None:
    """Where the record cannot be kept, neither is the file."""
    uploads = Uploads(settings, Full(records._engine, records.place), library)
    with pytest.raises(RecordsError, match="the disk is full"):
        take(uploads, "x.txt")
    assert files(settings) == []


def test_what_an_end_of_the_program_left_goes_on(settings: Settings, records: Records, library: Library) -> None:
    """After a start, uploads that waited or were being read are taken in, in their order; parts of files are gone."""
    folder = settings.data_dir.resolve() / "uploads"
    folder.mkdir(parents=True)
    for number, state in enumerate(("waiting", "reading", "done", "failed")):
        path = folder / f"{number}.txt"
        path.write_bytes(TEXT + b"%d" % number)
        records.add_upload(f"{state}.txt", str(path), 1, id=str(number))
        records.update_upload(str(number), state=state)
    (folder / ".9.txt.part").write_bytes(b"Die Abgabe")
    uploads = Uploads(settings, records, library)
    uploads.resume()
    assert [upload.state for upload in settled(records)] == ["done", "done", "done", "failed"]
    assert sorted(document.title for document in library.documents()) == ["reading.txt", "waiting.txt"]
    assert files(settings) == ["0.txt", "1.txt", "2.txt", "3.txt"]
    uploads.close()


def test_an_upload_whose_file_is_gone_is_named(settings: Settings, records: Records, library: Library) -> None:
    """An upload whose file was deleted meanwhile is failed, with the reason."""
    records.add_upload("weg.txt", str(settings.data_dir / "uploads" / "weg.txt"), 1, id="1")
    uploads = Uploads(settings, records, library)
    uploads.resume()
    failed = settled(records)[0]
    assert failed.state == "failed"
    assert failed.error == "weg.txt: there is no such file or folder. Check the path"
    uploads.close()


def test_a_file_that_cannot_be_read_stops_no_other(uploads: Uploads, records: Records, library: Library) -> None:
    """A broken file is named by the person's name with reason and mend; what comes after it is taken in."""
    take(uploads, "kaputt.pdf", b"%PDF-1.7 abgebrochen")
    take(uploads, "gut.txt")
    broken, good = settled(records)
    assert (broken.state, good.state) == ("failed", "done")
    assert broken.error.startswith("kaputt.pdf: ")
    assert [document.title for document in library.documents()] == ["gut.txt"]


def test_a_failed_file_is_tried_again(uploads: Uploads, records: Records) -> None:
    """An upload that failed can be taken in again once its file is as it should be."""
    given = take(uploads, "x.txt", b"\xff\xfe")
    failed = settled(records)[0]
    assert failed.state == "failed"
    Path(given.path).write_bytes(TEXT)
    uploads.retry(failed)
    done = settled(records)[0]
    assert (done.state, done.error) == ("done", "")


class Faulty(Library):
    """An index whose reader has a fault for one file."""

    def add(self, path: Path, title: str, progress: Callable[[Progress], None] | None = None) -> Report:
        """Fail for it."""
        if title == "fehler.txt":
            raise ZeroDivisionError("a bug")
        return super().add(path, title, progress)


def test_a_fault_of_the_program_concerns_one_file(settings: Settings, records: Records) -> None:
    """A fault in a reader fails its file with a mend, and the worker goes on."""
    with Faulty(settings) as library:
        uploads = Uploads(settings, records, library)
        take(uploads, "fehler.txt")
        take(uploads, "gut.txt")
        failed, done = settled(records)
        assert (failed.state, done.state) == ("failed", "done")
        assert failed.error == "fehler.txt: cannot be read. Convert it to PDF and try again"
        uploads.close()


def test_removing_a_document_removes_its_upload(
    uploads: Uploads, records: Records, library: Library, settings: Settings
) -> None:
    """A document that goes takes its file and its record along; others stay."""
    gone, stays = take(uploads, "weg.txt"), take(uploads, "da.txt", b"Etwas anderes.")
    settled(records)
    uploads.remove(document_id(Path(gone.path)))
    assert [document.title for document in library.documents()] == ["da.txt"]
    assert [upload.id for upload in records.uploads()] == [stays.id]
    assert files(settings) == [f"{stays.id}.txt"]


def test_an_upload_is_forgotten(uploads: Uploads, records: Records, settings: Settings) -> None:
    """A failed upload can be discarded, and a file that is gone already is no error."""
    given = take(uploads, "kaputt.pdf", b"%PDF-1.7 abgebrochen")
    settled(records)
    Path(given.path).unlink()
    uploads.discard(given)
    assert (records.uploads(), files(settings)) == ([], [])
