"""Means, exact sums and distinct values of flat arrays."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.base import ragged

numbers = st.lists(st.floats(0, 1), min_size=1, max_size=40).map(np.array)


@given(numbers)
def test_pairwise_mean_is_that_of_numpy(values):
    weights = np.arange(1.0, len(values) + 1)
    assert ragged.apply_averaging("pairwise", values) == np.mean(values)
    assert ragged.apply_averaging("pairwise", values, weights) == np.average(
        values, weights=weights
    )


@given(numbers)
def test_sequential_mean_adds_one_after_another(values):
    total = 0.0
    for value in values.tolist():
        total += value
    assert ragged.apply_averaging("sequential", values) == total / len(values)


@given(numbers)
def test_running_mean_is_moved_by_every_value(values):
    mean = 0.0
    for number, value in enumerate(values.tolist(), start=1):
        mean += (value - mean) / number
    assert ragged.apply_averaging("running", values) == mean


@given(numbers, st.sampled_from([None, "sequential", "running", "pairwise"]))
def test_every_way_to_average_agrees_but_for_rounding(values, averaging):
    weights = np.arange(1.0, len(values) + 1)
    for query_weights in (None, weights):
        mean = ragged.apply_averaging(
            averaging, np.append(values, np.nan), append_seven(query_weights)
        )
        assert mean == pytest.approx(ragged.mean(values, query_weights), rel=1e-12, abs=1e-300)


def append_seven(weights):
    return None if weights is None else np.append(weights, 7.0)


@pytest.mark.parametrize("averaging", [None, "sequential", "running", "pairwise"])
def test_mean_of_nothing_is_not_a_number(averaging):
    assert math.isnan(ragged.apply_averaging(averaging, np.array([np.nan])))
    assert math.isnan(ragged.apply_averaging(averaging, np.array([1.0]), np.array([0.0])))


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
