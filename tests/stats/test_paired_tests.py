"""Student's t of paired differences, against published numbers and SciPy."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gainful import ComparisonError
from gainful.base.numbers import Interval
from gainful.stats.paired_tests import (
    PairedT,
    equivalence,
    non_inferiority,
    paired_t,
    probability_better,
    probability_within,
    regression,
)
from stats.sakai import DIFFERENCES, VALUES

SEVERAL = st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=40)
VARIED = SEVERAL.filter(lambda values: len(set(values)) > 1).map(np.array)
ANY = st.lists(st.floats(-1, 1), max_size=20).map(np.array)
MARGINS = st.floats(0, 1).map(lambda x: round(x, 3))


def test_the_t_test_of_sakais_table():
    test = paired_t(DIFFERENCES)
    assert round(test.t, 5) == 2.11576
    assert round(test.p, 5) == 0.04780
    assert [round(end, 6) for end in test.interval] == [0.000806, 0.149194]
    assert round((test.interval.high - test.interval.low) / 2, 5) == 0.07419
    assert round(DIFFERENCES.mean(), 12) == 0.075
    assert round(DIFFERENCES.var(ddof=1), 4) == 0.0251


def test_non_inferiority_and_the_probability_that_it_is_better_in_sakais_table():
    assert round(non_inferiority(DIFFERENCES, 0.02), 5) == 0.00741
    assert round(probability_better(DIFFERENCES), 5) == 0.97610


@given(VARIED, st.floats(0.5, 0.99))
def test_the_t_test_is_scipys(differences, level):
    test, other = paired_t(differences, level=level), scipy.stats.ttest_1samp(differences, 0)
    assert (test.t, test.p) == (other.statistic, other.pvalue)
    assert test.interval == tuple(other.confidence_interval(level))


def test_the_t_test_of_differences_is_that_of_pairs():
    pairs = scipy.stats.ttest_rel(VALUES[0], VALUES[1])
    assert paired_t(DIFFERENCES).p == pairs.pvalue


@given(VARIED, MARGINS)
def test_non_inferior_is_when_the_interval_lies_above_the_margin(differences, margin):
    low = paired_t(differences, level=0.9).interval.low
    p = non_inferiority(differences, margin)
    assert (p < 0.05) == (low > -margin) or p == pytest.approx(0.05, abs=1e-9)


@given(VARIED)
def test_the_probability_to_be_better_is_one_less_the_p_value_to_be_worse(differences):
    better = probability_better(differences)
    assert better == pytest.approx(1 - regression(-differences), abs=1e-12)
    assert better == pytest.approx(1 - probability_better(-differences), abs=1e-12)


@given(VARIED, MARGINS)
def test_the_probability_within_is_the_area_of_the_posterior(differences, margin):
    error = differences.std(ddof=1) / math.sqrt(len(differences))
    posterior = scipy.stats.t(len(differences) - 1, differences.mean(), error)
    area = posterior.cdf(margin) - posterior.cdf(-margin)
    assert probability_within(differences, margin) == pytest.approx(area, abs=1e-9)


@given(ANY, MARGINS)
def test_no_input_gives_nan_or_a_number_that_is_no_probability(differences, margin):
    test = paired_t(differences)
    several = [test.p, regression(differences), non_inferiority(differences, margin)]
    several += [equivalence(differences, margin), probability_better(differences)]
    several += [probability_within(differences, margin)]
    assert all(0 <= p <= 1 for p in several)
    assert not math.isnan(test.t)
    assert test.interval.low <= test.interval.high


def test_identical_systems_are_certain_to_be_the_same():
    nothing = np.zeros(5)
    assert paired_t(nothing) == PairedT(0.0, 1.0, Interval(0.0, 0.0))
    assert regression(nothing) == 1
    assert non_inferiority(nothing, 0.01) == 0
    assert non_inferiority(nothing, 0.0) == 1
    assert equivalence(nothing, 0.01) == 0
    assert probability_better(nothing) == 0.5
    assert probability_within(nothing, 0.01) == 1


@pytest.mark.parametrize("n", [2, 3, 50])
def test_a_difference_without_chance_is_certain(n):
    same = np.full(n, -0.25)
    assert paired_t(same) == PairedT(-math.inf, 2 / 2**n, Interval(-0.25, -0.25))
    assert regression(same) == 0
    assert regression(-same) == 1
    assert non_inferiority(same, 0.2) == 1
    assert non_inferiority(same, 0.3) == 0
    assert equivalence(same, 0.2) == 1
    assert probability_better(same) == 0
    assert probability_better(-same) == 1
    assert probability_within(same, 0.2) == 0
    assert probability_within(same, 0.3) == 1


@pytest.mark.parametrize("tenths", range(9))
def test_a_drop_by_the_margin_is_not_ruled_out_by_rounding(tenths):
    same = np.full(5, tenths / 10 - (tenths + 1) / 10)
    assert non_inferiority(same, 0.1) == 1
    assert equivalence(same, 0.1) == equivalence(-same, 0.1) == 1
    assert probability_within(same, 0.1) == 0


@pytest.mark.parametrize("values", [[], [0.5], [0.0]])
def test_one_query_cannot_tell(values):
    differences = np.array(values)
    assert paired_t(differences) == PairedT(0.0, 1.0, Interval(-math.inf, math.inf))
    assert regression(differences) == 1
    assert non_inferiority(differences, 0.1) == 1
    assert equivalence(differences, 0.1) == 1
    assert probability_better(differences) == 0.5
    assert probability_within(differences, 0.1) == 0


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(ComparisonError) as refused:
        equivalence(DIFFERENCES, -0.1)
    assert str(refused.value) == "equivalence: margin must be a number >= 0, got -0.1."
    with pytest.raises(ComparisonError) as refused:
        paired_t(DIFFERENCES, level=95)
    assert str(refused.value) == "level: must be a number > 0 and < 1, got 95."
