"""What the differences of queries say about the mean of all there could be."""

import math

import numpy as np

from gainful.ragged import FloatArray


def regression(differences: FloatArray) -> float:
    """The one-sided p-value that the mean is below 0."""
    return _p(differences, 0.0, "less")


def non_inferiority(differences: FloatArray, margin: float) -> float:
    """The one-sided p-value that the mean is above -margin."""
    return _p(differences, -margin, "greater")


def _p(differences: FloatArray, against: float, alternative: str) -> float:
    if len(differences) < 2:
        return 1.0
    if differences.min() == differences.max():
        beyond = differences[0] - against
        return 0.0 if (beyond < 0 if alternative == "less" else beyond > 0) else 1.0
    import scipy.stats

    return float(scipy.stats.ttest_1samp(differences, against, alternative=alternative).pvalue)


def lower_end(differences: FloatArray, alpha: float) -> float:
    """The lower end of the one-sided confidence interval of the mean; -inf for one query."""
    n = len(differences)
    if n < 2:
        return -math.inf
    import scipy.stats

    error = float(np.std(differences, ddof=1)) / math.sqrt(n)
    return math.fsum(differences) / n - float(scipy.stats.t.ppf(1 - alpha, n - 1)) * error


def detectable(differences: FloatArray, alpha: float) -> float:
    """The smallest drop that the one-sided test finds four times out of five; inf for one query."""
    n = len(differences)
    if n < 2:
        return math.inf
    import scipy.optimize
    import scipy.stats

    critical = float(scipy.stats.t.ppf(1 - alpha, n - 1))

    def missed(effect: float) -> float:
        return float(scipy.stats.nct.sf(critical, n - 1, effect * math.sqrt(n))) - 0.8

    effect = scipy.optimize.brentq(missed, 1e-9, 100.0)
    return float(effect) * float(np.std(differences, ddof=1))
