"""An application for tests: an instant embedder, two documents, in the process or on a port of the loopback."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from kontextwerk.settings import Settings
from kontextwerk.web.app import Parts, make_app

LEITFADEN = (
    "# Leitfaden\n\nDie Auftragsklärung erfolgt im Erstgespräch. Sie dauert 60 Minuten.\n\n"
    "## Absagen\n\nTermine können bis 48 Stunden vorher abgesagt werden.\n"
)
TEAM = "# Team\n\nEin Team hat fünf bis neun Personen.\n"
QUESTION = "Wann erfolgt die Auftragsklärung?"


def settings_in(folder: Path, **changes: Any) -> Settings:  # noqa: ANN401  by setting
    """Return settings of a test: everything in its folder, no model."""
    return replace(Settings(), data_dir=folder / "data", embedder="hashing", model="extract", **changes)


def filled_app(settings: Settings) -> tuple[FastAPI, Parts]:
    """Make the application with two documents in its index."""
    app = make_app(settings)
    parts: Parts = app.state.parts
    folder = settings.data_dir / "library"
    folder.mkdir(parents=True)
    for name, text in (("Leitfaden.md", LEITFADEN), ("Team.md", TEAM)):
        (folder / name).write_text(text, encoding="utf-8")
        parts.library.add(folder / name, name)
    return app, parts


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Serve an application by a real server on a thread; gives its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def events_of(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Read server-sent events: the kind and the data of each."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
