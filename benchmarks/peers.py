"""Other libraries' ways from hits to a context within a limit, as their documentation has them, without a model call.

Where a library offers several ways, each is one here, and the report shows the best of them at each budget. All get
the exact counter where they take one. They leave out what a library does before a search and after an answer.
"""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

from simple import COUNT, Hit, Way

TOKENS_A_WORD = 1.5
"""For a limit in words: between English (1.3) and German (1.7) by `o200k_base`."""


def langchain_trimmed(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Call `trim_messages`, a message for each document in the form of the guide to retrieval, the last one in part."""
    from langchain_core.messages import BaseMessage, HumanMessage, trim_messages

    del question
    messages = [HumanMessage(f"Source: {title(hit)}\nContent: {content(hit)}") for hit in hits]

    def joined(found: Sequence[BaseMessage]) -> str:
        return "\n\n".join(str(message.content) for message in found)

    kept = trim_messages(
        messages,
        max_tokens=budget,
        token_counter=lambda found: COUNT(joined(found)),
        strategy="first",
        allow_partial=True,
        text_splitter=_splitter().split_text,
    )
    return joined(kept)


@cache
def _splitter() -> Any:  # noqa: ANN401  untyped where the library is not installed
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(
        separators=["\n\n", "\n", ". "], chunk_size=1, chunk_overlap=0, keep_separator="end", strip_whitespace=False
    )


def llamaindex_compact(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Call `PromptHelper.repack`, as the response mode `compact` does; the first text is what the first call reads."""
    del question
    helper, template, texts = _llamaindex(hits, budget)
    packed = helper.repack(template, texts)
    return str(packed[0]) if packed else ""


def llamaindex_summarize(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Call `PromptHelper.truncate`, as the response mode `simple_summarize` does: an equal share of each text."""
    del question
    helper, template, texts = _llamaindex(hits, budget)
    try:
        return "\n".join(helper.truncate(template, texts))
    except ValueError:  # the share of a text is smaller than its padding
        return ""


def _llamaindex(hits: Sequence[Hit], budget: int) -> tuple[Any, Any, list[str]]:
    from llama_index.core.indices.prompt_helper import PromptHelper
    from llama_index.core.prompts import PromptTemplate
    from llama_index.core.schema import MetadataMode, TextNode

    helper = PromptHelper(context_window=budget, num_output=0, tokenizer=lambda text: [0] * COUNT(text))
    nodes = [TextNode(text=content(hit), metadata={"title": title(hit)}) for hit in hits]
    return helper, PromptTemplate("{context_str}"), [node.get_content(MetadataMode.LLM) for node in nodes]


def haystack_words(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Call `LostInTheMiddleRanker` with a limit in words, then `PromptBuilder`: the guide's way for long contexts."""
    return _haystack(hits, question, budget / TOKENS_A_WORD)


def haystack_careful(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Do the same with room for one document more, as the ranker lets in the one that crosses its limit."""
    size = sum(len(content(hit).split()) for hit in hits) / max(len(hits), 1)
    return _haystack(hits, question, budget / TOKENS_A_WORD - size)


def _haystack(hits: Sequence[Hit], question: str, limit: float) -> str:
    from haystack import Document
    from haystack.components.rankers import LostInTheMiddleRanker

    if limit < 1:
        return ""
    documents = [Document(content=content(hit), meta={"title": title(hit)}) for hit in hits]
    found = LostInTheMiddleRanker(word_count_threshold=int(limit)).run(documents)["documents"]
    return str(_builder().run(documents=found, query=question)["prompt"])


@cache
def _builder() -> Any:  # noqa: ANN401
    from haystack.components.builders import PromptBuilder

    template = "{% for document in documents %}{{ document.meta.title }}\n{{ document.content }}\n{% endfor %}"
    return PromptBuilder(template, required_variables=["documents"])


def astromesh(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Build a window with `ContextEngine`, the policy that it ships as its default and an exact tokenizer."""
    return _astromesh(hits, question, budget, blocks_counted=False)


def astromesh_counted(hits: Sequence[Hit], question: str, budget: int) -> str:
    """Do the same, the tokens of each item given with the tags that are written around it."""
    return _astromesh(hits, question, budget, blocks_counted=True)


class _Exact:
    def count(self, text: str) -> int:
        return COUNT(text)


def _astromesh(hits: Sequence[Hit], question: str, budget: int, *, blocks_counted: bool) -> str:
    from astromesh_context import CallableSource, ContextEngine, ContextItem
    from astromesh_context.render import render_text

    items = [
        ContextItem(
            id=title(hit) or f"document {place}",
            content=content(hit),
            source="search",
            kind="knowledge",
            stability="volatile",
            score=float(len(hits) - place),
        )
        for place, hit in enumerate(hits)
    ]
    # Their identifiers are those of a chunk, and two chunks of a document need two.
    items = [_with_id(item, place) for place, item in enumerate(items)]
    if blocks_counted:
        items = [item.with_tokens(COUNT(render_text([item]) + "\n\n")) for item in items]
    engine = ContextEngine([CallableSource(lambda *_: items, name="search")], budget=budget, tokenizer=_Exact())
    window = asyncio.run(engine.build(question))
    return str(render_text(window.items))


def _with_id(item: Any, place: int) -> Any:  # noqa: ANN401
    from dataclasses import replace

    return replace(item, id=f"{place:02d} {item.id}")


def title(hit: Hit) -> str:
    """Return the document's title."""
    return str(hit["payload"].get("document_title") or "")


def content(hit: Hit) -> str:
    """Return the chunk's wording."""
    return str(hit["payload"]["content"])


PEERS: dict[str, tuple[Way, ...]] = {
    "LangChain": (langchain_trimmed,),
    "LlamaIndex": (llamaindex_compact, llamaindex_summarize),
    "Haystack": (haystack_words, haystack_careful),
    "astromesh-context": (astromesh, astromesh_counted),
}
"""Their ways, by name."""
PACKAGES = ("langchain-core", "langchain-text-splitters", "llama-index-core", "haystack-ai", "astromesh-context")
