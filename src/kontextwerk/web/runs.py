"""Answers on their way: each on a thread of its own, watched by any number of readers, from the beginning or later.

An answer goes on when its readers go away: a page that is loaded again finds it. It leaves out what happens in an
answer: see `kontextwerk.chat`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic

from kontextwerk.chat import FAULT, Chat
from kontextwerk.context.errors import InputError
from kontextwerk.events import Event, Failed
from kontextwerk.records import StoredTurn

MOST = 200
"""The most answers on their way at once: each takes threads and a request to the model."""
STOP_SECONDS = 5
"""How long the end of the program waits for answers to be kept."""


class Run:
    """One answer on its way.

    Args:
        turn: The identifier of its turn.
    """

    def __init__(self, turn: str) -> None:
        self.turn = turn
        self.stopped = Flag()
        self.ended = False
        self.events: list[Event] = []
        self._lock = Lock()
        self._readers: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def put(self, event: Event | None) -> None:
        """Tell the readers what happened; None for the end."""
        with self._lock:
            if event is None:
                self.ended = True
            else:
                self.events.append(event)
            for loop, wake in self._readers:
                with suppress(RuntimeError):  # that reader's loop has ended
                    loop.call_soon_threadsafe(wake.set)

    async def follow(self) -> AsyncIterator[Event]:
        """Yield every event from the first one, as they come, to the end."""
        reader = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._readers.add(reader)
        try:
            position = 0
            while True:
                reader[1].clear()
                ended = self.ended
                while position < len(self.events):
                    yield self.events[position]
                    position += 1
                if ended:
                    return
                await reader[1].wait()
        finally:
            with self._lock:
                self._readers.discard(reader)


class Runs:
    """The answers on their way.

    Args:
        chat: Who answers.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._lock = Lock()
        self._runs: dict[str, tuple[Run, Thread]] = {}

    def start(self, turn: StoredTurn) -> Run:
        """Begin to answer a turn; one that is being answered already goes on.

        Raises:
            InputError: Too many are on their way; the turn has failed.
        """
        try:
            return self.begin(turn.id, lambda stopped: self._chat.answer(turn, stopped))
        except InputError as error:
            self._chat.fail(turn.id, str(error))
            raise

    def begin(self, name: str, answer: Callable[[Flag], Iterator[Event]]) -> Run:
        """Begin what answers under a name; what is on its way under it already goes on.

        Args:
            name: The identifier of a turn, or any other.
            answer: From what is set when it is to end early to what happens.

        Raises:
            InputError: Too many are on their way.
        """
        with self._lock:
            if name in self._runs:
                return self._runs[name][0]
            if len(self._runs) >= MOST:
                raise InputError("answer", f"{MOST} others are on their way", "Wait a little and try again")
            run = Run(name)
            thread = Thread(target=self._answer, args=(run, answer), daemon=True, name=f"answer-{name}")
            thread.start()  # before anybody can wait for it
            self._runs[name] = run, thread
        return run

    def get(self, turn: str) -> Run | None:
        """Return the answer on its way for a turn; None where there is none."""
        found = self._runs.get(turn)
        return found[0] if found else None

    def stop(self, turn: str) -> None:
        """End an answer early; what has come is kept."""
        if run := self.get(turn):
            run.stopped.set()

    def close(self) -> None:
        """End all, and wait a little until they are kept."""
        with self._lock:
            running = list(self._runs.values())
        for run, _ in running:
            run.stopped.set()
        end = monotonic() + STOP_SECONDS
        for _, thread in running:
            thread.join(max(0.0, end - monotonic()))

    def _answer(self, run: Run, answer: Callable[[Flag], Iterator[Event]]) -> None:
        try:
            for event in answer(run.stopped):
                run.put(event)
        except Exception:  # a fault of ours: the person gets a message, the log the rest
            run.put(Failed(run.turn, FAULT))
            raise
        finally:
            with self._lock:
                self._runs.pop(run.turn, None)
            run.put(None)
