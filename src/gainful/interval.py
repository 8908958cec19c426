"""Interval: from where to where."""

from typing import NamedTuple


class Interval(NamedTuple):
    """Two ends, both part of it; NaN where there is none.

    >>> print(Interval(0.004, 0.0381))
    [0.0040, 0.0381]
    """

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]"

    def __contains__(self, value: object) -> bool:
        """Whether a number lies in it.

        >>> 0 in Interval(-1.0, 1.0), 0 in Interval(0.5, 1.0)
        (True, False)
        """
        return isinstance(value, float | int) and self.low <= value <= self.high
