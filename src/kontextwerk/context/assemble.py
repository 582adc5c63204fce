"""From chunks to a context: the pipeline, a flat sequence of calls.

    select ──▶ drop_duplicates ──▶ regions ──▶ pack, or weigh and choose ──▶ render ──▶ count ──▶ Context

Each stage is a function that hands on what it kept; what it did not keep has a decision in the end. It leaves out hits
of other shapes: see `kontextwerk.hits`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kontextwerk.context.budget import check_budget
from kontextwerk.context.choosing import PARTLY, choose, costs, cut_oversized, heaviest
from kontextwerk.context.deciding import decisions
from kontextwerk.context.duplicates import Duplicate, drop_duplicates
from kontextwerk.context.errors import InputError
from kontextwerk.context.focus import Reading, read, weigh
from kontextwerk.context.model import Chunk, Context, Counter, Language, Similarity, Source
from kontextwerk.context.neighbours import regions
from kontextwerk.context.packing import Form, Portion, pack
from kontextwerk.context.rendering import LABELS, Labels, one_line, render
from kontextwerk.context.selection import Candidate, select
from kontextwerk.context.sentences import sentences

EXCERPT_CHARS = 200
REACH, LEAST = 2, 50
"""How much is looked at, best first: this many times the budget's worth of text, and at least so many chunks."""
FOCUS_REACH, FOCUS_LEAST = 8, 100
"""The same with a question: a chunk far down may answer it."""
SPARE = 4
"""Tokens, beside a fiftieth of the budget, that the sums of a focused choice may be too high by: it starts above."""


@dataclass(frozen=True, slots=True)
class Options:
    """What can be asked of a context beside its budget and its question.

    Attributes:
        labels: Words for headers; None for the language's own.
        min_score: The lowest score that may enter; None for no limit.
        similarity: How close sentences are to the question in meaning, such as from an embedder; None to choose
            sentences by their words.
    """

    labels: Labels | None = None
    min_score: float | None = None
    similarity: Similarity | None = None


def assemble(  # noqa: PLR0913  each argument is one choice
    chunks: Sequence[Chunk],
    max_tokens: int,
    counter: Counter,
    *,
    question: str | None = None,
    language: Language = "de",
    options: Options = Options(),
) -> Context:
    """Make the context that holds the best evidence within the budget.

    Args:
        chunks: What a search found, in any order.
        max_tokens: The most tokens that the context may have, headers, separators and marks of cuts counted.
        counter: From text to its number of tokens.
        question: What the context is to answer; None where there is no question.
        language: The language of labels, and whose sentences the chunks hold.
        options: What else is asked of it.

    Returns:
        The context. `counter(context.text) <= max_tokens` holds; where nothing fits, it is empty.

    Raises:
        InputError: The budget is negative or no whole number, or the language is unknown.
    """
    check_budget(max_tokens)
    if language not in LABELS:
        raise InputError("language", f"{language!r} is unknown", f"Use one of: {', '.join(LABELS)}")
    form = Form(counter, options.labels or LABELS[language], language)
    candidates, unfit = select(chunks, options.min_score)
    reached, duplicates = _reached(candidates, max_tokens, counter, focused=bool(question))
    found = regions(reached)
    portions, text, tokens = _within(max_tokens, form, lambda limit: pack(found, limit, form))
    if question and not _holds_all(portions, reached):
        reading = read(found, [sentences(region.text, language) for region in found], question)
        fill = _focused(reading, weigh(reading, options.similarity), max_tokens, form)
        portions, text, tokens = _within(max_tokens, form, fill, spare=SPARE + max_tokens // 50)
    passages = tuple(form.passage(portion, number) for number, portion in enumerate(portions, 1))
    prices = [form.cost(passage, last=passage is passages[-1]) for passage in passages]
    return Context(
        text=text,
        passages=passages,
        sources=tuple(
            _source(portion, number, cost, form)
            for number, (portion, cost) in enumerate(zip(portions, prices, strict=True), 1)
        ),
        decisions=decisions(
            candidates, portions, duplicates, unfit, reached=reached, costs=prices, left=max_tokens - tokens
        ),
        tokens=tokens,
        max_tokens=max_tokens,
        language=language,
    )


def _reached(
    candidates: Sequence[Candidate], max_tokens: int, counter: Counter, *, focused: bool
) -> tuple[tuple[Candidate, ...], tuple[Duplicate, ...]]:
    """Return the candidates worth looking at, without duplicates: the best ones that fill the budget several times."""
    reach, least = (FOCUS_REACH, FOCUS_LEAST) if focused else (REACH, LEAST)
    tokens = size = 0
    while True:
        while size < len(candidates) and (size < least or tokens <= reach * max_tokens):
            tokens += min(counter(candidates[size].text), max_tokens)
            size += 1
        kept, duplicates = drop_duplicates(candidates[:size])
        if size == len(candidates) or len(kept) * 2 >= size:
            return kept, duplicates
        # Most of it is the same: look further.
        reach, least = reach * 2, least * 2


def _within(
    max_tokens: int, form: Form, fill: Callable[[int], tuple[Portion, ...]], spare: int = 0
) -> tuple[tuple[Portion, ...], str, int]:
    """Fill the budget so that the exact count is within it; return what entered, the finished text and its tokens.

    The counts of parts only guide: where they promised too much, the next try aims lower.
    """
    limit = max_tokens + spare
    while True:
        portions = fill(limit)
        text = render((form.passage(portion, number) for number, portion in enumerate(portions, 1)), form.labels.source)
        tokens = form.counter(text)
        if tokens <= max_tokens or not portions:
            return portions, text, tokens
        limit -= max((tokens - max_tokens) * (1 if spare else 2), 1)


def _holds_all(portions: Sequence[Portion], candidates: Sequence[Candidate]) -> bool:
    """Say whether every candidate stands whole."""
    whole = sum(portion.holds(part.span) for portion in portions for part in portion.region.parts)
    return whole == len(candidates)


def _focused(
    reading: Reading, weights: Sequence[Sequence[float]], max_tokens: int, form: Form
) -> Callable[[int], tuple[Portion, ...]]:
    """Return what fills a budget with the sentences that weigh most."""
    best, region, place = heaviest(weights)
    sentence = reading.spans[region][place]
    oversized = cut_oversized(reading.regions[region], sentence, reading.asked, max_tokens, form)
    counted = costs(reading, form)

    def fill(limit: int) -> tuple[Portion, ...]:
        portions, weight = choose(reading, weights, counted, limit)
        return (oversized,) if oversized and best * PARTLY > weight else portions

    return fill


def _source(portion: Portion, number: int, tokens: int, form: Form) -> Source:
    parts = portion.parts
    chunk, text = parts[0].candidate.chunk, portion.text
    pages = [part.candidate.chunk.pages for part in parts if part.candidate.chunk.pages]
    ordered = sorted(parts, key=lambda part: part.span)
    return Source(
        number=number,
        title=form.title(portion.region),
        pages=(min(first for first, _ in pages), max(last for _, last in pages)) if pages else None,
        section=chunk.section,
        link=chunk.link,
        path=chunk.path,
        score=chunk.score,
        excerpt=one_line(text, EXCERPT_CHARS),
        text=text,
        document_id=chunk.document_id,
        chunk_ids=tuple(part.candidate.chunk.id for part in ordered),
        tokens=tokens,
    )
