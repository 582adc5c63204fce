"""One answer of a conversation that its asker keeps: the same events as in `chat`, and nothing is stored.

It leaves out the check of the answer, and sources that keep their numbers: both need what is kept of a conversation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import Any

from kontextwerk.answering import Sight, searched_for, spoken
from kontextwerk.context.context import Context
from kontextwerk.context.errors import KontextwerkError
from kontextwerk.context.model import Language
from kontextwerk.context.window import Budget, Turn
from kontextwerk.counters import counter
from kontextwerk.events import Cited, Done, Event, Failed, Sources
from kontextwerk.prompt import LanguageModel
from kontextwerk.settings import Settings


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, and the conversation that its asker keeps.

    Attributes:
        question: In the person's words.
        turns: The conversation before it, oldest first.
        language: That of the answer.
        documents: Identifiers of the documents that are asked; none for all.
        answer_tokens: The most tokens of the answer; None for what the window leaves.
    """

    question: str
    turns: tuple[Turn, ...] = ()
    language: Language = "de"
    documents: tuple[str, ...] = ()
    answer_tokens: int | None = None


@dataclass(slots=True)
class Once:
    """One answer, which is gone when it is told.

    Attributes:
        name: What it is called in its events.
        inquiry: What is asked.
        model: Who answers.
        search: From what is searched for, and identifiers of documents, to hits.
        settings: The budgets and the counter.
        context: What the model reads, once it is known.
        answer: What has come.
        cited: The citations that have come.
        usage: Tokens of the prompt and of the answer, at the end; of the prompt none where the model was not asked.
        error: Why it failed.
    """

    name: str
    inquiry: Inquiry
    model: LanguageModel
    search: Callable[[str, Sequence[str]], list[dict[str, Any]]]
    settings: Settings
    context: Context | None = None
    answer: str = ""
    cited: list[Cited] = field(default_factory=list)
    usage: tuple[int, int] = (0, 0)
    error: KontextwerkError | None = None

    def events(self, stopped: Flag) -> Iterator[Event]:
        """Yield what happens; no error of ours is raised: the last event says what failed, and `error` holds it."""
        try:
            yield from self._events(stopped)
        except KontextwerkError as error:
            self.error = error
            yield Failed(self.name, str(error))

    def _events(self, stopped: Flag) -> Iterator[Event]:
        asked, settings, count = self.inquiry, self.settings, counter(self.settings.counter)
        query = searched_for(asked.question, asked.turns, asked.language, self.model, stopped)
        budget = Budget(settings.window, settings.answer_tokens, context=settings.chat_tokens)
        sight = Sight(asked.question, query, asked.turns, asked.language)
        self.context, kept, room = sight.context(self.search(query, asked.documents), budget, count)
        yield Sources(query, self.context)
        prompt = sight.prompt(self.model, self.context, kept, min(room, asked.answer_tokens or room))
        for piece, events in spoken(self.model, prompt, self.context, stopped):
            self.answer += piece
            self.cited += [event for event in events if isinstance(event, Cited)]
            yield from events
        read = count(prompt.instructions) + sum(count(message.text) for message in prompt.messages) if prompt else 0
        self.usage = read, count(self.answer)
        yield Done(self.name, self.answer, stopped.is_set())
