"""Texts and questions into terms for BM25."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kontextwerk.context.model import Language
from kontextwerk.index.terms import Terms, document_terms, query_terms

ANY_TEXT = st.text(st.characters(codec=None))


def shared(question: str, text: str, language: Language = "de") -> int:
    """Return how many terms of a question stand in a text."""
    return len(set(query_terms(question, [language]).indices) & set(document_terms(text, language).indices))


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("Aufträge", "Der Auftrag liegt vor.", "de"),
        ("AUFTRÄGE", "der auftrag liegt vor", "de"),
        ("Auftraege", "Der Auftrag liegt vor.", "de"),
        ("Klärung", "Die Klaerung dauert.", "de"),
        ("Strasse", "Die Straße ist lang.", "de"),
        ("Groesse", "Die Größe.", "de"),
        ("Uebung", "Eine Übung.", "de"),
        ("neuer Bauer", "Ein neues Auto des Bauern.", "de"),
        ("invoices", "The invoice is late.", "en"),
        ("poets", "A poet spoke.", "en"),
    ],
)
def test_other_forms_of_a_word_are_found(question: str, text: str, language: Language) -> None:
    """Inflected, capitalised and otherwise spelt forms of a word share its term."""
    assert shared(question, text, language) >= 1


def test_stop_words_are_no_terms() -> None:
    """Articles and the like are no terms, in the language that they belong to."""
    assert query_terms("der die das und", ["de"]) == query_terms("", ["de"]) == Terms()
    assert query_terms("the and of", ["en"]) == Terms()
    assert query_terms("Auftrag", []) == Terms()


def test_a_question_in_more_than_one_language() -> None:
    """Where the index holds texts in two languages, a question has the terms of both."""
    both = query_terms("Aufträge and invoices", ["de", "en"])
    for language in ("de", "en"):
        alone = query_terms("Aufträge and invoices", [language])
        assert set(alone.indices) <= set(both.indices)


def test_frequency_counts() -> None:
    """A term that stands in a text more often weighs more, but not in proportion."""
    once, thrice = document_terms("Auftrag", "de"), document_terms("Auftrag Auftrag Auftrag", "de")
    assert once.indices == thrice.indices
    assert once.values[0] < thrice.values[0] < 3 * once.values[0]


@given(ANY_TEXT, st.sampled_from(["de", "en"]))
def test_any_text_has_terms(text: str, language: Language) -> None:
    """Any text has terms in ascending order, each once, each with a positive weight."""
    for terms in (document_terms(text, language), query_terms(text, [language])):
        assert list(terms.indices) == sorted(set(terms.indices))
        assert len(terms.values) == len(terms.indices)
        assert all(value > 0 for value in terms.values)


@given(st.text("aeiouäöüßbcdnrst ", max_size=40))
def test_both_spellings_are_one(text: str) -> None:
    """A text with umlauts and the same with two letters for each have the same terms."""
    assume(not re.search("[aeäöü]ü|ae|oe|ue", text))  # "ue" after a vowel is no umlaut: "Bauer"
    spelt = text.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    assert query_terms(text, ["de"]) == query_terms(spelt, ["de"])
