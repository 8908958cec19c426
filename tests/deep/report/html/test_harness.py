"""The browser that the other tests look through: it sees all trouble, and reaches nothing."""

import pytest

import chromium

pytestmark = pytest.mark.browser


def _body(inside):
    return f"<!doctype html><html lang=en><title>Page</title><body>{inside}"


def test_a_page_without_trouble_opens(opened):
    page = opened(_body("<p id=it>here</p><script>it.append(' and now')</script>"))
    assert page.locator("#it").inner_text() == "here and now"


def test_scripts_can_be_off(opened):
    page = opened(_body("<p id=it>here</p><script>it.append(' and now')</script>"), script=False)
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
def test_complaints_are_heard(opened, inside, trouble):
    opened(_body(inside))
    assert opened.trouble == trouble
    opened.trouble.clear()


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
def test_requests_are_aborted_and_heard(opened, inside):
    page = opened(_body(inside))
    page.wait_for_load_state("load")
    page.wait_for_function("true")
    assert [one for one in opened.trouble if one.startswith("request: ")]
    opened.trouble.clear()


def test_colours_width_and_media_are_as_asked(opened):
    page = opened(_body("here"), dark=True, width=375, media="print")
    for query in ("(prefers-color-scheme: dark)", "(width: 375px)", "print"):
        assert page.evaluate("query => matchMedia(query).matches", query)


def test_a_fragment_reaches_the_page(opened):
    page = opened(_body("here"), fragment="q=401")
    assert page.evaluate("location.hash") == "#q=401"


def test_a_browser_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setenv("GAINFUL_BROWSER", "no-such-browser")
    assert chromium.program() is None
    assert chromium.why_not() == "GAINFUL_BROWSER names no program, got 'no-such-browser'"
    monkeypatch.delenv("GAINFUL_BROWSER")
    monkeypatch.setenv("PATH", "")
    assert chromium.why_not() == (
        "there is no chromium, chromium-browser or google-chrome; GAINFUL_BROWSER may name another"
    )
