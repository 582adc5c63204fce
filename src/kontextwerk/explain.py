"""A context in the terminal: the budget as a bar, a table of its sources, tables of what was left out and why.

It reads without colour, and in ASCII where the output knows nothing else. It leaves out HTML: see `context.page`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kontextwerk.context.bar import apportion, segments
from kontextwerk.context.context import Context
from kontextwerk.context.errors import MissingExtraError
from kontextwerk.context.explaining import counted, left_out, pages, reason, score, share, standing, summary
from kontextwerk.context.labels import one_line
from kontextwerk.context.model import Decision, Language, Outcome, Source
from kontextwerk.context.reasons import read
from kontextwerk.context.wording import OUTCOMES, WORDS, Words

try:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table
    from rich.text import Text
except ImportError as missing:
    raise MissingExtraError("rich", "cli") from missing

MOST_COLUMNS = 100
"""The bar is no wider: proportions are compared at a glance."""
MOST_ROWS = 20
"""The most hits that are named of those left out for one outcome."""
TITLE_CHARS = 80
ROOMY = 4
"""Columns beside a number from which it has a blank on either side."""
_FILLS, _ASCII_FILLS = "█▓░", "#=."
"""A source, its neighbour, and what is left: told apart without colour."""
_STYLES = ("cyan", "bright_blue", "dim")
_ASCII = str.maketrans(
    {"–": "-", "…": "...", "·": "|", "›": ">", "„": '"', "“": '"', "”": '"', "’": "'", "ß": "ss"}
    | dict(zip("äöüÄÖÜ", ("ae", "oe", "ue", "Ae", "Oe", "Ue"), strict=True))
)

Line: TypeAlias = Sequence[tuple[str, str]]
"""Texts with a style each."""
Head: TypeAlias = tuple[str, bool]
"""A column's head, and whether figures stand below it."""


def terminal(context: Context) -> RenderableType:
    """Return a context's explanation for a rich console: what each source costs, what was left out and why."""
    return _View(context)


@dataclass(frozen=True, slots=True)
class _View:
    """The whole, made when it is known how wide the output is and what it can write."""

    context: Context

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield bar, size, sources, and what was left out."""
        del console
        context, language, encoding = self.context, self.context.language, options.encoding
        words = WORDS[language]
        yield _bar(context, min(options.max_width, MOST_COLUMNS), _ASCII_FILLS if options.ascii_only else _FILLS)
        yield _text([(_size(context), "bold")], encoding)
        yield ""
        yield _table(_source_heads(words), _sources(context), encoding) if context.sources else words.nothing
        groups = left_out(context.decisions, language)
        if not groups:
            yield ""
            yield words.all_stand
        for outcome, group in groups.items():
            name = f"{words.left_out}: {OUTCOMES[language][outcome]}"
            yield ""
            yield _text([(name, "bold"), (f" · {counted(len(group), words.hits)}", "")], encoding)
            heads = ((words.hit, True), (words.score, True), (words.title, False), (words.reason, False))
            yield _table(heads, _left_out(group, language), encoding)
            if len(group) > MOST_ROWS:
                yield _text([_others(outcome, len(group) - MOST_ROWS, language)], encoding)


def _source_heads(words: Words) -> Sequence[Head]:
    named = (("", True), (words.source, False), (words.hit, False))
    return (*named, (words.score, True), (words.cost, True), (words.share, True))


def _size(context: Context) -> str:
    left = WORDS[context.language].left.format(context.max_tokens - context.tokens)
    size = summary(
        len(context.sources),
        len(context.decisions),
        tokens=context.tokens,
        max_tokens=context.max_tokens,
        language=context.language,
    )
    return f"{size} · {left}"


def _bar(context: Context, width: int, fills: str) -> Text:
    """Return the budget in one line: a stretch for each source with its number in it, and what is left."""
    found = segments(context.sources, context.tokens, context.max_tokens)
    widths = apportion(width, [segment.tokens for segment in found], least=1)
    line = Text(no_wrap=True, overflow="crop")
    for place, (segment, columns) in enumerate(zip(found, widths, strict=True)):
        kind = place % 2 if segment.source else 2
        label = str(segment.source.number) if segment.source else ""
        line.append(_labelled(label, columns, fills[kind]), style=_STYLES[kind])
    return line if found else Text(fills[2] * width, style=_STYLES[2])


def _labelled(label: str, columns: int, fill: str) -> str:
    """Return so many columns of the fill, with the label in the middle where some of the fill can be seen beside it."""
    room = columns - len(label)
    shown = f" {label} " if room >= ROOMY else label if room > 0 else ""
    return shown.center(columns, fill) if label else fill * columns


def _sources(context: Context) -> Iterator[Sequence[Line]]:
    language = context.language
    hits = standing(context.decisions)
    for source in context.sources:
        own = hits.get(source.number, [])
        yield (
            [(str(source.number), "bold")],
            _named(source, own, language),
            [("\n".join(f"{hit.hit + 1} {OUTCOMES[language][hit.outcome]}" for hit in own), "")],
            [(score(source.score), "")],
            [(str(source.tokens), "")],
            [(share(source.tokens, context.max_tokens, language), "")],
        )


def _named(source: Source, hits: Iterable[Decision], language: Language) -> Line:
    """Return a source's title, where it stands below it, and what was wrong with its hits."""
    section = " › ".join(map(one_line, source.section))
    place = " · ".join(filter(None, (pages(source.pages, language, source.page_labels), section)))
    faults = filter(None, (one_line(read(hit.reason, language)[1]) for hit in hits))
    below = [(f"\n{place}", "dim")] if place else []
    return [(one_line(source.title, TITLE_CHARS), ""), *below, *((f"\n{fault}", "yellow") for fault in faults)]


def _left_out(group: Sequence[Decision], language: Language) -> Iterator[Sequence[Line]]:
    for hit in group[:MOST_ROWS]:
        title = one_line(hit.title, TITLE_CHARS) or "–"
        cells = (str(hit.hit + 1), score(hit.score), title, reason(hit, language))
        yield [[(cell, "")] for cell in cells]


def _others(outcome: Outcome, number: int, language: Language) -> tuple[str, str]:
    return WORDS[language].others.format(number, OUTCOMES[language][outcome]), "dim"


def _table(heads: Iterable[Head], rows: Iterable[Sequence[Line]], encoding: str) -> Table:
    """Return a table that wraps what is too wide; nothing is cut off."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head, is_figure in heads:
        table.add_column(head, overflow="fold", justify="right" if is_figure else "left", no_wrap=is_figure)
    for row in rows:
        table.add_row(*(_text(cell, encoding) for cell in row))
    return table


def _text(line: Line, encoding: str) -> Text:
    return Text.assemble(*((_encodable(text, encoding), style) for text, style in line))


def _encodable(text: str, encoding: str) -> str:
    """Return a text that an encoding can carry: typographic characters in ASCII, others that it lacks as `?`."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    return text
