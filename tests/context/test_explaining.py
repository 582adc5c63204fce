"""What people read about a context: reasons, places, the budget as a bar, and the page."""

import re
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from kontextwerk import Chunk, Context, Decision, Language, Options, Outcome, assemble
from kontextwerk.context.assemble import assemble as assemble_chunks
from kontextwerk.context.bar import apportion, segments
from kontextwerk.context.explaining import left_out, pages, place, reason, share, standing, summary
from kontextwerk.context.page import escaped, fragment, safe_link
from kontextwerk.context.reasons import in_words, read
from kontextwerk.context.stylesheet import DARK, LIGHT, STYLE
from kontextwerk.context.wording import OUTCOMES
from strategies import budgets, counters, hit_lists, languages, questions

Hits = list[dict[str, Any]]
LANGUAGES: list[Language] = ["de", "en"]
RULE = "Die Auftragsklärung erfolgt im Erstgespräch, und zwar bevor ein Termin für das eigentliche Coaching steht."
MIXED = [
    Chunk(f"{RULE} Sie dauert 60 Minuten.", "Leitfaden.docx", 0.9, document_id="a", span=(0, 130), pages=(3, 4)),
    Chunk("Sie ist kostenfrei.", "Leitfaden.docx", 0.8, document_id="a", span=(131, 150), pages=(4, 4)),
    Chunk(f"{RULE} Sie dauert 60 Minuten.", "Kopie.docx", 0.7, document_id="b"),
    Chunk(
        "Absagen sind frei. Danach kostet es die Hälfte. Wer nicht kommt, zahlt den ganzen Betrag und seinen Platz.",
        "AGB <b>2025</b>.pdf",
        0.6,
        document_id="c",
        pages=(6, 8),
        page_labels=("iv", "vi"),
        link="https://example.org/agb.pdf",
        section=("Verträge", "Absagen"),
        fault="invalid score 'viel'",
    ),
    Chunk("Ein Team hat fünf bis neun Personen, und jede davon hat im Team eine eigene Aufgabe.", "Team.txt", 0.5),
    Chunk("Schwach.", "Rest.txt", 0.1, link="javascript:alert(1)"),
    Chunk("", "Leer.pdf", 0.4, fault="content is missing"),
]
"""Chunks of which one meets with each outcome, given as many tokens as `ROOM`."""
ROOM = 78


def mixed(language: Language) -> Context:
    """Make a context in which every outcome occurs."""
    return assemble_chunks(MIXED, ROOM, len_by_four, language=language, options=Options(min_score=0.2))


