"""What contradicts a claim in its evidence: another figure, a name that is missing, a negation, an opposite.

It leaves out how the evidence is found, see `statements`, and what follows from it, see `checking`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from kontextwerk.context.claims import Reason, ReasonKind
from kontextwerk.context.model import Language, Span
from kontextwerk.context.statements import Holding, Reading, Statement, clauses
from kontextwerk.context.values import Value
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
    r"\b(?:nicht (?:nur|zuletzt|bloß)|not (?:only|just|least)|no (?:later|more|less) than)\b", re.IGNORECASE
)
_PREFIXES: dict[Language, tuple[str, ...]] = {
    "de": ("un", "in", "nicht"),
    "en": ("un", "in", "im", "non", "dis", "ir", "il"),
}
_LEAST_BASE = 5
_OPPOSITES: dict[Language, tuple[tuple[str, str], ...]] = {
    "de": (
        ("mehr", "weniger"), ("größer", "kleiner"), ("höher", "niedriger"), ("höher", "tiefer"), ("länger", "kürzer"),
        ("älter", "jünger"), ("schneller", "langsamer"), ("besser", "schlechter"), ("früher", "später"),
        ("stärker", "schwächer"), ("teurer", "billiger"), ("größte", "kleinste"), ("höchste", "niedrigste"),
        ("älteste", "jüngste"), ("längste", "kürzeste"), ("meiste", "wenigste"), ("mindestens", "höchstens"),
        ("mindestens", "maximal"), ("erste", "letzte"), ("immer", "nie"), ("alle", "keine"), ("steigen", "sinken"),
        ("steigen", "fallen"), ("gestiegen", "gesunken"), ("zunehmen", "abnehmen"), ("erhöhen", "senken"),
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
        ("rise", "fall"), ("win", "lose"), ("allowed", "forbidden"), ("allowed", "prohibited"), ("begin", "end"),
        ("inside", "outside"), ("open", "close"), ("yes", "no"), ("positive", "negative"), ("left", "right"),
        ("northern", "southern"), ("eastern", "western"), ("buy", "sell"), ("accept", "reject"),
    ),
}  # fmt: skip
_PAIRED: dict[Language, dict[str, set[str]]] = {"de": {}, "en": {}}
for _language, _pairs in _OPPOSITES.items():
    for _one, _other in _pairs:
        for _left, _right in ((_one, _other), (_other, _one)):
            _PAIRED[_language].setdefault(stem(_left, _language), set()).add(stem(_right, _language))


def figures(reading: Reading, holding: Holding, near: Sequence[Statement]) -> Iterator[Reason]:
    """Yield a reason for each figure of a claim that its evidence does not hold.

    Args:
        reading: The claim.
        holding: Its evidence.
        near: Sentences that may hold the figure too, such as the evidence's neighbours.
    """
    for value in reading.values:
        context = _context(reading, value.span)
        rivals = [
            (statement, other)
            for statement in holding.statements
            for other in statement.values
            if other.firm >= value.firm and value.comparable(other) and not value.held_by(other)
        ]
        holders = [s for s in (*holding.statements, *near) if any(map(value.held_by, s.values))]
        local = max((_shared(reading, context, holder) for holder in holders), default=-1.0)
        against = max((_shared(reading, context, statement) for statement, _ in rivals), default=-1.0)
        # Where less is said of the matter than beside a rival figure, the figure belongs to something else.
        if holders and local >= against * 0.75:
            continue
        if not value.firm and not rivals:
            continue
        best = [pair for pair in rivals if _shared(reading, context, pair[0]) == against]
        found = tuple(dict.fromkeys(s.text[slice(*other.span)] for s, other in best))
        kind: ReasonKind = "number_differs" if value.date is None else "date_differs"
        yield Reason(kind, (reading.text[slice(*value.span)],), found)


def _context(reading: Reading, span: Span) -> frozenset[str]:
    """Return the stems that stand in the same clause of the claim as a figure; all where it stands alone."""
    for start, end in clauses(reading.text):
        if start <= span[0] < end:
            own = frozenset(word.own for word in reading.words if start <= word.span[0] < end)
            if own:
                return own
    return frozenset(reading.terms.stems)


def _shared(reading: Reading, stems: frozenset[str], statement: Statement) -> float:
    """Return how many of these stems a sentence meets."""
    return sum(likeness for own, likeness in reading.terms.match(statement.words).items() if own in stems)


def negation(reading: Reading, holding: Holding) -> Reason | None:
    """Return a reason where one of claim and evidence is negated in the clause that matters and the other is not."""
    claimed = _negated(reading.text, reading.language)
    if not holding.statements:
        return None
    clause, language = _closest(reading, holding)
    found = _negated(clause, language)
    prefixed = _prefixed(reading, holding)
    if prefixed and len(claimed) % 2 == len(found) % 2:
        return Reason("negation_differs", (prefixed[0],), (prefixed[1],))
    if bool(claimed) != bool(found) and not prefixed:
        everywhere = any(_negated(statement.text, statement.language) for statement in holding.statements)
        if not claimed or not everywhere:
            return Reason("negation_differs", claimed, found)
    return None


def _negated(text: str, language: Language) -> tuple[str, ...]:
    """Return the negations of a text as they are written, those that affirm left out."""
    return tuple(_NEGATION[language].findall(_AFFIRMING.sub(" ", text)))


def _closest(reading: Reading, holding: Holding) -> tuple[str, Language]:
    """Return the clause of the evidence that shares most with the claim."""
    statement = holding.statements[0]
    parts = [statement.text[slice(*span)] for span in clauses(statement.text)]
    shares = [sum(reading.terms.match(map(fold, WORD.findall(part))).values()) for part in parts]
    return parts[max(range(len(parts)), key=shares.__getitem__)], statement.language


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


_TITLE = re.compile(r"(?:Herr|Herrn|Frau|Dr|Prof|Mr|Mrs|Ms|Sir|Lord|Familie|Firma|König|Königin)$")
_CAPITAL = re.compile(r"[^\W\d_a-zäöüß]")


def name_like(reading: Reading) -> frozenset[str]:
    """Return the stems of a claim's words that are names, as far as writing shows.

    In English a capital inside the sentence shows it. In German every noun has one: there two capitals in a row, an
    abbreviation in capitals, or a title before it show a name.
    """
    found = set()
    for index, word in enumerate(reading.words):
        if not _CAPITAL.match(word.text):
            continue
        if reading.language == "en":
            if word.span[0] > 0 or _beside(reading, index):
                found.add(word.own)
        elif word.text[1:] != word.text[1:].casefold() or _beside(reading, index) or _titled(reading.text, word.span):
            found.add(word.own)
    return frozenset(found)


def _titled(text: str, span: Span) -> bool:
    return _TITLE.search(text[: span[0]].rstrip(" .")) is not None


def _beside(reading: Reading, index: int) -> bool:
    """Say whether a capitalised word stands right beside another one."""
    own = reading.words[index].span
    for other in (*reading.words[max(index - 1, 0) : index], *reading.words[index + 1 : index + 2]):
        first, last = sorted((own, other.span))
        if last[0] - first[1] == 1 and _CAPITAL.match(other.text):
            return True
    return False


def missing(reading: Reading, met: Mapping[str, float], least: float = 0.6) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the other content words of a claim that its evidence does not meet, as they are written."""
    names = name_like(reading)
    lacking = [word for word in reading.words if met.get(word.own, 0.0) < least]
    return (
        tuple(dict.fromkeys(word.text for word in lacking if word.own in names)),
        tuple(dict.fromkeys(word.text for word in lacking if word.own not in names)),
    )


def of_value(value: Value, statements: Sequence[Statement]) -> bool:
    """Say whether any of these sentences holds a figure."""
    return any(value.held_by(other) for statement in statements for other in statement.values)
