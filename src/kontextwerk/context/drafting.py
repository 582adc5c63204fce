"""A finished text within the exact budget, behind what of the conversation was already sent.

It leaves out what fills it: see `filling`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError
from kontextwerk.context.identity import document_of
from kontextwerk.context.labels import LABELS
from kontextwerk.context.model import Counter, Language, Passage, Source
from kontextwerk.context.numbering import numbers, ordered
from kontextwerk.context.options import Options
from kontextwerk.context.packing import Form, Portion
from kontextwerk.context.rendering import FORMATS, render

Fill: TypeAlias = Callable[[int], tuple[Portion, ...]]
"""From a budget in tokens to what about fills it."""

SPARE = 4
"""Tokens, beside a fiftieth of the budget, that the sums of a focused choice may be too high by: it starts above."""


class Draft(NamedTuple):
    """A finished text, with what is new in it."""

    portions: tuple[Portion, ...]
    new: tuple[Passage, ...]
    passages: tuple[Passage, ...]
    text: str
    tokens: int


def sent_before(options: Options, language: Language, max_tokens: int, counter: Counter) -> Context | None:
    """Return the context that is to be continued, if one is and it fits; the turn before may have counted otherwise."""
    after = options.after
    if after is None or not options.append or counter(after.text) > max_tokens:
        return None
    label = (options.labels or LABELS[language]).source
    if render(after.passages, label, FORMATS[options.format]) != after.text:
        raise InputError(
            "after", "is not written as this context is to be", "Use the same format, language and labels, or no append"
        )
    return after


def within(  # noqa: PLR0913  what there is to write, and how
    max_tokens: int, fill: Fill, form: Form, options: Options, sent: Context | None, *, focused: bool = False
) -> Draft:
    """Fill the budget so that the exact count is within it.

    The counts of parts only guide: where they promised too much, the next try aims lower.

    Args:
        max_tokens: The budget.
        fill: What fills it.
        form: How passages are written and counted.
        options: Their order and their numbers.
        sent: What was already sent and stays as it is.
        focused: Whether sentences are chosen. Their sums are a little too high, so the first try aims above the budget.
    """
    before = sent.passages if sent else ()
    limit = max_tokens - (form.counter(sent.text) if sent else 0) + (SPARE + max_tokens // 50 if focused else 0)
    while True:
        portions = ordered([portion for portion in fill(limit) if not portion.says_nothing], options.order)
        numbered = zip(portions, numbers(portions, options.numbering, options.after, form.title), strict=True)
        new = tuple(form.passage(portion, number) for portion, number in numbered)
        text = render((*before, *new), form.labels.source, form.format)
        tokens = form.counter(text)
        if tokens <= max_tokens or not portions:
            return Draft(portions, new, (*before, *new), text, tokens)
        limit -= max(tokens - max_tokens, 1)


def earlier(after: Context | None, sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the sources of earlier turns that do not stand in this one."""
    if after is None:
        return ()
    standing = {source.number for source in sources}
    return tuple(source for source in (*after.earlier, *after.sources) if source.number not in standing)


def named_before(after: Context | None) -> dict[str, str]:
    """Return what the documents of earlier turns are called, by `document_of`: they keep their names."""
    return {document_of(source): source.title for source in (*after.earlier, *after.sources)} if after else {}
