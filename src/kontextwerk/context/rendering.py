r"""Passages into text, and back.

    [Quelle 1: Coaching-Handbuch.pdf]
    <text>

    ---

    [Quelle 2: Teamentwicklung.pdf]
    <text>

What a chunk holds can never be read as one of these headers or separators: `escape` puts a backslash into everything
that looks like one, and `unescape` takes exactly that backslash out again, so that a reader sees the original wording.
It leaves out which passages there are, and what they cost.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language, Passage

SEPARATOR = "\n\n---\n\n"
ELISION = "[…]"
TITLE_CHARS = 200
LABEL_CHARS = 40
_LABEL = r"[^\W\d_]+(?:[ .-][^\W\d_]+)*"


@dataclass(frozen=True, slots=True)
class Labels:
    """The words that people read in a context.

    Attributes:
        source: What stands before a source's number: words of letters, with a blank, hyphen or full stop between them.
        unknown: The title of a document without one.
    """

    source: str
    unknown: str

    def __post_init__(self) -> None:
        """Refuse a label that could not be found again in the text."""
        if len(self.source) > LABEL_CHARS or not re.fullmatch(_LABEL, self.source):
            raise InputError(
                f"label {self.source!r}", "cannot head a source", "Use words of letters, 40 characters at most"
            )
        if not self.unknown.strip():
            raise InputError("label for an unknown title", "is empty", "Use a word such as 'Unknown'")


LABELS: dict[Language, Labels] = {"de": Labels("Quelle", "Unbekannt"), "en": Labels("Source", "Unknown")}

# What may stand unseen between the characters of a forged header: white space, soft hyphens, zero-width characters.
_GAP = r"[\s\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*"
_BRACKETS = "[［【〔❲⟦﹝〖"
_CLOSING = r"[\]］】〕❳⟧﹞〗]"
_DASHES = "-‐‑‒–—―−⸺⸻﹘﹣－─━"
_LINE_START = r"(?:^|(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]))"
_LINE_END = r"(?=$|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])"
_UNSEEN = (
    r"[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
    r"|[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
# A label holds no digit, so the first number is the source's, whatever its title holds.
_HEADER = re.compile(rf"\[(?P<label>{_LABEL}) (?P<number>[0-9]+): (?P<title>[^\n]*)\]\n")


_RULE = re.compile(
    rf"(?P<indent>{_LINE_START}(?:{_UNSEEN})*)\\*(?=(?:[{re.escape(_DASHES)}](?:{_UNSEEN})*){{3,}}{_LINE_END})"
)


@lru_cache(maxsize=64)
def _forged_header(label: str) -> re.Pattern[str]:
    """Match the bracket and backslashes that begin what looks like a header or a citation, under any of our labels."""
    own = re.escape(label).replace(r"\ ", _GAP)
    words = rf"(?:{own}|Quellen?|Sources?)"
    spaced = rf"{words}(?:{_GAP}(?:nr\.?|no\.?|№))?{_GAP}\d"
    numbered = rf"\d+{_GAP}{_CLOSING}{_GAP}{words}"
    return re.compile(rf"[{re.escape(_BRACKETS)}]\\*(?={_GAP}(?:{spaced}|{numbered}))", re.IGNORECASE)


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
    return any(bracket in text for bracket in _BRACKETS)


def _may_hold_rule(text: str) -> bool:
    return sum(map(text.count, _DASHES)) >= 3  # noqa: PLR2004  a separator has three


def one_line(text: str, limit: int = TITLE_CHARS) -> str:
    r"""Fold white space and control characters into single blanks, and shorten with `…` to at most `limit` characters.

    >>> one_line("Handbuch\nTeil  2")
    'Handbuch Teil 2'
    """
    # A text of which only the beginning is shown need not be folded whole.
    line = " ".join(re.sub(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+", " ", text[: limit * 20]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def header(number: int, title: str, label: str) -> str:
    """Return the line above a passage, its line break included."""
    return f"[{label} {number}: {escape(title, label)}]\n"


def block(passage: Passage, label: str) -> str:
    """Return a passage under its header, ready to be joined by `SEPARATOR`."""
    return header(passage.number, passage.title, label) + escape(passage.text, label)


def render(passages: Iterable[Passage], label: str) -> str:
    """Return the context's text: every passage under its header, `SEPARATOR` between them."""
    return SEPARATOR.join(block(passage, label) for passage in passages)


def parse(text: str) -> tuple[Passage, ...]:
    """Read the passages of a context from its text alone: the inverse of `render`.

    Args:
        text: The text of a `Context`, in any language or with any label.

    Returns:
        Its passages with their numbers, titles and original wording.

    Raises:
        InputError: The text is no context.
    """
    if not text:
        return ()
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
