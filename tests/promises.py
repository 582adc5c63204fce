"""The core's promises as checks on one assembled context, a function a promise.

`broken` says which promises a context breaks; `fuzz` asks it about made-up examples, and property tests about those of
Hypothesis. Where a check has to know what could have stood, it asks for the regions of text that the chunks make up;
that chunks stand whole in them is checked by itself. It leaves out how examples are made.
"""

import json
import re
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

import regex

from kontextwerk import Chunk, Context, Decision, Language, Options, Passage, assemble, parse
from kontextwerk.context.drafting import named_before
from kontextwerk.context.duplicates import LIKENESS, drop_duplicates
from kontextwerk.context.identity import document_of, names
from kontextwerk.context.labels import ELISION, LABELS, one_line
from kontextwerk.context.model import Span
from kontextwerk.context.neighbours import Region, regions
from kontextwerk.context.packing import BEGINNING
from kontextwerk.context.rendering import FORMATS, render
from kontextwerk.context.selection import Candidate, select, spread
from kontextwerk.context.sentences import sentences
from kontextwerk.context.words import language_of
from kontextwerk.hits import to_chunks

OUTCOMES = frozenset({"kept", "trimmed", "merged", "duplicate", "over_budget", "below_score", "empty"})
STANDING = frozenset({"kept", "trimmed", "merged"})
LONG_SENTENCE = 40
"""The shortest sentence, in characters, that may not stand twice; shorter ones are repeated in any text."""
ALL_REACHED = 50
"""Up to so many hits, everything is looked at, however small the budget."""


@dataclass(frozen=True)
class Document:
    """The text that some hits were cut from; `exact` where every offset they give is right."""

    text: str
    exact: bool = True


@dataclass(frozen=True)
class Case:
    """What a context is asked for with, and what is known of its hits.

    Attributes:
        hits: In any shape that `assemble` takes.
        max_tokens: The budget.
        count: The counter.
        question: The question, or None.
        language: Of labels and sentences.
        options: All other choices.
        documents: The texts that hits were cut from, by their `document_id`; no other hits have these identifiers.
    """

    hits: Sequence[Any]
    max_tokens: int
    count: Callable[[str], int]
    question: str | None = None
    language: Language = "de"
    options: Options = field(default_factory=Options)
    documents: Mapping[str, Document] = field(default_factory=dict)

    def assemble(self) -> Context:
        """Return the context."""
        return assemble(
            self.hits,
            self.max_tokens,
            question=self.question,
            counter=self.count,
            language=self.language,
            options=self.options,
        )

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The hits as chunks."""
        return to_chunks(self.hits)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """What could enter, best first, equal and near-equal chunks once."""
        found, _ = select(self.chunks, self.options.min_score, self.options.scores)
        if self.options.per_document is not None:
            found = spread(found, self.options.per_document)
        return drop_duplicates(found)[0]

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The stretches of text that the candidates make up."""
        return regions(self.candidates)

    @property
    def label(self) -> str:
        """The word before a source's number."""
        return (self.options.labels or LABELS[self.language]).source

    def continues(self, context: Context) -> bool:
        """Say whether the text of the turn before stands in this context."""
        after = self.options.after
        if after is None or not self.options.append or not after.passages:
            return False
        return context.passages[: len(after.passages)] == after.passages

    def render(self, *passages: Passage) -> str:
        """Return these passages as they would stand alone."""
        return render(passages, self.label, FORMATS[self.options.format])


Faults = Iterator[str]


def budget(case: Case, context: Context) -> Faults:
    """The finished text never counts more than the budget, and the figure is the count."""
    counted = case.count(context.text)
    if counted > case.max_tokens:
        yield f"{counted} tokens for {case.max_tokens}"
    if context.tokens != counted:
        yield f"says {context.tokens} tokens, counted {counted}"


def empty_or_not(case: Case, context: Context) -> Faults:
    """A context without text has no passage, source or entered hit, and one with text has all three."""
    entered = any(decision.outcome in STANDING for decision in context.decisions) or case.continues(context)
    found = {bool(context.text), bool(context.passages), bool(context.sources), entered}
    if len(found) > 1:
        yield "text, passages, sources and decisions do not agree on whether anything stands"
    sent = case.options.after.passages if case.options.after else ()
    new = (passage.text for passage in context.passages if passage not in sent)
    if any(not text.replace(ELISION, "").strip() for text in new) and not any(
        ELISION in chunk.text for chunk in case.chunks
    ):
        yield "a header stands without text"


