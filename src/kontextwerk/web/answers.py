"""An answer as HTML: Markdown made safe, citations as chips, and what is not supported underlined.

Nothing that a model or a document wrote becomes markup but what Markdown gives: no HTML, no images, links to the web
alone. Citations and claims are put in as characters of a private area before the Markdown is read, and found again in
its text; so no mark can stand where markup is made. It leaves out the page around it: see `pages`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from kontextwerk.context.citations import Citation, parts
from kontextwerk.context.claims import Check
from kontextwerk.context.explaining import place
from kontextwerk.context.labels import one_line
from kontextwerk.context.model import Language, Source, Span
from kontextwerk.context.telling import reason_text, verdict_text
from kontextwerk.web.words import WORDS

_CITED, _CLAIM, _END = "\ue000", "\ue001", "\ue002"
_PRIVATE = re.compile("[\ue000-\uf8ff\0\ud800-\udfff]")
_TAG = re.compile(r"(<[^>]*>)")
_MARK = re.compile(rf"{_CITED}(\d+){_END}|{_CLAIM}(\d+){_END}|{_CLAIM}{_END}")
_MARKUP = re.compile(r"\s*(?:(?:[#>*+|-]+|\d{1,3}[.)])\s+)*[*_|]*\s*")
_SENTENCE_END = re.compile(r"[.!?…]\s+(?=[A-ZÄÖÜ„“])|\n\s*")
_BLANK = re.compile(r"\s+")
SHOWN = frozenset({"partly", "unsupported", "uncited"})
"""The verdicts that are underlined."""
AROUND = 160
"""Characters of a source that are shown before and behind its evidence."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A number of a citation, as it is shown.

    Attributes:
        place: Which chip of the answer it is, from 0.
        number: The source's number.
        source: The source; None where there is none.
        evidence: Where the evidence for the sentence stands in the source's text.
        found: Whether the check found it, for a sentence that cites nothing.
    """

    place: int
    number: int
    source: Source | None
    evidence: tuple[Span, ...]
    found: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to be shown.

    Attributes:
        html: Its body.
        chips: Its citations' numbers in order.
    """

    html: Markup
    chips: tuple[Chip, ...]


def render(
    answer: str, turn: str, sources: Mapping[int, Source], checks: Sequence[Check] = (), language: Language = "de"
) -> Answer:
    """Return an answer as HTML.

    Args:
        answer: What the model wrote.
        turn: The identifier of its turn; identifiers in the HTML are made of it.
        sources: By number, those of earlier turns among them.
        checks: What was found of its sentences.
        language: The language of what is added.
    """
    citations: list[Citation] = []
    marked: list[tuple[int, str]] = []
    text, position = "", 0
    for part in parts(answer):
        if isinstance(part, str):
            text += _PRIVATE.sub("\ufffd", part)
            position += len(part)
        else:
            # As long as the mark itself, so that spans of claims hold.
            text += " " * len(part.text)
            marked.append((part.span[0], f"{_CITED}{len(citations)}{_END}"))
            citations.append(part)
    chips, by_citation = _chips(citations, sources, checks)
    shown = [check for check in checks if check.verdict in SHOWN]
    for index, check in enumerate(shown):
        start, end = _bare(answer, check.span)
        if start < end:
            marked += [(start, f"{_CLAIM}{index}{_END}"), (end, f"{_CLAIM}{_END}")]
        if check.verdict == "uncited" and check.evidence:
            marked.append((max(start, end), f"{_CITED}{len(by_citation)}{_END}"))
            by_citation.append([_found(check, len(chips), sources)])
            chips += by_citation[-1]
    html = _markdown().render(_with(text, marked, [citation.span for citation in citations]))
    filled = _filled(html, turn, by_citation, shown, language)
    # Markup of the Markdown reader and of ours alone.
    return Answer(Markup(filled), tuple(chips))  # noqa: S704


def excerpt(text: str, evidence: Sequence[Span], around: int | None = AROUND) -> Markup:
    """Return a source's text with its evidence marked; only what is around the evidence where `around` is a number."""
    first, last = (evidence[0][0], evidence[-1][1]) if evidence else (0, min(len(text), 2 * AROUND))
    start = 0 if around is None or first <= around else _opening(text, first - around, first)
    end = len(text) if around is None or last + around >= len(text) else text.find(" ", last + around - 1)
    end = len(text) if end < 0 else end
    made, position = Markup("… ") if start else Markup(), start
    for span_start, span_end in evidence:
        made += escape(text[position:span_start]) + Markup("<mark>{}</mark>").format(text[span_start:span_end])
        position = span_end
    return made + escape(text[position:end]) + (" …" if end < len(text) else "")


