"""Student's t of paired differences: whether the mean is above 0, below it, or near it.

All take the differences of the queries, system less baseline, and assume nothing of one alone:
where there is one query or none, nothing can be told. Where all differences are the same there is
no chance in them, and t is infinite. How much that proves depends on how many they are: the
two-sided p-value is then that of their signs, see ``sign_flip``. The others are 0 or 1.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gainful.errors import ComparisonError
from gainful.interval import Interval
from gainful.ragged import FloatArray
from gainful.stats.spread import SAME, spread


class PairedT(NamedTuple):
    """Student's t of the differences, its two-sided p-value, and the interval of their mean."""

    t: float
    p: float
    interval: Interval


def paired_t(differences: FloatArray, *, level: float = 0.95) -> PairedT:
    """The paired t-test that the mean difference is 0, two-sided, and the interval of the mean.

    Differences that are all 0 give t = 0, p = 1 and the interval [0, 0]. n differences that are all
    the same c give t = inf or -inf and [c, c]; their p is that of sign flips, 2**(1 - n). Fewer
    than two cannot tell: t = 0, p = 1 and the interval from -inf to inf.

    >>> test = paired_t(np.array([0.2, 0.1, 0.0, 0.3]))
    >>> round(test.t, 4), round(test.p, 4), str(test.interval)
    (2.3238, 0.1027, '[-0.0554, 0.3554]')
    >>> paired_t(np.zeros(3))
    PairedT(t=0.0, p=1.0, interval=Interval(low=0.0, high=0.0))
    """
    _checked_level(level)
    found = spread(differences)
    if not found.varies:
        t, margin = found.standardised(), 0.0 if found.deviation == 0 else np.inf
        interval = Interval(found.mean - margin, found.mean + margin)
        return PairedT(t, 0.5 ** (found.n - 1) if t else 1.0, interval)
    import scipy.stats

    test = scipy.stats.ttest_1samp(differences, 0)
    low, high = test.confidence_interval(level)
    return PairedT(float(test.statistic), float(test.pvalue), Interval(float(low), float(high)))


def mean_interval(values: FloatArray, *, level: float = 0.95) -> Interval:
    """Where the mean of values lies, by Student's t; NaN for fewer than two.

    >>> print(mean_interval(np.array([0.2, 0.1, 0.0, 0.3])), mean_interval(np.array([0.2])))
    [-0.0554, 0.3554] [nan, nan]
    """
    _checked_level(level)
    found = spread(values)
    if found.n < 2:
        return Interval(np.nan, np.nan)
    half = _quantile(found.n - 1, level) * found.error
    return Interval(found.mean - half, found.mean + half)


@cache
def _quantile(freedom: int, level: float) -> float:
    """Between which numbers, this one and its negative, Student's t lies."""
    import scipy.special

    return float(scipy.special.stdtrit(freedom, (1 + level) / 2))


def non_inferiority(differences: FloatArray, margin: float) -> float:
    """The one-sided p-value that the system is worse by less than a margin.

    Below 0.05, it is shown that the mean difference is above ``-margin``. 1 for fewer than two
    queries.

    >>> round(non_inferiority(np.array([0.2, 0.1, 0.0, 0.3]), 0.02), 4)
    0.039
    """
    return _one_sided(differences, -_checked("non_inferiority", margin), "greater")


def equivalence(differences: FloatArray, margin: float) -> float:
    """The p-value of two one-sided t-tests (TOST) that the mean lies within a margin around 0.

    Below 0.05, it is shown that the mean is above ``-margin`` and below ``margin``. 1 for fewer
    than two queries.

    >>> round(equivalence(np.array([0.02, -0.01, 0.0, 0.01]), 0.05), 4)
    0.003
    """
    margin = _checked("equivalence", margin)
    above = _one_sided(differences, -margin, "greater")
    return max(above, _one_sided(differences, margin, "less"))


def regression(differences: FloatArray) -> float:
    """The one-sided p-value that the system is worse: that the mean difference is below 0.

    1 for fewer than two queries, and where all differences are 0.

    >>> round(regression(np.array([-0.2, -0.1, 0.0, -0.3])), 4)
    0.0514
    """
    return _one_sided(differences, 0.0, "less")


def probability_better(differences: FloatArray) -> float:
    """The probability that the mean difference is above 0, if nothing was known before.

    Student's t as posterior, as the reference prior gives it. 0.5 for fewer than two queries, and
    where all differences are 0.

    >>> round(probability_better(np.array([0.2, 0.1, 0.0, 0.3])), 4)
    0.9486
    """
    import scipy.stats

    found = spread(differences)
    if not found.varies:
        return float(np.sign(found.standardised()) + 1) / 2
    return float(scipy.stats.t.cdf(found.standardised(), found.n - 1))


def probability_within(differences: FloatArray, margin: float) -> float:
    """The probability that the mean difference is less than a margin, if nothing was known before.

    Student's t as posterior. 0 for fewer than two queries: they show nothing.

    >>> round(probability_within(np.array([0.02, -0.01, 0.0, 0.01]), 0.05), 4)
    0.9953
    """
    import scipy.stats

    margin, found = _checked("probability_within", margin), spread(differences)
    if not found.varies:
        return float(found.deviation == 0 and abs(found.mean) < margin * (1 - SAME))
    # On the side where probabilities are small, so that they lose nothing when subtracted.
    ends = [(end - abs(found.mean)) / found.error for end in (-margin, margin)]
    below, above = scipy.stats.t.cdf(ends, found.n - 1)
    return float(above - below)


def _one_sided(differences: FloatArray, centre: float, alternative: str) -> float:
    found = spread(differences)
    if not found.varies:
        t = found.standardised(centre)
        return float(not (t > 0 if alternative == "greater" else t < 0) or found.n < 2)
    import scipy.stats

    test: Any = scipy.stats.ttest_1samp(differences, centre, alternative=alternative)
    return float(test.pvalue)


def _checked(caller: str, margin: float) -> float:
    if not 0 <= margin < np.inf:
        message = f"{caller}: margin must be a number >= 0, got {margin!r}."
        raise ComparisonError(message, code="bad-argument")
    return float(margin)


def _checked_level(level: float) -> None:
    if not 0 < level < 1:
        message = f"level: must be a number > 0 and < 1, got {level!r}."
        raise ComparisonError(message, code="bad-argument")
