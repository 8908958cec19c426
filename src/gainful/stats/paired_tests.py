"""Tests of paired differences, and corrections for several pairs.

The tests by Student's t take the differences of the queries, system less baseline, and assume
nothing of one alone: where there is one query or none, nothing can be told. Where all differences
are the same there is no chance in them, and t is infinite. How much that proves depends on how many
they are: the two-sided p-value is then that of their signs, see ``flip_signs``. The others are 0 or
1.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gainful.base import FloatArray, Interval
from gainful.errors import ComparisonError
from gainful.stats.bootstrap import bootstrap_shift
from gainful.stats.effects import (
    SAME_SHARE,
    count_wins_ties_losses,
    find_t_quantile,
    measure_spread,
)


class PairedT(NamedTuple):
    """Student's t of the differences, its two-sided p-value, and the interval of their mean."""

    t: float
    p: float
    interval: Interval


def paired_t(differences: FloatArray, *, level: float = 0.95) -> PairedT:
    """Return the two-sided paired t-test of the mean difference, and the interval of the mean.

    Differences that are all 0 give t = 0, p = 1 and the interval [0, 0]. n differences that are all
    the same c give t = inf or -inf and [c, c]; their p is that of sign flips, 2**(1 - n). Fewer
    than two cannot tell: t = 0, p = 1 and the interval from -inf to inf.

    >>> test = paired_t(np.array([0.2, 0.1, 0.0, 0.3]))
    >>> round(test.t, 4), round(test.p, 4), str(test.interval)
    (2.3238, 0.1027, '[-0.0554, 0.3554]')
    >>> paired_t(np.zeros(3))
    PairedT(t=0.0, p=1.0, interval=Interval(low=0.0, high=0.0))
    """
    _check_level(level)
    spread = measure_spread(differences)
    if not spread.varies:
        t, margin = spread.standardize(), 0.0 if spread.deviation == 0 else np.inf
        interval = Interval(spread.mean - margin, spread.mean + margin)
        return PairedT(t, 0.5 ** (spread.n - 1) if t else 1.0, interval)
    t, half = spread.standardize(), find_t_quantile(spread.n - 1, level) * spread.error
    p = 2 * compute_t_cdf(-abs(t), spread.n - 1)
    return PairedT(t, p, Interval(spread.mean - half, spread.mean + half))


def compute_mean_interval(values: FloatArray, *, level: float = 0.95) -> Interval:
    """Return the interval of the mean of values, by Student's t; NaN for fewer than two.

    >>> print(compute_mean_interval(np.array([0.2, 0.1, 0.0, 0.3])))
    [-0.0554, 0.3554]
    >>> print(compute_mean_interval(np.array([0.2])))
    [nan, nan]
    """
    _check_level(level)
    spread = measure_spread(values)
    if spread.n < 2:
        return Interval(np.nan, np.nan)
    half = find_t_quantile(spread.n - 1, level) * spread.error
    return Interval(spread.mean - half, spread.mean + half)


def compute_t_cdf(t: float, freedom: int) -> float:
    """Return the probability that Student's t lies below ``t``.

    By ``scipy.special``, which loads in a third of the time of ``scipy.stats``.

    >>> compute_t_cdf(0.0, 5)
    0.5
    """
    from scipy.special import stdtr

    return float(stdtr(freedom, t))


def compute_non_inferiority_p(differences: FloatArray, margin: float) -> float:
    """Return the one-sided p-value that the system is worse by less than a margin.

    Below 0.05, it is shown that the mean difference is above ``-margin``. 1 for fewer than two
    queries.

    >>> round(compute_non_inferiority_p(np.array([0.2, 0.1, 0.0, 0.3]), 0.02), 4)
    0.039
    """
    return _test_one_side(differences, -margin, above=True)


def compute_equivalence_p(differences: FloatArray, margin: float) -> float:
    """Return the p-value of two one-sided t-tests (TOST) that the mean is within a margin.

    Below 0.05, it is shown that the mean is above ``-margin`` and below ``margin``. 1 for fewer
    than two queries.

    >>> round(compute_equivalence_p(np.array([0.02, -0.01, 0.0, 0.01]), 0.05), 4)
    0.003
    """
    return max(
        _test_one_side(differences, -margin, above=True),
        _test_one_side(differences, margin, above=False),
    )


def compute_regression_p(differences: FloatArray) -> float:
    """Return the one-sided p-value that the system is worse: that the mean difference is below 0.

    1 for fewer than two queries, and where all differences are 0.

    >>> round(compute_regression_p(np.array([-0.2, -0.1, 0.0, -0.3])), 4)
    0.0514
    """
    return _test_one_side(differences, 0.0, above=False)


