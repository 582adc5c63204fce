"""The share of questions whose evidence stands in the context.

A question counts where every text of its evidence stands in the context uninterrupted, white space folded, and the
context is within the budget. It leaves out whether a model would answer right.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simple import COUNT, Hit, Way

BUDGETS = (100, 200, 300, 500, 1000, 3000)
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the hits of a search for it.

    Attributes:
        text: In a person's words.
        evidence: The texts that must stand in the context.
        hits: Best first.
    """

    text: str
    evidence: tuple[str, ...]
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How a way did at one budget.

    Attributes:
        held: For each question, whether the context holds its evidence and is within the budget.
        over: How many contexts were over the budget.
    """

    held: tuple[bool, ...]
    over: int

    @property
    def share(self) -> float:
        """The share of questions held."""
        return sum(self.held) / max(len(self.held), 1)


def sets(data: Path) -> dict[str, Path]:
    """Return the folders of question sets in a data folder, or in its folder `evidence`, by name."""
    found = sorted(file.parent for file in [*data.glob("*/questions.jsonl"), *data.glob("evidence/*/questions.jsonl")])
    return {folder.name: folder for folder in found}


def questions(folder: Path) -> tuple[Question, ...]:
    """Read the questions of a set."""
    chunks = {chunk["id"]: chunk["payload"] for chunk in _lines(folder / "chunks.jsonl")}
    return tuple(
        Question(
            line["question"],
            tuple(map(_folded, line["evidence"])),
            tuple({"id": name, "score": score, "payload": chunks[name]} for name, score in line["hits"]),
        )
        for line in _lines(folder / "questions.jsonl")
    )


def texts(folder: Path) -> list[str]:
    """Return the wording of every chunk of a set."""
    return [chunk["payload"]["content"] for chunk in _lines(folder / "chunks.jsonl")]


def _lines(file: Path) -> list[Any]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def holds(context: str, evidence: Sequence[str]) -> bool:
    """Say whether every text of the evidence, white space folded, stands in the context."""
    text = _folded(context)
    return all(part in text for part in evidence)


def _folded(text: str) -> str:
    return " ".join(text.split())


def measure(way: Way, asked: Sequence[Question], budget: int) -> Score:
    """Try a way on all questions at one budget."""
    held, over = [], 0
    for question in asked:
        context = way(question.hits, question.text, budget)
        fits = COUNT(context) <= budget
        over += not fits
        held.append(fits and holds(context, question.evidence))
    return Score(tuple(held), over)


def best(scores: Sequence[Score]) -> Score:
    """Return the score with the highest share, the first of equals."""
    return max(scores, key=lambda score: score.share)


def measured(
    ways: Mapping[str, Sequence[Way]], asked: Sequence[Question], told: Callable[[str], None]
) -> dict[str, dict[int, Score]]:
    """Try all ways at all budgets; of several ways of one name the best at each budget counts."""
    found: dict[str, dict[int, Score]] = {}
    for name, own in ways.items():
        found[name] = {budget: best([measure(way, asked, budget) for way in own]) for budget in BUDGETS}
        told(f"{name}: " + " ".join(f"{score.share:.3f}" for score in found[name].values()))
    return found


def interval(ours: Score, other: Score) -> tuple[float, float]:
    """Return the 95 % interval of the difference, questions resampled in pairs (percentile bootstrap, seed 0)."""
    differences = [one - two for one, two in zip(ours.held, other.held, strict=True)]
    drawn = random.Random(0)  # noqa: S311  no secret
    means = sorted(sum(drawn.choices(differences, k=len(differences))) / len(differences) for _ in range(RESAMPLES))
    return means[RESAMPLES // 40], means[-RESAMPLES // 40 - 1]
