"""Negations and opposites: where the evidence says the contrary of a claim.

It leaves out figures and names, see `contrasts`, and irony, doubt and hearsay, which no word shows.
"""

import re

from kontextwerk.context.claims import Reason
from kontextwerk.context.function_words import carries_grammar
from kontextwerk.context.holding import Holding
from kontextwerk.context.model import Language
from kontextwerk.context.statements import Reading, clauses
from kontextwerk.context.words import WORD, fold, stem

_NEGATION: dict[Language, re.Pattern[str]] = {
    "de": re.compile(
        r"\b(?:nicht|nichts|kein\w*|nie|niemals|niemand\w*|nirgends|weder|ohne|keinesfalls|keineswegs)\b", re.IGNORECASE
    ),
    "en": re.compile(
        r"\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot)\b|n[’']t\b", re.IGNORECASE
    ),
}
# "nicht nur ... sondern auch" and "not only" affirm.
_AFFIRMING = re.compile(
    r"\b(?:nicht (?:nur|zuletzt|bloß)|ohne zweifel|zweifelsohne|not (?:only|just|least)|no (?:later|more|less) than|"
    r"without (?:a )?doubt|no doubt)\b",
    re.IGNORECASE,
)
_PREFIXES: dict[Language, tuple[str, ...]] = {
    "de": ("un", "in", "nicht"),
    "en": ("un", "in", "im", "non", "dis", "ir", "il"),
}
_LEAST_BASE = 5
ENOUGH = 0.5
"""The share of a claim that must stand in the evidence, and of that in one clause, before a negation there counts."""
_OPPOSITES: dict[Language, tuple[tuple[str, str], ...]] = {
    "de": (
        ("mehr", "weniger"), ("größer", "kleiner"), ("höher", "niedriger"), ("höher", "tiefer"), ("länger", "kürzer"),
        ("älter", "jünger"), ("schneller", "langsamer"), ("besser", "schlechter"), ("früher", "später"),
        ("stärker", "schwächer"), ("teurer", "billiger"), ("größte", "kleinste"), ("höchste", "niedrigste"),
        ("älteste", "jüngste"), ("längste", "kürzeste"), ("meiste", "wenigste"), ("mindestens", "höchstens"),
        ("mindestens", "maximal"), ("erste", "letzte"), ("immer", "nie"), ("alle", "keine"), ("steigen", "sinken"),
        ("steigen", "fallen"), ("gestiegen", "gesunken"), ("stieg", "sank"), ("stieg", "fiel"), ("stiegen", "sanken"),
        ("gewann", "verlor"), ("zunehmen", "abnehmen"), ("erhöhen", "senken"),
        ("gewinnen", "verlieren"), ("erlaubt", "verboten"), ("beginnen", "enden"), ("vorher", "nachher"),
        ("innerhalb", "außerhalb"), ("öffnen", "schließen"), ("ja", "nein"), ("positiv", "negativ"),
        ("links", "rechts"), ("oben", "unten"), ("nördlich", "südlich"), ("östlich", "westlich"),
        ("kaufen", "verkaufen"), ("annehmen", "ablehnen"), ("minimum", "maximum"),
    ),
    "en": (
        ("more", "less"), ("more", "fewer"), ("larger", "smaller"), ("bigger", "smaller"), ("higher", "lower"),
        ("longer", "shorter"), ("older", "younger"), ("faster", "slower"), ("better", "worse"), ("earlier", "later"),
        ("before", "after"), ("stronger", "weaker"), ("cheaper", "dearer"), ("largest", "smallest"),
        ("highest", "lowest"), ("oldest", "youngest"), ("longest", "shortest"), ("most", "least"),
        ("minimum", "maximum"), ("first", "last"), ("always", "never"), ("all", "none"), ("increase", "decrease"),
        ("rise", "fall"), ("rose", "fell"), ("won", "lost"), ("win", "lose"), ("allowed", "forbidden"),
        ("allowed", "prohibited"), ("begin", "end"),
        ("inside", "outside"), ("open", "close"), ("yes", "no"), ("positive", "negative"), ("left", "right"),
        ("northern", "southern"), ("eastern", "western"), ("buy", "sell"), ("accept", "reject"),
    ),
}  # fmt: skip


def _forms(word: str, language: Language) -> frozenset[str]:
    """Return the stems of a word, of a German verb those of its third person too."""
    bare = word.removesuffix("en")
    forms = (word, f"{bare}t", f"{bare}te") if language == "de" and bare != word else (word,)
    return frozenset(stem(form, language) for form in forms)


