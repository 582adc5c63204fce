"""A context for people: as plain data, as a table of decisions in plain text.

It leaves out colours and pages, which belong to the applications.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from kontextwerk.context.model import Chunk, Context, Language, Outcome, Source, Span
from kontextwerk.context.rendering import one_line

OUTCOMES: dict[Language, dict[Outcome, str]] = {
    "de": {
        "kept": "ganz",
        "trimmed": "gekürzt",
        "merged": "vereint",
        "duplicate": "doppelt",
        "over_budget": "kein Platz",
        "below_score": "zu schwach",
        "empty": "leer",
    },
    "en": {
        "kept": "kept",
        "trimmed": "trimmed",
        "merged": "merged",
        "duplicate": "duplicate",
        "over_budget": "over budget",
        "below_score": "below score",
        "empty": "empty",
    },
}
"""What people read for an outcome."""

_HEADS: dict[Language, tuple[str, ...]] = {
    "de": ("Treffer", "Score", "Quelle", "Ergebnis", "Zahl", "Titel", "Grund"),
    "en": ("hit", "score", "source", "outcome", "figure", "title", "reason"),
}
_PAGES: dict[Language, tuple[str, str]] = {"de": ("S. {}", "S. {}–{}"), "en": ("p. {}", "pp. {}–{}")}
_SUMMARY: dict[Language, str] = {
    "de": "{tokens} von {most} Token · {sources} Quellen · {hits} Treffer",
    "en": "{tokens} of {most} tokens · {sources} sources · {hits} hits",
}


def to_dict(context: Context) -> dict[str, Any]:
    """Return a context as plain data that any JSON writer takes."""
    return asdict(context)


def summary(context: Context) -> str:
    """Return a context's size in one line."""
    return _SUMMARY[context.language].format(
        tokens=context.tokens, most=context.max_tokens, sources=len(context.sources), hits=len(context.decisions)
    )


def place(source: Source | Chunk, language: Language) -> str:
    """Return where a source or a chunk stands: title, pages and innermost heading, on one line.

    Two documents of one title are told apart by `path`, which the caller shows beside this.
    """
    parts = [source.title, pages(source.pages, language), source.section[-1] if source.section else ""]
    return ", ".join(filter(None, parts))


def pages(span: Span | None, language: Language) -> str:
    """Return a range of pages as people write it; empty where there is none.

    >>> pages((3, 4), "de")
    'S. 3–4'
    """
    if span is None:
        return ""
    one, several = _PAGES[language]
    return one.format(span[0]) if span[0] == span[1] else several.format(*span)


def rows(context: Context) -> list[tuple[str, ...]]:
    """Return the table of decisions, its heads first: a row for each hit."""
    body = [
        (
            str(decision.hit + 1),
            "–" if decision.score is None else f"{decision.score:.4g}",
            "–" if decision.source is None else str(decision.source),
            OUTCOMES[context.language][decision.outcome],
            f"{decision.figure:.4g}",
            one_line(decision.title, 40) or "–",
            decision.reason,
        )
        for decision in context.decisions
    ]
    return [_HEADS[context.language], *body]


def table(context: Context) -> str:
    """Return the table of decisions and the context's size as plain text.

    The columns are padded; nothing of a title can break a row.
    """
    lines = _columns(rows(context))
    return "\n".join([*lines, "", summary(context)])


def _columns(cells: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
