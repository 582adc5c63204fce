"""Office files, e-books and web pages into Markdown, with markitdown.

It leaves out what is left to tidy in the Markdown: see `markdown`. Nothing is fetched from a network.
"""

import io
import re
import zipfile
from typing import Any, Literal

from kontextwerk.context.errors import DocumentError, MissingExtraError
from kontextwerk.documents.encoding import decode
from kontextwerk.documents.quiet import quietly

_MOST_UNPACKED = 1 << 30  # bytes: larger archives are made to fill the memory
_CHARSET = re.compile(rb"""(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})""", re.IGNORECASE)
_HEAD = 2048  # bytes in which a web page declares its encoding: twice what HTML's standard asks for
_SCREEN = re.compile(r"(?<=\|)(?: NaN| Unnamed: \d+)(?= \|)")  # what pandas writes for empty cells and headers

_MEND = "Open it in its program and save it again"


def to_markdown(data: bytes, kind: Literal["docx", "pptx", "xlsx", "epub", "html"], path: str) -> str:
    """Return a file's content as Markdown.

    Raises:
        DocumentError: The file is damaged.
        MissingExtraError: markitdown is not installed.
    """
    if kind == "html":
        data = _as_utf8(data, path)
    else:
        _check(data, path)
    with quietly():
        converter, info = _converter(kind)
        try:
            markdown: str = converter.convert(io.BytesIO(data), info).markdown
        except Exception as error:  # four formats, six parsers: any error of theirs means a damaged file
            raise DocumentError(path, f"cannot be read as .{kind} ({type(error).__name__})", _MEND) from error
    return _SCREEN.sub(" ", markdown) if kind == "xlsx" else markdown


def _converter(kind: str) -> tuple[Any, Any]:
    """Return the converter of a format, and what tells it about the data."""
    try:
        from markitdown import StreamInfo, converters
    except ImportError as error:
        raise MissingExtraError("markitdown", "documents") from error
    makers = {
        "docx": converters.DocxConverter,
        "pptx": converters.PptxConverter,
        "xlsx": converters.XlsxConverter,
        "epub": converters.EpubConverter,
        "html": converters.HtmlConverter,
    }
    return makers[kind](), StreamInfo(extension=f".{kind}", charset="utf-8")


def _check(data: bytes, path: str) -> None:
    """Refuse an archive that is encrypted or unpacks to more than a document can have."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    if sum(member.file_size for member in members) > _MOST_UNPACKED:
        raise DocumentError(path, "unpacks to more than 1 GiB", "Split it into smaller files")
    if any(member.flag_bits & 1 for member in members):
        raise DocumentError(path, "is encrypted", "Save it without a password")


def _as_utf8(data: bytes, path: str) -> bytes:
    """Return a web page in UTF-8, from the encoding that it declares or the one that fits."""
    found = _CHARSET.search(data[:_HEAD])
    try:
        return decode(data, declared=found[1].decode() if found else "").encode("utf-8", "replace")
    except UnicodeError as error:
        raise DocumentError(path, "is no text", "Check what is in it") from error