def best_first(case: Case, context: Context) -> Faults:
    """The best chunk that fits alone has entered; by relevance, passages stand by their best chunk."""
    if case.continues(context):
        return
    ranks = {candidate.hit: candidate.rank for candidate in case.candidates}
    if case.options.order == "relevance" and case.options.numbering == "passage":
        best: dict[int, int] = {}
        for decision in context.decisions:
            if decision.source is not None and decision.outcome in STANDING:
                rank = ranks[decision.hit]
                best[decision.source] = min(rank, best.get(decision.source, rank))
        found = [best[passage.number] for passage in context.passages if passage.number in best]
        if found != sorted(found):
            yield f"passages stand by rank {found}"
    if case.candidates and not case.question:
        first = case.candidates[0]
        alone = case.render(Passage(1, _title(case, first.chunk), first.text))
        outcome = context.decisions[first.hit].outcome
        # The choice goes by sums of counts: where these do not add up, it may be astray by a few tokens.
        spare = 0 if case.count("aaaa" * 40) == sum(map(case.count, ["aaaa"] * 40)) else 4
        # A chunk of marks alone, such as the "." at the end of its neighbour, says nothing without its neighbour.
        says_something = any(map(str.isalnum, first.text))
        if says_something and outcome not in {"kept", "merged"} and case.count(alone) <= case.max_tokens - spare:
            yield f"hit {first.hit}, the best, fits alone and is {outcome}"


def one_decision_a_hit(case: Case, context: Context) -> Faults:
    """There is one decision for each hit, in the order of the hits, about that hit."""
    if [decision.hit for decision in context.decisions] != list(range(len(case.chunks))):
        yield f"decisions are about hits {[decision.hit for decision in context.decisions]}"
    for decision, chunk in zip(context.decisions, case.chunks, strict=False):
        if (decision.id, decision.title, decision.score) != (chunk.id, chunk.title, chunk.score):
            yield f"the decision on hit {decision.hit} names another chunk"


def outcomes(case: Case, context: Context) -> Faults:
    """Every outcome is a known one, with a reason, a source where text stands, and the figure that explains it."""
    costs = {source.number: source.tokens for source in context.sources}
    for decision in context.decisions:
        wrong = _wrong_figure(case, context, decision, costs)
        if decision.outcome not in OUTCOMES or not decision.reason or not isfinite(decision.figure):
            wrong = "unknown outcome, no reason or no figure"
        elif decision.source is not None and decision.source not in costs:
            wrong = f"source {decision.source} is not there"
        elif decision.source is None and decision.outcome in STANDING:
            wrong = "no source"
        if wrong:
            yield f"hit {decision.hit} is {decision.outcome} with {decision.figure}: {wrong}"


def _wrong_figure(case: Case, context: Context, decision: Decision, costs: Mapping[int, int]) -> str:
    """Return what is wrong with a decision's figure and source; empty where nothing is."""
    chunk, figure = case.chunks[decision.hit], decision.figure
    least, lower_is_better = case.options.min_score, case.options.scores != "similarity"
    right = {
        "over_budget": decision.source is None and figure == case.max_tokens - context.tokens,
        "duplicate": LIKENESS - 0.001 <= figure <= 1,
        "below_score": decision.source is None
        and figure == least
        and chunk.score is not None
        and (chunk.score > figure if lower_is_better else chunk.score < figure),
        "empty": decision.source is None and figure == 0 and not chunk.text.strip(),
    }.get(decision.outcome)
    if right is None:
        cost = costs.get(decision.source or 0, 0)
        alone = case.options.numbering == "passage" and not case.continues(context)
        right = figure == cost if alone else 0 <= figure <= cost
    return "" if right else "does not explain it"


