"""Holm, and Benjamini and Hochberg."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gainful.stats.paired_tests import CORRECTIONS, benjamini_hochberg, holm

SEVERAL = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


def test_five_p_values():
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    assert holm(p).round(12).tolist() == [0.05, 0.08, 0.09, 0.09, 0.09]
    assert benjamini_hochberg(p).round(12).tolist() == [0.05] * 5


@given(SEVERAL)
def test_they_raise_p_values_and_keep_their_order(p):
    for adjusted in (holm(p), benjamini_hochberg(p)):
        assert (adjusted >= p * (1 - 1e-15)).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
    assert (holm(p) >= benjamini_hochberg(p) * (1 - 1e-15)).all()


@given(SEVERAL, st.randoms(use_true_random=False))
def test_the_order_they_come_in_does_not_matter(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    assert (holm(p[order]) == holm(p)[order]).all()
    assert (benjamini_hochberg(p[order]) == benjamini_hochberg(p)[order]).all()


def test_of_none_there_is_none():
    assert holm(np.array([])).tolist() == []
    assert benjamini_hochberg(np.array([])).tolist() == []


def test_every_correction_has_a_summary():
    assert list(CORRECTIONS) == ["tukey", "holm", "max-t", "bh", "none"]
    assert all(summary and not summary.endswith(".") for summary in CORRECTIONS.values())
