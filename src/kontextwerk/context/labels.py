"""The words and marks that stand in a context beside the texts of the documents, and titles on one line.

It leaves out how they are put together: see `rendering`.
"""

import re
from dataclasses import dataclass

from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language

ELISION = "[…]"
TITLE_CHARS = 200
LABEL_CHARS = 40
LABEL = r"[^\W\d_]+(?:[ .-][^\W\d_]+)*"
"""The pattern of a label: without a digit, so that the first number in a header is the source's."""


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
        if len(self.source) > LABEL_CHARS or not re.fullmatch(LABEL, self.source):
            raise InputError(
                f"label {self.source!r}", "cannot head a source", "Use words of letters, 40 characters at most"
            )
        if not self.unknown.strip():
            raise InputError("label for an unknown title", "is empty", "Use a word such as 'Unknown'")


LABELS: dict[Language, Labels] = {"de": Labels("Quelle", "Unbekannt"), "en": Labels("Source", "Unknown")}

GAP = r"[\s\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*"
"""What may stand unseen between the characters of a forged header: white space, soft hyphens, zero-width characters."""
UNSEEN = (
    r"[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
    r"|[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
"""One such character within a line."""
_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
LINE_BREAK = r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
LINE_START = rf"(?:^|(?<={LINE_BREAK}))"
LINE_END = rf"(?=$|{LINE_BREAK})"


def numbered(label: str) -> str:
    """Return a pattern for what reads as the label with a number, in any of our languages, unseen characters or not."""
    own = re.escape(label).replace(r"\ ", GAP)
    return rf"(?:{own}|Quellen?|Sources?)(?:{GAP}(?:nr\.?|no\.?|№))?{GAP}\d"


def one_line(text: str, limit: int = TITLE_CHARS) -> str:
    r"""Fold white space and control characters into single blanks, and shorten with `…` to at most `limit` characters.

    >>> one_line("Handbuch\nTeil  2")
    'Handbuch Teil 2'
    """
    # A text of which only the beginning is shown need not be folded whole.
    line = _folded(text[: limit * 2])
    if len(line) <= limit and len(text) > limit * 2:
        line = _folded(text[: limit * 20])
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _folded(text: str) -> str:
    return " ".join(_BLANKS.sub(" ", text).split())
