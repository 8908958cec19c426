"""Means of measures over queries: arithmetic, geometric and sums, weighted or not."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gainful.measures import AP, NumRel
from gainful.measures.average_precision import GMAP

VALUES = st.floats(0, 1)
WEIGHTS = st.one_of(st.integers(0, 1000).map(float), st.floats(1e-300, 1e300))
PAIRS = st.lists(st.tuples(VALUES, WEIGHTS), min_size=1, max_size=30)


def split_pairs(pairs):
    return (np.array(column) for column in zip(*pairs, strict=True))


def test_a_weighted_mean_is_the_sum_of_products_over_the_sum_of_weights():
    values, weights = np.array([1.0, 0.5, 0.25]), np.array([2.0, 1.0, 5.0])
    assert AP.average_values(values, weights) == (2 * 1 + 1 * 0.5 + 5 * 0.25) / 8


def test_values_that_are_undefined_are_left_out_with_their_weights():
    values, weights = np.array([1.0, math.nan, 0.5]), np.array([1.0, 100.0, 3.0])
    assert AP.average_values(values, weights) == (1 + 3 * 0.5) / 4


def test_a_geometric_mean_is_weighted_in_its_exponents():
    values, weights = np.array([0.5, 0.125, math.nan]), np.array([3.0, 1.0, 7.0])
    assert GMAP.average_values(values, weights) == math.exp(
        (3 * math.log(0.5) + math.log(0.125)) / 4
    )  # the fourth root of 0.5 ** 3 * 0.125


def test_counts_are_added_up_whatever_the_weights():
    assert NumRel.average_values(np.array([2.0, 3.0]), np.array([10.0, 0.0])) == 5


def test_nothing_that_weighs_anything_has_no_mean():
    assert math.isnan(AP.average_values(np.array([1.0, 0.5]), np.zeros(2)))
    assert math.isnan(AP.average_values(np.array([1.0, math.nan]), np.array([0.0, 1.0])))
    assert math.isnan(AP.average_values(np.array([]), np.array([])))


@given(PAIRS)
def test_a_weighted_mean_does_not_depend_on_the_order(pairs):
    values, weights = split_pairs(pairs)
    mean = AP.average_values(values, weights)
    reversed_mean = AP.average_values(values[::-1], weights[::-1])
    assert mean == reversed_mean or (math.isnan(mean) and math.isnan(reversed_mean))


@given(st.lists(VALUES, min_size=1), st.floats(1e-300, 1e300))
def test_equal_weights_give_the_mean_without_weights(values, weight):
    values = np.array(values)
    for measure in (AP, GMAP):
        assert measure.average_values(
            values, np.full(len(values), weight)
        ) == measure.average_values(values)
