"""Power, corrections, equivalence and residual variance, as statsmodels has them."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired

from example_counts import max_examples
from gainful import power
from gainful.stats.effects import compute_residual_variance
from gainful.stats.paired_tests import benjamini_hochberg, compute_equivalence_p, holm
from gainful.stats.sample_size import (
    compute_t_test_power,
    find_detectable_effect,
    find_queries_needed,
)

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)
ALPHAS = st.floats(0.001, 0.099)
DIFFERENCES = st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=40)
VARIED_DIFFERENCES = DIFFERENCES.filter(lambda values: len(set(values)) > 1).map(np.array)
MARGINS = st.floats(0, 1).map(lambda x: round(x, 3))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", [(2, 5), (3, 20), (6, 50)])
def test_the_residual_variance_is_that_of_statsmodels(shape, seed):
    table = np.random.default_rng(seed).random(shape)
    n_systems, n_queries = shape
    long = pd.DataFrame(
        {
            "value": table.ravel(),
            "system": np.repeat(np.arange(n_systems), n_queries),
            "query": np.tile(np.arange(n_queries), n_systems),
        }
    )
    row = AnovaRM(long, "value", "query", within=["system"]).fit().anova_table.iloc[0]
    between_systems = n_queries * np.var(table.mean(axis=1), ddof=1)
    f_value = between_systems / compute_residual_variance(table)
    assert f_value == pytest.approx(row["F Value"], rel=1e-9)


@max_examples(30)
@given(P_VALUES)
def test_they_are_those_of_statsmodels(p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-15)
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], abs=1e-15)


@given(VARIED_DIFFERENCES, MARGINS)
def test_equivalence_is_that_of_statsmodels(differences, margin):
    p, _, _ = ttost_paired(differences, np.zeros(len(differences)), -margin, margin)
    assert compute_equivalence_p(differences, margin) == pytest.approx(p, abs=1e-12)


@given(st.floats(0.01, 0.5), st.floats(0.05, 0.5), st.floats(0.4, 0.95))
def test_the_number_needed_is_that_of_statsmodels(difference, deviation, target):
    plan = power(difference=difference, deviation=deviation, power=target)
    options = {"effect_size": difference / deviation, "alpha": 0.05, "power": target}
    if plan.needed > 3:  # of fewer, it finds none
        expected = np.ravel(TTestPower().solve_power(**options))[0]
        assert plan.needed == math.ceil(round(expected, 5))


@given(st.floats(0.01, 3), st.integers(2, 2000), ALPHAS)
def test_power_is_that_of_statsmodels(effect, n_queries, alpha):
    expected = TTestPower().power(effect, n_queries, alpha)
    assume(not math.isnan(expected))  # it is for many queries and large effects
    assert compute_t_test_power(effect, n_queries, alpha=alpha) == pytest.approx(
        expected, abs=1e-10
    )


@given(st.floats(0.05, 1.0), st.floats(0.3, 0.95))
def test_queries_needed_are_those_of_statsmodels(effect, target):
    expected = TTestPower().solve_power(effect_size=effect, alpha=0.05, power=target)
    assert find_queries_needed(effect, power=target) == max(2, math.ceil(round(float(expected), 6)))


@given(st.integers(5, 2000), st.floats(0.3, 0.95))
def test_the_detectable_effect_is_that_of_statsmodels(n_queries, target):
    expected = np.ravel(TTestPower().solve_power(nobs=n_queries, alpha=0.05, power=target))[0]
    assert find_detectable_effect(n_queries, power=target) == pytest.approx(abs(expected), rel=1e-4)
