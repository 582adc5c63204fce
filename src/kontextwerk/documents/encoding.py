"""Bytes into characters, whatever encoding they are in.

A byte order mark decides; without one UTF-16 and UTF-32 are known by their NUL bytes, UTF-8 by its rules, and the rest
by how likely their umlauts and quotation marks stand where they stand. Text that was decoded wrongly before it was
saved ("Ã¤" for "ä") is repaired. It leaves out which characters are kept: see `characters`.
"""

import codecs
import re

_MARKS = (  # the longer first: the mark of UTF-32 begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_NARROW = ("cp1252", "iso8859-15", "mac_roman", "cp850", "cp437")  # likeliest first: it wins where two fit equally well
_SAMPLE = 1 << 16  # bytes that decide for the whole file

_UMLAUTS = frozenset("äöüÄÖÜß")
_ACCENTED = frozenset("éèêëàâáãåæçíìîïñóòôõøœúùûýÿÉÈÀÂÁÅÆÇÍÎÑÓÔØŒÚšžŠŽ")
_SIGNS = frozenset("„“”‚‘’«»‹›–—…•·€§°©®²³½¼µ×\u00a0")
_LAST_PLANE = 0x10  # of Unicode
_MOST_BINARY = 0.05  # of all characters: real texts hold a stray NUL now and then, random bytes one in nine
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")

_HALF = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"  # a continuation byte of UTF-8, read as Latin-1 or Windows-1252
_TWICE = re.compile(f"[ÂÃ]{_HALF}|â[\u0080\u0082\u0084\u0086€‚„†]{_HALF}|ð[\u009fŸ]{_HALF}{{2}}")
_TWICE_LEAST = 3  # a single "Ã¤" may be meant


def decode(data: bytes, declared: str = "") -> str:
    """Return the text that the bytes hold.

    Args:
        data: The bytes of a whole file.
        declared: The encoding that they declare of themselves, if any; what they are counts more.

    Raises:
        UnicodeError: The bytes are no text.

    >>> decode("Größe".encode("mac_roman")), decode("Größe".encode("utf-16-be"))
    ('Größe', 'Größe')
    """
    text = _decoded(data, declared)
    sample = text[:_SAMPLE]
    if len(_BINARY.findall(sample)) > len(sample) * _MOST_BINARY:
        raise UnicodeError("no text")
    return _once(text)


def _decoded(data: bytes, declared: str) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if encoding := _wide(data):
        return data.decode(encoding, "replace")
    text = data.decode("utf-8", "surrogateescape")
    strays = len(re.findall("[\udc80-\udcff]", text))
    if not strays:
        return text
    if declared and (named := _named(data, declared)):
        return named
    # Some valid sequences beside stray bytes: pieces of two files in one. Latin text holds valid ones only by chance.
    if len(re.findall("[^\x00-\x7f\udc80-\udcff]", text)) * 2 > strays:
        return re.sub("[\udc80-\udcff]+", lambda match: _latin(match[0].encode("utf-8", "surrogateescape")), text)
    return data.decode(_narrow(data[:_SAMPLE]), "replace")


def _named(data: bytes, encoding: str) -> str:
    """Return the text in an encoding by its name, or an empty string where that cannot be."""
    try:
        # Web pages that say Latin-1 mean Windows-1252, as the encoding standard of the web has it.
        return _latin(data) if codecs.lookup(encoding).name == "iso8859-1" else data.decode(encoding)
    except (LookupError, ValueError):
        return ""


def _wide(data: bytes) -> str:
    """Return the encoding in two or four bytes a character that fits bytes without a mark, or an empty string."""
    sample = data[:_SAMPLE]
    if b"\0" not in sample:
        return ""
    quads = [sample[place : len(sample) // 4 * 4 : 4] for place in range(4)]
    for encoding, highest, plane in (("utf-32-le", quads[3], quads[2]), ("utf-32-be", quads[0], quads[1])):
        if plane and not any(highest) and max(plane) <= _LAST_PLANE:
            return encoding
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    least, most = sorted((even, odd))
    # Latin letters have a zero in nearly every unit; other scripts only in blanks, line ends and digits.
    if least * 4 > most or most < len(sample) / 2 * 0.01 or (most < len(sample) / 2 * 0.3 and _is_utf8(sample)):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_utf8(data: bytes) -> bool:
    """Say whether bytes read as UTF-8, NULs aside."""
    text = data.replace(b"\0", b"").decode("utf-8", "replace")
    return len(_BINARY.findall(text)) <= len(text) * _MOST_BINARY


def _latin(data: bytes) -> str:
    """Decode Windows-1252, and as Latin-1 the five bytes that it leaves open."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _narrow(data: bytes) -> str:
    """Return the encoding in one byte a character (or an East Asian one) that fits best."""
    high = sum(byte > 0x7F for byte in data)  # noqa: PLR2004  the end of ASCII
    letters = sum(bytes((byte,)).isalpha() for byte in data)
    scores = {encoding: _fit(data.decode(encoding, "replace")) for encoding in _NARROW}
    best = max(scores, key=lambda encoding: scores[encoding])
    if scores[best] > high and high < letters:
        return best
    try:
        from charset_normalizer import from_bytes  # for other scripts and languages
    except ImportError:
        return best
    found = from_bytes(data).best()
    return found.encoding if found else best


def _fit(text: str) -> int:
    """Score how likely the characters outside ASCII stand where they stand: about 4 for an umlaut, less for others."""
    return sum(
        _likely(match[0], text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1])
        for match in re.finditer("[^\x00-\x7f]", text)
    )


def _likely(character: str, before: str, after: str) -> int:
    between = before.isalpha() and after.isalpha()
    if character == "\ufffd" or "\x80" <= character <= "\x9f":
        return -8
    if character in _SIGNS:
        return -2 if between and character != "’" else 2
    if character not in _UMLAUTS and character not in _ACCENTED:
        return -2
    if character.isupper() and before.islower():
        return -2
    return 4 if character in _UMLAUTS else 2


def _once(text: str) -> str:
    """Repair UTF-8 that was read as Windows-1252 or Latin-1 and saved as UTF-8."""
    if len(_TWICE.findall(text)) < _TWICE_LEAST:
        return text
    return _TWICE.sub(_repair, text)


def _repair(match: re.Match[str]) -> str:
    # A sequence that only looks like one becomes U+FFFD: then it stays as it was.
    text = b"".join(_byte(character) for character in match[0]).decode("utf-8", "replace")
    return match[0] if "\ufffd" in text else text


def _byte(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return character.encode("latin-1")
