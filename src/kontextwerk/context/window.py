"""A model's window, split between instructions, history, context and answer.

What one part leaves is given to the next, in this order: the instructions and the question take what they need; the
history takes its newest whole turns; the context may have the rest but for the answer's reserve; what it leaves in turn
is the answer's. It leaves out how a prompt is put together: see `kontextwerk.chat`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kontextwerk.context.budget import check_tokens
from kontextwerk.context.errors import BudgetError
from kontextwerk.context.model import Counter

PER_MESSAGE = 5
"""Tokens around a message: its beginning, its role, its end and line breaks, as the chat templates of Qwen and Llama 3
have them; OpenAI's have three."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation, and its answer.

    Attributes:
        question: In the person's words.
        answer: What was answered.
    """

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Share:
    """What each part of a window gets.

    Attributes:
        window: All tokens.
        fixed: Tokens of the instructions and the question.
        turns: The turns of the history that go into the prompt, oldest first.
        history: Their tokens.
        context: The most tokens that the context may have.
    """

    window: int
    fixed: int
    turns: tuple[Turn, ...]
    history: int
    context: int

    def answer(self, context_tokens: int) -> int:
        """Return the most tokens that the answer may have beside a context of so many."""
        return self.window - self.fixed - self.history - context_tokens


@dataclass(frozen=True, slots=True)
class Budget:
    """How a model's window is to be split. All figures are tokens.

    Attributes:
        window: What the model reads and writes in one request.
        answer: The least that is kept free for the answer.
        history: The most for earlier turns; None for half of what instructions, question and answer leave.
        context: The most for the context; None for all that is left.
        per_message: What a model adds around each message.

    Raises:
        InputError: A figure is negative or no whole number.
        BudgetError: The answer's reserve takes the whole window.
    """

    window: int
    answer: int = 1000
    history: int | None = None
    context: int | None = None
    per_message: int = field(default=PER_MESSAGE, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what leaves no room at all."""
        for name in ("window", "answer", "history", "context", "per_message"):
            if (value := getattr(self, name)) is not None:
                check_tokens(name, value)
        if self.answer >= self.window:
            raise BudgetError(
                f"a window of {self.window} tokens",
                f"is taken up by the {self.answer} reserved for the answer",
                "Reserve fewer, or use a model with a larger window",
            )

    def split(
        self, counter: Counter, *, instructions: str = "", question: str = "", turns: Sequence[Turn] = ()
    ) -> Share:
        """Give each part its share.

        Args:
            counter: From text to its number of tokens.
            instructions: The system prompt, and whatever else stands in the prompt as it is.
            question: What is asked.
            turns: The conversation so far, oldest first.

        Returns:
            The newest turns that fit, each whole, none left out between them; and what is left for the context. Where
            the history's own part is too small for the newest turn, there is no history.

        Raises:
            BudgetError: Instructions, question and the answer's reserve leave nothing for the context.

        >>> budget = Budget(window=2000, answer=500)
        >>> share = budget.split(len, instructions="Antworte knapp.", question="Warum?", turns=[Turn("Was?", "Das.")])
        >>> share.history, share.context, share.answer(share.context)
        (18, 1446, 500)
        """
        # Three messages: the answer is opened by the prompt, too.
        fixed = counter(instructions) + counter(question) + 3 * self.per_message
        left = self.window - self.answer - fixed
        if left <= 0:
            raise BudgetError(
                f"a window of {self.window} tokens",
                f"leaves nothing for the context: {fixed} are taken by instructions and question, {self.answer} are "
                "reserved for the answer",
                "Shorten them, reserve fewer, or use a model with a larger window",
            )
        most = left // 2 if self.history is None else min(self.history, left - 1)
        kept, tokens = self._newest(turns, most, counter)
        left -= tokens
        return Share(self.window, fixed, kept, tokens, left if self.context is None else min(self.context, left))

    def _newest(self, turns: Sequence[Turn], most: int, counter: Counter) -> tuple[tuple[Turn, ...], int]:
        """Return the newest turns within so many tokens, and their tokens."""
        tokens = 0
        for count, turn in enumerate(reversed(turns)):
            cost = counter(turn.question) + counter(turn.answer) + 2 * self.per_message
            if tokens + cost > most:
                return tuple(turns[len(turns) - count :]), tokens
            tokens += cost
        return tuple(turns), tokens