def no_silence(case: Case, context: Context) -> Faults:
    """What is said to stand does: a whole chunk in its source, of a trimmed one at least a word."""
    texts = {source.number: source.text for source in context.sources}
    everything = "\n".join(texts.values())
    for decision in context.decisions:
        text, standing = case.chunks[decision.hit].text.strip(), texts.get(decision.source or 0, "")
        if decision.outcome in {"kept", "merged"} and text not in standing:
            spans = sentences(text, case.language)
            if not case.continues(context) or any(text[slice(*span)] not in everything for span in spans):
                yield f"hit {decision.hit} is {decision.outcome}, but is not whole in source {decision.source}"
        if decision.outcome == "trimmed" and not any(character in standing for character in text if character.strip()):
            yield f"hit {decision.hit} is trimmed, but nothing of it is in source {decision.source}"


def numbers_hold(case: Case, context: Context) -> Faults:
    """Numbers run from 1 in order of appearance; those of earlier turns stay, and are never given to another."""
    appear = list(dict.fromkeys(passage.number for passage in context.passages))
    if appear != [source.number for source in context.sources]:
        yield f"passages have the numbers {appear}, sources {[source.number for source in context.sources]}"
    if case.options.numbering == "passage" and not case.continues(context) and len(appear) != len(context.passages):
        yield "a number stands twice"
    after = case.options.after
    known = {source.number: source for source in (*after.earlier, *after.sources)} if after else {}
    highest = max(known, default=0)
    fresh = [number for number in appear if number not in known]
    if fresh != list(range(highest + 1, highest + len(fresh) + 1)):
        yield f"new numbers are {fresh}, after {highest}"
    if {*known, *appear} != {source.number for source in (*context.sources, *context.earlier)}:
        yield "a number of an earlier turn is lost"
    if {source.number for source in context.sources} & {source.number for source in context.earlier}:
        yield "a number stands here and among the earlier ones"
    for source in context.sources:
        if source.number in known and document_of(source) != document_of(known[source.number]):
            yield f"number {source.number} was another document's"


def one_number_a_document(case: Case, context: Context) -> Faults:
    """Numbered by document, a document has one number, and a number one document."""
    if case.options.numbering != "document" or case.continues(context):
        return
    documents = [document_of(case.chunks[decision.hit]) for decision in context.decisions]
    pairs = {
        (document, decision.source)
        for document, decision in zip(documents, context.decisions, strict=True)
        if document and decision.outcome in STANDING
    }
    for place, name in enumerate(("document has two numbers", "number has two documents")):
        if any(count > 1 for count in Tally(pair[place] for pair in pairs).values()):
            yield f"a {name}"


def no_forgery(case: Case, context: Context) -> Faults:
    """The text alone gives back the passages, and holds as many headers as there are passages."""
    if parse(context.text) != context.passages:
        yield "parsing the text gives other passages"
    header = {
        "text": rf"^\[{re.escape(case.label)} \d+: .*\]$",
        "markdown": rf"^#+\s*{re.escape(case.label)} \d+",
        "xml": r"<\s*source\b",
        "json": r'^\{"number"',
    }[case.options.format]
    found = len(re.findall(header, context.text, re.MULTILINE | re.IGNORECASE))
    if found != len(context.passages):
        yield f"{found} headers for {len(context.passages)} passages"


def places_hold(case: Case, context: Context) -> Faults:
    """Each place of a source is where one of its passages stands in the text, and every passage has one."""
    form = FORMATS[case.options.format]
    if form.begins(context.text) and context.text != case.render(*context.passages):
        yield "the text is not what its passages make"
    found = sorted((place, source.number) for source in context.sources for place in source.places)
    if len(found) != len(context.passages):
        yield f"{len(found)} places for {len(context.passages)} passages"
    for ((start, end), number), passage in zip(found, context.passages, strict=False):
        if number != passage.number or context.text[start:end] != form.body(passage.text, case.label):
            yield f"source {number} does not stand at {start}–{end}"


def sources_and_passages(case: Case, context: Context) -> Faults:
    """A source says what its passages say, where it is from, and what it costs."""
    for source in context.sources:
        own = [passage for passage in context.passages if passage.number == source.number]
        if source.text != f"\n\n{ELISION}\n\n".join(passage.text for passage in own):
            yield f"source {source.number} has another text than its passages"
        if {source.title} != {passage.title for passage in own}:
            yield f"source {source.number} has another title than its passages"
        if (source.tokens < 1 and case.count("x")) or len(source.excerpt) > 200 or "\n" in source.excerpt:
            yield f"source {source.number} costs nothing or has no fit excerpt"
    if case.count is len and not case.continues(context) and context.text:
        form = FORMATS[case.options.format]
        total = sum(source.tokens for source in context.sources) + len(form.opening) + len(form.closing)
        if total != context.tokens:
            yield f"sources cost {total} characters of {context.tokens}"


