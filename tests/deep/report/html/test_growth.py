"""How gain grows, of other pairs, of one run and on narrow screens."""

import pytest

from report.html.test_script_growth import growth

pytestmark = pytest.mark.browser


def test_gain_is_drawn_of_any_pair(opened, report):
    page = opened.ready(report("three"), fragment="q=q05")
    page.locator("#pair-choice select").nth(1).select_option(label="semantic")
    assert {series for _, series in growth(page)} == {"keyword", "semantic", "ideal"}
    drawn = page.locator("#query .growth svg text").all_text_contents()
    assert [name for name in drawn if name in ("keyword", "semantic", "hybrid", "ideal")] == [
        "keyword",
        "semantic",
        "ideal",
    ]


def test_one_run_grows_beside_the_ideal(opened, report):
    page = opened.ready(report("one"), fragment="q=q05")
    assert {series for _, series in growth(page)} == {"semantic", "ideal"}


@pytest.mark.parametrize(("width", "columns"), [(1280, 2), (375, 1)])
def test_panels_of_gain_stand_above_each_other_on_a_narrow_screen(opened, report, width, columns):
    page = opened.ready(report("two"), fragment="q=q06", width=width)
    growth(page)
    titles = page.locator("#query .growth text").filter(has_text="CG: ")
    assert len({round(title.bounding_box()["x"]) for title in titles.all()}) == columns
