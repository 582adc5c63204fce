"""From chunks to a context: the pipeline, a flat sequence of calls.

    select ──▶ drop_duplicates ──▶ regions ──▶ pack, or weigh and choose ──▶ number ──▶ render ──▶ count ──▶ Context

Each stage is a function that hands on what it kept; what it did not keep has a decision in the end. It leaves out hits
of other shapes: see `kontextwerk.hits`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kontextwerk.context.budget import check_tokens
from kontextwerk.context.choosing import LAST, PARTLY, choose, costs, cut_oversized, heaviest
from kontextwerk.context.context import Context
from kontextwerk.context.conversation import not_yet_sent
from kontextwerk.context.deciding import decisions
from kontextwerk.context.duplicates import Duplicate, drop_duplicates
from kontextwerk.context.errors import InputError
from kontextwerk.context.focus import Reading, read, weigh
from kontextwerk.context.identity import same_names
from kontextwerk.context.labels import LABELS
from kontextwerk.context.model import Chunk, Counter, Language, Passage, Source, Span
from kontextwerk.context.neighbours import Region, regions
from kontextwerk.context.numbering import numbers, ordered
from kontextwerk.context.options import Options
from kontextwerk.context.packing import Form, Portion, pack
from kontextwerk.context.rendering import FORMATS, places, render
from kontextwerk.context.selection import Candidate, select, spread
from kontextwerk.context.sentences import sentences
from kontextwerk.context.sources import source_of, together

REACH, LEAST = 2, 50
"""How much is looked at, best first: this many times the budget's worth of text, and at least so many chunks."""
FOCUS_REACH, FOCUS_LEAST = 8, 100
"""The same with a question: a chunk far down may answer it."""
SPARE = 4
"""Tokens, beside a fiftieth of the budget, that the sums of a focused choice may be too high by: it starts above."""


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
        InputError: The budget is negative or no whole number, the language is unknown, or a context that is to be
            continued was written in another way.
    """
    check_tokens("max_tokens", max_tokens)
    if language not in LABELS:
        raise InputError("language", f"{language!r} is unknown", f"Use one of: {', '.join(LABELS)}")
    candidates, unfit = select(chunks, options.min_score, options.scores)
    if options.per_document is not None:
        candidates = spread(candidates, options.per_document)
    sent = _sent(options, language, max_tokens)
    if sent:
        candidates, standing = not_yet_sent(candidates, sent)
        unfit += standing
    reached, duplicates = _reached(candidates, max_tokens, counter, focused=bool(question))
    titles = same_names(candidate.chunk for candidate in reached)
    form = Form(counter, options.labels or LABELS[language], language, FORMATS[options.format], titles)
    found = regions(reached)
    begun = _Writing(form, options, sent)
    draft = _within(max_tokens, begun, lambda limit: pack(found, limit, form))
    if question and not _holds_all(draft.portions, reached):
        reading = read(found, [sentences(region.text, language) for region in found], question)
        weights = _deferred_last(reading, weigh(reading, options.similarity))
        fill = _focused(reading, weights, max_tokens, form)
        draft = _within(max_tokens, begun, fill, spare=SPARE + max_tokens // 50)
    prices = [form.cost(passage, last=passage is draft.new[-1]) for passage in draft.new]
    stand = places(draft.passages, form.labels.source, form.format)[len(draft.passages) - len(draft.new) :]
    entered = map(source_of, draft.portions, draft.new, stand, prices)
    sources = together([*(sent.sources if sent else ()), *entered])
    return Context(
        text=draft.text,
        passages=draft.passages,
        sources=sources,
        decisions=decisions(
            candidates,
            list(zip(draft.portions, (passage.number for passage in draft.new), prices, strict=True)),
            duplicates,
            unfit,
            reached=reached,
            left=max_tokens - draft.tokens,
        ),
        tokens=draft.tokens,
        max_tokens=max_tokens,
        language=language,
        format=options.format,
        earlier=_earlier(options.after, sources),
    )


class _Writing(NamedTuple):
    """How a context is written, and what of it was already sent."""

    form: Form
    options: Options
    sent: Context | None


class _Draft(NamedTuple):
    """A finished text, with what is new in it."""

    portions: tuple[Portion, ...]
    new: tuple[Passage, ...]
    passages: tuple[Passage, ...]
    text: str
    tokens: int


def _sent(options: Options, language: Language, max_tokens: int) -> Context | None:
    """Return the context that is to be continued, if one is and it fits."""
    after = options.after
    if after is None or not options.append or after.tokens > max_tokens:
        return None
    label = (options.labels or LABELS[language]).source
    if render(after.passages, label, FORMATS[options.format]) != after.text:
        raise InputError(
            "after", "is not written as this context is to be", "Use the same format, language and labels, or no append"
        )
    return after


def _earlier(after: Context | None, sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the sources of earlier turns that do not stand in this one."""
    if after is None:
        return ()
    standing = {source.number for source in sources}
    return tuple(source for source in (*after.earlier, *after.sources) if source.number not in standing)


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


def _within(max_tokens: int, writing: _Writing, fill: Callable[[int], tuple[Portion, ...]], spare: int = 0) -> _Draft:
    """Fill the budget so that the exact count is within it.

    The counts of parts only guide: where they promised too much, the next try aims lower.
    """
    form, options, sent = writing
    before = sent.passages if sent else ()
    limit = max_tokens + spare - (sent.tokens if sent else 0)
    while True:
        portions = ordered(fill(limit), options.order)
        numbered = zip(portions, numbers(portions, options.numbering, options.after), strict=True)
        new = tuple(form.passage(portion, number) for portion, number in numbered)
        text = render((*before, *new), form.labels.source, form.format)
        tokens = form.counter(text)
        if tokens <= max_tokens or not portions:
            return _Draft(portions, new, (*before, *new), text, tokens)
        limit -= max((tokens - max_tokens) * (1 if spare else 2), 1)


def _holds_all(portions: Sequence[Portion], candidates: Sequence[Candidate]) -> bool:
    """Say whether every candidate stands whole."""
    whole = sum(portion.holds(part.span) for portion in portions for part in portion.region.parts)
    return whole == len(candidates)


def _deferred_last(reading: Reading, weights: Sequence[Sequence[float]]) -> Sequence[Sequence[float]]:
    """Return the weights with next to nothing for sentences that stand only in deferred chunks."""
    if not any(part.candidate.deferred for region in reading.regions for part in region.parts):
        return weights
    return [
        [weight * (LAST if _deferred(region, span) else 1) for weight, span in zip(row, spans, strict=True)]
        for region, row, spans in zip(reading.regions, weights, reading.spans, strict=True)
    ]


def _deferred(region: Region, span: Span) -> bool:
    around = (part for part in region.parts if part.span[0] < span[1] and part.span[1] > span[0])
    return all(part.candidate.deferred for part in around)


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
