"""Intervals and the shift test, against SciPy, by hand, and by simulation."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gainful.base.numbers import Interval
from gainful.stats import bootstrap
from gainful.stats.bootstrap import bootstrap_shift, compute_bootstrap_intervals
from stats import urbano_runs
from stats.sakai_table import DIFFERENCES, TENTHS, VALUES

PAIRS = [(0, 1), (1, 0), (0, 2)]


def scipy_ends(data, statistic, *, seed, level=0.95, resamples=9_999):
    result = scipy.stats.bootstrap(
        data,
        statistic,
        paired=True,
        method="BCa",
        batch=100,
        confidence_level=level,
        n_resamples=resamples,
        rng=np.random.default_rng(seed),
    )
    return pytest.approx(tuple(result.confidence_interval), abs=1e-9)


def relative(system, baseline, axis):
    means = system.mean(axis=axis), baseline.mean(axis=axis)
    return (means[0] - means[1]) / means[1]


@pytest.mark.parametrize("n", [20, 101])
def test_intervals_are_those_of_scipy_for_the_same_draws(n):
    values = np.random.default_rng(n).random((3, n)) ** 2
    intervals = compute_bootstrap_intervals(values, PAIRS, seed=3)
    for row, interval in zip(values, intervals.means, strict=True):
        assert interval == scipy_ends((row,), np.mean, seed=3)
    for (i, j), interval, share in zip(
        PAIRS, intervals.differences, intervals.relatives, strict=True
    ):
        assert interval == scipy_ends((values[i] - values[j],), np.mean, seed=3)
        assert share == scipy_ends((values[i], values[j]), relative, seed=3)


def test_level_and_number_of_resamples_are_those_of_scipy():
    values = np.random.default_rng(0).random((1, 40)) * 1e-3
    (interval,) = compute_bootstrap_intervals(values, [], level=0.8, resamples=555, seed=1).means
    assert interval == scipy_ends((values[0],), np.mean, seed=1, level=0.8, resamples=555)


def test_resamples_that_are_tied_with_the_mean_are_so_whatever_the_order_of_draws():
    # Quarters: SciPy adds them without rounding too.
    values = np.array([0.25, 0.5, 1.0, 0.0, 0.75])
    exact = scipy_ends((values,), np.mean, seed=0)
    for shift in (0, 0.1, 0.3):
        (interval,) = compute_bootstrap_intervals(values[np.newaxis] * 0.8 + shift, []).means
        assert tuple((np.array(interval) - shift) / 0.8) == exact


def test_the_interval_of_two_runs_of_trec_is_near_that_of_other_draws():
    # Resampled ends have a standard error of about 0.0005 here.
    (interval,) = compute_bootstrap_intervals(urbano_runs.VALUES, [(1, 0)]).differences
    assert interval == pytest.approx((0.02461, 0.08491), abs=0.0015)


def test_rows_do_not_depend_on_what_else_is_asked_for(monkeypatch):
    values = np.random.default_rng(0).random((5, 30))
    pairs = [(i, j) for i in range(5) for j in range(5) if i != j]
    together = compute_bootstrap_intervals(values, pairs)
    assert compute_bootstrap_intervals(values[:1], []).means == together.means[:1]
    monkeypatch.setattr(bootstrap, "_BATCH_QUERIES", 1_000)
    assert compute_bootstrap_intervals(values, pairs) == together


def test_the_number_of_threads_changes_no_bit():
    code = (
        "import numpy as np; from gainful.stats.bootstrap import compute_bootstrap_intervals; "
        "values = np.random.default_rng(0).random((9, 1000)); "
        "print(compute_bootstrap_intervals(values, [(0, 1)], resamples=999))"
    )
    printed = {
        subprocess.check_output([sys.executable, "-c", code], env=environment(threads))
        for threads in ("1", "2")
    }
    assert len(printed) == 1


def environment(threads):
    return {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}


def test_a_constant_has_no_width():
    values = np.array([[0.3] * 4, [0.1] * 4, [0.1, 0.2, 0.5, 0.9]])
    values = np.vstack([values, values[2] + 0.1, values[2] * 3])
    intervals = compute_bootstrap_intervals(values, [(0, 1), (3, 2), (4, 2), (2, 2)])
    assert intervals.means[:2] == [Interval(0.3, 0.3), Interval(0.1, 0.1)]
    assert intervals.differences[0] == intervals.differences[3]._replace(
        low=0.3 - 0.1, high=0.3 - 0.1
    )
    assert intervals.differences[1] == pytest.approx((0.1, 0.1), abs=1e-15)
    assert intervals.differences[1].low == intervals.differences[1].high
    assert intervals.relatives[0] == pytest.approx((2, 2), abs=1e-15)
    assert intervals.relatives[2] == pytest.approx((2, 2), abs=1e-15)
    assert intervals.relatives[2].low == intervals.relatives[2].high
    assert (intervals.differences[3], intervals.relatives[3]) == (Interval(0, 0), Interval(0, 0))


@pytest.mark.parametrize("n", [5, 20_000])
def test_a_baseline_of_zeros_has_no_relative_difference(n):
    values = np.stack([np.zeros(n), np.linspace(0, 1, n)])
    intervals = compute_bootstrap_intervals(values, [(1, 0), (0, 1)])
    assert is_none(intervals.relatives[0])
    assert intervals.relatives[1] == Interval(-1, -1)
    assert intervals.means[0] == Interval(0, 0)


def is_none(interval):
    return math.isnan(interval.low) and math.isnan(interval.high)


def test_a_baseline_that_may_be_drawn_without_any_value_has_no_relative_difference():
    values = np.array([[0.1, 0.2, 0.3, 0.4], [0.0, 0.0, 0.0, 0.5]])
    intervals = compute_bootstrap_intervals(values, [(0, 1)])
    assert is_none(intervals.relatives[0])
    assert not is_none(intervals.differences[0])


@pytest.mark.parametrize("n", [0, 1])
def test_a_single_query_tells_nothing(n):
    intervals = compute_bootstrap_intervals(np.ones((2, n)), [(0, 1)])
    every = [*intervals.means, *intervals.differences, *intervals.relatives]
    assert len(every) == 4
    assert all(map(is_none, every))


def test_no_pair_may_be_asked_for():
    intervals = compute_bootstrap_intervals(VALUES, [])
    assert (len(intervals.means), intervals.differences, intervals.relatives) == (3, [], [])


def test_above_the_limit_intervals_are_by_students_t():
    values = np.random.default_rng(0).random((2, bootstrap.MAX_QUERIES + 1))
    intervals = compute_bootstrap_intervals(values, [(0, 1)])
    mean = scipy.stats.ttest_1samp(values[0], 0).confidence_interval(0.95)
    difference = scipy.stats.ttest_rel(*values).confidence_interval(0.95)
    assert intervals.means[0] == pytest.approx(tuple(mean), abs=1e-14)
    assert intervals.differences[0] == pytest.approx(tuple(difference), abs=1e-14)


GRIDS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=6).map(
    lambda rows: np.array(rows).T / 4
)


@given(GRIDS)
def test_an_interval_is_in_order_and_within_what_queries_have_or_there_is_none(values):
    intervals = compute_bootstrap_intervals(values, PAIRS, resamples=99)
    for row, interval in zip(values, intervals.means, strict=True):
        assert row.min() <= interval.low <= interval.high <= row.max()
    for (i, j), interval in zip(PAIRS, intervals.differences, strict=True):
        assert is_none(interval) or interval.low <= interval.high
        assert (values[i] - values[j]).min() - 1e-12 <= interval.low
    for interval in intervals.relatives:
        assert is_none(interval) or interval.low <= interval.high


@given(GRIDS)
def test_the_interval_of_the_opposite_difference_is_opposite(values):
    there, back, _ = compute_bootstrap_intervals(values, PAIRS, resamples=999).differences
    width = there.high - there.low
    # Quantiles of a finite number of draws, which lie between two of them.
    assert (-back.high, -back.low) == pytest.approx(there, abs=0.25 * width + 1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_values_of_any_magnitude_have_intervals(scale):
    plain, scaled = (
        compute_bootstrap_intervals(VALUES * by, PAIRS, resamples=99) for by in (1.0, scale)
    )
    for name in ("means", "differences"):
        for interval, other in zip(getattr(plain, name), getattr(scaled, name), strict=True):
            assert np.array(other) / scale == pytest.approx(tuple(interval), abs=1e-12)
    assert np.array(scaled.relatives) == pytest.approx(np.array(plain.relatives), abs=1e-9)


def test_the_shift_test_of_sakai_is_near_what_all_draws_would_give():
    tenths = TENTHS[0] - TENTHS[1]
    # The distribution of the sum of draws: the convolution of one draw with itself.
    chances = np.bincount(tenths + 4, minlength=9) / 20
    total = np.ones(1)
    for _ in tenths:
        total = np.convolve(total, chances)
    sums = np.arange(len(total)) - 4 * 20
    exact = total[np.abs(sums - tenths.sum()) >= abs(tenths.sum())].sum()
    p_value = bootstrap_shift(DIFFERENCES, resamples=100_000)
    assert p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_the_shift_test_of_two_runs_of_trec_is_near_what_urbano_found():
    # A million resamples of theirs, 200,000 of ours: four standard errors.
    p = bootstrap_shift(urbano_runs.VALUES[1] - urbano_runs.VALUES[0], resamples=200_000)
    assert p == pytest.approx(0.000586, abs=4 * np.sqrt(0.000586 / 200_000))


@pytest.mark.parametrize("differences", [[], [0.0, 0.0], [0.3]])
def test_the_shift_test_tells_nothing_by_one_query_or_by_none_that_differs(differences):
    assert bootstrap_shift(np.array(differences)) == 1.0


def test_the_shift_test_of_equal_differences_has_the_least_p_value():
    assert bootstrap_shift(np.full(9, 0.1), resamples=999) == 1 / 1000


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9))
def test_the_shift_test_has_no_direction_and_no_scale(tops):
    differences = np.array(tops) / 10
    p = bootstrap_shift(differences, resamples=99)
    assert 0 < p <= 1
    assert bootstrap_shift(-differences, resamples=99) == p
    assert bootstrap_shift(differences * 1e6, resamples=99) == p
