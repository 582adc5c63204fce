"""What the tests of conversations share: models that say what they are told to, a search that finds what is given."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import Any

from kontextwerk.prompt import Prompt

Step = str | Exception | Flag
"""What a model does next: say something, fail, or be silent until a flag is set."""


@dataclass
class Speaker:
    """A language model that follows scripts, one a prompt; the last one is used again.

    Attributes:
        scripts: What it does, prompt by prompt.
        rewriting: What it does where it is asked to make a question stand by itself.
        name: What it is called.
        prompts: What it was asked to answer.
        rewrites: What it was asked to rewrite.
    """

    scripts: Sequence[Iterable[Step]]
    rewriting: Iterable[Step] = ("Was ist gemeint?",)
    name: str = "speaker"
    prompts: list[Prompt] = field(default_factory=list)
    rewrites: list[Prompt] = field(default_factory=list)

    def stream(self, prompt: Prompt) -> Iterator[str]:
        """Follow the next script."""
        if prompt.context is None:
            self.rewrites.append(prompt)
            steps = self.rewriting
        else:
            self.prompts.append(prompt)
            steps = self.scripts[min(len(self.prompts), len(self.scripts)) - 1]
        for step in steps:
            if isinstance(step, Exception):
                raise step
            if isinstance(step, Flag):
                step.wait(20)
            else:
                yield step


@dataclass
class Finder:
    """A search that gives lists of hits, one a question; the last one is given again.

    Attributes:
        lists: The hits, question by question; an error is raised.
        asked: What was searched for, and in which documents.
    """

    lists: Sequence[Sequence[Mapping[str, Any]] | Exception]
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def __call__(self, question: str, document_ids: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Give the next list."""
        self.asked.append((question, tuple(document_ids)))
        found = self.lists[min(len(self.asked), len(self.lists)) - 1]
        if isinstance(found, Exception):
            raise found
        return [dict(hit) for hit in found]


def hit(name: str, content: str, score: float = 0.9, **payload: object) -> dict[str, Any]:
    """Make a hit in Qdrant's shape."""
    known = {"content": content, "document_title": f"{name}.pdf", "document_id": name, "path": f"/b/{name}.pdf"}
    return {"id": name, "score": score, "payload": {**known, **payload}}
