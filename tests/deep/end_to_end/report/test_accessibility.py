"""Accessibility of reports with few and many runs, and with the keyboard alone."""

import pytest

from end_to_end.report.test_accessibility import find_violations

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["one", "twenty"])
def test_axe_finds_nothing_serious_in_one_run_and_in_twenty(open_page, report, name):
    page = open_page.ready(report(name), dark=name == "twenty")
    assert find_violations(page) == []


def test_every_control_is_reached_by_the_tabulator_key(open_page, report):
    page = open_page.ready(report("three"))
    controls = page.locator("button:visible, select:visible, input:visible, a[href]:visible")
    unreachable = [
        control.evaluate("e => e.outerHTML.slice(0, 80)")
        for control in controls.all()
        if control.evaluate("e => e.tabIndex < 0")
    ]
    assert unreachable == []


def test_what_has_the_focus_is_seen(open_page, report):
    page = open_page.ready(report("three"))
    for _ in range(12):
        page.keyboard.press("Tab")
        is_visible = page.evaluate(
            """() => {
                const style = getComputedStyle(document.activeElement);
                return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
                    || style.boxShadow !== "none";
            }"""
        )
        assert is_visible, page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
