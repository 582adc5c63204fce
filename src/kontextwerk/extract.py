"""The answer without a language model: the sentences that answer the question, quoted, each with its citation.

`Extract` stands where a language model stands. It finds the sentences as the core's focus does and quotes the best
ones; where the sources hold too few of the question's words, it says that they do not answer it. Nothing is invented.
It leaves out what takes understanding: an answer in other words than the question's, or one put together from two
places.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kontextwerk.context.context import Context
from kontextwerk.context.focus import weigh
from kontextwerk.context.labels import ELISION, LABELS
from kontextwerk.context.model import Chunk, Language, Similarity, Span
from kontextwerk.context.neighbours import Part, Region
from kontextwerk.context.reading import read
from kontextwerk.context.selection import Candidate
from kontextwerk.context.sentences import announces, sentences
from kontextwerk.prompt import NOT_IN_SOURCES, Prompt

QUOTES = 3
"""The most sentences that are quoted."""
RUNNER_UP = 0.05
"""The least weight of a further quotation, as a share of the best one's."""
COVERED = 0.45
"""The share of the question, rare words counting more, that a sentence and its surroundings hold where it surely
answers."""
OUTSTANDING, TIMES = 0.11, 5
"""The weight at which a sentence answers though it holds few of the question's words: this share of all, and so many
times that of an average sentence. Set on the example library's questions: see `docs/explanation/focus.md`."""

ALONE = 0.95
"""The weight that is enough where there are too few sentences to stand out among."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence that answers.

    Attributes:
        text: The wording, on one line.
        number: The source in which it stands.
        weight: How much it contributes, as a share of all sentences, 0 to 1.
        covered: The share of the question that it and its surroundings hold, 0 to 1.
    """

    text: str
    number: int
    weight: float
    covered: float


@dataclass(frozen=True, slots=True)
class Extract:
    """A `LanguageModel` that quotes.

    Attributes:
        similarity: How close sentences are to the question in meaning; None to go by words alone.
        quotes: The most sentences that it quotes.
    """

    similarity: Similarity | None = None
    quotes: int = QUOTES

    @property
    def name(self) -> str:
        """What it is called in settings and messages."""
        return "extract"

    def stream(self, prompt: Prompt) -> Iterator[str]:
        """Yield the quotations one by one, or the sentence that says there are none."""
        context = prompt.context
        language: Language = context.language if context else "de"
        found = quotations(prompt.question, context, self.similarity) if context else ()
        if not found or not _answers(found):
            yield NOT_IN_SOURCES[language]
            return
        best = found[: self.quotes]
        label, separator = LABELS[language].source, ""
        for quotation in best:
            if quotation.weight >= RUNNER_UP * best[0].weight:
                yield f"{separator}{_quoted(quotation.text, language)} [{label} {quotation.number}]"
                separator = "\n\n"


def quotations(question: str, context: Context, similarity: Similarity | None = None) -> tuple[Quotation, ...]:
    """Weigh the sentences of a context as answers to a question.

    Args:
        question: In the person's words.
        context: What was found for it.
        similarity: How close sentences are to the question in meaning; None to go by words alone.

    Returns:
        The sentences, those that answer best first; headings, questions and marks of cuts left out.
    """
    regions = [_region(rank, passage.title, passage.text) for rank, passage in enumerate(context.passages)]
    spans = [_whole_sentences(region.text, context.language) for region in regions]
    reading = read(regions, spans, question)
    found = [
        Quotation(_one_line(sentence.text), context.passages[index].number, weight, reading.around(index, place))
        for index, row in enumerate(weigh(reading, similarity))
        for place, (weight, sentence) in enumerate(zip(row, reading.sentences[index], strict=True))
        if not announces(sentence.text) and not sentence.text.rstrip().endswith("?")
    ]
    return tuple(sorted(found, key=lambda quotation: -quotation.weight))


def _answers(found: Sequence[Quotation]) -> bool:
    """Say whether the best quotation answers: it covers the question, or it stands out among all sentences."""
    best = found[0]
    return best.covered >= COVERED or best.weight >= max(OUTSTANDING, min(TIMES / len(found), ALONE))


def _region(rank: int, title: str, text: str) -> Region:
    candidate = Candidate(text, Chunk(text, title), rank, rank)
    return Region(text, (Part(candidate, (0, len(text))),))


def _whole_sentences(text: str, language: Language) -> list[Span]:
    """Return the sentences, marks of cuts taken off their ends."""
    found: list[Span] = []
    start = 0
    for piece in [*re.finditer(re.escape(ELISION), text), None]:
        end = piece.start() if piece else len(text)
        found += [(start + first, start + last) for first, last in sentences(text[start:end], language)]
        start = piece.end() if piece else end
    return found


def _one_line(sentence: str) -> str:
    """Fold white space, and drop the sign of a list item."""
    return re.sub(r"^[-*+•‣◦▪–]\s+", "", " ".join(sentence.split()))


def _quoted(text: str, language: Language) -> str:
    return f"„{text}“" if language == "de" else f"“{text}”"
