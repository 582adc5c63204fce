"""Build the PDF and DOCX files of the example library from the Markdown in `sources/`.

    python -m venv /tmp/build && /tmp/build/bin/pip install reportlab==5.1.0 python-docx==1.2.0 pyphen==0.18.1
    /tmp/build/bin/python examples/build_library.py

It needs these three packages, which the project itself does not, and the DejaVu fonts (Debian: fonts-dejavu-core and
fonts-dejavu-extra). The same sources, packages and fonts give the same bytes: every date in the files is fixed.

It understands the Markdown that the sources use: headings, paragraphs, `-` and `1.` lists, tables, `**bold**`,
`*italic*` and `<!-- Seitenumbruch -->`, which begins a new page in a PDF. It leaves out links, images, code and nested
lists. The other files of the library are written by hand.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from docx import Document  # type: ignore[import-not-found]
from docx.oxml import OxmlElement  # type: ignore[import-not-found]
from docx.oxml.ns import qn  # type: ignore[import-not-found]
from docx.shared import Cm, Pt  # type: ignore[import-not-found]
from reportlab.lib import colors  # type: ignore[import-untyped]
from reportlab.lib.enums import TA_JUSTIFY  # type: ignore[import-untyped]
from reportlab.lib.pagesizes import A4  # type: ignore[import-untyped]
from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.lib.units import cm  # type: ignore[import-untyped]
from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
from reportlab.pdfbase.ttfonts import TTFont  # type: ignore[import-untyped]
from reportlab.platypus import (  # type: ignore[import-untyped]
    ListFlowable,
    ListItem,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Table,
)

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
LIBRARY = HERE / "library"
FONTS = Path("/usr/share/fonts/truetype/dejavu")
AUTHOR = "Coachingpraxis Weidenhof"
FORMATS = {
    "AGB 2025": ".pdf",
    "Coaching-Handbuch": ".pdf",
    "Kollegiale Beratung": ".docx",
    "Konflikte klären": ".pdf",
    "Leitfaden Auftragsklärung": ".docx",
    "Teamentwicklung": ".pdf",
}
"""The ending of what is built from each source."""

HEADINGS = ("Heading1", "Heading2", "Heading3")
"""The names of the styles of a PDF's headings, by level."""

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip archive can hold
_MARKS = re.compile(r"(\*\*.+?\*\*|\*.+?\*)")
_MARKED = re.compile(r"(?P<heading>#+) |(?P<bullets>- )|(?P<numbers>\d+\. )|(?P<table>\|)|(?P<page><!--)")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a source.

    Attributes:
        kind: What it is.
        rows: Its texts: one for a heading or a paragraph, one for each item of a list, the cells of each table row.
        level: The level of a heading, from 1 for the title; 0 for all else.
    """

    kind: Literal["heading", "paragraph", "bullets", "numbers", "table", "page"]
    rows: tuple[tuple[str, ...], ...]
    level: int = 0


def main() -> None:
    """Build every file and say what became of it."""
    register_fonts()
    for name, ending in FORMATS.items():
        blocks = tuple(parse((SOURCES / f"{name}.md").read_text(encoding="utf-8")))
        content = pdf(blocks) if ending == ".pdf" else docx(blocks)
        path = LIBRARY / f"{name}{ending}"
        path.write_bytes(content)
        print(f"{path.relative_to(HERE)}: {len(content)} bytes")


def parse(text: str) -> Iterator[Block]:
    """Yield the blocks of a source, which blank lines set apart."""
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.splitlines()
        mark = _MARKED.match(part)
        kind: Any = mark.lastgroup if mark else "paragraph"
        if kind == "table":
            yield Block(kind, tuple(cells(line) for line in lines if not set(line) <= set("|- ")))
        elif kind in {"bullets", "numbers"}:
            yield Block(kind, tuple((item,) for item in items(lines)))
        else:
            level = len(mark["heading"]) if mark and kind == "heading" else 0
            yield Block(kind, ((" ".join(lines).lstrip("# "),),), level)


def cells(line: str) -> tuple[str, ...]:
    """Return the cells of a table row."""
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def items(lines: list[str]) -> Iterator[str]:
    """Yield the items of a list, the continued lines of each joined."""
    text = re.sub(r"\n\s+", " ", "\n".join(lines))
    yield from (re.sub(r"^(- |\d+\. )", "", line) for line in text.splitlines())


def register_fonts() -> None:
    """Make one font family known to the PDF writer."""
    for face in ("", "-Bold", "-Italic", "-BoldItalic"):
        pdfmetrics.registerFont(TTFont(f"Text{face}", FONTS / f"DejaVuSerifCondensed{face}.ttf"))
    pdfmetrics.registerFontFamily("Text", "Text", "Text-Bold", "Text-Italic", "Text-BoldItalic")


def styles() -> dict[str, Any]:
    """Return the paragraph styles of a PDF; long words are hyphenated in running text alone."""
    body = ParagraphStyle(
        "body",
        fontName="Text",
        fontSize=10.5,
        leading=15.5,
        spaceAfter=7,
        alignment=TA_JUSTIFY,
        hyphenationLang="de_DE",
    )
    head = ParagraphStyle(
        "head", fontName="Text-Bold", fontSize=13, leading=18, spaceBefore=12, spaceAfter=6, keepWithNext=1
    )
    return {
        "body": body,
        "item": ParagraphStyle("item", parent=body, spaceAfter=4),
        "cell": ParagraphStyle("cell", fontName="Text", fontSize=9.5, leading=13),
        "1": ParagraphStyle(HEADINGS[0], parent=head, fontSize=20, leading=26, spaceAfter=12),
        "2": ParagraphStyle(HEADINGS[1], parent=head, fontSize=15, leading=20),
        "3": ParagraphStyle(HEADINGS[2], parent=head),
    }


def pdf(blocks: tuple[Block, ...]) -> bytes:
    """Return the blocks as a PDF with page numbers and bookmarks."""
    title, target, known = blocks[0].rows[0][0], io.BytesIO(), styles()

    def footer(canvas: Any, document: Any) -> None:  # noqa: ANN401  the writer has no types
        canvas.setFont("Text", 9)
        canvas.drawString(3 * cm, 1.5 * cm, title)
        canvas.drawRightString(A4[0] - 3 * cm, 1.5 * cm, f"Seite {document.page}")

    def bookmark(part: Any) -> None:  # noqa: ANN401  the writer has no types
        if isinstance(part, Paragraph) and part.style.name in HEADINGS:
            text, level = part.getPlainText(), HEADINGS.index(part.style.name)
            document.canv.bookmarkPage(text)
            document.canv.addOutlineEntry(text, text, level)

    margins = {"leftMargin": 3 * cm - 6, "rightMargin": 3 * cm - 6, "topMargin": 2 * cm, "bottomMargin": 2.2 * cm}
    about = {"title": title, "author": AUTHOR, "lang": "de-DE"}
    document = SimpleDocTemplate(target, pagesize=A4, invariant=1, **margins, **about)
    document.afterFlowable = bookmark
    document.build([flowable(block, known) for block in blocks], onFirstPage=footer, onLaterPages=footer)
    return target.getvalue()


def flowable(block: Block, known: dict[str, Any]) -> Any:  # noqa: ANN401  the writer has no types
    """Return a block as the PDF writer's own object."""
    first = block.rows[0][0]
    if block.kind == "page":
        return PageBreak()
    if block.kind == "heading":
        return Paragraph(tagged(first), known[str(block.level)])
    if block.kind == "paragraph":
        return Paragraph(tagged(first), known["body"])
    if block.kind == "table":
        return pdf_table(block, known["cell"])
    entries = [ListItem(Paragraph(tagged(row[0]), known["item"])) for row in block.rows]
    bullet: dict[str, Any] = {"bulletType": "bullet", "start": "•"}
    if block.kind == "numbers":
        bullet = {"bulletType": "1", "bulletFormat": "%s."}
    return ListFlowable(entries, bulletFontName="Text", bulletFontSize=10.5, leftIndent=20, spaceAfter=7, **bullet)


