"""Citations in an answer: every form that models write, in any split of the stream, and what is none."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kontextwerk.context.citations import HELD, Citation, Reader, find, parts

CITED = {
    "[Quelle 1]": (1,),
    "[Quelle 1, 3]": (1, 3),
    "[Quellen 1 und 2]": (1, 2),
    "[Quelle 1, Quelle 3]": (1, 3),
    "[Quelle 1; Quelle 2 und Quelle 4]": (1, 2, 4),
    "[Quellen: 1, 2]": (1, 2),
    "[Quelle Nr. 2]": (2,),
    "[quelle 2]": (2,),
    "(Quelle 2)": (2,),
    "(siehe Quelle 2)": (2,),
    "(vgl. Quelle 2, S. 3)": (2,),
    "[1]": (1,),
    "[1, 2]": (1, 2),
    "[1-3]": (1, 2, 3),
    "[1–3]": (1, 2, 3),
    "[1 bis 3]": (1, 2, 3),
    "[Quellen 2 bis 4, 7]": (2, 3, 4, 7),
    "[3-1]": (3, 1),
    "[1-300]": (1, 300),
    "[^1]": (1,),
    "[Source 1]": (1,),
    "[Sources 1, 2, and 3]": (1, 2, 3),
    "(see Source 4)": (4,),
    "[Source #2]": (2,),
    "【1】": (1,),
    "【1†source】": (1,),
    "【3:0†Handbuch.pdf】": (3,),
    "［Quelle 2］": (2,),
    "[Quelle 1: Coaching-Handbuch.pdf]": (1,),
    "[Quelle 1: Bericht (neu) 2024.pdf, S. 3]": (1,),
    "[Quelle 1, S. 12]": (1,),
    "[Quelle 1, S. 12; Quelle 3, S. 4]": (1, 3),
    "[Quelle 1, 2023]": (1,),
    "[Quelle\n1]": (1,),
    "[Quelle 1, 1]": (1,),
    "[Quelle 0]": (0,),
}
NONE = (
    "[2023]",
    "[1, 2023]",
    "[0]",
    "[1.5]",
    "[x]",
    "[ ]",
    "[]",
    "(1)",
    "(2 und 3)",
    "[Quelle]",
    "[Quellen und Belege]",
    "[…]",
    "[sic]",
    "[Anlage 1]",
    "[1](https://a.example)",
    "`a[1]`",
    "``a`[1]``",
    "```\nx[1]\n```",
    "```python\nx[1]\n```\n",
    "~~~\nx[1]\n~~~",
    "- ```\n  x[1]\n  ```",
    "```\nx[1]\n``\n[2]",
    "[Quelle 1",
    "Quelle 1]",
    "[[Quelle",
)


@pytest.mark.parametrize(("mark", "numbers"), CITED.items())
def test_forms_that_models_write(mark: str, numbers: tuple[int, ...]) -> None:
    """A mark names its sources, in its order, wherever it stands."""
    answer = f"Die Frist endet{mark}. Danach (wie gesagt) verfällt sie."
    assert find(answer) == (Citation(mark, (15, 15 + len(mark)), numbers),)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_citation(text: str) -> None:
    """Years, code, links and other brackets stay text."""
    assert find(text) == ()
    assert find(f"Text {text}" if "```" not in text and "~~~" not in text else text) == ()


def test_citation_to_nothing() -> None:
    """Of four sources, 5 and 7 are reported as unknown, and a year stays in the text."""
    answer = "Das gilt seit 2019 [1]. Es wurde geändert [5, 7]. Siehe auch [2023]."
    valid, invalid = find(answer)
    assert (valid.known(range(1, 5)), valid.unknown(range(1, 5))) == ((1,), ())
    assert (invalid.known(range(1, 5)), invalid.unknown(range(1, 5))) == ((), (5, 7))


def test_citations_split_by_the_stream() -> None:
    """Pieces that break marks, code in a line and in a block, and an open mark at the end."""
    pieces = ["Laut [", "1", "] und [", "2, 3] sowie [Quel", "le 1]; im Jahr [20", "23] galt `a[1]`.\n```\nx[1]\n``"]
    pieces += ["`\n[1", "-3] Ende [1"]
    found = read(pieces)
    assert [part.numbers for part in found if isinstance(part, Citation)] == [(1,), (2, 3), (1,), (1, 2, 3)]
    assert written(found) == "".join(pieces)


def test_labels_of_ones_own() -> None:
    """The word that heads a source in the context is found, and those of our languages beside it."""
    assert [found.numbers for found in find("So [Beleg 1], so (Quelle 2), nicht [Anlage 3].", "Beleg")] == [(1,), (2,)]


def test_a_backtick_that_nothing_closes_is_text() -> None:
    """A citation behind it counts."""
    assert [found.numbers for found in find("Das ` steht hier [1].\nUnd ` dort [2].")] == [(1,), (2,)]


def test_a_block_that_nothing_closes_is_code() -> None:
    """To the end, as Markdown has it."""
    assert find("Siehe [1]\n```\nx[2]\n\ny[3]") == (Citation("[1]", (6, 9), (1,)),)


def test_an_answer_behind_a_block_is_read_on() -> None:
    """A closed block ends."""
    assert [found.numbers for found in find("```\nx[1]\n```\nSo [2].")] == [(2,)]


PIECES = (
    *CITED,
    *NONE,
    "\n",
    "`",
    "```",
    "~~~",
    "[",
    "(",
    "Quelle ",
    "1",
    " und ",
    "(h",
    "]",
    ")",
    "【",
    " ",
    "a" * 300,
)
ANSWERS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text("[]()1`~ \nQuel,-x", max_size=60)


@given(ANSWERS, st.lists(st.integers(1, 9), min_size=1, max_size=20))
@example("``` `a` \n[1]", [1])
@example("```\n" + " " * 300 + "```\n[1]", [1])
def test_any_split_gives_the_same(answer: str, sizes: list[int]) -> None:
    """The parts do not depend on how the answer came, and no character is lost."""
    pieces, rest = [], answer
    for size in sizes * (len(answer) // sum(sizes) + 1):
        pieces.append(rest[:size])
        rest = rest[size:]
    found = read(pieces)
    assert found == parts(answer)
    assert written(found) == answer
    assert [answer[slice(*part.span)] for part in found if isinstance(part, Citation)] == [
        part.text for part in found if isinstance(part, Citation)
    ]


@given(ANSWERS)
def test_little_is_held_back(answer: str) -> None:
    """At any moment all but a bounded rest was given back."""
    reader, given_back = Reader(), 0
    for length, character in enumerate(answer, 1):
        given_back += sum(len(written([part])) for part in reader.feed(character))
        assert length - given_back <= HELD


def read(pieces: list[str]) -> list[str | Citation]:
    """Read pieces through the stream, texts that stand side by side joined."""
    reader = Reader()
    found: list[str | Citation] = []
    for part in [part for piece in pieces for part in reader.feed(piece)] + reader.end():
        if found and isinstance(part, str) and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return found


def written(found: list[str | Citation]) -> str:
    """Return parts as the text that they are."""
    return "".join(part if isinstance(part, str) else part.text for part in found)
