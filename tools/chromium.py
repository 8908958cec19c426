"""The browser of tests, pictures and benchmarks: Chromium without a window or a network."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VARIABLE = "GAINFUL_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome")
# A browser calls home by itself, and its sandbox needs rights that containers lack.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


def find_program() -> str | None:
    """Return the path of the browser that GAINFUL_BROWSER names, or of the first one found."""
    setting = os.environ.get(VARIABLE)
    paths = (shutil.which(name) for name in ([setting] if setting else NAMES))
    return next((path for path in paths if path is not None), None)


def explain_missing() -> str | None:
    """Return the reason why no browser can be started, or None."""
    if find_program() is not None:
        return None
    setting = os.environ.get(VARIABLE)
    if setting:
        return f"{VARIABLE} names no program, got {setting!r}"
    return f"there is no {', '.join(NAMES[:-1])} or {NAMES[-1]}; {VARIABLE} may name another"


@contextmanager
def launch() -> Iterator["Browser"]:
    """Yield a browser that ends with the block."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_program(), args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()
