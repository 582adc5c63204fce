"""Writes small PDFs for tests: text in Helvetica at given places, bookmarks, turned pages, and a password.

It leaves out everything else that a PDF can have. The encryption is the standard's oldest (40-bit RC4, revision 2),
which needs nothing but MD5.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")  # ISO 32000-1, 7.6.3.3
_ID = b"0123456789abcdef"
_PERMISSIONS = b"\xfc\xff\xff\xff"  # all
_ROOT, _TREE, _FONT = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: where it begins (points from the lower left), its size in points, and its words."""

    left: float
    bottom: float
    size: float
    words: str


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A bookmark of the outline: its words, the page it points at (from 0), and how high on it."""

    words: str
    page: int
    top: float


def column(words: Iterable[str], *, left: float = 70, top: float = 750, size: float = 11) -> list[Text]:
    """Return lines below each other, set with a distance of 1.2 sizes; an empty one leaves a gap."""
    return [Text(left, top - 1.2 * size * row, size, line) for row, line in enumerate(words) if line]


def pdf(  # noqa: PLR0913  each argument is one property of the file
    pages: Sequence[Sequence[Text]],
    *,
    bookmarks: Sequence[Bookmark] = (),
    turned: int = 0,
    labels: str = "",
    user_password: str | None = None,
    owner_password: str = "owner",  # noqa: S107  a test's own
) -> bytes:
    """Return a PDF with these pages of A4; with a user password (perhaps an empty one) it is encrypted.

    `labels` says how pages are called, as PDF writes it: `0 << /S /r >>` for Roman numerals from the first page on.
    """
    key = None if user_password is None else _key(user_password, owner_password)
    kids = " ".join(f"{_page(index)} 0 R" for index in range(len(pages)))
    first = _page(len(pages))
    outline = f" /Outlines {first} 0 R" if bookmarks else ""
    named = f" /PageLabels << /Nums [{labels}] >>" if labels else ""
    objects = {
        _ROOT: f"<< /Type /Catalog /Pages {_TREE} 0 R{outline}{named} >>".encode(),
        _TREE: f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        _FONT: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    for index, page in enumerate(pages):
        number = _page(index)
        objects[number] = (
            f"<< /Type /Page /Parent {_TREE} 0 R /MediaBox [0 0 595 842] /Rotate {turned} /Contents {number + 1} 0 R "
            f"/Resources << /Font << /F1 {_FONT} 0 R >> >> >>"
        ).encode()
        content = b"\n".join(map(_drawn, page))
        if key is not None:
            content = _rc4(_object_key(key, number + 1), content)
        objects[number + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)
    objects.update(_outline(bookmarks, first, key))
    return _file(objects, b"" if user_password is None else _encryption(user_password, owner_password))


def _page(index: int) -> int:
    """Return the object number of a page; its content has the next one."""
    return _FONT + 1 + 2 * index


def _drawn(text: Text) -> bytes:
    words = text.words.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F1 %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET" % (text.size, text.left, text.bottom, words)


def _outline(bookmarks: Sequence[Bookmark], first: int, key: bytes | None) -> dict[int, bytes]:
    if not bookmarks:
        return {}
    last = first + len(bookmarks)
    objects = {first: b"<< /Type /Outlines /First %d 0 R /Last %d 0 R >>" % (first + 1, last)}
    for number, bookmark in enumerate(bookmarks, first + 1):
        title = b"\xfe\xff" + bookmark.words.encode("utf-16-be")
        title = title if key is None else _rc4(_object_key(key, number), title)
        following = b"/Next %d 0 R " % (number + 1) if number < last else b""
        target = b"/Dest [%d 0 R /XYZ 0 %g 0]" % (_page(bookmark.page), bookmark.top)
        objects[number] = (
            b"<< /Title <%s> /Parent %d 0 R " % (title.hex().encode(), first) + following + target + b" >>"
        )
    return objects


def _file(objects: dict[int, bytes], encryption: bytes) -> bytes:
    data = b"%PDF-1.4\n"
    places = []
    for number in sorted(objects):
        places.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    size = len(objects) + 1
    return data + b"".join(
        (
            b"xref\n0 %d\n0000000000 65535 f \n" % size,
            *places,
            b"trailer\n<< /Size %d /Root %d 0 R %s" % (size, _ROOT, encryption),
            b"/ID [<%s> <%s>] >>\n" % (_ID.hex().encode(), _ID.hex().encode()),
            b"startxref\n%d\n%%%%EOF\n" % len(data),
        )
    )


def _encryption(user_password: str, owner_password: str) -> bytes:
    owner = _owner_entry(user_password, owner_password)
    user = _rc4(_key(user_password, owner_password), _PADDING)
    return b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P %d >> " % (
        owner.hex().encode(),
        user.hex().encode(),
        int.from_bytes(_PERMISSIONS, "little", signed=True),
    )


def _key(user_password: str, owner_password: str) -> bytes:
    return _md5(_padded(user_password) + _owner_entry(user_password, owner_password) + _PERMISSIONS + _ID)[:5]


def _owner_entry(user_password: str, owner_password: str) -> bytes:
    return _rc4(_md5(_padded(owner_password))[:5], _padded(user_password))


def _object_key(key: bytes, number: int) -> bytes:
    return _md5(key + number.to_bytes(3, "little") + b"\0\0")[:10]


def _padded(password: str) -> bytes:
    return (password.encode("cp1252") + _PADDING)[:32]


def _md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def _rc4(key: bytes, data: bytes) -> bytes:
    state, other = list(range(256)), 0
    for index in range(256):
        other = (other + state[index] + key[index % len(key)]) % 256
        state[index], state[other] = state[other], state[index]
    index = other = 0
    result = bytearray()
    for byte in data:
        index = (index + 1) % 256
        other = (other + state[index]) % 256
        state[index], state[other] = state[other], state[index]
        result.append(byte ^ state[(state[index] + state[other]) % 256])
    return bytes(result)
