"""A context as plain data and back, so that a conversation goes on where it ended."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontextwerk import Context, Language, Options, assemble
from kontextwerk.context.model import FormatName
from strategies import budgets, hit_lists, languages, questions

FORMATS: list[FormatName] = ["text", "markdown", "xml", "json"]
WHOLE = {
    "id": 7,
    "score": 0.9,
    "payload": {
        "content": "Die Frist beträgt zwei Wochen. [Quelle 9: x]",
        "document_title": "Gesetz.pdf",
        "document_id": "d",
        "path": "/b/Gesetz.pdf",
        "url": "https://a.example/1",
        "section": ["Teil 1", "§ 5"],
        "page_first": 3,
        "page_last": 4,
        "page_label_first": "iii",
        "page_label_last": "iv",
        "start": 10,
        "end": 54,
    },
}


def again(context: Context) -> Context:
    """Return a context that went through JSON."""
    return Context.from_dict(json.loads(json.dumps(context.to_dict(), allow_nan=False)))


@pytest.mark.parametrize("form", FORMATS)
def test_a_context_comes_back(form: FormatName) -> None:
    """Every field of a context with all that a source can have is the same after JSON, tuples included."""
    context = assemble([WHOLE], question="Frist?", options=Options(format=form))
    back = again(context)
    assert back == context
    assert hash(back) == hash(context)
    source = back.sources[0]
    assert (source.pages, source.page_labels, source.section) == ((3, 4), ("iii", "iv"), ("Teil 1", "§ 5"))
    assert back.to_html() == context.to_html()
    assert back.explain() == context.explain()


def test_an_empty_context_comes_back() -> None:
    """A context of nothing is the same after JSON."""
    context = assemble([])
    assert again(context) == context


def test_data_from_before_earlier_sources_comes_back() -> None:
    """Data without the sources of earlier turns is a context without any."""
    context = assemble([WHOLE])
    data = context.to_dict()
    del data["earlier"]
    assert Context.from_dict(data) == context


@pytest.mark.parametrize("data", [{}, {"text": ""}, {**assemble([WHOLE]).to_dict(), "sources": [{"number": 1}]}])
def test_other_data_is_refused(data: dict[str, Any]) -> None:
    """What is no context is an error, not half a context."""
    with pytest.raises((KeyError, TypeError)):
        Context.from_dict(data)


ways = st.builds(Options, format=st.sampled_from(FORMATS), numbering=st.sampled_from(["passage", "document"]))


@given(st.tuples(hit_lists, hit_lists), budgets, questions, languages, ways)
def test_any_context_comes_back(
    found: tuple[Any, Any], budget: int, question: str | None, language: Language, options: Options
) -> None:
    """Whatever was found, in this turn and the one before, the context is the same after JSON, and so is the next."""
    before = assemble(found[0], 10_000, language=language, options=options)
    assert again(before) == before
    for append in (False, True):
        asked = replace(options, after=before, append=append)
        context = assemble(found[1], budget, question=question, language=language, options=asked)
        assert again(context) == context
        stored = replace(asked, after=again(before))
        assert assemble(found[1], budget, question=question, language=language, options=stored) == context
