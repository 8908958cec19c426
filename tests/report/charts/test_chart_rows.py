"""The rows of charts, computed from plain values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.report.charts.chart_rows import (
    make_difference_rows,
    make_ecdf_rows,
    make_histogram_rows,
)

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


@given(st.lists(st.tuples(maybe, maybe), max_size=20))
def test_the_largest_loss_comes_first_and_no_query_twice(pairs):
    queries = [f"q{i}" for i in range(len(pairs))]
    rows = make_difference_rows(queries, [a for a, _ in pairs], [b for _, b in pairs])
    lost = [row["difference"] for row in rows]
    assert lost == sorted(lost)
    assert [row["place"] for row in rows] == list(range(1, len(rows) + 1))
    defined_queries = {
        q for q, pair in zip(queries, pairs, strict=True) if not any(map(math.isnan, pair))
    }
    assert {row["query"] for row in rows} == defined_queries


def test_queries_of_the_same_difference_keep_their_order_and_have_their_texts():
    rows = make_difference_rows(["z", "a"], [0.5, 0.5], [0.5, 0.5], {"a": "what is it"})
    assert [(row["query"], row["text"]) for row in rows] == [("z", None), ("a", "what is it")]
