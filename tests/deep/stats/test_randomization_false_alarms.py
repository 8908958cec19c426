"""Tukey's test keeps its promise in simulations."""

import numpy as np
import pytest

from gainful.stats.randomization import max_t, randomized_tukey


def test_where_nothing_differs_any_pair_is_below_5_percent_in_5_percent_of_cases():
    rng = np.random.default_rng(0)
    cases = 1000
    values = rng.random((cases, 1, 30)) * rng.beta(1, 2, (cases, 4, 30))  # queries hard and easy
    rejected = [
        [
            (randomized_tukey(table, resamples=499, seed=case) <= 0.05).any(),
            (max_t(table, 0, resamples=499, seed=case) <= 0.05).any(),
        ]
        for case, table in enumerate(values)
    ]
    # Three standard errors of a share of 1000 cases.
    allowed = 3 * np.sqrt(0.05 * 0.95 / cases)
    assert np.mean(rejected, axis=0).tolist() == pytest.approx([0.05, 0.05], abs=allowed)
