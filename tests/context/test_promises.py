"""The core's promises as properties, over hostile hits, budgets and counters."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from kontextwerk import InputError, Labels, Language, Options, assemble, parse
from kontextwerk.chat import build_context
from kontextwerk.context.labels import ELISION
from strategies import budgets, counters, hit_lists, languages, prose, questions, scores, sentences

OUTCOMES = {"kept", "trimmed", "merged", "duplicate", "over_budget", "below_score", "empty"}
Hits = list[dict[str, Any]]
Count = Callable[[str], int]


@given(hit_lists, budgets, counters, questions, languages)
def test_the_budget_holds(hits: Hits, budget: int, count: Count, question: str | None, language: Language) -> None:
    """The finished text never counts more than the budget, and the figure is the count."""
    context = assemble(hits, budget, question=question, counter=count, language=language)
    assert context.tokens == count(context.text) <= budget


@given(hit_lists, budgets, counters, questions)
def test_parse_is_the_inverse(hits: Hits, budget: int, count: Count, question: str | None) -> None:
    """Whatever the chunks hold, the text alone gives the passages back."""
    context = assemble(hits, budget, question=question, counter=count)
    assert parse(context.text) == context.passages


@given(hit_lists, budgets, questions, st.sampled_from(["Quelle", "Beleg", "Source No", "Fundstelle"]))
def test_own_labels_parse_back(hits: Hits, budget: int, question: str | None, label: str) -> None:
    """A label of one's own is as safe as the language's."""
    context = assemble(hits, budget, question=question, options=Options(labels=Labels(label, "?")))
    assert parse(context.text) == context.passages


@given(hit_lists, budgets, questions)
def test_numbers_run_without_gaps(hits: Hits, budget: int, question: str | None) -> None:
    """Numbers run from 1 in order of appearance, one source each."""
    context = assemble(hits, budget, question=question)
    numbers = list(range(1, len(context.sources) + 1))
    assert [source.number for source in context.sources] == numbers
    assert [passage.number for passage in context.passages] == numbers
    assert [int(number) for number in re.findall(r"^\[Quelle (\d+): .*\]$", context.text, re.MULTILINE)] == numbers


@given(hit_lists, budgets, questions)
def test_sources_match_passages(hits: Hits, budget: int, question: str | None) -> None:
    """A source has its passage's title and wording, and its passage is never blank."""
    context = assemble(hits, budget, question=question)
    for source, passage in zip(context.sources, context.passages, strict=True):
        assert (source.title, source.text) == (passage.title, passage.text)
        assert passage.text.strip()


@given(hit_lists, budgets, questions, st.one_of(st.none(), st.floats(0, 1)))
def test_every_hit_has_one_decision(hits: Hits, budget: int, question: str | None, least: float | None) -> None:
    """There is one decision for each hit, in order, with a known outcome and a finite figure."""
    context = assemble(hits, budget, question=question, options=Options(min_score=least))
    assert [decision.hit for decision in context.decisions] == list(range(len(hits)))
    for decision in context.decisions:
        assert decision.outcome in OUTCOMES
        assert decision.reason
        assert (decision.source is not None) == (decision.outcome in {"kept", "trimmed", "merged"}) or (
            decision.outcome == "duplicate"
        )
        assert decision.source is None or 1 <= decision.source <= len(context.sources)


@given(hit_lists, budgets, questions)
def test_it_becomes_json(hits: Hits, budget: int, question: str | None) -> None:
    """A context becomes JSON without NaN and in UTF-8, and a table with a row for each hit."""
    context = assemble(hits, budget, question=question)
    json.dumps(context.to_dict(), allow_nan=False, ensure_ascii=False).encode()
    assert len(context.explain().split("\n")) == len(hits) + 3


@given(hit_lists, budgets, questions)
def test_same_in_same_out(hits: Hits, budget: int, question: str | None) -> None:
    """The same hits give the same context, whatever the order of a payload's keys."""
    turned = [
        dict(reversed(hit.items()), payload=dict(reversed(hit["payload"].items())) if hit["payload"] else None)
        for hit in hits
    ]
    assert assemble(hits, budget, question=question) == assemble(turned, budget, question=question)


