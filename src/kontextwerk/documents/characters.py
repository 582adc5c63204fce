"""Which characters a document's text holds, and in which form, so that equal words are equal.

It leaves out words and lines: what a hyphen at a line's end means is in `hyphens`.
"""

import re
import unicodedata

_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
# Controls, the marks of byte order and zero width, noncharacters. Joiners stay: emoji and many scripts need them.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\ufdd0-\ufdef\ufffe\uffff]+")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SOFT_BREAK = re.compile("\u00ad[ \t]*(?:\n[ \t]*(?=\\w))?")
_BLANKS_AT_END = re.compile(r"[^\S\n]+(?=\n|\Z)")
_BLANK_LINES = re.compile(r"\n{3,}")
_FORMS = str.maketrans(
    {  # ligatures; and the bullets of symbol fonts, which lie in the private use area
        "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
        "\uf0b7": "•", "\uf0a7": "•", "\uf0d8": "•", "\uf076": "•", "\uf0fc": "•",
    }
)  # fmt: skip


def clean(text: str) -> str:
    r"""Return the text in the form that documents hold.

    Lines end in `\n` and in no blank, at most one blank line stands between two, letters are composed (NFC) and
    ligatures resolved; control characters, soft hyphens and zero-width spaces are gone, lone surrogates are U+FFFD.

    >>> clean("Gro\u0308ße\r\nAuf\u00adtrag \n\n\n\nﬁnden\0")
    'Größe\nAuftrag\n\nfinden'
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _INVISIBLE.sub("", text)
    if _SURROGATES.search(text):  # two that belong together are one character
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _SOFT_BREAK.sub("", text).translate(_FORMS)
    text = unicodedata.normalize("NFC", text)
    return _BLANK_LINES.sub("\n\n", _BLANKS_AT_END.sub("", text)).strip("\n")
