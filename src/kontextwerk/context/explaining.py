"""Sources and decisions in words for people: places, tables in plain text.

It leaves out colours and pages: see `kontextwerk.explain`.
"""

from collections.abc import Sequence

from kontextwerk.context.labels import one_line
from kontextwerk.context.model import Chunk, Decision, Language, Outcome, Source, Span

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


def summary(sources: int, hits: int, *, tokens: int, max_tokens: int, language: Language) -> str:
    """Return a context's size in one line."""
    return _SUMMARY[language].format(tokens=tokens, most=max_tokens, sources=sources, hits=hits)


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


def rows(decisions: Sequence[Decision], language: Language) -> list[tuple[str, ...]]:
    """Return the table of decisions, its heads first: a row for each hit."""
    body = [
        (
            str(decision.hit + 1),
            "–" if decision.score is None else f"{decision.score:.4g}",
            "–" if decision.source is None else str(decision.source),
            OUTCOMES[language][decision.outcome],
            f"{decision.figure:.4g}",
            one_line(decision.title, 40) or "–",
            decision.reason,
        )
        for decision in decisions
    ]
    return [_HEADS[language], *body]


def table(decisions: Sequence[Decision], sources: int, *, tokens: int, max_tokens: int, language: Language) -> str:
    """Return the table of decisions and the context's size as plain text.

    The columns are padded; nothing of a title can break a row.
    """
    size = summary(sources, len(decisions), tokens=tokens, max_tokens=max_tokens, language=language)
    return "\n".join([*_columns(rows(decisions, language)), "", size])


def _columns(cells: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
