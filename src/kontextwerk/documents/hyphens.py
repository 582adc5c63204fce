"""Words that a line's end has divided, put together again.

A hyphen at a line's end may be the typesetter's (it goes) or the word's own (it stays). What follows decides, and how
the rest of the document writes the word. It leaves out which lines belong together: see `paragraphs`.
"""

import re
from collections.abc import Set as AbstractSet

_DIVIDED = re.compile(r"[^\W_][«»“”‘’)]?[\-\u2010]$")
# "Vor- und Nachteile", "two- or threefold": the hyphen stands for a part that both words share.
_SHARED = re.compile(r"(?:und|oder|bzw|beziehungsweise|sowie|noch|and|or)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"[/@]\S*$")
_HEAD = re.compile(r"[^\W_]+(?:-[^\W_]+)*$")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_AT_LINE_END = re.compile(r"(?<=[^\W\d_])[\-\u2010]\n[ \t]*(?=[^\W_])(\S*)([ \t]*)")


def words(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, hyphens inside them kept."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def is_divided(line: str) -> bool:
    """Say whether a line ends in a hyphen that may divide a word."""
    return _DIVIDED.search(line) is not None


def link(line: str, following: str, known: AbstractSet[str]) -> str:
    """Return what stands for the hyphen at a line's end: nothing, a hyphen, or a hyphen and a blank.

    Args:
        line: A line for which `is_divided` holds.
        following: The next line, without white space before it.
        known: The words of the document; see `words`.

    >>> [link(line, following, set()) for line, following in (("Grund-", "satz"), ("Haupt-", "Text"), ("Vor-", "und"))]
    ['', '-', '- ']
    """
    if _SHARED.match(following):
        return "- "
    head, tail = _HEAD.search(line[:-1]), _WORD.match(following)
    if head is None or tail is None or len(head[0]) == 1 or head[0][-1].isdigit() or _ADDRESS.search(line):
        return "-"
    if following[0].isupper() and not (head[0].isupper() and tail[0].isupper()):
        return "-"
    plain, hyphenated = f"{head[0]}{tail[0]}".casefold(), f"{head[0]}-{tail[0]}".casefold()
    if (plain in known) != (hyphenated in known):
        return "" if plain in known else "-"
    return "" if following[0].islower() else "-"


def rejoined(text: str) -> str:
    r"""Join the divided words of a text in lines; the rest of such a word moves up to its beginning.

    >>> rejoined("in öffent-\nlicher Sitzung")
    'in öffentlicher\nSitzung'
    """
    known = words(text)

    def joined(match: re.Match[str]) -> str:
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start() + 1]
        return link(line, match[1], known) + match[1] + ("\n" if match[2] else "")

    return _AT_LINE_END.sub(joined, text)
