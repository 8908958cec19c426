"""Where axes begin and end, and where labels beside lines go so that none covers another."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def span(values: Iterable[float | None], *, around: tuple[float, ...] = ()) -> tuple[float, float]:
    """A round lower and upper end that hold all values, and some more numbers.

    >>> span([0.31, None, 0.58])
    (0.3, 0.6)
    >>> span([])
    (0.0, 1.0)
    """
    known = [value for value in (*values, *around) if value is not None]
    if not known:
        return 0.0, 1.0
    low, high = min(known), max(known)
    step = _step(max(high - low or abs(high), 1e-9 * max(abs(low), abs(high), 1)))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = 12 - math.floor(math.log10(step))
    ends = round(first * step, digits), round(max(last, first + 1) * step, digits)
    return min(ends[0], low), max(ends[1], high)  # rounding may have cut off the outermost


def nothing_known(rows: Iterable[Mapping[str, Any]], field: str) -> dict[str, Any]:
    """The ends of an axis whose field has no number at all, else none: Vega finds them itself.

    >>> nothing_known([{"low": None}], "low"), nothing_known([{"low": 0.2}], "low")
    ({'domain': [0, 1]}, {})
    """
    return {} if any(row[field] is not None for row in rows) else {"domain": [0, 1]}


def _step(wide: float) -> float:
    power = 10.0 ** math.floor(math.log10(wide))
    return power if wide > 5 * power else power / 2 if wide > 2 * power else power / 5


def whole_ticks(first: int, last: int, *, log: bool = False) -> list[int]:
    """Round whole numbers between two ends, the first end among them, about ten at most.

    >>> whole_ticks(1, 50)
    [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50]
    >>> whole_ticks(1, 50, log=True)
    [1, 2, 5, 10, 20, 50]
    """
    if log:
        decades = (10**power for power in range(len(str(last))))
        return [n for ten in decades for n in (ten, 2 * ten, 5 * ten) if first <= n <= last]
    steps = (m * 10**power for power in range(len(str(last)) + 1) for m in (1, 2, 5))
    step = next(step for step in steps if (last - first) / step <= 11)
    start = -(-first // step) * step
    ticks = list(range(start, last + 1, step))
    return ticks if first in ticks or ticks[0] - first < step / 2 else [first, *ticks]


def apart(places: Sequence[float], gap: float) -> list[float]:
    """The places, moved as little as it takes to be at least a gap apart, in the same order.

    >>> apart([0.0, 1.0, 9.0], 3.0)
    [-1.0, 2.0, 9.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    blocks: list[list[float]] = []  # of each: its centre, and how many are in it
    for i in order:
        blocks.append([places[i], 1])
        while len(blocks) > 1 and _touch(blocks[-2], blocks[-1], gap):
            centre, n = blocks.pop()
            before, m = blocks.pop()
            blocks.append([(before * m + centre * n) / (m + n), m + n])
    moved = [c + gap * (k - (n - 1) / 2) for c, n in blocks for k in range(int(n))]
    return [moved[order.index(i)] for i in range(len(places))]


def _touch(lower: list[float], upper: list[float], gap: float) -> bool:
    return upper[0] - lower[0] < gap * (lower[1] + upper[1]) / 2
