"""The check of an answer: verdicts, evidence and reasons."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kontextwerk.context.checking import check
from kontextwerk.context.claiming import claims
from kontextwerk.context.claims import Check, Claim, Evidence, Reason, Verdict
from kontextwerk.context.errors import InputError
from kontextwerk.context.markup import plain
from kontextwerk.context.model import Language
from kontextwerk.context.sentences import sentences
from kontextwerk.context.words import language_of
from strategies import hostile_texts, prose, texts

SOURCES = {
    1: "Die Frist beträgt zwei Wochen. Sie beginnt mit der Zustellung. Danach verfällt der Anspruch.",
    2: "Das Auftragsklärungsgespräch dauert 90 Minuten und kostet 120 €. Es ist nicht erstattungsfähig. "
    "Frau Müller leitet die Beratung seit dem 3. Mai 2021.",
    3: "Teilnehmer müssen mindestens 18 Jahre alt sein. Die Zahl der Anmeldungen ist 2023 gestiegen. "
    "Der Zuschuss ist unzulässig, wenn der Betrieb bereits gefördert wird.",
    4: "The deadline is 14 days. The workshop takes two and a half hours and is held by Jane Miller in London. "
    "It attracts about 1.5 million visitors, but it is not open on Mondays.",
}


def _check(answer: str, language: Language = "de", sources: dict[int, str] = SOURCES) -> Check:
    """Check an answer of one claim."""
    [found] = check(claims(answer, language), sources, language=language)
    return found


def _kinds(found: Check) -> set[str]:
    return {reason.kind for reason in found.reasons}


def test_right_answer_wrong_figure() -> None:
    """A figure that the cited source has otherwise makes a sentence unsupported, and both figures are told."""
    found = _check("Die Frist beträgt vier Wochen [1].")
    assert found.verdict == "unsupported"
    assert found.reasons == (Reason("number_differs", ("vier Wochen",), ("zwei Wochen",)),)
    assert found.evidence == (Evidence(1, (0, 30)),)


@pytest.mark.parametrize(
    "answer",
    [
        "Die Frist beträgt zwei Wochen [1].",
        "Die Frist beträgt 14 Tage [1].",
        "Es gilt eine zweiwöchige Frist [1].",
        "Die Frist beginnt mit der Zustellung [1].",
        "Das Gespräch zur Auftragsklärung dauert 1,5 Stunden [2].",
        "Das Gespräch zur Auftragsklärung dauert anderthalb Stunden [2].",
        "Das Gespräch zur Auftragsklärung kostet hundertzwanzig Euro [2].",
        "Das Auftragsklaerungsgespraech kostet 120,00 EUR [2].",
        "Frau Müller leitet seit Mai 2021 die Beratung [2].",
        "Das Auftragsklärungsgespräch ist nicht erstattungsfähig [2].",
        "Die Frist beträgt nicht nur zwei Wochen, danach verfällt auch der Anspruch [1].",
        "Die Frist beträgt zwei Wochen und das Auftragsklärungsgespräch dauert 90 Minuten [1, 2].",
        "- **Dauer des Auftragsklärungsgesprächs:** 90 Minuten [2]",
    ],
)
def test_supported_in_german(answer: str) -> None:
    """The same in other words, compounds, units and spellings of numbers is supported."""
    found = _check(answer)
    assert (found.verdict, found.reasons) == ("supported", ())
    assert found.evidence


@pytest.mark.parametrize(
    "answer",
    [
        "The deadline is two weeks [4].",
        "The workshop takes 150 minutes [Source 4].",
        "The workshop is held in London by Jane Miller [4].",
        "Around 1,500,000 visitors are attracted [4].",
    ],
)
def test_supported_in_english(answer: str) -> None:
    """English numbers, in words and digits, and units hold as well."""
    assert _check(answer, "en").verdict == "supported"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Das Auftragsklärungsgespräch dauert 60 Minuten [2].", "number_differs"),
        ("Das Auftragsklärungsgespräch kostet zweihundert Euro [2].", "number_differs"),
        ("Frau Müller leitet die Beratung seit dem 5. Mai 2021 [2].", "date_differs"),
        ("Frau Müller leitet die Beratung seit Mai 2019 [2].", "date_differs"),
        ("Das Auftragsklärungsgespräch ist erstattungsfähig [2].", "negation_differs"),
        ("Die Frist beginnt nicht mit der Zustellung [1].", "negation_differs"),
        ("Der Zuschuss ist zulässig, wenn der Betrieb bereits gefördert wird [3].", "negation_differs"),
        ("Teilnehmer müssen höchstens 18 Jahre alt sein [3].", "opposite"),
        ("Die Zahl der Anmeldungen ist 2023 gesunken [3].", "opposite"),
        ("Die Zahl der Anmeldungen ist 2022 gestiegen [3].", "date_differs"),
    ],
)
def test_contradicted_in_german(answer: str, kind: str) -> None:
    """A figure, a date, a negation or an opposite that differs makes a sentence unsupported."""
    found = _check(answer)
    assert found.verdict == "unsupported"
    assert kind in _kinds(found)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("The deadline is four weeks [4].", "number_differs"),
        ("It is open on Mondays [4].", "negation_differs"),
    ],
)
def test_contradicted_in_english(answer: str, kind: str) -> None:
    """So do they in English."""
    found = _check(answer, "en")
    assert found.verdict == "unsupported"
    assert kind in _kinds(found)


def test_another_name() -> None:
    """A name that the source does not have is told, and the sentence is not supported."""
    found = _check("Frau Schneider leitet die Beratung seit dem 3. Mai 2021 [2].", sources={2: SOURCES[2]})
    assert Reason("name_missing", ("Schneider",)) in found.reasons
    assert _check("The workshop is held by Paul Baker in Dublin [4].", "en").verdict != "supported"


def test_another_source_holds_it() -> None:
    """What the cited source does not hold and another one does is partly supported, and that one is named."""
    found = _check("Die Frist beträgt zwei Wochen [2].")
    assert (found.verdict, found.reasons) == ("partly", (Reason("other_source", sources=(1,)),))
    assert found.evidence == (Evidence(1, (0, 30)),)


def test_nothing_cited() -> None:
    """What a source holds and none is cited for is uncited, with its evidence."""
    found = _check("Die Frist beträgt zwei Wochen.")
    assert (found.verdict, found.evidence) == ("uncited", (Evidence(1, (0, 30)),))


def test_nothing_close() -> None:
    """What no source is about is unsupported without evidence, cited or not, and so is what cites no known source."""
    for answer in ("Der Mond besteht aus Käse [1].", "Der Mond besteht aus Käse.", "Der Mond besteht aus Käse [99]."):
        found = _check(answer, sources={1: SOURCES[1]})
        assert (found.verdict, found.evidence, _kinds(found)) == ("unsupported", (), {"nothing_close"})
    assert check(claims("Die Frist beträgt zwei Wochen [1]."), {})[0].verdict == "unsupported"


def test_citations_to_nothing() -> None:
    """What cites numbers that no source has is held against all sources; a year in brackets is no citation."""
    answer = (
        "Die Frist beträgt zwei Wochen [1]. Sie beginnt mit der Zustellung [5, 7]. Der Mond fehlt [8]. Siehe [2023]."
    )
    found = check(claims(answer), {1: SOURCES[1]})
    assert [one.verdict for one in found] == ["supported", "partly", "unsupported", "unsupported"]
    assert found[1].reasons == (Reason("other_source", sources=(1,)),)


def test_swapped_citations() -> None:
    """Two right sentences that cite each other's source are both told where they stand."""
    answer = "Die Frist beträgt zwei Wochen [2]. Das Auftragsklärungsgespräch dauert 90 Minuten [1]."
    assert [one.reasons for one in check(claims(answer), SOURCES)] == [
        (Reason("other_source", sources=(1,)),),
        (Reason("other_source", sources=(2,)),),
    ]


