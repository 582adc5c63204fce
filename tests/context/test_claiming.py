"""The claims of an answer: where they begin and end, and which citations are theirs."""

import pytest
from hypothesis import given

from kontextwerk.context.citations import find
from kontextwerk.context.claiming import claims
from kontextwerk.context.claims import Claim, claims_nothing
from kontextwerk.context.model import Language
from strategies import hostile_texts, texts

ANSWER = """# Fristen

Gern! Die Frist beträgt zwei Wochen. [1] Sie beginnt mit der Zustellung [Quelle 2, S. 14]. Das gilt [3] auch hier[4, 5].

Geklärt wird:
- **der Anlass** [1]
- das Ziel. [Quelle 2]
1. Dauer: zwei Stunden

| Leistung | Preis |
| --- | --- |
| Erstgespräch [2] | 90 Euro |

```python
x[1] = "Das ist ein Satz."
```
Ein Absatz.
[7]

Quellen:
[1] Handbuch.pdf
[2] Leitfaden.docx, S. 4"""


def _cut(answer: str, language: Language = "de") -> list[tuple[str, tuple[int, ...]]]:
    return [(claim.text, claim.cited) for claim in claims(answer, language)]


def test_an_answer_with_everything() -> None:
    """Sentences, items and rows are claims with their own citations; code is none; lists of sources cite nothing."""
    assert _cut(ANSWER) == [
        ("Fristen", ()),
        ("Gern!", ()),
        ("Die Frist beträgt zwei Wochen.", (1,)),
        ("Sie beginnt mit der Zustellung.", (2,)),
        ("Das gilt auch hier.", (3, 4, 5)),
        ("Geklärt wird:", ()),
        ("der Anlass", (1,)),
        ("das Ziel.", (2,)),
        ("Dauer: zwei Stunden", ()),
        ("Leistung, Preis", ()),
        ("Erstgespräch, 90 Euro", (2,)),
        ("Ein Absatz.", (7,)),
        ("Quellen:", ()),
        ("Handbuch.pdf", ()),
        ("Leitfaden.docx, S. 4", ()),
    ]


def test_what_only_heads_others_claims_nothing() -> None:
    """Headings, the first row of a table and the entries of a list of sources claim nothing; items and rows do."""
    silent = {claim.text for claim in claims(ANSWER) if claims_nothing(claim, "de")}
    assert silent == {
        "Fristen",
        "Gern!",
        "Geklärt wird:",
        "Leistung, Preis",
        "Quellen:",
        "Handbuch.pdf",
        "Leitfaden.docx, S. 4",
    }


def test_spans_hold_the_sentence_with_its_citations() -> None:
    """A span is where the sentence stands in the answer, citations included."""
    answer = "Die Frist endet. [1][2] Danach\nverfällt sie (Quelle 3)! Ende [4]"
    assert [answer[slice(*claim.span)] for claim in claims(answer)] == [
        "Die Frist endet. [1][2]",
        "Danach\nverfällt sie (Quelle 3)!",
        "Ende [4]",
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    {
        "Satz eins. [1] Satz zwei.": [("Satz eins.", (1,)), ("Satz zwei.", ())],
        "Satz eins [1]. Satz zwei [2].": [("Satz eins.", (1,)), ("Satz zwei.", (2,))],
        "Satz eins. [1].": [("Satz eins.", (1,))],
        "Satz eins.[1] [2], (Quelle 3)\n\nSatz zwei.": [("Satz eins.", (1, 2, 3)), ("Satz zwei.", ())],
        "[1] Die Frist endet bald.": [("Die Frist endet bald.", (1,))],
        "Laut [2] und [3] gilt das.": [("Laut und gilt das.", (2, 3))],
        "Laut Quelle 2 gilt das, siehe [1], noch.": [("Laut Quelle 2 gilt das, siehe, noch.", (1,))],
        "Erster Absatz.\n\n[1]\n\nZweiter Absatz.": [("Erster Absatz.", (1,)), ("Zweiter Absatz.", ())],
        "* Eins [1]\n* Zwei\n  [2]": [("Eins", (1,)), ("Zwei", (2,))],
        "> **Wichtig:** Die *Frist* endet. [1]": [("Wichtig: Die Frist endet.", (1,))],
        "Das gilt seit [2023] [1, 1].": [("Das gilt seit [2023].", (1,))],
        "3. Mai ist der letzte Tag [1].": [("3. Mai ist der letzte Tag.", (1,))],
        "- [ ] Antrag stellen [1]": [("Antrag stellen", (1,))],
        "Siehe [Handbuch](https://a.example/b) [1].": [("Siehe Handbuch.", (1,))],
        "Davor.\n```\nx = [1]": [("Davor.", ())],
        "[1]": [],
        "": [],
        "---\n\n***\n[2]": [],
    }.items(),
)
def test_whose_a_citation_is(answer: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    """A citation belongs to the sentence that it stands in or behind; at the beginning of a line to what follows."""
    assert _cut(answer) == expected


def test_english_and_a_label_of_ones_own() -> None:
    """English abbreviations hold, and a context's own label is known."""
    assert _cut("Dr. Smith came [Source 2, p. 4]. He left. (Source 1)", "en") == [
        ("Dr. Smith came.", (2,)),
        ("He left.", (1,)),
    ]
    assert [claim.cited for claim in claims("Das gilt [Beleg 3].", label="Beleg")] == [(3,)]


def test_citations_that_were_found_before() -> None:
    """Citations may be given, so that a stream's need not be found again."""
    answer = "Das gilt [1]. Das auch [2]."
    assert claims(answer, citations=find(answer)[:1])[1] == Claim("Das auch [2].", (14, 27), ())


@pytest.mark.parametrize(
    "text",
    [
        "Hallo!",
        "Ja.",
        "Gerne!",
        "Was möchten Sie noch wissen?",
        "Hier sind drei Beispiele:",
        "Dazu steht nichts in den Quellen.",
        "Die Quellen enthalten dazu keine Angaben.",
        "Ich kann diese Frage leider nicht beantworten.",
        "Es gibt keine Angabe, seit wann das gilt.",
        "Details werden nicht genannt.",
        "The context does not mention the price.",
        "I don't know.",
        "Let me know if you have questions.",
    ],
)
def test_what_claims_nothing(text: str) -> None:
    """Greetings, questions, lead-ins and the word that the sources do not tell claim nothing."""
    language: Language = "de" if any(word in text for word in ("ie", "Es", "Ja", "Ha", "Ger", "Da", "Ich")) else "en"
    assert claims_nothing(Claim(text, (0, len(text))), language)


@pytest.mark.parametrize(
    "text",
    [
        "Ja, zwei Wochen.",
        "zwei Wochen",
        "Die Gebühr entfällt.",
        "Es gab mindestens vier schwere Überschwemmungen im Tal:",
        "Das Dokument darf nicht weitergegeben werden.",
        "Es gibt keine Frist.",
    ],
)
def test_what_claims_something(text: str) -> None:
    """Short answers, denials and lead-ins with a figure claim something."""
    assert not claims_nothing(Claim(text, (0, len(text))), "de")


@given(texts | hostile_texts)
def test_claims_stand_in_order(answer: str) -> None:
    """Spans lie in the answer, in order, without overlap; every claim has a letter or a digit."""
    found = claims(answer)
    ends = [0, *(end for claim in found for end in claim.span), len(answer)]
    assert ends == sorted(ends)
    assert all(any(map(str.isalnum, claim.text)) and claim.span[0] < claim.span[1] for claim in found)
    assert found == claims(answer)
