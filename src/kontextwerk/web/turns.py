"""A stored turn as it is shown, and a conversation as Markdown.

It leaves out the answer's HTML: see `answers`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kontextwerk.context.citations import parts as parts_of_answer
from kontextwerk.context.claims import Check
from kontextwerk.context.context import Context
from kontextwerk.context.explaining import listed
from kontextwerk.context.markup import plain
from kontextwerk.context.model import Language, Source
from kontextwerk.context.telling import from_dict, reason_text, verdict_text
from kontextwerk.records import Conversation, StoredTurn
from kontextwerk.web.answers import SHOWN, Chip, excerpt, render
from kontextwerk.web.app import Parts
from kontextwerk.web.words import WORDS


@dataclass(frozen=True, slots=True)
class Card:
    """What is shown of a source where a citation is looked at.

    Attributes:
        chip: The citation's number.
        source: The source.
        text: The evidence and what is around it.
    """

    chip: Chip
    source: Source
    text: Markup


@dataclass(frozen=True, slots=True)
class Shown:
    """A turn as it is shown.

    Attributes:
        turn: As it is stored.
        running: Whether it is being answered.
        interrupted: Whether an end of the program cut it off.
        html: The answer.
        cards: One for each number of a citation.
        cited: The sources that it cites, each with all of its text, evidence marked.
        further: Those that were read and are not cited.
        findings: The sentences that are not fully supported: verdict, wording, reasons.
        counts: Supported sentences, and all that claim something.
    """

    turn: StoredTurn
    running: bool
    interrupted: bool
    html: Markup
    cards: tuple[Card, ...]
    cited: tuple[tuple[Source, Markup], ...]
    further: tuple[tuple[Source, Markup], ...]
    findings: tuple[tuple[str, str, str], ...]
    counts: tuple[int, int]


def shown(turn: StoredTurn, parts: Parts, language: Language) -> Shown:
    """Return a turn as it is shown."""
    context = turn.read_context()
    sources = sources_of(context) if context else {}
    checks = [from_dict(one) for one in turn.checks or ()]
    answer = render(turn.answer, turn.id, sources, checks, language)
    cards = tuple(
        Card(chip, chip.source, excerpt(chip.source.text, chip.evidence)) for chip in answer.chips if chip.source
    )
    cited = {chip.number for chip in answer.chips}
    texts = [(source, excerpt(source.text, evidence_of(source, checks), None)) for source in sources.values()]
    own = {source.number for source in context.sources} if context else set()
    running = parts.runs.get(turn.id) is not None
    return Shown(
        turn=turn,
        running=running,
        interrupted=turn.state == "answering" and not running,
        html=answer.html,
        cards=cards,
        cited=tuple(pair for pair in texts if pair[0].number in cited),
        further=tuple(pair for pair in texts if pair[0].number in own - cited),
        findings=tuple(
            (
                verdict_text(check.verdict, language),
                _wording(turn.answer, check),
                " ".join(reason_text(reason, language) for reason in check.reasons),
            )
            for check in checks
            if check.verdict in SHOWN
        ),
        counts=(
            sum(check.verdict == "supported" for check in checks),
            sum(check.verdict != "no_claim" for check in checks),
        ),
    )


def sources_of(context: Context) -> Mapping[int, Source]:
    """Return the sources that an answer may cite, those of earlier turns among them, by number."""
    return {source.number: source for source in sorted((*context.earlier, *context.sources), key=lambda s: s.number)}


def exported(conversation: Conversation, turns: Sequence[Shown], language: Language) -> str:
    """Return a conversation as Markdown: questions as headings, answers, and the sources of each."""
    words = WORDS[language]
    blocks = [f"# {conversation.title or words['new']}"]
    for one in turns:
        answer = one.turn.answer.strip() or f"*{words['failed']}*"
        blocks += [f"## {' '.join(one.turn.question.split())}", answer]
        if one.cited:
            lines = (f"- {line}" for line in listed([source for source, _ in one.cited], language))
            blocks.append("\n".join([f"**{words['sources']}**", "", *lines]))
    return "\n\n".join(blocks) + "\n"


def _wording(answer: str, check: Check) -> str:
    """Return a sentence as it is read: without citations and Markdown."""
    written = answer[slice(*check.span)]
    bare = "".join(part for part in parts_of_answer(written) if isinstance(part, str))
    return " ".join(plain(bare.strip()).split())


def evidence_of(source: Source, checks: Sequence[Check]) -> list[tuple[int, int]]:
    """Return where evidence stands in a source's text, without overlaps."""
    spans = sorted({one.span for check in checks for one in check.evidence if one.source == source.number})
    apart: list[tuple[int, int]] = []
    for span in spans:
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart
