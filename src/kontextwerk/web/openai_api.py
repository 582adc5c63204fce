"""OpenAI's API at `/v1`: whatever speaks to OpenAI gets answers from the documents, with sources.

Nothing is stored: the asker sends the conversation each time. The last message of the user is the question, those
before it are the history. System messages are passed over: the program's own rules hold, so that whatever an asker
wishes, an answer keeps to the sources. Citations come as annotations, and the sources as a field of their own.
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import asdict, replace
from typing import Any
from uuid import uuid4

from anyio.to_thread import run_sync
from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from kontextwerk.chat import QUESTION_CHARS
from kontextwerk.context.errors import InputError
from kontextwerk.context.window import Turn
from kontextwerk.events import Cited, Event, Failed, Text
from kontextwerk.records import AbsentError
from kontextwerk.stateless import Inquiry, Once
from kontextwerk.web.api_documents import Shared
from kontextwerk.web.app import Parts
from kontextwerk.web.failures import ErrorRoute, error_response, openai_error
from kontextwerk.web.openai_schemas import (
    Annotation,
    Answer,
    ChatMessage,
    ChatRequest,
    Choice,
    Completion,
    Model,
    Models,
    OpenAIFailure,
    UrlCitation,
    Usage,
)
from kontextwerk.web.runs import Run
from kontextwerk.web.streams import event_stream, sse, streamed

USUAL = "kontextwerk"
"""What the usual model is called, whatever it is."""
router = APIRouter(
    prefix="/v1",
    tags=["openai"],
    route_class=ErrorRoute,
    responses={
        400: {"model": OpenAIFailure, "description": "The request cannot be meant."},
        401: {"model": OpenAIFailure, "description": "A token is asked for, and none or another was shown."},
    },
)


@router.get("/models", summary="List the models")
async def models(parts: Shared) -> Models:
    """Return the models that may be asked; `kontextwerk` is the usual one."""
    return Models(data=[Model(id=name) for name in (USUAL, *parts.models)])


@router.post(
    "/chat/completions",
    summary="Answer a conversation",
    response_model=Completion,
    responses={
        200: {"content": streamed(), "description": "The answer."},
        404: {"model": OpenAIFailure, "description": "There is no such model."},
        409: {"model": OpenAIFailure, "description": "The index is in use elsewhere, damaged or out of reach."},
        422: {"model": OpenAIFailure, "description": "Never: what cannot be meant is answered with 400."},
        502: {"model": OpenAIFailure, "description": "The model failed."},
    },
)
async def complete(parts: Shared, asked: ChatRequest) -> Response | Completion:
    """Answer the last question of a conversation from the documents, whole or streamed."""
    path = "/v1/chat/completions"
    once = await run_sync(_once, parts, asked)
    run = parts.runs.begin(once.name, once.events)
    if not asked.stream:
        async for _ in run.follow():
            pass
        return _failure(path, run, once) or _completion(once, asked.model)
    events = run.follow()
    first = await anext(events, None)  # the sources; what fails before them is told by the status
    if first is None or isinstance(first, Failed):
        return _failure(path, run, once) or Response(status_code=500)
    return event_stream(_stream(run, events, once, asked))


def _once(parts: Parts, asked: ChatRequest) -> Once:
    """Return the answer that a request asks for, not yet begun."""
    if asked.model not in (USUAL, *parts.models):
        raise AbsentError(f"model {asked.model}", "is not offered", f"Use one of: {', '.join((USUAL, *parts.models))}")
    settings = parts.settings if asked.model == USUAL else replace(parts.settings, model=asked.model)
    question, turns = conversation(asked.messages)
    inquiry = Inquiry(
        question,
        turns,
        asked.language or settings.language,
        tuple(asked.documents or ()),
        asked.max_completion_tokens or asked.max_tokens,
    )
    return Once(f"chatcmpl-{uuid4().hex}", inquiry, parts.chat.answerer(settings), parts.chat.search, settings)


def conversation(messages: list[ChatMessage]) -> tuple[str, tuple[Turn, ...]]:
    """Return the question and the turns before it; what the user said twice in a row is one question.

    Raises:
        InputError: No question, a very long one, or one that holds more than text.
    """
    turns: list[Turn] = []
    asked: list[str] = []
    last = max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)
    for message in messages[:last]:
        if message.role == "user":
            asked.append(_text(message))
        elif message.role == "assistant" and asked and (answer := _text(message)).strip():
            turns.append(Turn("\n\n".join(asked), answer))
            asked = []
    question = _text(messages[last]).strip() if last >= 0 else ""
    if not question:
        raise InputError("messages", "hold no question", "End them with a message of the user")
    if len(question) > QUESTION_CHARS:
        raise InputError("question", f"has {len(question)} characters", f"Ask in {QUESTION_CHARS} at most")
    return question, tuple(turns)


def _text(message: ChatMessage) -> str:
    """Return a message's text; images and sounds are refused."""
    if message.content is None or isinstance(message.content, str):
        return message.content or ""
    for part in message.content:
        if part.type != "text":
            raise InputError(f"content of type {part.type}", "is not answered", "Send text")
    return "\n".join(part.text for part in message.content)


