"""What a file is, by its first bytes: a name can be wrong.

It leaves out formats that nobody reads here, but says what they are, so that the error can.
"""

import io
import zipfile
from typing import Literal, TypeAlias

from kontextwerk.context.errors import DocumentError

Kind: TypeAlias = Literal["pdf", "docx", "pptx", "xlsx", "epub", "html", "markdown", "text", "csv"]

BY_SUFFIX: dict[str, Kind] = {
    ".csv": "csv",
    ".docx": "docx",
    ".epub": "epub",
    ".htm": "html",
    ".html": "html",
    ".markdown": "markdown",
    ".md": "markdown",
    ".pdf": "pdf",
    ".pptx": "pptx",
    ".text": "text",
    ".txt": "text",
    ".xlsx": "xlsx",
}
_BY_MEMBER: dict[str, Kind] = {  # the file that each kind of archive must hold
    "META-INF/container.xml": "epub",
    "ppt/presentation.xml": "pptx",
    "word/document.xml": "docx",
    "xl/workbook.xml": "xlsx",
}
_FOREIGN = {
    b"{\\rtf": ("is in Rich Text Format", "Save it as .docx or .pdf"),
    b"\x89PNG": ("is an image", "Pass it through text recognition (OCR) first"),
    b"\xff\xd8\xff": ("is an image", "Pass it through text recognition (OCR) first"),
    b"GIF8": ("is an image", "Pass it through text recognition (OCR) first"),
    b"\x1f\x8b": ("is compressed", "Unpack it first"),
    b"7z\xbc\xaf": ("is compressed", "Unpack it first"),
}
_COMPOUND = (
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # Microsoft's compound file: Office before 2007, and encrypted Office files
)
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_HEAD = 1024  # bytes in which the sign of a PDF may stand, by the PDF standard's implementation notes
_BINARY: frozenset[Kind] = frozenset({"docx", "pptx", "xlsx", "epub", "pdf"})


def kind_of(data: bytes, suffix: str, path: str) -> Kind:
    """Return what a file is: by its content, and by its suffix where the content does not tell.

    Raises:
        DocumentError: It is of a kind that cannot be read, or not what its suffix says.
    """
    named = BY_SUFFIX[suffix]
    if b"%PDF-" in data[:_HEAD]:
        return "pdf" if named in _BINARY or data.startswith(b"%PDF-") else named
    if data.startswith(b"PK\x03\x04"):
        return _archive(data, path)
    if data.startswith(_COMPOUND):
        if _ENCRYPTED in data:
            raise DocumentError(path, "is encrypted", "Save it without a password")
        raise DocumentError(path, "is in an Office format from before 2007", "Save it as .docx, .pptx or .xlsx")
    for sign, (reason, mend) in _FOREIGN.items():
        if data.startswith(sign):
            raise DocumentError(path, reason, mend)
    if named in _BINARY and _is_html(data):
        return "html"
    if named in _BINARY and named != "pdf":
        raise DocumentError(path, f"is no {suffix} file, or damaged", "Open it in its program and save it again")
    return named


def _archive(data: bytes, path: str) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = frozenset(archive.namelist())
    except Exception as error:  # damaged archives raise errors of many kinds
        raise DocumentError(path, "is damaged", "Copy or download it again") from error
    for member, kind in _BY_MEMBER.items():
        if member in names:
            return kind
    raise DocumentError(path, "is an archive, no document", "Unpack it and pass the files in it")


def _is_html(data: bytes) -> bool:
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"<!doctype html", b"<html"))
