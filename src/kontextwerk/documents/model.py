"""What a file becomes: one text, and where its headings and pages stand in it.

It leaves out how each format gets there: see `read`.
"""

from dataclasses import dataclass

from kontextwerk.context.model import Span


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, and where the section under it begins.

    Attributes:
        start: Where it stands in the document's text, in characters.
        level: 1 for the outermost.
        text: Its wording on one line, without markup.
    """

    start: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    r"""A file as text.

    Attributes:
        title: The file's name.
        path: Where the file lies.
        text: All of its text: Markdown where the format has structure, paragraphs otherwise; lines end in `\n`,
            characters are composed (NFC).
        headings: In the order of the text.
        pages: Start and end of each page in the text, in characters; or of each slide. Empty for formats without pages.
        page_labels: What each page is called on paper, such as "iv"; empty where that is its number.
    """

    title: str
    path: str
    text: str
    headings: tuple[Heading, ...] = ()
    pages: tuple[Span, ...] = ()
    page_labels: tuple[str, ...] = ()
