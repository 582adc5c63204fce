"""Units of measure, in German and English, with what they have in common: a dimension, and how many of its base unit.

"Zwei Wochen" and "14 days" meet so. It leaves out what is no measure: people, pieces, times.
"""

from collections.abc import Mapping

from kontextwerk.context.words import fold

Unit = tuple[str, float]
"""A dimension, and how many of its base unit one is."""

_SPELT: Mapping[Unit, str] = {
    ("seconds", 1): "Sekunde Sekunden sek sec second seconds",
    ("seconds", 60): "Minute Minuten min minutes",
    ("seconds", 3600): "Stunde Stunden Std hour hours h",
    ("seconds", 86_400): "Tag Tage Tagen Tages day days",
    ("seconds", 604_800): "Woche Wochen week weeks",
    ("months", 1): "Monat Monate Monaten Monats month months",
    ("months", 3): "Quartal Quartale Quartalen quarters",
    ("months", 12): "Jahr Jahre Jahren Jahres year years",
    ("months", 120): "Jahrzehnt Jahrzehnte Jahrzehnten decade decades",
    ("months", 1200): "Jahrhunderte Jahrhunderten centuries",
    ("metres", 0.001): "mm Millimeter Millimetern millimetre millimetres millimeters",
    ("metres", 0.01): "cm Zentimeter Zentimetern centimetre centimetres centimeters",
    ("metres", 1): "m Meter Metern metre metres meters",
    ("metres", 1000): "km Kilometer Kilometern kilometre kilometres kilometers",
    ("square metres", 1): "m² qm Quadratmeter Quadratmetern",
    ("square metres", 1e6): "km² Quadratkilometer Quadratkilometern",
    ("grams", 0.001): "mg Milligramm milligrams",
    ("grams", 1): "g Gramm gram grams",
    ("grams", 1000): "kg Kilo Kilogramm kilogram kilograms",
    ("grams", 1e6): "t Tonne Tonnen tonne tonnes",
    ("litres", 0.001): "ml Milliliter millilitres milliliters",
    ("litres", 1): "l Liter Litern litre litres liter liters",
    ("euros", 1): "€ EUR Euro Euros",
    ("euros", 0.01): "Cent cents ct",
    ("dollars", 1): "$ USD Dollar Dollars",
    ("pounds", 1): "£ GBP Pfund pound pounds",
    ("francs", 1): "CHF Franken francs",
    ("percent", 1): "% Prozent percent v.H.",
    ("points", 1): "Prozentpunkte Prozentpunkten",
    ("degrees", 1): "°C °F ° Grad degrees degree",
    ("bytes", 1e6): "MB Megabyte megabytes",
    ("bytes", 1e9): "GB Gigabyte gigabytes",
    ("o'clock", 1): "Uhr",
}
UNITS: Mapping[str, Unit] = {fold(word): unit for unit, words in _SPELT.items() for word in words.split()}
"""Each spelling of a unit, folded."""

_STEMS: Mapping[str, Unit] = {
    "jahr": ("months", 12),
    "monat": ("months", 1),
    "woch": ("seconds", 604_800),
    "tag": ("seconds", 86_400),
    "stund": ("seconds", 3600),
    "minut": ("seconds", 60),
    "year": ("months", 12),
    "month": ("months", 1),
    "week": ("seconds", 604_800),
    "day": ("seconds", 86_400),
    "hour": ("seconds", 3600),
}
_UMLAUTS = str.maketrans("äöü", "aou")
_ENDINGS = ("", "ig", "ige", "igen", "iger", "iges", "igem", "lich", "liche", "lichen", "licher", "liches", "s")


def unit_of(word: str) -> Unit | None:
    """Return the unit that a word names, or None.

    >>> unit_of("Wochen")
    ('seconds', 604800)
    """
    return UNITS.get(fold(word))


def within(word: str) -> tuple[str, Unit] | None:
    """Split a word such as "zweiwöchige" into its number, as it is written, and its unit; None where it is no such.

    >>> within("zweiwöchige")
    ('zwei', ('seconds', 604800))
    """
    small = word.casefold()
    plain = small.translate(_UMLAUTS)
    for stem, unit in _STEMS.items():
        before, found, ending = plain.rpartition(stem)
        if found and before and ending in _ENDINGS:
            return small[: len(before)], unit
    return None
