"""Who may come in: by which host, from which page, with which token, and with how much."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from kontextwerk import SettingsError
from kontextwerk.settings import Settings
from kontextwerk.web.guard import BODY_BYTES, COOKIE, HEADERS, Guard, check_address, is_local, pass_of

TOKEN = "ein-langes-token-mit-ä"  # noqa: S105  a test's own
ASCII_TOKEN = "ein-langes-token-123"  # noqa: S105


async def echo(request: Request) -> PlainTextResponse:
    """Answer with the size of what was sent."""
    size = 0
    async for piece in request.stream():
        size += len(piece)
    return PlainTextResponse(f"{size} bytes", headers={"Referrer-Policy": "origin"} if size == 1 else {})


def client(token: str = "", host: str = "127.0.0.1", address: str = "http://127.0.0.1:8765") -> TestClient:
    """Return a browser before a small application behind the guard."""
    settings = replace(Settings(), token=token, host=host, upload_megabytes=3, upload_files=2)
    app = Starlette(routes=[Route("/{path:path}", echo, methods=["GET", "POST", "DELETE"])])
    return TestClient(Guard(app, settings), base_url=address, follow_redirects=False)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST", "[::1]:8765", "127.8.8.8"])
def test_this_machine_is_answered(host: str) -> None:
    """By every name of this machine, with a port or without."""
    assert client().get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
        "[::1",
        "0.0.0.0",  # noqa: S104
        "10.0.0.1",
    ],
)
def test_another_host_name_is_not_answered(host: str) -> None:
    """A page elsewhere that points a name of its own at this machine gets nothing, with whatever it sends."""
    response = client().get("/", headers={"host": host})
    assert (response.status_code, response.text) == (421, "This address is not answered.")


def test_the_host_that_is_set_is_answered() -> None:
    """A name of this machine that the settings give is a name of ours."""
    assert client(host="::1").get("/", headers={"host": "[::1]:80"}).status_code == 200


def test_with_a_token_every_host_name_is_answered() -> None:
    """Where a token must be shown, the name does not matter."""
    response = client(ASCII_TOKEN).get("/", headers={"host": "rag.example", "authorization": f"Bearer {ASCII_TOKEN}"})
    assert response.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "http://127.0.0.1:8765"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_changes_from_another_page_are_refused(method: str, headers: dict[str, str]) -> None:
    """What a page elsewhere sends changes nothing; reading is the browser's own concern."""
    assert client().request(method, "/x", headers=headers).status_code == 403
    assert client().get("/x", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://127.0.0.1:8765"},
        {"origin": "HTTP://127.0.0.1:8765", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
    ],
)
def test_changes_from_our_pages_are_taken(headers: dict[str, str]) -> None:
    """Our own pages, and programs that are no browser, may change things."""
    assert client().post("/x", headers=headers).status_code == 200


def test_a_token_is_asked_for() -> None:
    """Without it, a page leads to the login, and an API says what is missing in its own shape."""
    browser = client(ASCII_TOKEN)
    page = browser.get("/conversations/1")
    assert (page.status_code, page.headers["location"]) == (303, "/login")
    assert browser.get("/api/v1/search").json() == {"detail": "token: is missing or wrong. Send it as a bearer token"}
    assert browser.get("/v1/models").json()["error"]["type"] == "invalid_request_error"
    statuses = [browser.get(path).status_code for path in ("/api/v1/search", "/v1/models")]
    assert statuses == [401, 401]
    assert browser.get("/", headers={"hx-request": "true"}).status_code == 401


@pytest.mark.parametrize("path", ["/login", "/health", "/static/style.css"])
def test_some_paths_need_no_token(path: str) -> None:
    """The login, its style and the sign of life are open."""
    assert client(ASCII_TOKEN).get(path).status_code == 200


@pytest.mark.parametrize("path", ["/loginx", "/login/x", "/healthy", "/staticx", "//login", "/x/static/"])
def test_similar_paths_need_one(path: str) -> None:
    """A path that only begins like an open one is not open."""
    assert client(ASCII_TOKEN).get(path).status_code == 303


