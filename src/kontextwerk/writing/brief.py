"""What is to be written: the briefing, and every choice that goes with it.

It leaves out what a content type is: see `content_types`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Self, TypeAlias, get_args

from kontextwerk.context.errors import InputError
from kontextwerk.context.labels import LABELS
from kontextwerk.context.model import Language

CitationStyle: TypeAlias = Literal["inline", "footnotes", "list", "none"]
"""How a finished text cites: `[Quelle 1]` in the text, footnotes, only a list at its end, or not at all. What was
cited is recorded in any case."""
BRIEFING_CHARS = 20_000
"""The longest briefing."""
LINE_CHARS = 500
"""The longest audience and tone."""
VOICE_CHARS = 20_000
"""The longest voice."""
MOST_WORDS = 20_000
"""The longest text, in words."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What is to be written.

    Attributes:
        briefing: What the text is about, in the author's words.
        content_type: The key of its content type.
        language: The language of the text.
        audience: For whom it is written; may be empty.
        tone: How it sounds; may be empty.
        words: The fewest and the most words; None for those of the content type.
        voice: How the author writes: a description, or samples of texts; may be empty.
        citations: How the finished text cites.
        documents: The identifiers of the documents that it stands on; none for all.

    Raises:
        InputError: An empty briefing, something too long, or a choice that there is not.
    """

    briefing: str
    content_type: str = "blogartikel"
    language: Language = "de"
    audience: str = ""
    tone: str = ""
    words: tuple[int, int] | None = None
    voice: str = ""
    citations: CitationStyle = "inline"
    documents: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if not self.briefing.strip():
            raise InputError("briefing", "is empty", "Say in a sentence or more what the text is about")
        longest = {"briefing": BRIEFING_CHARS, "audience": LINE_CHARS, "tone": LINE_CHARS, "voice": VOICE_CHARS}
        for name, most in longest.items():
            if (length := len(getattr(self, name))) > most:
                raise InputError(name, f"has {length} characters", f"Use {most} at most")
        choices = {"language": tuple(LABELS), "citations": get_args(CitationStyle)}
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise InputError(name, f"{getattr(self, name)!r} is unknown", f"Use one of: {', '.join(known)}")
        if self.words is not None and not 1 <= self.words[0] <= self.words[1] <= MOST_WORDS:
            raise InputError(
                "words", f"{self.words[0]} to {self.words[1]} is no length", f"Use two from 1 to {MOST_WORDS}, in order"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the brief that `to_dict` was called on, also where JSON has made lists of its tuples.

        Raises:
            InputError: It is no such data.
        """
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items() if name in known
        }
        try:
            return cls(**values)
        except TypeError as error:
            raise InputError("brief", f"is no brief as plain data: {error}", "Pass what `to_dict` returned") from error
