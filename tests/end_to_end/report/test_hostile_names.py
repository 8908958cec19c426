"""Hostile names are shown as text, and nothing in them runs."""

import pytest

from report.html.sample_reports import EVIL

pytestmark = pytest.mark.browser

HARM = "() => window.pwned === undefined && Object.prototype.pwned === undefined"


def is_harmless(page):
    return page.evaluate(HARM)


@pytest.mark.parametrize("script", [True, False])
def test_nothing_in_a_name_is_run(open_page, report, script):
    page = (
        open_page.ready(report("hostile")) if script else open_page(report("hostile"), script=False)
    )
    assert is_harmless(page)
    assert page.locator("script").count() == 4
    assert page.locator("img, iframe, object, embed, form, base, link").count() == 0


def test_names_are_shown_as_they_are(open_page, report):
    page = open_page.ready(report("hostile"))
    text = page.locator("main").text_content()
    for evil in (evil for evil in EVIL if evil.isprintable() and len(evil) < 100):
        assert evil in text, evil
