"""The chat: a question and what a search found into an answer with sources.

`build_context` is the specification's function. `ask` goes the whole way from hits to a streamed answer. `Chat` holds
conversations that last: each question is kept before anything else, and whatever happens, a turn ends in a state from
which the conversation can go on. It leaves out pages and the command line.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, Protocol

from kontextwerk.answering import Answering
from kontextwerk.characters import encodable
from kontextwerk.chat_prompt import build_prompt
from kontextwerk.context.assemble import assemble
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError, KontextwerkError
from kontextwerk.context.model import Counter, Language, Similarity
from kontextwerk.context.options import Options
from kontextwerk.context.window import Turn
from kontextwerk.counters import DEFAULT, counter
from kontextwerk.events import Event, Failed
from kontextwerk.extract import Extract
from kontextwerk.hits import FIELDS, Fields, to_chunks
from kontextwerk.llm import make_model
from kontextwerk.prompt import NOT_IN_SOURCES, LanguageModel
from kontextwerk.settings import Settings

if TYPE_CHECKING:  # an extra: needed where conversations last
    from kontextwerk.records import Records, StoredTurn

__all__ = ["Chat", "Reply", "ask", "build_context", "build_prompt", "make_answerer"]
QUESTION_CHARS = 8000
"""The longest question."""
FAULT = "answer: failed for a reason of our own. Try again"
"""What the person is told of a fault in the program."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer on its way.

    Attributes:
        context: What the model reads, with its sources: there before the first piece.
        pieces: The answer's text as it arrives; to be read once.
    """

    context: Context
    pieces: Iterator[str]


def build_context(results: Iterable[object], max_tokens: int = 3000) -> str:
    r"""Format what a vector search found as a context with numbered sources, within a budget.

    Args:
        results: Hits with `score`, `payload.content` and `payload.document_title`, in any order and in any shape that
            `kontextwerk.hits.to_chunks` takes.
        max_tokens: The most tokens of the context, headers and separators counted, by `o200k_base`.

    Returns:
        The context, best evidence first; empty where nothing fits.

    Raises:
        InputError: A negative budget, or results that are no list.

    >>> hit = {"score": 0.9, "payload": {"content": "Im Erstgespräch.", "document_title": "Handbuch.pdf"}}
    >>> build_context([hit])
    '[Quelle 1: Handbuch.pdf]\nIm Erstgespräch.'
    """
    return assemble(to_chunks(results), max_tokens, counter(DEFAULT)).text


def ask(  # noqa: PLR0913  each argument is one choice
    question: str,
    results: Iterable[object],
    model: LanguageModel,
    *,
    max_tokens: int = 3000,
    language: Language = "de",
    count: str | Counter = DEFAULT,
    fields: Fields = FIELDS,
    options: Options = Options(),
) -> Reply:
    """Answer a question from what a search for it found.

    Args:
        question: In the person's words.
        results: What the search found.
        model: Who answers.
        max_tokens: The most tokens of the context.
        language: The language of the answer.
        count: The counter of tokens.
        fields: Which payload field of a hit holds what.
        options: What else is asked of the context.

    Returns:
        The context at once, and the answer as it arrives. Where nothing was found, the model is not asked.

    Raises:
        InputError: A negative budget, an unknown counter or language.
        ModelError: While the pieces are read: the model fails.
    """
    context = assemble(
        to_chunks(results, fields), max_tokens, counter(count), question=question, language=language, options=options
    )
    if not context.sources:
        return Reply(context, iter([NOT_IN_SOURCES[language]]))
    return Reply(context, model.stream(build_prompt(question, context)))


class Search(Protocol):
    """What finds hits for a question, in some documents or in all."""

    def __call__(self, question: str, document_ids: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Return hits, best first."""
        ...


def make_answerer(settings: Settings) -> LanguageModel:
    """Return what answers by these settings: a language model, or quotations without one."""
    return Extract() if settings.model == "extract" else make_model(settings)


