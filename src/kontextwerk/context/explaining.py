"""Sources and decisions in words for people: places, reasons, tables in plain text.

It leaves out colours and pages: see `kontextwerk.explain` and `page`.
"""

from collections.abc import Iterable, Sequence

from kontextwerk.context.labels import one_line
from kontextwerk.context.model import Chunk, Decision, Language, Outcome, Source, Span
from kontextwerk.context.reasons import in_words
from kontextwerk.context.wording import HEADS, OUTCOMES, PAGES, STANDING, WORDS


def summary(sources: int, hits: int, *, tokens: int, max_tokens: int, language: Language) -> str:
    """Return a context's size in one line."""
    words = WORDS[language]
    counts = (counted(sources, words.sources), counted(hits, words.hits))
    return " · ".join((words.size.format(tokens, max_tokens), *counts))


def counted(number: int, forms: tuple[str, str]) -> str:
    """Return a number with its noun, in the singular or the plural."""
    return forms[number != 1].format(number)


def share(tokens: int, max_tokens: int, language: Language) -> str:
    """Return what part of the budget it is, in whole hundredths; a dash of a budget of 0."""
    if not max_tokens:
        return "–"
    hundredths = (200 * tokens + max_tokens) // (2 * max_tokens)
    return WORDS[language].percent.format("<1" if tokens and not hundredths else hundredths)


def score(value: float | None) -> str:
    """Return a score to four digits; a dash where there is none."""
    return "–" if value is None else f"{value:.4g}"


def place(source: Source | Chunk, language: Language) -> str:
    """Return where a source or a chunk stands: title, pages and innermost heading, on one line.

    Two documents of one title are told apart by `path`, which the caller shows beside this.
    """
    innermost = source.section[-1] if source.section else ""
    parts = (source.title, pages(source.pages, language, source.page_labels), innermost)
    return ", ".join(filter(None, map(one_line, parts)))


def listed(sources: Sequence[Source], language: Language) -> list[str]:
    """Return a line for each source, with its number; those of one title are told apart by where they lie."""
    lines = []
    for source in sources:
        has_twin = len({other.path for other in sources if other.title == source.title}) > 1
        twin = f" ({source.path})" if has_twin else ""
        lines.append(f"[{source.number}] {place(source, language)}{twin}")
    return lines


def pages(span: Span | None, language: Language, labels: tuple[str, str] | None = None) -> str:
    """Return a range of pages as people write it, as printed on them where that is known; empty where there is none.

    >>> pages((3, 4), "de")
    'S. 3–4'
    >>> pages((3, 4), "de", ("iii", "iv"))
    'S. iii–iv'
    """
    printed = tuple(one_line(label, 20) for label in labels or ())
    found = printed if printed and all(printed) else span
    if found is None:
        return ""
    one, several = PAGES[language]
    return one.format(found[0]) if found[0] == found[1] else several.format(*found)


def reason(decision: Decision, language: Language) -> str:
    """Return why it became of a hit what became of it, on one line."""
    return one_line(in_words(decision.reason, language))


def left_out(decisions: Iterable[Decision], language: Language) -> dict[Outcome, list[Decision]]:
    """Return the decisions on hits whose text does not stand in the context, by outcome, in the order of `OUTCOMES`."""
    groups: dict[Outcome, list[Decision]] = {outcome: [] for outcome in OUTCOMES[language] if outcome not in STANDING}
    for decision in decisions:
        if decision.outcome in groups:
            groups[decision.outcome].append(decision)
    return {outcome: group for outcome, group in groups.items() if group}


def standing(decisions: Iterable[Decision]) -> dict[int, list[Decision]]:
    """Return the decisions on hits whose text stands in the context, by the number of the source."""
    groups: dict[int, list[Decision]] = {}
    for decision in decisions:
        if decision.source is not None and decision.outcome in STANDING:
            groups.setdefault(decision.source, []).append(decision)
    return groups


def rows(decisions: Sequence[Decision], language: Language) -> list[tuple[str, ...]]:
    """Return the table of decisions, its heads first: a row for each hit."""
    body = [
        (
            str(decision.hit + 1),
            score(decision.score),
            "–" if decision.source is None else str(decision.source),
            OUTCOMES[language][decision.outcome],
            f"{decision.figure:.4g}",
            one_line(decision.title, 40) or "–",
            reason(decision, language),
        )
        for decision in decisions
    ]
    return [HEADS[language], *body]


def table(decisions: Sequence[Decision], sources: int, *, tokens: int, max_tokens: int, language: Language) -> str:
    """Return the table of decisions and the context's size as plain text.

    The columns are padded; nothing of a title can break a row.
    """
    size = summary(sources, len(decisions), tokens=tokens, max_tokens=max_tokens, language=language)
    return "\n".join([*_columns(rows(decisions, language)), "", size])


def _columns(cells: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
