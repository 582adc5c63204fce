"""Comma-separated values, whatever separates them, into a Markdown table.

It leaves out what the columns mean.
"""

import csv
from collections import Counter

_DELIMITERS = (";", "\t", ",", "|")  # German spreadsheets write semicolons: the comma is the decimal sign
_SAMPLE = 50  # lines that show the delimiter


def table(text: str) -> str:
    r"""Return the rows of a table; the text as it is where it has no columns.

    Raises:
        csv.Error: A field is larger than the `csv` module allows (131,072 characters).

    >>> print(table("Name;Preis\nBrot;3,50"))
    | Name | Preis |
    | --- | --- |
    | Brot | 3,50 |
    """
    delimiter = _delimiter(text.splitlines()[:_SAMPLE])
    if not delimiter:
        return text
    rows = [row for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter) if any(row)]
    width = max(len(row) for row in rows)
    lines = [_row([*row, *[""] * (width - len(row))]) for row in rows]
    return "\n".join([lines[0], _row(["---"] * width), *lines[1:]])


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter that stands equally often in most lines, or an empty string."""
    filled = [line for line in lines if line.strip()]
    best, most = "", 0
    for delimiter in _DELIMITERS:
        counts = Counter(line.count(delimiter) for line in filled if delimiter in line)
        agreeing = counts.most_common(1)[0][1] if counts else 0
        if agreeing > most and agreeing * 2 >= len(filled):
            best, most = delimiter, agreeing
    return best


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"
