"""A document's text into sections: what stands under one heading.

A heading without text of its own goes with the section below it, and a tiny section with the next one of the same
parent. It leaves out how a section is cut: see `split`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kontextwerk.documents.model import Document

_UNDERLINE = re.compile(r"[\s=\-#]*")


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document's text under one path of headings.

    Attributes:
        start: Its first character.
        end: Behind its last character.
        path: The headings that hold for its first text, outermost first.
        has_body: There is text in it besides headings.
    """

    start: int
    end: int
    path: tuple[str, ...]
    has_body: bool


def sections(document: Document, tiny: int, most: int) -> tuple[Section, ...]:
    """Return the sections of a document, in order and without gaps.

    Args:
        document: The document.
        tiny: Characters below which a section is joined with the next one of the same parent,
        most: as long as both together have no more characters than this.
    """
    joined: list[Section] = []
    for section in _plain(document):
        last = joined[-1] if joined else None
        if last is not None and not last.has_body:
            joined[-1] = Section(last.start, section.end, section.path, section.has_body)
        elif last is not None and _belongs(last, section, tiny, most):
            joined[-1] = Section(last.start, section.end, last.path, has_body=True)
        else:
            joined.append(section)
    return tuple(joined)


def _plain(document: Document) -> Iterator[Section]:
    """Yield what stands before the first heading, and what stands from each heading to the next."""
    text = document.text
    above: list[tuple[int, str]] = []
    starts = [*(heading.start for heading in document.headings), len(text)]
    if starts[0]:
        yield Section(0, starts[0], (), has_body=bool(text[: starts[0]].strip()))
    for heading, end in zip(document.headings, starts[1:], strict=True):
        above = [(level, name) for level, name in above if level < heading.level]
        above.append((heading.level, heading.text))
        line_end = text.find("\n", heading.start, end)
        has_body = line_end >= 0 and _UNDERLINE.fullmatch(text, line_end, end) is None
        yield Section(heading.start, end, tuple(name for _, name in above), has_body)


def _belongs(last: Section, section: Section, tiny: int, most: int) -> bool:
    """Say whether a tiny section goes together with the next one."""
    siblings = len(last.path) > 0 and last.path[:-1] == section.path[:-1]
    return siblings and last.end - last.start < tiny and section.end - last.start <= most
