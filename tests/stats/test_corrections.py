"""Holm, and Benjamini and Hochberg, against statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from gainful.stats.corrections import CORRECTIONS, benjamini_hochberg, holm

SEVERAL = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


def test_five_p_values():
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    assert holm(p).round(12).tolist() == [0.05, 0.08, 0.09, 0.09, 0.09]
    assert benjamini_hochberg(p).round(12).tolist() == [0.05] * 5


@settings(max_examples=30)
@given(SEVERAL)
def test_they_are_those_of_statsmodels(p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-15)
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], abs=1e-15)


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
