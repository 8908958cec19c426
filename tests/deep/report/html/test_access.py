"""The page of reports of other sizes, for those who do not see it or use no mouse."""

import pytest

from report.html.test_browser_access import violations

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["one", "twenty"])
def test_axe_finds_nothing_serious_in_one_run_and_in_twenty(opened, report, name):
    page = opened.ready(report(name), dark=name == "twenty")
    assert violations(page) == []


def test_every_control_is_reached_by_the_tabulator_key(opened, report):
    page = opened.ready(report("three"))
    controls = page.locator("button:visible, select:visible, input:visible, a[href]:visible")
    unreachable = [
        one.evaluate("e => e.outerHTML.slice(0, 80)")
        for one in controls.all()
        if one.evaluate("e => e.tabIndex < 0")
    ]
    assert unreachable == []


def test_what_has_the_focus_is_seen(opened, report):
    page = opened.ready(report("three"))
    for _ in range(12):
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => {
                const style = getComputedStyle(document.activeElement);
                return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
                    || style.boxShadow !== "none";
            }"""
        )
        assert seen, page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
