"""Student's t keeps its promises in simulations."""

import math

import numpy as np

from gainful.stats.paired_tests import paired_t


def test_the_interval_covers_the_mean_as_often_as_it_says():
    draws = np.random.default_rng(0).normal(0.1, 1.0, (2000, 20))
    coverage = np.mean([0.1 in paired_t(differences).interval for differences in draws])
    assert abs(coverage - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 2000)


def test_one_false_alarm_in_twenty():
    draws = np.random.default_rng(0).normal(0.0, 1.0, (2000, 20))
    alarms = np.mean([paired_t(differences).p < 0.05 for differences in draws])
    assert abs(alarms - 0.05) < 3 * math.sqrt(0.95 * 0.05 / 2000)
