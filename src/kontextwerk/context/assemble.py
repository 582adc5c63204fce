"""From chunks to a context: the pipeline, a flat sequence of calls.

    select ──▶ pack ──▶ render ──▶ count ──▶ Context

Each stage is a function that hands on what it kept, and a decision for everything it did not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from kontextwerk.context.budget import check_budget
from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Chunk, Context, Counter, Decision, Language, Source
from kontextwerk.context.packing import Form, Packed, pack
from kontextwerk.context.rendering import LABELS, Labels, one_line, render
from kontextwerk.context.selection import decide, select

EXCERPT_CHARS = 200


@dataclass(frozen=True, slots=True)
class Options:
    """How a context is made.

    Attributes:
        question: What the context is to answer; None where there is no question.
        language: The language of labels, and whose sentences the chunks hold.
        labels: Words for headers; None for the language's own.
        min_score: The lowest score that may enter; None for no limit.
    """

    question: str | None = None
    language: Language = "de"
    labels: Labels | None = None
    min_score: float | None = None

    def __post_init__(self) -> None:
        """Refuse an unknown language."""
        if self.language not in LABELS:
            raise InputError("language", f"{self.language!r} is unknown", f"Use one of: {', '.join(LABELS)}")


def assemble(
    chunks: Sequence[Chunk],
    max_tokens: int,
    counter: Counter,
    options: Options = Options(),
) -> Context:
    """Make the context that holds the best evidence within the budget.

    Args:
        chunks: What a search found, in any order.
        max_tokens: The most tokens that the context may have, headers, separators and marks of cuts counted.
        counter: From text to its number of tokens.
        options: How it is made.

    Returns:
        The context. `counter(context.text) <= max_tokens` holds; where nothing fits, it is empty.

    Raises:
        InputError: The budget is negative or no whole number.
    """
    check_budget(max_tokens)
    form = Form(counter, options.labels or LABELS[options.language], options.language)
    candidates, unfit = select(chunks, options.min_score)
    limit = max_tokens
    while True:
        packed, left_out = pack(candidates, limit, form)
        text = render((item.passage for item in packed), form.labels.source)
        tokens = counter(text)
        if tokens <= max_tokens or not packed:
            break
        # The counts of the parts promised too much: aim lower, twice as low each time, so that this ends soon.
        limit = min(limit - 1, limit - 2 * (tokens - max_tokens))
    costs = [form.cost(item.passage, last=item is packed[-1]) for item in packed]
    return Context(
        text=text,
        passages=tuple(item.passage for item in packed),
        sources=tuple(_source(item, cost) for item, cost in zip(packed, costs, strict=True)),
        decisions=_in_order(unfit, left_out, map(_kept, packed, costs)),
        tokens=tokens,
        max_tokens=max_tokens,
        language=options.language,
    )


def _source(item: Packed, tokens: int) -> Source:
    chunk, passage = item.candidate.chunk, item.passage
    return Source(
        number=passage.number,
        title=passage.title,
        pages=chunk.pages,
        section=chunk.section,
        link=chunk.link,
        path=chunk.path,
        score=chunk.score,
        excerpt=one_line(passage.text, EXCERPT_CHARS),
        text=passage.text,
        document_id=chunk.document_id,
        chunk_ids=(chunk.id,),
        tokens=tokens,
    )


def _kept(item: Packed, tokens: int) -> Decision:
    number, candidate = item.passage.number, item.candidate
    if item.whole:
        return decide(candidate.hit, candidate.chunk, "kept", tokens, reason="Stands whole", source=number)
    reason = "Stands in part: the whole did not fit"
    return decide(candidate.hit, candidate.chunk, "trimmed", tokens, reason=reason, source=number)


def _in_order(*groups: Iterable[Decision]) -> tuple[Decision, ...]:
    return tuple(sorted(chain.from_iterable(groups), key=lambda decision: decision.hit))
