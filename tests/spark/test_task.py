"""Averages of partial sums, to the last bit, and the versions of workers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.base import ragged
from gainful.spark.task import PartialSum, average_sums, find_version_error, sum_values

WHOLE = {
    "mean": ragged.mean,
    "sum": ragged.sum_exactly,
    "geometric": ragged.geometric_mean,
}
values = st.lists(
    st.one_of(
        st.floats(-1e280, 1e280),
        st.floats(0, 1),
        st.sampled_from([0.0, -0.0, 5e-324, 1e-320, math.nan]),
    )
)


@pytest.mark.parametrize("average", WHOLE)
@given(values, st.integers(1, 4))
def test_parts_give_the_average_of_all_values(average, values, n_parts):
    parts = [sum_values(average, np.array(values[i::n_parts], dtype=float)) for i in range(n_parts)]
    whole = WHOLE[average](np.array(values, dtype=float))
    assert repr(average_sums(average, parts)) == repr(whole)


@given(st.lists(st.one_of(st.floats(0, 1), st.just(math.nan))), st.integers(1, 3))
def test_values_that_are_not_there_count_as_zero_where_all_count(values, n_parts):
    parts = [sum_values("mean", np.array(values[i::n_parts], dtype=float)) for i in range(n_parts)]
    whole = ragged.mean(np.nan_to_num(np.array(values, dtype=float)))
    assert repr(average_sums("mean", parts, of=len(values))) == repr(whole)


@pytest.mark.parametrize("large", [1e300, -1e300, math.inf, -math.inf])
def test_values_whose_order_may_matter_are_left_to_who_has_them_all(large):
    partial_sum = sum_values("mean", np.array([1.0, large]))
    assert partial_sum == PartialSum(2, None)
    assert average_sums("mean", [sum_values("mean", np.array([1.0])), partial_sum]) is None


def test_workers_of_another_version_say_so():
    from gainful._version import __version__

    assert find_version_error(__version__) is None
    assert find_version_error("0.0.1")["worker_error"]["message"] == (
        f"spark: the workers have gainful {__version__}, and the driver 0.0.1. "
        "Install the same version on both."
    )
