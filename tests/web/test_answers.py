"""An answer as HTML: what is marked, what is linked, and what never becomes markup."""

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from kontextwerk import assemble
from kontextwerk.context.checking import check
from kontextwerk.context.claiming import claims
from kontextwerk.context.model import Source
from kontextwerk.web.answers import excerpt, render

TEXT = "Die Frist beträgt zwei Wochen. Sie beginnt mit der Zustellung. Danach verfällt der Anspruch."
CONTEXT = assemble([{"score": 0.9, "payload": {"content": TEXT, "document_title": "Satzung.pdf", "page_first": 3}}])
SOURCES: dict[int, Source] = {source.number: source for source in CONTEXT.sources}


def shown(answer: str, language: str = "de") -> str:
    """Return an answer's HTML, checked against the one source."""
    checks = check(claims(answer), {1: TEXT})
    return str(render(answer, "t", SOURCES, checks, "en" if language == "en" else "de").html)


def words(html: str) -> str:
    """Return what a reader reads of it."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def test_citations_become_chips() -> None:
    """A known number links to its source and says what it is; an unknown one is marked and links nowhere."""
    html = shown("Die Frist beträgt zwei Wochen [Quelle 1, 7].")
    assert '<a class="chip" href="#s-t-1"' in html
    assert 'aria-label="Quelle 1: Satzung.pdf, S. 3"' in html
    assert "Eine Quelle 7 gibt es nicht." in html
    assert html.count("href=") == 1


def test_unsupported_sentences_are_underlined_with_the_reason() -> None:
    """The sentence whose figure differs is marked as a whole, through its emphasis; the other one is not."""
    html = shown("- Die Frist beträgt **vier** Wochen [1].\n- Sie beginnt mit der Zustellung [1].")
    marked = re.findall(r'<span class="claim unsupported"[^>]*>(.*?)</span>', html)
    assert " ".join("".join(marked).split()) == "Die Frist beträgt vier Wochen ."
    assert "<li>" in html
    assert "<strong>" in html
    assert "Die Zahl weicht ab" in html
    assert "Sie beginnt" not in "".join(marked)


def test_a_sentence_that_cites_nothing_shows_where_it_stands() -> None:
    """The source that the check found is offered, told apart from those that the model cites."""
    html = shown("Die Frist beträgt zwei Wochen. Das Wetter wird gut.")
    assert html.count('class="chip found"') == 1
    assert "Nicht zitiert, gefunden in Quelle 1" in html
    assert words(html) == "Die Frist beträgt zwei Wochen.1 Das Wetter wird gut."


def test_nothing_of_an_answer_becomes_active() -> None:
    """HTML is text, images are not loaded, and only addresses of the web and of mail are links."""
    html = shown(
        "<img src=x onerror=alert(1)> ![x](https://evil.example/x.png) [a](javascript:alert(1)) "
        "[b](data:text/html,x) [c](https://example.org) <script>x</script>\n\n<div onclick=x>y</div>"
    )
    tags = set(re.findall(r"<(\w+)", html))
    assert tags <= {"p", "a", "span"}
    assert set(re.findall(r'href="([^"]*)"', html)) == {"https://evil.example/x.png", "https://example.org"}


def test_an_excerpt_shows_the_evidence_and_what_is_around_it() -> None:
    """Evidence is marked; a document's own markup is text."""
    html = str(excerpt("<b>Vorher.</b> Die Frist beträgt zwei Wochen. Nachher.", [(15, 45)]))
    assert "&lt;b&gt;" in html
    assert "<mark>Die Frist beträgt zwei Wochen.</mark>" in html


MARKUP = ("[Quelle 1]", "[9]", "Die Frist beträgt vier Wochen.", "**", "`", "\n\n", "- ", "| a | b |\n", "# ", "> ")
HOSTILE = ("<b>", "&amp;", "[x](y)", "\ue000", "\ue0010\ue002", "\ud800", "\0", "```\n", "„Ja“", " ")
PIECES = st.lists(st.sampled_from((*MARKUP, *HOSTILE)), max_size=12).map("".join)


@given(PIECES | st.text(max_size=60))
def test_any_answer_is_well_formed(answer: str) -> None:
    """Whatever a model writes: tags are closed in order, chips are ours, and no character of the marks is left."""
    html = shown(answer)
    stack: list[str] = []
    for closing, name, attributes in re.findall(r"<(/?)(\w+)((?:[^<>\"]|\"[^\"]*\")*)>", html):
        if closing:
            assert stack.pop() == name
        elif name not in {"br", "hr"} and not attributes.endswith("/"):
            stack.append(name)
        assert name not in {"script", "img", "iframe", "style", "b"}
    assert stack == []
    assert not re.search("[\ue000-\ue002]", html)
    html.encode()
