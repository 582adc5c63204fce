"""A window split between instructions, history, context and answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontextwerk import Budget, BudgetError, InputError, Turn, assemble, counter
from kontextwerk.context.budget import estimate

COUNT = counter("o200k_base")
SHORT = Turn("Was ist die Auftragsklärung?", "Sie klärt Anlass, Ziel und Rahmen [Quelle 1].")
LONG = Turn("Erzähl mir alles.", "Lange Antwort. " * 1500)


def test_a_turn_that_overflows_the_window_is_dropped_whole() -> None:
    """A history that is too long loses its oldest turns whole; question and best source stay."""
    share = Budget(window=2000, answer=500).split(COUNT, question="Und die Frist?", turns=[LONG, SHORT])
    assert share.turns == (SHORT,)
    hit = {"score": 0.9, "payload": {"content": "Die Frist beträgt zwei Wochen.", "document_title": "A.pdf"}}
    context = assemble([hit], share.context, question="Und die Frist?")
    assert [source.title for source in context.sources] == ["A.pdf"]
    assert share.answer(context.tokens) >= 500


def test_no_turn_between_two_kept_ones_is_left_out() -> None:
    """Behind a turn that does not fit nothing older is kept, however short it is."""
    share = Budget(window=2000, answer=500).split(COUNT, question="Und?", turns=[SHORT, LONG, SHORT])
    assert share.turns == (SHORT,)


def test_a_newest_turn_that_does_not_fit_leaves_no_history() -> None:
    """An answer never stands without its question: the turn is dropped, and all of the room is the context's."""
    budget = Budget(window=2000, answer=500)
    share = budget.split(COUNT, question="Und?", turns=[SHORT, LONG])
    assert (share.turns, share.history) == ((), 0)
    assert share == budget.split(COUNT, question="Und?")


def test_a_reserve_of_the_whole_window_is_refused() -> None:
    """The error names the window and the reserve; there is never a negative size."""
    with pytest.raises(BudgetError, match=r"window of 8192 tokens.*8192 reserved for the answer"):
        Budget(window=8192, answer=8192)


def test_instructions_that_leave_nothing_are_refused() -> None:
    """The error says what takes how much."""
    with pytest.raises(BudgetError, match=r"window of 100 tokens.*\d+ are taken by instructions.*50 are reserved"):
        Budget(window=100, answer=50).split(COUNT, instructions="Antworte knapp. " * 50)


@pytest.mark.parametrize("name", ["window", "answer", "history", "context", "per_message"])
@pytest.mark.parametrize("value", [-1, 1.5, True, "100"])
def test_what_is_no_number_of_tokens_is_refused(name: str, value: object) -> None:
    """Every figure of a budget is a whole number of tokens, 0 or more."""
    with pytest.raises(InputError, match=name):
        Budget(**{"window": 4000, name: value})  # type: ignore[arg-type]


def test_what_the_history_leaves_goes_to_the_context_and_then_to_the_answer() -> None:
    """Nothing of a window is lost between its parts."""
    budget = Budget(window=4000, answer=1000, history=1000)
    empty, short = budget.split(COUNT), budget.split(COUNT, turns=[SHORT])
    assert empty.context == short.context + short.history
    assert short.answer(100) == 1000 + short.context - 100


def test_a_context_may_be_limited() -> None:
    """With a limit of its own the context gets no more, and the answer the rest."""
    share = Budget(window=8000, answer=1000, context=3000).split(COUNT)
    assert share.context == 3000
    assert share.answer(3000) > 1000


@given(
    st.integers(1, 3000),
    st.integers(0, 2000),
    st.none() | st.integers(0, 2000),
    st.none() | st.integers(0, 2000),
    st.lists(st.builds(Turn, st.text(max_size=200), st.text(max_size=800)), max_size=6),
    st.text(max_size=400),
)
def test_the_parts_of_a_window_never_exceed_it(  # noqa: PLR0913, PLR0917
    window: int, answer: int, history: int | None, context: int | None, turns: list[Turn], instructions: str
) -> None:
    """Whatever is asked for: the parts fit, the turns are the newest ones, and the answer has its reserve."""
    try:
        share = Budget(window, answer, history, context).split(estimate, instructions=instructions, turns=turns)
    except BudgetError:
        return
    assert share.fixed + share.history + share.context + share.answer(share.context) == window
    assert share.answer(share.context) >= answer
    assert share.context >= (0 if context == 0 else 1)
    assert share.turns == tuple(turns[len(turns) - len(share.turns) :])
