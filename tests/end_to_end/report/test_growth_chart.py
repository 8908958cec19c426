"""The chart of one query: how gain grows from rank to rank."""

import re

import pytest

pytestmark = pytest.mark.browser


def read_growth(page):
    """Of every panel and series of the chart of gain: what it says of each rank."""
    page.locator("#query .growth .live svg").wait_for()
    marks = page.locator("#query .growth path[aria-label]")
    said = marks.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    found = {}
    for label in said:
        part = re.fullmatch(r"(D?CG) of (\S+) at rank (\d+): ([\d.]+)", label)
        if part:
            found.setdefault(part.group(1, 2), {})[int(part[3])] = float(part[4])
    return found


def test_gain_grows_towards_an_ideal_of_its_own_kind(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q06")
    found = read_growth(page)
    assert set(found) == {(p, s) for p in ("CG", "DCG") for s in ("keyword", "hybrid", "ideal")}
    for (panel, _), values in found.items():
        assert list(values) == list(range(1, 11))
        assert all(value <= found[panel, "ideal"][rank] for rank, value in values.items())
    total = page.locator('#query .rankings [data-total="dcg-b"]').get_attribute("data-value")
    assert found["DCG", "hybrid"][10] == pytest.approx(float(total), abs=1e-4)
    assert page.locator("#query .growth figcaption").text_content() == (
        "From left to right, the gap between a run and the dotted line is what it has lost to the "
        "ideal ranking up to that rank, and at the end DCG divided by IDCG is nDCG@10."
    )