def test_part_of_it() -> None:
    """What a source holds in part is partly supported, and the words without a counterpart are told."""
    found = _check("Die Frist beträgt zwei Wochen ab Eingang beim Gericht [1].")
    assert found.verdict == "partly"
    assert Reason("words_missing", ("Eingang", "Gericht")) in found.reasons


def test_what_claims_nothing() -> None:
    """Greetings, headings, questions and refusals have the verdict that they claim nothing."""
    answer = "# Antwort\n\nGern! Was gilt? Dazu steht nichts in den Quellen. So ist das."
    assert {found.verdict for found in check(claims(answer), SOURCES)} == {"no_claim"}


def test_a_negation_of_something_else() -> None:
    """A negation counts only in the clause that says the same."""
    source = {1: "Die Prüfung dauert drei Stunden; Taschenrechner sind nicht erlaubt."}
    assert _check("Die Prüfung dauert drei Stunden [1].", sources=source).verdict == "supported"
    assert _check("Taschenrechner sind erlaubt [1].", sources=source).verdict == "unsupported"


def test_a_figure_of_something_else() -> None:
    """A figure that stands beside another matter does not hold, and one that stands elsewhere does not disturb."""
    source = {1: "Die Frist beträgt zwei Wochen. Der Urlaub dauert vier Wochen."}
    assert _check("Die Frist beträgt vier Wochen [1].", sources=source).verdict == "unsupported"
    assert _check("Der Urlaub dauert vier Wochen [1].", sources=source).verdict == "supported"


