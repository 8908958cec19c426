"""Power of the paired t-test, against published numbers, and the noncentral t."""

import math

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gainful import ComparisonError
from gainful.stats.effects import d_z
from gainful.stats.sample_size import (
    compute_noncentral_cdf,
    compute_t_test_power,
    find_detectable_effect,
    find_noncentrality,
    find_queries_needed,
)
from stats.sakai_table import DIFFERENCES

CHANCES = st.floats(0.1, 0.99)
ALPHAS = st.floats(0.001, 0.099)


@pytest.mark.parametrize(
    ("difference", "variance", "needed"),
    [(0.05, 0.0251, 81), (0.10, 0.10, 81), (0.05, 0.05, 159), (0.02, 0.02, 395)],
)
def test_queries_needed_for_four_times_out_of_five(difference, variance, needed):
    assert find_queries_needed(difference / math.sqrt(variance)) == needed


@pytest.mark.parametrize(
    ("n_queries", "effect"),
    [(25, 0.5840), (50, 0.4042), (100, 0.2829), (200, 0.1991), (500, 0.1255), (1000, 0.0887)],
)
def test_effects_that_are_detectable_four_times_out_of_five(n_queries, effect):
    assert round(find_detectable_effect(n_queries), 4) == effect


def test_the_power_of_sakais_table():
    assert round(compute_t_test_power(d_z(DIFFERENCES), 20), 4) == 0.5193


@given(st.floats(1e-4, 20), CHANCES, ALPHAS)
def test_one_query_fewer_is_not_enough(effect, target_power, alpha):
    n = find_queries_needed(effect, power=target_power, alpha=alpha)
    assert compute_t_test_power(effect, n, alpha=alpha) >= target_power - 1e-10
    assert n == 2 or compute_t_test_power(effect, n - 1, alpha=alpha) < target_power


@given(st.integers(3, 10**6), CHANCES)
def test_a_detectable_effect_takes_the_queries_it_is_detectable_with(n_queries, target_power):
    effect = find_detectable_effect(n_queries, power=target_power)
    assert find_queries_needed(effect, power=target_power) in (n_queries - 1, n_queries)


@given(st.integers(2, 10**6), CHANCES, ALPHAS)
def test_the_detectable_effect_has_the_power_that_is_wanted(n_queries, target_power, alpha):
    effect = find_detectable_effect(n_queries, power=target_power, alpha=alpha)
    if target_power <= alpha:
        assert effect == 0
    else:
        assert compute_t_test_power(effect, n_queries, alpha=alpha) == pytest.approx(
            target_power, abs=1e-6
        )


@given(st.floats(-1e6, 1e6), st.integers(0, 10**9), st.floats(1e-9, 0.5))
def test_power_is_a_probability_whatever_is_asked(effect, n_queries, alpha):
    power = compute_t_test_power(effect, n_queries, alpha=alpha)
    assert 0 <= power <= 1
    assert compute_t_test_power(-effect, n_queries, alpha=alpha) == power


@given(st.floats(0.01, 5), st.integers(2, 500))
def test_more_queries_and_larger_effects_have_more_power(effect, n_queries):
    power = compute_t_test_power(effect, n_queries)
    assert compute_t_test_power(effect, n_queries + 1) >= power - 1e-12
    assert compute_t_test_power(effect * 1.1, n_queries) >= power - 1e-12


def test_the_ends_of_power():
    assert compute_t_test_power(0.0, 30) == 0.05
    assert compute_t_test_power(0.5, 1) == 0
    assert compute_t_test_power(math.inf, 2) == 1
    assert find_queries_needed(math.inf) == 2
    assert find_queries_needed(1e-20) == pytest.approx(7.848879734349093e40, rel=1e-9)
    assert find_queries_needed(0.5, power=0.01) == 2
    assert find_detectable_effect(1) == math.inf
    assert find_detectable_effect(50, power=0.05) == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: find_queries_needed(0.0),
            "find_queries_needed: effect must be a number other than 0, got 0.0.",
        ),
        (
            lambda: find_queries_needed(0.5, power=1.5),
            "power: power must be a number > 0 and < 1, got 1.5.",
        ),
        (
            lambda: find_detectable_effect(50, alpha=0),
            "power: alpha must be a number > 0 and < 1, got 0.",
        ),
        (
            lambda: compute_t_test_power(0.5, 50, alpha=5),
            "power: alpha must be a number > 0 and < 1, got 5.",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, sentence):
    with pytest.raises(ComparisonError) as refused:
        call()
    assert str(refused.value) == sentence


@pytest.mark.parametrize("freedom", [10, 99, 9_999, 99_999])
def test_the_two_ways_to_the_noncentral_t_meet(freedom):
    t = 10.0 * math.sqrt(freedom) * 1.0001
    t = max(t, 1000.1)
    for share in (0.99, 1.0, 1.01):
        scipys = float(scipy.stats.nct.cdf(t, freedom, t * share))
        assert compute_noncentral_cdf(t, freedom, t * share) == pytest.approx(scipys, abs=1e-9)


@given(st.floats(0, 50), st.integers(1, 500), st.floats(0.005, 0.995))
def test_the_noncentrality_is_the_inverse_of_the_probability(t, freedom, p):
    assert compute_noncentral_cdf(t, freedom, find_noncentrality(t, freedom, p)) == pytest.approx(
        p, abs=1e-9
    )
