"""The page and the HTTP API, on FastAPI.

Read `app` first: what there is and which parts answer which addresses. Then `runs` (answers that go on when nobody
looks), `guard` (who may come in), `pages` and `answers` (HTML), `api` and `openai_api` (JSON).
"""

from kontextwerk.context.errors import MissingExtraError

try:
    import fastapi  # noqa: F401  said here, so that one line names the one extra that brings all
except ImportError as missing:
    raise MissingExtraError("fastapi", "web") from missing
