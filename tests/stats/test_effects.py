"""Effect sizes and the spread of differences, against published numbers and mpmath."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gainful import ComparisonError
from gainful.base.numbers import Interval
from gainful.stats.effects import (
    Spread,
    compute_d_z_interval,
    compute_pooled_effects,
    compute_residual_variance,
    compute_superiority,
    count_wins_ties_losses,
    d_z,
    divide_safely,
    measure_spread,
)
from stats.sakai_table import DIFFERENCES, VALUES

ANY = st.lists(st.floats(-1, 1), max_size=20).map(np.array)


def with_effect(n, effect):
    """Differences, ``n`` of them, of which d_z is ``effect``."""
    values = np.arange(n, dtype=float)
    values = (values - values.mean()) / values.std(ddof=1)
    return values + effect


def area_below(t, freedom, noncentrality):
    """The distribution of the noncentral t, by its integral, to many digits."""
    mpmath.mp.dps = 30
    half = mpmath.mpf(freedom) / 2
    log_norm = mpmath.log(2) * (1 - half) - mpmath.loggamma(half)
    root = mpmath.sqrt(freedom)

    def density(s):
        normal = mpmath.ncdf(t * s / root - noncentrality)
        return normal * mpmath.exp(log_norm + (freedom - 1) * mpmath.log(s) - s * s / 2)

    middle, width = root, mpmath.mpf(1)
    ends = [max(middle + k * width, mpmath.mpf(10) ** -30) for k in range(-10, 11)]
    return float(mpmath.quad(density, sorted(set(ends))))


def test_the_effect_size_of_sakais_table():
    assert round(d_z(DIFFERENCES), 5) == 0.47310
    assert [round(end, 5) for end in compute_d_z_interval(DIFFERENCES)] == [0.00452, 0.93057]


@pytest.mark.parametrize("n", [2, 1000])
@pytest.mark.parametrize("effect", [0.0, 0.3, 10.0])
def test_the_interval_holds_the_noncentral_t_by_its_integral(n, effect):
    interval = compute_d_z_interval(with_effect(n, effect))
    t = effect * math.sqrt(n)
    areas = [area_below(t, n - 1, end * math.sqrt(n)) for end in interval]
    assert areas == pytest.approx([0.975, 0.025], abs=1e-9)


@pytest.mark.parametrize("n", [1000, 10_000, 100_000])
@pytest.mark.parametrize("effect", [-10.0, -0.5, 0.02, 1.0, 10.0, 300.0])
def test_with_many_queries_the_interval_is_that_of_the_normal_distribution(n, effect):
    interval = compute_d_z_interval(with_effect(n, effect))
    margin = 1.959963984540054 * math.sqrt((1 + effect**2 / 2) / n)
    expected = [effect - margin, effect + margin]
    assert list(interval) == pytest.approx(expected, abs=0.05 * margin)


@pytest.mark.parametrize("n", [2, 10, 1000, 100_000])
@pytest.mark.parametrize("effect", [100.0, 1e8])
def test_an_effect_beyond_all_measure_has_an_interval(n, effect):
    low, high = compute_d_z_interval(with_effect(n, effect))
    assert 0 < low < effect < high < 50 * effect


@given(ANY)
def test_no_input_gives_nan_and_the_interval_holds_the_effect(differences):
    effect, interval = d_z(differences), compute_d_z_interval(differences)
    assert not math.isnan(effect)
    assert effect in interval or abs(effect) > 1  # of two queries, it may lie beside it


@given(ANY)
def test_to_swap_the_systems_turns_every_sign(differences):
    low, high = compute_d_z_interval(differences)
    assert d_z(-differences) == -d_z(differences)
    assert compute_d_z_interval(-differences) == pytest.approx((-high, -low))
    assert compute_superiority(-differences) == pytest.approx(1 - compute_superiority(differences))
    assert count_wins_ties_losses(-differences) == count_wins_ties_losses(differences)[::-1]


def test_without_chance_there_is_an_effect_all_the_same():
    assert compute_d_z_interval(np.zeros(3)) == Interval(0.0, 0.0)
    assert compute_d_z_interval(np.full(3, 0.5)) == Interval(math.inf, math.inf)
    assert compute_d_z_interval(np.full(3, -0.5)) == Interval(-math.inf, -math.inf)
    assert compute_d_z_interval(np.full(1, 0.5)) == Interval(-math.inf, math.inf)


def test_wins_ties_and_losses_of_sakais_table():
    assert count_wins_ties_losses(DIFFERENCES) == (10, 5, 5)
    assert compute_superiority(DIFFERENCES) == 12.5 / 20
    assert count_wins_ties_losses(DIFFERENCES, tie=0.1) == (8, 11, 1)
    assert count_wins_ties_losses(np.array([])) == (0, 0, 0)
    assert compute_superiority(np.array([])) == 0.5


# Squares of smaller numbers than these are 0.
FINITE = st.floats(-1, 1).map(lambda value: value if abs(value) > 1e-100 else 0.0)


@given(st.lists(FINITE, min_size=2, max_size=50))
def test_a_spread_has_numpys_mean_and_deviation_unless_all_are_the_same(values):
    spread = measure_spread(np.array(values))
    assert spread.n == len(values)
    assert spread.mean == pytest.approx(np.mean(values), abs=1e-15)
    if spread.varies:
        assert spread.deviation == np.std(values, ddof=1)
    else:
        assert np.ptp(values) <= 1e-12 * np.abs(values).max()


@given(FINITE, st.integers(2, 50))
def test_a_constant_has_no_deviation(value, n):
    assert measure_spread(np.full(n, value)).deviation == 0


def test_a_constant_that_floats_blur_has_none_either():
    values = np.array([0.7, 0.3, 0.6]) - np.array([0.5, 0.1, 0.4])
    assert len(set(values.tolist())) > 1
    assert measure_spread(values).deviation == 0


def test_of_fewer_than_two_no_deviation_is_known():
    assert measure_spread(np.array([0.5])) == Spread(1, 0.5, math.inf)
    assert measure_spread(np.array([])) == Spread(0, 0.0, math.inf)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_differences_that_are_no_numbers_are_refused(value):
    sentence = "differences: must be finite numbers, got NaN or infinity among them."
    with pytest.raises(ComparisonError, match=f"^{sentence}"):
        measure_spread(np.array([0.5, value]))


def test_a_ratio_is_never_nan():
    assert divide_safely(1.0, 0.0) == math.inf
    assert divide_safely(-1.0, 0.0) == -math.inf
    assert divide_safely(0.0, 0.0) == 0
    assert divide_safely(1.0, math.inf) == 0


def test_differences_whose_squares_are_no_numbers_are_refused():
    with pytest.raises(ComparisonError) as caught:
        measure_spread(np.array([0.5, -1e200]))
    assert str(caught.value) == "differences: must be numbers below 1e+150, got -1e+200."


TABLES = arrays(
    float, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(0, 1, width=16)
)


def test_the_residual_variance_of_sakais_table():
    assert round(compute_residual_variance(VALUES), 7) == 0.0218860  # .831667 over 38


def test_of_two_systems_it_is_half_the_variance_of_differences():
    expected = np.var(VALUES[0] - VALUES[1], ddof=1) / 2
    assert compute_residual_variance(VALUES[:2]) == pytest.approx(expected)


@given(TABLES)
def test_the_residual_is_what_systems_and_queries_do_not_explain(table):
    m, n = table.shape
    whole = ((table - table.mean()) ** 2).sum()
    systems = n * ((table.mean(axis=1) - table.mean()) ** 2).sum()
    queries = m * ((table.mean(axis=0) - table.mean()) ** 2).sum()
    freedom = (m - 1) * (n - 1)
    variance = compute_residual_variance(table)
    if freedom:
        assert variance * freedom == pytest.approx(whole - systems - queries, abs=1e-9)
    else:
        assert variance == math.inf


def test_systems_that_differ_by_the_same_on_every_query_leave_no_residual():
    assert compute_residual_variance(np.full((3, 4), 0.1)) == 0
    assert compute_residual_variance(np.array([[0.7, 0.3, 0.6], [0.5, 0.1, 0.4]])) == 0


def test_the_pooled_effect_sizes_of_sakais_table():
    effects = compute_pooled_effects(VALUES)
    assert [round(effects[i, j], 5) for i, j in ((0, 1), (0, 2), (1, 2))] == [
        0.50697,
        0.67595,
        0.16899,
    ]
    assert (effects == -effects.T).all()


def test_pooled_effects_without_a_residual():
    assert compute_pooled_effects(np.array([[0.7, 0.3, 0.6], [0.5, 0.1, 0.4]])).tolist() == [
        [0, math.inf],
        [-math.inf, 0],
    ]
    assert compute_pooled_effects(np.full((3, 4), 0.1)).tolist() == np.zeros((3, 3)).tolist()
    assert compute_pooled_effects(np.array([[0.5], [0.25]])).tolist() == [[0, 0], [0, 0]]
