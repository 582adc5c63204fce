"""The application: what there is, made once, and which part answers which address.

    make_app(settings)  ──▶  Guard ──▶  /  pages · /api/v1  api · /v1  openai_api · /static

It leaves out what each part does.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.staticfiles import StaticFiles

from kontextwerk import __version__
from kontextwerk.chat import Chat
from kontextwerk.context.errors import InputError, KontextwerkError
from kontextwerk.library import Library
from kontextwerk.records import Records, open_records
from kontextwerk.settings import Settings
from kontextwerk.web.runs import Runs
from kontextwerk.web.uploads import Uploads

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Parts:
    """What the addresses share.

    Attributes:
        settings: Everything that can be set.
        records: Conversations and uploads.
        library: The index.
        chat: Who answers.
        runs: Answers on their way.
        uploads: What takes files in.
    """

    settings: Settings
    records: Records
    library: Library
    chat: Chat
    runs: Runs
    uploads: Uploads

    @property
    def models(self) -> list[str]:
        """The models that may be chosen, the usual one first."""
        further = (name.strip() for name in self.settings.models.split(","))
        return list(dict.fromkeys([self.settings.model, *filter(None, further)]))

    def offered(self, model: str) -> str:
        """Return the name of a model that may be chosen; raises `InputError` for any other."""
        if model not in self.models:
            raise InputError(f"model {model}", "is not offered", f"Use one of: {', '.join(self.models)}")
        return model


def make_app(settings: Settings) -> FastAPI:
    """Make the application.

    Raises:
        SettingsError: An address that others can reach, without a token.
        RecordsError: The records cannot be opened.
    """
    from kontextwerk.web import api, document_pages, openai_api, pages
    from kontextwerk.web.guard import Guard, check_address

    check_address(settings)
    parts = make_parts(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        """Go on with what was left, and at the end let go of everything."""
        parts.uploads.resume()
        yield
        parts.runs.close()
        parts.uploads.close()
        parts.library.close()
        parts.records.close()

    app = FastAPI(
        title="Kontextwerk",
        version=__version__,
        description="Answers from your own documents, with sources.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.parts = parts
    app.add_middleware(Guard, settings=settings)
    app.add_exception_handler(KontextwerkError, pages.failed)
    app.include_router(api.router)
    app.include_router(openai_api.router)
    app.include_router(pages.router)
    app.include_router(document_pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def make_parts(settings: Settings) -> Parts:
    """Open the records and make what stands on them."""
    records, library = open_records(settings), Library(settings)
    chat = Chat(records, library.search, settings)
    return Parts(settings, records, library, chat, Runs(chat), Uploads(settings, records, library))


def parts_of(request: Request) -> Parts:
    """Return what the application of a request shares."""
    parts: Parts = request.app.state.parts
    return parts
