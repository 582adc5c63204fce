"""Hits of any origin: into chunks, and straight into a context.

Qdrant's REST JSON, `ScoredPoint` of `qdrant_client` and `qdrant_edge`, and plain dicts are hits. A hit has a payload
with the text and what is known of its document; which payload field holds what is a setting, so that a collection
somebody else filled can be read. A hit that is not as it should be becomes a chunk all the same, with its
fault named: nothing is dropped here. It leaves out which chunks enter a context: see `context`.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial

from kontextwerk.context.assemble import assemble as assemble_chunks
from kontextwerk.context.context import Context
from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Chunk, Counter, Language, Span
from kontextwerk.context.options import Options
from kontextwerk.counters import DEFAULT
from kontextwerk.counters import counter as resolve


@dataclass(frozen=True, slots=True)
class Fields:
    """Which payload field holds what; a dotted name reaches into a nested payload, such as `metadata.source`.

    Attributes:
        text: The chunk's wording.
        title: The document's title.
        document_id: The document's identifier.
        path: Where the document lies.
        link: An address at which it can be opened.
        section: The headings above the chunk, a list or one text.
        page_first: The first page, from 1.
        page_last: The last page.
        page_label_first: What the first page is called on paper, such as "iv".
        page_label_last: What the last page is called.
        start: Where the chunk begins in the document's text, in characters.
        end: Where it ends.
    """

    text: str = "content"
    title: str = "document_title"
    document_id: str = "document_id"
    path: str = "path"
    link: str = "url"
    section: str = "section"
    page_first: str = "page_first"
    page_last: str = "page_last"
    page_label_first: str = "page_label_first"
    page_label_last: str = "page_label_last"
    start: str = "start"
    end: str = "end"


FIELDS = Fields()
_SURROGATE = re.compile("[\ud800-\udfff]")


def assemble(  # noqa: PLR0913  the public function: each argument is one choice
    hits: Iterable[object],
    max_tokens: int = 3000,
    *,
    question: str | None = None,
    counter: str | Counter = DEFAULT,
    language: Language = "de",
    fields: Fields = FIELDS,
    options: Options = Options(),
) -> Context:
    """Make from hits the context that holds the best evidence within a budget.

    Args:
        hits: What a vector search returned; see `to_chunks`.
        max_tokens: The most tokens that the context may have, headers, separators and marks of cuts counted.
        question: What the context is to answer; where not all fits, the sentences that answer it enter.
        counter: The counter of tokens, by name (see `kontextwerk.counters`) or as a callable.
        language: The language of labels, and whose sentences the chunks hold.
        fields: Which payload field holds what.
        options: What else is asked of it: labels, a lowest score, closeness of meaning.

    Raises:
        InputError: A negative budget, an unknown counter or language, or hits that are no list.

    >>> hit = {"id": 1, "score": 0.9, "payload": {"content": "Im Erstgespräch.", "document_title": "Handbuch.pdf"}}
    >>> print(assemble([hit]).text)
    [Quelle 1: Handbuch.pdf]
    Im Erstgespräch.
    """
    chunks = to_chunks(hits, fields)
    return assemble_chunks(chunks, max_tokens, resolve(counter), question=question, language=language, options=options)


def to_chunks(hits: Iterable[object], fields: Fields = FIELDS) -> tuple[Chunk, ...]:
    """Make a chunk of each hit, in order.

    Args:
        hits: Mappings or objects with `id`, `score` and `payload` (a mapping without `payload` is taken as its own
            payload), pairs of such a hit and its score, or the body of a Qdrant answer (`{"result": …}`).
        fields: Which payload field holds what.

    Returns:
        One chunk a hit. Only text counts as text: a content that is a number, a list or missing makes an empty chunk
        with a fault. A score that is missing or no finite number is None.

    Raises:
        InputError: The hits are no list.
    """
    nested = any("." in name for name in astuple(fields))
    return tuple(_chunk(hit, fields, nested=nested) for hit in _listed(hits))


def _listed(hits: object) -> Iterable[object]:
    """Return the list in whatever a Qdrant answer wraps around it."""
    while isinstance(hits, Mapping):
        inner = next((hits[key] for key in ("result", "points", "hits") if key in hits), None)
        if inner is None:
            raise InputError("hits", "are one mapping, no list", 'Pass a list, or an object with "result" or "points"')
        hits = inner
    hits = getattr(hits, "points", hits)  # qdrant_client.query_points answers with an object
    if isinstance(hits, (str, bytes)) or not isinstance(hits, Iterable):
        raise InputError("hits", f"are of type {type(hits).__name__}", "Pass a list of hits")
    return hits


def _chunk(hit: object, fields: Fields, *, nested: bool) -> Chunk:
    if isinstance(hit, tuple) and len(hit) == 2:  # noqa: PLR2004  (hit, score), as some libraries return them
        hit = {"payload": hit[0], "score": hit[1]}
    payload = _field(hit, "payload")
    if payload is None and isinstance(hit, Mapping) and "payload" not in hit:
        payload = hit
    # Nearly every payload is a dict with fields of its own: the general way takes ten times as long.
    get = payload.get if type(payload) is dict and not nested else partial(_reach, payload)
    text, text_fault = _text(payload, get(fields.text), fields.text)
    score, score_fault = _score(_field(hit, "score"))
    return Chunk(
        text=text,
        title=_line(get(fields.title)),
        score=score,
        id=_line(_field(hit, "id")),
        document_id=_line(get(fields.document_id)),
        path=_line(get(fields.path)),
        link=_line(get(fields.link)),
        section=_section(get(fields.section)),
        pages=_span(get(fields.page_first), get(fields.page_last), least=1, longer=0),
        page_labels=_labels(get(fields.page_label_first), get(fields.page_label_last)),
        span=_span(get(fields.start), get(fields.end), least=0, longer=1),
        fault="; ".join(filter(None, (text_fault, score_fault))),
    )


def _field(hit: object, name: str) -> object:
    if type(hit) is dict or isinstance(hit, Mapping):
        return hit.get(name)
    return getattr(hit, name, None)


def _reach(payload: object, name: str) -> object:
    """Return a payload's field; a dotted name that is no field itself reaches into nested ones."""
    if not isinstance(payload, Mapping):
        return None
    if name in payload or "." not in name:
        return payload.get(name)
    outer, inner = name.split(".", 1)
    return _reach(payload.get(outer), inner)


