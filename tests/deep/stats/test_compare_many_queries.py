"""Comparisons of very many queries."""

import numpy as np

from gainful.stats.compare import compare_scores
from stats.test_compare import codes, scored


def test_very_many_queries_are_said():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 5_001))
    comparison = compare_scores(scored(one=first, two=second), resamples=100)
    assert "many-queries" in codes(comparison)
    assert "few-queries" not in codes(comparison)