async def _stream(run: Run, events: AsyncIterator[Event], once: Once, asked: ChatRequest) -> AsyncGenerator[str]:
    """Yield the answer as chunks; when the reader goes away, it ends."""
    try:
        yield _chunk(once, asked.model, {"role": "assistant", "content": ""})
        async for event in events:
            if isinstance(event, Failed):
                yield sse(openai_error(502, event.message))
                break
            if isinstance(event, Text | Cited):
                yield _chunk(once, asked.model, {"content": event.text})
        else:
            sources = [asdict(source) for source in once.context.sources] if once.context else []
            found = [one.model_dump() for one in _annotations(once)]
            yield _chunk(once, asked.model, {"annotations": found, "sources": sources}, finish="stop")
            if asked.stream_options and asked.stream_options.include_usage:
                yield _chunk(once, asked.model, usage=_usage(once))
        yield "data: [DONE]\n\n"
    finally:
        run.stopped.set()


def _chunk(
    once: Once,
    model: str,
    delta: dict[str, Any] | None = None,
    *,
    finish: str | None = None,
    usage: Usage | None = None,
) -> str:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    chunk = {"id": once.name, "object": "chat.completion.chunk", "created": int(time.time()), "model": model}
    return sse({**chunk, "choices": choices, **({"usage": usage.model_dump()} if usage else {})})


def _completion(once: Once, model: str) -> Completion:
    sources = list(once.context.sources) if once.context else []
    message = Answer(content=once.answer, annotations=_annotations(once), sources=sources)
    return Completion(
        id=once.name, created=int(time.time()), model=model, choices=[Choice(message=message)], usage=_usage(once)
    )


def _annotations(once: Once) -> list[Annotation]:
    """Return one annotation for each source that a citation names."""
    known = {source.number: source for source in once.context.sources} if once.context else {}
    named = [(cited.span, known[number]) for cited in once.cited for number in cited.numbers if number in known]
    return [
        Annotation(
            url_citation=UrlCitation(
                url=source.link or f"/documents/{source.document_id}",
                title=source.title,
                start_index=start,
                end_index=end,
            )
        )
        for (start, end), source in named
    ]


def _usage(once: Once) -> Usage:
    prompt, answer = once.usage
    return Usage(prompt_tokens=prompt, completion_tokens=answer, total_tokens=prompt + answer)


def _failure(path: str, run: Run, once: Once) -> Response | None:
    """Return what tells of a failure; None where there was none."""
    if once.error:
        return error_response(path, once.error)
    failed = next((event for event in run.events if isinstance(event, Failed)), None)
    return None if failed is None else JSONResponse(openai_error(500, failed.message), 500)
