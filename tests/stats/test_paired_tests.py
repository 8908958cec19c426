"""Tests of paired differences and corrections of p-values, against published numbers."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import ComparisonError
from gainful.base.numbers import Interval
from gainful.stats.paired_tests import (
    CORRECTIONS,
    OPTIONAL_TESTS,
    PairedT,
    benjamini_hochberg,
    compute_equivalence_p,
    compute_mean_interval,
    compute_non_inferiority_p,
    compute_probability_better,
    compute_probability_within,
    compute_regression_p,
    holm,
    paired_t,
    sign,
    wilcoxon,
)
from stats import permtest_sample, urbano_runs
from stats.sakai_table import DIFFERENCES, TENTHS, VALUES

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
    assert round(compute_non_inferiority_p(DIFFERENCES, 0.02), 5) == 0.00741
    assert round(compute_probability_better(DIFFERENCES), 5) == 0.97610


@given(VARIED, st.floats(0.5, 0.99))
def test_the_t_test_is_scipys(differences, level):
    test, other = paired_t(differences, level=level), scipy.stats.ttest_1samp(differences, 0)
    assert (test.t, test.p) == pytest.approx((other.statistic, other.pvalue), rel=1e-12, abs=1e-12)
    ends, scale = other.confidence_interval(level), np.abs(differences).max()
    assert test.interval == pytest.approx(tuple(ends), rel=1e-12, abs=1e-12 * scale)


def test_the_t_test_of_differences_is_that_of_pairs():
    pairs = scipy.stats.ttest_rel(VALUES[0], VALUES[1])
    assert paired_t(DIFFERENCES).p == pytest.approx(pairs.pvalue, rel=1e-12)


@given(VARIED, MARGINS)
def test_non_inferior_is_when_the_interval_lies_above_the_margin(differences, margin):
    low = paired_t(differences, level=0.9).interval.low
    p = compute_non_inferiority_p(differences, margin)
    assert (p < 0.05) == (low > -margin) or p == pytest.approx(0.05, abs=1e-9)


@given(VARIED)
def test_the_probability_to_be_better_is_one_less_the_p_value_to_be_worse(differences):
    better = compute_probability_better(differences)
    assert better == pytest.approx(1 - compute_regression_p(-differences), abs=1e-12)
    assert better == pytest.approx(1 - compute_probability_better(-differences), abs=1e-12)


@given(VARIED, MARGINS)
def test_the_probability_within_is_the_area_of_the_posterior(differences, margin):
    error = differences.std(ddof=1) / math.sqrt(len(differences))
    posterior = scipy.stats.t(len(differences) - 1, differences.mean(), error)
    area = posterior.cdf(margin) - posterior.cdf(-margin)
    assert compute_probability_within(differences, margin) == pytest.approx(area, abs=1e-9)


@given(ANY, MARGINS)
def test_no_input_gives_nan_or_a_number_that_is_no_probability(differences, margin):
    test = paired_t(differences)
    p_values = [
        test.p,
        compute_regression_p(differences),
        compute_non_inferiority_p(differences, margin),
    ]
    p_values += [
        compute_equivalence_p(differences, margin),
        compute_probability_better(differences),
    ]
    p_values += [compute_probability_within(differences, margin)]
    assert all(0 <= p <= 1 for p in p_values)
    assert not math.isnan(test.t)
    assert test.interval.low <= test.interval.high


def test_identical_systems_are_certain_to_be_the_same():
    nothing = np.zeros(5)
    assert paired_t(nothing) == PairedT(0.0, 1.0, Interval(0.0, 0.0))
    assert compute_regression_p(nothing) == 1
    assert compute_non_inferiority_p(nothing, 0.01) == 0
    assert compute_non_inferiority_p(nothing, 0.0) == 1
    assert compute_equivalence_p(nothing, 0.01) == 0
    assert compute_probability_better(nothing) == 0.5
    assert compute_probability_within(nothing, 0.01) == 1


@pytest.mark.parametrize("n", [2, 3, 50])
def test_a_difference_without_chance_is_certain(n):
    same = np.full(n, -0.25)
    assert paired_t(same) == PairedT(-math.inf, 2 / 2**n, Interval(-0.25, -0.25))
    assert compute_regression_p(same) == 0
    assert compute_regression_p(-same) == 1
    assert compute_non_inferiority_p(same, 0.2) == 1
    assert compute_non_inferiority_p(same, 0.3) == 0
    assert compute_equivalence_p(same, 0.2) == 1
    assert compute_probability_better(same) == 0
    assert compute_probability_better(-same) == 1
    assert compute_probability_within(same, 0.2) == 0
    assert compute_probability_within(same, 0.3) == 1


@pytest.mark.parametrize("tenths", range(9))
def test_a_drop_by_the_margin_is_not_ruled_out_by_rounding(tenths):
    same = np.full(5, tenths / 10 - (tenths + 1) / 10)
    assert compute_non_inferiority_p(same, 0.1) == 1
    assert compute_equivalence_p(same, 0.1) == compute_equivalence_p(-same, 0.1) == 1
    assert compute_probability_within(same, 0.1) == 0


@pytest.mark.parametrize("values", [[], [0.5], [0.0]])
def test_one_query_cannot_tell(values):
    differences = np.array(values)
    assert paired_t(differences) == PairedT(0.0, 1.0, Interval(-math.inf, math.inf))
    assert compute_regression_p(differences) == 1
    assert compute_non_inferiority_p(differences, 0.1) == 1
    assert compute_equivalence_p(differences, 0.1) == 1
    assert compute_probability_better(differences) == 0.5
    assert compute_probability_within(differences, 0.1) == 0


def test_a_level_is_a_share():
    with pytest.raises(ComparisonError) as refused:
        paired_t(DIFFERENCES, level=95)
    assert str(refused.value) == "level: must be a number > 0 and < 1, got 95."


# Urbano, Lima and Hanjalic, SIGIR 2019, run 126 less run 125.
GAINS = urbano_runs.VALUES[1] - urbano_runs.VALUES[0]


def test_the_t_test_of_two_runs_of_trec():
    result = paired_t(GAINS)
    assert result.p == pytest.approx(0.0013193972, abs=5e-11)
    assert compute_regression_p(-GAINS) == pytest.approx(0.0006596986, abs=5e-11)
    assert result.interval == pytest.approx((0.02174, 0.08427), abs=5e-6)


def test_the_wilcoxon_and_sign_tests_of_two_runs_of_trec():
    # R's wilcox.test(exact=FALSE), which corrects for continuity, and SciPy when it does so too.
    with_correction = scipy.stats.wilcoxon(GAINS, correction=True, method="asymptotic").pvalue
    assert with_correction == pytest.approx(0.003445188, abs=5e-10)
    # There are ties: ours is as asymptotic, and does not correct for continuity, as SciPy.
    whole = np.round(GAINS * 10_000)
    assert wilcoxon(GAINS) == scipy.stats.wilcoxon(whole, method="asymptotic").pvalue
    assert wilcoxon(GAINS) == pytest.approx(0.003445188, abs=2e-4)
    # 31 of the 44 queries that differ by more than 0.01.
    assert sign(GAINS, minimum=0.01) == pytest.approx(0.009559879, abs=5e-10)


def test_the_t_tests_of_the_sample_of_permtest():
    close = [paired_t(permtest_sample.VALUES[i] - permtest_sample.VALUES[0]).p for i in (1, 2, 3)]
    assert close == pytest.approx([0.0647, 0.3292, 4.3e-8], abs=5e-5)


WHOLE = st.lists(st.integers(-9, 9), max_size=40).map(np.array)


def test_the_sign_test_of_sakais_table():
    assert round(sign(DIFFERENCES), 5) == 0.30176


def test_wilcoxons_test_of_sakais_table_sees_the_ties_that_floats_hide():
    tenths = TENTHS[0] - TENTHS[1]
    exact = scipy.stats.wilcoxon(tenths[tenths != 0]).pvalue
    assert round(exact, 5) == 0.03723
    assert wilcoxon(DIFFERENCES) == wilcoxon(tenths) == exact
    # What SciPy makes of the floats: 0.7 - 0.5 and 0.3 - 0.1 are not tied.
    assert round(scipy.stats.wilcoxon(DIFFERENCES).pvalue, 5) == 0.04036


def test_the_sign_tests_of_smucker_allan_and_carterette():
    # CIKM 2007: 29 of 50 topics are better; 25 of 43 by at least a minimal difference.
    differences = np.array([0.1] * 25 + [0.005] * 4 + [-0.1] * 18 + [-0.005] * 3)
    assert round(sign(differences), 5) == 0.32224
    assert sign(differences, minimum=0.1) == 1
    assert round(sign(differences, minimum=0.01), 5) == 0.36038


@max_examples(20)
@given(WHOLE)
def test_wilcoxon_and_sign_are_scipys_where_there_is_a_difference(whole):
    values = whole[whole != 0]
    wins = int((values > 0).sum())
    if len(values):
        assert wilcoxon(whole * 0.1) == scipy.stats.wilcoxon(values).pvalue
        assert sign(whole * 0.1) == scipy.stats.binomtest(wins, len(values)).pvalue
    else:
        assert (wilcoxon(whole), sign(whole)) == (1, 1)


@max_examples(20)
@given(st.lists(st.floats(-1, 1), max_size=60).map(np.array))
def test_wilcoxon_and_sign_give_a_probability_that_no_swap_changes(differences):
    for test in (wilcoxon, sign):
        p = test(differences)
        assert 0 <= p <= 1
        assert test(-differences) == pytest.approx(p)


def test_every_optional_test_says_why_it_is_not_the_default():
    assert list(OPTIONAL_TESTS) == ["wilcoxon", "sign", "bootstrap-shift"]
    for test in OPTIONAL_TESTS.values():
        assert "rejects too often" in test.warning
        assert test.warning.endswith("(Urbano, Lima and Hanjalic, SIGIR 2019).")


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_an_optional_test_is_called_by_its_declaration(name):
    p = {"wilcoxon": wilcoxon, "sign": sign}[name](DIFFERENCES)
    assert OPTIONAL_TESTS[name].p(DIFFERENCES, resamples=10, seed=0) == p


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


def test_corrections_of_five_p_values():
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    assert holm(p).round(12).tolist() == [0.05, 0.08, 0.09, 0.09, 0.09]
    assert benjamini_hochberg(p).round(12).tolist() == [0.05] * 5


@given(P_VALUES)
def test_corrections_raise_p_values_and_keep_their_order(p):
    for adjusted in (holm(p), benjamini_hochberg(p)):
        assert (adjusted >= p * (1 - 1e-15)).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
    assert (holm(p) >= benjamini_hochberg(p) * (1 - 1e-15)).all()


@given(P_VALUES, st.randoms(use_true_random=False))
def test_the_order_of_p_values_does_not_matter_to_corrections(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    assert (holm(p[order]) == holm(p)[order]).all()
    assert (benjamini_hochberg(p[order]) == benjamini_hochberg(p)[order]).all()


def test_no_p_values_are_corrected_to_none():
    assert holm(np.array([])).tolist() == []
    assert benjamini_hochberg(np.array([])).tolist() == []


def test_every_correction_has_a_summary():
    assert list(CORRECTIONS) == ["tukey", "holm", "max-t", "bh", "none"]
    assert all(summary and not summary.endswith(".") for summary in CORRECTIONS.values())


def test_intervals_of_means_are_those_of_the_t_test():
    values = np.array([0.2, 0.9, 0.4, 0.4])
    for level in (0.8, 0.95, 0.999):
        interval = compute_mean_interval(values, level=level)
        assert interval == pytest.approx(paired_t(values, level=level).interval, rel=1e-12)
    assert compute_mean_interval(np.array([0.5, 0.5])) == (0.5, 0.5)
    assert all(map(np.isnan, compute_mean_interval(np.array([]))))
