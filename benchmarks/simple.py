"""Simple ways from hits to a context, as they are written by hand; what ours is measured against beside the peers.

Each is a function from hits (best first), a question and a budget in tokens to a text. They leave out everything that
is not in their one sentence.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import sentencex

from kontextwerk import counter

Hit: TypeAlias = Mapping[str, Any]
"""`{"id", "score", "payload": {"content", "document_title", …}}`."""

Way: TypeAlias = Callable[[Sequence[Hit], str, int], str]
"""From hits, a question and a budget to a context."""

COUNT = counter("o200k_base")
SEPARATOR = "\n\n---\n\n"
_WORD = re.compile(r"\w+")


def loop(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Go by the specification's own loop: whole chunks, the last one cut, a token estimated as four characters."""
    del question
    parts: list[str] = []
    tokens = 0
    for number, hit in enumerate(hits, 1):
        block = header(number, hit) + hit["payload"]["content"]
        estimate = len(block) // 4
        if tokens + estimate > budget:
            left = (budget - tokens) * 4
            if left > len(header(number, hit)):
                parts.append(block[:left])
            break
        parts.append(block)
        tokens += estimate
    return SEPARATOR.join(parts)


def whole(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Take whole chunks by score and skip what does not fit, counted exactly."""
    del question
    parts: list[str] = []
    for hit in hits:
        block = header(len(parts) + 1, hit) + hit["payload"]["content"]
        if COUNT(SEPARATOR.join([*parts, block])) <= budget:
            parts.append(block)
    return SEPARATOR.join(parts)


def cut(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Do the same, and cut the first chunk that does not fit between sentences."""
    del question
    parts: list[str] = []
    is_cut = False
    for hit in hits:
        head = header(len(parts) + 1, hit)
        text = hit["payload"]["content"]
        if COUNT(SEPARATOR.join([*parts, head + text])) <= budget:
            parts.append(head + text)
        elif not is_cut:
            kept = ""
            for sentence in sentencex.segment("de", text):
                if COUNT(SEPARATOR.join([*parts, f"{head}{kept}{sentence} […]"])) > budget:
                    break
                kept += sentence
            if kept:
                is_cut = True
                parts.append(f"{head}{kept.rstrip()} […]")
    return SEPARATOR.join(parts)


def words(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Take sentences by the question's words that they hold, rare ones counting more, over all hits."""
    found = [list(sentencex.segment("de", hit["payload"]["content"])) for hit in hits]
    asked = set(_WORD.findall(question.casefold()))
    bags = [[set(_WORD.findall(sentence.casefold())) for sentence in own] for own in found]
    frequency = Counter(word for own in bags for bag in own for word in bag & asked)
    total = sum(map(len, bags))
    places = [(hit, place) for hit, own in enumerate(bags) for place in range(len(own))]

    def value(place: tuple[int, int]) -> float:
        return sum(math.log((total + 1) / frequency[word]) for word in bags[place[0]][place[1]] & asked)

    chosen: set[tuple[int, int]] = set()
    text = ""
    for place in sorted(places, key=lambda place: (-value(place), place)):
        tried = _written(hits, found, chosen | {place})
        if COUNT(tried) <= budget:
            chosen.add(place)
            text = tried
        elif COUNT(text) > budget * 0.95:
            break
    return text


def _written(hits: Sequence[Hit], found: Sequence[Sequence[str]], chosen: set[tuple[int, int]]) -> str:
    parts: list[str] = []
    for index in sorted({hit for hit, _ in chosen}):
        places = sorted(place for hit, place in chosen if hit == index)
        text = ""
        for before, place in zip([-1, *places], places, strict=False):
            text += ("" if place == before + 1 else " […] " if text else "[…] ") + found[index][place]
        parts.append(header(len(parts) + 1, hits[index]) + text.strip())
    return SEPARATOR.join(parts)


def header(number: int, hit: Hit) -> str:
    """Return the specification's header."""
    return f"[Quelle {number}: {hit['payload'].get('document_title') or 'Unbekannt'}]\n"
