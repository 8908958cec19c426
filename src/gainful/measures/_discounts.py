"""What a rank is worth: the number that the gain at that rank is divided by."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from gainful.base import FloatArray, IntArray, format_setting

DISCOUNTS = {
    "log2": "log2(rank + 1)",
    "ln": "ln(rank + 1)",
    "log(b)": "log_b(rank + 1)",
    "jk(b)": "1 before rank b, log_b(rank) from there",
    "reciprocal": "the rank itself",
    "none": "1: no discount",
}


@dataclass(frozen=True)
class Discount:
    """A named discount, some with a base.

    >>> Discount.read("jk(2)").divisors(4)[1:5].tolist()
    [1.0, 1.0, 1.584962500721156, 2.0]
    """

    name: str
    base: float | None = None

    meanings: ClassVar[Mapping[str, str]] = DISCOUNTS
    expected: ClassVar[str] = f"one of {', '.join(DISCOUNTS)} with a base b > 1"

    @classmethod
    def read(cls, value: object) -> "Discount":
        """Return a discount from its text; raise ValueError if it is not one."""
        if isinstance(value, Discount):
            return value
        match = re.fullmatch(r"\s*(\w+)\s*(\(\s*([\d.eE+]+)\s*\))?\s*", str(value))
        if not isinstance(value, str) or match is None:
            raise ValueError(value)
        name, base = match[1], float(match[3]) if match[3] else None
        if (name + ("(b)" if base is not None else "")) not in DISCOUNTS:
            raise ValueError(value)
        if base is not None and not 1 < base < math.inf:
            raise ValueError(value)
        return cls(name, base)

    def __str__(self) -> str:
        return self.name if self.base is None else f"{self.name}({format_setting(self.base)})"

    def divisors(self, deepest: int) -> FloatArray:
        """Return the divisor of every rank from 1 to ``deepest`` at least, at its own index."""
        return make_divisor_table(self.name, self.base, _round_up(deepest))

    def weights(self, first: IntArray, last: IntArray) -> FloatArray:
        """Return the sum of 1/divisor over the ranks ``first`` to ``last``; 0 if there are none."""
        last = np.maximum(last, first - 1)
        high, low = _compute_prefix_sums(self, _round_up(int(last.max(initial=1))))
        return (high[last] - high[first - 1]) + (low[last] - low[first - 1])

    def compute_running_sums(self, deepest: int) -> FloatArray:
        """Return the sum of 1/divisor over the ranks 1 to i, added one by one, at index i."""
        return _compute_running_sums(self, _round_up(deepest))


def _round_up(deepest: int) -> int:
    return max(16, 1 << (max(deepest, 1) - 1).bit_length())


@lru_cache(maxsize=64)
def make_divisor_table(name: str, base: float | None, deepest: int) -> FloatArray:
    """Return the divisor of every rank from 1 to ``deepest``, at its own index."""
    # From libm, one by one: the last bit of NumPy's vector log depends on the CPU.
    divisor = _FORMULAS[name]
    table = np.array([math.nan, *map(divisor, range(1, deepest + 1), repeat(base))])
    table.flags.writeable = False
    return table


@lru_cache(maxsize=64)
def _compute_running_sums(discount: Discount, deepest: int) -> FloatArray:
    return np.concatenate(
        [[0.0], np.cumsum(1.0 / make_divisor_table(discount.name, discount.base, deepest)[1:])]
    )


@lru_cache(maxsize=64)
def _compute_prefix_sums(discount: Discount, deepest: int) -> tuple[FloatArray, FloatArray]:
    """Return running sums of 1/divisor in two parts, so that their differences stay exact.

    A plain running sum would round each entry to its own size, and the difference of two large
    entries would lose the digits of a small block far down the list. The high parts are
    multiples of 2^-28 and add without rounding; the low parts are too small to matter when they do.
    """
    weight = 1.0 / make_divisor_table(discount.name, discount.base, deepest)[1:]
    high = np.floor(weight * 2.0**28) * 2.0**-28
    sums = [np.concatenate([[0.0], np.cumsum(part)]) for part in (high, weight - high)]
    return sums[0], sums[1]


def _compute_log(value: float, base: float | None) -> float:
    exact = {2.0: math.log2, 10.0: math.log10}.get(base or math.e)
    return exact(value) if exact else math.log(value) / math.log(base or math.e)


_FORMULAS: dict[str, Callable[[int, Any], float]] = {
    "log2": lambda rank, _: math.log2(rank + 1),
    "ln": lambda rank, _: math.log(rank + 1),
    "log": lambda rank, base: _compute_log(rank + 1, base),
    "jk": lambda rank, base: 1.0 if rank < base else _compute_log(rank, base),
    "reciprocal": lambda rank, _: float(rank),
    "none": lambda rank, _: 1.0,
}
