"""The significance section: curves, differences, histograms, intervals and the matrix."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful.alignment.rules import Rules
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections import significance
from gainful.report.html.sections.significance import select_difference_rows
from report.html.experiments import SMALL_QRELS, SMALL_RUNS, random_experiment


def test_the_largest_loss_is_drawn_first():
    rows = select_difference_rows(gather_experiment(SMALL_QRELS, SMALL_RUNS, "nDCG@3"))
    assert [row["query"] for row in rows] == ["q0", "q2", "q1", "q3"]
    assert [row["place"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["difference"] == pytest.approx(rows[0]["b"] - rows[0]["a"], abs=1e-6)


def test_undefined_values_are_left_out_of_charts():
    qrels = {**SMALL_QRELS, "q9": {"a": 0}}
    runs = {name: {**run, "q9": ["a"]} for name, run in SMALL_RUNS.items()}
    experiment = gather_experiment(qrels, runs, "nDCG@3", rules=Rules(empty="nan"))
    assert np.isnan(experiment.scores[0].values).any()
    assert not any(math.isnan(row["difference"]) for row in select_difference_rows(experiment))


MEASURES = ("nDCG@10", "DCG", "CG@3", "nDCG(negatives=keep)@5", "AP", "DCG(gain=exp2)@7")


def count_in_histogram(experiment):
    table = significance.build_distribution_section(experiment).charts[0].table
    rows = [row for group in table.groups for row in group.rows]
    return [sum(int(row[1 + i].text) for row in rows) for i in range(len(experiment.runs))]


@max_examples(30)
@given(
    st.lists(st.floats(-3, 5, width=32), min_size=1, max_size=4),
    st.sampled_from(MEASURES),
    st.integers(0, 99),
)
def test_the_histogram_counts_every_query(labels, measure, seed):
    experiment = random_experiment([*labels, 1.0], measure, seed=seed)
    expected = [int((~np.isnan(s.column(s.measures[0]))).sum()) for s in experiment.scores]
    assert count_in_histogram(experiment) == expected


def test_the_histogram_of_values_from_0_to_1_has_round_ends():
    table = significance.build_distribution_section(random_experiment([0, 1], "AP")).charts[0].table
    ends = [row[0].text for group in table.groups for row in group.rows]
    assert ends == [f"{i / 10:g} to {(i + 1) / 10:g}" for i in range(10)]


def test_bands_are_not_cut_where_values_lie_below_0():
    experiment = random_experiment([-3.0, -1.0, 1.0], "nDCG(negatives=keep)@5")
    assert min(s.column(s.measures[0]).min() for s in experiment.scores) < 0
    rows = significance.build_curves_section(experiment).charts[0].drawing
    lows = [row["low"] for row in chart_rows(rows) if row["low"] is not None]
    expected = [p.interval.low for c in experiment.curves for p in c.points]
    assert min(lows) == pytest.approx(min(x for x in expected if not math.isnan(x)))


def chart_rows(chart):
    return chart["data"]["values"]


def test_the_matrix_is_the_row_less_the_column():
    experiment = random_experiment([0, 1, 2], "nDCG@5", n_runs=4)
    means = {system.name: system.mean for system in experiment.systems}
    matrix = significance.make_matrix(experiment.comparison)
    for row in matrix["rows"]:
        for column, cell in zip(matrix["columns"], row["cells"], strict=True):
            if column == row["run"]:
                assert cell is None
            else:
                assert float(cell["difference"]) == pytest.approx(
                    means[row["run"]] - means[column], abs=6e-5
                )


def test_the_forest_says_that_its_intervals_are_of_one_pair_alone():
    caption = (
        significance.build_significance_section(random_experiment([0, 1], "AP", n_runs=3))
        .charts[0]
        .caption
    )
    assert (
        "interval, of that pair alone. The word at its end is the verdict, which takes" in caption
    )
