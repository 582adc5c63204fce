"""Events on their way to a browser or a program: server-sent events, with a sign of life in silence.

It leaves out what happens in an answer: see `kontextwerk.events`.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from fastapi.responses import StreamingResponse

from kontextwerk.answering import cited_or_text
from kontextwerk.context.citations import parts
from kontextwerk.context.telling import from_dict
from kontextwerk.events import Checked, Done, Event, Failed, Sources
from kontextwerk.records import StoredTurn

_LINE_END = re.compile(r"\r\n|\r|\n")
PING = ": ping\n\n"
PING_SECONDS = 15.0
"""After so long a silence a comment is sent, so that nothing in between takes the connection for dead."""


def streamed(*kinds: str) -> dict[str, Any]:
    """Return what the OpenAPI document says of a stream of events of these kinds; of none where they have no kind."""
    data = {"type": "string", "contentMediaType": "application/json"}
    kind = {"event": {"type": "string", "enum": list(kinds)}} if kinds else {}
    item = {"type": "object", "properties": {**kind, "data": data}, "required": [*kind, "data"]}
    return {"text/event-stream": {"itemSchema": item}}


def event(text: str, kind: str = "") -> str:
    r"""Return a text as one server-sent event; lines end as that format knows it, and nowhere else.

    >>> event("a\nb", "answer")
    'event: answer\ndata: a\ndata: b\n\n'
    """
    lines = "".join(f"data: {line}\n" for line in _LINE_END.split(text))
    return (f"event: {kind}\n" if kind else "") + f"{lines}\n"


def sse(data: Any, kind: str = "") -> str:  # noqa: ANN401  whatever JSON takes
    r"""Return data as one server-sent event, in JSON.

    >>> sse({"text": "a\nb"}, "text")
    'event: text\ndata: {"text": "a\\nb"}\n\n'
    """
    return event(json.dumps(data), kind)


def event_stream(pieces: AsyncGenerator[str]) -> StreamingResponse:
    """Return the answer that streams events, with signs of life."""
    return StreamingResponse(with_pings(pieces), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def told(events: AsyncIterator[Event]) -> AsyncGenerator[str]:
    """Yield each event of an answer as a server-sent event of its kind."""
    async for one in events:
        yield sse(one.to_dict(), one.kind)


async def with_pings(pieces: AsyncGenerator[str], seconds: float | None = None) -> AsyncGenerator[str]:
    """Yield the pieces as they come, and a comment after each silence of so many seconds."""
    arrived: asyncio.Queue[tuple[str] | Exception | None] = asyncio.Queue()

    async def read() -> None:
        """Take the pieces in."""
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    arrived.put_nowait((piece,))
            arrived.put_nowait(None)
        except Exception as error:  # noqa: BLE001  raised where the pieces are read
            arrived.put_nowait(error)

    reading = asyncio.create_task(read())
    try:
        while True:
            try:
                item = await asyncio.wait_for(arrived.get(), seconds or PING_SECONDS)
            except TimeoutError:
                yield PING
                continue
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item[0]
    finally:
        reading.cancel()


def outcome(turn: StoredTurn) -> Iterator[Event]:
    """Yield what became of a turn that nobody answers any more, as the events of its answer."""
    context = turn.read_context()
    if context:
        yield Sources(turn.query, context)
    known = {source.number for source in (*context.sources, *context.earlier)} if context else set()
    for part in parts(turn.answer):
        yield cited_or_text(part, known)
    yield from (Checked(from_dict(check)) for check in turn.checks or ())
    if turn.state in {"done", "stopped"}:
        yield Done(turn.id, turn.answer, turn.state == "stopped")
    else:
        yield Failed(turn.id, turn.error or "answer: was interrupted. Have it answered again")


async def replayed(turn: StoredTurn) -> AsyncIterator[Event]:
    """Yield the same to whoever awaits events."""
    for one in outcome(turn):
        yield one
