"""Takes the pictures in this folder: `python docs/images/take.py`, with Chromium and the development environment.

Every page in German and light, English and dark; with `--all FOLDER` in both languages and both themes, to look at.
"""

import argparse
import io
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from kontextwerk.index import ingest
from kontextwerk.library import Library
from kontextwerk.settings import Settings
from kontextwerk.web.app import make_app

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "library"
WIDTH = 1000
WIDE: ViewportSize = {"width": 1280, "height": 860}
NARROW: ViewportSize = {"width": 390, "height": 780}
QUESTIONS = ("Wann erfolgt die Auftragsklärung?", "Und wie lange dauert sie?")


@contextmanager
def served(model: str) -> Iterator[str]:
    """Serve the example library; gives the address."""
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(Settings(), data_dir=Path(folder), model=model)
        with Library(settings) as library:
            ingest([EXAMPLES], library.store, library.embedder, settings)
        server = uvicorn.Server(uvicorn.Config(make_app(settings), port=0, log_level="error"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.05)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


def save(page: Page, file: Path) -> None:
    """Save what is seen, small: few colours are enough for text."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if image.width > WIDTH:
        image = image.resize((WIDTH, image.height * WIDTH // image.width), Image.Resampling.LANCZOS)
    image.quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)


def take(page: Page, address: str, language: str, theme: str, folder: Path) -> None:
    """Go through every page in one language and theme, wide and as a telephone shows it."""

    def shot(name: str) -> None:
        for suffix, size in (("", WIDE), ("-narrow", NARROW)):
            page.set_viewport_size(size)
            page.wait_for_timeout(250)
            save(page, folder / f"{name}{suffix}-{language}-{theme}.png")
        page.set_viewport_size(WIDE)

    choices = (("language", language), ("theme", theme))
    page.context.add_cookies([{"name": name, "value": value, "url": address} for name, value in choices])
    page.goto(address)
    shot("start")
    for count, question in enumerate(QUESTIONS):
        page.fill("#question", question)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".turn >> nth={count} >> [data-copy]", timeout=600_000)
    chip = page.locator("a.chip").first
    chip.scroll_into_view_if_needed()
    shot("conversation")
    chip.hover()
    shot("citation")
    link = page.locator(".sources .open").first.get_attribute("href")
    page.mouse.move(0, 0)
    page.keyboard.press("Escape")
    page.locator(".toolbar a[href$='/context']").first.click()
    shot("context")
    page.goto(f"{address}/documents")
    shot("documents")
    page.goto(f"{address}{link}")
    shot("document")


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER")
    parser.add_argument("--model", default="extract")
    arguments = parser.parse_args()
    sets = [("de", "light"), ("en", "dark"), *([("de", "dark"), ("en", "light")] if arguments.all else [])]
    folder = arguments.all or HERE
    folder.mkdir(parents=True, exist_ok=True)
    with served(arguments.model) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for language, theme in sets:
            context = browser.new_context(viewport=WIDE, locale=language)
            take(context.new_page(), address, language, theme, folder)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
