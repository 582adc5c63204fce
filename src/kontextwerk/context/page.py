"""A context as HTML: the budget as a bar, the sources with their texts, what was left out and why.

No script, nothing from elsewhere: all that documents hold is text, and only a link that opens a page, a mail or a file
beside the page becomes one. It leaves out the looks: see `stylesheet`.
"""

import html
import re
from collections.abc import Sequence
from hashlib import sha256

from kontextwerk.context.bar import segments
from kontextwerk.context.context import Context
from kontextwerk.context.explaining import counted, left_out, pages, reason, score, share, standing, summary
from kontextwerk.context.labels import ELISION, one_line
from kontextwerk.context.model import Decision, Source
from kontextwerk.context.stylesheet import AROUND, SCOPE, STYLE
from kontextwerk.context.wording import OUTCOMES, WORDS

MARK = "<!doctype html>\n<!-- kontextwerk -->\n"
"""How a page begins: by this it is known again."""
OPEN = 20
"""The most rows of a table that is open from the start."""
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What HTML cannot hold: control characters, lone surrogates."""
_ELSEWHERE = re.compile(r"(?:https?://|mailto:)\S.*", re.IGNORECASE)
_BESIDE = re.compile(r"(?![/\\]{2})[^:?#\\]+(?:[?#].*)?")
"""A path from where the page lies: nothing that could be a scheme, a host or a drive."""


def page(context: Context) -> str:
    """Return a context as an HTML page of its own."""
    made = _summary(context)
    words = WORDS[context.language]
    return (
        f'{MARK}<html lang="{context.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{words.context}: {escaped(made)}</title>\n<style>\n{AROUND}\n</style>\n</head>\n<body>\n"
        f"{fragment(context)}\n</body>\n</html>\n"
    )


def fragment(context: Context) -> str:
    """Return a context as HTML to stand in a page, such as a notebook: one element with a style of its own."""
    words = WORDS[context.language]
    sources = len(context.sources)
    counts = f"{counted(sources, words.sources)} · {counted(len(context.decisions), words.hits)}"
    parts = [
        f'<section class="{SCOPE}" lang="{context.language}" aria-label="{words.context}">',
        f"<style>\n{STYLE}</style>",
        f'<div class="head" role="heading" aria-level="1">{words.context}</div>',
        f'<p class="muted">{counts}</p>',
        *_budget(context),
        _part(words.all_sources),
        *_sources(context),
        _part(words.left_out),
        *_left_out(context),
        "</section>",
    ]
    return "\n".join(parts)


def escaped(text: str) -> str:
    """Return a text so that HTML shows it: no character of it is markup, those that HTML cannot hold are replaced."""
    return html.escape(_UNFIT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")))


def safe_link(link: str) -> str:
    """Return an address that may be opened from the page; empty for any other.

    >>> safe_link("javascript:alert(1)")
    ''
    """
    link = link.strip()
    fit = not _UNFIT.search(link) and "\n" not in link and "\t" not in link
    return link if fit and (_ELSEWHERE.fullmatch(link) or _BESIDE.fullmatch(link)) else ""


def _summary(context: Context) -> str:
    return summary(
        len(context.sources),
        len(context.decisions),
        tokens=context.tokens,
        max_tokens=context.max_tokens,
        language=context.language,
    )


def _part(head: str) -> str:
    return f'<div class="part" role="heading" aria-level="2">{head}</div>'


def _anchor(context: Context, number: int) -> str:
    """Return the identifier of a source's entry; two contexts in a notebook differ in it."""
    return f"{SCOPE}-{sha256(escaped(context.text).encode()).hexdigest()[:8]}-{number}"


def _budget(context: Context) -> Sequence[str]:
    words, language, most = WORDS[context.language], context.language, context.max_tokens
    entries = []
    for source, tokens in segments(context.sources, context.tokens, most):
        if source is None:
            tip = words.left.format(tokens)
            entries.append(f'<li style="flex-grow: {tokens}"><span class="tip">{tip}</span></li>')
            continue
        cost = f"{counted(source.tokens, words.tokens)}, {share(source.tokens, most, language)}"
        tip = f"{words.source} {source.number}: {cost} · <bdi>{escaped(one_line(source.title))}</bdi>"
        entries.append(
            f'<li style="flex-grow: {tokens}"><a href="#{_anchor(context, source.number)}">'
            f'<span class="room" aria-hidden="true"><span class="number">{source.number}</span></span>'
            f'<span class="tip">{tip}</span></a></li>'
        )
    ends = (words.size.format(context.tokens, most), words.left.format(most - context.tokens))
    return (
        '<div class="budget">',
        f'<ol class="bar" aria-label="{words.budget}">',
        *entries,
        "</ol>",
        f'<p class="ends">{"".join(f"<span>{end}</span>" for end in ends)}</p>',
        "</div>",
    )