def marks_and_sentences(case: Case, context: Context) -> Faults:
    """Every passage is a region's text in whole sentences, `[…]` exactly where something was left out."""
    if case.continues(context) or case.options.numbering != "passage" or len(case.chunks) > ALL_REACHED:
        return
    by_hit = {part.candidate.hit: region for region in case.regions for part in region.parts}
    of_source = {
        decision.source: by_hit[decision.hit]
        for decision in context.decisions
        if decision.outcome in STANDING and decision.hit in by_hit
    }
    for passage in context.passages:
        region = of_source.get(passage.number)
        if region is None:
            yield f"passage {passage.number} is of no hit"
        elif ELISION not in region.text:
            yield from _cuts(case, passage, region)


def _cuts(case: Case, passage: Passage, region: Region) -> Faults:
    """Yield what is wrong with the cuts of a passage."""
    starts, ends = _borders(region, language_of(region.text[:BEGINNING], case.language))

    def whole(start: int, end: int) -> bool:
        return start in starts and end in ends

    def whole_or_oversized(start: int, end: int) -> bool:
        return whole(start, end) or _cut_oversized(case, passage, region, (start, end))

    if not _stands(passage.text, region, whole_or_oversized):
        fault = "is cut inside a sentence" if _stands(passage.text, region, lambda *_: True) else "has wrong marks"
        yield f"passage {passage.number} {fault}: {passage.text[:80]!r} of {region.text[:120]!r}"


def _borders(region: Region, language: Language) -> tuple[set[int], set[int]]:
    """Return where sentences of the region and of its chunks begin and end."""
    found = [(0, len(region.text)), *sentences(region.text, language)]
    for part in region.parts:
        first, last = part.span
        found.append(part.span)
        found.extend((start + first, end + first) for start, end in sentences(region.text[first:last], language))
    return {start for start, _ in found}, {end for _, end in found}


def _stands(passage: str, region: Region, fits: Callable[[int, int], bool]) -> bool:
    """Say whether a passage is stretches of the region's text that fit, in order, with marks for all others."""
    text, ends = region.text, {place for part in region.parts for place in part.span}
    leading, trailing = passage.startswith(ELISION), passage.endswith(ELISION)
    pieces = passage.split(ELISION)
    first, last = int(leading), len(pieces) - 1 - trailing

    def rest(index: int, position: int) -> bool:
        if index > last:
            left_out = bool(text[position:].strip())
            return left_out if trailing else not left_out or position in ends
        piece = pieces[index][1 if index else 0 : -1 if index < len(pieces) - 1 else None]
        start = text.find(piece, position)
        while start >= 0:
            left_out = bool(text[position:start].strip())
            marked = left_out if index else not left_out or start in ends
            if piece and marked and fits(start, start + len(piece)) and rest(index + 1, start + len(piece)):
                return True
            start = text.find(piece, start + 1)
        return False

    return rest(first, 0)


def _cut_oversized(case: Case, passage: Passage, region: Region, piece: Span) -> bool:
    """Say whether a piece is a part of one sentence too large for the whole budget, cut between words or graphemes."""
    text, (start, end) = region.text, piece
    language = language_of(text[:BEGINNING], case.language)
    units = [*sentences(text, language)]
    for first, last in (part.span for part in region.parts):
        units.extend((one + first, other + first) for one, other in sentences(text[first:last], language))
    for first, last in units:
        if not (first <= start and end <= last):
            continue
        alone = [
            case.render(Passage(1, passage.title, f"{before}{text[first:last]}{after}"))
            for before in ([f"{ELISION} ", f"{ELISION}\n"] if text[:first].strip() else [""])
            for after in ([f" {ELISION}", f"\n{ELISION}"] if text[last:].strip() else [""])
        ]
        words = {(match.start(), match.end()) for match in re.finditer(r"\S+", text[first:last])}
        between_words = start - first in {one for one, _ in words} and end - first in {other for _, other in words}
        graphemes = {match.end() + first for match in regex.finditer(r"\X", text[first:last])}
        in_first_word = start == first and not re.search(r"\s", text[start:end]) and end in graphemes
        if max(map(case.count, alone)) > case.max_tokens and (between_words or in_first_word):
            return True
    return False


