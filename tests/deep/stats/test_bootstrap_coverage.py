"""Intervals of the bootstrap hold the mean as often as they say, and meet Student's t."""

import numpy as np
import pytest
import scipy.stats

from gainful.stats import bootstrap
from gainful.stats.bootstrap import compute_bootstrap_intervals


def test_at_the_limit_students_t_hardly_differs_from_the_bootstrap(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.beta(0.5, 1.5, (2, 2000))
    bootstrap_result = compute_bootstrap_intervals(values, [(0, 1)])
    monkeypatch.setattr(bootstrap, "MAX_QUERIES", 1999)
    t_result = compute_bootstrap_intervals(values, [(0, 1)])
    for name in ("means", "differences", "relatives"):
        left, right = getattr(bootstrap_result, name)[0], getattr(t_result, name)[0]
        assert left == pytest.approx(right, abs=0.06 * (right.high - right.low))


def test_intervals_of_95_percent_hold_the_mean_in_about_95_percent_of_cases():
    rng = np.random.default_rng(0)
    cases, n = 1000, 50
    values = rng.beta(1, 3, (cases, n))  # skewed, on [0, 1], of mean 1/4
    bootstrap_hits = [
        (
            0.25
            in compute_bootstrap_intervals(row[np.newaxis], [], resamples=999, seed=case).means[0]
        )
        for case, row in enumerate(values)
    ]
    t_hits = scipy.stats.ttest_1samp(values, 0.25, axis=1).pvalue >= 0.05
    # With so few skewed values both fall a little short: 0.944 and 0.947 of 20,000 other cases.
    # Three standard errors of a share of 1000 cases.
    allowed = 3 * np.sqrt(0.05 * 0.95 / cases)
    assert np.mean(bootstrap_hits) == pytest.approx(0.944, abs=allowed)
    assert np.mean(t_hits) == pytest.approx(0.947, abs=allowed)


def test_intervals_of_large_samples_by_t_hold_the_ratio_in_95_percent_of_cases(monkeypatch):
    monkeypatch.setattr(bootstrap, "MAX_QUERIES", 1)
    rng = np.random.default_rng(0)
    cases, n = 1000, 500
    baseline = rng.beta(1, 3, (cases, n))
    system = 0.5 * baseline + rng.beta(1, 3, (cases, n))  # 50 % above
    covers = [
        0.5 in compute_bootstrap_intervals(np.stack([values, other]), [(0, 1)]).relatives[0]
        for values, other in zip(system, baseline, strict=True)
    ]
    # Three standard errors of a share of 1000 cases.
    assert np.mean(covers) == pytest.approx(0.95, abs=0.021)
