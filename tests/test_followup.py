"""Follow-up questions made to stand by themselves: by a model, and by words where there is none or it fails."""

from collections.abc import Iterable, Sequence
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat_doubles import Speaker, Step
from kontextwerk import Language, ModelError, Turn
from kontextwerk.followup import ANSWER_CHARS, REWRITE_TOKENS, standalone, with_words
from strategies import hostile_texts

GERMAN = [Turn("Wann erfolgt die Auftragsklärung?", "Zu Beginn, im Erstgespräch [Quelle 1].")]
ENGLISH = [Turn("When is the notice period agreed?", "In the first meeting [Source 1].")]


def rewriter(*steps: Step) -> Speaker:
    """Make a model that rewrites as it is told."""
    return Speaker([], steps)


@pytest.mark.parametrize(
    ("question", "turns", "language", "expected"),
    [
        ("Und wie lange dauert sie?", GERMAN, "de", "Und wie lange dauert sie? (Auftragsklärung)"),
        ("Warum?", GERMAN, "de", "Warum? (Auftragsklärung)"),
        ("Was gehört dazu?", GERMAN, "de", "Was gehört dazu? (Auftragsklärung)"),
        ("And how long does it last?", ENGLISH, "en", "And how long does it last? (notice period agreed)"),
        ("Why?", ENGLISH, "en", "Why? (notice period agreed)"),
        ("Is that binding?", ENGLISH, "en", "Is that binding? (notice period agreed)"),
    ],
)
def test_a_question_that_points_back_gets_the_words(
    question: str, turns: Sequence[Turn], language: Language, expected: str
) -> None:
    """A question that points back, or says little, is searched for with what was spoken of."""
    assert with_words(question, turns, language) == expected


@pytest.mark.parametrize(
    ("question", "turns", "language"),
    [
        ("Welche Unterlagen braucht ein Antrag auf Kostenübernahme?", GERMAN, "de"),
        ("Which documents prove travel expenses for trainers?", ENGLISH, "en"),
        ("Und wie lange dauert die Auftragsklärung?", GERMAN, "de"),
        ("Und warum?", [Turn("Warum?", "Darum.")], "de"),
        ("Und warum?", [], "de"),
    ],
)
def test_a_question_that_stands_by_itself_stays(question: str, turns: Sequence[Turn], language: Language) -> None:
    """A question that says what it is about, or that nothing came before, is searched for as it is."""
    assert with_words(question, turns, language) == question


def test_words_come_from_the_last_turn_that_has_any() -> None:
    """Where the last question named nothing either, the one before it is looked at."""
    turns = [*GERMAN, Turn("Und warum?", "Weil es so ist.")]
    assert with_words("Und dann?", turns, "de") == "Und dann? (Auftragsklärung)"
    turns = [*GERMAN, Turn("Was kostet ein Coaching?", "90 Euro.")]
    assert with_words("Und wie lange dauert es?", turns, "de") == "Und wie lange dauert es? (Coaching)"


def test_the_first_question_needs_no_model() -> None:
    """Without a conversation before it, a question stays as it is, and no model is asked."""
    model = rewriter("Etwas anderes?")
    assert standalone("Und dann?", [], "de", model) == "Und dann?"
    assert model.rewrites == []


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["Wie lange dauert die Auftragsklärung?"], "Wie lange dauert die Auftragsklärung?"),
        (["Wie lange ", "dauert ", "sie?\n"], "Wie lange dauert sie?"),
        (["„Wie lange dauert die Auftragsklärung?“"], "Wie lange dauert die Auftragsklärung?"),
        (['Letzte Frage: "Wie lange dauert sie?"'], "Wie lange dauert sie?"),
        (["Frage: Wie lange dauert sie?"], "Wie lange dauert sie?"),
        (["Gern, hier ist die Frage:\n\nWie lange dauert sie?"], "Wie lange dauert sie?"),
        (["Ich denke nach. " * 200, "\n\nWie lange dauert sie?"], "Wie lange dauert sie?"),
    ],
)
def test_a_model_rewrites(steps: Iterable[Step], expected: str) -> None:
    """What the model writes is taken, without quotation marks and what it says before it."""
    assert standalone("Und wie lange dauert sie?", GERMAN, "de", rewriter(*steps)) == expected


FAILING: list[Iterable[Step]] = [
    [],
    ["  \n "],
    ['""'],
    ["Letzte Frage:"],
    [ModelError("double", "is not there")],
    ["Wie lange ", ModelError("double", "broke off")],
    ["Wie lange dauert sie? " * 100],
    ["x" * 401],
    repeat("Und noch ein Wort. "),
    repeat("Zeile\n"),
]


@pytest.mark.parametrize("steps", FAILING)
def test_without_a_usable_rewriting_words_are_added(steps: Iterable[Step]) -> None:
    """Where the model fails, says nothing, or writes far too much, perhaps without end, words are added instead."""
    question = "Und wie lange dauert sie?"
    expected = "Und wie lange dauert sie? (Auftragsklärung)"
    model = Speaker([], steps)
    assert standalone(question, GERMAN, "de", model) == standalone(question, GERMAN, "de") == expected
    assert len(model.rewrites) == 1


@pytest.mark.parametrize(
    ("language", "turns", "last"),
    [("de", GERMAN, "Letzte Frage: Und {x}?"), ("en", ENGLISH, "Last question: Und {x}?")],
)
def test_the_model_sees_the_last_turns(language: Language, turns: Sequence[Turn], last: str) -> None:
    """The model reads the last three turns, long answers cut, then the question, and may write a question's length."""
    many = [Turn(f"Alt {number}?", "a" * 5000) for number in range(5)]
    model = rewriter("Gut?")
    assert standalone("Und {x}?", [*many, *turns], language, model) == "Gut?"
    prompt = model.rewrites[0]
    assert prompt.max_tokens == REWRITE_TOKENS
    assert len(prompt.messages) == 1
    text = prompt.messages[0].text
    assert text.endswith(last)
    assert [f"Alt {number}?" in text for number in range(5)] == [False, False, False, True, True]
    assert text.count("a" * ANSWER_CHARS) == 2
    assert "a" * (ANSWER_CHARS + 1) not in text
    assert turns[0].question in text


@given(
    hostile_texts, st.lists(st.builds(Turn, hostile_texts, hostile_texts), max_size=3), st.sampled_from(["de", "en"])
)
def test_any_question_survives(question: str, turns: Sequence[Turn], language: Language) -> None:
    """Whatever stands in a conversation, the question itself stays what is searched for, words only added."""
    assert standalone(question, turns, language).startswith(question)
