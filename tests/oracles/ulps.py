"""Distances between floats, counted in units of the last place."""

import math
import struct

from mpmath import mp, mpf


def count_ulps(a: float, b: float) -> int:
    """Return the number of steps between adjacent floats that lead from ``a`` to ``b``.

    >>> count_ulps(1.0, 1.0), count_ulps(1.0, 1.0 + 2**-52), count_ulps(-5e-324, 5e-324)
    (0, 1, 2)
    """
    return abs(_convert_to_ordinal(a) - _convert_to_ordinal(b))


def compute_ulp_error(value: float, exact: mpf, scale: mpf | None = None) -> float:
    """Return the distance of a float from the exact number, in units of the last place.

    The unit is that of ``scale``, by default the exact number itself: a sum in which terms cancel
    cannot be more exact than its terms are.

    >>> compute_ulp_error(0.1, mpf(1) / 10) < 0.5
    True
    """
    magnitude = abs(float(exact if scale is None else scale))
    if magnitude == 0:
        return 0.0 if value == exact else math.inf
    return float(mp.fabs(mpf(value) - exact) / math.ulp(magnitude))


def _convert_to_ordinal(value: float) -> int:
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)
