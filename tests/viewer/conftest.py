"""What the tests of the viewer share: a real browser, and runs to look at in it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, sync_playwright

from callagain.diagrams.walk import Walk
from callagain.viewer import write_page

Open = Callable[..., Page]

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Nothing that a browser does by itself, above all on the network.
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed_browser() -> str | None:
    """The path of a Chromium: the one that CHROMIUM names, or one on the path."""
    names = [name for name in (os.environ.get("CHROMIUM"), *NAMES) if name]
    return next((path for name in names if (path := shutil.which(name)) is not None), None)


# Not of the session: while Playwright is started, its event loop runs, and no other can.
@pytest.fixture(scope="module")
def browser() -> Iterator[BrowserContext]:
    path = installed_browser()
    if path is None:
        pytest.skip("no Chromium was found; apt-get install chromium, or name one in CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield browser.new_context(reduced_motion="reduce")
        browser.close()


@pytest.fixture
def open_page(browser: BrowserContext, tmp_path: Path) -> Iterator[Open]:
    """`open_page(walk, "#step=3", width=1280, dark=False)` writes the page of a run and opens it.

    At the end nothing may have been loaded, and the console must be empty.
    """
    pages, loaded, told = list[Page](), list[str](), list[str]()

    def refuse(dialog: Dialog) -> None:
        told.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def open_page(
        walk: Walk, address: str = "", *, width: int = 1280, dark: bool = False, difference: str | None = None
    ) -> Page:
        path = tmp_path / f"{len(pages)}.html"
        write_page(walk, path, difference=difference)
        page = browser.new_page()
        pages.append(page)
        page.set_default_timeout(5_000)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.on("request", lambda request: loaded.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("dialog", refuse)
        page.goto(f"{path.as_uri()}{address}")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert [url for url in loaded if not url.startswith("file:")] == []
    assert told == []
