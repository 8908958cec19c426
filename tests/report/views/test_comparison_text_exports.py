"""Comparisons as dicts, JSON and tables of other libraries."""

import json
import math

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import OutputError
from gainful.base.numbers import Interval
from gainful.diagnostics.notices import UnjudgedItems
from report.comparisons import (
    comparison,
    make_many_run_comparison,
    make_two_measure_comparison,
    make_two_run_comparison,
    pair,
    system,
)

PAIRS = [
    *("measure", "exploratory", "system", "baseline", "difference"),
    *("interval_low", "interval_high", "t_interval_low", "t_interval_high"),
    *("relative", "relative_interval_low", "relative_interval_high", "deviation"),
    *("effect", "effect_interval_low", "effect_interval_high", "pooled_effect"),
    *("t", "p_t", "p_randomized", "p_adjusted", "wins", "ties", "losses", "superiority"),
    *("p_better", "p_equal", "p_equivalent", "detectable"),
    *("possible_low", "possible_high", "verdict", "sentence", "n_queries"),
]
SYSTEMS = ["measure", "exploratory", "system", "mean", "interval_low", "interval_high"]


SYSTEMS += ["judged", "n_queries"]


NUMBERS = st.floats(width=64)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def test_a_dict_holds_everything_under_names_that_stay():
    data = make_two_run_comparison(notices=(UnjudgedItems("bm25", 0.5, 10),)).to_dict()
    assert list(data) == [
        *("verdict", "runs", "n_queries", "measures", "baseline", "systems", "pairs"),
        *("correction", "alpha", "margin", "tie", "seed", "resamples", "rules", "notices"),
        "per_query",
    ]
    assert data["verdict"] == "'dense' is better than 'bm25' by nDCG@10."
    assert data["systems"][0] == {
        "measure": "nDCG@10",
        "exploratory": False,
        "system": "bm25",
        "mean": 0.4911,
        "interval": [0.4911 - 0.03, 0.4911 + 0.03],
        "judged": 0.921,
        "n_queries": 2,
    }
    assert list(data["pairs"][0]) == [
        *("measure", "exploratory", "system", "baseline", "difference", "interval", "t_interval"),
        *("relative", "relative_interval", "deviation", "effect", "effect_interval"),
        *("pooled_effect", "t", "p_t", "p_randomized", "p_adjusted", "wins", "ties", "losses"),
        *("superiority", "p_better", "p_equal", "p_equivalent", "detectable", "more"),
        *("possible", "verdict", "sentence", "n_queries"),
    ]
    assert data["resamples"] == {"intervals": 9999, "tukey": 10_000}
    assert data["notices"][0]["code"] == "unjudged-items"
    assert data["per_query"] == [
        {"measure": "nDCG@10", "run": "bm25", "values": {"q1": 0.0, "q2": 1.0}},
        {"measure": "nDCG@10", "run": "dense", "values": {"q1": 2.0, "q2": 3.0}},
    ]


def test_what_is_no_number_is_null_in_json():
    odd = pair(relative=math.nan, effect=math.inf, effect_interval=Interval(-math.inf, math.nan))
    of = comparison([system(), system("dense")], [odd], values=np.full((1, 2, 2), math.nan))
    data = json.loads(of.to_json())
    assert [data["pairs"][0][name] for name in ("relative", "effect")] == [None, None]
    assert data["pairs"][0]["effect_interval"] == [None, None]
    assert data["per_query"][0]["values"] == {"q1": None, "q2": None}


@given(
    st.lists(NAMES, min_size=2, max_size=2, unique=True),
    st.tuples(NUMBERS, NUMBERS),
    st.dictionaries(NAMES, st.floats(0, 1)),
    st.integers(0),
)
def test_json_comes_back_as_it_went(names, ends, more, wins):
    only_pair = pair(*names, p_t=ends[0], interval=Interval(*ends), more=more, wins=wins)
    of = comparison([system(names[0], mean=ends[0]), system(names[1], mean=ends[1])], [only_pair])
    assert json.loads(of.to_json()) == of.to_dict()
    back = of.to_dict()["pairs"][0]
    assert [back["system"], back["baseline"], back["more"]] == [*names, more]
    assert back["interval"] == [end if math.isfinite(end) else None for end in ends]


