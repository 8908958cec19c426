"""What unjudged items could do to the order of two runs, in plain words."""

import math

from gainful.interval import Interval

_NOTHING = 1e-12  # a difference that is rounding


def order_sentence(system: str, baseline: str, now: float, possible: Interval) -> str:
    """Whether the order of two runs could be turned over.

    >>> order_sentence("new", "old", 0.25, Interval(0.125, 0.5))
    'new stays above old whatever their unjudged items are: the difference is +0.2500 and lies in \
[0.1250, 0.5000].'
    """
    if math.isnan(now):
        return f"{system} and {baseline} have no query in common that has a value."
    where = f"the difference is {now + 0.0:+.4f} and lies in {possible}."
    low, high = _ends(possible)
    if low == high == 0:
        return f"{system} and {baseline} score the same whatever their unjudged items are."
    if could_turn(possible):
        return f"Judging could {_turn(system, baseline, now)}: {where}"
    return f"{system} {_stays(low, high)} {baseline} whatever their unjudged items are: {where}"


def could_turn(possible: Interval) -> bool:
    """Whether a difference could lie on either side of 0.

    >>> could_turn(Interval(-0.05, 0.2)), could_turn(Interval(-1e-17, 0.2))
    (True, False)
    """
    low, high = _ends(possible)
    return low < 0 < high


def _ends(possible: Interval) -> tuple[float, float]:
    low, high = (0.0 if abs(end) <= _NOTHING else end for end in possible)
    return low, high


def _stays(low: float, high: float) -> str:
    if low >= 0:
        return "stays above" if low > 0 else "does not fall below"
    return "stays below" if high < 0 else "does not rise above"


def _turn(system: str, baseline: str, now: float) -> str:
    if abs(now) <= _NOTHING:
        return f"put {system} above {baseline} or below it"
    first, second = (system, baseline) if now > 0 else (baseline, system)
    return f"turn the order over and put {second} above {first}"
