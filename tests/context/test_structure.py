"""Tables, lists and code come with what a reader needs to read a part of them."""

from itertools import pairwise

import pytest

from kontextwerk import assemble
from kontextwerk.context.labels import ELISION
from kontextwerk.context.sentences import sentences
from kontextwerk.context.structure import leads

TABLE = "\n".join(
    ["| Leistung | Preis |", "| --- | --- |", *(f"| Beratung {n} im Büro | {n * 10} Euro |" for n in range(1, 31))]
)
LIST = "Vor dem ersten Treffen wird geklärt:\n" + "\n".join(f"- Punkt {n} der Tagesordnung" for n in range(1, 21))
NESTED = "Geklärt wird:\n- der Anlass\n  - aus Sicht der Leitung\n  - aus Sicht des Teams\n- das Ziel"
CODE = "```python\n" + "\n".join(f"wert_{n} = lade(datei_{n})" for n in range(40)) + "\n```"


def hit(text: str) -> dict[str, object]:
    """Return a hit with this text."""
    return {"id": "a", "score": 0.9, "payload": {"content": text, "document_title": "Handbuch.pdf"}}


def of(text: str) -> list[tuple[str, list[str]]]:
    """Return each unit of a text with those that come along."""
    spans = sentences(text)
    units = [text[slice(*span)] for span in spans]
    return [(unit, [units[own] for own in lead]) for unit, lead in zip(units, leads(text, spans), strict=True)]


def test_a_row_brings_its_heading_row() -> None:
    """Every row below the ruler comes with the heading row and the ruler, the ruler with the heading row."""
    head, ruler, *rows = of(TABLE)
    assert head[1] == []
    assert ruler[1] == [head[0]]
    assert all(own == [head[0], ruler[0]] for _, own in rows)


def test_rows_without_a_ruler_stand_alone() -> None:
    """Where nothing says which row is the heading, none comes along."""
    assert all(own == [] for _, own in of("| a | b |\n| c | d |"))


def test_an_item_brings_its_lead_in_and_the_items_above_it() -> None:
    """Items come with the line that leads them in; nested ones with the item that they belong to, too."""
    assert of(NESTED) == [
        ("Geklärt wird:", []),
        ("- der Anlass", ["Geklärt wird:"]),
        ("- aus Sicht der Leitung", ["Geklärt wird:", "- der Anlass"]),
        ("- aus Sicht des Teams", ["Geklärt wird:", "- der Anlass"]),
        ("- das Ziel", ["Geklärt wird:"]),
    ]


def test_text_behind_a_list_ends_it() -> None:
    """A list below other text is another list."""
    assert of("Das gilt:\n- eins\n\nDanach mehr.\n\n- zwei")[-1] == ("- zwei", [])


@pytest.mark.parametrize("budget", [60, 90, 150])
@pytest.mark.parametrize(
    ("text", "question", "answer", "along"),
    [
        (TABLE, "Was kostet Beratung 17?", "| Beratung 17 im Büro | 170 Euro |", "| Leistung | Preis |\n| --- | --- |"),
        (LIST, "Was ist Punkt 13?", "- Punkt 13 der Tagesordnung", "Vor dem ersten Treffen wird geklärt:"),
        (CODE, "Was ist wert_23?", "wert_23 = lade(datei_23)", "```python"),
    ],
    ids=["table", "list", "code"],
)
def test_what_answers_can_be_read(text: str, question: str, answer: str, along: str, budget: int) -> None:
    """At a small budget the row, item or line that answers stands whole, below what makes it readable."""
    context = assemble([hit(text)], budget, question=question)
    assert context.tokens <= budget
    standing = context.passages[0].text
    assert answer in standing.split("\n")
    assert along in standing
    assert standing.index(along) < standing.index(answer)
    assert all(line in text.split("\n") for line in standing.split("\n") if line != ELISION)


def test_both_fences_stand_with_a_line_of_code() -> None:
    """What is kept of a long block of code is closed again."""
    standing = assemble([hit(CODE)], 60, question="Was ist wert_23?").passages[0].text
    assert standing.startswith("```python\n")
    assert standing.endswith("\n```")


def test_lines_that_are_left_out_are_marked_on_lines_of_their_own() -> None:
    """A mark within a table, a list or code is a line, and never stands twice in a row."""
    for text in (TABLE, LIST, CODE):
        lines = assemble([hit(text)], 80, question="17 13 23").passages[0].text.split("\n")
        assert ELISION in lines
        assert all((one, other) != (ELISION, ELISION) for one, other in pairwise(lines))