def _paired(language: Language) -> dict[str, set[str]]:
    """Return for each stem those of its opposites."""
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES[language]:
        for one, other in (pair, pair[::-1]):
            for own in _forms(one, language):
                found.setdefault(own, set()).update(_forms(other, language))
    return found


_PAIRED: dict[Language, dict[str, set[str]]] = {"de": _paired("de"), "en": _paired("en")}


def negation(reading: Reading, holding: Holding) -> Reason | None:
    """Return a reason where one of claim and evidence is negated in the clause that matters and the other is not."""
    claimed = _denied(reading, holding)
    if not holding.statements or holding.share < ENOUGH:
        return None
    clause, share, language = _closest(reading, holding)
    found = (_negated(clause, language) if share >= ENOUGH else ()) or _denying(reading, holding)
    prefixed = _prefixed(reading, holding)
    if prefixed and len(claimed) % 2 == len(found) % 2:
        return Reason("negation_differs", (prefixed[0],), (prefixed[1],))
    if bool(claimed) != bool(found) and not prefixed:
        everywhere = any(_negated(statement.text, statement.language) for statement in holding.statements)
        if not claimed or not everywhere:
            return Reason("negation_differs", claimed, found)
    return None


def _denied(reading: Reading, holding: Holding) -> tuple[str, ...]:
    """Return the negations of a claim, as far as the evidence says what they deny."""
    found: tuple[str, ...] = ()
    for start, end in clauses(reading.text):
        met = [holding.met.get(word.own, 0.0) for word in reading.words if start <= word.span[0] < end]
        if not met or sum(met) >= ENOUGH * len(met):
            found += _negated(reading.text[start:end], reading.language)
    return found


def _negated(text: str, language: Language) -> tuple[str, ...]:
    """Return the negations of a text as they are written, those that affirm left out."""
    return tuple(_NEGATION[language].findall(_AFFIRMING.sub(" ", text)))


def _denying(reading: Reading, holding: Holding) -> tuple[str, ...]:
    """Return the negations of a clause of the evidence that alone has a word of the claim, and little else."""
    parts = [
        (s.language, text, reading.terms.match(map(fold, WORD.findall(text))))
        for s in holding.statements
        for text in (s.text[slice(*span)] for span in clauses(s.text))
    ]
    affirmed = {own for language, text, met in parts if not _negated(text, language) for own in met}
    for language, text, met in parts:
        telling = [word for word in WORD.findall(text) if not carries_grammar(fold(word), language)]
        if met.keys() - affirmed and len(met) >= ENOUGH * len(telling) and (found := _negated(text, language)):
            return found
    return ()


def _closest(reading: Reading, holding: Holding) -> tuple[str, float, Language]:
    """Return the clause of the evidence that shares most with the claim, and the share of all that is met there."""
    statement = holding.statements[0]
    parts = [statement.text[slice(*span)] for span in clauses(statement.text)]
    shares = [sum(reading.terms.match(map(fold, WORD.findall(part))).values()) for part in parts]
    best = max(range(len(parts)), key=shares.__getitem__)
    met = sum(likeness for own, likeness in holding.met.items() if own[0] != "#")
    return parts[best], shares[best] / met if met else 1.0, statement.language


def _prefixed(reading: Reading, holding: Holding) -> tuple[str, str] | None:
    """Return a word of the claim and one of the evidence that differ by a negating prefix alone, or None."""
    stems = {
        stem(word, statement.language): word
        for statement in holding.statements
        for word in WORD.findall(statement.text)
    }
    for word in reading.words:
        if word.own in stems:
            continue
        for prefix in _PREFIXES[reading.language]:
            bare = word.own.removeprefix(prefix)
            if bare != word.own and len(bare) >= _LEAST_BASE and bare in stems:
                return word.text, stems[bare]
            if len(word.own) >= _LEAST_BASE and prefix + word.own in stems:
                return word.text, stems[prefix + word.own]
    return None


def opposite(reading: Reading, holding: Holding) -> Reason | None:
    """Return a reason where the evidence has the opposite of a word of the claim, and not the word itself."""
    stems = {
        stem(word, statement.language): word
        for statement in holding.statements[:1]
        for word in WORD.findall(statement.text)
    }
    for word in WORD.findall(reading.text):
        own = stem(word, reading.language)
        if own not in stems:
            for other in sorted(_PAIRED[reading.language].get(own, set()) & stems.keys()):
                return Reason("opposite", (word,), (stems[other],))
    return None
