"""Fixtures that open pages in a browser without a network, in which nothing may go wrong."""

import os
from pathlib import Path

import pytest

import chromium
from report.html import sample_reports

MAKERS = {
    "three": sample_reports.write_demo_report,
    "two": lambda path: sample_reports.write_demo_report(path, "keyword.run", "hybrid.run"),
    "one": lambda path: sample_reports.write_demo_report(path, "semantic.run"),
    "twenty": lambda path: sample_reports.write_random_report(path, 60, 20),
    "many": lambda path: sample_reports.write_random_report(path, 300, 2),
    "hostile": sample_reports.write_hostile_report,
}


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a process."""
    reason = chromium.explain_missing()
    if reason is not None:
        pytest.skip(reason)
    with chromium.launch() as chromium_browser:
        yield chromium_browser


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """A report by its name, written once: of ``three``, ``two``, ``one`` or ``twenty`` runs, ..."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent / "reports" if "PYTEST_XDIST_WORKER" in os.environ else base / "reports"
    folder.mkdir(exist_ok=True)

    def written(name):
        path = folder / f"{name}.html"
        if not path.exists():
            # Processes share the file: it is there when it is complete.
            MAKERS[name](draft := folder / f"{name}-{os.getpid()}.html")
            draft.replace(path)
        return path

    return written


@pytest.fixture
def open_page(browser, tmp_path):
    """Opens a page, a path or the text of one: ``open_page(path, dark=True, width=375)``.

    Every request but that for the page itself is aborted. Whatever a browser complains of, errors
    and warnings of the console, dialogs, requests, is in ``open_page.trouble``, which must be empty
    at the end.
    """
    opening = _Opening(browser, tmp_path)
    yield opening
    opening.close()
    assert opening.trouble == []


class _Opening:
    def __init__(self, browser, folder):
        self.trouble = []
        self._browser = browser
        self._folder = folder
        self._contexts = []

    def __call__(
        self,
        page,
        *,
        fragment="",
        dark=False,
        width=1280,
        height=900,
        script=True,
        media="screen",
        **context_options,
    ):
        """The page of Playwright, once it has loaded.

        Args:
            page: Its path, or its text.
            fragment: What follows the ``#`` of its address.
            dark: Whether the system asks for dark colors.
            width: Of the window, in pixels.
            height: Of the window, in pixels.
            script: Whether scripts run.
            media: ``"screen"`` or ``"print"``.
            context_options: More for ``browser.new_context``, such as ``has_touch=True``.
        """
        address = self._path(page).resolve().as_uri()
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            offline=True,
            **context_options,
        )
        self._contexts.append(context)
        context.route("**/*", lambda route: self._answer(route, address))
        browser_page = context.new_page()
        browser_page.set_default_timeout(60_000)  # machines are busy
        browser_page.emulate_media(media=media)
        self._listen(browser_page)
        browser_page.goto(f"{address}#{fragment}" if fragment else address)
        return browser_page

    def ready(self, page, **options):
        """The same, once its tables and charts can be used."""
        browser_page = self(page, **options)
        browser_page.wait_for_function('performance.getEntriesByName("gainful-ready").length > 0')
        return browser_page

    def close(self):
        """Closes all pages."""
        for context in self._contexts:
            context.close()

    def _path(self, page):
        if isinstance(page, Path):
            return page
        path = self._folder / f"page-{len(self._contexts)}.html"
        path.write_text(page, encoding="utf-8")
        return path

    def _answer(self, route, address):
        if route.request.url.partition("#")[0] == address:
            route.continue_()
        else:
            self.trouble.append(f"request: {route.request.url}")
            route.abort()

    def _listen(self, page):
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("dialog", self._dismiss)
        page.on("crash", lambda _: self.trouble.append("crash"))

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.trouble.append(f"{message.type}: {message.text}")

    def _dismiss(self, dialog):
        self.trouble.append(f"dialog: {dialog.message}")
        dialog.dismiss()
