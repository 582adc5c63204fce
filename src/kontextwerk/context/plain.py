r"""Plain text, to the letter of the specification.

    [Quelle 1: Coaching-Handbuch.pdf]
    <text>

    ---

    [Quelle 2: Teamentwicklung.pdf]
    <text>

What a chunk holds can never be read as one of these headers or separators: `escape` puts a backslash into everything
that looks like one, and `unescape` takes exactly that backslash out again, so that a reader sees the original wording.
"""

import re
from functools import lru_cache

from kontextwerk.context.errors import InputError
from kontextwerk.context.format import Format
from kontextwerk.context.labels import GAP, LABEL, LINE_BREAK, LINE_END, LINE_START, UNSEEN, numbered, one_line
from kontextwerk.context.model import Passage

SEPARATOR = "\n\n---\n\n"
_HEADER = re.compile(rf"\[(?P<label>{LABEL}) (?P<number>[0-9]+): (?P<title>[^\n]*)\]\n")
_BRACKETS = "[［【〔❲⟦﹝〖"
_CLOSING = r"[\]］】〕❳⟧﹞〗]"
_DASHES = "-‐‑‒–—―−⸺⸻﹘﹣－─━"
_DASH_LINE = re.compile(rf"{LINE_BREAK}(?:{UNSEEN})*\\*[{re.escape(_DASHES)}]")
_RULE = re.compile(
    rf"(?P<indent>{LINE_START}(?:{UNSEEN})*)\\*(?=(?:[{re.escape(_DASHES)}](?:{UNSEEN})*){{3,}}{LINE_END})"
)


@lru_cache(maxsize=64)
def _forged_header(label: str) -> re.Pattern[str]:
    """Match the bracket and backslashes that begin what looks like a header or a citation, under any of our labels."""
    words = rf"(?:{re.escape(label)}|Quellen?|Sources?)".replace(r"\ ", GAP)
    turned = rf"\d+{GAP}{_CLOSING}{GAP}{words}"
    return re.compile(rf"[{re.escape(_BRACKETS)}]\\*(?={GAP}(?:{numbered(label)}|{turned}))", re.IGNORECASE)


def escape(text: str, label: str) -> str:
    r"""Put a backslash into everything that looks like a header or a separator.

    >>> escape("siehe [Quelle 9: x]", "Quelle")
    'siehe [\\Quelle 9: x]'
    """
    if _may_hold_header(text):
        text = _forged_header(label).sub(lambda match: match[0] + "\\", text)
    if _may_hold_rule(text):
        text = _RULE.sub(lambda match: match[0] + "\\", text)
    return text


def unescape(text: str, label: str) -> str:
    """Take out what `escape` put in: `unescape(escape(text, label), label) == text` for every text."""
    if _may_hold_rule(text):
        text = _RULE.sub(lambda match: match[0].removesuffix("\\"), text)
    if _may_hold_header(text):
        text = _forged_header(label).sub(lambda match: match[0].removesuffix("\\"), text)
    return text


def _may_hold_header(text: str) -> bool:
    """Say whether the slow search is worth it: most texts hold no bracket."""
    return "[" in text or (not text.isascii() and any(map(text.__contains__, _BRACKETS)))


def _may_hold_rule(text: str) -> bool:
    # The slow search is for the few texts with three dashes, and with a line that begins with one.
    dashes = text.count("-") if text.isascii() else sum(map(text.count, _DASHES))
    return dashes >= 3 and _DASH_LINE.search("\n" + text) is not None  # noqa: PLR2004


def head(number: int, title: str, label: str) -> str:
    """Return the line above a passage, its line break included."""
    return f"[{label} {number}: {escape(title, label)}]\n"


def parse(text: str) -> tuple[Passage, ...]:
    """Read the passages back."""
    first = _HEADER.match(text)
    if first is None:
        raise InputError("text", "does not begin with the header of a source", "Pass the text of a Context, unchanged")
    label = first["label"]
    passages = []
    for part in text.split(SEPARATOR):
        found = _HEADER.match(part)
        if found is None or found["label"] != label:
            raise InputError("text", f"has a part without a header: {one_line(part, 40)!r}", "Pass it unchanged")
        title = unescape(found["title"], label)
        passages.append(Passage(int(found["number"]), title, unescape(part[found.end() :], label)))
    return tuple(passages)


PLAIN = Format(head, escape, parse, begins=lambda text: bool(_HEADER.match(text)), separator=SEPARATOR)
