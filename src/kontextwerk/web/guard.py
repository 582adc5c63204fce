"""Who may come in, and what a browser may do with what it gets.

Without a token only this machine is answered: requests under another host name are refused, so that no page elsewhere
can reach it under a name of its own (DNS rebinding). With a token, it must be shown: as a bearer token, or once on the
login page. Requests that change something must come from our own pages.
"""

import hashlib
import hmac
import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kontextwerk.context.errors import SettingsError
from kontextwerk.settings import Settings

COOKIE = "kontextwerk"
BODY_BYTES = 2_000_000
"""The largest request that is no upload."""
OPEN = frozenset({"/login", "/health"})
OPEN_FOLDER = "/static/"
"""Paths that need no token."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def check_address(settings: Settings) -> None:
    """Refuse an address that others can reach, unless a token is asked for.

    Raises:
        SettingsError: There is no token, or a short one.
    """
    if settings.token and len(settings.token) < 16:  # noqa: PLR2004
        raise SettingsError("token", "is shorter than 16 characters", "Set a longer one")
    if not is_local(settings.host) and not settings.token:
        raise SettingsError(
            f"host {settings.host}", "can be reached by others", "Set a token, or use the host 127.0.0.1"
        )


def is_local(host: str) -> bool:
    """Say whether a host's name means this machine alone."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def pass_of(token: str) -> str:
    """Return what the cookie holds for a token: not the token itself."""
    return hmac.new(token.encode(), b"kontextwerk session", hashlib.sha256).hexdigest()


class Guard:
    """The middleware: refuses who may not come in, and adds the headers.

    Args:
        app: What is guarded.
        settings: Host, token, the largest upload.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._token = settings.token
        self._host = settings.host
        self._upload_bytes = settings.upload_megabytes * settings.upload_files * 1_000_000 + BODY_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun = False

        async def send_with_headers(message: Message) -> None:
            """Send on, with the headers added."""
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refused(scope)
        try:
            await (refused or self._app)(scope, _bounded(receive, self._limit(scope["path"])), send_with_headers)
        except _TooLargeError:
            if begun:
                raise
            await _refusal(scope["path"], 413, _TOO_LARGE)(scope, receive, send_with_headers)

    def _limit(self, path: str) -> int:
        """Return the most bytes of a request's body."""
        return self._upload_bytes if "upload" in path or path.endswith("/documents") else BODY_BYTES

    def _refused(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "")
        name = _host_in(f"//{host}")
        if not self._token and not (is_local(name) or name == self._host):
            return PlainTextResponse("This address is not answered.", 421)
        if scope["method"] not in _SAFE and not _from_us(headers, host):
            return PlainTextResponse("The request comes from another page.", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limit(path):
            return _refusal(path, 413, _TOO_LARGE)
        is_open = path in OPEN or path.startswith(OPEN_FOLDER)
        if self._token and not is_open and not self._shown(headers):
            if path.startswith(("/api/", "/v1/")) or "hx-request" in headers:
                return _refusal(path, 401, "token: is missing or wrong. Send it as a bearer token")
            return RedirectResponse("/login", 303)
        return None

    def _shown(self, headers: Headers) -> bool:
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        # A header is read as Latin-1, whatever its bytes mean.
        if kind.casefold() == "bearer" and hmac.compare_digest(bearer.strip().encode("latin-1"), self._token.encode()):
            return True
        # The standard library's own reader gives up at the first odd cookie, and those of every program on this
        # machine are sent to us: browsers do not part them by port.
        shown = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return hmac.compare_digest(shown.encode(), pass_of(self._token).encode())


_TOO_LARGE = "request: is too large. Send less at once"


class _TooLargeError(HTTPException):
    """A body goes on beyond what it may have; its length was not said before, or not rightly."""


def _bounded(receive: Receive, limit: int) -> Receive:
    """Return what receives a request, and gives up where its body is longer than the limit."""
    size = 0

    async def received() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise _TooLargeError(413, _TOO_LARGE)
        return message

    return received


def _host_in(address: str) -> str:
    """Return the host in an address; empty where it is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _from_us(headers: Headers, host: str) -> bool:
    """Say whether a request that changes something comes from our pages, or from no browser."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if site:  # the browser's own word; pages cannot set it
        return site in {"same-origin", "none"}
    return origin is None or origin.casefold() in {f"http://{host}".casefold(), f"https://{host}".casefold()}


def _refusal(path: str, status: int, message: str) -> Response:
    """Return a refusal in the shape of the API that was asked."""
    if path.startswith("/v1/"):
        return JSONResponse({"error": {"message": message, "type": "invalid_request_error"}}, status)
    return JSONResponse({"detail": message}, status)
