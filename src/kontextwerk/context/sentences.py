"""Text into sentences, as character spans.

`sentencex` finds the ends; here its wrong splits in German are repaired, and lines that stand for themselves (list
items, table rows, headings, code) become units of their own. It leaves out what a sentence says: see `focus`.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import sentencex

from kontextwerk.context.model import Language, Span
from kontextwerk.context.structure import code_blocks

# Abbreviations that stand before the word they belong to, and after which sentencex 1.0 splits.
_ABBREVIATION = {
    "de": re.compile(
        r"(?:^|[\s(„\"'])(?:Abb|Abs|Abt|Anh|Anl|Anm|Aufl|Bd|Bsp|Buchst|Dipl|Dipl\.-\w+|Fa|Fam|geb|gem|gest|Hrsg|inkl|exkl|Kap|Lit|max|"
        r"min|Pkt|Rdnr|Red|resp|Rn|stellv|Tab|Tel|verh|Verf|Vors|Ziff|zzgl)\.$"
    ),
    "en": re.compile(r"(?:^|[\s(\"'])(?:[Aa]pprox|Ch|Dept|Ed|Eq|Fig|incl|No|pp|Sec|Tab|Vol)\.$"),
}
# "am 19. Jahrhundert" goes on, "§ 5. Das" does not: an ordinal has no sign before and no sentence opener behind it.
_ORDINAL = re.compile(r"(?:^|[^\d§%.,:/\s-])\s+\d{1,2}\.$|^\d{1,2}\.$")
_NO_ORDINAL = re.compile(
    r"(?:§|%|\b(?:Abs|Art|Nr|Kap|Seite|Absatz|Artikel|Nummer|Kapitel|Punkt|Version|Satz|S|Ziffer))\.?\s+\d{1,2}\.$"
)
_OPENER = re.compile(
    r"(?:Aber|Alle|Als|Am|An|Auch|Auf|Aus|Bei|Beide|Bis|Da|Dabei|Dadurch|Dafür|Dagegen|Damit|Danach|Dann|Daher|Darum|Das|Dass|"
    r"Dem|Den|Denn|Der|Des|Deshalb|Die|Dies|Diese|Dieser|Dieses|Doch|Dort|Du|Durch|Ein|Eine|Einen|Einer|Er|Es|Etwa|Falls|Für|"
    r"Gegen|Hier|Ich|Ihr|Ihre|Im|In|Ist|Ja|Jede|Jeder|Jedes|Jetzt|Kein|Keine|Man|Mit|Nach|Nein|Nicht|Noch|Nun|Nur|Ob|Oder|Ohne|"
    r"Sein|Seine|Seit|Sie|So|Sobald|Sofern|Solche|Sowohl|Trotz|Um|Und|Unter|Vom|Von|Vor|Während|Wann|Warum|Was|Weil|Welche|"
    r"Wenn|Wer|Wie|Wir|Wo|Zu|Zum|Zur|Zwischen)\b"
)
_ROMAN = re.compile(r"\b[IVXL]+\.$")
# Where the library misses an end: behind abbreviations that may end a sentence, where an opener follows;
# before a number, behind a word that ends as no abbreviation does; behind a closing bracket.
_MAY_MISS = re.compile(r"\. \d|[.!?]\) |usw\. |MwSt\. |etc\. ")
_BRACKETED = r"(?<=[.!?]\))\s+(?=[A-ZÄÖÜ„“])"
_MISSED = {
    "de": re.compile(
        rf"(?<=\busw\.)\s+(?={_OPENER.pattern})|(?<=\bMwSt\.)\s+(?={_OPENER.pattern})|(?<=\betc\.)\s+(?={_OPENER.pattern})"
        rf"|(?<=[a-zäöüß]{{3}}(?:en|er|es|te)\.)\s+(?=\d)|{_BRACKETED}"
    ),
    "en": re.compile(_BRACKETED),
}
# A line that is a unit of its own: a list item, a table row, a Markdown heading, a quotation, a fence.
_OWN_LINE = re.compile(r"[ \t]*(?:[-*+•‣◦▪–][ \t]|\(?\d{1,3}[.)][ \t]|\(?[a-zA-Z][.)][ \t]|\||#{1,6}[ \t]|>|```|~~~)")
_RULER = re.compile(r"#{1,6}\s|\|?[\s:|-]+$|\(?[\w]{1,3}[.)]$")
_ROW = re.compile(r"\||[-*+•‣◦▪–]\s")
_END = re.compile(r"[.!?…。！？)”“\"»’*_]$")
_HEADING_WORDS = 6
_BREAK = re.compile(r"\n+")
_LINE = re.compile(r".+")
_WIDE_BLANK = re.compile(r"[^\S\x00-\x7f]|[\ud800-\udfff]")
CODE_LINES = 20
"""A block of code with no more lines than this is one unit: cut, it would say little."""


def sentences(text: str, language: Language = "de") -> tuple[Span, ...]:
    """Find the sentences of a text.

    Args:
        text: Any text, of any length.
        language: Whose abbreviations and ordinals hold.

    Returns:
        Start and end of each sentence in characters, in order, without the white space around it. Together they hold
        every character of the text that is no white space.

    >>> sentences("Im 19. Jahrhundert. Siehe § 5. Ende")
    ((0, 19), (20, 30), (31, 35))
    """
    return tuple(trimmed for span in _units(text, language) if (trimmed := _trim(text, span)) is not None)


def announces(sentence: str) -> bool:
    """Say whether a unit says nothing by itself: a heading, a table's ruler, a bare number, the beginning of a list.

    >>> announces("3.2 Erstgespräch"), announces("Geklärt wird:"), announces("Ja, gern.")
    (True, True, False)
    """
    line = sentence.strip()
    if not any(map(str.isalnum, line)) or _RULER.match(line) or line.endswith(":"):
        return True
    return not (_ROW.match(line) or _END.search(line)) and len(line.split()) <= _HEADING_WORDS


def _units(text: str, language: Language) -> Iterator[Span]:
    """Yield the sentences of prose, and blocks of code: a short one whole, a long one line by line."""
    position = 0
    for start, end in code_blocks(text):
        yield from _of_prose(text, (position, start), language)
        if text.count("\n", start, end) < CODE_LINES:
            yield start, end
        else:
            yield from ((start + line.start(), start + line.end()) for line in _LINE.finditer(text[start:end]))
        position = end
    yield from _of_prose(text, (position, len(text)), language)


def _of_prose(text: str, span: Span, language: Language) -> Iterator[Span]:
    start, end = span
    stretch = text[start:end]
    for line in _own_lines(stretch):
        yield from ((start + first, start + last) for first, last in _repaired(stretch, line, language))


def _own_lines(text: str) -> Iterator[Span]:
    """Cut at blank lines, and before and after lines that stand for themselves; other line breaks are mere wrapping."""
    start, cursor = 0, 0
    own = bool(_OWN_LINE.match(text))
    for gap in _BREAK.finditer(text):
        next_own = bool(_OWN_LINE.match(text, gap.end()))
        # A continuation line of a list item is indented or plain; it stays with its item.
        heading = own and text.startswith(("#", "|"), _indent(text, cursor))
        if next_own or heading or gap.end() - gap.start() > 1:
            yield start, gap.end()
            start = gap.end()
        cursor, own = gap.end(), next_own
    yield start, len(text)


def _indent(text: str, start: int) -> int:
    while start < len(text) and text[start] in " \t":
        start += 1
    return start


def _repaired(text: str, line: Span, language: Language) -> Iterator[Span]:
    """Yield the sentences of one stretch, wrong splits of the library joined."""
    start, end = line
    stretch = text[start:end]
    pending = start
    for left, right in pairwise([*_ends(stretch, language), len(stretch)]):
        if not _runs_on(stretch[:left], stretch[left : min(right, left + 40)], language, pending - start):
            yield pending, start + left
            pending = start + left
    yield pending, end


def _ends(stretch: str, language: Language) -> list[int]:
    """Return where the library ends each sentence, the end of the stretch excluded."""
    ends, position = [], 0
    # The library (1.0.32) breaks down over a blank of more than one byte between a capital and a full stop,
    # and takes no halves of surrogate pairs.
    for piece in sentencex.segment(language, stretch if stretch.isascii() else _WIDE_BLANK.sub(" ", stretch)):
        position += len(piece)
        ends.append(position)
    # The library keeps every character; were that to change, one long sentence is better than a wrong offset.
    if position != len(stretch):
        return []
    missed = [match.end() for match in _MISSED[language].finditer(stretch)] if _MAY_MISS.search(stretch) else []
    return sorted({*ends[:-1], *missed}) if missed else ends[:-1]


def _runs_on(before: str, after: str, language: Language, start: int) -> bool:
    """Say whether the sentence that begins at `start` goes on after a split of the library."""
    tail = before[max(start, len(before) - 40) :].rstrip()
    if _ROMAN.search(tail):
        return after.lstrip()[:1].islower()
    if _ABBREVIATION[language].search(tail):
        return not _OPENER.match(after.lstrip())
    if language != "de" or not _ORDINAL.search(tail) or _NO_ORDINAL.search(tail):
        return False
    return after[:1].isupper() and not _OPENER.match(after)


def _trim(text: str, span: Span) -> Span | None:
    """Return the span without white space at its ends, or None where nothing else is in it."""
    stretch = text[span[0] : span[1]]
    stripped = stretch.strip()
    if not stripped:
        return None
    start = span[0] + len(stretch) - len(stretch.lstrip())
    return start, start + len(stripped)
