"""Writes small office files and e-books for tests.

It leaves out everything that the readers do not look at.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence

import openpyxl  # type: ignore[import-untyped]
import pptx

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(members: Mapping[str, str]) -> bytes:
    """Return a ZIP archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def docx(paragraphs: Sequence[tuple[str, str]]) -> bytes:
    """Return a Word file of paragraphs, each a style ("Heading1" or an empty one) and its words."""
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>'
        for style, words in paragraphs
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2)
    )
    return archive(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}">'
            f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELATIONS}">'
            f'<Relationship Id="r1" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
            "word/styles.xml": f'<w:styles xmlns:w="{_WORD}">{styles}</w:styles>',
            "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>',
        }
    )


def slides(contents: Sequence[tuple[str, str]]) -> bytes:
    """Return a presentation of slides, each a title and a text."""
    presentation = pptx.Presentation()
    for title, words in contents:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = words
    buffer = io.BytesIO()
    presentation.save(buffer)
    return buffer.getvalue()


def workbook(sheets: Mapping[str, Sequence[Sequence[str | float | None]]]) -> bytes:
    """Return a workbook of sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def epub(chapters: Sequence[str]) -> bytes:
    """Return an e-book of chapters, each the content of an HTML body."""
    items = "".join(f'<item id="c{number}" href="c{number}.xhtml"/>' for number in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
            "book.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Das Buch</dc:title>'
            f"</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
            **{
                f"c{number}.xhtml": f'<?xml version="1.0" encoding="utf-8"?><html><body>{chapter}</body></html>'
                for number, chapter in enumerate(chapters)
            },
        }
    )
