"""Conversations over HTTP: answers whole or as events while they are written, stopped, retried and read again.

An answer goes on when whoever asked goes away. It leaves out how it comes about: see `kontextwerk.chat`.
"""

from typing import Annotated, Any, get_args

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse

from kontextwerk.events import Event
from kontextwerk.records import StoredTurn
from kontextwerk.web.api_documents import ABSENT, BODY, RECORDS, Shared
from kontextwerk.web.app import Parts
from kontextwerk.web.failures import ErrorRoute
from kontextwerk.web.runs import Run
from kontextwerk.web.schemas import (
    AnswerRequest,
    Conversation,
    ConversationChange,
    ConversationRequest,
    ConversationWithTurns,
    Failure,
    FeedbackRequest,
    PathName,
    RetryRequest,
    Turn,
)
from kontextwerk.web.streams import event_stream, replayed, streamed, told

router = APIRouter(route_class=ErrorRoute, responses=RECORDS)
_EVENTS = streamed(*(event.kind for event in get_args(Event)))
_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {"content": _EVENTS, "description": "The turn; or, where asked for, the events of its answer."},
    502: {"model": Failure, "description": "The answer failed; the turn is kept, and can be retried."},
}


@router.get("/conversations", tags=["conversations"], summary="List the conversations")
def conversations(parts: Shared, limit: Annotated[int, Query(ge=1, le=1000)] = 200) -> list[Conversation]:
    """Return the conversations, the latest first."""
    return [Conversation.model_validate(one) for one in parts.records.conversations(limit=limit)]


@router.post("/conversations", status_code=201, tags=["conversations"], summary="Begin a conversation", responses=BODY)
def begin(parts: Shared, asked: ConversationRequest) -> Conversation:
    """Begin a conversation; without a title it is called by its first question."""
    language = asked.language or parts.settings.language
    begun = parts.records.begin(language=language, documents=asked.documents, title=asked.title)
    return Conversation.model_validate(begun)


@router.get("/conversations/{conversation}", tags=["conversations"], summary="Read a conversation", responses=ABSENT)
def read(parts: Shared, conversation: PathName) -> ConversationWithTurns:
    """Return a conversation with its turns: questions, answers, sources and checks."""
    found = Conversation.model_validate(parts.records.conversation(conversation))
    turns = [Turn.model_validate(one) for one in parts.records.turns(conversation)]
    return ConversationWithTurns(**found.model_dump(), turns=turns)


@router.patch(
    "/conversations/{conversation}",
    tags=["conversations"],
    summary="Change a conversation",
    responses={**BODY, **ABSENT},
)
def change(parts: Shared, conversation: PathName, asked: ConversationChange) -> Conversation:
    """Change its title, its language or the documents that it asks."""
    changes = asked.model_dump(exclude_none=True)
    found = parts.records.change(conversation, **changes) if changes else parts.records.conversation(conversation)
    return Conversation.model_validate(found)


@router.delete(
    "/conversations/{conversation}",
    status_code=204,
    tags=["conversations"],
    summary="Delete a conversation",
    responses=ABSENT,
)
def delete(parts: Shared, conversation: PathName) -> None:
    """Delete a conversation and its turns; an answer on its way ends."""
    turns = parts.records.turns(conversation)
    parts.records.delete(conversation)
    for turn in turns:
        parts.runs.stop(turn.id)


@router.post(
    "/conversations/{conversation}/answers",
    tags=["answers"],
    summary="Ask a question",
    response_model=Turn,
    responses={**BODY, **ABSENT, **_ANSWER},
)
async def ask(parts: Shared, conversation: PathName, asked: AnswerRequest) -> Response | Turn:
    """Ask the conversation's next question, and return the turn with its answer, sources and checks.

    With `stream`, each event comes when it happens: `sources`, then `text` and `citation`, then `check` for each
    sentence and `done`; or, at any point, `error`.
    """
    if asked.model is not None:
        parts.offered(asked.model)

    def keep() -> StoredTurn:
        """Keep the question."""
        return parts.chat.ask(conversation, asked.question, model=asked.model, max_tokens=asked.max_tokens)

    return await _followed(parts, await run_sync(lambda: parts.runs.start(keep())), stream=asked.stream)


@router.get("/turns/{turn}", tags=["answers"], summary="Read a turn", responses=ABSENT)
def read_turn(parts: Shared, turn: PathName) -> Turn:
    """Return a question and its answer, as far as that has come."""
    return Turn.model_validate(parts.records.turn(turn))


@router.get(
    "/turns/{turn}/events",
    tags=["answers"],
    summary="Follow an answer",
    response_class=Response,
    responses={**ABSENT, 200: {"content": _EVENTS, "description": "Its events."}},
)
async def follow(parts: Shared, turn: PathName) -> Response:
    """Return the events of an answer from the first one; of one that has ended, what became of it."""
    run = parts.runs.get(turn)  # before the turn is read: what is not on its way any more is kept whole
    stored = await run_sync(parts.records.turn, turn)
    return event_stream(told(run.follow() if run else replayed(stored)))


@router.post("/turns/{turn}/stop", tags=["answers"], summary="Stop an answer", responses=ABSENT)
async def stop(parts: Shared, turn: PathName) -> Turn:
    """End an answer early; what has come is kept."""
    if run := parts.runs.get(turn):
        run.stopped.set()
        await _end(run)
    stored = await run_sync(parts.records.turn, turn)
    if stored.state == "answering":  # an end of the program has interrupted it
        stored = await run_sync(lambda: parts.records.update(turn, state="stopped"))
    return Turn.model_validate(stored)


@router.post(
    "/turns/{turn}/retry",
    tags=["answers"],
    summary="Answer anew",
    response_model=Turn,
    responses={**BODY, **ABSENT, **_ANSWER},
)
async def retry(parts: Shared, turn: PathName, asked: RetryRequest) -> Response | Turn:
    """Give up what was answered, and answer the question anew; an answer on its way goes on instead."""
    if run := parts.runs.get(turn):
        return await _followed(parts, run, stream=asked.stream)
    run = await run_sync(lambda: parts.runs.start(parts.chat.retry(turn)))
    return await _followed(parts, run, stream=asked.stream)


@router.put("/turns/{turn}/feedback", tags=["answers"], summary="Rate an answer", responses={**BODY, **ABSENT})
def rate(parts: Shared, turn: PathName, asked: FeedbackRequest) -> Turn:
    """Keep what the person thinks of an answer; empty takes it back."""
    return Turn.model_validate(parts.records.update(turn, feedback=asked.feedback))


async def _followed(parts: Parts, run: Run, *, stream: bool) -> Response | Turn:
    """Return the events of an answer, or wait for its end and return the turn."""
    if stream:
        return event_stream(told(run.follow()))
    await _end(run)
    turn = await run_sync(parts.records.turn, run.turn)
    if turn.state not in {"done", "stopped"}:
        reason = turn.error or "failed for a reason of our own"
        failure = Failure(detail=reason, thing=f"turn {turn.id}", reason=reason, mend="Have it answered anew")
        return JSONResponse(failure.model_dump(), 502)
    return await run_sync(Turn.model_validate, turn)


async def _end(run: Run) -> None:
    async for _ in run.follow():
        pass
