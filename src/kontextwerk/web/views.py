"""Templates, and what every page has: its language, its appearance, its words.

It leaves out what stands on each page: see `pages` and `document_pages`.
"""

from pathlib import Path
from typing import Any, cast, get_args

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kontextwerk.context import explaining
from kontextwerk.context.errors import KontextwerkError
from kontextwerk.context.labels import one_line
from kontextwerk.context.model import Language
from kontextwerk.context.wording import OUTCOMES
from kontextwerk.records import AbsentError
from kontextwerk.web.app import parts_of
from kontextwerk.web.words import WORDS

THEMES = ("auto", "light", "dark")
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["one_line"] = one_line


def language_of(request: Request) -> Language:
    """Return the language of the pages for a person: the one chosen, else that of the settings."""
    chosen = request.cookies.get("language")
    return cast("Language", chosen) if chosen in get_args(Language) else parts_of(request).settings.language


def theme_of(request: Request) -> str:
    """Return the appearance that a person chose."""
    chosen = request.cookies.get("theme", "auto")
    return chosen if chosen in THEMES else "auto"


def fragment(request: Request, template: str, **values: Any) -> str:  # noqa: ANN401  each template has its own
    """Return a template filled with values and the page's words."""
    language = language_of(request)
    return _TEMPLATES.get_template(template).render(
        w=WORDS[language],
        language=language,
        theme=theme_of(request),
        path=request.url.path,
        explaining=explaining,
        outcomes=OUTCOMES[language],
        **values,
    )


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:  # noqa: ANN401
    """Return a page."""
    return HTMLResponse(fragment(request, template, **values), status)


def back(request: Request, path: str) -> Response:
    """Send a person on to another page, also where htmx asked."""
    if "hx-request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": path})
    return RedirectResponse(path, 303)


def error_page(request: Request, error: KontextwerkError) -> HTMLResponse:
    """Return what a person sees of an error of ours: a message, never a trace."""
    status = 404 if isinstance(error, AbsentError) else 400
    words = WORDS[language_of(request)]
    head = words["not_found"] if status == 404 else words["wrong"]  # noqa: PLR2004
    if "hx-request" in request.headers:
        html = fragment(request, "_notice.html", message=str(error))
        # htmx swaps in answers of status 200 alone; the notice has a place of its own.
        return HTMLResponse(html, headers={"HX-Retarget": "#notices", "HX-Reswap": "innerHTML"})
    return page(request, "error.html", status, head=head, message=str(error), conversations=(), current=None)
