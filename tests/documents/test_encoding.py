"""Text in any encoding."""

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontextwerk.documents.characters import clean
from kontextwerk.documents.encoding import decode

GERMAN = (
    "Im Erstgespräch klären beide Seiten, worum es geht: „Was soll am Ende anders sein?“ – und wer dafür Größe zeigt. "
    "Die Übung dauert 20 Minuten; für jede Äußerung gibt es 5 € … und Café crème.\n"
)
PLAIN = "Die Größe der Übung für Äpfel und Öl, die Straße hinauf: schön, daß es möglich wäre.\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
@pytest.mark.parametrize("text", [GERMAN, "Ä", "Ja.", "日本語のテキスト。\n" * 20, "Пример текста.\n" * 5, "😀 Los!"])
def test_unicode_with_and_without_mark(encoding: str, text: str) -> None:
    """Every encoding of Unicode is recognised, with a byte order mark or without."""
    if text in {"Ä", "日本語のテキスト。\n" * 20} and encoding in {"utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"}:
        text += "Und deutsch.\n"
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
def test_typographic_german(encoding: str) -> None:
    """German with typographic quotation marks is recognised in the encodings that have them."""
    assert decode(GERMAN.encode(encoding)) == GERMAN


@pytest.mark.parametrize("encoding", ["latin-1", "iso8859-15", "cp850", "cp437"])
def test_plain_german(encoding: str) -> None:
    """German umlauts are recognised in the encodings of older systems."""
    assert decode(PLAIN.encode(encoding)) == PLAIN


def test_the_euro_of_latin_9() -> None:
    """The currency sign of Latin-1 is nearly always the Euro of Latin-9."""
    assert decode((PLAIN + "50 €").encode("iso8859-15")) == PLAIN + "50 €"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Мы обсуждаем порядок работы и сроки договора с заказчиком. " * 3),
        ("cp1250", "Zażółć gęślą jaźń; później również łódź, świeży śnieg i ćwiczenia. " * 3),
        ("shift_jis", "これは日本語の文章です。明日は会議があります。" * 3),
    ],
)
def test_other_scripts(encoding: str, text: str) -> None:
    """Other languages are recognised by what is likely in them."""
    assert decode(text.encode(encoding)) == text


def test_without_the_extra_the_likeliest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is installed that knows other languages, plain text is read all the same."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    assert decode("Зажигалка".encode("cp1251"))


def test_a_declared_encoding_counts_where_it_fits() -> None:
    """A declared encoding decides where the bytes are no UTF-8, and is passed over where they are."""
    assert decode("naïve".encode("cp850"), declared="cp850") == "naïve"
    assert decode("Größe".encode(), declared="cp850") == "Größe"
    assert decode(PLAIN.encode("cp1252"), declared="ascii") == PLAIN
    assert decode(PLAIN.encode("cp1252"), declared="rot13") == PLAIN


def test_text_that_was_decoded_wrongly_is_repaired() -> None:
    """UTF-8 that was saved as Windows-1252 or Latin-1 becomes itself again; a single such sign may be meant."""
    for encoding in ("cp1252", "latin-1"):
        assert decode(PLAIN.encode().decode(encoding, "replace").encode()).count("ö") == PLAIN.count("ö")
    assert decode("Ã¤ ist ein Zeichenfehler".encode()) == "Ã¤ ist ein Zeichenfehler"
    assert decode("Ein Gruß“ und Spaß“ und Maß“".encode()) == "Ein Gruß“ und Spaß“ und Maß“"
    assert decode("Ã( Ã¤ Ã¤ Ã¤".encode()) == "Ã( ä ä ä"
    assert decode("ð\x9f\x98\u00a0 ð\x9f\u0080( Ã¤ Ã¤ Ã¤".encode()).endswith("( ä ä ä")


def test_two_encodings_in_one_file() -> None:
    """A file pasted together from UTF-8 and Windows-1252 is read in both."""
    assert decode(PLAIN.encode() + GERMAN.encode("cp1252")) == PLAIN + GERMAN
    assert decode(PLAIN.encode() + b"\x81") == PLAIN + "\x81"


def test_utf_8_cut_in_the_middle_of_a_character() -> None:
    """A truncated file loses its last character at most."""
    assert decode((PLAIN * 3 + "ä").encode()[:-1]).startswith(PLAIN * 3)


def test_stray_nulls() -> None:
    """A few NULs in a text make no UTF-16 of it."""
    assert decode((PLAIN * 5 + "ver\0\0öffentlicht").encode()) == PLAIN * 5 + "ver\0\0öffentlicht"
    assert decode((PLAIN * 5 + "\0").encode()) == PLAIN * 5 + "\0"


@pytest.mark.parametrize("seed", range(5))
def test_bytes_that_are_no_text(seed: int) -> None:
    """Random bytes are refused."""
    with pytest.raises(UnicodeError):
        decode(random.Random(seed).randbytes(4000))  # noqa: S311  nothing secret


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes(data: bytes) -> None:
    """Any bytes give text or the one error, and the text cleans up."""
    try:
        text = clean(decode(data))
    except UnicodeError:
        return
    text.encode()
    assert "\0" not in text


@given(st.text(max_size=300))
@settings(deadline=None)
def test_cleaning_is_done_once(text: str) -> None:
    """Cleaned text has one form of line ends, no controls, no lone surrogates, and stays as it is."""
    once = clean(text)
    assert clean(once) == once
    assert not set(once) & set("\r\0\x0b\x0c\u2028\u00ad\u200b\ufeff")
    once.encode()


def test_joiners_and_accents_stay() -> None:
    """What emoji, Persian and accents need stays."""
    assert clean("👩\u200d👧 می\u200cخواهم e\u0301") == "👩\u200d👧 می\u200cخواهم é"
