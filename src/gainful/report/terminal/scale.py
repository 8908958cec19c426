"""Round steps along an axis."""

import math
from collections.abc import Iterator

_TINY = 1e-300


def round_steps(at_least: float) -> Iterator[float]:
    """Round numbers above 0, ascending, from the first that is not below ``at_least``.

    >>> steps = round_steps(0.3)
    >>> [next(steps) for _ in range(4)]
    [0.5, 1.0, 2.0, 2.5]
    """
    power = math.floor(math.log10(max(at_least, _TINY)))
    while True:
        for digits in ("1", "2", "2.5", "5"):
            step = float(f"{digits}e{power}")
            if step >= at_least:
                yield step
        power += 1


def steps_to(value: float, step: float) -> int:
    """How many steps it takes to reach the value; what rounding adds takes none.

    >>> steps_to(0.4, 0.2), steps_to(0.41, 0.2), steps_to(0.1 + 0.2, 0.1), steps_to(0.0, 0.1)
    (2, 3, 3, 0)
    """
    return math.ceil(value / step - 1e-9)
