"""Running sums, products and maxima of each query's values, against a plain loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.base import _native, ragged
from gainful.base._native import Step

PLAIN = {
    Step.add: lambda a, b: a + b,
    Step.multiply: lambda a, b: a * b,
    Step.maximum: max,
}
FLOATS = st.floats(-1e6, 1e6, allow_nan=False)


@pytest.mark.parametrize("step", PLAIN)
@given(queries=st.lists(st.lists(FLOATS, max_size=9), max_size=7))
def test_is_what_a_plain_loop_gives_bit_for_bit(step, queries):
    expected = []
    for values in queries:
        for i, value in enumerate(values):
            expected.append(PLAIN[step](expected[-1], value) if i else value)
    flat = np.array([value for values in queries for value in values])
    offsets = np.concatenate([[0], np.cumsum([len(values) for values in queries])]).astype(np.int64)
    assert ragged.accumulate(flat, offsets, step).tolist() == expected


def test_what_is_given_stays_as_it_was():
    values = np.array([1.0, 2.0])
    ragged.accumulate(values, np.array([0, 2]))
    assert values.tolist() == [1.0, 2.0]


def test_a_query_does_not_leak_into_the_next():
    values, offsets = np.array([1e300, 1e-300, 1.0]), np.array([0, 1, 2, 3])
    assert ragged.accumulate(values, offsets).tolist() == values.tolist()
    assert math.isinf(ragged.accumulate(np.array([1e308, 1e308]), np.array([0, 2]))[1])


@pytest.mark.parametrize("offsets", [[0, 1], [1, 2], [0, 3, 2], [0, 2, 1, 2]])
def test_offsets_that_do_not_fit_are_refused(offsets):
    with pytest.raises(RuntimeError, match="offsets"):
        _native.running(np.zeros(2), np.array(offsets), Step.add)
