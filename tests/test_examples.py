"""The example library, its sources and its questions hold together; how a search answers them is not judged here."""

import json
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from markitdown import MarkItDown

from kontextwerk.documents import read as read_document

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LIBRARY = EXAMPLES / "library"
SOURCES = sorted((EXAMPLES / "sources").glob("*.md"))
DOCUMENTS = sorted(path for path in LIBRARY.iterdir() if not path.name.startswith("."))
QUESTIONS: dict[str, list[Any]] = json.loads((EXAMPLES / "questions.json").read_text(encoding="utf-8"))
WORDS_A_PAGE = 350  # for formats without pages


def encoding(path: Path) -> str:
    """Return how a text file is encoded: UTF-8, or the Windows code page that is no valid UTF-8."""
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def read(path: Path) -> list[str]:
    """Return the text of a document page by page; one page where the format has none."""
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as document:
            return [page.get_textpage().get_text_range() for page in document]
    if path.suffix in {".md", ".txt"}:
        return [path.read_text(encoding=encoding(path))]
    return [MarkItDown().convert(path).text_content]


def fold(text: str) -> str:
    """Join words that a line end broke (PDFium marks them with U+FFFE) and fold white space."""
    return " ".join(re.sub(r"\ufffe\s*", "", text.replace("\u00ad", "")).split())


def squeeze(text: str) -> str:
    """Return the text without white space, hyphens and marks of emphasis, which a layout may change."""
    return re.sub(r"[\s*\ufffe\u00ad-]", "", text)


@pytest.fixture(scope="module")
def library() -> dict[str, list[str]]:
    """Every document's raw text, by file name and page."""
    return {path.name: read(path) for path in DOCUMENTS}


def pieces(source: str) -> list[str]:
    """Return the headings, paragraphs, list items and table cells of a source."""
    found: list[str] = []
    for part in re.split(r"\n\s*\n", source.strip()):
        if part.startswith("|"):
            found += [cell for line in part.splitlines() if not set(line) <= set("|- ") for cell in line.split("|")]
        elif not part.startswith("<!--"):
            found += re.split(r"^(?:- |\d+\. |#+ )", part, flags=re.MULTILINE)
    return [piece for piece in map(squeeze, found) if piece]


def test_formats() -> None:
    """The library has the promised formats, and text files in both encodings."""
    endings = [path.suffix for path in DOCUMENTS]
    least = {".pdf": 3, ".docx": 2, ".html": 1, ".md": 2, ".txt": 2}
    assert len(DOCUMENTS) >= 9
    assert {ending: endings.count(ending) >= count for ending, count in least.items()} == dict.fromkeys(least, True)
    assert {encoding(path) for path in DOCUMENTS if path.suffix == ".txt"} == {"utf-8", "cp1252"}


def test_size(library: dict[str, list[str]]) -> None:
    """The library has at least 32 pages, half of them in PDF, and stays below a megabyte."""
    in_pdf = sum(len(pages) for name, pages in library.items() if name.endswith(".pdf"))
    words = sum(len(pages[0].split()) for name, pages in library.items() if not name.endswith(".pdf"))
    assert in_pdf >= 16
    assert in_pdf + words // WORDS_A_PAGE >= 32
    assert sum(path.stat().st_size for path in DOCUMENTS) < 1_000_000


def test_pdf_is_as_pdf_is(library: dict[str, list[str]]) -> None:
    """The PDF files have page numbers, words broken at line ends, and one broken by a page end."""
    for name, pages in library.items():
        if name.endswith(".pdf"):
            assert all(f"Seite {number}" in page for number, page in enumerate(pages, start=1)), name
            assert any("\ufffe" in page for page in pages), name
    ends = [page.rstrip() for name, pages in library.items() if name.endswith(".pdf") for page in pages]
    assert any(page.endswith("-") for page in ends)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_built_files_are_fresh(source: Path, library: dict[str, list[str]]) -> None:
    """What is built from a source holds every piece of its wording."""
    (built,) = (path for path in DOCUMENTS if path.stem == source.stem)
    title = source.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
    text = squeeze(re.sub(re.escape(title) + r" Seite \d+\s", "", "".join(library[built.name])))
    assert [piece for piece in pieces(source.read_text(encoding="utf-8")) if piece not in text] == []


