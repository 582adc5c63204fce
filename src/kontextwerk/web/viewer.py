"""A document as it is read on the page: the text of a file, and the image of a page of a PDF with evidence marked.

It leaves out where the file lies and who may see it: see `pages`.
"""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from kontextwerk.context.errors import DocumentError, MissingExtraError
from kontextwerk.context.model import Span
from kontextwerk.documents import Document, read
from kontextwerk.documents.quiet import quietly

SCALE = 1.6
"""Pixels a point: a page of A4 is about 950 pixels wide."""
WORDS = 6
"""How many words in a row are searched for where a sentence as a whole is not found on a page."""
MARKER = (255, 232, 140)


@lru_cache(maxsize=4)
def text_of(path: str, changed: int) -> Document:  # noqa: ARG001  part of the key: the file's time of change
    """Return a file as text.

    Raises:
        DocumentError: It cannot be read.
    """
    return read(Path(path))


def find(text: str, wanted: str, near: Sequence[Span] = ()) -> Span | None:
    """Return where a wording stands in a text, white space aside; near some spans where it stands there."""
    words = wanted.split()
    if not words:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    for start, end in near:
        if found := pattern.search(text, max(start - 200, 0), end + 200):
            return found.span()
    found = pattern.search(text)
    return found.span() if found else None


def page_count(path: Path) -> int:
    """Return how many pages a PDF has; 0 for a file that is none."""
    try:
        with _opened(path) as pdf:
            return len(pdf)
    except DocumentError:
        return 0


def page_image(path: Path, number: int, marks: Sequence[str] = ()) -> bytes:
    """Return a page of a PDF as a PNG image.

    Args:
        path: The file.
        number: From 1.
        marks: Wordings that are marked on it, as far as they stand there.

    Raises:
        DocumentError: It is no PDF, or has no such page.
    """
    try:
        from PIL import Image, ImageChops, ImageDraw
    except ImportError as error:
        raise MissingExtraError("pillow", "web") from error
    with _opened(path) as pdf:
        if not 1 <= number <= len(pdf):
            raise DocumentError(path.name, f"has no page {number}", f"It has {len(pdf)}")
        page = pdf[number - 1]
        image = page.render(scale=SCALE).to_pil().convert("RGB")
        height = page.get_height()
        layer = Image.new("RGB", image.size, "white")
        pen = ImageDraw.Draw(layer)
        for left, bottom, right, top in _boxes(page, marks):
            corners = (left * SCALE - 2, (height - top) * SCALE - 1, right * SCALE + 2, (height - bottom) * SCALE + 1)
            pen.rectangle(corners, fill=MARKER)
    file = io.BytesIO()
    ImageChops.multiply(image, layer).save(file, "PNG")  # as a marker does: what is written stays black
    return file.getvalue()


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a PDF for as long as it is looked at, while no other thread is in PDFium, which is not thread-safe."""
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingExtraError("pypdfium2", "documents") from error
    with quietly():
        try:
            pdf = pypdfium2.PdfDocument(path)
        except (pypdfium2.PdfiumError, OSError) as error:
            raise DocumentError(path.name, "is no PDF that can be shown", "Open the file itself") from error
        try:
            yield pdf
        finally:
            pdf.close()


def _boxes(page: Any, marks: Sequence[str]) -> list[tuple[float, float, float, float]]:  # noqa: ANN401
    """Return the rectangles, in points, in which wordings stand on a page."""
    text = page.get_textpage()
    written = text.get_text_range()
    boxes = []
    for mark in marks:
        for start, end in _stretches(written, mark):
            count = text.count_rects(start, end - start)
            boxes += [text.get_rect(index) for index in range(count)]
    return boxes


def _stretches(written: str, mark: str) -> list[Span]:
    """Return where a wording stands: as a whole, else its runs of words, as where words are hyphenated at a line."""
    if whole := find(written, mark):
        return [whole]
    words = mark.split()
    runs = (" ".join(words[start : start + WORDS]) for start in range(0, max(len(words) - 1, 1), WORDS - 2))
    return [span for run in runs if (span := find(written, run))]