def pdf_table(block: Block, cell: Any) -> Any:  # noqa: ANN401  the writer has no types
    """Return a table as wide as the text: no word is broken, and longer columns get more of the room left."""
    columns = list(zip(*block.rows, strict=True))
    least = [
        max(pdfmetrics.stringWidth(word, "Text-Bold", 9.5) for word in " ".join(column).split()) for column in columns
    ]
    longest = [max(map(len, column)) for column in columns]
    room = A4[0] - 6 * cm - sum(least) - 14 * len(columns)
    widths = [word + 14 + room * length / sum(longest) for word, length in zip(least, longest, strict=True)]
    head = [Paragraph(f"<b>{tagged(text)}</b>", cell) for text in block.rows[0]]
    body = [[Paragraph(tagged(text), cell) for text in row] for row in block.rows[1:]]
    style = [
        ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
    return Table([head, *body], colWidths=widths, style=style, repeatRows=1, spaceBefore=4, spaceAfter=12)


def tagged(text: str) -> str:
    """Return marked text in the PDF writer's own tags."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text))


def docx(blocks: tuple[Block, ...]) -> bytes:
    """Return the blocks as a Word document."""
    document = Document()
    document.core_properties.title = blocks[0].rows[0][0]
    document.core_properties.author = document.core_properties.last_modified_by = AUTHOR
    document.core_properties.comments = ""
    document.core_properties.language = "de-DE"
    prepare(document)
    for block in blocks:
        add(document, block)
    target = io.BytesIO()
    document.save(target)
    return undated(target.getvalue())


def prepare(document: Any) -> None:  # noqa: ANN401  the writer has no types here
    """Set paper, font, language and page number."""
    section, normal = document.sections[0], document.styles["Normal"]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    normal.font.name, normal.font.size = "Calibri", Pt(11)
    language = OxmlElement("w:lang")
    language.set(qn("w:val"), "de-DE")
    normal.element.get_or_add_rPr().append(language)
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    section.footer.paragraphs[0].add_run("Seite ")
    section.footer.paragraphs[0]._p.append(field)  # noqa: SLF001  the writer has no call for fields


def add(document: Any, block: Block) -> None:  # noqa: ANN401  the writer has no types here
    """Append a block to a Word document."""
    if block.kind == "heading":
        document.add_heading(block.rows[0][0], block.level)
    elif block.kind == "table":
        table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # noqa: SLF001  there is no call for it
        for row, texts in zip(table.rows, block.rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                write(cell.paragraphs[0], text)
        document.add_paragraph()
    else:
        style = {"bullets": "List Bullet", "numbers": "List Number"}.get(block.kind, "Normal")
        for (text,) in block.rows:
            write(document.add_paragraph(style=style), text)


def write(paragraph: Any, text: str) -> None:  # noqa: ANN401  the writer has no types here
    """Append marked text to a paragraph of a Word document."""
    for part in filter(None, _MARKS.split(text)):
        run = paragraph.add_run(part.strip("*"))
        run.bold, run.italic = (True, None) if part.startswith("**") else (None, part.startswith("*") or None)


def undated(archive: bytes) -> bytes:
    """Return a zip archive whose members all bear the same date."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            copy.writestr(member, source.read(name))
    return target.getvalue()


if __name__ == "__main__":
    main()