@dataclass(frozen=True, slots=True)
class Chat:
    """Conversations that last, and the answers in them.

    Attributes:
        records: Where they are kept.
        search: What finds hits.
        settings: Budgets, the counter, the model.
        similarity: How close texts are in meaning, for the check of an answer; None to check by words alone.
        answerer: Makes what answers by settings.
    """

    records: "Records"
    search: Search
    settings: Settings
    similarity: Similarity | None = None
    answerer: Callable[[Settings], LanguageModel] = make_answerer

    def ask(
        self, conversation: str, question: str, *, model: str | None = None, max_tokens: int | None = None
    ) -> "StoredTurn":
        """Keep a question as the conversation's next turn; `answer` answers it.

        Args:
            conversation: Its identifier.
            question: In the person's words.
            model: Who answers; None for the one of the settings.
            max_tokens: The most tokens of the context; None for those of the settings.

        Raises:
            InputError: See `accepted`; or no such conversation.
            RecordsError: It could not be kept.
        """
        question = self.accepted(question, max_tokens=max_tokens)
        budget = self.settings.chat_tokens if max_tokens is None else max_tokens
        return self.records.ask(conversation, question, model=model or self.settings.model, max_tokens=budget)

    def accepted(self, question: str, *, max_tokens: int | None = None) -> str:
        """Return a question as it is kept.

        Raises:
            InputError: It is empty or longer than `QUESTION_CHARS`, or the budget is below 1.
        """
        question = encodable(question).strip()
        if not question:
            raise InputError("question", "is empty", "Ask something")
        if len(question) > QUESTION_CHARS:
            raise InputError("question", f"has {len(question)} characters", f"Ask in {QUESTION_CHARS} at most")
        if max_tokens is not None and max_tokens < 1:
            raise InputError("max_tokens", f"{max_tokens} is no budget", "Pass 1 or more")
        return question

    def retry(self, turn: str) -> "StoredTurn":
        """Make a turn ready to be answered anew; what was answered is given up."""
        return self.records.update(
            turn, answer="", state="answering", error="", query="", context=None, checks=None, feedback=""
        )

    def answer(self, turn: "StoredTurn", stopped: Flag | None = None) -> Generator[Event]:
        """Answer a turn; what comes is kept as it comes, and at the end the turn is done, stopped or failed.

        Args:
            turn: From `ask` or `retry`.
            stopped: Set it to end the answer early. Closing the iterator does so, too.

        Yields:
            See `kontextwerk.events`. No error of ours is raised: the last event says what failed.

        Raises:
            Exception: A fault of the program's, which is none of ours to name; the turn has failed.
        """
        run = Answering(self, turn, stopped or Flag())
        try:
            yield from run.events()
        except KontextwerkError as error:
            run.ended = True
            self.fail(turn.id, str(error), run.answer)
            yield Failed(turn.id, str(error))
        except Exception:
            run.ended = True
            self.fail(turn.id, FAULT, run.answer)
            raise
        finally:
            if not run.ended:
                with suppress(KontextwerkError):
                    self.records.update(turn.id, answer=run.answer, state="stopped")

    def fail(self, turn: str, message: str, answer: str = "") -> None:
        """Keep, as far as that can be, that a turn has failed, why, and what had come of its answer."""
        with suppress(KontextwerkError):
            self.records.update(turn, answer=answer, state="failed", error=message)

    def history(self, turn: "StoredTurn") -> tuple[list[Turn], Context | None]:
        """Return the turns before one that count, and the context whose sources keep their numbers; failed ones do not.

        Where an earlier turn is answered anew, that is a later one's: of all contexts the one with the highest number,
        which knows the sources of the others.
        """
        others = [
            other
            for other in self.records.turns(turn.conversation)
            if other.id != turn.id and other.state in {"done", "stopped"} and other.answer.strip()
        ]
        contexts = [context for context in (other.read_context() for other in others) if context]
        earlier = [Turn(other.question, other.answer) for other in others if other.position < turn.position]
        return earlier, max(reversed(contexts), key=_highest_number, default=None)


def _highest_number(context: Context) -> int:
    return max((source.number for source in (*context.earlier, *context.sources)), default=0)
