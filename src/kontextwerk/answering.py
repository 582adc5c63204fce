"""A turn of a conversation coming about: search, context, the answer as it arrives, and its check.

Whoever drives it keeps what becomes of the turn where it fails: see `chat`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from queue import Empty, Queue
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from kontextwerk.characters import encodable
from kontextwerk.chat_prompt import INSTRUCTIONS, build_prompt, framed
from kontextwerk.context.assemble import assemble
from kontextwerk.context.checking import check
from kontextwerk.context.citations import Citation, Reader
from kontextwerk.context.claiming import claims
from kontextwerk.context.claims import Check
from kontextwerk.context.context import Context
from kontextwerk.context.errors import BudgetError, ModelError
from kontextwerk.context.model import Counter, Language
from kontextwerk.context.options import Options
from kontextwerk.context.telling import to_dict as check_to_dict
from kontextwerk.context.window import Budget, Turn
from kontextwerk.counters import counter
from kontextwerk.events import Checked, Cited, Done, Event, Sources, Text
from kontextwerk.extract import Extract
from kontextwerk.followup import standalone
from kontextwerk.hits import to_chunks
from kontextwerk.prompt import NOT_IN_SOURCES, LanguageModel, Prompt

if TYPE_CHECKING:
    from kontextwerk.chat import Chat
    from kontextwerk.records import StoredTurn

SAVE_SECONDS = 1.0
"""How often what has come of an answer is kept while it streams."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A question, and what it is seen in the light of.

    Attributes:
        question: In the person's words.
        query: What is searched for.
        turns: The conversation before it, oldest first.
        language: That of the answer.
        before: The context of the turn before, whose sources keep their numbers; None for none.
    """

    question: str
    query: str
    turns: Sequence[Turn]
    language: Language
    before: Context | None = None

    def context(self, hits: Sequence[object], budget: Budget, count: Counter) -> tuple[Context, tuple[Turn, ...], int]:
        """Return the context, the turns that fit beside it, and the most tokens of the answer.

        Raises:
            BudgetError: The window or the budget is too small for any of what was found.
        """
        frame = INSTRUCTIONS[self.language] + framed("", "", self.language)
        share = budget.split(count, instructions=frame, question=self.question, turns=self.turns)
        options = Options(after=self.before)
        chunks = to_chunks(hits)
        context = assemble(chunks, share.context, count, question=self.query, language=self.language, options=options)
        if not context.sources and any(decision.outcome == "over_budget" for decision in context.decisions):
            raise BudgetError(
                f"a context of {share.context} tokens", "is too small for what was found", "Ask with a larger budget"
            )
        return context, share.turns, share.answer(context.tokens)


class Answering:
    """One answer coming about.

    Args:
        chat: Whose records, search and settings hold.
        turn: The question.
        stopped: Set by whoever wants it to end early.

    Attributes:
        answer: What has come.
        ended: Whether its end is kept.
    """

    def __init__(self, chat: "Chat", turn: "StoredTurn", stopped: Flag) -> None:
        self.chat, self.turn, self.stopped = chat, turn, stopped
        self.answer = ""
        self.ended = False

    def events(self) -> Iterator[Event]:
        """Yield what happens, from the search to the end."""
        records, turn = self.chat.records, self.turn
        conversation = records.conversation(turn.conversation)
        settings = replace(self.chat.settings, model=turn.model)
        model = self.chat.answerer(settings)
        turns, before = self.chat.history(turn)
        rewriter = None if isinstance(model, Extract) else _Stoppable(model, self.stopped)
        query = standalone(turn.question, turns, conversation.language, rewriter)
        budget = Budget(settings.window, settings.answer_tokens, context=turn.max_tokens)
        hits = self.chat.search(query, conversation.documents)
        sight = Sight(turn.question, query, turns, conversation.language, before)
        context, kept, room = sight.context(hits, budget, counter(settings.counter))
        records.update(turn.id, query=query, context=context.to_dict())
        yield Sources(query, context)
        if context.sources:
            asked = query if isinstance(model, Extract) else turn.question
            pieces = model.stream(build_prompt(asked, context, kept, room))
        else:
            pieces = iter([NOT_IN_SOURCES[conversation.language]])
        yield from self._read(pieces, context)
        if not self.answer.strip() and not self.stopped.is_set():
            raise ModelError(model.name, "gave an empty answer", "Try again, or choose another model")
        found = self._checks(context)
        yield from map(Checked, found)
        is_stopped = self.stopped.is_set()
        records.update(
            turn.id,
            answer=self.answer,
            state="stopped" if is_stopped else "done",
            checks=[check_to_dict(one) for one in found],
        )
        self.ended = True
        yield Done(turn.id, self.answer, is_stopped)

    def _read(self, pieces: Iterator[str], context: Context) -> Iterator[Event]:
        """Yield text and citations as they arrive, and keep what has come now and then."""
        known = {source.number for source in (*context.sources, *context.earlier)}
        reader = Reader()
        saved = monotonic()
        for piece in map(encodable, until(pieces, self.stopped)):
            self.answer += piece
            yield from (cited_or_text(part, known) for part in reader.feed(piece))
            if monotonic() - saved > SAVE_SECONDS:
                self.chat.records.update(self.turn.id, answer=self.answer)
                saved = monotonic()
        yield from (cited_or_text(part, known) for part in reader.end())

    def _checks(self, context: Context) -> tuple[Check, ...]:
        texts = {source.number: source.text for source in (*context.earlier, *context.sources)}
        found = claims(self.answer, context.language)
        return check(found, texts, language=context.language, similarity=self.chat.similarity)


@dataclass(frozen=True, slots=True)
class _Stoppable:
    """A language model that falls silent when the flag is set."""

    model: LanguageModel
    stopped: Flag

    @property
    def name(self) -> str:
        return self.model.name

    def stream(self, prompt: Prompt) -> Iterator[str]:
        return until(self.model.stream(prompt), self.stopped)


def cited_or_text(part: str | Citation, known: Collection[int]) -> Text | Cited:
    """Return a part of an answer as an event; `known` are the numbers that sources have."""
    if isinstance(part, str):
        return Text(part)
    return Cited(part.text, part.span, part.numbers, part.unknown(known))


def until(pieces: Iterator[str], stopped: Flag) -> Iterator[str]:
    """Yield pieces until it is stopped, also while the next one is waited for; reading ends with the piece in hand."""
    arrived: Queue[str | BaseException | None] = Queue()
    ended = Flag()

    def read() -> None:
        try:
            for piece in pieces:
                arrived.put(piece)
                if ended.is_set():
                    break
            arrived.put(None)
        except BaseException as error:  # noqa: BLE001  raised where the pieces are read
            arrived.put(error)
        finally:
            close = getattr(pieces, "close", None)
            if close:
                close()

    Thread(target=read, daemon=True).start()
    try:
        while not stopped.is_set():
            try:
                item = arrived.get(timeout=0.1)
            except Empty:
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        ended.set()
