"""Sums that are cut where only zeros follow."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gainful.measures._summation import find_room, sum_rows

SUMS = ("pairwise", "cascade", "dot")


@given(
    order=st.sampled_from(SUMS),
    kind=st.sampled_from([np.float32, np.float64]),
    n_terms=st.integers(1, 64),
    n_zeros=st.one_of(st.integers(0, 300), st.integers(0, 20_000)),
    seed=st.integers(0, 2**32 - 1),
)
def test_zeros_below_the_room_of_a_sum_change_no_bit_of_it(order, kind, n_terms, n_zeros, seed):
    rng = np.random.default_rng(seed)
    gain = np.zeros((2, n_terms + n_zeros), dtype=kind)
    gain[:, :n_terms] = rng.random((2, n_terms)) * rng.choice([1.0, -1.0, 1e6], (2, n_terms))
    worth = rng.random(gain.shape).astype(kind)
    short_rows = [
        np.ascontiguousarray(part[:, : find_room(order, n_terms)]) for part in (gain, worth)
    ]
    long_sums = sum_rows(order, gain, worth, gain * worth)
    assert (
        sum_rows(order, *short_rows, short_rows[0] * short_rows[1]).tobytes() == long_sums.tobytes()
    )
