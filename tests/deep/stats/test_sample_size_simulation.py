"""Power, by simulation."""

import math

import numpy as np

from gainful.stats.paired_tests import paired_t
from gainful.stats.sample_size import compute_t_test_power


def test_power_by_simulation():
    draws = np.random.default_rng(0).normal(0.5, 1.0, (2000, 20))
    share = np.mean([paired_t(differences).p < 0.05 for differences in draws])
    assert abs(share - compute_t_test_power(0.5, 20)) < 3 * math.sqrt(0.25 / 2000)