def compute_probability_better(differences: FloatArray) -> float:
    """Return the probability that the mean difference is above 0, if nothing was known before.

    Student's t as posterior, as the reference prior gives it. 0.5 for fewer than two queries, and
    where all differences are 0.

    >>> round(compute_probability_better(np.array([0.2, 0.1, 0.0, 0.3])), 4)
    0.9486
    """
    spread = measure_spread(differences)
    if not spread.varies:
        return float(np.sign(spread.standardize()) + 1) / 2
    return compute_t_cdf(spread.standardize(), spread.n - 1)


def compute_probability_within(differences: FloatArray, margin: float) -> float:
    """Return the probability that the mean difference is within a margin, without a prior.

    Student's t as posterior. 0 for fewer than two queries: they show nothing.

    >>> round(compute_probability_within(np.array([0.02, -0.01, 0.0, 0.01]), 0.05), 4)
    0.9953
    """
    spread = measure_spread(differences)
    if not spread.varies:
        return float(spread.deviation == 0 and abs(spread.mean) < margin * (1 - SAME_SHARE))
    # On the side where probabilities are small, so that they lose nothing when subtracted.
    below, above = (
        compute_t_cdf((end - abs(spread.mean)) / spread.error, spread.n - 1)
        for end in (-margin, margin)
    )
    return above - below


def _test_one_side(differences: FloatArray, center: float, *, above: bool) -> float:
    """Return the one-sided p-value that the mean is above a center, or below it."""
    spread = measure_spread(differences)
    t = spread.standardize(center) * (1 if above else -1)
    if not spread.varies:
        return float(spread.n < 2 or t <= 0)
    return compute_t_cdf(-t, spread.n - 1)


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        message = f"level: must be a number > 0 and < 1, got {level!r}."
        raise ComparisonError(message, code="bad-argument")


CORRECTIONS = {
    "tukey": "randomized Tukey HSD: any false alarm among all pairs, by permuting their values",
    "holm": "Holm's steps: any false alarm among all comparisons, by the rank of their p-values",
    "max-t": "step-down maxT: any false alarm against a baseline, by the largest of permuted t",
    "bh": "Benjamini and Hochberg: the share of false alarms among all findings, for screening",
    "none": "every comparison by itself: one in twenty is a false alarm where nothing differs",
}


def holm(p: FloatArray) -> FloatArray:
    """Return the p-values that Holm's step-down correction gives, in the order they came in.

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
    """Return the p-values that control the share of false alarms, in the order they came in.

    For screening many systems. Assumes that the comparisons are independent, or rise together.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    import scipy.stats

    adjusted: FloatArray = scipy.stats.false_discovery_control(np.asarray(p, np.float64))
    return adjusted


def wilcoxon(differences: FloatArray) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test; 1 if all differences are 0.

    Differences that are equal except for rounding are tied, and zeros are dropped.

    >>> wilcoxon(np.array([0.7 - 0.5, 0.3 - 0.1, 0.1, 0.4, -0.3]))
    0.4375
    """
    import scipy.stats

    values = np.asarray(differences, np.float64)
    unit = SAME_SHARE * float(np.abs(values).sum())
    scaled = np.round(values / unit) if unit else values
    scaled = scaled[scaled != 0]
    return float(scipy.stats.wilcoxon(scaled).pvalue) if len(scaled) else 1.0


def sign(differences: FloatArray, *, minimum: float = 0.0) -> float:
    """Return the two-sided p-value of the sign test: whether wins and losses are equally likely.

    Differences up to ``minimum`` are ties, and dropped; 1 if nothing else is left.

    >>> sign(np.array([0.5, 0.25, 0.25, 0.125, 0.25, -0.01]), minimum=0.01)
    0.0625
    """
    import scipy.stats

    wins, _, losses = count_wins_ties_losses(differences, tie=minimum)
    return float(scipy.stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


_SIZE_WARNING = (
    "rejects too often as the number of queries grows, since it tests more than the mean "
    "(Urbano, Lima and Hanjalic, SIGIR 2019)"
)


class OptionalTest(NamedTuple):
    """A test that users may ask for.

    Attributes:
        warning: Reason why it is not run by default, in one sentence.
        p: Returns the two-sided p-value of differences; keywords resamples and seed.
    """

    warning: str
    p: Callable[..., float]


OPTIONAL_TESTS = {
    "wilcoxon": OptionalTest(
        f"the Wilcoxon test {_SIZE_WARNING}.", lambda differences, **_: wilcoxon(differences)
    ),
    "sign": OptionalTest(
        f"the sign test {_SIZE_WARNING}.", lambda differences, **_: sign(differences)
    ),
    "bootstrap-shift": OptionalTest(
        "the bootstrap-shift test rejects too often with few queries "
        "(Urbano, Lima and Hanjalic, SIGIR 2019).",
        bootstrap_shift,
    ),
}
