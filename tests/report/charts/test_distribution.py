"""Charts of how the values of queries are distributed."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import MeasureError
from gainful.measures import REGISTRY
from gainful.report.charts import make_ecdf_rows, make_histogram_rows
from report.charts.sample_charts import MANY, OLD, QRELS, render_svg, rows_of_chart


def test_scores_are_a_histogram():
    rows = rows_of_chart(gainful.evaluate(QRELS, OLD, "P@1").plot())
    assert [(row["low"], row["count"]) for row in rows if row["count"]] == [(0.0, 2), (0.95, 1)]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert {row["run"] for row in rows} == {"run"}


def test_scores_are_shares_up_to_each_value():
    rows = rows_of_chart(gainful.evaluate(QRELS, OLD, ["nDCG@10", "P@1"]).plot("P@1", kind="ecdf"))
    assert [(row["value"], row["share"]) for row in rows] == [(0.0, 2 / 3), (1.0, 1.0)]


def test_scores_without_a_value_are_left_out():
    empty = gainful.evaluate({"q": {"a": 0}}, {"q": ["a"]}, rules=gainful.Rules(empty="nan"))
    assert {row["count"] for row in rows_of_chart(empty.plot())} == {0}
    assert rows_of_chart(empty.plot(kind="ecdf")) == []


def test_values_beyond_one_have_bars_of_their_own():
    rows = rows_of_chart(gainful.evaluate(QRELS, OLD, "DCG@10").plot())
    assert rows[0]["low"] <= 0.63
    assert rows[-1]["high"] >= 1.63
    assert sum(row["count"] for row in rows) == 3


def test_a_measure_of_the_whole_run_has_no_values_to_plot():
    (whole, *_) = [m for m in REGISTRY.values() if m.whole]
    qrels, run = {"q1": {"d1": 1}}, {"q1": ["d1"]}
    scores = gainful.evaluate(qrels, run, [f"{whole.name}@1", "P@1"])
    with pytest.raises(MeasureError) as error:
        scores.plot()
    assert str(error.value) == (
        f"plot: {scores.measures[0]} has no values of queries, it is one number for the whole run."
    )


def test_a_run_that_stands_out_among_many_is_named():
    draw, rows, options = MANY["ecdf-many"]
    assert re.findall(r">(name \d+)<", render_svg(draw(rows, **options))) == ["name 000"]
    svg = render_svg(draw(rows, **options, highlight=("name 007", "name 003")))
    assert re.findall(r">(name \d+)<", svg) == ["name 003", "name 007"]


numbers = st.floats(-1e6, 1e6)
maybe = st.one_of(numbers, st.just(math.nan))


@given(st.dictionaries(st.text(max_size=5), st.lists(maybe, max_size=20), max_size=3))
def test_every_value_is_in_one_bar(values):
    rows = make_histogram_rows(values)
    for run, of_run in values.items():
        defined_values = [value for value in of_run if not math.isnan(value)]
        run_rows = [row for row in rows if row["run"] == run]
        assert sum(row["count"] for row in run_rows) == len(defined_values)
        assert sum(row["share"] for row in run_rows) == pytest.approx(1 if defined_values else 0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_values_between_0_and_1_have_bars_from_0_to_1(values):
    rows = make_histogram_rows({"run": values})
    assert (rows[0]["low"], rows[-1]["high"], len(rows)) == (0.0, 1.0, 20)


@given(st.dictionaries(st.text(max_size=5), st.lists(maybe, max_size=20), max_size=3))
def test_shares_rise_to_one(values):
    rows = make_ecdf_rows(values)
    for run, of_run in values.items():
        shares = [row["share"] for row in rows if row["run"] == run]
        assert shares == sorted(shares)
        assert shares[-1:] == ([1.0] if any(not math.isnan(v) for v in of_run) else [])
