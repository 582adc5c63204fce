"""What must stand before a unit of text so that a person can read it: a table's heading row, what leads in a list.

    | Leistung | Preis |         the heading row and the ruler come along with every row,
    | --- | --- |
    | Erstgespräch | 90 Euro |

    Geklärt wird:                the lead-in with every item, and the item above with those nested in it,
    - der Anlass
      - aus wessen Sicht         both fences with every line of a long block of code.

It leaves out where units begin and end: see `sentences`.
"""

import re
from collections.abc import Sequence

from kontextwerk.context.model import Span

_MARKER = re.compile(r"(?:[-*+•‣◦▪–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]")
_RULER = re.compile(r"\|?[\s:|-]*-[\s:|-]*$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_FENCES = re.compile(r"^[ \t]*(```|~~~).*$", re.MULTILINE)

Leads = tuple[int, ...]
"""The units, by their index, that come along with another."""


def leads(text: str, spans: Sequence[Span]) -> tuple[Leads, ...]:
    r"""Return for each unit which others come along with it.

    Args:
        text: A stretch of a document.
        spans: Start and end of its units, as `sentences` finds them.

    >>> text = "Geklärt wird:\n- der Anlass\n- das Ziel"
    >>> leads(text, [(0, 13), (14, 26), (27, 37)])
    ((), (0,), (0,))
    """
    units = [text[slice(*span)] for span in spans]
    if not any(unit[0] in "|`~" or _MARKER.match(unit) for unit in units if unit):
        return ((),) * len(units)
    found: list[Leads] = [()] * len(units)
    for index, own in (*_of_tables(units), *_of_code(units), *_of_lists(text, spans, units)):
        found[index] = own
    return tuple(found)


def code_blocks(text: str) -> list[Span]:
    """Return start and end of each block of code between fences, these included; one that is never closed is none."""
    found: list[Span] = []
    opening: re.Match[str] | None = None
    for fence in _FENCES.finditer(text) if "```" in text or "~~~" in text else ():
        if opening is None:
            opening = fence
        elif fence[1] == opening[1]:
            found.append((opening.start(), fence.end()))
            opening = None
    return found


def _of_tables(units: Sequence[str]) -> list[tuple[int, Leads]]:
    """Return the heading row and the ruler for each row below them."""
    found: list[tuple[int, Leads]] = []
    head = -1
    for index, unit in enumerate(units):
        if not unit.startswith("|"):
            head = -1
        elif head < 0:
            head = index
        elif head + 1 < index and _RULER.match(units[head + 1]):
            found.append((index, (head, head + 1)))
        elif head + 1 == index and _RULER.match(unit):
            found.append((index, (head,)))
    return found


def _of_code(units: Sequence[str]) -> list[tuple[int, Leads]]:
    """Return both fences for each line between them, and each fence for the other."""
    found: list[tuple[int, Leads]] = []
    opening = -1
    for index, unit in enumerate(units):
        if not _FENCE.match(unit) or "\n" in unit:
            continue
        if opening < 0:
            opening = index
            continue
        found += [(line, (opening, index)) for line in range(opening + 1, index)]
        found += [(opening, (index,)), (index, (opening,))]
        opening = -1
    return found


def _of_lists(text: str, spans: Sequence[Span], units: Sequence[str]) -> list[tuple[int, Leads]]:
    """Return for each item the items above it in which it is nested, and the line that leads in the list."""
    found: list[tuple[int, Leads]] = []
    above: list[tuple[int, int]] = []  # indent and index of the items in which the next one may be nested
    lead: Leads = ()
    for index, unit in enumerate(units):
        indent = _indent(text, spans[index][0])
        if indent is None:  # goes on in the line of the unit before
            continue
        if not _MARKER.match(unit):
            if not indent:
                above, lead = [], ()
            continue
        if not above:
            lead = (index - 1,) if index and units[index - 1].endswith(":") else ()
        above = [item for item in above if item[0] < indent]
        own = (*lead, *(item for _, item in above))
        if own:
            found.append((index, own))
        above.append((indent, index))
    return found


def _indent(text: str, start: int) -> int | None:
    """Return how many blanks stand before a unit; None where it does not begin a line."""
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    return None if before.strip() else len(before.expandtabs(4))
