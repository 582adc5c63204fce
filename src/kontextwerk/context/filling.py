"""What fills a budget: the best chunks by score, or the sentences that answer a question.

It leaves out the finished text and its exact count: see `drafting`.
"""

from collections.abc import Sequence

from kontextwerk.context.choosing import LAST, PARTLY, choose, costs, cut_oversized, heaviest
from kontextwerk.context.drafting import Fill
from kontextwerk.context.focus import weigh
from kontextwerk.context.model import Similarity, Span
from kontextwerk.context.neighbours import Region
from kontextwerk.context.packing import Form, Portion, pack
from kontextwerk.context.reading import Reading, read
from kontextwerk.context.selection import Candidate
from kontextwerk.context.sentences import sentences


def by_score(regions: Sequence[Region], form: Form) -> Fill:
    """Return what fills a budget with the best chunks.

    Args:
        regions: Best first.
        form: How passages are written and counted.
    """
    return lambda limit: pack(regions, limit, form)


def by_question(regions: Sequence[Region], question: str, similarity: Similarity | None, form: Form) -> Fill:
    """Return what fills a budget with the sentences that answer a question.

    Args:
        regions: Best first.
        question: In the person's words.
        similarity: How close sentences are to the question in meaning; None to go by words alone.
        form: How passages are written and counted.
    """
    reading = read(regions, [sentences(region.text, form.language_of(region.text)) for region in regions], question)
    weights = _deferred_last(reading, weigh(reading, similarity))
    best, region, place = heaviest(weights)
    sentence = reading.spans[region][place]
    oversized = form.is_oversized(Portion(reading.regions[region], (sentence,)))
    counted = costs(reading, form)

    def fill(limit: int) -> tuple[Portion, ...]:
        portions, weight = choose(reading, weights, counted, limit)
        if oversized and best * PARTLY > weight:
            # The limit falls until the text fits, and so the part must shrink with it.
            part = cut_oversized(reading.regions[region], sentence, reading.asked, min(limit, form.max_tokens), form)
            return (part,) if part else portions
        return portions

    return fill


def hold_all(portions: Sequence[Portion], candidates: Sequence[Candidate]) -> bool:
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
