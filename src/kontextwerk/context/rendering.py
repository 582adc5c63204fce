"""Passages into text in one of the formats, and back.

It leaves out how a passage looks in each format (see `plain`, `markdown`, `xml_elements`, `json_array`), which passages
there are, and what they cost.
"""

from collections.abc import Sequence

from kontextwerk.context.errors import InputError
from kontextwerk.context.format import Format
from kontextwerk.context.json_array import JSON
from kontextwerk.context.markdown import MARKDOWN
from kontextwerk.context.model import FormatName, Passage, Span
from kontextwerk.context.plain import PLAIN
from kontextwerk.context.xml_elements import XML

FORMATS: dict[FormatName, Format] = {"text": PLAIN, "markdown": MARKDOWN, "xml": XML, "json": JSON}


def render(passages: Sequence[Passage], label: str, form: Format = PLAIN) -> str:
    r"""Return the context's text: empty where there is no passage.

    >>> render([Passage(1, "Handbuch.pdf", "Im Erstgespräch.")], "Quelle")
    '[Quelle 1: Handbuch.pdf]\nIm Erstgespräch.'
    """
    if not passages:
        return ""
    return form.opening + form.separator.join([form.block(passage, label) for passage in passages]) + form.closing


def places(passages: Sequence[Passage], label: str, form: Format = PLAIN) -> tuple[Span, ...]:
    """Return where the text of each passage stands in what `render` returns, in characters."""
    found = []
    position = len(form.opening)
    for passage in passages:
        start = position + len(form.head(passage.number, passage.title, label))
        end = start + len(form.body(passage.text, label))
        found.append((start, end))
        position = end + len(form.tail) + len(form.separator)
    return tuple(found)


def parse(text: str) -> tuple[Passage, ...]:
    """Read the passages of a context from its text alone: the inverse of `render`.

    Args:
        text: The text of a `Context`, in any format and language, with any label.

    Returns:
        Its passages with their numbers, titles and original wording.

    Raises:
        InputError: The text is no context.
    """
    if not text:
        return ()
    for form in FORMATS.values():
        if form.begins(text):
            return form.parse(text)
    raise InputError("text", "does not begin with the header of a source", "Pass the text of a Context, unchanged")
