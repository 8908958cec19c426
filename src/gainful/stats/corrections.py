"""Corrections: p-values that take into account how many comparisons were made."""

import numpy as np

from gainful.ragged import FloatArray

CORRECTIONS = {
    "tukey": "randomised Tukey HSD: any false alarm among all pairs, by permuting their values",
    "holm": "Holm's steps: any false alarm among all comparisons, by the rank of their p-values",
    "max-t": "step-down maxT: any false alarm against a baseline, by the largest of permuted t",
    "bh": "Benjamini and Hochberg: the share of false alarms among what is found, for screening",
    "none": "every comparison by itself: one in twenty is a false alarm where nothing differs",
}


def holm(p: FloatArray) -> FloatArray:
    """The p-values that Holm's step-down correction gives, in the order they came in.

    The chance that any of them is below alpha although nothing differs is at most alpha.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values, kind="stable")
    times = np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * times), 1.0)
    return adjusted


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """The p-values that control the share of false alarms, in the order they came in.

    For screening many systems. Assumes that the comparisons are independent, or rise together.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    import scipy.stats

    adjusted: FloatArray = scipy.stats.false_discovery_control(np.asarray(p, np.float64))
    return adjusted