def _distinct(pieces: list[tuple[str, Any]]) -> Hits:
    """Make hits of different documents, whose texts differ."""
    return [
        {"id": place, "score": score, "payload": {"content": f"Nummer{place} {text}", "document_title": f"D{place}"}}
        for place, (text, score) in enumerate(pieces)
    ]


@given(st.lists(st.tuples(prose, st.floats(0, 1)), max_size=8))
def test_with_room_for_all_it_is_the_specification(pieces: list[tuple[str, float]]) -> None:
    """Where everything fits, the text equals the specification's loop to the byte."""
    hits = _distinct(pieces)
    ordered = sorted(hits, key=lambda hit: -hit["score"])
    expected = "\n\n---\n\n".join(
        f"[Quelle {number}: {hit['payload']['document_title']}]\n{hit['payload']['content']}"
        for number, hit in enumerate(ordered, 1)
    )
    assert build_context(hits, 100_000) == expected
    assert assemble(hits, 100_000, question="Wer klärt den Auftrag?").text == expected


@given(st.lists(st.tuples(prose, scores), max_size=8), budgets, questions)
def test_best_evidence_comes_first(pieces: list[tuple[str, Any]], budget: int, question: str | None) -> None:
    """Sources stand by falling score, those without one last."""
    found = [source.score for source in assemble(_distinct(pieces), budget, question=question).sources]
    assert found == sorted(found, key=lambda score: (score is None, -(score or 0.0)))


@given(st.lists(prose, min_size=1, max_size=6), st.integers(0, 200))
def test_a_large_chunk_does_not_keep_small_ones_out(texts: list[str], budget: int) -> None:
    """Where something was left, every chunk that would fit in it has entered."""
    hits = _distinct([(text, 1 - place / 10) for place, text in enumerate(texts)])
    context = assemble(hits, budget, counter=len)
    for decision in context.decisions:
        if decision.outcome == "over_budget":
            payload = hits[decision.hit]["payload"]
            alone = f"\n\n---\n\n[Quelle 1: {payload['document_title']}]\n{payload['content']}"
            assert len(alone) > budget - context.tokens


@given(st.lists(st.lists(sentences, min_size=1, max_size=6), min_size=1, max_size=4), st.integers(60, 400), questions)
def test_sentences_stay_whole(documents: list[list[str]], budget: int, question: str | None) -> None:
    """What stands of a chunk are whole sentences of it, in their order, unless one alone is over the budget."""
    hits = _distinct([(" ".join(found), 1 - place / 10) for place, found in enumerate(documents)])
    context = assemble(hits, budget, question=question, counter=len)
    for passage in context.passages:
        original = hits[int(passage.title[1:])]["payload"]["content"]
        pieces = [piece.strip() for piece in passage.text.split(ELISION) if piece.strip()]
        position = 0
        for piece in pieces:
            position = original.index(piece, position) + len(piece)
            if piece.endswith(".") and (original.startswith(piece) or f". {piece}" in original):
                continue
            # Only one that is larger than the whole budget is cut inside.
            begins = original.rfind(". ", 0, position - 1) + 1
            sentence = original[begins : original.index(".", position - 1) + 1].strip()
            marked = f"{ELISION} {sentence}" if begins else sentence
            assert len(f"[Quelle 1: {passage.title}]\n{marked} {ELISION}") > budget


@given(st.text(alphabet="ae\u0301\u0308👩\u200d👧🇩🇪", min_size=30, max_size=200), st.integers(20, 60))
def test_graphemes_stay_whole(word: str, budget: int) -> None:
    """A single word larger than the budget is cut between graphemes."""
    context = assemble([{"score": 1, "payload": {"content": word}}], budget, counter=len)
    for passage in context.passages:
        kept = passage.text.removesuffix(f" {ELISION}")
        borders = {match.end() for match in regex.finditer(r"\X", word)}
        assert word.startswith(kept)
        assert len(kept) in borders


