"""The documentation says what is so: links lead somewhere, the reference is that of the code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the project finds it."""
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", ["settings.md", "commands.md"])
def test_the_reference_is_that_of_the_code(page: str) -> None:
    """What `make docs` would write is what stands there."""
    program = f"import write; print(write.PAGES[{page!r}](), end='')"
    folder = ROOT / "docs" / "reference"
    made = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert made.stdout == (folder / page).read_text(encoding="utf-8")
