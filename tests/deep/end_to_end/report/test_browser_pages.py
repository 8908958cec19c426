"""The browser of the tests: it hears every complaint, and reaches no network."""

import pytest

import chromium

pytestmark = pytest.mark.browser


def _make_page(content):
    return f"<!doctype html><html lang=en><title>Page</title><body>{content}"


def test_a_page_without_trouble_opens(open_page):
    page = open_page(_make_page("<p id=it>here</p><script>it.append(' and now')</script>"))
    assert page.locator("#it").inner_text() == "here and now"


def test_scripts_can_be_off(open_page):
    page = open_page(
        _make_page("<p id=it>here</p><script>it.append(' and now')</script>"), script=False
    )
    assert page.locator("#it").inner_text() == "here"


@pytest.mark.parametrize(
    ("inside", "trouble"),
    [
        ("<script>console.error('broken')</script>", ["error: broken"]),
        ("<script>console.warn('odd')</script>", ["warning: odd"]),
        ("<script>throw new Error('thrown')</script>", ["error: thrown"]),
        ("<script>alert('look')</script>", ["dialog: look"]),
    ],
)
def test_complaints_are_heard(open_page, inside, trouble):
    open_page(_make_page(inside))
    assert open_page.trouble == trouble
    open_page.trouble.clear()


@pytest.mark.parametrize(
    "inside",
    [
        '<img src="https://example.org/a.png">',
        '<link rel=stylesheet href="https://example.org/a.css">',
        '<script src="https://example.org/a.js"></script>',
        "<script>fetch('https://example.org/a').catch(() => 0)</script>",
        '<img src="elsewhere.png">',
    ],
)
def test_requests_are_aborted_and_heard(open_page, inside):
    page = open_page(_make_page(inside))
    page.wait_for_load_state("load")
    page.wait_for_function("true")
    assert [message for message in open_page.trouble if message.startswith("request: ")]
    open_page.trouble.clear()


def test_colors_width_and_media_are_as_asked(open_page):
    page = open_page(_make_page("here"), dark=True, width=375, media="print")
    for query in ("(prefers-color-scheme: dark)", "(width: 375px)", "print"):
        assert page.evaluate("query => matchMedia(query).matches", query)


def test_a_fragment_reaches_the_page(open_page):
    page = open_page(_make_page("here"), fragment="q=401")
    assert page.evaluate("location.hash") == "#q=401"


def test_a_browser_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setenv("GAINFUL_BROWSER", "no-such-browser")
    assert chromium.find_program() is None
    assert chromium.explain_missing() == "GAINFUL_BROWSER names no program, got 'no-such-browser'"
    monkeypatch.delenv("GAINFUL_BROWSER")
    monkeypatch.setenv("PATH", "")
    assert chromium.explain_missing() == (
        "there is no chromium, chromium-browser or google-chrome; GAINFUL_BROWSER may name another"
    )
