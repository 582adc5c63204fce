"""A follow-up question made to stand by itself, so that a search for it finds what is meant.

"Und wie lange dauert sie?" after a question about the Auftragsklärung is searched for with that word. A model rewrites
it; without one, the content words of the last turn's question are added. It leaves out the search.
"""

import re
from collections.abc import Sequence

from kontextwerk.context.errors import ModelError
from kontextwerk.context.function_words import carries_grammar
from kontextwerk.context.model import Language
from kontextwerk.context.window import Turn
from kontextwerk.context.words import WORD, fold, stem
from kontextwerk.prompt import LanguageModel, Message, Prompt

TURNS = 3
"""How many of the last turns a model sees."""
ANSWER_CHARS = 600
"""How much of each of their answers."""
REWRITE_TOKENS = 120
"""The most tokens of a rewritten question."""
LONGEST = 400
"""A rewritten question of more characters is no question."""
GIVEN_UP = 20 * LONGEST
"""A model that writes more characters is listened to no longer: some think aloud before the question."""
FEW = 3
"""A question with fewer content words may mean what was spoken of before."""
_POINTING: dict[Language, re.Pattern[str]] = {
    "de": re.compile(
        r"^(?:und|oder|aber|warum|wieso)\b|\b(?:er|sie|es|ihn|ihm|ihr|ihre[nmrs]?|sein\w*|dies\w*|jen\w+|das|dort|dabei|"
        r"dafür|dazu|davon|daran|dann|darüber|danach|damit|dagegen|deren|dessen)\b",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"^(?:and|or|but|why)\b|\b(?:it|its|he|she|they|them|their|his|her|this|that|these|those|there|then)\b",
        re.IGNORECASE,
    ),
}
_INSTRUCTIONS: dict[Language, str] = {
    "de": (
        "Du formulierst die letzte Frage eines Gesprächs so um, dass sie ohne das Gespräch verständlich ist. "
        "Setze ein, worauf sich Fürwörter beziehen. Ist sie schon verständlich, gib sie unverändert zurück. "
        "Antworte nur mit der Frage."
    ),
    "en": (
        "You rephrase the last question of a conversation so that it can be understood without the conversation. "
        "Put in what pronouns refer to. Where it can be understood already, give it back unchanged. "
        "Answer with the question alone."
    ),
}
_ROLES: dict[Language, tuple[str, str, str]] = {
    "de": ("Frage", "Antwort", "Letzte Frage"),
    "en": ("Question", "Answer", "Last question"),
}


def standalone(question: str, turns: Sequence[Turn], language: Language, model: LanguageModel | None = None) -> str:
    """Return a question as it is to be searched for.

    Args:
        question: In the person's words.
        turns: The conversation before it, oldest first.
        language: The conversation's.
        model: Rewrites it; None to add words of the last turns instead, as where the model fails or gives no question.
    """
    if not turns:
        return question
    return (model and _rewritten(question, turns, language, model)) or with_words(question, turns, language)


def with_words(question: str, turns: Sequence[Turn], language: Language) -> str:
    """Return a question with the content words of the one before it, where it points back or says little by itself.

    >>> with_words("Und wie lange dauert sie?", [Turn("Wann erfolgt die Auftragsklärung?", "Zu Beginn.")], "de")
    'Und wie lange dauert sie? (Auftragsklärung)'
    """
    own = {stem(word, language) for word in WORD.findall(question)}
    content = [word for word in WORD.findall(question) if _carries_content(word, language)]
    if not _POINTING[language].search(question) and len(content) >= FEW:
        return question
    for turn in reversed(turns):
        words = [word for word in WORD.findall(turn.question) if _names(word, language)]
        missing = [word for word in dict.fromkeys(words) if stem(word, language) not in own]
        if missing:
            return f"{question} ({' '.join(missing)})"
    return question


def _names(word: str, language: Language) -> bool:
    """Say whether a word names a thing: in German a noun, in English any content word."""
    return _carries_content(word, language) and (language == "en" or word[0].isupper())


def _carries_content(word: str, language: Language) -> bool:
    return len(word) > 1 and not (
        carries_grammar(fold(word), language) or carries_grammar(stem(word, language), language)
    )


def _rewritten(question: str, turns: Sequence[Turn], language: Language, model: LanguageModel) -> str:
    asked, answered, last = _ROLES[language]
    lines = [f"{asked}: {turn.question}\n{answered}: {turn.answer[:ANSWER_CHARS]}" for turn in turns[-TURNS:]]
    message = Message("user", "\n\n".join([*lines, f"{last}: {question}"]))
    prompt = Prompt(_INSTRUCTIONS[language], (message,), question, max_tokens=REWRITE_TOKENS)
    answer = ""
    try:
        for piece in model.stream(prompt):
            answer += piece
            if len(answer) > GIVEN_UP:
                return ""
    except ModelError:
        return ""
    line = answer.strip().rpartition("\n")[2].strip().removeprefix(f"{last}:").removeprefix(f"{asked}:").strip(' "„“”')
    return line if 0 < len(line) <= LONGEST else ""
