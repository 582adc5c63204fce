"""The kind of thing that a question asks for: a number or a date, or a name.

It leaves out how much that counts: see `focus`.
"""

import re

from kontextwerk.context.model import Language
from kontextwerk.context.reading import Sentence
from kontextwerk.context.words import WORD, fold

_NUMBER_ASKED = re.compile(
    r"\b(?:wie ?viele?[nrsm]?|wann|wie (?:lange|hoch|oft|groß|alt|weit|schwer|lang|breit|tief|schnell|teuer)|"
    r"welche[mnrs]? (?:jahr|datum|monat|tag|jahrhundert|prozent|zahl|anzahl|höhe|frist)\w*|"
    r"how (?:many|much|long|old|high|far|often|large|tall|big)|when|"
    r"(?:what|which) (?:year|date|month|day|percentage|number)s?)\b",
    re.IGNORECASE,
)
_NAME_ASKED = re.compile(r"\b(?:wer|wem|wen|wessen|wo|wohin|woher|who|whom|whose|where)\b", re.IGNORECASE)
_NUMBERS = frozenset(
    fold(word)
    for words in (
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend million millionen",
        "one two three four five six seven eight nine ten eleven twelve hundred thousand millions",
    )
    for word in words.split()
)
# A capital letter alone makes a name in English; German has it on every noun, so two in a row are asked for.
_CAPITAL = r"[A-ZÄÖÜ][\w'’-]+"
# The capital stands first, so that the search skips to capitals; what stands before it is looked at then.
_BEFORE = r"(?<=\w\W[A-ZÄÖÜ])"
_NAMES = {
    "de": re.compile(rf"[A-ZÄÖÜ]{_BEFORE}[\w'’-]+(?:(?: (?:von|van|de|der|des|und))? {_CAPITAL})+"),
    "en": re.compile(rf"[A-ZÄÖÜ]{_BEFORE}[\w'’-]+(?:(?: (?:of|the|and|von|de|la))? {_CAPITAL})*"),
}


def _is_number(word: str) -> bool:
    return word in _NUMBERS or (not word.isalpha() and any(map(str.isdigit, word)))


class Kind:
    """The kind of thing a question asks for, and whether a sentence holds one that the question does not."""

    def __init__(self, question: str, language: Language) -> None:
        self.number = bool(_NUMBER_ASKED.search(question))
        self.name = bool(_NAME_ASKED.search(question))
        self.names = _NAMES[language]
        self.known = frozenset(map(fold, WORD.findall(question)))

    def is_in(self, sentence: Sentence) -> bool:
        """Say whether the sentence holds what is asked for."""
        if self.number and any(_is_number(word) and word not in self.known for word in sentence.words):
            return True
        return self.name and any(
            not self.known.issuperset(map(fold, WORD.findall(name))) for name in self.names.findall(sentence.text)
        )
