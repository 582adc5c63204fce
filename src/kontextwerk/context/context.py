"""The finished context, which explains itself.

It leaves out how it is made: see `assemble`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from kontextwerk.context.explaining import table
from kontextwerk.context.model import Decision, FormatName, Language, Passage, Source


@dataclass(frozen=True, slots=True)
class Context:
    """What the language model reads, and what a person can check.

    Attributes:
        text: The context, ready for a prompt.
        passages: What stands in it, in order; `parse(text)` gives the same.
        sources: One entry for each source number, in order.
        decisions: One for each hit, in the order of the hits.
        tokens: `counter(text)`.
        max_tokens: The budget.
        language: The language of its labels.
        format: How its passages are written.
        earlier: The sources of the conversation's earlier turns that do not stand in this one: their numbers are taken.
    """

    text: str
    passages: tuple[Passage, ...]
    sources: tuple[Source, ...]
    decisions: tuple[Decision, ...]
    tokens: int
    max_tokens: int
    language: Language
    format: FormatName = "text"
    earlier: tuple[Source, ...] = ()

    def explain(self) -> str:
        """Return what became of each hit, as a table in plain text, and the context's size below it."""
        return table(
            self.decisions, len(self.sources), tokens=self.tokens, max_tokens=self.max_tokens, language=self.language
        )

    def to_html(self) -> str:
        """Return it as an HTML page of its own: the budget as a bar, sources with texts, what was left out and why.

        It holds no script and asks for nothing from elsewhere; what documents hold is shown as text.
        """
        from kontextwerk.context.page import page  # which is made of contexts

        return page(self)

    def _repr_html_(self) -> str:
        """Return the same to stand in a notebook, with a style that leaves the notebook's own alone."""
        from kontextwerk.context.page import fragment

        return fragment(self)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data that any JSON writer takes."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the context that `to_dict` was called on, also where JSON has made lists of its tuples.

        Raises:
            KeyError, TypeError: It is no such data.
        """
        return cls(
            **{
                **data,
                "passages": tuple(Passage(**one) for one in data["passages"]),
                "sources": _sources(data["sources"]),
                "decisions": tuple(Decision(**one) for one in data["decisions"]),
                "earlier": _sources(data.get("earlier", ())),
            }
        )


def _sources(rows: Iterable[Mapping[str, Any]]) -> tuple[Source, ...]:
    return tuple(Source(**{name: _tupled(value) for name, value in row.items()}) for row in rows)


def _tupled(value: Any) -> Any:  # noqa: ANN401  any value of a source
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
