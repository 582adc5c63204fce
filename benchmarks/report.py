"""The report on evidence and speed, as one Markdown file with a figure, from one run.

    make bench DATA=DIR                   evidence and speed, ours, simple ways and peers
    python benchmarks/report.py DIR --only evidence --sets xquad-de

DIR holds a folder for each set of questions: `chunks.jsonl` with one chunk a line as Qdrant gives it, `questions.jsonl`
with `question`, `evidence` (a list of texts) and `hits` (pairs of a chunk's id and its score, best first).
"""

import argparse
import inspect
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from evidence import BUDGETS, Question, Score, interval, measured, questions, sets, texts
from peers import PACKAGES, PEERS
from plot import OURS, draw
from simple import Hit, Way, cut, loop, whole, words
from speed import BUDGET, PATIENCE, SIZES, cost, hits

from kontextwerk import Options, Similarity, assemble
from kontextwerk.context.words import language_of
from kontextwerk.index import make_embedder, similarity
from kontextwerk.settings import Settings

Results = Mapping[str, Mapping[int, Score]]
"""The scores of each column at each budget."""
WITH, WITHOUT, MEANING = f"{OURS}, question", f"{OURS}, no question", f"{OURS}, question and embedder"
SMALL = 100
"""Sets with fewer questions are compared question by question."""


def main() -> int:
    """Run what is asked for and write the report."""
    parser = argparse.ArgumentParser(description="Measure evidence and speed.")
    parser.add_argument("data", type=Path, help="the folder with the sets of questions")
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks"), help="where the report is written")
    parser.add_argument("--sets", nargs="*", help="only these sets")
    parser.add_argument("--only", choices=("evidence", "speed"))
    arguments = parser.parse_args()
    folders = {name: folder for name, folder in sets(arguments.data).items() if name in (arguments.sets or [name])}
    if not folders:
        sys.stderr.write(f"{arguments.data}: holds no set of questions. Name a folder with */questions.jsonl\n")
        return 1
    arguments.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    lines = list(_head())
    if arguments.only != "speed":
        lines += _evidence(folders, arguments.out)
    if arguments.only != "evidence":
        lines += _speed([text for folder in folders.values() for text in texts(folder)])
    lines += ["", f"The run took {(time.monotonic() - start) / 60:.0f} minutes.", ""]
    (arguments.out / "report.md").write_text("\n".join(lines), encoding="utf-8")
    return 0


def ours(*, asked: bool, meaning: Similarity | None = None) -> Way:
    """Return our own way, with or without the question."""

    def way(found: Sequence[Hit], question: str, budget: int) -> str:
        options = Options(similarity=meaning)
        language = language_of(question)
        return assemble(found, budget, question=question if asked else None, language=language, options=options).text

    return way


def _head() -> Iterator[str]:
    yield "# Evidence and speed"
    yield ""
    yield "Written by `make bench DATA=DIR`; every figure is from one run."
    yield ""
    yield f"Kontextwerk {version('kontextwerk')}; " + ", ".join(f"{name} {version(name)}" for name in PACKAGES) + ";"
    yield f"Python {platform.python_version()}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}."
    yield ""


def _evidence(folders: Mapping[str, Path], out: Path) -> Iterator[str]:
    meaning = similarity(make_embedder(Settings()))
    ways: dict[str, tuple[Way, ...]] = {
        WITH: (ours(asked=True),),
        WITHOUT: (ours(asked=False),),
        MEANING: (ours(asked=True, meaning=meaning),),
        **{way.__name__: (way,) for way in (loop, whole, cut, words)},
        **PEERS,
    }
    yield "## Evidence"
    yield ""
    yield "The share of questions whose evidence stands in the context, word for word and within the budget, counted by"
    yield "`o200k_base`. All columns get the same hits. A context over the budget counts as a failure; `(n)` says how"
    yield "many there were. The factors of our choice were fitted on these questions: `docs/explanation/focus.md` says"
    yield "how, and what they reach on questions that they were not fitted on."
    yield ""
    yield "![Share of questions with their evidence, over budgets](evidence.svg)"
    results: dict[str, Results] = {}
    for name, folder in folders.items():
        asked = questions(folder)
        print(name)
        results[name] = measured(ways, asked, print)
        yield from _table(name, asked, results[name])
    draw(results, out / "evidence.svg")
    yield from _legend()


