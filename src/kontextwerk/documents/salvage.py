"""A damaged PDF, made readable as far as its pages are still there.

A PDF's table of contents stands at its end, and a truncated file has lost it; PDFium finds the objects again, but not
which of them are pages. Here they get a new catalog. It leaves out every other damage.
"""

import re

_OBJECT = re.compile(rb"(?<!\d)(\d{1,7})\s+\d{1,5}\s+obj\b")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_KIDS = re.compile(rb"/Kids\s*\[([^\]]{0,1000000})\]")
_REFERENCE = re.compile(rb"(\d{1,7})\s+\d{1,5}\s+R\b")
_DICTIONARY = 4096  # bytes behind the beginning of an object in which its type stands
_TREE, _CATALOG = 9_999_998, 9_999_999  # numbers of the new objects, beyond those of real files


def with_catalog(data: bytes) -> bytes | None:
    """Return the file with a catalog of the pages that are in it, or None where none is found."""
    pages = _pages(data)
    if not pages:
        return None
    kids = b" ".join(b"%d 0 R" % page for page in pages)
    return b"".join(
        (
            data,
            b"\nendstream\nendobj\n",  # what the file's end may have cut off
            b"%d 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n" % (_TREE, len(pages), kids),
            b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (_CATALOG, _TREE),
            b"trailer\n<</Root %d 0 R/Size %d>>\nstartxref\n0\n%%%%EOF\n" % (_CATALOG, _CATALOG + 1),
        )
    )


def _pages(data: bytes) -> list[int]:
    """Return the object numbers of the pages: as the lists that are left order them, then as they stand in the file."""
    found = list(_OBJECT.finditer(data))
    starts = [*(match.start() for match in found), len(data)]
    pages = {
        int(match[1]): None
        for match, end in zip(found, starts[1:], strict=True)
        if _PAGE.search(data, match.end(), min(end, match.end() + _DICTIONARY))
    }
    listed = [int(number) for kids in _KIDS.findall(data) for number in _REFERENCE.findall(kids)]
    return list(dict.fromkeys([*(number for number in listed if number in pages), *pages]))


def is_legible(text: str) -> bool:
    """Say whether a page reads as text: a page that has lost its fonts yields signs at random."""
    visible = [character for character in text if not character.isspace()]
    return sum(character.isalnum() for character in visible) > 0.6 * len(visible)
