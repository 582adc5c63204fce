"""The words that people read around sources and decisions, in each language.

It leaves out the words that stand in the context itself, see `labels`, and reasons, see `reasons`.
"""

from dataclasses import dataclass

from kontextwerk.context.model import Language, Outcome

OUTCOMES: dict[Language, dict[Outcome, str]] = {
    "de": {
        "kept": "ganz",
        "trimmed": "gekürzt",
        "merged": "vereint",
        "duplicate": "doppelt",
        "over_budget": "kein Platz",
        "below_score": "zu schwach",
        "empty": "leer",
    },
    "en": {
        "kept": "kept",
        "trimmed": "trimmed",
        "merged": "merged",
        "duplicate": "duplicate",
        "over_budget": "over budget",
        "below_score": "below score",
        "empty": "empty",
    },
}
"""What people read for an outcome."""
STANDING: frozenset[Outcome] = frozenset({"kept", "trimmed", "merged"})
"""The outcomes of hits whose text stands in the context."""


@dataclass(frozen=True, slots=True)
class Words:
    """What people read around sources and decisions, in one language.

    Attributes:
        context: The head of a view.
        budget: The name of the bar.
        size: A context's size, with its tokens and its budget.
        tokens: A number of tokens: one, several.
        sources: A number of sources: one, several.
        hits: A number of hits: one, several.
        left: What is left of the budget.
        all_sources: The head of the sources.
        source: One source.
        hit: One hit.
        title: The head of titles.
        score: The head of scores.
        cost: The head of tokens.
        share: The head of shares of the budget.
        reason: The head of reasons.
        left_out: The head of what does not stand in the context.
        nothing: What is said of a context in which nothing stands.
        all_stand: What is said where nothing was left out.
        others: How many more there are, and what became of them.
        cut: What the mark of a cut means.
        percent: A share in whole hundredths.
    """

    context: str
    budget: str
    size: str
    tokens: tuple[str, str]
    sources: tuple[str, str]
    hits: tuple[str, str]
    left: str
    all_sources: str
    source: str
    hit: str
    title: str
    score: str
    cost: str
    share: str
    reason: str
    left_out: str
    nothing: str
    all_stand: str
    others: str
    cut: str
    percent: str


WORDS: dict[Language, Words] = {
    "de": Words(
        context="Kontext",
        budget="Budget",
        size="{} von {} Token",
        tokens=("{} Token", "{} Token"),
        sources=("{} Quelle", "{} Quellen"),
        hits=("{} Treffer", "{} Treffer"),
        left="{} frei",
        all_sources="Quellen",
        source="Quelle",
        hit="Treffer",
        title="Titel",
        score="Score",
        cost="Token",
        share="Anteil",
        reason="Grund",
        left_out="Nicht im Kontext",
        nothing="Im Kontext steht nichts.",
        all_stand="Jeder Treffer steht im Kontext.",
        others="… und {} weitere: {}",
        cut="Hier ist Text ausgelassen",
        percent="{} %",
    ),
    "en": Words(
        context="Context",
        budget="Budget",
        size="{} of {} tokens",
        tokens=("{} token", "{} tokens"),
        sources=("{} source", "{} sources"),
        hits=("{} hit", "{} hits"),
        left="{} free",
        all_sources="Sources",
        source="Source",
        hit="Hit",
        title="Title",
        score="Score",
        cost="Tokens",
        share="Share",
        reason="Reason",
        left_out="Not in the context",
        nothing="Nothing stands in the context.",
        all_stand="Every hit stands in the context.",
        others="… and {} more: {}",
        cut="Text is left out here",
        percent="{}%",
    ),
}

HEADS: dict[Language, tuple[str, ...]] = {
    "de": ("Treffer", "Score", "Quelle", "Ergebnis", "Zahl", "Titel", "Grund"),
    "en": ("hit", "score", "source", "outcome", "figure", "title", "reason"),
}
"""The heads of the table of decisions."""

PAGES: dict[Language, tuple[str, str]] = {"de": ("S. {}", "S. {}–{}"), "en": ("p. {}", "pp. {}–{}")}
"""How one page is written, and a range."""