def len_by_four(text: str) -> int:
    """Count four characters as a token."""
    return -(-len(text) // 4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_reads_so(language: Language, snapshot: SnapshotAssertion) -> None:
    """Every outcome stands in the table with its reason, all in the reader's language."""
    context = mixed(language)
    assert {decision.outcome for decision in context.decisions} == set(get_args(Outcome))
    assert context.explain() == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_reads_so(language: Language, snapshot: SnapshotAssertion) -> None:
    """The page is this text, its style aside."""
    assert re.sub(r"(?s)<style>.*?</style>", "<style></style>", mixed(language).to_html()) == snapshot


SAID = [
    "Stands whole",
    "Stands in part: the whole did not fit",
    "Stands in the passage of a neighbour, source 2",
    "Was sent in an earlier turn, as source 2",
    "Did not fit beside better text; 12 tokens are left",
    "Not tried: better text fills the budget; 0 tokens are left",
    "Equal to hit 3",
    "Equal to hit 3, which did not fit",
    "To 93% equal to hit 3",
    "To 93% equal to hit 3, which did not fit",
    "Its score 0.1 is below 0.2",
    "Its score 1e-05 is above -0.2; invalid score nan",
    "Has no text",
    "Has no usable text: no payload",
    "Has no usable text: content is missing; invalid score 'viel'",
    "Has no usable text: content is of type int, no text",
    "Stands whole; invalid score 'a; b'",
    "Of another version",
]


def test_reasons_in_german(snapshot: SnapshotAssertion) -> None:
    """Every sentence has a German one that keeps its figures and faults; an unknown one stays as it is."""
    assert {sentence: in_words(sentence, "de") for sentence in SAID} == snapshot


@pytest.mark.parametrize("sentence", SAID)
def test_an_english_reason_stays_as_it_is(sentence: str) -> None:
    """In English the reason is the decision's own, and its two parts are cut from it."""
    assert in_words(sentence, "en") == sentence
    said, fault = read(sentence, "en")
    assert sentence.startswith(said)
    assert sentence.endswith(fault)


@given(hit_lists, budgets, questions, st.one_of(st.none(), st.floats(0, 1)))
def test_every_reason_that_is_made_is_known(hits: Hits, budget: int, question: str | None, least: float | None) -> None:
    """No decision of any context is left in English for those who read German, and a fault stays visible."""
    context = assemble(hits, budget, question=question, options=Options(min_score=least))
    again = assemble(hits, budget, options=Options(after=context, append=True))
    for decision in (*context.decisions, *again.decisions):
        assert in_words(decision.reason, "de") != decision.reason
        assert ("ungültiger Score" in in_words(decision.reason, "de")) == ("invalid score" in decision.reason)


def test_a_reason_stands_on_one_line() -> None:
    """A fault that a caller put in cannot break a row."""
    decision = Decision(0, "", "", None, "kept", 1, 3, "Stands whole; broken\nin two")
    assert reason(decision, "de") == "Steht ganz; broken in two"


@pytest.mark.parametrize(
    ("span", "labels", "german", "english"),
    [
        (None, None, "", ""),
        ((3, 3), None, "S. 3", "p. 3"),
        ((3, 4), None, "S. 3–4", "pp. 3–4"),
        ((3, 4), ("iv", "vi"), "S. iv–vi", "pp. iv–vi"),
        ((3, 4), ("iv", "iv"), "S. iv", "p. iv"),
        ((3, 4), ("", "vi"), "S. 3–4", "pp. 3–4"),
        (None, ("A-1", "A-2"), "S. A-1–A-2", "pp. A-1–A-2"),
        ((3, 4), ("i\nv", "vi"), "S. i v–vi", "pp. i v–vi"),
    ],
)
def test_pages(span: tuple[int, int] | None, labels: tuple[str, str] | None, german: str, english: str) -> None:
    """Pages are named as printed where that is known, and by their number otherwise."""
    assert (pages(span, "de", labels), pages(span, "en", labels)) == (german, english)


def test_a_place_is_one_line() -> None:
    """Title, printed pages and innermost heading, whatever line breaks they hold."""
    chunk = Chunk("x", "Hand\nbuch", section=("Teil", "Ab\nlauf"), pages=(3, 4), page_labels=("iv", "vi"))
    assert place(chunk, "de") == "Hand buch, S. iv–vi, Ab lauf"


def test_a_size_has_its_singular() -> None:
    """One source is no plural."""
    assert summary(1, 1, tokens=5, max_tokens=9, language="en") == "5 of 9 tokens · 1 source · 1 hit"


@pytest.mark.parametrize(
    ("tokens", "most", "shown"), [(0, 0, "–"), (0, 9, "0 %"), (1, 900, "<1 %"), (5, 10, "50 %"), (9, 9, "100 %")]
)
def test_shares(tokens: int, most: int, shown: str) -> None:
    """A share is in whole hundredths, and never 0 of something."""
    assert share(tokens, most, "de") == shown


@given(st.integers(0, 500), st.lists(st.integers(0, 900), min_size=1, max_size=60), st.integers(0, 3))
def test_nothing_is_lost_in_dividing(units: int, weights: list[int], least: int) -> None:
    """Shares add up, keep the order of their weights, and none is below the least where there is enough."""
    shares = apportion(units, weights, least)
    assert sum(shares) == units
    assert min(shares) >= (least if least * len(weights) <= units else 0)
    for weight, given_to in zip(weights, shares, strict=True):
        assert all(given_to <= other + 1 for heavier, other in zip(weights, shares, strict=True) if weight <= heavier)


@given(hit_lists, budgets, counters, questions)
def test_segments_add_up(hits: Hits, budget: int, count: Callable[[str], int], question: str | None) -> None:
    """The segments of the sources add up to the context's tokens, and with what is left to the budget."""
    context = assemble(hits, budget, question=question, counter=count)
    found = segments(context.sources, context.tokens, context.max_tokens)
    assert sum(segment.tokens for segment in found if segment.source) == context.tokens
    assert sum(segment.tokens for segment in found) == budget
    assert tuple(segment.source for segment in found if segment.source) == context.sources


@given(hit_lists, budgets, questions)
def test_each_decision_is_shown_once(hits: Hits, budget: int, question: str | None) -> None:
    """A hit is told of under its source or among what was left out, never in both, never in none."""
    context = assemble(hits, budget, question=question)
    told = [*standing(context.decisions).values(), *left_out(context.decisions, "de").values()]
    assert sorted(decision.hit for group in told for decision in group) == list(range(len(hits)))


class Reader(HTMLParser):
    """Reads a page as a browser does: elements that close in order, and the text in each kind."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.style = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        values: Mapping[str, str | None] = dict(attrs)
        self.tags.add(tag)
        assert not [name for name in values if name.startswith("on")]
        if tag == "a":
            self.links.append(values["href"] or "")
        if tag not in {"meta", "br"}:
            kind = f"{tag}.{values.get('class') or ''}"
            self.open.append(kind)
            self.texts.setdefault(kind, []).append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave the element that was entered last."""
        assert self.open.pop().split(".")[0] == tag

    def handle_data(self, data: str) -> None:
        """Add a text to every element that is open."""
        for kind in self.open:
            self.texts[kind][-1] += data


def read_page(page: str) -> Reader:
    """Parse a page and check that each of its elements is closed."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def as_shown(text: str) -> str:
    """Return a text as HTML can carry it."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", "\ufffd", re.sub("\r\n?", "\n", text))


