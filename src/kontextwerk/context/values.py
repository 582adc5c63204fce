"""The figures of a text as comparable values: numbers with their units, percentages, times and dates.

    "12,50 €" (German) = "12.50 euros" (English) · "zwei Wochen" = "14 days" · "3. Mai 2024" = "May 3, 2024"

It leaves out what a figure is about, sums and rates of change, and currencies into each other.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from kontextwerk.context.dates import Date, dates
from kontextwerk.context.model import Language, Span
from kontextwerk.context.numerals import DIGITS, IN_WORDS, SCALES, of_digits, of_words, ordinal
from kontextwerk.context.units import UNITS, Unit, unit_of, within
from kontextwerk.context.words import fold

_CURRENCY = r"(?P<currency>[€$£]|EUR|USD|CHF|GBP)\s?"
_BEHIND = r"[ \u00a0\u2009\u202f-]?(?P<word>%|€|\$|£|°C|°F|°|[A-Za-zäöüÄÖÜß²]+)"
_FREE = r"(?<![\w.,:/])"
_DIGITS = {
    language: re.compile(
        rf"(?:{_CURRENCY}|{_FREE})(?P<digits>{DIGITS})(?:(?P<ordinal>\.(?=\s[A-ZÄÖÜa-z])|(?:st|nd|rd|th)\b)|(?!\w))"
    )
    for language in ("de", "en")
}
_CLOCK = re.compile(r"(?<![\w.,:/])([01]?\d|2[0-4])[:.]([0-5]\d)(?=\s?(?:Uhr|h\b|[AaPp]\.?[Mm]\b)|(?<=:\d\d)(?![\w:]))")
_WORDS = {language: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for language, pattern in IN_WORDS.items()}
_NEXT = re.compile(_BEHIND)
_SHARES = {fold("Hälfte"): 50.0, "half": 50.0, "drittel": 100 / 3, "zweidrittel": 200 / 3}
_ARTICLES = frozenset(["ein", "eine", "einen", "einem", "einer", "eines", "one", "a", "an"])
_AFTERNOON = re.compile(r"\s?[Pp]\.?[Mm]\b")
_LEAST_ORDINAL = 2
CLOSE = 0.05
"""How far a number may be from one that it rounds, as a share of it: "rund 160 Millionen" of 163.8 million."""
_ROUNDED = re.compile(
    r"\b(?:rund|etwa|circa|ca\.?|ungefähr|knapp|fast|gut|über|mehr als|about|around|roughly|nearly|almost|over|"
    r"approximately|some|more than)\s+\W?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Value:
    """A figure.

    Attributes:
        span: Where it stands in the text, its unit included.
        amount: How many of the dimension's base unit; NaN for a date.
        dimension: What is measured, such as "seconds" or "percent"; empty where no unit is told.
        date: The date, or None where it is none.
        firm: False where it may be no figure at all: an article, an ordinal in words.
        rounded: Whether the text says that it is not exact.
    """

    span: Span
    amount: float
    dimension: str = ""
    date: Date | None = None
    firm: bool = True
    rounded: bool = False

    def held_by(self, other: "Value") -> bool:
        """Say whether another value tells what this one tells: the same amount, or a date at least as precise."""
        if self.date is not None and other.date is not None:
            return self.date.held_by(other.date)
        if self.date is not None or other.date is not None:
            return _bare(self) == _bare(other)
        if self.dimension != other.dimension and self.dimension and other.dimension:
            return False
        tolerance = CLOSE if self.rounded or other.rounded else 1e-3
        return math.isclose(self.amount, other.amount, rel_tol=tolerance)

    def comparable(self, other: "Value") -> bool:
        """Say whether both tell the same kind of thing: dates as precise, or amounts of one dimension."""
        if self.date is not None and other.date is not None:
            return (self.date.first is None) == (other.date.first is None)
        return self.date is other.date is None and self.dimension == other.dimension


def _bare(value: Value) -> float:
    """Return the number that a year or an amount without a unit is written as; NaN for others."""
    if value.date is None:
        return math.nan if value.dimension else value.amount
    return float(value.date.first or math.nan) if value.date.month is None else math.nan


def values(text: str, language: Language) -> tuple[Value, ...]:
    """Find the figures of a text.

    Args:
        text: Any text.
        language: Whose decimal marks and words hold.

    Returns:
        Each figure, in the order of the text; no two overlap.

    >>> [(value.amount, value.dimension) for value in values("Zwei Wochen oder 12,50 €", "de")]
    [(1209600.0, 'seconds'), (12.5, 'euros')]
    """
    found: list[Value] = []
    for value in chain(_clocks(text), _dates(text, language), _digits(text, language), _in_words(text, language)):
        if not any(value.span[0] < other.span[1] and other.span[0] < value.span[1] for other in found):
            found.append(value)
    return tuple(sorted(found, key=lambda value: value.span))


def _clocks(text: str) -> Iterable[Value]:
    for match in _CLOCK.finditer(text):
        hour = int(match[1]) + (12 if _AFTERNOON.match(text, match.end()) and int(match[1]) < 12 else 0)  # noqa: PLR2004
        yield Value(match.span(), hour + int(match[2]) / 60, "o'clock")


def _dates(text: str, language: Language) -> Iterable[Value]:
    for span, date, bare in dates(text, language):
        measured = bare and (_unit_behind(text, span[1])[1] or re.search(rf"{_CURRENCY}$", text[: span[0]][-5:]))
        if not measured:
            yield Value(span, math.nan, date=date)


def _digits(text: str, language: Language) -> Iterable[Value]:
    for match in _DIGITS[language].finditer(text):
        number = of_digits(match["digits"], language)
        if number is None:
            continue
        end, (factor, unit) = match.end(), (1.0, None)
        if not match["ordinal"]:
            end, factor, unit = _measured(text, match.end(), language)
        unit = UNITS[fold(match["currency"])] if match["currency"] else unit
        yield _value(text, (match.start(), end), number * factor, unit)


def _in_words(text: str, language: Language) -> Iterable[Value]:
    for match in _WORDS[language].finditer(text):
        word, firm = match[0], True
        number = of_words(word, language)
        if fold(word) in _SHARES:
            yield Value(match.span(), _SHARES[fold(word)], "percent", rounded=True)
        elif number is not None:
            end, factor, unit = _measured(text, match.end(), language)
            yield _value(text, (match.start(), end), number * factor, unit)
        elif fold(word) in _ARTICLES:
            end, factor, unit = _measured(text, match.end(), language)
            firm = factor > 1
            if unit or firm:
                yield _value(text, (match.start(), end), factor, unit, firm=firm)
        elif (place := ordinal(word, language)) is not None and place >= _LEAST_ORDINAL:
            yield Value(match.span(), float(place), firm=False)
        elif (compound := within(word)) and (number := of_words(compound[0], language)) is not None:
            yield _value(text, match.span(), number, compound[1])


def _measured(text: str, end: int, language: Language) -> tuple[int, float, Unit | None]:
    """Return where a number ends with what belongs to it, the factor of its scale ("Millionen"), and its unit."""
    match = _NEXT.match(text, end)
    factor = SCALES[language].get(fold(match["word"])) if match else None
    if match and factor:
        end = match.end() + text.startswith(".", match.end())
    end, unit = _unit_behind(text, end)
    return end, factor or 1.0, unit


def _unit_behind(text: str, end: int) -> tuple[int, Unit | None]:
    """Return the unit behind a number, and where it ends."""
    match = _NEXT.match(text, end)
    if not match:
        return end, None
    unit = unit_of(match["word"])
    if unit is None and (compound := within("x" + match["word"])) and compound[0] == "x":
        unit = compound[1]  # "30-tägige"
    return (match.end(), unit) if unit else (end, None)


def _value(text: str, span: Span, number: float, unit: Unit | None, *, firm: bool = True) -> Value:
    dimension, size = unit or ("", 1)
    rounded = bool(_ROUNDED.search(text[max(span[0] - 20, 0) : span[0]]))
    return Value(span, number * size, dimension, firm=firm, rounded=rounded)
