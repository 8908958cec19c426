"""How gain grows: other pairs, one run, and narrow screens."""

import pytest

from end_to_end.report.test_growth_chart import read_growth

pytestmark = pytest.mark.browser


def test_gain_is_drawn_of_any_pair(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q05")
    page.locator("#pair-choice select").nth(1).select_option(label="semantic")
    assert {series for _, series in read_growth(page)} == {"keyword", "semantic", "ideal"}
    texts = page.locator("#query .growth svg text").all_text_contents()
    assert [name for name in texts if name in ("keyword", "semantic", "hybrid", "ideal")] == [
        "keyword",
        "semantic",
        "ideal",
    ]


def test_one_run_grows_beside_the_ideal(open_page, report):
    page = open_page.ready(report("one"), fragment="q=q05")
    assert {series for _, series in read_growth(page)} == {"semantic", "ideal"}


@pytest.mark.parametrize(("width", "columns"), [(1280, 2), (375, 1)])
def test_panels_of_gain_stand_above_each_other_on_a_narrow_screen(
    open_page, report, width, columns
):
    page = open_page.ready(report("two"), fragment="q=q06", width=width)
    read_growth(page)
    titles = page.locator("#query .growth text").filter(has_text="CG: ")
    assert len({round(title.bounding_box()["x"]) for title in titles.all()}) == columns