def _opening(text: str, start: int, before: int) -> int:
    """Return where a sentence begins between two places, else a word."""
    found = _SENTENCE_END.search(text, start, before) or _BLANK.search(text, start, before)
    return found.end() if found else start


def _chips(
    citations: Sequence[Citation], sources: Mapping[int, Source], checks: Sequence[Check]
) -> tuple[list[Chip], list[list[Chip]]]:
    chips: list[Chip] = []
    by_citation = []
    for citation in citations:
        check = next((one for one in checks if one.span[0] <= citation.span[0] < one.span[1]), None)
        own: list[Chip] = []
        for number in citation.numbers:
            found = check.evidence if check else ()
            spans = tuple(sorted(one.span for one in found if one.source == number))
            own.append(Chip(len(chips) + len(own), number, sources.get(number), spans))
        chips += own
        by_citation.append(own)
    return chips, by_citation


def _found(check: Check, place_: int, sources: Mapping[int, Source]) -> Chip:
    """Return the chip for a sentence that cites nothing: the source in which most of its evidence stands."""
    numbers = [one.source for one in check.evidence]
    number = max(sorted(set(numbers)), key=numbers.count)
    spans = tuple(sorted(one.span for one in check.evidence if one.source == number))
    return Chip(place_, number, sources.get(number), spans, found=True)


def _bare(answer: str, span: Span) -> Span:
    """Return where a claim's words stand: without the signs of lists and headings before it, and blanks behind it."""
    written = answer[slice(*span)]
    signs = _MARKUP.match(written)
    start = span[0] + (signs.end() if signs else 0)
    return start, span[0] + len(written.rstrip(" \n|*_"))


def _with(text: str, marked: Sequence[tuple[int, str]], spans: Sequence[Span]) -> str:
    """Put marks into a text at their places, and take out the blanks that stood for citations."""
    removed = {start: end for start, end in spans if end > start}
    made, position = "", 0
    for place_, mark in sorted(marked, key=lambda pair: pair[0]):
        if place_ > position:
            made += text[position:place_]
            position = place_
        made += mark
        if mark.startswith(_CITED):
            position = max(position, removed.get(place_, place_))
    return made + text[position:]


def _markdown() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    reader.disable(["image", "html_block", "html_inline"])
    reader.validateLink = lambda url: url.casefold().startswith(("https://", "http://", "mailto:"))  # type: ignore[method-assign]
    return reader


def _filled(
    html: str, turn: str, by_citation: Sequence[Sequence[Chip]], shown: Sequence[Check], language: Language
) -> str:
    """Put chips and claims in the place of their marks, in the text between tags alone."""
    made: list[str] = []
    claim: int | None = None
    for piece in _TAG.split(html):
        if piece.startswith("<"):
            made.append(
                _PRIVATE.sub("", piece).replace("<a ", '<a rel="noopener noreferrer nofollow" target="_blank" ')
            )
            continue
        position = 0
        for mark in [*_MARK.finditer(piece), None]:
            text = piece[position : mark.start() if mark else len(piece)]
            if text:
                made.append(_claimed(text, shown[claim], language) if claim is not None and text.strip() else text)
            if mark is None:
                break
            if mark[1]:
                made += [str(_chip(chip, turn, language)) for chip in by_citation[int(mark[1])]]
            else:
                claim = int(mark[2]) if mark[2] else None
            position = mark.end()
    return "".join(made)


def _claimed(text: str, check: Check, language: Language) -> str:
    reasons = " ".join(reason_text(reason, language) for reason in check.reasons)
    tip = f"{verdict_text(check.verdict, language)}. {reasons}".strip()
    return f'<span class="claim {check.verdict}" tabindex="0" data-tip="{escape(tip)}">{text}</span>'


def _chip(chip: Chip, turn: str, language: Language) -> Markup:
    words = WORDS[language]
    if chip.source is None:
        tip = words["unknown_source"].format(chip.number)
        return Markup('<span class="chip unknown" role="note" tabindex="0" data-tip="{}">{}?</span>').format(
            tip, chip.number
        )
    before = f"{words['found']} " if chip.found else ""
    label = one_line(f"{before}{words['source']} {chip.number}: {place(chip.source, language)}")
    return Markup('<a class="chip{}" href="#s-{}-{}" data-card="k-{}-{}" aria-label="{}">{}</a>').format(
        " found" if chip.found else "", turn, chip.number, turn, chip.place, label, chip.number
    )
