"""Checks for people and for programs: reasons as sentences, and a check as plain data and back.

It leaves out how a page shows them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from kontextwerk.context.claims import Check, Evidence, Reason, ReasonKind, Verdict
from kontextwerk.context.errors import InputError
from kontextwerk.context.model import Language

_VERDICTS: dict[Language, Mapping[Verdict, str]] = {
    "de": {
        "supported": "Belegt",
        "partly": "Teilweise belegt",
        "unsupported": "Nicht belegt",
        "uncited": "Belegt, aber ohne Quellenangabe",
        "no_claim": "Keine Aussage, die eine Quelle belegen könnte",
    },
    "en": {
        "supported": "Supported",
        "partly": "Partly supported",
        "unsupported": "Not supported",
        "uncited": "Supported, but no source is cited",
        "no_claim": "Claims nothing that a source could support",
    },
}
# For each kind: the sentence; what is added where the source has something else, and where it has nothing.
_SENTENCES: dict[Language, Mapping[ReasonKind, tuple[str, str, str]]] = {
    "de": {
        "number_differs": ("Die Zahl weicht ab: {claimed}", "in der Quelle {found}", "in der Quelle steht sie nicht"),
        "date_differs": ("Das Datum weicht ab: {claimed}", "in der Quelle {found}", "in der Quelle steht es nicht"),
        "name_missing": ("In der Quelle nicht genannt: {claimed}", "", ""),
        "negation_differs": ("Verneint und bejaht stehen gegeneinander", "", ""),
        "opposite": ("Das Gegenteil steht in der Quelle: {claimed}", "in der Quelle {found}", ""),
        "words_missing": ("In der Quelle ohne Entsprechung: {claimed}", "", ""),
        "other_source": ("Steht nicht in der angegebenen Quelle, aber in Quelle {sources}", "", ""),
        "nothing_close": ("In den Quellen steht nichts Ähnliches", "", ""),
    },
    "en": {
        "number_differs": ("The figure differs: {claimed}", "the source has {found}", "the source does not have it"),
        "date_differs": ("The date differs: {claimed}", "the source has {found}", "the source does not have it"),
        "name_missing": ("Not named in the source: {claimed}", "", ""),
        "negation_differs": ("One of answer and source denies what the other affirms", "", ""),
        "opposite": ("The source says the opposite: {claimed}", "the source has {found}", ""),
        "words_missing": ("Without a counterpart in the source: {claimed}", "", ""),
        "other_source": ("Does not stand in the cited source, but in source {sources}", "", ""),
        "nothing_close": ("Nothing in the sources is close to it", "", ""),
    },
}
_NEGATED: dict[Language, tuple[str, str]] = {
    "de": ("in der Antwort {claimed}", "in der Quelle {found}"),
    "en": ("the answer has {claimed}", "the source has {found}"),
}
_QUOTES: dict[Language, tuple[str, str]] = {"de": ("„", "“"), "en": ("“", "”")}
_MOST = 8
"""So many items are named; of more the rest is counted."""


def verdict_text(verdict: Verdict, language: Language = "de") -> str:
    """Return a verdict in the language of those who read it.

    >>> verdict_text("partly", "en")
    'Partly supported'
    """
    return _VERDICTS[language][verdict]


def reason_text(reason: Reason, language: Language = "de") -> str:
    """Return a reason as a sentence.

    >>> reason_text(Reason("number_differs", ("vier Wochen",), ("zwei Wochen",)))
    'Die Zahl weicht ab: „vier Wochen“ – in der Quelle „zwei Wochen“.'
    """
    sentence, other, nothing = _SENTENCES[language][reason.kind]
    added = other if reason.found else nothing
    if reason.kind == "negation_differs":
        added = ", ".join(
            part for part, has in zip(_NEGATED[language], (reason.claimed, reason.found), strict=True) if has
        )
    written = f"{sentence} – {added}." if added else f"{sentence}."
    return written.format(
        claimed=_quoted(reason.claimed, language),
        found=_quoted(reason.found, language),
        sources=", ".join(map(str, reason.sources)),
    )


def _quoted(items: tuple[str, ...], language: Language) -> str:
    opening, closing = _QUOTES[language]
    named = [f"{opening}{item}{closing}" for item in items[:_MOST]]
    return ", ".join([*named, f"… (+{len(items) - _MOST})"] if len(items) > _MOST else named)


def to_dict(check: Check) -> dict[str, Any]:
    """Return a check as plain data that JSON takes.

    >>> to_dict(Check((0, 5), "no_claim", 0.0))
    {'span': [0, 5], 'verdict': 'no_claim', 'score': 0.0, 'evidence': [], 'reasons': []}
    """
    return {
        "span": list(check.span),
        "verdict": check.verdict,
        "score": check.score,
        "evidence": [{"source": evidence.source, "span": list(evidence.span)} for evidence in check.evidence],
        "reasons": [
            {
                "kind": reason.kind,
                "claimed": list(reason.claimed),
                "found": list(reason.found),
                "sources": list(reason.sources),
            }
            for reason in check.reasons
        ],
    }


def from_dict(data: Mapping[str, Any]) -> Check:
    """Return the check that `to_dict` wrote.

    Raises:
        InputError: The data is of another shape, or names a verdict or a kind of reason that there is not.
    """
    try:
        check = Check(
            _span(data["span"]),
            data["verdict"],
            float(data["score"]),
            tuple(Evidence(int(found["source"]), _span(found["span"])) for found in data["evidence"]),
            tuple(
                Reason(
                    found["kind"],
                    tuple(map(str, found["claimed"])),
                    tuple(map(str, found["found"])),
                    tuple(map(int, found["sources"])),
                )
                for found in data["reasons"]
            ),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("check", f"is no check as plain data: {error!r}", "Pass what `to_dict` returned") from error
    if check.verdict not in get_args(Verdict) or any(r.kind not in get_args(ReasonKind) for r in check.reasons):
        raise InputError("check", "names an unknown verdict or reason", "Pass what `to_dict` returned")
    return check


def _span(data: Sequence[Any]) -> tuple[int, int]:
    start, end = data
    return int(start), int(end)
