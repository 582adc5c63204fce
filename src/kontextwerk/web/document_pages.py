"""The pages of documents: what the index holds, adding and removing, and a document at the place that a source names.

It leaves out how files are taken in: see `uploads`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.datastructures import FormData, UploadFile

from kontextwerk.context.errors import InputError, KontextwerkError
from kontextwerk.context.model import Source, Span
from kontextwerk.context.telling import from_dict
from kontextwerk.documents import SUFFIXES
from kontextwerk.index import DocumentState
from kontextwerk.index.points import document_id
from kontextwerk.records import AbsentError, Upload
from kontextwerk.web import viewer
from kontextwerk.web.app import Parts, parts_of
from kontextwerk.web.turns import evidence_of, sources_of
from kontextwerk.web.views import back, fragment
from kontextwerk.web.views import page as full_page

router = APIRouter(prefix="/documents", include_in_schema=False)
PIECE = 1 << 20
AROUND = 30_000
"""Characters of a long text that are shown before and behind its evidence."""


@router.get("")
def documents(request: Request) -> HTMLResponse:
    """Show what the index holds, and what is on its way there."""
    settings = parts_of(request).settings
    kinds = ", ".join(sorted(suffix.lstrip(".").upper() for suffix in SUFFIXES))
    values: dict[str, Any] = {
        "kinds": kinds,
        "megabytes": settings.upload_megabytes,
        "accept": ",".join(sorted(SUFFIXES)),
    }
    records = parts_of(request).records
    values |= {"conversations": records.conversations(), "current": None}
    return full_page(request, "documents.html", **_rows(request), **values)


@router.get("/rows")
def rows(request: Request) -> HTMLResponse:
    """Return the table alone."""
    return HTMLResponse(fragment(request, "_documents.html", **_rows(request)))


@router.post("/upload")
async def upload(request: Request) -> Response:
    """Take files in; those that cannot be are named."""
    parts = parts_of(request)
    failures: list[KontextwerkError] = []
    async with _form(request, parts.settings.upload_files) as form:
        for file in form.getlist("files"):
            if isinstance(file, str) or not file.filename:
                continue
            try:
                await parts.uploads.take(file.filename, _pieces(file))
            except KontextwerkError as error:
                failures.append(error)
    if "x-requested-with" in request.headers or "hx-request" in request.headers:
        values = await run_in_threadpool(_rows, request)
        return HTMLResponse(fragment(request, "_documents.html", **{**values, "failures": list(map(str, failures))}))
    if failures:
        raise failures[0]
    return back(request, "/documents")


@router.post("/uploads/{name}/retry")
def retry(request: Request, name: str) -> Response:
    """Take an upload in again."""
    parts_of(request).uploads.retry(_upload(request, name))
    return _changed(request)


@router.post("/uploads/{name}/discard")
def discard(request: Request, name: str) -> Response:
    """Forget an upload that failed."""
    upload = _upload(request, name)
    if upload.state != "failed":
        raise InputError(upload.name, "is being read, or is in the index", "Wait until it is, and remove the document")
    parts_of(request).uploads.discard(upload)
    return _changed(request)


@router.post("/{name}/delete")
def delete(request: Request, name: str) -> Response:
    """Take a document out of the index."""
    _document(request, name)
    parts_of(request).uploads.remove(name)
    return _changed(request)


@router.get("/{name}")
def document(request: Request, name: str, turn: str = "", source: int = 0, page: int = 0) -> HTMLResponse:
    """Show a document: a page of a PDF, or its text; where a source is named, with its evidence marked."""
    parts = parts_of(request)
    state = _document(request, name)
    path = _file(state)
    found = _source(parts, turn, source, name)
    marks = _marks(parts, turn, found)
    text = viewer.text_of(str(path), path.stat().st_mtime_ns)
    pages = viewer.page_count(path) if path.suffix.lower() == ".pdf" else 0
    number = min(max(page or _page(text.pages, text.text, marks, found), 1), max(pages, 1))
    values: dict[str, Any] = {
        "state": state,
        "source": found,
        "turn": turn,
        "number": number,
        "pages": pages,
        "pieces": () if pages else _pieces_of(text.text, marks, found),
        "page_text": text.text[slice(*text.pages[number - 1])] if pages and number <= len(text.pages) else "",
        "conversations": parts.records.conversations(),
        "current": parts.records.conversation(parts.records.turn(turn).conversation) if found else None,
    }
    return full_page(request, "document.html", **values)


@router.get("/{name}/file")
def file(request: Request, name: str) -> Response:
    """Return the file itself: a PDF to look at, others to keep."""
    state = _document(request, name)
    path = _file(state)
    is_pdf = path.suffix.lower() == ".pdf"
    kind = "application/pdf" if is_pdf else "application/octet-stream"
    return FileResponse(
        path, media_type=kind, filename=state.title, content_disposition_type="inline" if is_pdf else "attachment"
    )


@router.get("/{name}/pages/{number}.png")
def image(request: Request, name: str, number: int, turn: str = "", source: int = 0) -> Response:
    """Return the image of a page, with the evidence of a source marked."""
    parts = parts_of(request)
    path = _file(_document(request, name))
    marks = _marks(parts, turn, _source(parts, turn, source, name))
    return Response(viewer.page_image(path, number, marks), media_type="image/png")


def _rows(request: Request) -> dict[str, Any]:
    """Return what the table shows: documents, and uploads that are not in the index yet."""
    parts = parts_of(request)
    uploads = parts.records.uploads()
    failures: list[str] = []
    try:
        states = parts.library.documents()
    except KontextwerkError as error:
        states, failures = [], [str(error)]
    on_its_way = {document_id(Path(one.path)) for one in uploads if one.state != "done"}
    return {
        "uploads": [one for one in uploads if one.state != "done"],
        "states": [state for state in states if state.document_id not in on_its_way],
        "working": any(one.state in {"waiting", "reading"} for one in uploads),
        "failures": failures,
    }


def _changed(request: Request) -> Response:
    if "hx-request" in request.headers:
        return rows(request)
    return back(request, "/documents")


def _upload(request: Request, name: str) -> Upload:
    found = next((one for one in parts_of(request).records.uploads() if one.id == name), None)
    if found is None:
        raise AbsentError(f"upload {name}", "is not there", "Upload the file again")
    return found


def _document(request: Request, name: str) -> DocumentState:
    found = parts_of(request).library.document(name)
    if found is None:
        raise AbsentError(f"document {name}", "is not in the index", "Look at the list of documents")
    return found


def _file(state: DocumentState) -> Path:
    path = Path(state.path)
    if not path.is_file():
        raise AbsentError(state.title, "is no longer at its place", "Bring the file back, or remove the document")
    return path


def _source(parts: Parts, turn: str, number: int, document: str) -> Source | None:
    """Return the source that an address names, where it is one of this document."""
    if not turn or not number:
        return None
    context = parts.records.turn(turn).read_context()
    found = sources_of(context).get(number) if context else None
    return found if found and found.document_id == document else None


def _marks(parts: Parts, turn: str, source: Source | None) -> list[str]:
    """Return the sentences of a source that are evidence in a turn; its whole text where none is."""
    if source is None:
        return []
    checks = [from_dict(one) for one in parts.records.turn(turn).checks or ()]
    spans = evidence_of(source, checks)
    return [source.text[slice(*span)] for span in spans] or source.text.split("[…]")


def _page(pages: tuple[Span, ...], text: str, marks: list[str], source: Source | None) -> int:
    """Return the page on which evidence stands, from 1; the source's first one where that cannot be told."""
    if source is None:
        return 1
    for mark in marks:
        if span := viewer.find(text, mark, source.spans):
            for number, (start, end) in enumerate(pages, 1):
                if start <= span[0] < end:
                    return number
    return source.pages[0] if source.pages else 1


def _pieces_of(text: str, marks: list[str], source: Source | None) -> list[tuple[str, bool]]:
    """Return a text as stretches, each with whether it is evidence; of a long one what is around the evidence."""
    near = source.spans if source else ()
    spans = sorted(span for mark in marks if (span := viewer.find(text, mark.strip(), near)))
    first, last = (spans[0][0], spans[-1][1]) if spans else (0, 0)
    start, end = max(first - AROUND, 0), min(last + AROUND, len(text))
    pieces: list[tuple[str, bool]] = [("…\n", False)] if start else []
    position = start
    for span_start, span_end in spans:
        if span_start >= position:
            pieces += [(text[position:span_start], False), (text[span_start:span_end], True)]
            position = span_end
    pieces.append((text[position:end], False))
    return pieces + ([("\n…", False)] if end < len(text) else [])


@asynccontextmanager
async def _form(request: Request, most: int) -> AsyncIterator[FormData]:
    """Read the form of an upload.

    Raises:
        InputError: It has too many files, or is none.
    """
    try:
        async with request.form(max_files=most, max_fields=20) as form:
            yield form
    except HTTPException as error:
        raise InputError("upload", error.detail.rstrip("."), f"Send {most} files at most at once") from error


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(PIECE):
        yield piece
