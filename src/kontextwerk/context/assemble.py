"""From chunks to a context: the pipeline, a flat sequence of calls.

    select ──▶ drop_duplicates ──▶ regions ──▶ pack, or weigh and choose ──▶ number ──▶ render ──▶ count ──▶ Context

Each stage is a function that hands on what it kept; what it did not keep has a decision in the end. It leaves out hits
of other shapes: see `kontextwerk.hits`.
"""

from collections.abc import Sequence

from kontextwerk.context.budget import check_tokens
from kontextwerk.context.context import Context
from kontextwerk.context.conversation import not_yet_sent
from kontextwerk.context.deciding import decisions
from kontextwerk.context.drafting import earlier, named_before, sent_before, within
from kontextwerk.context.duplicates import distinct
from kontextwerk.context.errors import InputError
from kontextwerk.context.filling import by_question, by_score, hold_all
from kontextwerk.context.identity import names
from kontextwerk.context.labels import LABELS
from kontextwerk.context.model import Chunk, Counter, Language
from kontextwerk.context.neighbours import regions
from kontextwerk.context.options import Options
from kontextwerk.context.packing import Form
from kontextwerk.context.rendering import FORMATS, places
from kontextwerk.context.selection import select, spread
from kontextwerk.context.sources import source_of, together


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
    sent = sent_before(options, language, max_tokens, counter)
    if sent:
        candidates, standing = not_yet_sent(candidates, sent)
        unfit += standing
    reached, duplicates = distinct(candidates, max_tokens, counter, focused=bool(question))
    titles = {**names(candidate.chunk for candidate in reached), **named_before(options.after)}
    form = Form(counter, options.labels or LABELS[language], language, max_tokens, FORMATS[options.format], titles)
    found = regions(reached)
    draft = within(max_tokens, by_score(found, form), form, options, sent)
    if question and not hold_all(draft.portions, reached):
        fill = by_question(found, question, options.similarity, form)
        draft = within(max_tokens, fill, form, options, sent, focused=True)
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
        earlier=earlier(options.after, sources),
    )