@given(hit_lists, budgets, questions, languages)
def test_a_page_shows_all_as_text(hits: Hits, budget: int, question: str | None, language: Language) -> None:
    """The page of any context is well-formed, and titles and texts stand in it as text, character for character."""
    context = assemble(hits, budget, question=question, language=language)
    page = context.to_html()
    page.encode()
    reader = read_page(page)
    assert context._repr_html_() in page
    assert reader.texts.get("div.text", []) == [as_shown(source.text) for source in context.sources]
    assert reader.texts.get("bdi.title", []) == [as_shown(source.title) for source in context.sources]
    assert not reader.tags & {"script", "img", "iframe", "link", "object", "form", "input", "button", "svg"}
    assert len(reader.texts.get("tr.", [])) - len(reader.texts.get("thead.", [])) == sum(
        len(group) for group in left_out(context.decisions, language).values()
    )


@given(st.text() | st.sampled_from(["javascript:alert(1)", "\x01javascript:x", "java\tscript:x", "&#106;avascript:x"]))
def test_no_link_runs_anything(link: str) -> None:
    """What becomes a link begins with a harmless scheme, or with none."""
    target = safe_link(link)
    scheme = re.match(r"[^/?#]*:", target)
    assert scheme is None or scheme[0].lower() in {"http:", "https:", "mailto:"}
    assert not target.startswith(("//", "\\"))


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("https://example.org/a?b=1&c=2#d", "https://example.org/a?b=1&c=2#d"),
        (" HTTP://example.org ", "HTTP://example.org"),
        ("https://example.org/Mein Handbuch.pdf", "https://example.org/Mein Handbuch.pdf"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("Ordner/Mein Handbuch.pdf#page=3", "Ordner/Mein Handbuch.pdf#page=3"),
        ("../b.pdf", "../b.pdf"),
        ("/srv/b.pdf", "/srv/b.pdf"),
        ("javascript:alert(1)", ""),
        ("JaVaScRiPt:alert(1)", ""),
        ("\tjava\nscript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("vbscript:x", ""),
        ("file:///etc/passwd", ""),
        ("//example.org/x", ""),
        ("/\\example.org", ""),
        ("C:\\b.pdf", ""),
        ("", ""),
    ],
)
def test_links(link: str, target: str) -> None:
    """The web, mail and files beside the page can be opened; nothing else can."""
    assert safe_link(link) == target


