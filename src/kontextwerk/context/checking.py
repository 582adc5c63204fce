"""The check of an answer: for each sentence the evidence for it in the sources, and a verdict. No model is called.

The sentences of the sources that share most with a claim, rare words counting more, are its evidence. A figure that
differs, a name that is missing, a negation or an opposite speaks against it; `docs/explanation/checking.md` has the
reasons, the measurements, and what a comparison of words cannot see.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from kontextwerk.context import contrasts, negations
from kontextwerk.context.claims import Check, Claim, Evidence, Judge, Reason, Verdict, claims_nothing
from kontextwerk.context.errors import InputError
from kontextwerk.context.holding import LEAST_GAIN, Holding, hold, joined, rarity
from kontextwerk.context.model import Language, Similarity
from kontextwerk.context.statements import Reading, Statement, as_whole, read_claim, read_sources
from kontextwerk.context.words import language_of

SUPPORTED = 0.6
"""The least score of a supported claim."""
PARTLY = 0.4
"""The least score of a partly supported claim."""
NOTHING = 0.15
"""Below this score nothing in the sources is close."""
CLOSER = 4.4
"""What a cosine of one more adds to the score; as `SUPPORTED`, fitted on German pairs of text and conclusion."""
TYPICAL = 0.88
"""The cosine that adds nothing, with the default embedder."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a claim in some of the sources.

    Attributes:
        score: 0 to 1.
        holding: The evidence.
        reasons: What speaks against the claim.
        strange: Names of the claim that stand nowhere in these sources.
    """

    score: float
    holding: Holding
    reasons: tuple[Reason, ...]
    strange: tuple[str, ...] = ()

    @property
    def against(self) -> bool:
        """Whether anything contradicts the claim."""
        return any(
            reason.kind in {"negation_differs", "opposite"}
            or (reason.kind in {"number_differs", "date_differs"} and reason.found)
            for reason in self.reasons
        )

    @property
    def supports(self) -> bool:
        """Whether the claim is supported."""
        return self.score >= SUPPORTED and not self.against and not self.strange


def check(
    sentences: Sequence[Claim],
    texts: Mapping[int, str],
    *,
    language: Language = "de",
    similarity: Similarity | None = None,
    judge: Judge | None = None,
) -> tuple[Check, ...]:
    """Check the sentences of an answer against its sources.

    Args:
        sentences: The answer's sentences, without citations, with the sources that each cites: see `claiming`.
        texts: From a source's number to its text.
        language: The answer's language, where a sentence's own, and that of a source, does not show by its words.
        similarity: How close texts are in meaning; None to go by words alone. Cosines count as those of the default
            embedder: shift those of another so that a sentence that barely supports another has `TYPICAL`.
        judge: Asked for each claim after this check; its verdict, if it gives one, overrules.

    Returns:
        One check a sentence, in order. Evidence lies in the cited sources, or in others where those do not hold the
        claim or none is cited.

    Raises:
        InputError: The similarity does not give one finite number for each text.

    >>> texts = {1: "Die Frist beträgt zwei Wochen."}
    >>> [found] = check([Claim("Die Frist beträgt vier Wochen.", (0, 30), (1,))], texts)
    >>> found.verdict, found.reasons[0].kind, found.reasons[0].found
    ('unsupported', 'number_differs', ('zwei Wochen',))
    """
    statements = read_sources(texts, language)
    return tuple(_check(claim, statements, language, similarity, judge) for claim in sentences)


def _check(
    claim: Claim,
    statements: Sequence[Statement],
    language: Language,
    similarity: Similarity | None,
    judge: Judge | None,
) -> Check:
    language = language_of(claim.text, language)  # an answer may quote in the language of its source
    reading = read_claim(claim.text, language)
    if claims_nothing(claim, language) or not reading.items:
        return Check(claim.span, "no_claim", 0.0)
    found = _verdict(claim, reading, statements, similarity)
    if judge is None:
        return found
    spoken = judge(claim.text, [s.text for s in statements if Evidence(s.source, s.span) in found.evidence])
    return found if spoken is None else Check(found.span, spoken, found.score, found.evidence, found.reasons)


def _verdict(claim: Claim, reading: Reading, statements: Sequence[Statement], similarity: Similarity | None) -> Check:
    """Look in the cited sources, then in all."""
    cited = _find(reading, statements, similarity, claim.cited) if claim.cited else None
    if cited and cited.supports:
        return _told(claim, "supported", cited)
    anywhere = _find(reading, statements, similarity)
    if anywhere.supports:
        if cited is None:
            return _told(claim, "uncited", anywhere)
        others = sorted({s.source for s in anywhere.holding.statements} - set(claim.cited))
        return _told(claim, "partly", anywhere, (Reason("other_source", sources=tuple(others)),))
    best = cited or anywhere
    partly = best.score >= PARTLY and not best.against
    return _told(claim, "partly" if partly else "unsupported", best, best.reasons)


def _told(claim: Claim, verdict: Verdict, finding: Finding, reasons: tuple[Reason, ...] = ()) -> Check:
    evidence = sorted((s.source, s.span) for s in finding.holding.statements) if finding.score >= NOTHING else []
    return Check(claim.span, verdict, finding.score, tuple(Evidence(*where) for where in evidence), reasons)


def _find(
    reading: Reading,
    statements: Sequence[Statement],
    similarity: Similarity | None,
    cited: Collection[int] = (),
) -> Finding:
    """Find the evidence for a claim in the cited sources, in all where none is cited, and what speaks against it."""
    own = [s for s in statements if not cited or s.source in cited]
    whole = as_whole(reading.text)
    if exact := next((s for s in own if s.plain == whole), None):
        return Finding(1.0, Holding((exact,), {}, 1.0), ())
    matches = [reading.match(s) for s in own]
    weights = rarity(reading, matches)
    holding = hold(own, matches, weights, {})
    for _ in range(len(set(cited)) - 1):  # what several sources are cited for they may hold together
        further = hold(own, matches, weights, holding.met)
        if further.share - holding.share < LEAST_GAIN:
            break
        holding = Holding((*holding.statements, *further.statements), further.met, further.share)
    score = holding.share
    if similarity and own:
        cosine, index = _closest(reading.text, own, similarity)
        score = min(max(score + CLOSER * (cosine - TYPICAL), 0.0), 1.0)
        holding = holding if holding.statements else Holding((own[index],), {}, 0.0)
    if score < NOTHING:
        return Finding(score, holding, (Reason("nothing_close"),))
    strange, _ = contrasts.missing(reading, joined(*matches))
    return Finding(score, holding, tuple(_reasons(reading, holding, own)), strange)


def _closest(text: str, statements: Sequence[Statement], similarity: Similarity) -> tuple[float, int]:
    """Return the cosine of the sentence that is closest in meaning, and which it is."""
    found = list(similarity(text, [statement.text for statement in statements]))
    if len(found) != len(statements) or not all(map(math.isfinite, found)):
        raise InputError("similarity", "gives no finite number for each text", "Return one cosine a text, in order")
    index = max(range(len(found)), key=found.__getitem__)
    return found[index], index


def _reasons(reading: Reading, holding: Holding, others: Sequence[Statement]) -> list[Reason]:
    found = list(contrasts.figures(reading, holding, others))
    contrary = (negations.negation(reading, holding), negations.opposite(reading, holding))
    found += [reason for reason in contrary if reason]
    names, words = contrasts.missing(reading, holding.met)
    if names:
        found.append(Reason("name_missing", names))
    if words:
        found.append(Reason("words_missing", words))
    return found
