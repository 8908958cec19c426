"""The noncentral t distribution, also where SciPy's runs out of digits."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from gainful.ragged import FloatArray

_FAR, _LARGE = 1000.0, 10.0  # t, alone and over the root of its degrees of freedom
_NODES = 100


def below(t: float, freedom: int, noncentrality: float) -> float:
    """The probability that a noncentral t lies below ``t``.

    >>> round(below(2.0, 19, 1.0), 6)
    0.822989
    """
    import scipy.special  # as scipy.stats.nct computes it, at a sixtieth of the time

    if t <= _FAR or t <= _LARGE * math.sqrt(freedom):
        found = float(scipy.special.nctdtr(freedom, noncentrality, t))
        if math.isnan(found):  # far out in a tail
            return float(t > noncentrality)
        return min(max(found, 0.0), 1.0)
    # There nctdtr takes ever longer, is right to ever fewer digits, and at last is NaN. It is the
    # mean, over a normal numerator, of the probability that the denominator is large enough.
    nodes, weights = _normal()
    top = np.maximum(nodes + noncentrality, 0.0) / t
    return float(weights @ scipy.special.chdtrc(freedom, freedom * top * top))


def noncentrality(t: float, freedom: int, p: float) -> float:
    """The noncentrality with which a noncentral t lies below ``t``, not negative, by chance ``p``.

    >>> round(noncentrality(2.0, 19, 0.822989), 4)
    1.0
    """
    import scipy.optimize
    import scipy.special

    def excess(guess: float) -> float:
        return below(t, freedom, guess) - p

    width = math.sqrt(1 + t * t / (2 * freedom))
    guess = t - width * float(scipy.special.ndtri(p))
    low, high = _bracket(excess, guess, width / 8)
    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-12 * width, rtol=1e-13))


def _bracket(falling: Callable[[float], float], guess: float, step: float) -> tuple[float, float]:
    """Two places between which a falling function crosses 0, found from a guess."""
    low = high = guess
    while falling(low) < 0:
        high, low, step = low, low - step, 2 * step
    while falling(high) > 0:
        low, high, step = high, high + step, 2 * step
    return low, high


@lru_cache(maxsize=1)
def _normal() -> tuple[FloatArray, FloatArray]:
    """Places and weights by which a mean over the normal distribution is a sum."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return nodes, weights / weights.sum()
