"""The answer without a model."""

from kontextwerk import assemble
from kontextwerk.chat import build_prompt
from kontextwerk.extract import Extract, quotations
from kontextwerk.prompt import NOT_IN_SOURCES

TEXTS = {
    "Leitfaden.md": "# Auftrag\n\nDie Auftragsklärung erfolgt im Erstgespräch. "
    "Danach folgt eine Bedenkzeit von drei Tagen.",
    "AGB.pdf": "Termine können bis 48 Stunden vorher abgesagt werden. Spätere Absagen kosten 60 Prozent.",
}
HITS = [{"score": 1.0, "payload": {"content": text, "document_title": title}} for title, text in TEXTS.items()]


def answer(question: str, extract: Extract = Extract()) -> str:
    """Answer from the two documents."""
    context = assemble(HITS, 1000, question=question)
    return "".join(extract.stream(build_prompt(question, context)))


def test_it_quotes_with_a_citation() -> None:
    """The sentence that answers stands first, word for word, with its source."""
    assert answer("Wann erfolgt die Auftragsklärung?").startswith(
        "„Die Auftragsklärung erfolgt im Erstgespräch.“ [Quelle 1]"
    )


def test_each_quotation_cites_its_own_source() -> None:
    """A sentence of the second document is cited with the second number."""
    assert "abgesagt werden.“ [Quelle 2]" in answer("Bis wann können Termine abgesagt werden?")


def test_it_says_when_nothing_answers() -> None:
    """Where the sources hold too few of the question's words, it says so and quotes nothing."""
    assert answer("Wie heißt die Hauptstadt von Australien?") == NOT_IN_SOURCES["de"]


def test_headings_are_no_answer() -> None:
    """A heading is not quoted, though it holds the word."""
    context = assemble(HITS, 1000)
    assert all("#" not in quotation.text for quotation in quotations("Auftrag?", context))


def test_meaning_decides_where_words_do_not() -> None:
    """With closeness of meaning a sentence without a common word is found."""

    def similarity(_: str, texts: object) -> list[float]:
        assert isinstance(texts, list)
        return [0.9 if "Bedenkzeit" in text else 0.1 for text in texts]

    assert "Bedenkzeit" in answer("Wie viel Muße habe ich zum Nachdenken?", Extract(similarity)).split("\n\n")[0]


def test_english_labels() -> None:
    """The labels follow the context's language."""
    context = assemble(HITS, 1000, question="Auftragsklärung", language="en")
    text = "".join(Extract().stream(build_prompt("Wann erfolgt die Auftragsklärung?", context)))
    assert text.startswith("“Die Auftragsklärung erfolgt im Erstgespräch.” [Source 1]")
