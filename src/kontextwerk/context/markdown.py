r"""Markdown: a heading for each source.

    ## Quelle 1: Coaching-Handbuch.pdf

    <text>

    ## Quelle 2: Teamentwicklung.pdf

    <text>

A line in a chunk that begins like such a heading, with or without its signs, gets a backslash before the label, which
reading back takes out again. Other headings stay as they are.
"""

import re
from functools import lru_cache

from kontextwerk.context.errors import InputError
from kontextwerk.context.format import Format
from kontextwerk.context.labels import LABEL, LINE_START, UNSEEN, numbered, one_line
from kontextwerk.context.model import Passage

_HEADING = re.compile(rf"## (?P<label>{LABEL}) (?P<number>[0-9]+): (?P<title>[^\n]*)\n\n")
# Signs with which Markdown makes a line look like more: of headings, quotations, lists, emphasis; a bracket for links.
_SIGNS = rf"(?:[#>*_+~`|=\[({{-]|\d+[.)](?=\s)|{UNSEEN})*"


@lru_cache(maxsize=64)
def _forged_heading(label: str) -> re.Pattern[str]:
    """Match the beginning of a line, and backslashes, before what looks like the label with a number."""
    return re.compile(rf"{LINE_START}{_SIGNS}\\*(?={numbered(label)})", re.IGNORECASE)


def head(number: int, title: str, label: str) -> str:
    """Return the heading above a passage, the blank line included."""
    return f"## {label} {number}: {title}\n\n"


def body(text: str, label: str) -> str:
    r"""Put a backslash into every line that looks like the heading of a source.

    >>> body("## Quelle 9: x", "Quelle")
    '## \\Quelle 9: x'
    """
    return _forged_heading(label).sub(lambda match: match[0] + "\\", text)


def parse(text: str) -> tuple[Passage, ...]:
    """Read the passages back."""
    first = _HEADING.match(text)
    if first is None:
        raise InputError("text", "does not begin with the heading of a source", "Pass the text of a Context, unchanged")
    label = first["label"]
    passages = []
    for part in re.split(rf"\n\n(?=## {re.escape(label)} [0-9]+: [^\n]*\n\n)", text):
        found = _HEADING.match(part)
        if found is None:
            raise InputError("text", f"has a part without a heading: {one_line(part, 40)!r}", "Pass it unchanged")
        wording = _forged_heading(label).sub(lambda match: match[0].removesuffix("\\"), part[found.end() :])
        passages.append(Passage(int(found["number"]), found["title"], wording))
    return tuple(passages)


MARKDOWN = Format(head, body, parse, begins=lambda text: bool(_HEADING.match(text)), separator="\n\n")
