"""The reasons of decisions in the language of those who read them.

A decision's own reason is in English and stays so, for machines and for contexts that were stored. What is made here is
read off that sentence: `selection`, `deciding` and `conversation` say it, `kontextwerk.hits` names the faults. What is
not known here is shown as it stands: nothing is lost.
"""

import re

from kontextwerk.context.model import Language

_SENTENCES = (
    (r"Stands whole", r"Steht ganz"),
    (r"Stands in part: the whole did not fit", r"Steht in Teilen: das Ganze passte nicht"),
    (r"Stands in the passage of a neighbour, source (\d+)", r"Steht in der Passage eines Nachbarn, Quelle \1"),
    (r"Was sent in an earlier turn, as source (\d+)", r"Wurde in einer früheren Runde gesendet, als Quelle \1"),
    (
        r"Did not fit beside better text; (-?\d+) tokens are left",
        r"Passte nicht neben bessere Texte; \1 Token sind frei",
    ),
    (
        r"Not tried: better text fills the budget; (-?\d+) tokens are left",
        r"Nicht versucht: bessere Texte füllen das Budget; \1 Token sind frei",
    ),
    (r"Equal to hit (\d+), which did not fit", r"Gleich wie Treffer \1, der nicht passte"),
    (r"Equal to hit (\d+)", r"Gleich wie Treffer \1"),
    (r"To (\d+)% equal to hit (\d+), which did not fit", r"Zu \1 % gleich wie Treffer \2, der nicht passte"),
    (r"To (\d+)% equal to hit (\d+)", r"Zu \1 % gleich wie Treffer \2"),
    (r"Its score (\S+) is below (\S+?)", r"Sein Score \1 liegt unter \2"),
    (r"Its score (\S+) is above (\S+?)", r"Sein Score \1 liegt über \2"),
    (r"Has no text", r"Hat keinen Text"),
    (r"Has no usable text", r"Hat keinen brauchbaren Text"),
)
_FAULTS = (
    (re.compile(r"no payload"), r"keine Payload"),
    (re.compile(r"(.*) is missing"), r"\1 fehlt"),
    (re.compile(r"(.*) is of type (.*), no text"), r"\1 ist vom Typ \2, kein Text"),
    (re.compile(r"invalid score (.*)"), r"ungültiger Score \1"),
)
_KNOWN = tuple(
    (re.compile(rf"{english}(?P<mark>; |: |)(?P<fault>(?<=[;:] ).+|)", re.DOTALL), german)
    for english, german in _SENTENCES
)


def read(reason: str, language: Language) -> tuple[str, str]:
    """Return a decision's reason in a language, in two parts.

    Args:
        reason: As in `Decision.reason`.
        language: The language to read it in.

    Returns:
        What became of the hit; and what was wrong with its text or its score, empty where nothing was.

    >>> read("Stands whole; invalid score 'viel'", "de")
    ('Steht ganz', "ungültiger Score 'viel'")
    """
    sentence, _, fault = _parts(reason, language)
    return sentence, fault


def in_words(reason: str, language: Language) -> str:
    """Return a decision's reason in a language, as one sentence.

    >>> in_words("To 93% equal to hit 3", "de")
    'Zu 93 % gleich wie Treffer 3'
    """
    return "".join(_parts(reason, language))


def _parts(reason: str, language: Language) -> tuple[str, str, str]:
    """Return the sentence, the mark behind it, and the fault."""
    for pattern, german in _KNOWN:
        found = pattern.fullmatch(reason)
        if found and language == "en":
            return reason[: found.start("mark")], found["mark"], found["fault"]
        if found:
            return found.expand(german), found["mark"], "; ".join(map(_in_german, found["fault"].split("; ")))
    return reason, "", ""


def _in_german(fault: str) -> str:
    for pattern, german in _FAULTS:
        found = pattern.fullmatch(fault)
        if found:
            return found.expand(german)
    return fault
