"""Documents and what is found in them, over HTTP. It leaves out conversations: see `api_conversations`."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, UploadFile

from kontextwerk.characters import encodable
from kontextwerk.context.context import Context
from kontextwerk.context.errors import DocumentError, InputError
from kontextwerk.context.options import Options
from kontextwerk.hits import assemble
from kontextwerk.records import AbsentError, Upload
from kontextwerk.web.app import Parts, parts_of
from kontextwerk.web.failures import ErrorRoute
from kontextwerk.web.schemas import (
    ContextRequest,
    Document,
    Failure,
    Hit,
    PathName,
    Refused,
    SearchRequest,
    Taken,
    UploadedFile,
)

router = APIRouter(route_class=ErrorRoute)
PIECE_BYTES = 1 << 16
Shared = Annotated[Parts, Depends(parts_of)]
"""What the application shares."""
BODY: dict[int | str, dict[str, Any]] = {400: {"model": Failure, "description": "The request's body cannot be read."}}
ABSENT: dict[int | str, dict[str, Any]] = {404: {"model": Failure, "description": "There is none of that identifier."}}
RECORDS: dict[int | str, dict[str, Any]] = {503: {"model": Failure, "description": "The records cannot be used."}}
INDEX: dict[int | str, dict[str, Any]] = {
    409: {"model": Failure, "description": "The index is in use elsewhere, damaged or out of reach."},
    502: {"model": Failure, "description": "The embedding model, or the server that counts tokens, failed."},
}


@router.get("/documents", tags=["documents"], summary="List the documents", responses=INDEX)
def documents(parts: Shared) -> list[Document]:
    """Return what the index holds of each document, by path."""
    return [Document.model_validate(state) for state in parts.library.documents()]


@router.post(
    "/documents", status_code=202, tags=["documents"], summary="Upload documents", responses={**BODY, **RECORDS}
)
async def upload(parts: Shared, files: Annotated[list[UploadFile], File(min_length=1)]) -> Taken:
    """Store files and have them read, one after the other; `GET /uploads` tells how far each is.

    Files that are not taken, such as those of an unknown kind, are named with the reason. Where none is taken, the
    request fails.
    """
    if len(files) > (most := parts.settings.upload_files):
        raise InputError("files", f"are {len(files)}", f"Send {most} at most at once")
    taken: list[Upload] = []
    refused: list[tuple[str, DocumentError]] = []
    for file in files:
        name = encodable(file.filename or "")
        try:
            taken.append(await parts.uploads.take(name, _pieces(file)))
        except DocumentError as error:
            refused.append((name, error))
    if not taken:
        raise refused[0][1]
    return Taken(
        uploads=[UploadedFile.model_validate(one) for one in taken],
        refused=[
            Refused(name=name, detail=str(error), thing=error.thing, reason=error.reason, mend=error.mend)
            for name, error in refused
        ],
    )


@router.delete(
    "/documents/{document}",
    status_code=204,
    tags=["documents"],
    summary="Take a document out of the index",
    responses={**ABSENT, **INDEX, **RECORDS},
)
def remove(parts: Shared, document: PathName) -> None:
    """Take a document out of the index. The file of an upload is deleted, any other file stays."""
    if parts.library.document(document) is None:
        raise AbsentError(f"document {document}", "is not there", "List the documents")
    parts.uploads.remove(document)


@router.get("/uploads", tags=["documents"], summary="List the uploads", responses=RECORDS)
def uploads(parts: Shared) -> list[UploadedFile]:
    """Return the uploaded files, the latest first, and how far each is."""
    return [UploadedFile.model_validate(one) for one in parts.records.uploads()]


@router.post("/search", tags=["search"], summary="Search the documents", responses={**BODY, **INDEX})
def search(parts: Shared, asked: SearchRequest) -> list[Hit]:
    """Return the chunks that best fit a question, in meaning and in words, best first."""
    return [Hit(**hit) for hit in parts.library.search(asked.question, asked.documents, asked.limit)]


@router.post("/context", tags=["search"], summary="Make a context", responses={**BODY, **INDEX})
def context(parts: Shared, asked: ContextRequest) -> Context:
    """Make what a language model should read: the best evidence within a budget, with numbered sources.

    It is made from the hits that are passed, of any vector search; where there are none, the question is searched for.
    Every hit has a decision: what became of it, and why.
    """
    settings, hits = parts.settings, asked.hits
    if hits is None:
        if asked.question is None:
            raise InputError("question", "is missing, and so are hits", "Pass one of them")
        hits = parts.library.search(asked.question, asked.documents)
    return assemble(
        hits,
        settings.chat_tokens if asked.max_tokens is None else asked.max_tokens,
        question=asked.question,
        counter=settings.counter,
        language=asked.language or settings.language,
        options=Options(format=asked.format),
    )


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(PIECE_BYTES):
        yield piece
