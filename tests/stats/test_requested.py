"""Tests on request, against published numbers and SciPy."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gainful.stats.paired_tests import OPTIONAL_TESTS, sign, wilcoxon
from stats.sakai import DIFFERENCES, TENTHS
from tries import tried

WHOLE = st.lists(st.integers(-9, 9), max_size=40).map(np.array)


def test_the_sign_test_of_sakais_table():
    assert round(sign(DIFFERENCES), 5) == 0.30176


def test_wilcoxons_test_of_sakais_table_sees_the_ties_that_floats_hide():
    tenths = TENTHS[0] - TENTHS[1]
    exact = scipy.stats.wilcoxon(tenths[tenths != 0]).pvalue
    assert round(exact, 5) == 0.03723
    assert wilcoxon(DIFFERENCES) == wilcoxon(tenths) == exact
    # What SciPy makes of the floats: 0.7 - 0.5 and 0.3 - 0.1 are not tied.
    assert round(scipy.stats.wilcoxon(DIFFERENCES).pvalue, 5) == 0.04036


def test_the_sign_tests_of_smucker_allan_and_carterette():
    # CIKM 2007: 29 of 50 topics are better; 25 of 43 by at least a minimal difference.
    several = np.array([0.1] * 25 + [0.005] * 4 + [-0.1] * 18 + [-0.005] * 3)
    assert round(sign(several), 5) == 0.32224
    assert sign(several, minimum=0.1) == 1
    assert round(sign(several, minimum=0.01), 5) == 0.36038


@tried(20)
@given(WHOLE)
def test_they_are_scipys_where_there_is_a_difference(whole):
    values = whole[whole != 0]
    wins = int((values > 0).sum())
    if len(values):
        assert wilcoxon(whole * 0.1) == scipy.stats.wilcoxon(values).pvalue
        assert sign(whole * 0.1) == scipy.stats.binomtest(wins, len(values)).pvalue
    else:
        assert (wilcoxon(whole), sign(whole)) == (1, 1)


@tried(20)
@given(st.lists(st.floats(-1, 1), max_size=60).map(np.array))
def test_any_input_gives_a_probability_that_no_swap_changes(differences):
    for test in (wilcoxon, sign):
        p = test(differences)
        assert 0 <= p <= 1
        assert test(-differences) == pytest.approx(p)


def test_every_test_says_what_it_does_and_why_it_is_not_the_default():
    assert list(OPTIONAL_TESTS) == ["wilcoxon", "sign", "bootstrap-shift"]
    for name, test in OPTIONAL_TESTS.items():
        assert test.name == name
        assert test.summary.endswith(".")
        assert "\n" not in test.summary
        assert "rejects too often" in test.warning
        assert test.warning.endswith("(Urbano, Lima and Hanjalic, SIGIR 2019).")


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_a_test_is_called_by_its_declaration(name):
    p = {"wilcoxon": wilcoxon, "sign": sign}[name](DIFFERENCES)
    assert OPTIONAL_TESTS[name].p(DIFFERENCES, resamples=10, seed=0) == p
