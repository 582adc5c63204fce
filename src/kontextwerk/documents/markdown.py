"""Markdown into text that reads well and can be searched: what is only for the eye or the browser goes.

Links and images leave their words, addresses go; escapes are resolved; the metadata at the beginning goes. Headings,
lists, tables, emphasis and code stay as they are written. It leaves out a full parse: CommonMark's rarer forms stay as
they are.
"""

import re
from collections.abc import Iterator

from kontextwerk.context.model import Span
from kontextwerk.documents.characters import clean
from kontextwerk.documents.model import Heading

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SLIDE = re.compile(r"<!-- Slide number: \d+ -->\n?")
_ATTRIBUTES = r"(?:\{[^{}\n]{0,300}\})?"
_TARGET = r"\((?:[^()\s]|\([^()\s]*\)){0,4000}(?:\s+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?\s*\)"
_IMAGE = re.compile(rf"!\[([^\[\]]{{0,1000}})\]{_TARGET}{_ATTRIBUTES}")
_SPAN = re.compile(r"\[([^\[\]]{0,1000})\]\{[^{}\n]{0,300}\}")
_LINK = re.compile(rf"\[([^\[\]]{{0,1000}})\]{_TARGET}{_ATTRIBUTES}")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
_TAG = re.compile(r"</?(?:u|span|div|font|center|small|a|sup|sub)(?:\s[^<>]{0,500})?/?>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s?/?>", re.IGNORECASE)
_DIV = re.compile(r"^:{3,}.*$", re.MULTILINE)
_ESCAPE = re.compile(r"(?!^)\\([*_~'\"<>\[\]@&^$#.!-])", re.MULTILINE)
# Names that programs give to pictures, and names of files: no words about what is in them.
_NO_CAPTION = re.compile(
    r"(?:picture|image|grafik|bild|logo|graphic|google shape"
    r"|(?:content|picture) placeholder|(?:inhalts|bild)platzhalter)"
    r"[\s;:\d_-]*(?:p\d+)?"
    r"|[\w.-]+\.(?:png|jpe?g|gif|svg|emf|wmf|webp)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_HEADING_ATTRIBUTES = re.compile(r"\s*\{[^{}]{0,300}\}\s*$")
_MARKED = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{3,})[ \t]*$")
_NO_TITLE = re.compile(r"\s*(?:[-*+>|#]|\d{1,9}[.)]|$)")
_MOST_HEADING = 200  # characters of a heading that are kept as its name


def plain(markdown: str) -> str:
    """Return Markdown without metadata, addresses, comments, and tags that only shape."""
    markdown = clean(markdown) + "\n"
    markdown = _FRONT_MATTER.sub("", markdown, count=1) if markdown.startswith("---") else markdown
    return clean("".join(part if code else _tidied(part) for part, code in _parts(markdown)))


def _tidied(markdown: str) -> str:
    markdown = _IMAGE.sub(_caption, _uncommented(markdown))
    markdown = _LINK.sub(r"\1", _SPAN.sub(r"\1", markdown))
    markdown = _TAG.sub("", _BREAK.sub(" ", _AUTOLINK.sub(r"\1", markdown)))
    return _ESCAPE.sub(r"\1", _DIV.sub("", markdown))


def _uncommented(markdown: str) -> str:
    """Remove comments; one that does not end stays."""
    parts, position = [], 0
    while (start := markdown.find("<!--", position)) >= 0 and (end := markdown.find("-->", start)) >= 0:
        parts.append(markdown[position:start])
        position = end + 3
    return "".join((*parts, markdown[position:]))


def _caption(match: re.Match[str]) -> str:
    return "" if _NO_CAPTION.fullmatch(match[1].strip()) else match[1]


def _parts(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield the text in stretches, and of each whether it is fenced code."""
    stretch: list[str] = []
    fence = ""
    for line in markdown.splitlines(keepends=True):
        found = _FENCE.match(line)
        opens = found is not None and not fence
        closes = found is not None and bool(fence) and found[1].startswith(fence)
        if opens and stretch:
            yield "".join(stretch), False
            stretch = []
        stretch.append(line)
        if closes:
            yield "".join(stretch), True
            stretch = []
        fence = found[1] if found and opens else "" if closes else fence
    # A fence that nobody closes is more likely a slip than code up to the end.
    yield "".join(stretch), False


def headings(text: str) -> tuple[Heading, ...]:
    r"""Return the headings of a Markdown text, except those in code.

    >>> headings("# Eins\n\n## *Zwei* #")
    (Heading(start=0, level=1, text='Eins'), Heading(start=8, level=2, text='Zwei'))
    """
    found: list[Heading] = []
    position = 0
    for part, code in _parts(text):
        if not code:
            found.extend(_headings(part, position))
        position += len(part)
    return tuple(found)


def _headings(text: str, offset: int) -> Iterator[Heading]:
    """Yield headings marked by `#`, and single lines underlined with `=` or `-`."""
    before = before_that = ""
    position = offset
    for line in text.splitlines(keepends=True):
        marked = _MARKED.match(line)
        if marked and (name := _name(marked[2])):
            yield Heading(position, len(marked[1]), name)
        elif (
            _UNDERLINE.match(line)
            and not before_that.strip()
            and not _NO_TITLE.match(before)
            and (name := _name(before))
        ):
            yield Heading(position - len(before), 1 if "=" in line else 2, name)
        before_that, before = before, line
        position += len(line)


def _name(text: str) -> str:
    """Return a heading's words on one line."""
    text = _HEADING_ATTRIBUTES.sub("", text).rstrip()
    bare = text.rstrip("#")
    text = bare if bare.endswith((" ", "\t")) else text  # "## C#" keeps its last sign, "## C ##" does not
    return " ".join(_EMPHASIS.sub("", text).split())[:_MOST_HEADING].strip()


def slides(markdown: str) -> tuple[str, tuple[Span, ...]]:
    """Return the text of slides, tidied, and start and end of each slide in it."""
    parts = [plain(part) for part in _SLIDE.split(markdown)]
    text = ""
    spans: list[Span] = []
    for part in parts[1:]:
        start = len(text)
        text += part + ("\n\n" if part else "")
        spans.append((start, len(text)))
    return text, tuple(spans)
