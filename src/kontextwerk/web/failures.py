"""Errors as answers of the HTTP APIs: the status, and a body that names the thing, the reason and the mend.

    KontextwerkError ──▶ {"detail": …, "thing": …, "reason": …, "mend": …}    under /api/
                    ──▶ {"error": {"message": …, "type": …, "code": …}}      under /v1/, as OpenAI writes it

Requests that do not fit the schema are told of in the same two shapes. It leaves out how a page shows an error.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from kontextwerk.characters import encodable
from kontextwerk.context.errors import (
    BudgetError,
    DocumentError,
    IndexingError,
    InputError,
    KontextwerkError,
    ModelError,
    RecordsError,
)
from kontextwerk.records import AbsentError

_STATUS: tuple[tuple[type[KontextwerkError], int], ...] = (  # the first that fits holds
    (AbsentError, 404),
    (InputError, 422),
    (BudgetError, 422),
    (DocumentError, 422),
    (IndexingError, 409),
    (ModelError, 502),
    (RecordsError, 503),
)
_SERVER_ERROR = 500


class ErrorRoute(APIRoute):
    """A route that tells of requests it cannot read in the shape of its API."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler."""
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            """Answer a request."""
            path = request.url.path
            try:
                return await handle(request)
            except RequestValidationError as error:
                return error_response(path, _first(error))
            except HTTPException as error:
                return _response(path, error.status_code, InputError("request", str(error.detail)))

        return handled


def error_response(path: str, error: KontextwerkError) -> JSONResponse:
    """Return the answer that tells of an error, in the shape of the API whose path was asked."""
    return _response(path, status_of(path, error), error)


def status_of(path: str, error: KontextwerkError) -> int:
    """Return the HTTP status of an error; what OpenAI's API calls a bad request is one under `/v1/`."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), _SERVER_ERROR)
    return 400 if status == 422 and path.startswith("/v1/") else status  # noqa: PLR2004


def openai_error(status: int, message: str) -> dict[str, Any]:
    """Return an error as OpenAI's API writes it."""
    kind = "server_error" if status >= _SERVER_ERROR else "invalid_request_error"
    return {"error": {"message": encodable(message), "type": kind, "param": None, "code": _CODES.get(status)}}


_CODES = {404: "model_not_found"}


def _response(path: str, status: int, error: KontextwerkError) -> JSONResponse:
    if path.startswith("/v1/"):
        return JSONResponse(openai_error(status, str(error)), status)
    named = {"detail": str(error), "thing": error.thing, "reason": error.reason, "mend": error.mend}
    return JSONResponse({name: encodable(text) for name, text in named.items()}, status)


def _first(error: RequestValidationError) -> InputError:
    """Return what is amiss first; the value itself is not repeated, it may be anything."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return InputError(place[:200] or "request", str(first["msg"])[:500], "See /api/v1/openapi.json")
