"""The chat in a terminal: questions line by line, answers as they arrive, their sources below.

It leaves out how a turn is answered: see `chat`.
"""

from threading import Event as Flag

from rich.console import Console
from rich.markup import escape

from kontextwerk.chat import Chat
from kontextwerk.context.context import Context
from kontextwerk.context.explaining import listed
from kontextwerk.context.model import Language
from kontextwerk.context.telling import reason_text, verdict_text
from kontextwerk.events import Checked, Cited, Done, Event, Failed, Sources, Text
from kontextwerk.library import Library
from kontextwerk.records import StoredTurn, open_records
from kontextwerk.settings import Settings

_PROMPT: dict[Language, str] = {"de": "Frage", "en": "Question"}


def converse(settings: Settings, out: Console, err: Console, conversation: str | None = None) -> None:
    """Ask and answer until an empty line.

    Args:
        settings: The index, the model, budgets.
        out: Where answers go.
        err: Where prompts and failures go.
        conversation: The one to go on with; None to begin one.

    Raises:
        AbsentError: There is no such conversation.
    """
    with open_records(settings) as records, Library(settings) as library:
        chat = Chat(records, library.search, settings)
        begun = records.conversation(conversation) if conversation else records.begin(language=settings.language)
        while question := _read(err, begun.language):
            _answer(chat, chat.ask(begun.id, question), out, err, begun.language)
        if records.turns(begun.id):
            err.print(f"[dim]kontextwerk chat --conversation {begun.id}[/dim]")
        else:
            records.delete(begun.id)


def _read(err: Console, language: Language) -> str:
    try:
        return err.input(f"[bold]{_PROMPT[language]}:[/bold] ").strip()
    except (EOFError, KeyboardInterrupt):
        err.print()
        return ""


def _answer(chat: Chat, turn: StoredTurn, out: Console, err: Console, language: Language) -> None:
    stopped = Flag()
    events = chat.answer(turn, stopped)
    shown = _Shown(out, err, language)
    try:
        for event in events:
            shown.take(event)
    except KeyboardInterrupt:  # the answer ends, and what has come of it is kept
        stopped.set()
        events.close()
    shown.end()


class _Shown:
    """What has been shown of an answer."""

    def __init__(self, out: Console, err: Console, language: Language) -> None:
        self._out, self._err, self._language = out, err, language
        self._context: Context | None = None
        self._cited: set[int] = set()
        self._doubts: list[Checked] = []
        self._answer = ""

    def take(self, event: Event) -> None:
        """Show an event."""
        match event:
            case Sources(context=context):
                self._context = context
            case Text(text=text):
                self._put(text)
            case Cited(text=text, numbers=numbers):
                self._cited.update(numbers)
                self._put(text)
            case Checked(check=check) if check.verdict in {"partly", "unsupported"}:
                self._doubts.append(event)
            case Failed(message=message):
                self._err.print(f"\n[red]kontextwerk:[/red] {escape(message)}")
            case Checked() | Done():
                pass

    def end(self) -> None:
        """Show the sources, and the sentences that they do not hold."""
        self._out.print()
        known = (*self._context.earlier, *self._context.sources) if self._context else ()
        cited = sorted((source for source in known if source.number in self._cited), key=lambda source: source.number)
        for line in listed(cited, self._language):
            self._out.print(f"[dim]{escape(line)}[/dim]")
        for number in sorted(self._cited - {source.number for source in known}):
            self._err.print(f"[yellow]{escape(f'[{number}] ?')}[/yellow]")
        for doubt in self._doubts:
            check = doubt.check
            reasons = " ".join(reason_text(reason, self._language) for reason in check.reasons)
            sentence = " ".join(self._answer[slice(*check.span)].split())
            told = f"{verdict_text(check.verdict, self._language)}: {sentence} – {reasons}"
            self._err.print(f"[yellow]{escape(told)}[/yellow]")
        self._out.print()

    def _put(self, text: str) -> None:
        self._answer += text
        self._out.print(text, end="", markup=False)
