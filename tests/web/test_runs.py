"""Answers on their way: any number of readers, from the beginning or later, and an end that comes whatever happens."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest

from chat_doubles import Finder, Speaker, hit
from kontextwerk import InputError
from kontextwerk.chat import Chat
from kontextwerk.events import Done, Event, Failed, Text
from kontextwerk.records import Records, open_records
from kontextwerk.settings import Settings
from kontextwerk.web.runs import Run, Runs

PIECES = ("Eins. ", "Zwei. ", "Drei [1].")


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    """Open empty records."""
    with open_records(replace(Settings(), data_dir=tmp_path)) as made:
        yield made


@pytest.fixture
def runs(records: Records) -> Iterator[Runs]:
    """Answers of a chat that says three sentences."""
    made = Runs(chat(records, Speaker([PIECES])))
    yield made
    made.close()


def chat(records: Records, speaker: Speaker) -> Chat:
    """Make a chat whose model is a double."""
    return Chat(records, Finder([[hit("a", "Eins. Zwei. Drei.")]]), Settings(), answerer=lambda _: speaker)


async def everything(run: Run) -> list[Event]:
    """Read all events of an answer."""
    return [event async for event in run.follow()]


def counting(gate: Flag, last: int = 6) -> Callable[[Flag], Iterator[Event]]:
    """Return what counts to three, waits at the gate, and counts on; stopped, it ends."""

    def answer(stopped: Flag) -> Iterator[Event]:
        for number in range(last):
            if number == 3:
                while not gate.wait(0.01) and not stopped.is_set():
                    pass
            if stopped.is_set():
                break
            yield Text(str(number))
        yield Done("1", "", stopped.is_set())

    return answer


def wait(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_every_reader_gets_every_event(runs: Runs) -> None:
    """Readers who come at once, later, or after the end get the same events, all from the first one."""
    gate = Flag()

    async def read() -> list[list[Event]]:
        """Read to the end."""
        run = runs.begin("1", counting(gate))
        early = [asyncio.create_task(everything(run)) for _ in range(3)]
        await asyncio.to_thread(wait, lambda: len(run.events) == 3)
        late = [asyncio.create_task(everything(run)) for _ in range(3)]
        await asyncio.sleep(0.02)
        gate.set()
        found = await asyncio.gather(*early, *late)
        return [*found, await everything(run)]

    found = asyncio.run(read())
    assert found == [[*map(Text, "012345"), Done("1", "")]] * 7


def test_readers_may_have_loops_of_their_own(runs: Runs) -> None:
    """Readers on other threads, each with a loop of its own, get the same."""
    gate = Flag()
    run = runs.begin("1", counting(gate, 500))
    with ThreadPoolExecutor(6) as pool:
        calls = [pool.submit(lambda: asyncio.run(everything(run))) for _ in range(6)]
        gate.set()
        found = [call.result() for call in calls]
    assert found == [[*(Text(str(number)) for number in range(500)), Done("1", "")]] * 6


def test_events_come_as_they_happen(runs: Runs) -> None:
    """A reader has what came before the gate while the answer still waits there."""
    gate = Flag()

    async def read() -> tuple[list[Event], bool]:
        """Read to the end."""
        run = runs.begin("1", counting(gate))
        following = run.follow()
        first = [await anext(following) for _ in range(3)]
        ended = run.ended
        gate.set()
        return [*first, *[event async for event in following]], ended

    assert asyncio.run(read()) == ([*map(Text, "012345"), Done("1", "")], False)


def test_an_answer_goes_on_without_readers(records: Records) -> None:
    """A reader who goes away, or whose loop ends, takes nothing with it: the answer is kept whole."""
    silence = Flag()
    speaker = Speaker([[*PIECES[:2], silence, PIECES[2]]])
    runs = Runs(chat(records, speaker))
    turn = records.ask(records.begin().id, "Wann?", model="double", max_tokens=100)

    async def glance() -> Run:
        """Read one event and go."""
        run = runs.start(turn)
        reading = asyncio.create_task(everything(run))
        await asyncio.sleep(0.05)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert run._readers == set()
        following = run.follow()
        await anext(following)
        return run  # with a reader that hangs in the middle

    run = asyncio.run(glance())
    silence.set()
    wait(lambda: run.ended)
    assert run.events[-1] == Done(turn.id, "".join(PIECES))
    assert records.turn(turn.id).state == "done"
    assert runs.get(turn.id) is None


def test_a_turn_that_is_being_answered_goes_on(records: Records) -> None:
    """Started again, a turn is not answered twice."""
    silence = Flag()
    speaker = Speaker([[silence, *PIECES]])
    runs = Runs(chat(records, speaker))
    turn = records.ask(records.begin().id, "Wann?", model="double", max_tokens=100)
    with ThreadPoolExecutor(8) as pool:
        started = list(pool.map(runs.start, [turn] * 8))
    assert len({id(run) for run in started}) == 1
    assert runs.get(turn.id) is started[0]
    silence.set()
    wait(lambda: started[0].ended)
    assert len(speaker.prompts) == 1


def test_an_answer_is_stopped(records: Records) -> None:
    """Stopped, the answer ends at once with what had come; stopping what is not on its way does nothing."""
    silence = Flag()
    runs = Runs(chat(records, Speaker([["Eins. ", silence, "nie"]])))
    turn = records.ask(records.begin().id, "Wann?", model="double", max_tokens=100)
    run = runs.start(turn)
    wait(lambda: any(isinstance(event, Text) for event in run.events))
    runs.stop(turn.id)
    runs.stop("nicht da")
    wait(lambda: run.ended)
    silence.set()
    assert run.events[-1] == Done(turn.id, "Eins. ", stopped=True)
    assert records.turn(turn.id).state == "stopped"


def test_closing_keeps_what_has_come(records: Records) -> None:
    """At the end of the program every answer on its way is stopped and kept."""
    silence = Flag()
    runs = Runs(chat(records, Speaker([["Eins. ", silence, "nie"]])))
    turns = [records.ask(records.begin().id, "Wann?", model="double", max_tokens=100) for _ in range(5)]
    started = [runs.start(turn) for turn in turns]
    wait(lambda: all(any(isinstance(event, Text) for event in run.events) for run in started))
    runs.close()
    silence.set()
    assert {(turn.state, turn.answer) for turn in map(records.turn, (turn.id for turn in turns))} == {
        ("stopped", "Eins. ")
    }


def test_closing_waits_a_little_only(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that do not end are waited for once, not one after the other."""
    monkeypatch.setattr("kontextwerk.web.runs.STOP_SECONDS", 0.2)
    gate = Flag()

    def deaf(_: Flag) -> Iterator[Event]:
        gate.wait(10)
        yield Done("1", "")

    for number in range(10):
        runs.begin(str(number), deaf)
    began = time.monotonic()
    runs.close()
    assert time.monotonic() - began < 1
    gate.set()


