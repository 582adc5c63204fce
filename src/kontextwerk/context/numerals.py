"""Numbers in digits and in words, German and English: "1.500,50", "1,500.50", "zweihundertfünfzig", "two hundred".

It leaves out units and dates: see `units` and `dates`; and numbers above the thousands in one German word.
"""

import re
from collections.abc import Mapping

from kontextwerk.context.model import Language

DIGITS = r"\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*"
"""Digits as people write numbers: with marks between groups of three, and a decimal mark."""

# To nineteen, then the tens to ninety.
_COUNTED: dict[Language, str] = {
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety",
}
_ORDERED: dict[Language, str] = {
    "de": "erst zweit dritt viert fünft sechst siebt acht",
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth",
}
_NUMBERS = (*range(20), *range(20, 100, 10))


def _plain(word: str) -> str:
    """Return a number in words as it is looked up. Other umlauts stay: folded, "neuen" (new) would be "neun" (nine)."""
    return word.casefold().replace("fuenf", "fünf").replace("zwoelf", "zwölf")


def _counted(language: Language) -> dict[str, int]:
    return dict(zip(map(_plain, _COUNTED[language].split()), _NUMBERS, strict=True))


_GERMAN: Mapping[str, int] = {**_counted("de"), "eins": 1, "zwo": 2}
_ENGLISH: Mapping[str, int] = _counted("en")
_HUNDREDS: Mapping[str, int] = {"hundred": 100, "thousand": 1000}
_STEMS = {word: number for number, word in enumerate(_ORDERED["de"].split(), 1)}
_ORDINALS: dict[Language, Mapping[str, int]] = {
    "de": {
        **{stem + ending: number for stem, number in _STEMS.items() for ending in ("e", "en", "er", "es", "em")},
        **{
            f"{word}t{ending}": number
            for word, number in _GERMAN.items()
            if number > len(_STEMS)
            for ending in ("e", "en", "er", "es", "em")
        },
    },
    "en": {word: number for number, word in enumerate(_ORDERED["en"].split(), 1)},
}
SCALES: dict[Language, Mapping[str, float]] = {
    "de": {
        "hundert": 1e2,
        "tausend": 1e3,
        "tsd": 1e3,
        "million": 1e6,
        "millionen": 1e6,
        "mio": 1e6,
        "milliarde": 1e9,
        "milliarden": 1e9,
        "mrd": 1e9,
        "billion": 1e12,
        "billionen": 1e12,
    },
    "en": {
        "hundred": 1e2,
        "thousand": 1e3,
        "million": 1e6,
        "mn": 1e6,
        "billion": 1e9,
        "bn": 1e9,
        "trillion": 1e12,
    },
}
"""What a word behind a number multiplies it by; a German "Billion" is an English "trillion"."""

_GROUPED: dict[Language, re.Pattern[str]] = {
    "de": re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?"),
    "en": re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"),
}
_SPACED = re.compile(r"[ \u00a0\u2009\u202f'’]")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_ENGLISH_WORD = "|".join(sorted({*_ENGLISH, *_HUNDREDS}, key=len, reverse=True))
IN_WORDS: dict[Language, str] = {
    "de": r"[A-Za-zäöüÄÖÜß]{3,60}",
    "en": rf"(?:{_ENGLISH_WORD})(?:(?:[ -]| and )(?:{_ENGLISH_WORD}))*(?: and a half)?|"
    rf"a|an|half|{'|'.join(_ORDINALS['en'])}",
}
"""What may be a number in words: any word in German, where it is one compound; in English words in a row."""


def of_digits(written: str, language: Language) -> float | None:
    """Return the number that digits stand for, or None where they are no one number, such as "1.2.3".

    >>> of_digits("1.500,50", "de"), of_digits("1,500.50", "en"), of_digits("12.50", "de")
    (1500.5, 1500.5, 12.5)
    """
    plain = _SPACED.sub("", written)
    if _GROUPED[language].fullmatch(plain):
        thousands, decimal = (".", ",") if language == "de" else (",", ".")
        return float(plain.replace(thousands, "").replace(decimal, "."))
    if _DECIMAL.fullmatch(plain):
        return float(plain.replace(",", "."))
    return float(plain) if plain.isdigit() else None


def of_words(written: str, language: Language) -> float | None:
    """Return the number that words stand for, or None where they are none. Articles ("ein", "one") are none.

    >>> of_words("Zweihundertfünfzig", "de"), of_words("two hundred and fifty", "en")
    (250.0, 250.0)
    """
    small = written.casefold()
    if small == "anderthalb":
        return 1.5
    whole = small.removesuffix("einhalb" if language == "de" else " and a half")
    number = _german(_plain(whole)) if language == "de" else _english(whole)
    if number is None or small in {"ein", "one"}:
        return None
    return number + (0.0 if whole == small else 0.5)


def ordinal(word: str, language: Language) -> int | None:
    """Return the number of an ordinal in words, or None.

    >>> ordinal("Dritten", "de"), ordinal("third", "en")
    (3, 3)
    """
    return _ORDINALS[language].get(_plain(word))


def _german(word: str) -> int | None:
    """Return the number of a German compound."""
    if word in _GERMAN:
        return _GERMAN[word]
    for name, size in (("tausend", 1000), ("hundert", 100)):
        before, found, behind = word.partition(name)
        if found:
            return _joined(before, size, behind.removeprefix("und") if len(behind) > 3 else behind)  # noqa: PLR2004
    ones, _, tens = word.partition("und")
    if ones in _GERMAN and _GERMAN.get(tens, 0) >= 20:  # noqa: PLR2004  "dreiundzwanzig"
        return _GERMAN[ones] + _GERMAN[tens]
    return None


def _joined(before: str, size: int, behind: str) -> int | None:
    """Return how many times the size stands before it, plus what stands behind it."""
    times = _german(before) if before else 1
    rest = _german(behind) if behind else 0
    return None if times is None or rest is None else times * size + rest


def _english(words: str) -> int | None:
    """Return the number of English words in a row, or None where one is no number."""
    total, current = 0, 0
    for word in re.split(r"[ -]", words):
        if word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _ENGLISH:
            current += _ENGLISH[word]
        elif word != "and":
            return None
    return total + current
