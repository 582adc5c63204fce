"""The pages of conversations: asking, watching the answer, looking closer, taking it along.

Every action is a form, so that reading and asking work without a script; with one, answers stream and pages stay. It
leaves out documents (see `document_pages`) and how an answer is rendered (see `turns`).
"""

import asyncio
import hmac
from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from kontextwerk.context import explaining
from kontextwerk.context.bar import segments
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError, KontextwerkError
from kontextwerk.context.model import Language
from kontextwerk.events import Cited, Done, Failed, Sources, Text
from kontextwerk.records import Conversation
from kontextwerk.web.answers import render
from kontextwerk.web.app import parts_of
from kontextwerk.web.failures import error_response
from kontextwerk.web.guard import COOKIE, pass_of
from kontextwerk.web.runs import Run
from kontextwerk.web.streams import event, event_stream
from kontextwerk.web.turns import exported, shown, sources_of
from kontextwerk.web.views import THEMES, back, error_page, fragment, language_of, page
from kontextwerk.web.words import WORDS

router = APIRouter(include_in_schema=False)
BUDGETS = (1000, 2000, 3000, 6000)
"""The budgets of the context that may be chosen, in tokens."""
FRAME_SECONDS = 0.1
"""How often a growing answer is shown anew, at the most."""
YEAR = 365 * 24 * 3600


async def failed(request: Request, error: Exception) -> Response:
    """Answer with what went wrong, in the shape that was asked for."""
    if not isinstance(error, KontextwerkError):
        raise error
    if request.url.path.startswith(("/api/", "/v1/")):
        return error_response(request.url.path, error)
    return await run_in_threadpool(error_page, request, error)


@router.get("/")
def start(request: Request) -> HTMLResponse:
    """Show the place to ask a first question."""
    return page(request, "conversation.html", **_frame(request, None), turns=(), running=False)


@router.get("/c/{name}")
def conversation(request: Request, name: str) -> HTMLResponse:
    """Show a conversation."""
    parts = parts_of(request)
    found = parts.records.conversation(name)
    turns = [shown(turn, parts, language_of(request)) for turn in parts.records.turns(name)]
    running = any(turn.running for turn in turns)
    return page(request, "conversation.html", **_frame(request, found), turns=turns, running=running)


