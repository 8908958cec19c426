"""Curves: a measure at every cutoff, with the values that evaluate gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import Rules, evaluate
from gainful.measures import parse_measure
from gainful.report.html.page_data import CUTOFFS, compute_curves, gather_experiment
from gainful.stats.paired_tests import paired_t
from report.html.rankings import qrels, runs

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
RUN = {"q1": ["x", "a", "b"], "q2": ["b"], "q3": ["a", "b"]}


@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG", "nDCG(gain=exp2)@3", "P@5", "AP"])
def test_every_point_is_the_mean_and_interval_of_the_values_there(measure):
    (curve,) = gather_experiment(QRELS, {"mine": RUN}, measure).curves
    at = [parse_measure(measure)(cutoff=cutoff) for cutoff in CUTOFFS]
    scores = evaluate(QRELS, RUN, at)
    assert curve.measure == measure.partition("@")[0]
    assert [point.cutoff for point in curve.points] == list(range(1, 51))
    for point, point_measure in zip(curve.points, at, strict=True):
        assert point.mean == scores[point_measure]
        expected = paired_t(scores.column(point_measure)).interval
        assert point.interval == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_a_measure_without_a_cutoff_has_no_curve():
    assert gather_experiment(QRELS, {"mine": RUN}, "Rprec").curves == ()
    assert gather_experiment(QRELS, {"mine": RUN}, "IPrec@0.5").curves == ()


@max_examples(20)
@given(qrels, runs, st.sampled_from(["zero", "one", "nan"]))
def test_curves_pass_through_the_value_that_was_asked_for(judged, runs, empty):
    rules = Rules(empty=empty)
    rankings = [align_run(judged, run, rules) for run in runs]
    names = [f"run{i}" for i in range(len(runs))]
    for curve, run in zip(
        compute_curves(names, rankings, parse_measure("nDCG@3"), rules), runs, strict=True
    ):
        np.testing.assert_equal(
            curve.points[2].mean, evaluate(judged, run, "nDCG@3", rules=rules)["nDCG@3"]
        )


def align_run(judged, run, rules):
    from gainful import read_qrels, read_run
    from gainful.alignment.join import align

    return align(read_qrels(judged), read_run(run), rules)[0]