def test_a_hostile_chunk_is_harmless() -> None:
    """A script in a text, a title, a section, a path and a link is shown, and is none."""
    evil = "\"><script>alert(1)</script>'<img src=x onerror=alert(1)>"
    chunk = Chunk(evil, evil, 0.5, section=(evil,), path=evil, link=f"https://example.org/{evil}", fault=evil)
    context = assemble_chunks([chunk, Chunk("", evil, fault=evil)], 900, len_by_four)
    reader = read_page(context.to_html())
    assert not reader.tags & {"script", "img"}
    assert context.to_html().count("&lt;script&gt;") > 5


def test_links_are_shown_and_only_good_ones_open() -> None:
    """A link that may not be opened is still shown, as text."""
    chunks = [
        Chunk("Eins.", "a", 1, link="https://example.org/a"),
        Chunk("Zwei.", "b", 0.9, link="javascript:alert(1)"),
    ]
    reader = read_page(fragment(assemble_chunks(chunks, 100, len_by_four)))
    assert [link for link in reader.links if not link.startswith("#kontextwerk-")] == ["https://example.org/a"]
    assert reader.texts["p.link"] == ["https://example.org/a", "javascript:alert(1)"]


def test_control_characters_are_replaced() -> None:
    """What HTML cannot hold is shown as a replacement character, and line breaks are of one kind."""
    assert escaped("a\x00b\x1bc\ud800d\r\ne\rf\tg") == "a\ufffdb\ufffdc\ufffdd\ne\nf\tg"


def test_a_cut_is_marked() -> None:
    """Where text was left out, the mark says so."""
    assert '<span class="cut" title="Hier ist Text ausgelassen">[…]</span>' in mixed("de").to_html()


def test_an_empty_context_says_so() -> None:
    """A budget of 0 makes a page without sources."""
    page = read_page(assemble_chunks(MIXED, 0, len_by_four).to_html())
    assert "Im Kontext steht nichts." in page.texts["p.muted"]
    page = read_page(assemble_chunks((), 9, len_by_four, language="en").to_html())
    assert page.texts["p.muted"][1:] == ["Nothing stands in the context.", "Every hit stands in the context."]


def test_many_are_folded() -> None:
    """Beyond 20 hits of one outcome their table is closed at first, and all of them stand in it."""
    chunks = [Chunk("", f"Leer {number}") for number in range(21)]
    page = assemble_chunks(chunks, 9, len_by_four).to_html()
    assert '<details class="group"><summary>' in page
    assert page.count("Hat keinen Text") == 21


def test_no_rule_reaches_beyond_the_view() -> None:
    """Each selector begins with the class of the view, so that a notebook around it looks as before."""
    inner = re.sub(r"@[a-z]+ \([^)]*\) \{", "", STYLE)
    selectors = [one.strip() for head in re.findall(r"([^{}]+)\{", inner) for one in head.split(",")]
    assert len(selectors) > 50
    assert all(re.match(r"\.kontextwerk\.kontextwerk(?: |$)", one) for one in selectors)
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def _luminance(colour: str) -> float:
    """Return a colour's relative luminance (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back"),
    [
        ("text", "surface"),
        ("muted", "surface"),
        ("accent", "surface"),
        ("text", "tint"),
        ("muted", "tint"),
        ("accent", "tint"),
        ("on-accent", "accent"),
        ("on-accent", "second"),
    ],
)
def test_contrast(colours: dict[str, str], front: str, back: str) -> None:
    """Text stands out from what is behind it by 4.5 at the least (WCAG 2.2, AA)."""
    one, other = sorted((_luminance(colours[front]), _luminance(colours[back])))
    assert (other + 0.05) / (one + 0.05) >= 4.5


def test_every_outcome_has_its_word() -> None:
    """Both languages have a word for each outcome."""
    assert all(set(words) == set(get_args(Outcome)) for words in OUTCOMES.values())
