"""Numbers as whole multiples of a power of two: their sums are exact, whatever the order.

Sums of floats depend on the order in which they are added, and so on the number of threads and on
the processor. Sums of whole numbers do not.
"""

import math

import numpy as np

from gainful.ragged import FloatArray, IntArray

# What rounding may take from a statistic, as a share of the most that it can be: values on a grid,
# such as P@10, make statistics equal that floats tell apart.
TOLERANCE = 1e-12
_INTEGER_BITS = 61
_FLOAT_BITS = 52


def integers(values: FloatArray) -> IntArray:
    """The values times a power of two, rounded, such that no sum of any of them overflows.

    The absolute values of each row add up to less than 2**62. Rounding moves a sum of n values by
    no more than n / 2**60 of what the absolute values of the largest row add up to.

    >>> integers(np.array([1.0, -0.5, 0.25])) // 2**57
    array([ 8, -4,  2])
    """
    units = np.ldexp(values, -_exponent(values))
    most = float(np.abs(units).sum(axis=-1).max(initial=0.0))
    scaled = np.ldexp(units, _INTEGER_BITS - math.frexp(most)[1])
    return np.asarray(np.rint(scaled), dtype=np.int64)


def whole_floats(values: FloatArray) -> tuple[FloatArray, int]:
    """The values times a power of two, rounded, and the exponent of that power.

    Any n of the values, repeated or not, n being how many a row has, add up to a whole number that
    a float holds. Rounding moves a mean by no more than n / 2**51 of the largest absolute value,
    which is 5e-12 of it for 10,000.

    >>> whole_floats(np.array([0.75, 0.5]))
    (array([1.68884986e+15, 1.12589991e+15]), 51)
    """
    exponent = _FLOAT_BITS - _exponent(values) - math.ceil(math.log2(values.shape[-1]))
    return np.rint(np.ldexp(values, exponent)), exponent


def _exponent(values: FloatArray) -> int:
    """The exponent of the least power of two above all absolute values."""
    return math.frexp(float(np.abs(values).max(initial=0.0)))[1]
