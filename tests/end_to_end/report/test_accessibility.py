"""Accessibility: axe finds nothing serious, and nothing is wider than the window."""

from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.browser


def find_violations(page):
    """Return the serious violations that axe finds: a line for each kind, with its places."""
    # Results of other types list element by element, which takes minutes.
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{kind['id']} ({kind['impact']}): {[node['target'] for node in kind['nodes']][:5]}"
        for kind in violations
        if kind["impact"] in ("critical", "serious")
    ]


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 375)])
def test_axe_finds_nothing_serious_where_a_query_is_open(open_page, report, dark, width):
    page = open_page.ready(report("three"), fragment="q=q06", dark=dark, width=width)
    page.locator("#query").wait_for()
    assert find_violations(page) == []


@pytest.mark.parametrize(("name", "width"), [("three", 320), ("twenty", 375), ("hostile", 768)])
def test_nothing_makes_the_page_wider_than_its_window(open_page, report, name, width):
    page = open_page.ready(report(name), width=width)
    if name == "three":
        page.evaluate("location.hash = '#q=q06'")
        page.locator("#query").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_chart_has_a_name_for_those_who_do_not_see_it(open_page, report):
    for script in (True, False):
        page = (open_page.ready if script else open_page)(report("three"), script=script)
        for chart in page.locator("figure.chart .view svg").all():
            name = chart.evaluate(
                """svg => {
                    const marked = svg.closest("[aria-label], [role=img]") ?? svg;
                    return marked.getAttribute("aria-label")
                        || svg.querySelector("title, [aria-label]")?.textContent
                        || svg.querySelector("[aria-label]")?.getAttribute("aria-label");
                }"""
            )
            assert name


def test_headings_leave_no_level_out(open_page, report):
    page = open_page.ready(report("three"))
    levels = page.eval_on_selector_all(
        "h1, h2, h3, h4, h5, h6", "all => all.map(heading => Number(heading.tagName[1]))"
    )
    assert levels.count(1) == 1
    assert all(next_level - level <= 1 for level, next_level in pairwise(levels))
