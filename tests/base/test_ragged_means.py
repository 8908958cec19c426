"""Means of ragged values: exact, sequential, running and pairwise, with and without weights."""

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
    assert ragged.mean_by("pairwise", values) == np.mean(values)
    assert ragged.mean_by("pairwise", values, weights) == np.average(values, weights=weights)


@given(numbers)
def test_sequential_mean_adds_one_after_another(values):
    total = 0.0
    for value in values.tolist():
        total += value
    assert ragged.mean_by("sequential", values) == total / len(values)


@given(numbers)
def test_running_mean_is_moved_by_every_value(values):
    mean = 0.0
    for number, value in enumerate(values.tolist(), start=1):
        mean += (value - mean) / number
    assert ragged.mean_by("running", values) == mean


@given(numbers, st.sampled_from([None, "sequential", "running", "pairwise"]))
def test_every_way_to_average_agrees_but_for_rounding(values, averaging):
    weights = np.arange(1.0, len(values) + 1)
    for own in (None, weights):
        found = ragged.mean_by(averaging, np.append(values, np.nan), append_seven(own))
        assert found == pytest.approx(ragged.mean(values, own), rel=1e-12, abs=1e-300)


def append_seven(weights):
    return None if weights is None else np.append(weights, 7.0)


@pytest.mark.parametrize("averaging", [None, "sequential", "running", "pairwise"])
def test_mean_of_nothing_is_not_a_number(averaging):
    assert math.isnan(ragged.mean_by(averaging, np.array([np.nan])))
    assert math.isnan(ragged.mean_by(averaging, np.array([1.0]), np.array([0.0])))


VALUES = st.floats(0, 1)
WEIGHTS = st.one_of(st.integers(0, 1000).map(float), st.floats(1e-300, 1e300))
PAIRS = st.lists(st.tuples(VALUES, WEIGHTS), min_size=1, max_size=30)


def columns(pairs):
    return (np.array(column) for column in zip(*pairs, strict=True))


@given(PAIRS)
def test_a_weighted_mean_lies_among_the_values(pairs):
    values, weights = columns(pairs)
    mean = ragged.mean(values, weights)
    if weights.any():
        assert values.min() * (1 - 1e-12) <= mean <= values.max() * (1 + 1e-12)
