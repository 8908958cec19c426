"""Means, exact sums and distinct values of flat arrays."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.base import ragged

numbers = st.lists(st.floats(0, 1), min_size=1, max_size=40).map(np.array)


@given(numbers)
def test_values_without_weight_of_their_own_are_added_once(values):
    weights = np.arange(1.0, len(values) + 1)
    nothing, everything = np.zeros(len(values), dtype=bool), np.ones(len(values), dtype=bool)
    padded, weight_of_nan = np.append(values, np.nan), 7.0
    for unweighted, factors in ((nothing, weights), (everything, np.ones(len(values)))):
        mean = ragged.mean_with_unweighted(
            padded, np.append(weights, weight_of_nan), np.append(unweighted, False)
        )
        assert mean == pytest.approx(
            (values * factors).sum() / weights.sum(), rel=1e-12, abs=1e-300
        )


def test_mean_of_nothing_is_not_a_number():
    one, never = np.array([1.0]), np.array([False])
    assert math.isnan(ragged.mean(np.array([np.nan])))
    assert math.isnan(ragged.mean(one, np.array([0.0])))
    assert math.isnan(ragged.mean_with_unweighted(np.array([np.nan]), one, never))
    assert math.isnan(ragged.mean_with_unweighted(one, np.array([0.0]), never))


VALUES = st.floats(0, 1)
WEIGHTS = st.one_of(st.integers(0, 1000).map(float), st.floats(1e-300, 1e300))
PAIRS = st.lists(st.tuples(VALUES, WEIGHTS), min_size=1, max_size=30)


def split_pairs(pairs):
    return (np.array(column) for column in zip(*pairs, strict=True))


@given(PAIRS)
def test_a_weighted_mean_lies_among_the_values(pairs):
    values, weights = split_pairs(pairs)
    mean = ragged.mean(values, weights)
    if weights.any():
        assert values.min() * (1 - 1e-12) <= mean <= values.max() * (1 + 1e-12)


floats = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@given(st.lists(floats), st.integers(1, 4))
def test_exact_terms_of_parts_add_up_to_the_sum_rounded_once(values, n_parts):
    parts = [ragged.compute_exact_terms(np.array(values[i::n_parts])) for i in range(n_parts)]
    assert math.fsum(term for terms in parts for term in terms) == math.fsum(values)


@given(st.lists(st.one_of(st.integers(-5, 20).map(float), floats)))
def test_distinct_values_are_those_that_sorting_finds(values):
    distinct = ragged.find_distinct(np.array(values, dtype=np.float64))
    assert distinct.tolist() == np.unique(np.array(values, dtype=np.float64)).tolist()