@router.post("/ask")
def ask(  # noqa: PLR0913, PLR0917  a form has an argument for each field
    request: Request,
    question: Annotated[str, Form()] = "",
    conversation: Annotated[str, Form()] = "",
    model: Annotated[str, Form()] = "",
    max_tokens: Annotated[int, Form()] = 0,
    documents: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Keep a question and begin to answer it."""
    parts = parts_of(request)
    asked = parts.chat.accepted(question, max_tokens=max_tokens or None)  # before a conversation is begun for it
    chosen, documents = parts.offered(model) if model else None, documents or []
    if conversation:
        name = parts.records.change(conversation, documents=documents).id
    else:
        name = parts.records.begin(language=language_of(request), documents=documents).id
    turn = parts.chat.ask(name, asked, model=chosen, max_tokens=max_tokens or None)
    parts.runs.start(turn)
    if conversation and "hx-request" in request.headers:
        return HTMLResponse(fragment(request, "_turn.html", turn=shown(turn, parts, language_of(request))))
    return back(request, f"/c/{name}#t-{turn.id}")


@router.get("/turns/{name}/stream")
async def stream(request: Request, name: str) -> StreamingResponse:
    """Send a growing answer as HTML, then the whole turn."""
    return event_stream(_frames(request, name, parts_of(request).runs.get(name)))


@router.post("/turns/{name}/stop")
def stop(request: Request, name: str) -> Response:
    """End an answer early."""
    parts = parts_of(request)
    parts.runs.stop(name)
    if "hx-request" in request.headers:
        return Response(status_code=204)
    return back(request, f"/c/{parts.records.turn(name).conversation}")


@router.post("/turns/{name}/retry")
def retry(request: Request, name: str) -> Response:
    """Answer a question once more."""
    parts = parts_of(request)
    if parts.runs.get(name) is None:
        parts.runs.start(parts.chat.retry(name))
    made = parts.records.turn(name)
    if "hx-request" in request.headers:
        return HTMLResponse(fragment(request, "_turn.html", turn=shown(made, parts, language_of(request))))
    return back(request, f"/c/{made.conversation}#t-{name}")


@router.post("/turns/{name}/feedback")
def feedback(request: Request, name: str, feedback: Annotated[str, Form()] = "") -> Response:
    """Keep what a person thinks of an answer; the same once more takes it back."""
    parts = parts_of(request)
    if feedback not in {"up", "down"}:
        raise InputError("feedback", f"{feedback!r} is none", "Send up or down")
    before = parts.records.turn(name)
    after = parts.records.update(name, feedback="" if before.feedback == feedback else feedback)
    if "hx-request" in request.headers:
        return HTMLResponse(fragment(request, "_feedback.html", turn=shown(after, parts, language_of(request))))
    return back(request, f"/c/{after.conversation}#t-{name}")


@router.get("/turns/{name}/context")
def context(request: Request, name: str) -> HTMLResponse:
    """Show what the model read, what it cost, and what was left out and why."""
    parts = parts_of(request)
    found = parts.records.turn(name)
    made = found.read_context()
    if made is None:
        raise InputError("context", "there is none of this answer", "Ask again")
    groups = explaining.left_out(made.decisions, language_of(request))
    bar, left = [], 0.0
    for source, tokens in segments(made.sources, made.tokens, made.max_tokens):
        width = 100 * tokens / max(made.max_tokens, 1)
        bar.append((source, tokens, left, width))
        left += width
    values: dict[str, Any] = {"turn": found, "context": made, "bar": bar, "groups": groups}
    frame = _frame(request, parts.records.conversation(found.conversation))
    return page(request, "context.html", **frame, **values)


@router.get("/c/{name}/export.md")
def export(request: Request, name: str) -> Response:
    """Return a conversation as Markdown, with its sources."""
    parts = parts_of(request)
    found, language = parts.records.conversation(name), language_of(request)
    text = exported(found, [shown(turn, parts, language) for turn in parts.records.turns(name)], language)
    headers = {"Content-Disposition": f'attachment; filename="kontextwerk-{found.created:%Y-%m-%d}.md"'}
    return PlainTextResponse(text, headers=headers, media_type="text/markdown; charset=utf-8")


@router.post("/c/{name}/delete")
def delete(request: Request, name: str) -> Response:
    """Delete a conversation."""
    parts = parts_of(request)
    for turn in parts.records.turns(name):
        parts.runs.stop(turn.id)
    parts.records.delete(name)
    return back(request, "/")


@router.post("/preferences")
def preferences(
    request: Request,
    language: Annotated[str, Form()] = "",
    theme: Annotated[str, Form()] = "",
    to: Annotated[str, Form()] = "/",
) -> Response:
    """Keep a person's language and appearance in a cookie."""
    target = to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/"
    response = back(request, target)
    for name, value, known in (("language", language, WORDS.keys()), ("theme", theme, THEMES)):
        if value in known:
            response.set_cookie(name, value, max_age=YEAR, httponly=True, samesite="strict")
    return response


@router.get("/login")
def login(request: Request) -> HTMLResponse:
    """Ask for the token."""
    return page(request, "login.html", wrong=False, conversations=(), current=None)


@router.post("/login")
def log_in(request: Request, token: Annotated[str, Form()] = "") -> Response:
    """Take the token, and let in who has it."""
    expected = parts_of(request).settings.token
    if not expected or not hmac.compare_digest(token.strip().encode(), expected.encode()):
        return page(request, "login.html", 403, wrong=True, conversations=(), current=None)
    response = back(request, "/")
    response.set_cookie(COOKIE, pass_of(expected), max_age=YEAR // 12, httponly=True, samesite="strict")
    return response


def _frame(request: Request, current: Conversation | None) -> dict[str, Any]:
    """Return what the sidebar and the place to ask need."""
    parts = parts_of(request)
    notice = ""
    try:
        documents = parts.library.documents()
    except KontextwerkError as error:  # the page can still be read
        documents, notice = [], str(error)
    return {
        "conversations": parts.records.conversations(),
        "current": current,
        "documents": [state for state in documents if state.chunks],
        "chosen": set(current.documents) if current else set(),
        "models": parts.models,
        "budgets": sorted({*BUDGETS, parts.settings.chat_tokens}),
        "budget": parts.settings.chat_tokens,
        "notice": notice,
    }


async def _frames(request: Request, name: str, run: Run | None) -> AsyncGenerator[str]:
    """Yield the growing answer, throttled, and at the end the turn with its checks."""
    parts, language = parts_of(request), language_of(request)
    if run is not None:
        growing = _Growing(name, language)
        follower = asyncio.create_task(growing.follow(run))
        try:
            last = ""
            while not follower.done():
                await asyncio.wait({follower}, timeout=FRAME_SECONDS)
                if (state := growing.state()) != last:
                    last = state
                    yield event(growing.status(), "status")
                    yield event(await run_in_threadpool(growing.html), "answer")
            follower.result()
        finally:
            follower.cancel()

    def whole() -> str:
        """Return the turn as it is kept."""
        return fragment(request, "_turn.html", turn=shown(parts.records.turn(name), parts, language))

    yield event(await run_in_threadpool(whole), "turn")


class _Growing:
    """An answer as far as it has come."""

    def __init__(self, turn: str, language: Language) -> None:
        self._turn, self._language = turn, language
        self._answer = ""
        self._context: Context | None = None

    async def follow(self, run: Run) -> None:
        """Read the answer's events to the end."""
        async for told in run.follow():
            match told:
                case Sources(context=context):
                    self._context = context
                case Text(text=text) | Cited(text=text):
                    self._answer += text
                case Done() | Failed():
                    return
                case _:
                    pass

    def state(self) -> str:
        """Return what changes when there is something new to show."""
        return f"{self._context is not None}{len(self._answer)}"

    def status(self) -> str:
        """Return what is going on."""
        words = WORDS[self._language]
        if self._answer:
            return words["answering"]
        return words["reading"].format(len(self._context.sources)) if self._context else words["searching"]

    def html(self) -> str:
        """Return the answer so far."""
        sources = sources_of(self._context) if self._context else {}
        return str(render(self._answer, self._turn, sources, (), self._language).html)
