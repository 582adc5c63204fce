"""A scripted server on the loopback that streams OpenAI's chat completions: a double for models behind an API."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Script:
    """What the server does, and what it was asked.

    Attributes:
        pieces: The answer, piece by piece.
        pause: Seconds before each piece.
        status: The status of the answer; anything but 200 is an error.
        message: The text of that error.
        breaks_off: Whether the connection closes after the pieces, without an end.
        requests: The bodies that came in.
        sent: When each piece was sent, in seconds.
    """

    pieces: Sequence[str] = ()
    pause: float = 0.0
    status: int = 200
    message: str = "no"
    breaks_off: bool = False
    requests: list[dict[str, Any]] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)


@contextmanager
def openai_server(script: Script) -> Iterator[str]:
    """Serve the script; gives the base address."""

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        def do_POST(self) -> None:
            """Answer as scripted."""
            script.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(script.status)
            if script.status != 200:
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps({"error": {"message": script.message}}).encode())
                return
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            try:
                self._stream()
            except OSError:  # the client has gone away
                self.close_connection = True

        def _stream(self) -> None:
            for piece in script.pieces:
                time.sleep(script.pause)
                self._event({"content": piece})
                script.sent.append(time.monotonic())
            if not script.breaks_off:
                self._event({}, finish="stop")
                self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, delta: dict[str, str], finish: str | None = None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            event = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
