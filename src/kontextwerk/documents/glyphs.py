"""The characters of one PDF page, as PDFium places them, into lines.

It leaves out which lines belong together.
"""

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from kontextwerk.documents.characters import clean
from kontextwerk.documents.lines import Line

_PDFium: TypeAlias = Any
"""The module, or an object of it: it has no types."""
_Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""

# A line ends at a line break, or at the sign by which PDFium marks a hyphen that divides a word: U+FFFE, or 2 by
# character.
_LINE = re.compile("[^\r\n\x02\ufffe]+[\x02\ufffe]?|[\x02\ufffe]")
_VISIBLE = re.compile(r"[^\s\x00-\x20]|\x02")
_GAP = re.compile(r"(?<=[^\s\x00-\x20]) (?=[^\s\x00-\x20])")
_WIDE = 1.5  # sizes of type between two words, from which they stand in two cells of a table
_LEADERS = re.compile(r"(?:\s?\.){4,}\s*")  # the dots of a table of contents
_DOTS = re.compile(r"\.(?: \.){2}(?: (?=[«»“”)?!,;:]))?")  # an ellipsis, as some typesetters make it
# A number behind a word or a stop, or before a word at a line's beginning: the mark of a footnote, or a power.
_RAISABLE = re.compile(
    r"(?:(?P<word>[^\W\d_]{3})|(?<=[^\W\d_])|(?<=[.,;:!?)“”»]))(?P<behind>\d{1,3})(?!\w)|^(?P<first>\d{1,3})(?=[^\W\d_])"
)
_LIFTED = 0.15  # sizes of the text beside it by which a raised number is drawn above the line
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """A text page of PDFium, and how the page is turned when it is read: 0, 90, 180 or 270 degrees clockwise."""

    textpage: _PDFium
    raw: _PDFium
    turned: int

    def text(self) -> str:
        """Return the characters, so that each one's place is its number in PDFium."""
        count = self.textpage.count_chars()
        text: str = self.textpage.get_text_range()
        if len(text) == count:
            return text
        return "".join(chr(self.raw.FPDFText_GetUnicode(self.textpage, index)) for index in range(count))

    def box(self, index: int) -> _Box:
        """Return the box of a character on the page as it is read, as high as its font."""
        found = self.raw.FS_RECTF()
        self.raw.FPDFText_GetLooseCharBox(self.textpage, index, ctypes.byref(found))
        return self._turned(found.left, found.bottom, found.right, found.top)

    def foot(self, index: int) -> float:
        """Return the lower edge of what is drawn of a character."""
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        self.raw.FPDFText_GetCharBox(self.textpage, index, *map(ctypes.byref, (left, right, bottom, top)))
        return self._turned(left.value, bottom.value, right.value, top.value)[1]

    def baseline(self, index: int) -> float:
        """Return the height of the line on which a character stands."""
        across, up = ctypes.c_double(), ctypes.c_double()
        self.raw.FPDFText_GetCharOrigin(self.textpage, index, ctypes.byref(across), ctypes.byref(up))
        return self._turned(across.value, up.value, across.value, up.value)[1]

    def _turned(self, left: float, bottom: float, right: float, top: float) -> _Box:
        turns = {
            90: (bottom, -right, top, -left),
            180: (-right, -top, -left, -bottom),
            270: (-top, left, -bottom, right),
        }
        return turns.get(self.turned, (left, bottom, right, top))

    def size(self, index: int) -> float:
        """Return the size of a character's type in points, however it is scaled."""
        matrix = self.raw.FS_MATRIX()
        self.raw.FPDFText_GetMatrix(self.textpage, index, ctypes.byref(matrix))
        return float(self.raw.FPDFText_GetFontSize(self.textpage, index) * (math.hypot(matrix.c, matrix.d) or 1))


def lines(textpage: _PDFium, turned: int) -> Iterator[Line]:
    """Yield the lines of a page in PDFium's reading order.

    Args:
        textpage: PDFium's text page.
        turned: By how many degrees clockwise the page is turned when it is read.
    """
    from pypdfium2 import raw

    glyphs = _Glyphs(textpage, raw, turned)
    for match in _LINE.finditer(glyphs.text()):
        line = _line(glyphs, match[0], match.start())
        if line is not None:
            yield line


def _line(glyphs: _Glyphs, text: str, start: int) -> Line | None:
    visible = [start + found.start() for found in _VISIBLE.finditer(text)]
    if not visible:
        return None
    size = sorted(glyphs.size(visible[place]) for place in (0, len(visible) // 2, -1))[1]
    gaps = [start + found.start() for found in _GAP.finditer(text)]
    wide = sum(glyphs.box(gap + 1)[0] - glyphs.box(gap - 1)[2] > _WIDE * size for gap in gaps)
    first, last = glyphs.box(visible[0]), glyphs.box(visible[-1])
    # In a line that is set upright, all that stands behind a character is above it.
    text = _with_raised(glyphs, text, start) if abs(last[1] - first[1]) < size else text
    text = text[:-1] + "-" if text[-1] in "\x02\ufffe" else text
    text = clean(_DOTS.sub("…", _LEADERS.sub(" … ", text))).strip()
    if not text:
        return None
    left, bottom = min(first[0], last[0]), min(first[1], last[1])
    right, top = max(first[2], last[2]), max(first[3], last[3])
    return Line(text, size, left, right, bottom, top, 1 + wide)


def _with_raised(glyphs: _Glyphs, text: str, start: int) -> str:
    """Write raised numbers as such: "m²"; and apart from a longer word, which so stays itself: "Recht ³"."""
    parts, end = [], 0
    for match in _RAISABLE.finditer(text):
        name = "behind" if match["behind"] else "first"
        first, last = match.span(name)
        if _is_raised(glyphs, start + first, start + (first - 1 if name == "behind" else last)):
            before, after = " " if match["word"] else "", " " if name == "first" else ""
            parts.append(f"{text[end:first]}{before}{match[name].translate(_SUPERSCRIPTS)}{after}")
            end = last
    return "".join((*parts, text[end:]))


def _is_raised(glyphs: _Glyphs, index: int, beside: int) -> bool:
    return glyphs.foot(index) - glyphs.baseline(beside) > _LIFTED * glyphs.size(beside)
