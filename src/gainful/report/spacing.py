"""Some of many, evenly spaced."""

import math
from collections.abc import Sequence


def evenly_spaced(n: int, most: int) -> Sequence[int]:
    """Places among ``n``, at most so many, both ends among them.

    Halves go up, as a script rounds them: a page that draws another pair takes the same places.

    >>> list(evenly_spaced(3, 5)), list(evenly_spaced(100, 4)), list(evenly_spaced(9, 1))
    ([0, 1, 2], [0, 33, 66, 99], [0])
    """
    if n <= most:
        return range(n)
    if most < 2:
        return range(max(most, 0))
    return [math.floor(i * (n - 1) / (most - 1) + 0.5) for i in range(most)]
