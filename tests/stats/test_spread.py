"""Mean and deviation of differences, where there is one and where there is none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import ComparisonError
from gainful.stats.effects import Spread, measure_spread, safe_ratio

# Squares of smaller numbers than these are 0.
FINITE = st.floats(-1, 1).map(lambda value: value if abs(value) > 1e-100 else 0.0)


@given(st.lists(FINITE, min_size=2, max_size=50))
def test_it_is_numpys_mean_and_deviation_unless_all_are_the_same(values):
    found = measure_spread(np.array(values))
    assert found.n == len(values)
    assert found.mean == pytest.approx(np.mean(values), abs=1e-15)
    if found.varies:
        assert found.deviation == np.std(values, ddof=1)
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
def test_what_is_no_number_is_refused(value):
    sentence = "differences: must be finite numbers, got NaN or infinity among them."
    with pytest.raises(ComparisonError, match=f"^{sentence}"):
        measure_spread(np.array([0.5, value]))


def test_a_ratio_is_never_nan():
    assert safe_ratio(1.0, 0.0) == math.inf
    assert safe_ratio(-1.0, 0.0) == -math.inf
    assert safe_ratio(0.0, 0.0) == 0
    assert safe_ratio(1.0, math.inf) == 0


def test_differences_whose_squares_are_no_numbers_are_refused():
    with pytest.raises(ComparisonError) as caught:
        measure_spread(np.array([0.5, -1e200]))
    assert str(caught.value) == "differences: must be numbers below 1e+150, got -1e+200."
