"""Spread: mean and standard deviation of differences, also where there is none."""

import math
from typing import NamedTuple

import numpy as np

from gainful.errors import ComparisonError
from gainful.ragged import FloatArray

LARGEST = 1e150  # number whose square is still one, and many of which add up
SAME = 1e-12  # numbers that differ by less than this share of the largest are the same


class Spread(NamedTuple):
    """How many differences there are, their mean, and their standard deviation.

    The deviation is 0 if all are the same, but for rounding, and infinite if there are fewer than
    two: nothing is known of it then, and all that divides by it is 0.
    """

    n: int
    mean: float
    deviation: float

    @property
    def varies(self) -> bool:
        """Whether there is a deviation to go by."""
        return 0 < self.deviation < math.inf

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.n) if self.n else math.inf

    def standardised(self, centre: float = 0.0) -> float:
        """How many standard errors the mean lies above a centre; 0 if it lies on it.

        >>> spread(np.array([0.5, 0.5])).standardised(), spread(np.array([0.5])).standardised()
        (inf, 0.0)
        """
        above = self.mean - centre
        # Without chance in it, rounding would decide.
        on_it = not self.varies and abs(above) <= SAME * abs(centre)
        return 0.0 if on_it else ratio(above, self.error)


def spread(differences: FloatArray) -> Spread:
    """The number, mean and standard deviation of differences.

    A constant that was computed in floats, such as 0.7 - 0.5 and 0.3 - 0.1, counts as one.

    >>> spread(np.array([0.25, 0.75]))
    Spread(n=2, mean=0.5, deviation=0.3535533905932738)
    >>> spread(np.array([0.7 - 0.5, 0.3 - 0.1])).deviation
    0.0
    """
    values = np.asarray(differences, np.float64)
    if not np.isfinite(values).all():
        message = "differences: must be finite numbers, got NaN or infinity among them."
        raise ComparisonError(message, code="not-numbers")
    if (large := values[np.abs(values) > LARGEST]).size:
        message = f"differences: must be numbers below {LARGEST:g}, got {float(large[0])!r}."
        raise ComparisonError(message, code="not-numbers")
    n = len(values)
    mean = math.fsum(values) / n if n else 0.0
    if n < 2:
        return Spread(n, mean, math.inf)
    if np.ptp(values) <= SAME * np.abs(values).max():
        return Spread(n, mean, 0.0)
    return Spread(n, mean, float(np.std(values, ddof=1)))


def ratio(top: float, bottom: float) -> float:
    """A difference over its deviation: without deviation infinite, without difference 0.

    >>> ratio(0.5, 0.25), ratio(-0.5, 0.0), ratio(0.0, 0.0)
    (2.0, -inf, 0.0)
    """
    if bottom == 0:
        return math.copysign(math.inf, top) if top else 0.0
    return top / bottom + 0.0  # 0 has no sign
