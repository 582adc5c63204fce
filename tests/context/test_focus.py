"""Which sentences are chosen for a question: German as German, English as English, and the way to a second document."""

import pytest

from kontextwerk import Options, assemble
from kontextwerk.context.focus import weigh
from kontextwerk.context.model import Chunk
from kontextwerk.context.neighbours import Part, Region
from kontextwerk.context.reading import Reading, read
from kontextwerk.context.selection import Candidate
from kontextwerk.context.sentences import sentences

FILLER = "Der Raum liegt im zweiten Stock und hat große Fenster zum Hof."


def reading(question: str, *documents: tuple[str, str]) -> Reading:
    """Read documents, each a title and its text, best first."""
    regions = []
    for rank, (title, text) in enumerate(documents):
        candidate = Candidate(text, Chunk(text, title), rank, rank)
        regions.append(Region(text, (Part(candidate, (0, len(text))),)))
    return read(regions, [sentences(region.text) for region in regions], question)


def best(question: str, *documents: tuple[str, str]) -> str:
    """Return the sentence that weighs most."""
    read_ = reading(question, *documents)
    weights = weigh(read_)
    pairs = [
        (weight, sentence.text)
        for row, own in zip(weights, read_.sentences, strict=True)
        for weight, sentence in zip(row, own, strict=True)
    ]
    return max(pairs)[1]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Wann erfolgt die Auftragsklärung?", "Auftragsklärungsgespräche führt die Leitung am Anfang."),
        ("Wann erfolgt die Auftragsklaerung?", "Die AUFTRAGSKLÄRUNG steht am Anfang."),
        ("Wer leitet die Prüfungen?", "Geprüft wird von Frau Kern."),
        ("Welche Regeln gelten für Gäste?", "Ein Gast zahlt 12 Euro."),
        ("What did the players win?", "A player won the cup in 1994."),
        ("Was kostet die Straßenbahn?", "Strassenbahnen sind für Mitglieder frei."),
    ],
)
def test_words_meet_in_other_forms(question: str, answer: str) -> None:
    """Inflections, compounds and both spellings of umlauts meet, in German and in English."""
    assert best(question, ("A.pdf", f"{FILLER} {answer} {FILLER}")) == answer


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Wie viele Plätze hat der Kurs?", "Der Kurs hat zwölf Plätze.", "Der Kurs hat schöne Plätze."),
        ("Wer leitet den Kurs?", "Den Kurs leitet Frau Anna Kern.", "Den Kurs leitet jemand vom Fach."),
        ("When did the course begin?", "The course began in 1987.", "The course began with a song."),
    ],
)
def test_the_kind_of_thing_asked_for_counts(question: str, answer: str, other: str) -> None:
    """Of two sentences with the same words the one with a number or a name answers a question for one."""
    assert best(question, ("A.pdf", f"{other} {answer}")) == answer


def test_a_document_that_is_named_is_reached() -> None:
    """A second document that shares no word with the question weighs more where a matching sentence names it."""
    first = ("Turmbau", f"{FILLER} Den Turm entwarf Clara Winter mit zwei Gehilfen. {FILLER}")
    named, unnamed = ("Clara Winter", "Sie stammt aus Görlitz."), ("Karl Sommer", "Er stammt aus Zittau.")
    weights = weigh(reading("Woher stammt, wer den Turm entwarf?", first, unnamed, named))
    assert sum(weights[2]) > 2 * sum(weights[1])


def test_a_question_over_two_documents_gets_sentences_of_both() -> None:
    """At a small budget the context holds both links of the chain and not the rest of either document."""
    hits = [
        {
            "score": 0.9 - rank / 10,
            "payload": {"document_title": title, "content": text},
        }
        for rank, (title, text) in enumerate(
            [
                ("Turmbau", f"{FILLER} Den Turm entwarf Clara Winter mit zwei Gehilfen. {FILLER}"),
                ("Garten", "Im Garten stehen alte Bäume. Sie werden im Herbst geschnitten. Danach ruht der Garten."),
                ("Clara Winter", "Clara Winter stammt aus Görlitz. Sie malte auch. Ihre Bilder sind verschollen."),
            ]
        )
    ]
    text = assemble(hits, 75, question="Aus welcher Stadt stammt, wer den Turm entwarf?").text
    assert "Den Turm entwarf Clara Winter" in text
    assert "Clara Winter stammt aus Görlitz." in text
    assert "Garten" not in text


def test_meaning_counts_where_it_is_given() -> None:
    """With closeness of meaning a sentence without a common word is chosen."""
    text = f"{FILLER} Das Entgelt beträgt 12 Euro. Der Hof ist grün und ruhig gelegen."
    hits = [{"score": 0.9, "payload": {"document_title": "A.pdf", "content": text}}]

    def similarity(question: str, texts: object) -> list[float]:
        assert question == "Was kostet es?"
        return [0.9 if "Entgelt" in own else 0.3 for own in texts]  # type: ignore[attr-defined]

    context = assemble(hits, 25, question="Was kostet es?", options=Options(similarity=similarity))
    assert "Das Entgelt beträgt 12 Euro." in context.text
    assert "Fenster" not in context.text