@pytest.mark.parametrize(
    "value",
    [
        f"Bearer {ASCII_TOKEN}x",
        f"Bearer {ASCII_TOKEN[:-1]}",
        "Bearer ",
        "Bearer",
        ASCII_TOKEN,
        f"Basic {ASCII_TOKEN}",
        f"Bearer {pass_of(ASCII_TOKEN)}",
    ],
)
def test_a_wrong_token_is_refused(value: str) -> None:
    """Only the very token counts, and only as a bearer token; the cookie's value is none."""
    assert client(ASCII_TOKEN).get("/api/v1/x", headers={"authorization": value}).status_code == 401


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "BEARER"])
def test_the_token_lets_in(kind: str) -> None:
    """A bearer token lets in, however the word is written."""
    response = client(ASCII_TOKEN).get("/api/v1/x", headers={"authorization": f"{kind} {ASCII_TOKEN}"})
    assert response.status_code == 200


def test_a_token_may_hold_any_letter() -> None:
    """A token with an umlaut is shown as UTF-8."""
    headers = {b"authorization": f"Bearer {TOKEN}".encode()}
    assert client(TOKEN).get("/api/v1/x", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "before",
    ["", "a=b; ", 'state={"x":[1,2]}; ', "a[b]=1; ", "ohne; ", "=; "],
)
def test_the_cookie_lets_in(before: str) -> None:
    """The cookie of the login lets in, whatever other programs on this machine have set beside it."""
    headers = {"cookie": f"{before}{COOKIE}={pass_of(ASCII_TOKEN)}"}
    assert client(ASCII_TOKEN).get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("value", [ASCII_TOKEN, "", "x", pass_of(ASCII_TOKEN + "x"), pass_of("")])
def test_another_cookie_does_not(value: str) -> None:
    """Neither the token itself nor the pass of another one is the cookie's value."""
    assert client(ASCII_TOKEN).get("/", headers={"cookie": f"{COOKIE}={value}"}).status_code == 303


@pytest.mark.parametrize(("token", "path"), [("", "/"), (ASCII_TOKEN, "/"), (ASCII_TOKEN, "/api/v1/x"), ("", "/x")])
def test_every_answer_has_the_headers(token: str, path: str) -> None:
    """Answers and refusals tell the browser what it may do with them."""
    for host in ("127.0.0.1:8765", "evil.example"):
        response = client(token).get(path, headers={"host": host})
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        assert response.headers["cache-control"] == "no-store"


def test_an_answer_may_have_its_own_header() -> None:
    """A header that the application sets itself stays, once."""
    response = client().post("/x", content=b"1")
    assert response.headers.get_list("referrer-policy") == ["origin"]


UPLOAD_BYTES = 6_000_000 + BODY_BYTES


def pieces(size: int) -> Iterator[bytes]:
    """Yield so many bytes in pieces: such a body is sent without its length."""
    while size > 0:
        yield b"x" * min(size, 500_000)
        size -= 500_000


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/api/v1/search", BODY_BYTES, 200),
        ("/api/v1/search", BODY_BYTES + 1, 413),
        ("/documents", BODY_BYTES + 1, 200),
        ("/api/v1/documents", UPLOAD_BYTES, 200),
        ("/api/v1/documents", UPLOAD_BYTES + 1, 413),
        ("/v1/chat/completions", BODY_BYTES + 1, 413),
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_a_body_has_a_largest_size(path: str, size: int, status: int, *, told: bool) -> None:
    """A body that is too large is refused, whether its length was told before or shows while it comes."""
    response = client().post(path, content=b"x" * size if told else pieces(size))
    assert response.status_code == status
    if status == 413:
        assert "request: is too large" in response.text
        assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("length", ["-1", "abc", "²", "1e3", "9" * 30, ""])
def test_a_length_that_is_none_is_refused(length: str) -> None:
    """A length that cannot be meant is refused."""
    response = client().post("/x", headers={b"content-length": length.encode("latin-1")}, content=b"")
    assert response.status_code == 413


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.1.2.3"])
def test_this_machine_needs_no_token(host: str) -> None:
    """An address of this machine alone is served without one."""
    assert is_local(host)
    check_address(replace(Settings(), host=host))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "rag.example", "", "localhost.example"])  # noqa: S104
def test_an_address_for_others_needs_a_token(host: str) -> None:
    """An address that others can reach is refused without a token, and served with one."""
    with pytest.raises(SettingsError, match=r"can be reached by others\. Set a token"):
        check_address(replace(Settings(), host=host))
    check_address(replace(Settings(), host=host, token=ASCII_TOKEN))


def test_a_short_token_is_refused() -> None:
    """A token that can be guessed is none, on this machine as well."""
    with pytest.raises(SettingsError, match="shorter than 16 characters"):
        check_address(replace(Settings(), token="kurz"))  # noqa: S106
