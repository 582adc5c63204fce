"""Markdown taken off a sentence, as far as models write it in answers.

It leaves out HTML, footnotes and formulas.
"""

import re

from kontextwerk.context.dates import MONTHS

# "3. Mai" and "19. Jahrhundert" begin no list.
_ORDINAL = rf"(?!\d+\.[ \t]+(?:{MONTHS}|Jahrhundert))"
MARKER = re.compile(rf"^(?:[-*+•‣◦▪–]|{_ORDINAL}\(?\d{{1,3}}[.)]|\(?[a-zA-Z]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
"""The mark of an item of a list, at the beginning of a sentence."""
HEADING = re.compile(r"^#{1,6}(?:\s+|$)")
"""The mark of a heading."""
_QUOTED = re.compile(r"^(?:>\s*)+")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|`+")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{1,500}\)")
_CELLS = re.compile(r"\s*(?<!\\)\|\s*")
_BLANKS = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return a sentence without Markdown: the marks of lists, headings, quotations, tables, emphasis and links.

    >>> plain("- **Frist:** zwei [Wochen](https://a.example)"), plain("| Preis | 90 Euro |")
    ('Frist: zwei Wochen', 'Preis, 90 Euro')
    """
    bare = MARKER.sub("", _QUOTED.sub("", text.strip()))
    bare = _EMPHASIS.sub("", _LINK.sub(r"\1", HEADING.sub("", bare)))
    if bare.startswith("|"):
        bare = ", ".join(cell for cell in _CELLS.split(bare) if cell)
    return _BLANKS.sub(" ", bare).strip()
