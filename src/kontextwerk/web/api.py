"""The HTTP API at `/api/v1`: documents, search, contexts, and conversations with answers as they are written.

    api_documents       documents and uploads, search, contexts
    api_conversations   conversations and their answers

Its OpenAPI document is at `/api/v1/openapi.json`. It leaves out OpenAI's API: see `openai_api`.
"""

from fastapi import APIRouter

from kontextwerk import __version__
from kontextwerk.web import api_conversations, api_documents
from kontextwerk.web.failures import ErrorRoute
from kontextwerk.web.schemas import Failure, Health

router = APIRouter(
    prefix="/api/v1",
    route_class=ErrorRoute,
    responses={
        401: {"model": Failure, "description": "A token is asked for, and none or another was shown."},
        413: {"model": Failure, "description": "The request is too large."},
        422: {"model": Failure, "description": "The request cannot be meant."},
    },
)


@router.get("/health", tags=["program"], summary="Say that the program runs")
async def health() -> Health:
    """Return the program's version."""
    return Health(version=__version__)


router.include_router(api_documents.router)
router.include_router(api_conversations.router)