@given(prose, st.integers(10, 40), st.integers(0, 30))
def test_overlap_stands_once(text: str, size: int, shared: int) -> None:
    """Chunks of a document with right offsets become the text that they were cut from."""
    step = max(size - shared, 1)
    cuts = [(start, min(start + size, len(text))) for start in range(0, len(text), step)]
    hits: Hits = [
        {"score": 1 - place / 100, "payload": {"content": text[a:b], "document_id": "d", "start": a, "end": b}}
        for place, (a, b) in enumerate(cuts)
        if text[a:b].strip()
    ]
    context = assemble(hits, 100_000)
    seamless = shared < size and len(hits) == len(cuts)
    if seamless and all(decision.outcome != "duplicate" for decision in context.decisions):
        assert [passage.text for passage in context.passages] == [text]


@given(prose, st.integers(2, 4))
def test_equal_chunks_enter_once(text: str, copies: int) -> None:
    """Equal chunks enter once; the others name their twin's source."""
    hits = [{"score": 1 - place / 10, "payload": {"content": text}} for place in range(copies)]
    context = assemble(hits, 10_000)
    assert len(context.passages) == 1
    assert [(decision.outcome, decision.source) for decision in context.decisions[1:]] == [("duplicate", 1)] * (
        copies - 1
    )


@given(hit_lists, st.integers(0, 60))
def test_an_empty_context_says_so(hits: Hits, budget: int) -> None:
    """Where nothing entered the text is empty, and no decision claims otherwise."""
    context = assemble(hits, budget)
    entered = {decision.outcome for decision in context.decisions} & {"kept", "trimmed", "merged"}
    assert bool(context.text) == bool(context.sources) == bool(entered)


@given(hit_lists, budgets)
def test_a_question_never_costs_the_budget(hits: Hits, budget: int) -> None:
    """Closeness by meaning, whatever it answers, keeps the budget and the format."""
    options = Options(similarity=lambda _, texts: [(-1) ** place * place / 7 for place in range(len(texts))])
    context = assemble(hits, budget, question="Wann endet die Frist?", options=options)
    assert context.tokens <= budget
    assert parse(context.text) == context.passages


@pytest.mark.parametrize("budget", [-1, -3000, 1.5, True, "3000", None, float("nan")])
def test_a_wrong_budget_is_named(budget: object) -> None:
    """A budget that is no number of tokens is refused with a mend."""
    with pytest.raises(InputError, match="max_tokens") as caught:
        assemble([], budget)  # type: ignore[arg-type]  # the fault under test
    assert caught.value.mend


def test_another_hash_seed_gives_the_same() -> None:
    """No order of a set shows in the result."""
    script = (
        "from kontextwerk import assemble\n"
        "hits = [{'score': 0.5, 'payload': {'content': f'Das Team {i} klärt den Auftrag im Gespräch. Frist {i % 3}.'}}"
        " for i in range(40)]\n"
        "print(assemble(hits, 200, question='Wann klärt das Team den Auftrag?'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_a_megabyte_without_a_space() -> None:
    """A text of a million characters without a space is cut, not refused."""
    context = assemble([{"score": 1, "payload": {"content": "x" * 1_000_000}}], 50)
    assert 0 < context.tokens <= 50
    assert context.text.endswith(ELISION)


def test_counting_stays_close_to_linear() -> None:
    """Two hundred candidates are counted about once, not once for each that enters."""
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return len(text) // 4

    texts = [" ".join(f"Wort{place}x{number}" for number in range(100)) + "." for place in range(200)]
    assemble(
        [{"score": 1 - place / 200, "payload": {"content": text}} for place, text in enumerate(texts)],
        3000,
        counter=count,
    )
    assert counted <= 2 * sum(map(len, texts))


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def test_few_frames_to_the_join() -> None:
    """From `build_context` to the function that joins there are at most three frames."""
    depths = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name == "render":
            names = [outer.f_code.co_name for outer in _frames(frame)]
            depths.append(names.index("build_context"))

    sys.setprofile(watch)
    try:
        build_context([{"score": 1, "payload": {"content": "Im Erstgespräch."}}])
    finally:
        sys.setprofile(None)
    assert depths
    assert max(depths) <= 3
