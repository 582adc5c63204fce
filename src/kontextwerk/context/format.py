"""What a format of the context is: how a passage is written, and how it is read back.

`plain`, `markdown`, `xml_elements` and `json_array` are the formats; each keeps the same promise: whatever a passage
holds, its text is one passage, and reading it back gives the original wording. It leaves out which passages there are.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kontextwerk.context.model import Passage


@dataclass(frozen=True, slots=True)
class Format:
    """How passages become text. The whole is opening, passages with separators between them, closing.

    Attributes:
        head: From a number, a title on one line and the label to what stands before a passage's text.
        body: From a passage's text and the label to the text in which nothing can be read as a head or a separator.
        parse: From the whole text, which is not empty, to its passages.
        begins: Whether a text looks like the whole in this format.
        separator: What stands between two passages.
        tail: What stands behind a passage's text.
        opening: What stands before the first passage.
        closing: What stands behind the last one.
    """

    head: Callable[[int, str, str], str]
    body: Callable[[str, str], str]
    parse: Callable[[str], tuple[Passage, ...]]
    begins: Callable[[str], bool]
    separator: str
    tail: str = ""
    opening: str = ""
    closing: str = ""

    def block(self, passage: Passage, label: str) -> str:
        """Return a passage as it stands between separators."""
        return self.head(passage.number, passage.title, label) + self.body(passage.text, label) + self.tail
