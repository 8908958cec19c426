"""Whether two lists of values put the same systems in the same order: correlations of ranks."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gainful.errors import ComparisonError
from gainful.ragged import FloatArray


def kendall_tau(a: Any, b: Any) -> float:
    """Kendall's tau-b of two lists of values of the same systems, from -1 to 1.

    The share of pairs of systems that both order alike, less the share they order the other way
    round; tau-b makes up for pairs that are tied. NaN for fewer than two systems, and where one
    list has the same value for all. Of two systems it can only be -1 or 1.

    Reference: Kendall, The treatment of ties in ranking problems, Biometrika 1945;
    ``scipy.stats.kendalltau``.

    >>> round(kendall_tau([0.4, 0.3, 0.2, 0.1], [0.5, 0.6, 0.2, 0.1]), 4)
    0.6667
    """
    return _correlation("kendall_tau", a, b, _kendall)


def weighted_tau(a: Any, b: Any) -> float:
    """Kendall's tau in which pairs with a system near the top weigh more, from -1 to 1.

    A system of rank r adds 1 / r to the weight of its pairs; the mean of what ranks by ``a`` and
    ranks by ``b`` give. NaN as ``kendall_tau`` is.

    Reference: Vigna, A weighted correlation index for rankings with ties, WWW 2015;
    ``scipy.stats.weightedtau``.

    >>> round(weighted_tau([0.4, 0.3, 0.2, 0.1], [0.5, 0.6, 0.2, 0.1]), 4)
    0.52
    """
    return _correlation("weighted_tau", a, b, _weighted)


def tau_ap(a: Any, b: Any, *, symmetric: bool = False) -> float:
    r"""The AP correlation of an order ``a`` with the reference ``b``, from -1 to 1.

    $$\tau_{ap} = \frac{2}{n - t} \sum_{i} \frac{C_i}{p_i} - 1$$

    where $p_i$ is how many systems ``a`` puts above system $i$, $C_i$ how many of these ``b`` puts
    above it too, and $t$ how many share the top of ``a``, which are left out of the sum. An error
    near the top costs more than one near the end. It is not symmetric: ``a`` says where the top is.

    Ties are treated as tau_ap,b treats them: systems that ``a`` ties do not count for each other,
    and a pair that only ``b`` ties counts as not ordered alike. Without ties this is the definition
    of Yilmaz and others. NaN as ``kendall_tau`` is.

    Reference: Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information
    retrieval, SIGIR 2008; Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.

    Args:
        a: A value for every system.
        b: The values of the reference, of the same systems.
        symmetric: Take the mean of both directions, where neither is the reference.

    >>> tau_ap([0.4, 0.3, 0.2, 0.1], [0.3, 0.4, 0.2, 0.1])  # the two best are swapped
    0.33333333333333326
    >>> round(tau_ap([0.4, 0.3, 0.2, 0.1], [0.4, 0.3, 0.1, 0.2]), 4)  # the two worst are
    0.7778
    """
    if symmetric:
        return (tau_ap(a, b) + tau_ap(b, a)) / 2
    return _correlation("tau_ap", a, b, _ap)


def _correlation(
    owner: str, a: Any, b: Any, correlation: Callable[[FloatArray, FloatArray], float]
) -> float:
    ours, theirs = _values(owner, a), _values(owner, b)
    if len(ours) != len(theirs):
        message = f"{owner}: both must have the same systems, got {len(ours)} and {len(theirs)}."
        raise ComparisonError(message, code="unequal-lengths")
    if any(len(values) < 2 or values.min() == values.max() for values in (ours, theirs)):
        return math.nan
    return correlation(ours, theirs)


def _values(owner: str, given: Any) -> FloatArray:
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(math.nan)
    if values.ndim != 1 or not np.isfinite(values).all():
        message = f"{owner}: must be given a list of finite numbers, got {given!r:.60}."
        raise ComparisonError(message, code="not-numbers")
    return values


def _kendall(a: FloatArray, b: FloatArray) -> float:
    from scipy.stats import kendalltau  # only who asks for statistics pays for loading it

    return float(kendalltau(a, b).statistic)


def _weighted(a: FloatArray, b: FloatArray) -> float:
    from scipy.stats import weightedtau

    return float(weightedtau(a, b).statistic)


def _ap(a: FloatArray, b: FloatArray) -> float:
    above = a > a[:, np.newaxis]
    alike = (above & (b > b[:, np.newaxis])).sum(axis=1)
    n_above = above.sum(axis=1)
    below_top = n_above > 0
    shares = alike[below_top] / n_above[below_top]
    return 2 * math.fsum(shares) / len(shares) - 1