def test_closing_while_others_begin(runs: Runs) -> None:
    """Closing meets no answer that has not begun."""
    gate = Flag()
    gate.set()
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(runs.begin, str(number), counting(gate)) for number in range(100)]
        closing = [pool.submit(runs.close) for _ in range(20)]
        assert {call.result() for call in closing} == {None}
        assert len({call.result().turn for call in calls}) == 100


def test_too_many_are_refused(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of answers at once the next is refused with the mend; one that is on its way goes on."""
    monkeypatch.setattr("kontextwerk.web.runs.MOST", 2)
    gate = Flag()
    first = runs.begin("1", counting(gate))
    runs.begin("2", counting(gate))
    with pytest.raises(InputError, match=r"2 others are on their way\. Wait a little and try again"):
        runs.begin("3", counting(gate))
    assert runs.begin("1", counting(gate)) is first
    gate.set()
    wait(lambda: first.ended)
    wait(lambda: runs.get("2") is None)
    runs.begin("3", counting(gate))


def test_a_fault_ends_in_an_error(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the program is the last event, without its details, which go to the log."""
    logged: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", logged.append)

    def broken(_: Flag) -> Iterator[Event]:
        yield Text("Eins")
        raise ZeroDivisionError("details")

    run = runs.begin("1", broken)
    assert asyncio.run(everything(run)) == [
        Text("Eins"),
        Failed("1", "answer: failed for a reason of our own. Try again"),
    ]
    assert runs.get("1") is None
    wait(lambda: logged)
    assert str(logged[0].exc_value) == "details"
