"""Curves over cutoffs: the names at their ends."""

import re
from itertools import pairwise

import pytest

from gainful.report import charts
from report.charts.sample_charts import render_svg


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 20])
def test_names_at_the_ends_of_curves_do_not_cover_each_other(n):
    rows = [
        {"run": f"a run with a long name, number {i}", "k": k, "value": 0.5 + 0.001 * i}
        | {"low": 0.4, "high": 0.6}
        for i in range(n)
        for k in (1, 2)
    ]
    names = [f"a run with a long name, number {i}" for i in range(0, n, 3)]
    spots = re.findall(
        r'translate\(([\d.]+),([\d.]+)\)"[^>]*>a run with…\w* ?number \d+|'
        r'translate\(([\d.]+),([\d.]+)\)"[^>]*>a run[^<]*<',
        render_svg(charts.draw_curves(rows, highlight=names)),
    )
    heights = sorted(float(y or other) for _, y, _, other in spots)
    assert len(heights) == (n if n <= 8 else len(names))
    assert all(after - before >= 13 for before, after in pairwise(heights))
