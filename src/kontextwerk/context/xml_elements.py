"""XML: an element for each source, for models that prefer tags.

    <sources>
    <source number="1" title="Coaching-Handbuch.pdf">
    <text>
    </source>
    </sources>

Any XML parser reads it, the characters aside that XML 1.0 cannot hold at all: those stand as references such as `&#0;`,
so that nothing is lost. The label does not show; the title of an unknown document does.
"""

import re
from html import unescape

from kontextwerk.context.errors import InputError
from kontextwerk.context.format import Format
from kontextwerk.context.model import Passage

_OPENING, _CLOSING, _TAIL = "<sources>\n", "\n</sources>", "\n</source>"
# "\r" is among them: a parser would read it as a line feed.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&#([0-9]+);|&(?:amp|lt|gt|quot);")
_SOURCE = re.compile(r'<source number="([0-9]+)" title="([^"<\n]*)">\n([^<]*)\n</source>\n?')


def head(number: int, title: str, label: str) -> str:  # noqa: ARG001  one signature for all formats
    """Return the opening tag, its line break included."""
    return f'<source number="{number}" title="{_escaped(title).replace(chr(34), "&quot;")}">\n'


def body(text: str, label: str) -> str:  # noqa: ARG001  one signature for all formats
    """Escape what XML gives a meaning.

    >>> body("</source> & Co.", "Quelle")
    '&lt;/source> &amp; Co.'
    """
    return _escaped(text)


def _escaped(text: str) -> str:
    if "&" in text or "<" in text or "]]>" in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
    return _UNPRINTABLE.sub(lambda match: f"&#{ord(match[0])};", text)


def _original(text: str) -> str:
    # `html.unescape` would turn a reference to a control character into something else.
    return _REFERENCE.sub(lambda match: chr(int(match[1])) if match[1] else unescape(match[0]), text)


def parse(text: str) -> tuple[Passage, ...]:
    """Read the passages back."""
    end = len(text) - len(_CLOSING)
    passages, position = [], len(_OPENING)
    while text.endswith(_CLOSING) and position < end:
        found = _SOURCE.match(text, position)
        if found is None:
            break
        passages.append(Passage(int(found[1]), _original(found[2]), _original(found[3])))
        position = found.end()
    if position != end + 1:
        raise InputError("text", "is no list of source elements", "Pass the text of a Context, unchanged")
    return tuple(passages)


XML = Format(
    head,
    body,
    parse,
    begins=lambda text: text.startswith(_OPENING),
    separator="\n",
    tail=_TAIL,
    opening=_OPENING,
    closing=_CLOSING,
)