def room_for_all(case: Case, context: Context) -> Faults:
    """Where all chunks fit side by side, none is left out or cut."""
    if case.continues(context) or len(case.chunks) > ALL_REACHED:
        return
    form = FORMATS[case.options.format]
    blocks = [Passage(10, _title(case, candidate.chunk), candidate.text) for candidate in case.candidates]
    costs = [case.count(form.block(block, case.label) + form.separator) for block in blocks]
    around = case.count(form.opening) + case.count(form.closing)
    if max(sum(costs) + 3 * len(costs) + around, case.count(case.render(*blocks))) <= case.max_tokens:
        for decision in context.decisions:
            if decision.outcome in {"over_budget", "trimmed"}:
                yield f"hit {decision.hit} is {decision.outcome}, with room for all"


def nothing_twice(case: Case, context: Context) -> Faults:
    """No sentence of a document stands more often in the context than in the document."""
    for name, document in case.documents.items():
        numbers = {source.number for source in context.sources if source.document_id == name}
        standing = [passage.text for passage in context.passages if passage.number in numbers]
        for start, end in sentences(document.text, case.language):
            sentence = document.text[start:end]
            if len(sentence) >= LONG_SENTENCE and standing:
                found = sum(text.count(sentence) for text in standing)
                if found > document.text.count(sentence):
                    yield f"{sentence[:60]!r} stands {found} times"


def spans_hold(case: Case, context: Context) -> Faults:
    """Where offsets are right, spans are inside the document and hold what the source says."""
    for source in context.sources:
        document = case.documents.get(source.document_id)
        if source.pages and not 1 <= source.pages[0] <= source.pages[1]:
            yield f"source {source.number} is on pages {source.pages}"
        if document is None or not document.exact or case.options.after:
            continue
        for start, end in source.spans:
            inside = 0 <= start < end <= len(document.text)
            words = document.text[start:end].split()
            if not inside or (" ".join(words) not in " ".join(source.text.split()) and ELISION not in source.text):
                yield f"source {source.number} does not hold {start}–{end} of its document"


def appended(case: Case, context: Context) -> Faults:
    """On request, what was sent stays byte for byte, and what is new comes behind it."""
    after = case.options.after
    if after is None or not case.options.append or case.count(after.text) > case.max_tokens or not after.text:
        return
    if not context.text.startswith(after.text.removesuffix(FORMATS[case.options.format].closing)):
        yield "the text that was sent has changed"


def same_again(case: Case, context: Context) -> Faults:
    """The same once more gives the same."""
    if case.assemble() != context:
        yield "another context the second time"


def plain_data(_: Case, context: Context) -> Faults:
    """A context becomes JSON without NaN, in UTF-8."""
    try:
        json.dumps(context.to_dict(), allow_nan=False, ensure_ascii=False).encode()
    except ValueError as error:
        yield str(error)


CHECKS: tuple[Callable[[Case, Context], Faults], ...] = (
    budget,
    empty_or_not,
    best_first,
    one_decision_a_hit,
    outcomes,
    no_silence,
    numbers_hold,
    one_number_a_document,
    no_forgery,
    places_hold,
    sources_and_passages,
    marks_and_sentences,
    room_for_all,
    nothing_twice,
    spans_hold,
    appended,
    same_again,
    plain_data,
)


def broken(case: Case, context: Context) -> list[str]:
    """Return which promises a context breaks, each with what is wrong; empty where it keeps them all."""
    return [f"{check.__name__}: {fault}" for check in CHECKS for fault in check(case, context)]


def _title(case: Case, chunk: Chunk) -> str:
    """Return the title in the header of a passage of this chunk."""
    titles = {**names(candidate.chunk for candidate in case.candidates), **named_before(case.options.after)}
    unknown = (case.options.labels or LABELS[case.language]).unknown
    return one_line(titles.get(document_of(chunk), chunk.title)) or unknown
