"""A scripted server on the loopback: a double for models behind an API.

It streams OpenAI's chat completions, and Anthropic's messages.
"""

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


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    script: Script

    def do_POST(self) -> None:
        """Answer as scripted."""
        self.script.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.script.status)
        if self.script.status != 200:
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps({"error": {"message": self.script.message}}).encode())
            return
        self.send_header("Content-Type", "text/event-stream")
        if self.script.breaks_off:  # more is promised than comes
            self.send_header("Content-Length", "1000000")
        self.end_headers()
        try:
            self._messages() if self.path.endswith("/messages") else self._completions()
        except OSError:  # the client has gone away
            self.close_connection = True

    def _completions(self) -> None:
        for piece in self._pieces():
            self._chunk({"content": piece})
        if not self.script.breaks_off:
            self._chunk({}, finish="stop")
            self.wfile.write(b"data: [DONE]\n\n")

    def _chunk(self, delta: dict[str, str], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self._event({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})

    def _messages(self) -> None:
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
        self._event({"type": "message_start", "message": message})
        self._event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
        for piece in self._pieces():
            delta = {"type": "text_delta", "text": piece}
            self._event({"type": "content_block_delta", "index": 0, "delta": delta})
        self._event({"type": "content_block_stop", "index": 0})
        self._event({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage})
        self._event({"type": "message_stop"})

    def _pieces(self) -> Iterator[str]:
        for piece in self.script.pieces:
            time.sleep(self.script.pause)
            yield piece
            self.script.sent.append(time.monotonic())

    def _event(self, event: dict[str, Any]) -> None:
        named = f"event: {event['type']}\n" if "type" in event else ""
        self.wfile.write(f"{named}data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def openai_server(script: Script) -> Iterator[str]:
    """Serve the script; gives the base address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"script": script}))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
