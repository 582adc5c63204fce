"""Files that people give us: checked, stored under names of ours, and taken into the index one after the other.

What was accepted survives an end of the program: the next start goes on with it. It leaves out reading and embedding:
see `kontextwerk.index`.
"""

import os
import unicodedata
from collections.abc import AsyncIterable
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from queue import Queue
from threading import Lock, Thread
from time import monotonic
from uuid import uuid4

from kontextwerk.characters import encodable
from kontextwerk.context.errors import DocumentError, KontextwerkError
from kontextwerk.context.labels import one_line
from kontextwerk.documents import SUFFIXES
from kontextwerk.index import Progress
from kontextwerk.index.points import document_id
from kontextwerk.library import Library
from kontextwerk.records import Records, Upload
from kontextwerk.settings import Settings

NAME_CHARS = 150
TOLD_SECONDS = 0.3
"""How often progress is kept."""


class Uploads:
    """What takes files in.

    Args:
        settings: The folder, and the largest file.
        records: Where it is kept how far each is.
        library: The index.
    """

    def __init__(self, settings: Settings, records: Records, library: Library) -> None:
        self._folder = settings.data_dir.expanduser().resolve() / "uploads"
        self._most_bytes = settings.upload_megabytes * 1_000_000
        self._records, self._library = records, library
        self._waiting: Queue[Upload | None] = Queue()
        self._worker: Thread | None = None
        self._lock = Lock()

    def resume(self) -> None:
        """Go on with what an end of the program left; files that had not come whole are deleted."""
        for part in self._folder.glob(".*.part"):
            with suppress(OSError):
                part.unlink()
        for upload in reversed(self._records.uploads()):
            if upload.state in {"waiting", "reading"}:
                self._enqueue(upload)

    async def take(self, name: str, pieces: AsyncIterable[bytes]) -> Upload:
        """Store a file and have it taken in; this returns when it is stored.

        Args:
            name: What the person's file is called.
            pieces: Its bytes.

        Raises:
            DocumentError: Its kind is not read, it is empty or too large, or it cannot be stored.
        """
        title = _title(name)
        suffix = PurePosixPath(title).suffix.lower()
        if suffix not in SUFFIXES:
            known = ", ".join(sorted(SUFFIXES))
            raise DocumentError(title, f"files of the kind {suffix or '(none)'} are not read", f"Known: {known}")
        own = str(uuid4())
        path = self._folder / f"{own}{suffix}"
        part = path.with_name(f".{path.name}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            size = await self._write(part, title, pieces)
            part.replace(path)
        except OSError as error:
            raise DocumentError(title, error.strerror or "cannot be stored", "Make room, or try again") from error
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        try:
            upload = self._records.add_upload(self._free(title), str(path), size, id=own)
        except KontextwerkError:
            path.unlink(missing_ok=True)
            raise
        self._enqueue(upload)
        return upload

    def remove(self, document: str) -> None:
        """Take a document out of the index; where it is an upload, its file goes, too."""
        self._library.remove(document)
        for upload in self._records.uploads():
            if document_id(Path(upload.path)) == document:
                self.discard(upload)

    def discard(self, upload: Upload) -> None:
        """Forget an upload and delete its file."""
        with suppress(OSError):
            Path(upload.path).unlink(missing_ok=True)
        self._records.delete_upload(upload.id)

    def retry(self, upload: Upload) -> None:
        """Take an upload in again that failed."""
        self._records.update_upload(upload.id, state="waiting", error="")
        self._enqueue(upload)

    def close(self) -> None:
        """Take no more; what is in hand is left to the next start."""
        self._waiting.put(None)

    async def _write(self, part: Path, title: str, pieces: AsyncIterable[bytes]) -> int:
        size = 0
        with part.open("xb") as file:
            async for piece in pieces:
                size += len(piece)
                if size > self._most_bytes:
                    limit = self._most_bytes // 1_000_000
                    raise DocumentError(title, f"is larger than {limit} MB", "Split it, or raise upload_megabytes")
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        if not size:
            raise DocumentError(title, "is empty", "Leave it out, or copy it again")
        return size

    def _free(self, title: str) -> str:
        """Return the title, with a number where another upload has it."""
        taken = {upload.name for upload in self._records.uploads()}
        stem, suffix = PurePosixPath(title).stem, PurePosixPath(title).suffix
        number = 2
        while title in taken:
            title = f"{stem} ({number}){suffix}"
            number += 1
        return title

    def _enqueue(self, upload: Upload) -> None:
        self._waiting.put(upload)
        with self._lock:
            if self._worker is None or not self._worker.is_alive():
                self._worker = Thread(target=self._work, daemon=True, name="uploads")
                self._worker.start()

    def _work(self) -> None:
        while (upload := self._waiting.get()) is not None:
            try:
                self._take_in(upload)
            except KontextwerkError as error:
                with suppress(KontextwerkError):
                    self._records.update_upload(upload.id, state="failed", error=str(error))

    def _take_in(self, upload: Upload) -> None:
        told = 0.0
        counts: dict[str, int] = {}

        def tell(progress: Progress) -> None:
            nonlocal told
            counts.update(chunks_done=progress.chunks_done, chunks_total=progress.chunks_total)
            if monotonic() - told > TOLD_SECONDS:
                told = monotonic()
                self._records.update_upload(upload.id, state="reading", **counts)

        try:
            report = self._library.add(Path(upload.path), upload.name, tell)
        except KontextwerkError:
            raise
        except Exception as error:  # a fault in a reader of ours concerns this file, not the others
            raise DocumentError(upload.name, "cannot be read", "Convert it to PDF and try again") from error
        if report.failed:
            failure = report.failed[0]
            raise DocumentError(upload.name, failure.reason, failure.mend)
        self._records.update_upload(upload.id, state="done", error="", **counts)


def _title(name: str) -> str:
    """Return the name of a person's file without folders and control characters, shortened before its suffix."""
    bare = PureWindowsPath(PurePosixPath(name).name).name
    title = one_line(unicodedata.normalize("NFC", encodable(bare)), len(bare)).strip(". ") or "Unbenannt"
    if len(title) > NAME_CHARS:
        suffix = PurePosixPath(title).suffix[:10]
        title = title[: NAME_CHARS - len(suffix)].rstrip(". ") + suffix
    return title
