"""A turn of a conversation coming about: search, context, the answer as it arrives, and its check.

Whoever drives it keeps what becomes of the turn where it fails: see `chat`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from queue import Empty, Queue
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

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


Spoken: TypeAlias = tuple[str, Sequence[Text | Cited]]
"""A piece of an answer, and what is clear by it: the end of a piece may be the beginning of a citation."""


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

    def prompt(self, model: LanguageModel, context: Context, turns: Sequence[Turn], max_tokens: int) -> Prompt | None:
        """Return what a model is asked; None where the context has no sources. Quotations are found by the query."""
        if not context.sources:
            return None
        return build_prompt(self.query if isinstance(model, Extract) else self.question, context, turns, max_tokens)


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
        query = searched_for(turn.question, turns, conversation.language, model, self.stopped)
        budget = Budget(settings.window, settings.answer_tokens, context=turn.max_tokens)
        hits = self.chat.search(query, conversation.documents)
        sight = Sight(turn.question, query, turns, conversation.language, before)
        context, kept, room = sight.context(hits, budget, counter(settings.counter))
        records.update(turn.id, query=query, context=context.to_dict())
        yield Sources(query, context)
        yield from self._read(spoken(model, sight.prompt(model, context, kept, room), context, self.stopped))
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

    def _read(self, told: Iterator[Spoken]) -> Iterator[Event]:
        """Yield text and citations as they arrive, and keep what has come now and then."""
        saved = monotonic()
        for piece, events in told:
            self.answer += piece
            yield from events
            if monotonic() - saved > SAVE_SECONDS:
                self.chat.records.update(self.turn.id, answer=self.answer)
                saved = monotonic()

    def _checks(self, context: Context) -> tuple[Check, ...]:
        texts = {source.number: source.text for source in (*context.earlier, *context.sources)}
        found = claims(self.answer, context.language)
        try:
            return check(found, texts, language=context.language, similarity=self.chat.similarity)
        except ModelError:  # of the embedder: the answer is there, and words alone tell most
            return check(found, texts, language=context.language)


def searched_for(question: str, turns: Sequence[Turn], language: Language, model: LanguageModel, stopped: Flag) -> str:
    """Return what is searched for: the question, made to stand by itself, by the model where it is one that writes."""
    writes = not isinstance(model, Extract)
    return standalone(question, turns, language, _Stoppable(model, stopped) if writes else None)


def spoken(model: LanguageModel, prompt: Prompt | None, context: Context, stopped: Flag) -> Iterator[Spoken]:
    """Yield an answer piece by piece, each with the text and the citations that are clear by then.

    Args:
        model: Who answers.
        prompt: What it is asked; None where there are no sources: then it is not.
        context: What the answer cites.
        stopped: Set by whoever wants it to end early.

    Raises:
        ModelError: The model failed, or its answer is empty.
    """
    pieces = model.stream(prompt) if prompt else iter([NOT_IN_SOURCES[context.language]])
    known = {source.number for source in (*context.sources, *context.earlier)}
    reader, is_empty = Reader(), True
    for piece in map(encodable, until(pieces, stopped)):
        is_empty = is_empty and not piece.strip()
        yield piece, [cited_or_text(part, known) for part in reader.feed(piece)]
    yield "", [cited_or_text(part, known) for part in reader.end()]
    if is_empty and not stopped.is_set():
        raise ModelError(model.name, "gave an empty answer", "Try again, or choose another model")


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
