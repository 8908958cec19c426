"""Distances between floats, counted in units of the last place."""

import math
import struct

from mpmath import mp, mpf


def ulps(a: float, b: float) -> int:
    """How many steps from one float to the next lead from ``a`` to ``b``.

    >>> ulps(1.0, 1.0), ulps(1.0, math.nextafter(1.0, 2.0)), ulps(-5e-324, 5e-324)
    (0, 1, 2)
    """
    return abs(_ordinal(a) - _ordinal(b))


def ulps_off(value: float, exact: mpf, scale: mpf | None = None) -> float:
    """How far a float is from the exact number, in units of the last place of ``scale``.

    The scale is the exact number itself unless given: a sum in which terms cancel cannot be more
    exact than its terms are.

    >>> ulps_off(0.1, mpf(1) / 10) < 0.5
    True
    """
    size = abs(float(exact if scale is None else scale))
    if size == 0:
        return 0.0 if value == exact else math.inf
    return float(mp.fabs(mpf(value) - exact) / math.ulp(size))


def _ordinal(value: float) -> int:
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)