def _table(name: str, asked: Sequence[Question], results: Results) -> Iterator[str]:
    yield ""
    yield f"### {name}: {len(asked)} questions"
    yield ""
    yield "| | " + " | ".join(map(str, BUDGETS)) + " |"
    yield "| --- |" + " ---: |" * len(BUDGETS)
    for column, scores in results.items():
        cells = [f"{_share(score.share)}{f' ({score.over})' if score.over else ''}" for score in scores.values()]
        yield f"| {f'**{column}**' if column.startswith(OURS) else column} | " + " | ".join(cells) + " |"
    for half, word in enumerate(("first, third, … question", "second, fourth, … question")):
        shares = [_share(sum(score.held[half::2]) / len(score.held[half::2])) for score in results[WITH].values()]
        yield f"| {WITH}, {word} | " + " | ".join(shares) + " |"
    if len(asked) < SMALL:
        yield from _pairs(results)


def _pairs(results: Results) -> Iterator[str]:
    """Compare ours with the best of the other columns, question by question."""
    others = {column: scores for column, scores in results.items() if not column.startswith(OURS)}
    yield ""
    yield f"“{WITH}” beside the best other column, question by question; the interval is that of the difference (95 %)."
    yield ""
    yield "| budget | best other | difference | interval | won | lost |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: |"
    for budget in BUDGETS:
        name = max(others, key=lambda column: others[column][budget].share)
        mine, other = results[WITH][budget], others[name][budget]
        low, high = interval(mine, other)
        won, lost = (
            sum(one and not two for one, two in zip(first.held, second.held, strict=True))
            for first, second in ((mine, other), (other, mine))
        )
        difference = mine.share - other.share
        yield f"| {budget} | {name} | {difference:+.3f} | {low:+.3f} to {high:+.3f} | {won} | {lost} |"


def _legend() -> Iterator[str]:
    yield ""
    yield "### What each column does"
    yield ""
    yield f"- **{WITH}**: `assemble(hits, budget, question=…)`, no model call; **{WITHOUT}**: the same without the"
    yield f"  question; **{MEANING}**: with `Options(similarity=…)` of the default embedder. One setting throughout."
    for way in (loop, whole, cut, words):
        yield f"- {way.__name__}: {_sentence(way)}"
    for name, own in PEERS.items():
        yield f"- {name}: " + " Or: ".join(map(_sentence, own))


def _sentence(way: Way) -> str:
    return " ".join((inspect.getdoc(way) or "").split())


def _speed(pool: Sequence[str]) -> Iterator[str]:
    ways: dict[str, Way] = {
        WITHOUT: ours(asked=False),
        WITH: ours(asked=True),
        "loop": loop,
        "whole": whole,
        **{name: own[0] for name, own in PEERS.items()},
    }
    yield ""
    yield "## Speed"
    yield ""
    yield f"Assembling {BUDGET} tokens from so many hits: the median time, in brackets as a multiple of the time in"
    yield "which the same run counts the text of all hits once, and the peak of Python's memory beside the hits"
    yield f"(`tracemalloc`). `loop` and `Haystack` estimate; the others count exactly. What takes more than {PATIENCE}"
    yield "seconds is not tried with more hits."
    yield ""
    yield "| | " + " | ".join(f"{size:,} hits" for size in SIZES) + " |"
    yield "| --- |" + " ---: |" * len(SIZES)
    found = {size: hits(pool, size) for size in SIZES}
    for name, way in ways.items():
        cells = []
        for size in SIZES:
            spent = cost(way, found[size])
            print(name, size, spent)
            cells.append(f"{spent.seconds * 1000:,.1f} ms ({spent.times:.1f}×), {spent.megabytes:.1f} MB")
            if spent.seconds > PATIENCE:
                break
        cells += ["–"] * (len(SIZES) - len(cells))
        yield f"| {name} | " + " | ".join(cells) + " |"


def _share(share: float) -> str:
    return f"{share:.3f}".removeprefix("0") if share < 1 else "1.000"


if __name__ == "__main__":
    sys.exit(main())
