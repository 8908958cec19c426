"""The chart of one query: how gain grows from rank to rank."""

import re

import pytest

pytestmark = pytest.mark.browser


def read_growth(page):
    """Return the values in every panel and series of the chart of gain, by rank."""
    page.locator("#query .growth .live svg").wait_for()
    marks = page.locator("#query .growth path[aria-label]")
    labels = marks.evaluate_all("all => all.map((mark) => mark.getAttribute('aria-label'))")
    growth = {}
    for label in labels:
        match = re.fullmatch(r"(D?CG) of (\S+) at rank (\d+): ([\d.]+)", label)
        if match:
            growth.setdefault(match.group(1, 2), {})[int(match[3])] = float(match[4])
    return growth


def test_gain_grows_towards_an_ideal_of_its_own_kind(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q06")
    growth = read_growth(page)
    assert set(growth) == {(p, s) for p in ("CG", "DCG") for s in ("keyword", "hybrid", "ideal")}
    for (panel, _), values in growth.items():
        assert list(values) == list(range(1, 11))
        assert all(value <= growth[panel, "ideal"][rank] for rank, value in values.items())
    total = page.locator('#query .rankings [data-total="dcg-b"]').get_attribute("data-value")
    assert growth["DCG", "hybrid"][10] == pytest.approx(float(total), abs=1e-4)
    assert page.locator("#query .growth figcaption").text_content() == (
        "From left to right, the gap between a run and the dotted line is what it has lost to the "
        "ideal ranking up to that rank, and at the end DCG divided by IDCG is nDCG@10."
    )
