"""Tasks that open pages in Chromium, timed inside the browser."""

import math
import os
from pathlib import Path

from bench.tasks import Timing, task

_EMPTY = (
    '<!doctype html><html lang="en"><title>Empty</title>'
    '<script>performance.mark("gainful-ready")</script>'
)
_READY = 'performance.getEntriesByName("gainful-ready")[0]'


@task("opening a report", package="playwright")
def open_report(path: str) -> Timing:
    """Time a page from the start of navigation to the mark that it is ready.

    The browser has started, and has opened no page before.
    """
    from chromium import launch

    with launch() as browser:
        # The policy of the page forbids wait_for_function to evaluate text.
        page = browser.new_page(viewport={"width": 1280, "height": 900}, bypass_csp=True)
        page.goto(Path(path).resolve().as_uri(), wait_until="commit")
        page.wait_for_function(_READY, timeout=60_000)
        milliseconds = page.evaluate(f"{_READY}.startTime")
    return milliseconds / 1e3, math.nan, os.path.getsize(path) / 1e6


@task("opening an empty page", package="playwright")
def open_empty_page(path: str) -> Timing:
    """Time a page that has nothing except the mark that it is ready."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(_EMPTY, encoding="utf-8")
    return open_report(path)
