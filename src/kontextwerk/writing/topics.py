"""A briefing into its topics: what is searched for, so that the sources cover all of it and not one corner.

A model names them; without one they are the briefing's sentences, and of an enumeration its items. It leaves out the
search: see `searches`.
"""

import re
from collections.abc import Iterable

from kontextwerk.context.errors import ModelError
from kontextwerk.context.function_words import carries_grammar
from kontextwerk.context.model import Language
from kontextwerk.context.sentences import sentences
from kontextwerk.context.words import WORD, fold, stem
from kontextwerk.prompt import LanguageModel, Message, Prompt

MOST = 8
"""The most topics."""
TOPIC_CHARS = 300
"""The longest topic; of a longer one only the beginning is searched for."""
NAMING_TOKENS = 250
"""The most tokens in which a model may name them."""
GIVEN_UP = 6000
"""A model that writes more characters is listened to no longer: some think aloud before they answer."""
_ITEM_WORDS = 7
"""An enumeration's items have fewer words than this on average; a sentence's clauses have more."""
# What only says that something is to be written: it is not searched for.
_ORDER: dict[Language, re.Pattern[str]] = {
    "de": re.compile(
        r"^(?:bitte\s+)?(?:(?:schreib|erstell|verfass|formulier|entwirf|entwerf)\w*|ein\w*\s+(?:\w+\s+)?\w*(?:artikel|beitrag|"
        r"newsletter|handout|text|konzept|faq|zusammenfassung|überblick)\b)(?:(?!\b(?:über|zum|zur|zu)\b)[^.:\n]){0,80}"
        r"(?:\b(?:über|zum\s+thema|zu\s+den\s+themen|zu[mr]?)\b|:)\s*|^(?:bitte\s+)?(?:beschreib|erklär)\w*\s+",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"^(?:please\s+)?(?:(?:write|create|draft|compose|prepare)\b|an?\s+(?:\w+\s+)?(?:article|post|newsletter|handout|text|"
        r"concept|faq|summary|overview)\b)(?:(?!\b(?:about|on)\b)[^.:\n]){0,80}"
        r"(?:\b(?:about|on(?:\s+the\s+topics?\s+of)?)\b|:)\s*|^(?:please\s+)?(?:explain|describe)\s+",
        re.IGNORECASE,
    ),
}
_ABOUT_THE_TEXT = re.compile(
    r"^(?:zielgruppe|ton|tonfall|stil|länge|umfang|audience|tone|style|length)\b", re.IGNORECASE
)
_JOINTS: dict[Language, re.Pattern[str]] = {
    "de": re.compile(r"\s*[,;]\s*(?:und|sowie|oder)\s+|\s*[,;]\s+|\s+(?:und|sowie)\s+", re.IGNORECASE),
    "en": re.compile(r"\s*[,;]\s*(?:and|or)\s+|\s*[,;]\s+|\s+and\s+", re.IGNORECASE),
}
# A clause and no item: it begins with a pronoun or a conjunction and, in German, ends with a verb.
_CLAUSE: dict[Language, re.Pattern[str]] = {
    "de": re.compile(
        r"^(?:(?:in|mit|von|zu|für|auf|an)\s+)?(?:der|die|das|den|dem|denen|deren|was|wer|wie|wo|wann|warum|dass|"
        r"weil|wenn|ob|damit)\b.*\b[a-zäöüß]+$"
    ),
    "en": re.compile(r"^(?:which|that|who|what|how|why|when|where|if|because|whether|so)\b"),
}
_SIGN = re.compile(r"^(?:[-*+•‣–]|\(?\d{1,2}[.)])\s+")
_INSTRUCTIONS: dict[Language, str] = {
    "de": (
        "Du bereitest einen Text vor, der auf einer Dokumentensammlung beruht. Lies das Briefing und nenne drei bis "
        "sechs verschiedene Suchanfragen, die zusammen alles finden, was der Text braucht. Eine Anfrage je Zeile, ohne "
        "Nummern und ohne weitere Worte."
    ),
    "en": (
        "You prepare a text that stands on a collection of documents. Read the briefing and name three to six "
        "different searches that together find all that the text needs. One search a line, without numbers and "
        "without further words."
    ),
}


def topics(briefing: str, language: Language, model: LanguageModel | None = None) -> tuple[str, ...]:
    """Return what is to be searched for, at most `MOST`, none twice.

    Args:
        briefing: In the author's words.
        language: Its language.
        model: Names the topics; None to take the briefing apart instead, as where the model fails or names none.
    """
    return (model and _named(briefing, language, model)) or parts(briefing, language)


def parts(briefing: str, language: Language) -> tuple[str, ...]:
    """Return a briefing's sentences and items, of an enumeration each of its own; the whole where there is but one.

    >>> parts("Schreibe einen Artikel über Auftragsklärung, aktives Zuhören und Widerstand.", "de")
    ('Auftragsklärung', 'aktives Zuhören', 'Widerstand')
    """
    found = [
        topic
        for start, end in sentences(briefing, language)
        for topic in _items(_SIGN.sub("", briefing[start:end].strip()), language)
    ]
    return _distinct(found, language) or (" ".join(briefing.split())[:TOPIC_CHARS],)


def _items(sentence: str, language: Language) -> list[str]:
    """Return the items of an enumeration, each with what stands before its colon; of another sentence the whole."""
    if _ABOUT_THE_TEXT.match(sentence):
        return []
    told = _ORDER[language].sub("", sentence, count=1).strip().rstrip(".!:;, ")
    head, colon, listed = told.partition(": ")
    items = _JOINTS[language].split(listed if colon else told)
    is_list = all(_says_something(item, language) and not _CLAUSE[language].match(item) for item in items)
    if not is_list or len(told.split()) >= _ITEM_WORDS * len(items):
        return [told]
    return [f"{head}: {item}" for item in items] if colon else items


def _named(briefing: str, language: Language, model: LanguageModel) -> tuple[str, ...]:
    prompt = Prompt(_INSTRUCTIONS[language], (Message("user", briefing.strip()),), briefing, max_tokens=NAMING_TOKENS)
    answer = ""
    try:
        for piece in model.stream(prompt):
            answer += piece
            if len(answer) > GIVEN_UP:
                return ()
    except ModelError:
        return ()
    lines = (_SIGN.sub("", line.strip()).strip(' "„“”*`') for line in answer.splitlines())
    return _distinct((line for line in lines if len(line) <= TOPIC_CHARS and not line.endswith(":")), language)


def _distinct(found: Iterable[str], language: Language) -> tuple[str, ...]:
    """Return those that say something, each once, in order."""
    known: dict[frozenset[str], str] = {}
    for topic in found:
        if _says_something(topic, language):
            known.setdefault(frozenset(stem(word, language) for word in WORD.findall(topic)), topic[:TOPIC_CHARS])
    return tuple(known.values())[:MOST]


def _says_something(text: str, language: Language) -> bool:
    return any(len(word) > 1 and not carries_grammar(fold(word), language) for word in WORD.findall(text))
