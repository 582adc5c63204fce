"""The words of the check of an answer as types, and which sentences of an answer claim anything.

    Claim  ──checking──▶  Check (a verdict, its evidence, its reasons)

It leaves out how a claim is checked: see `checking`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kontextwerk.context.function_words import carries_grammar
from kontextwerk.context.model import Language, Span
from kontextwerk.context.values import values
from kontextwerk.context.words import WORD, fold

Verdict: TypeAlias = Literal["supported", "partly", "unsupported", "uncited", "no_claim"]
"""What is found of a sentence. `supported`: its sources hold it; `partly`: they hold some of it, or others than the
cited ones hold it; `unsupported`: they do not; `uncited`: a source holds it and none is cited; `no_claim`: it claims
nothing that a source could hold."""

ReasonKind: TypeAlias = Literal[
    "number_differs",
    "date_differs",
    "name_missing",
    "negation_differs",
    "opposite",
    "words_missing",
    "other_source",
    "nothing_close",
]
"""Why a sentence is not supported as it stands."""

Judge: TypeAlias = Callable[[str, Sequence[str]], Verdict | None]
"""From a claim and the sentences of its evidence to a verdict that overrules ours; None where it has none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer.

    Attributes:
        text: Its wording without citations.
        span: Where it stands in the answer.
        cited: The numbers of the sources that it cites.
        heads: Whether it only heads what follows: a heading, the first row of a table, an entry of a list of sources.
    """

    text: str
    span: Span
    cited: tuple[int, ...] = ()
    heads: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a source that supports a claim.

    Attributes:
        source: The source's number.
        span: Where the sentence stands in the source's text.
    """

    source: int
    span: Span


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a claim is not supported as it stands.

    Attributes:
        kind: What is amiss.
        claimed: The items of the claim that are concerned, as they are written there.
        found: What stands in the evidence instead, as it is written there.
        sources: For `other_source` the numbers of the sources that hold it.
    """

    kind: ReasonKind
    claimed: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    sources: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of a claim.

    Attributes:
        span: The claim's.
        verdict: See `Verdict`.
        score: How well the evidence holds the claim, 0 to 1; 0 where nothing is claimed.
        evidence: The sentences that come nearest to holding it, by source and place; empty where none is near.
        reasons: Why it is not supported as it stands; empty where it is.
    """

    span: Span
    verdict: Verdict
    score: float
    evidence: tuple[Evidence, ...] = ()
    reasons: tuple[Reason, ...] = ()


_GREETING = re.compile(
    r"(?:ja|nein|yes|no|okay|hallo|guten (?:tag|morgen|abend)|gerne?|"
    r"natürlich|klar|vielen dank|danke|bitte|viel (?:erfolg|spaß)|"
    r"(?:ich hoffe|falls du|wenn sie (?:noch )?(?:weitere )?fragen)\b.*|lassen sie .* wissen|"
    r"hello|hi|dear \w+|sure|certainly|of course|thank(?:s| you)\b.*|you're welcome|i hope .*|let me know .*|"
    r"(?:if you have|feel free) .*)[\s!.,;:]*",
    re.IGNORECASE,
)
# "Die Quellen enthalten dazu nichts": the material, a verb of telling and a negation in one sentence.
_MATERIAL = (
    r"quellen?|kontexte?\w*|dokument\w*|unterlagen?|texte?[ns]?|textstellen?|passagen?|abschnitte?n?|auszüg\w*|"
    r"information\w*|angaben?|hinweise?n?|details?|einzelheiten|aussagen?|frage|"
    r"sources?|context|documents?|texts?|passages?|excerpts?|information|details?|question|references?"
)
_TELLING = (
    r"steht|stehen|enthalten|enthält|enthielt\w*|finde\w*|findet|gefunden|hervor\w*|genannt|erwähn\w*|angegeben|nenn\w*|"
    r"beantwort\w*|liegt|liegen|vorliegen\w*|bekannt|es gibt|gibt es|entnehmen|aufgeführt|"
    r"contain\w*|mention\w*|provide\w*|found|states?|stated|specif\w+|given|answer\w*|include\w*|available|enough|"
    r"say|says|address\w*|there (?:is|are)"
)
_NOT = r"nicht|keine?[nrms]?|nichts|not|no|nothing|cannot|neither|\w+n['’]t"
_REFUSAL = re.compile(
    rf"^(?=.*\b(?:{_MATERIAL})\b)(?=.*\b(?:{_TELLING})\b)(?=.*\b(?:{_NOT})\b)|"
    r"^(?:i (?:do not|don['’]t) know|i (?:cannot|can['’]t|am unable|could not)|das weiß ich nicht|"
    r"ich weiß (?:es )?nicht|es tut mir leid|leider (?:kann|habe|liegen) )|"
    r"\bkann (?:ich )?(?:\S+ ){0,6}(?:nicht|keine antwort) (?:\S+ )?(?:beantwort\w*|sagen|geben)\b|"
    r"^(?:dazu|hierzu|darüber) (?:steht|stehen|findet sich|finde ich|gibt es|habe ich|liegt|liegen|sagen) "
    r".*\b(?:nichts|keine?)\b",
    re.IGNORECASE | re.DOTALL,
)
_LEAST_WORDS = 4
"""So many words carry a claim even where a list follows: "There are three types of needles:"."""


def claims_nothing(claim: Claim, language: Language) -> bool:
    """Say whether a sentence claims nothing that a source could hold.

    So do greetings, questions, headings, lead-ins and the word that the sources do not tell. A lead-in that cites a
    source, or that holds a figure and says of what, is a claim.

    >>> claims_nothing(Claim("Was folgt?", (0, 10)), "de"), claims_nothing(Claim("Ja, zwei Wochen", (0, 15)), "de")
    (True, False)
    """
    text = claim.text.strip()
    if claim.heads or not any(map(str.isalnum, text)):
        return True
    if text.endswith("?") or _GREETING.fullmatch(text.strip("() ")) or _REFUSAL.search(text):
        return True
    if not text.endswith(":"):
        return False
    telling = [word for word in WORD.findall(text) if not carries_grammar(fold(word), language)]
    return not claim.cited and not (len(telling) >= _LEAST_WORDS and values(text, language))
