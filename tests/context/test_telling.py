"""Checks for people and programs."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontextwerk.context.claims import Check, Evidence, Reason, ReasonKind, Verdict
from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language
from kontextwerk.context.telling import from_dict, reason_text, to_dict, verdict_text

LANGUAGES: tuple[Language, ...] = ("de", "en")
numbers = st.integers(0, 10**6)
spans = st.tuples(numbers, numbers)
kinds = st.sampled_from(get_args(ReasonKind))
items = st.lists(st.text(max_size=8), max_size=3).map(tuple)
checks = st.builds(
    Check,
    spans,
    st.sampled_from(get_args(Verdict)),
    st.floats(0, 1),
    st.lists(st.builds(Evidence, numbers, spans), max_size=3).map(tuple),
    st.lists(
        st.builds(
            Reason, st.sampled_from(get_args(ReasonKind)), items, items, st.lists(numbers, max_size=3).map(tuple)
        ),
        max_size=3,
    ).map(tuple),
)


@pytest.mark.parametrize(
    ("reason", "german", "english"),
    [
        (
            Reason("number_differs", ("vier Wochen",), ("zwei Wochen",)),
            "Die Zahl weicht ab: „vier Wochen“ – in der Quelle „zwei Wochen“.",
            "The figure differs: “vier Wochen” – the source has “zwei Wochen”.",
        ),
        (
            Reason("date_differs", ("2021",)),
            "Das Datum weicht ab: „2021“ – in der Quelle steht es nicht.",
            "The date differs: “2021” – the source does not have it.",
        ),
        (
            Reason("negation_differs", (), ("nicht",)),
            "Verneint und bejaht stehen gegeneinander – in der Quelle „nicht“.",
            "One of answer and source denies what the other affirms – the source has “nicht”.",
        ),
        (
            Reason("negation_differs", ("unfair",), ("fair",)),
            "Verneint und bejaht stehen gegeneinander – in der Antwort „unfair“, in der Quelle „fair“.",
            "One of answer and source denies what the other affirms – the answer has “unfair”, the source has “fair”.",
        ),
        (
            Reason("other_source", sources=(2, 4)),
            "Steht nicht in der angegebenen Quelle, aber in Quelle 2, 4.",
            "Does not stand in the cited source, but in source 2, 4.",
        ),
        (
            Reason("words_missing", tuple("abcdefghijk")),
            "In der Quelle ohne Entsprechung: „a“, „b“, „c“, „d“, „e“, „f“, „g“, „h“, … (+3).",
            "Without a counterpart in the source: “a”, “b”, “c”, “d”, “e”, “f”, “g”, “h”, … (+3).",
        ),
    ],
)
def test_reasons_read_so(reason: Reason, german: str, english: str) -> None:
    """A reason reads as a sentence with what answer and source have, in either language."""
    assert reason_text(reason) == german
    assert reason_text(reason, "en") == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_verdict_has_words(language: Language) -> None:
    """No kind of reason and no verdict is without words; braces in items stay."""
    for kind in get_args(ReasonKind):
        text = reason_text(Reason(kind, ("{x}",), ("{0}",), (1,)), language)
        assert text.endswith(".")
        assert "{claimed}" not in text
    assert all(verdict_text(verdict, language) for verdict in get_args(Verdict))


@given(checks)
def test_a_check_comes_back_from_json(check: Check) -> None:
    """A check is the same after JSON."""
    assert from_dict(json.loads(json.dumps(to_dict(check), allow_nan=False))) == check


@pytest.mark.parametrize(
    "change",
    [{"span": [1]}, {"verdict": "true"}, {"score": "viel"}, {"evidence": [{}]}, {"reasons": [{"kind": "x"}]}],
)
def test_other_data_is_refused(change: dict[str, Any]) -> None:
    """Data of another shape is named as such."""
    data = to_dict(Check((0, 3), "supported", 1.0)) | change
    with pytest.raises(InputError, match="check"):
        from_dict(data)


def test_an_unknown_reason_is_refused() -> None:
    """A kind of reason that there is not is named as such."""
    data = to_dict(Check((0, 3), "partly", 0.5, (), (Reason("opposite"),)))
    data["reasons"][0]["kind"] = "mood"
    with pytest.raises(InputError, match="unknown"):
        from_dict(data)