def _sources(context: Context) -> Sequence[str]:
    words = WORDS[context.language]
    if not context.sources:
        return (f'<p class="muted">{words.nothing}</p>',)
    hits = standing(context.decisions)
    entries = (_source(context, source, hits.get(source.number, [])) for source in context.sources)
    return ('<ol class="sources">', *entries, "</ol>")


def _source(context: Context, source: Source, hits: Sequence[Decision]) -> str:
    words, language = WORDS[context.language], context.language
    trimmed = any(hit.outcome == "trimmed" for hit in hits)
    facts = (
        pages(source.pages, language, source.page_labels),
        " › ".join(map(one_line, source.section)),
        "" if source.score is None else f"{words.score} {score(source.score)}",
        OUTCOMES[language]["trimmed"] if trimmed else "",
    )
    meta = " · ".join(f"<bdi>{escaped(fact)}</bdi>" for fact in facts if fact)
    cut = f'<span class="cut" title="{words.cut}">{ELISION}</span>'
    return (
        f'<li id="{_anchor(context, source.number)}"><details><summary>'
        f'<span class="number">{source.number}</span>'
        f'<span><bdi class="title">{escaped(one_line(source.title))}</bdi><span class="meta">{meta}</span>'
        f'<span class="excerpt" dir="auto">{escaped(source.excerpt)}</span></span>'
        f'<span class="cost">{counted(source.tokens, words.tokens)}'
        f'<span class="meta">{share(source.tokens, context.max_tokens, language)}</span></span></summary>'
        f'<div class="body"><div class="text" dir="auto">{escaped(source.text).replace(ELISION, cut)}</div>'
        f"{_hits(hits, context)}{_link(source)}</div></details></li>"
    )


def _hits(hits: Sequence[Decision], context: Context) -> str:
    words, language = WORDS[context.language], context.language
    rows = (
        f"<li>{words.hit} {hit.hit + 1}, {words.score} {score(hit.score)}: {escaped(reason(hit, language))}</li>"
        for hit in hits
    )
    return f'<ul class="hits">{"".join(rows)}</ul>' if hits else ""


def _link(source: Source) -> str:
    target = safe_link(source.link)
    shown = [f"<bdi>{escaped(one_line(text))}</bdi>" for text in (source.link, source.path)]
    if target:
        shown[0] = f'<a href="{escaped(target)}" rel="noopener noreferrer">{shown[0]}</a>'
    stand = [one for one, text in zip(shown, (source.link, source.path), strict=True) if text]
    return f'<p class="link">{"<br>".join(stand)}</p>' if stand else ""


def _left_out(context: Context) -> Sequence[str]:
    words, language = WORDS[context.language], context.language
    groups = left_out(context.decisions, language)
    if not groups:
        return (f'<p class="muted">{words.all_stand}</p>',)
    figures, texts = (words.hit, words.score), (words.title, words.reason)
    head = "".join(f'<th scope="col" class="figure">{name}</th>' for name in figures)
    head += "".join(f'<th scope="col">{name}</th>' for name in texts)
    made = []
    for outcome, group in groups.items():
        name, count = OUTCOMES[language][outcome], counted(len(group), words.hits)
        rows = "".join(
            f'<tr><th scope="row" class="figure">{hit.hit + 1}</th><td class="figure">{score(hit.score)}</td>'
            f"<td><bdi>{escaped(one_line(hit.title)) or '–'}</bdi></td>"
            f"<td>{escaped(reason(hit, language))}</td></tr>\n"
            for hit in group
        )
        made.append(
            f'<details class="group"{" open" if len(group) <= OPEN else ""}>'
            f'<summary>{name} <span class="muted">{count}</span></summary>\n'
            f"<table><caption>{words.left_out}: {name}, {count}</caption>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></details>"
        )
    return made
