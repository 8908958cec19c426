"""Comparison of risk with SciPy's t statistic, expected frequencies and normal distribution."""

import numpy as np
import pytest
from scipy import stats

from gainful import Rules, Scores, georisk, nDCG, trisk, urisk
from oracles.tally import count_compared


def draw_scores(seed: int) -> tuple[np.ndarray, list[Scores]]:
    """Return values of a few runs, one row per run with some equal values, and their scores."""
    rng = np.random.default_rng(seed)
    values = rng.random((int(rng.integers(2, 6)), int(rng.integers(2, 60))))
    values[rng.random(values.shape) < 0.2] = 0.5
    queries = tuple(f"q{i}" for i in range(values.shape[1]))
    rules = Rules()
    return values, [Scores("run", queries, (nDCG,), row[:, None], rules, ()) for row in values]


@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0])
def test_risk_equals_what_scipy_makes_of_it(alpha, record_testsuite_property):
    n = 0
    for seed in range(100):
        values, runs = draw_scores(seed)
        difference = values[0] - values[1]
        difference[difference < 0] *= 1 + alpha
        assert urisk(*runs[:2], alpha=alpha) == pytest.approx(difference.mean(), abs=1e-12)
        t = stats.ttest_1samp(difference, 0).statistic
        assert trisk(*runs[:2], alpha=alpha) == pytest.approx(t, rel=1e-10)
        expected = stats.contingency.expected_freq(values)
        z = (values - expected) / np.sqrt(expected)
        z[z < 0] *= 1 + alpha
        georisks = np.sqrt(values.mean(axis=1) * stats.norm.cdf(z.mean(axis=1)))
        assert georisk(runs, alpha=alpha) == pytest.approx(georisks.tolist(), rel=1e-12)
        n += 2 + len(runs)
    count_compared("SciPy", n)
    record_testsuite_property(f"values compared with SciPy, alpha={alpha:g}", n)