@given(st.lists(NUMBERS, min_size=4, max_size=4))
def test_everything_can_be_written_whatever_the_numbers(numbers):
    a, b, c, d = numbers
    only_pair = pair(
        difference=a, interval=Interval(a, b), relative=c, effect=d, p_adjusted=b, p_t=c
    )
    systems = [system(mean=a, judged=b), system("dense", mean=c, interval=Interval(d, a))]
    of = comparison(systems, [only_pair])
    for text in (repr(of), of.to_markdown(), of.to_latex(), of.to_csv(), of._repr_html_()):
        assert "bm25" in text
    assert of.to_polars()["effect"].to_list() == [None if math.isnan(d) else d]


def test_pairs_are_a_tidy_table_to_every_library_of_arrow():
    of = make_two_measure_comparison()
    frame = of.to_polars()
    assert frame.columns == PAIRS
    assert len(frame) == 4
    assert polars.DataFrame(of).equals(frame)
    assert pyarrow.table(of).to_pylist() == of.to_arrow().to_pylist() == frame.to_dicts()


def test_columns_of_pairs_have_a_type_even_where_nothing_was_asked_for():
    schema = make_two_run_comparison().to_polars().schema
    assert [schema[name] for name in ("p_equal", "possible_low", "wins", "exploratory")] == [
        polars.Float64,
        polars.Float64,
        polars.Int64,
        polars.Boolean,
    ]
    assert all(dtype != polars.Null for dtype in schema.values())


def test_systems_are_a_table_as_well():
    of = make_two_measure_comparison()
    frame = of.to_polars(of="systems")
    assert frame.columns == SYSTEMS
    assert frame["system"].to_list() == ["bm25", "dense", "hybrid"] * 2
    assert of.to_arrow(of="systems").to_pylist() == frame.to_dicts()


def test_what_is_no_number_is_null_in_tables_and_infinity_stays():
    odd = pair(relative=math.nan, effect=math.inf, interval=Interval(math.nan, math.nan))
    frame = comparison([system(), system("dense")], [odd]).to_polars()
    assert frame.select("relative", "effect", "interval_low").row(0) == (None, math.inf, None)


def test_numbers_may_be_those_of_numpy_or_whole():
    odd = pair(difference=np.float64(0.5), wins=np.int64(3), relative=0, p_t=np.float64("nan"))
    of = comparison([system(), system("dense")], [odd])
    row = of.to_polars().row(0, named=True)
    assert [row[name] for name in ("difference", "wins", "relative", "p_t")] == [0.5, 3, 0.0, None]
    assert "np." not in of.to_csv() + of.to_json()


def test_tests_that_were_asked_for_are_columns():
    of = comparison(
        [system(), system("dense")], [pair(more={"wilcoxon": 0.1, "bootstrap-shift": 0.2})]
    )
    frame = of.to_polars()
    assert frame.select("p_wilcoxon", "p_bootstrap_shift").row(0) == (0.1, 0.2)
    assert set(frame.columns) - set(PAIRS) == {"p_wilcoxon", "p_bootstrap_shift"}


def test_pandas_has_the_same_with_nan_for_null():
    frame = make_two_run_comparison().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == PAIRS
    assert frame["wins"].tolist() == [29]
    assert math.isnan(frame["p_equal"][0])


@pytest.mark.parametrize("method", ["to_polars", "to_pandas", "to_arrow", "to_csv"])
def test_tables_of_what_there_is_not_are_an_error(method):
    with pytest.raises(OutputError) as error:
        getattr(make_two_run_comparison(), method)(of="queries")
    assert str(error.value) == f"{method}: of must be one of pairs, systems, got 'queries'."


def test_a_byte_of_a_name_that_is_not_utf8_is_text_in_tables():
    of = comparison([system("a\udcff"), system("b")], [pair("a\udcff", "b")])
    assert of.to_polars()["system"].to_list() == ["a\\udcff"]


def test_as_shown_in_python_it_says_all_that_the_command_line_does():
    lines = repr(make_two_run_comparison(notices=(UnjudgedItems("bm25", 0.5, 10),))).splitlines()
    assert lines[:2] == [
        "<Comparison of 2 runs on 2 queries>",
        "'dense' is better than 'bm25' by nDCG@10.",
    ]
    assert lines[-3].startswith("how: 2 queries, correction tukey, alpha 0.05")
    assert lines[-1].endswith("[unjudged-items]")


def test_markdown_has_all_pairs_on_request():
    assert make_many_run_comparison(12).to_markdown().count("\n| run") == 13
    assert (
        make_many_run_comparison(12).to_markdown(all_pairs=True).count("\n| run") == 3 + 12 + 2 * 66
    )