def test_a_judge_overrules() -> None:
    """A judge gets the claim and the sentences of its evidence, and overrules if it says something."""
    heard: list[tuple[str, Sequence[str]]] = []

    def judge(claim: str, evidence: Sequence[str]) -> Verdict | None:
        heard.append((claim, evidence))
        return "supported" if "Frist" in claim else None

    answer = claims("Hallo! Die Frist beträgt vier Wochen [1]. Das Auftragsklärungsgespräch dauert lange [2].")
    found = check(answer, SOURCES, judge=judge)
    assert [check.verdict for check in found][:2] == ["no_claim", "supported"]
    assert heard[0] == ("Die Frist beträgt vier Wochen.", ["Die Frist beträgt zwei Wochen."])
    assert found[2] == check(answer, SOURCES)[2]


def test_closeness_of_meaning() -> None:
    """An embedder's cosine lifts or lowers the score, and alone it can point to the evidence."""
    claim = claims("Honorar ist vorab zu entrichten [1].")
    source = {1: "Die Rechnung wird im Voraus bezahlt. Der Raum ist hell."}
    assert check(claim, source)[0].verdict == "unsupported"
    found = check(claim, source, similarity=lambda _, texts: [0.98, *(0.8 for _ in texts[1:])])[0]
    assert (found.verdict, found.evidence) == ("partly", (Evidence(1, (0, 36)),))
    claim = claims("Die Frist beträgt zwei Tage vor Beginn [1].")
    lowered = check(claim, SOURCES, similarity=lambda _, texts: [0.5] * len(texts))
    assert lowered[0].score == 0


@pytest.mark.parametrize("cosines", [[], [float("nan")], [float("inf")], [0.1, 0.2]])
def test_a_similarity_that_gives_no_cosines(cosines: list[float]) -> None:
    """A similarity that does not give one finite number a text is named."""
    with pytest.raises(InputError, match="similarity"):
        check(claims("Der Mond scheint."), {1: "Die Sonne scheint."}, similarity=lambda _, __: cosines)


@given(st.lists(texts | hostile_texts, max_size=4), texts | hostile_texts, st.sampled_from(["de", "en"]))
def test_no_text_is_too_odd(contents: list[str], answer: str, language: Language) -> None:
    """Whatever the texts, each claim has one check; spans lie within their texts; a second run gives the same."""
    sources = dict(enumerate(contents, 1))
    found = check(claims(answer, language), sources, language=language)
    assert [one.span for one in found] == [claim.span for claim in claims(answer, language)]
    for one in found:
        assert 0 <= one.score <= 1
        assert list(one.evidence) == sorted(one.evidence, key=lambda evidence: (evidence.source, evidence.span))
        assert all(0 <= e.span[0] < e.span[1] <= len(sources[e.source]) for e in one.evidence)
        assert (one.verdict == "supported") <= bool(one.evidence)
    assert found == check(claims(answer, language), sources, language=language)


@given(prose | texts, st.sampled_from(["de", "en"]), st.data())
def test_a_sentence_of_the_source_is_supported(text: str, language: Language, data: st.DataObject) -> None:
    """What stands in the cited source word for word is supported, if it claims anything."""
    spans = sentences(text, language_of(text, language))
    assume(spans)
    start, end = data.draw(st.sampled_from(spans))
    [found] = check([Claim(plain(text[start:end]), (start, end), (1,))], {1: text}, language=language)
    assert found.verdict in {"supported", "no_claim"}


@pytest.mark.parametrize(
    "piece", ["wort ", "Das Wort 12,5 % gilt nicht. ", "1.", "a" * 99, "\n| a | 3 |", "- [1] x\n", "\x00\x1f"]
)
def test_huge_texts_end_soon(piece: str) -> None:
    """Long texts of any kind are checked; nothing breaks down."""
    text = piece * (40_000 // len(piece))
    found = check(claims(text[:4000]), {1: text[:20_000]})
    assert all(0 <= one.score <= 1 for one in found)


def test_a_quotation_in_another_language_is_read_in_its_own() -> None:
    """In an English answer a German sentence is German: its negation is one there, too."""
    text = "Das Gespräch dauert länger und findet nicht mehr am Telefon statt, und die Fristen sind kürzer."
    [found] = check(claims(f"“{text}” [Source 1]", "en"), {1: text}, language="en")
    assert (found.verdict, found.reasons) == ("supported", ())
