"""The style of a context as HTML: every rule is held to one class, so that nothing of a notebook around it changes.

Light and dark follow the reader's setting. It leaves out what is styled: see `page`.
"""

SCOPE = "kontextwerk"
"""The class of the element that holds the view. In rules it stands twice: they outweigh a notebook's own for tables."""

LIGHT = {
    "surface": "#fdfdfc",
    "text": "#1f2429",
    "muted": "#59626b",
    "line": "#dde1e4",
    "free": "#eceff0",
    "accent": "#1c5b66",
    "second": "#2d7380",
    "on-accent": "#ffffff",
    "tint": "#e6f0f1",
}
DARK = {
    "surface": "#16191c",
    "text": "#e2e5e8",
    "muted": "#a3acb5",
    "line": "#343a40",
    "free": "#272c31",
    "accent": "#84cad4",
    "second": "#62b0bc",
    "on-accent": "#0b1618",
    "tint": "#1c2c30",
}
"""The colours: one accent, in two strengths so that neighbours in the bar can be told apart."""

_RULES = """
& { box-sizing: border-box; max-width: 60em; margin: 0 auto; padding: 1.25em; background: var(--surface);
  color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; text-align: start;
  overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
& *, & ::before, & ::after { box-sizing: border-box; }
& ol, & ul, & li, & p { margin: 0; padding: 0; list-style: none; font: inherit; }
& .head { font-size: 1.25em; font-weight: 600; line-height: 1.3; }
& .part { margin: 2em 0 .5em; font-size: 1em; font-weight: 600; }
& .muted, & .ends, & .meta, & .excerpt, & .hits { color: var(--muted); font-size: .875em; }
& .budget { position: relative; margin-top: 1em; }
& .bar { display: flex; height: 2.25em; overflow: hidden; border-radius: 5px; background: var(--free);
  forced-color-adjust: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
& .bar li { flex: 0 1 0; min-width: 0; }
& .bar a { display: block; height: 100%; background: var(--accent); color: var(--on-accent); text-decoration: none;
  box-shadow: inset -1px 0 var(--surface); }
& .bar li:nth-child(even) a { background: var(--second); }
& .bar .room { display: flex; height: 100%; align-items: center; justify-content: center; overflow: hidden;
  container-type: inline-size; }
& .bar .number { display: none; font-size: .875em; font-weight: 600; font-variant-numeric: tabular-nums; }
@container (min-width: 1.5em) { & .bar .number { display: inline; } }
& .bar a:focus-visible { outline: 2px solid var(--surface); outline-offset: -4px; }
& .tip { position: absolute; z-index: 1; top: 100%; left: 0; width: 100%; height: 1.75em; padding-top: .25em;
  overflow: hidden; background: var(--surface); color: var(--text); font-size: .875em; text-overflow: ellipsis;
  white-space: nowrap; opacity: 0; pointer-events: none; }
& .bar a:hover .tip, & .bar a:focus-visible .tip { opacity: 1; }
& .ends { display: flex; justify-content: space-between; gap: 1em; height: 1.75em; padding-top: .25em;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
& .sources > li { border-top: 1px solid var(--line); scroll-margin-top: 1em; }
& .sources > li:last-child, & .group { border-bottom: 1px solid var(--line); }
& .sources > li:target { background: var(--tint); }
& summary { position: relative; padding: .7em 1.5em .7em 0; list-style: none; cursor: pointer; }
& summary::-webkit-details-marker { display: none; }
& summary::after { content: ""; position: absolute; top: 1.2em; right: .35em; width: .45em; height: .45em;
  border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
& details[open] > summary::after { transform: translateY(.2em) rotate(225deg); }
& summary:hover .title, & .group > summary:hover { color: var(--accent); }
& summary:focus-visible, & a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
& .sources summary { display: grid; grid-template-columns: 2em minmax(0, 1fr) auto; column-gap: .5em; }
& .sources .number { font-weight: 600; color: var(--accent); font-variant-numeric: tabular-nums; }
& .title { font-weight: 600; }
& .cost { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
& .meta, & .excerpt { display: block; }
& .excerpt { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
& details[open] .excerpt { display: none; }
& .body { padding: 0 1.5em 1.25em 2.5em; }
& .text { max-width: 42em; white-space: pre-wrap; font: 1.0625em/1.6 Charter, "Iowan Old Style", Georgia, serif; }
& .text .cut { padding: 0 .2em; border-radius: 3px; background: var(--tint); color: var(--accent); }
& .hits { margin-top: 1em; }
& .link { margin-top: .75em; color: var(--muted); font-size: .875em; }
& .link a { color: var(--accent); text-decoration: underline; text-underline-offset: .15em; }
& .group > summary { font-weight: 500; }
& .group > summary .muted { font-weight: 400; }
& table { width: 100%; margin: 0 0 1em; border: 0; border-collapse: collapse; font-size: .875em; line-height: 1.45;
  table-layout: fixed; color: inherit; background: none; }
& caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
& tr, & tbody tr:nth-child(n) { border: 0; border-top: 1px solid var(--line); background: none; }
& th, & td { max-width: none; padding: .4em .9em .4em 0; border: 0; text-align: start; vertical-align: top;
  font-weight: 400; white-space: normal; }
& td { hyphens: auto; }
& thead th { color: var(--muted); overflow-wrap: normal; }
& .figure { text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: normal; white-space: nowrap; }
& th:nth-child(-n+2) { width: 4.75em; }
& th:nth-child(3) { width: 42%; }
@media (max-width: 600px) {
  & { padding: 1em; }
  & .sources summary { grid-template-columns: 1.4em minmax(0, 1fr); }
  & .cost { grid-column: 2; display: flex; gap: .75em; font-size: .875em; }
  & .cost .meta { font-size: 1em; }
  & .body { padding: 0 0 1.25em; }
  & th, & td { padding-inline-end: .6em; }
  & th:nth-child(-n+2) { width: 4em; }
  & th:nth-child(3) { width: 32%; }
}
"""


def _variables(colours: dict[str, str]) -> str:
    return "& { " + " ".join(f"--{name}: {colour};" for name, colour in colours.items()) + " }"


STYLE = f"""{_variables(LIGHT)}
@media (prefers-color-scheme: dark) {{ {_variables(DARK)} }}{_RULES}""".replace("&", f".{SCOPE}.{SCOPE}")
"""The rules for what stands in an element of the class `SCOPE`."""

AROUND = f"""html {{ color-scheme: light dark; background: {LIGHT["surface"]}; }}
@media (prefers-color-scheme: dark) {{ html {{ background: {DARK["surface"]}; }} }}
body {{ margin: 0; }}"""
"""The rules for a page of its own, around that element."""
