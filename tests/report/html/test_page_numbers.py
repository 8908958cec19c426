"""The numbers of the page hold every value, whatever measure it is about."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.report.html.embedded_data import make_bulk_data, unpack
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.parts import clean_svg
from gainful.report.html.sections import significance, verdict
from gainful.report.html.sections import significance as curves
from gainful.report.html.sections import significance as distribution
from tries import tried

MEASURES = ("nDCG@10", "DCG", "CG@3", "nDCG(negatives=keep)@5", "AP", "DCG(gain=exp2)@7")


def found(labels, measure, *, n_queries=8, n_runs=2, seed=0, **how):
    """An experiment of drawn rankings whose judged items have these labels."""
    draw = random.Random(seed)
    items = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": {d: draw.choice(labels) for d in items[:9]} for i in range(n_queries)}
    runs = {f"run{r}": {q: draw.sample(items, 12) for q in qrels} for r in range(n_runs)}
    return gather_experiment(qrels, runs, measure, **how)


def histogram_counts(one):
    table = distribution.build_distribution_section(one).charts[0].table
    rows = [row for group in table.groups for row in group.rows]
    return [sum(int(row[1 + i].text) for row in rows) for i in range(len(one.runs))]


@tried(30)
@given(
    st.lists(st.floats(-3, 5, width=32), min_size=1, max_size=4),
    st.sampled_from(MEASURES),
    st.integers(0, 99),
)
def test_the_histogram_counts_every_query(labels, measure, seed):
    one = found([*labels, 1.0], measure, seed=seed)
    known = [int((~np.isnan(s.column(s.measures[0]))).sum()) for s in one.scores]
    assert histogram_counts(one) == known


def test_the_histogram_of_values_from_0_to_1_has_round_ends():
    table = distribution.build_distribution_section(found([0, 1], "AP")).charts[0].table
    ends = [row[0].text for group in table.groups for row in group.rows]
    assert ends == [f"{i / 10:g} to {(i + 1) / 10:g}" for i in range(10)]


def test_bands_are_not_cut_where_values_lie_below_0():
    one = found([-3.0, -1.0, 1.0], "nDCG(negatives=keep)@5")
    assert min(s.column(s.measures[0]).min() for s in one.scores) < 0
    rows = curves.build_curves_section(one).charts[0].drawing.to_dict(validate=False)
    lows = [row["low"] for row in _rows(rows) if row["low"] is not None]
    expected = [p.interval.low for c in one.curves for p in c.points]
    assert min(lows) == pytest.approx(min(x for x in expected if not math.isnan(x)))


def _rows(chart):
    return chart["data"]["values"]


def test_a_sum_that_no_rank_below_adds_to_is_that_of_the_ranks_that_are_held():
    qrels = {"q1": {"good": 3, "fine": 1, "lost": 2}}
    ranking = ["other", "good", "fine", *(f"d{i}" for i in range(300))]
    one = gather_experiment(qrels, {"run": {"q1": ranking}}, "nDCG")
    held = unpack(make_bulk_data(one).text)["details"][0]
    assert held["n"] == [303]
    assert len(held["rankings"][0]) < 303
    assert "totals" not in held


def test_the_matrix_is_the_row_less_the_column():
    one = found([0, 1, 2], "nDCG@5", n_runs=4)
    means = {system.name: system.mean for system in one.systems}
    shown = significance.make_matrix(one.comparison)
    for row in shown["rows"]:
        for column, cell in zip(shown["columns"], row["cells"], strict=True):
            if column == row["run"]:
                assert cell is None
            else:
                assert float(cell["difference"]) == pytest.approx(
                    means[row["run"]] - means[column], abs=6e-5
                )


def test_the_forest_says_that_its_intervals_are_of_one_pair_alone():
    said = significance.build_significance_section(found([0, 1], "AP", n_runs=3)).charts[0].caption
    assert "interval, of that pair alone. The word at its end is the verdict, which takes" in said


def test_where_higher_is_not_better_the_page_says_so():
    said = verdict.build_verdict_section(found([0, 1], "Unjudged@10")).values["warnings"]
    assert said[0] == (
        "A higher Unjudged@10 is not a better one: where this page calls a run or a query better "
        "or worse, its value is higher or lower."
    )


def test_queries_without_a_value_are_not_among_the_lowest():
    qrels = {"q1": {"a": 1}, "q2": {"a": 0}}
    runs = {"run": {"q1": ["a"], "q2": ["a"]}}
    said = verdict.make_verdict(gather_experiment(qrels, runs, rules=gainful.Rules(empty="nan")))
    assert said.detail == (
        "That is the mean over 1 query. 0 of 1 queries (0%) score 0, 1 of 1 queries (100%) reach "
        "1, the best there is. The lowest: q1 (1.00)."
    )


def test_a_name_that_looks_like_a_part_of_a_picture_is_shown_as_it_is():
    text = '<svg><g id="x7"/><text clip-path="url(#x7)">id="x7" d="0.12345"</text></svg>'
    assert clean_svg(text, "a") == (
        '<svg><g id="a-1"/><text clip-path="url(#a-1)">id="x7" d="0.12345"</text></svg>'
    )
