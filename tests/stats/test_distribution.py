"""How values of queries are distributed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import ComparisonError, parse
from gainful.stats.distribution import distribution

values = st.lists(st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1)), min_size=1, max_size=40)


def test_a_distribution_by_hand():
    found = distribution([0.0, 0.0, 0.25, 0.5, 1.0], bounds=(0, 1))
    assert (found.n, found.n_undefined, found.mean) == (5, 0, 0.35)
    assert (found.minimum, found.quartiles, found.maximum) == (0.0, (0.0, 0.25, 0.5), 1.0)
    assert (found.zeros, found.ones) == (0.4, 0.2)
    assert found.counts == (2, 0, 1, 0, 0, 1, 0, 0, 0, 1)
    assert found.ecdf == ((0.0, 0.4), (0.25, 0.6), (0.5, 0.8), (1.0, 1.0))


def test_values_that_are_undefined_are_left_out_and_counted():
    found = distribution([0.5, math.nan, 1.0], bounds=(0, 1))
    assert (found.n, found.n_undefined, found.mean, found.ones) == (2, 1, 0.75, 0.5)


@pytest.mark.parametrize("given_values", [[], [math.nan]])
def test_nothing_has_no_distribution(given_values):
    found = distribution(given_values)
    assert (found.n, found.n_undefined) == (0, len(given_values))
    assert math.isnan(found.mean)
    assert all(map(math.isnan, found.quartiles))
    assert (found.edges, found.counts, found.ecdf) == ((), (), ())


def test_values_that_are_all_the_same_have_one_bin_with_all_of_them():
    assert sum(distribution([3.0, 3.0]).counts) == max(distribution([3.0, 3.0]).counts) == 2


def test_a_histogram_goes_as_far_as_the_measure_does_or_the_values():
    assert distribution([0.2], bounds=parse("nDCG@10").bounds).edges[0::10] == (0.0, 1.0)
    assert distribution([2.0, 5.0], bounds=parse("DCG@10").bounds).edges[0::10] == (0.0, 5.0)
    assert distribution([2.0, 5.0]).edges[0::10] == (2.0, 5.0)


def test_a_value_beyond_the_bounds_is_not_lost():
    found = distribution([-0.5, 1.5], bounds=(0, 1))
    assert (found.edges[0], found.edges[-1], sum(found.counts)) == (-0.5, 1.5, 2)


@given(values)
def test_every_value_is_in_a_bin_and_the_ecdf_ends_at_1(several):
    found = distribution(several, bounds=(0, 1))
    assert sum(found.counts) == found.n == len(several)
    assert len(found.edges) == len(found.counts) + 1 == 11
    assert found.ecdf[-1] == (max(several), 1.0)
    steps = [share for _, share in found.ecdf]
    assert steps == sorted(steps)
    assert all(share == np.mean(np.array(several) <= value) for value, share in found.ecdf)


@given(values)
def test_quartiles_lie_in_order_between_the_ends(several):
    found = distribution(several)
    inner = [found.minimum, *found.quartiles, found.maximum]
    assert inner == sorted(inner)


@pytest.mark.parametrize(
    ("given_values", "shown"), [([math.inf], "[inf]"), (["a"], "['a']"), (0.5, "0.5")]
)
def test_what_is_no_list_of_finite_numbers_is_an_error(given_values, shown):
    with pytest.raises(ComparisonError) as error:
        distribution(given_values)
    assert str(error.value) == f"distribution: must be given a list of finite numbers, got {shown}."