def _text(payload: object, value: object, name: str) -> tuple[str, str]:
    if isinstance(value, str):
        return _encodable(value), ""
    if payload is None:
        return "", "no payload"
    return "", f"{name} is missing" if value is None else f"{name} is of type {type(value).__name__}, no text"


def _score(value: object) -> tuple[float | None, str]:
    if value is None:
        return None, ""
    if type(value) is float and math.isfinite(value):
        return value, ""
    try:
        score = float(str(value))  # also NumPy's and Decimal's numbers, and numbers as text
    except ValueError:
        return None, f"invalid score {str(value)[:20]!r}"
    return (score, "") if math.isfinite(score) else (None, f"invalid score {score}")


def _line(value: object) -> str:
    return "" if value is None else _encodable(str(value))


def _section(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if value is None or not isinstance(value, Sequence):
        return ()
    return tuple(_line(part) for part in value if part)


def _span(first: object, last: object, *, least: int, longer: int) -> Span | None:
    """Return both ends where they are whole numbers in order; a missing last one is the first."""
    last = first if last is None and not longer else last
    if type(first) is not int or type(last) is not int or first < least or last < first + longer:
        return None
    return first, last


def _labels(first: object, last: object) -> tuple[str, str] | None:
    """Return both labels where they are text or numbers; a missing last one is the first."""
    if first is None:
        return None
    names = [_line(label) if isinstance(label, (str, int)) else "" for label in (first, last)]
    return (names[0], names[1] or names[0]) if names[0] else None


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no encoding can carry, by the replacement character."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text
