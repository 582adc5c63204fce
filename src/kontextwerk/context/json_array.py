"""JSON: an array with an object for each source, one a line.

    [
    {"number": 1, "title": "Coaching-Handbuch.pdf", "text": "<text>"},
    {"number": 2, "title": "Teamentwicklung.pdf", "text": "<text>"}
    ]

The label does not show; the title of an unknown document does.
"""

import json
from typing import Any

from kontextwerk.context.errors import InputError
from kontextwerk.context.format import Format
from kontextwerk.context.model import Passage

_OPENING, _CLOSING = "[\n", "\n]"


def head(number: int, title: str, label: str) -> str:  # noqa: ARG001  one signature for all formats
    """Return the object up to its text."""
    return f'{{"number": {number}, "title": {json.dumps(title, ensure_ascii=False)}, "text": "'


def body(text: str, label: str) -> str:  # noqa: ARG001  one signature for all formats
    r"""Escape what JSON gives a meaning.

    >>> print(body('"Ja"', "Quelle"))
    \"Ja\"
    """
    return json.dumps(text, ensure_ascii=False)[1:-1]


def parse(text: str) -> tuple[Passage, ...]:
    """Read the passages back."""
    try:
        return tuple(_passage(item) for item in json.loads(text))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("text", f"is no list of sources ({error})", "Pass the text of a Context, unchanged") from error


def _passage(item: Any) -> Passage:  # noqa: ANN401  whatever stands in the text
    return Passage(int(item["number"]), str(item["title"]), str(item["text"]))


JSON = Format(
    head,
    body,
    parse,
    begins=lambda text: text.startswith(_OPENING + "{"),
    separator=",\n",
    tail='"}',
    opening=_OPENING,
    closing=_CLOSING,
)
