"""Names that mean harm are shown as they are, and nothing of them is run."""

import pytest

from report.html.samples import EVIL

pytestmark = pytest.mark.browser

HARM = "() => window.pwned === undefined && Object.prototype.pwned === undefined"


def harmless(page):
    return page.evaluate(HARM)


@pytest.mark.parametrize("script", [True, False])
def test_nothing_in_a_name_is_run(opened, report, script):
    page = opened.ready(report("hostile")) if script else opened(report("hostile"), script=False)
    assert harmless(page)
    assert page.locator("script").count() == 4
    assert page.locator("img, iframe, object, embed, form, base, link").count() == 0


def test_names_are_shown_as_they_are(opened, report):
    page = opened.ready(report("hostile"))
    said = page.locator("main").text_content()
    for evil in (evil for evil in EVIL if evil.isprintable() and len(evil) < 100):
        assert evil in said, evil