def test_every_built_file_has_a_source() -> None:
    """No PDF or DOCX stands in the library without its source."""
    assert {path.stem for path in DOCUMENTS if path.suffix in {".pdf", ".docx"}} == {path.stem for path in SOURCES}


def test_questions_are_well_formed() -> None:
    """Each question has its fields in the right types, and names documents that exist."""
    names = {path.name for path in DOCUMENTS}
    assert set(QUESTIONS) == {"answerable", "unanswerable"}
    for entry in QUESTIONS["answerable"]:
        assert set(entry) - {"also", "paraphrase"} == {"question", "document", "page", "phrase"}
        assert {entry["document"], *entry.get("also", [])} <= names
        assert (type(entry["page"]) is int) == entry["document"].endswith(".pdf")
        assert 5 <= len(entry["phrase"]) <= 80
    asked = [entry["question"] for entry in QUESTIONS["answerable"]] + QUESTIONS["unanswerable"]
    assert all(question.endswith("?") for question in asked)


def test_questions_are_many_and_different() -> None:
    """There are at least 44 answerable and 10 unanswerable questions, none twice, and some for every document."""
    answerable = [entry["question"] for entry in QUESTIONS["answerable"]]
    assert len(answerable) >= 44
    assert len(QUESTIONS["unanswerable"]) >= 10
    asked = [question.casefold() for question in answerable + QUESTIONS["unanswerable"]]
    assert len(set(asked)) == len(asked)
    assert {entry["document"] for entry in QUESTIONS["answerable"]} == {path.name for path in DOCUMENTS}


@pytest.mark.parametrize("entry", QUESTIONS["answerable"], ids=lambda entry: entry["question"])
def test_phrase_answers_where_it_should(entry: dict[str, Any], library: dict[str, list[str]]) -> None:
    """The answering phrase stands once in its document, on its page, and elsewhere only where `also` says so."""
    holders = {name for name, pages in library.items() if any(entry["phrase"] in fold(page) for page in pages)}
    assert holders == {entry["document"], *entry.get("also", [])}
    pages = [
        number
        for number, page in enumerate(library[entry["document"]], 1)
        for _ in re.findall(re.escape(entry["phrase"]), fold(page))
    ]
    assert pages == [entry["page"] or 1]


def test_the_demo_can_be_answered() -> None:
    """The question of the demo is among the answerable ones."""
    assert "Wann erfolgt die Auftragsklärung?" in [entry["question"] for entry in QUESTIONS["answerable"]]


def test_contradictions_stand(library: dict[str, list[str]]) -> None:
    """The documents disagree as real ones do: on cancellation, and between two versions of a guideline."""
    text = {name: fold(" ".join(pages)) for name, pages in library.items()}
    assert "bis 48 Stunden vor Beginn kostenfrei" in text["AGB 2025.pdf"]
    assert "Bis 24 Stunden vorher kostet die Absage nichts" in text["FAQ.txt"]
    assert "Ersetzt die Fassung vom 15. September 2021" in text["Leitfaden Auftragsklärung.docx"]
    assert "Fassung 1.2 vom 15. September 2021" in text["Leitfaden Auftragsklärung 2021.txt"]


def test_a_paragraph_stands_twice(library: dict[str, list[str]]) -> None:
    """Two documents share a paragraph word for word, as copied text does."""
    text = fold(library["Systemische Fragen.md"][0])
    shared = text[text.index("Skalierungsfragen machen Unterschiede") : text.index("Antwortet jemand mit 0")].strip()
    assert len(shared) > 300
    assert shared in fold(" ".join(library["Coaching-Handbuch.pdf"]))


def test_no_heading_swallows_the_line_above_it() -> None:
    """The last short line of a paragraph above a heading stays with its paragraph."""
    for path in sorted(LIBRARY.glob("*.pdf")):
        assert "-\n\n" not in read_document(path).text
