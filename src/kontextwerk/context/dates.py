"""Dates in German and English texts: days, months, years, decades and centuries, as comparable parts.

It leaves out what only a calendar tells, such as "gestern" and "Easter", weekdays, and dates with slashes, whose order
differs from country to country.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kontextwerk.context.model import Language, Span
from kontextwerk.context.words import fold

_MONTHS = (
    "Januar|Jänner|January|Jan",
    "Februar|February|Feb",
    "März|March|Mar",
    "April|Apr",
    "Mai|May",
    "Juni|June|Jun",
    "Juli|July|Jul",
    "August|Aug",
    "September|Sept|Sep",
    "Oktober|October|Okt|Oct",
    "November|Nov",
    "Dezember|December|Dez|Dec",
)
_MONTH = {fold(name): number for number, names in enumerate(_MONTHS, 1) for name in names.split("|")}
MONTHS = "|".join(_MONTHS)
"""A pattern of their names."""
_NAME = rf"(?P<name>{MONTHS})\b"
_YEAR = r"(?P<year>1\d{3}|20\d\d)"
_END = r"(?!\w|[.,:]\d)"
_FREE = r"(?<![\w.,:/])(?<!\D-)"
_DAY = rf"{_FREE}(?P<day>[0-3]?\d)"
# From the most to the least precise: what one has taken is left alone by those behind it.
_SHARED = (
    rf"{_FREE}(?P<year>\d{{4}})-(?P<month>[01]\d)-(?P<day>[0-3]\d){_END}",
    rf"{_DAY}\.\s?(?P<month>[01]?\d)\.\s?(?P<year>\d{{4}}|\d\d){_END}",
    rf"{_FREE}(?P<century>\d{{1,2}})(?:\.|st|nd|rd|th)[ -](?:Jahrhundert|Jh(?:dt)?\b|[Cc]entury)\w*",
    rf"{_FREE}(?P<decade>1\d\d0|20\d0)(?:er|s)\b",
    rf"{_FREE}(?P<before>\d{{1,5}})\s(?:v\.\s?(?:Chr|u\.\s?Z)\.?|BCE?\b)",
)
_ALONE = rf"(?<![\w.,:/§])(?P<bare>1\d{{3}}|20\d\d){_END}"
_PATTERNS: dict[Language, tuple[re.Pattern[str], ...]] = {
    "de": tuple(
        map(
            re.compile,
            (
                *_SHARED,
                rf"{_DAY}\.\s?{_NAME}\.?(?:\s{_YEAR}{_END})?",
                rf"\b{_NAME}\.?\s{_YEAR}{_END}",
                rf"{_DAY}\.(?P<month>[01]?\d)\.(?!\w)",
                rf"\b{_NAME}",
                _ALONE,
            ),
        )
    ),
    "en": tuple(
        map(
            re.compile,
            (
                *_SHARED,
                rf"\b{_NAME}\.?\s(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?:,?\s{_YEAR}{_END})?",
                rf"{_DAY}(?:st|nd|rd|th)?(?: of)?\s{_NAME}\.?(?:,?\s{_YEAR}{_END})?",
                rf"\b{_NAME}\.?,?\s{_YEAR}{_END}",
                # "May" and "March" are more than months: alone they are read behind a preposition only.
                rf"(?:(?<=\b[Ii]n )|(?<=\bof )|(?<=\b[Bb]y )|(?<=\b[Uu]ntil )|(?<=\b[Ss]ince )){_NAME}",
                _ALONE,
            ),
        )
    ),
}
_PIVOT = 50
"""Years of two digits below it are of this century."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as far as it is told.

    Attributes:
        first: The first year that it may mean, or None; below 0 before Christ.
        last: The last one; the same as the first unless a decade or a century is told.
        month: 1 to 12, or None.
        day: 1 to 31, or None.
    """

    first: int | None
    last: int | None
    month: int | None = None
    day: int | None = None

    def held_by(self, other: "Date") -> bool:
        """Say whether another date tells all that this one tells.

        >>> Date(2024, 2024).held_by(Date(2024, 2024, 5, 3)), Date(2024, 2024, 5, 3).held_by(Date(2024, 2024))
        (True, False)
        """
        if self.first is not None and not self._spans(other):
            return False
        return self.month in {None, other.month} and self.day in {None, other.day}

    def _spans(self, other: "Date") -> bool:
        """Say whether the other's years lie within its own."""
        if self.first is None or self.last is None or other.first is None or other.last is None:
            return False
        return self.first <= other.first <= other.last <= self.last


def dates(text: str, language: Language) -> Iterator[tuple[Span, Date, bool]]:
    """Find the dates of a text.

    Yields:
        Span, date, and whether it is a bare number of four digits, which may count something else.
    """
    taken: list[Span] = []
    for pattern in _PATTERNS[language]:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other and first < end for first, other in taken):
                continue
            date = _date(match.groupdict())
            if date is not None:
                taken.append((start, end))
                yield (start, end), date, "bare" in match.groupdict()


def _date(parts: dict[str, str | None]) -> Date | None:
    """Return the date of a pattern's groups, or None where there is no such month or day."""
    if century := parts.get("century"):
        return Date(int(century) * 100 - 100, int(century) * 100)
    if decade := parts.get("decade"):
        return Date(int(decade), int(decade) + (9 if int(decade) % 100 else 99))  # "the 1800s" is a century
    if before := parts.get("before"):
        return Date(-int(before), -int(before))
    name, month, day = parts.get("name"), parts.get("month"), parts.get("day")
    number = _MONTH[fold(name)] if name else int(month) if month else None
    if (number is not None and not 1 <= number <= 12) or (day and not 1 <= int(day) <= 31):  # noqa: PLR2004
        return None
    year = _year(parts.get("year") or parts.get("bare"))
    return Date(year, year, number, int(day) if day else None)


def _year(written: str | None) -> int | None:
    if written is None:
        return None
    year = int(written)
    return year if len(written) > 2 else year + (2000 if year < _PIVOT else 1900)  # noqa: PLR2004
