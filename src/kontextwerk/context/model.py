"""The words of the project as types. Read this first: the rest are functions from one of these to the next.

    Chunk  ──selection, packing──▶  Passage + Decision  ──rendering──▶  Context

All are frozen: a stage makes new values. This module leaves out how any of them is made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Counter: TypeAlias = Callable[[str], int]
"""From text to its number of tokens."""

Similarity: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""From a question and texts to how close each is to it in meaning: the cosine of their embeddings, -1 to 1."""

Language: TypeAlias = Literal["de", "en"]
"""The language of labels that people read."""

FormatName: TypeAlias = Literal["text", "markdown", "xml", "json"]
"""How passages are written: the specification's text, Markdown headings, XML elements, a JSON array."""

Order: TypeAlias = Literal["relevance", "document", "ends"]
"""In what order passages stand: best first; those of a document together, in its order; or the best at both ends."""

Numbering: TypeAlias = Literal["passage", "document"]
"""What has a number of its own."""

Scores: TypeAlias = Literal["similarity", "distance", "rank"]
"""What scores mean: of similarities the highest is best; of distances and ranks the lowest."""

Span: TypeAlias = tuple[int, int]
"""Start and end: characters of a text, the end excluded; or pages, the end included."""

Outcome: TypeAlias = Literal["kept", "trimmed", "merged", "duplicate", "over_budget", "below_score", "empty"]
"""What became of a chunk."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one document, with its score and where it stands.

    Attributes:
        text: The wording; empty where the hit had no usable text.
        title: The document's title; empty where it is unknown.
        score: How well it fits the question (see `Scores`); None where absent or no finite number.
        id: The hit's own identifier, as text; may be empty.
        document_id: Chunks with the same one are pieces of the same document; may be empty.
        path: Where the document lies, to tell apart documents of one title; may be empty.
        link: An address at which a person can open the document; may be empty.
        section: The headings above it, outermost first.
        pages: First and last page, from 1, the last included.
        page_labels: The same as printed on the pages, such as "iv"; None where they are not known.
        span: Start and end in the document's text, in characters.
        fault: Why the text or the score of the hit could not be used; empty where both could.
    """

    text: str
    title: str = ""
    score: float | None = None
    id: str = ""
    document_id: str = ""
    path: str = ""
    link: str = ""
    section: tuple[str, ...] = ()
    pages: Span | None = None
    page_labels: tuple[str, str] | None = None
    span: Span | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """Text that stands in the context under one source number.

    Attributes:
        number: Its source number, from 1.
        title: The title in its header, on one line.
        text: The wording, with `[…]` where something was left out.
    """

    number: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """The numbered entry that a person sees for a passage, or for all passages of a document.

    Attributes:
        number: The number in the header of the context and in citations.
        title: The document's title, or the language's word for an unknown one.
        pages: First and last page, from 1, the last included.
        page_labels: The same as printed on the pages; None where they are not known.
        section: The headings above the passage, outermost first.
        link: An address at which the document can be opened; may be empty.
        path: Where the document lies; may be empty.
        score: The best score of the chunks in the passage, or None.
        excerpt: The beginning of the passage on one line, at most 200 characters.
        text: The passage, as in `Passage.text`; of several the texts with `[…]` on a line between them.
        document_id: The document; may be empty.
        chunk_ids: The identifiers of the chunks in it.
        spans: Where what stands of it stands in the document's text, in characters; empty where that is not known.
        places: Where its passages stand in the context's text, in characters.
        tokens: What it costs in the context, headers and separators counted.
    """

    number: int
    title: str
    pages: Span | None
    page_labels: tuple[str, str] | None
    section: tuple[str, ...]
    link: str
    path: str
    score: float | None
    excerpt: str
    text: str
    document_id: str
    chunk_ids: tuple[str, ...]
    spans: tuple[Span, ...]
    places: tuple[Span, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one hit, and why.

    Attributes:
        hit: The hit's place in the input, from 0.
        id: The hit's identifier; may be empty.
        title: Its document's title.
        score: Its score, or None.
        outcome: `kept` whole, `trimmed` to some of its sentences, `merged` into a neighbour's passage, left out as a
            `duplicate`, `over_budget`, `below_score` or `empty`.
        source: The number of the source in which its text (or its twin's) stands, or None.
        figure: The number that explains the outcome. `kept`, `trimmed`, `merged`: tokens of the passage in which it
            stands; `over_budget`: tokens that the context leaves of its budget; `duplicate`: likeness to its twin, 0 to
            1; `below_score`: the lowest score that was asked for; `empty`: characters of usable text, 0.
        reason: The outcome in a sentence, in English.
    """

    hit: int
    id: str
    title: str
    score: float | None
    outcome: Outcome
    source: int | None
    figure: float
    reason: str
