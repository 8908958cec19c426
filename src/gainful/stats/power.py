"""Power: how many queries show a difference, and which difference so many queries show.

Of the paired t-test, two-sided. An effect is a difference in standard deviations of the
differences, d_z.
"""

import math
from typing import Annotated

from gainful.errors import ComparisonError
from gainful.settings import Setting, arguments_of
from gainful.stats.noncentral import below

Chance = Annotated[
    float, Setting("the chance that the difference is shown", more_than=0, less_than=1)
]
Alpha = Annotated[
    float, Setting("below which p-value a difference is shown", more_than=0, less_than=1)
]

_MANY = 1e15  # queries, from which the normal distribution is exact, and floats have no odd numbers
_ROUNDING = 1e-10  # so that a detectable effect takes the queries that it is detectable with
_SURE = 40  # standard deviations, which nothing lies away
_LEAST = 1e-150  # an effect whose square is still a number


def power(effect: float, n_queries: int, *, alpha: Alpha = 0.05) -> float:
    """The chance that so many queries show an effect, if it is there.

    For an effect of 0 it is ``alpha``, the chance of a false alarm. Fewer than two queries show
    nothing.

    >>> round(power(0.5, 50), 4)
    0.9339
    >>> power(0.0, 50), power(0.5, 1)
    (0.05, 0.0)
    """
    return _power(effect, n_queries, _checked("alpha", alpha))


def queries_needed(effect: float, *, power: Chance = 0.8, alpha: Alpha = 0.05) -> int:
    """The smallest number of queries that shows an effect with the power that is wanted.

    At least 2. For an effect of 0 there is none.

    >>> queries_needed(0.5), queries_needed(-0.1), queries_needed(math.inf)
    (34, 787, 2)
    """
    power, alpha = _checked("power", power), _checked("alpha", alpha)
    if not abs(effect) >= _LEAST:
        message = f"queries_needed: effect must be a number other than 0, got {effect!r}."
        raise ComparisonError(message, code="bad-argument")
    about = _normal_queries(abs(effect), power, alpha)
    if about > _MANY:
        return math.ceil(about)
    low, high = 1, max(2, math.ceil(about))
    least = power - _ROUNDING
    while _power(effect, high, alpha) < least:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        shown = _power(effect, middle, alpha) >= least
        low, high = (low, middle) if shown else (middle, high)
    return high


def detectable_effect(n_queries: int, *, power: Chance = 0.8, alpha: Alpha = 0.05) -> float:
    """The smallest effect that so many queries show with the power that is wanted.

    Fewer than two queries show none, however large: infinite. 0 if no more power is wanted than
    ``alpha``, which false alarms have.

    >>> round(detectable_effect(50), 4), detectable_effect(1)
    (0.4042, inf)
    """
    power, alpha = _checked("power", power), _checked("alpha", alpha)
    if n_queries < 2:
        return math.inf
    if power <= alpha:
        return 0.0
    import scipy.optimize

    def lacking(effect: float) -> float:
        return _power(effect, n_queries, alpha) - power

    high = math.sqrt(_normal_queries(1.0, power, alpha) / n_queries)
    while lacking(high) < 0:
        high *= 2
    return float(scipy.optimize.brentq(lacking, 0.0, high, xtol=1e-15, rtol=1e-12))


def _power(effect: float, n_queries: int, alpha: float) -> float:
    if n_queries < 2:
        return 0.0
    if effect == 0:
        return alpha
    import scipy.special

    freedom, noncentrality = n_queries - 1, min(abs(effect), 1e100) * math.sqrt(n_queries)
    critical = -float(scipy.special.stdtrit(freedom, alpha / 2))
    if noncentrality > _SURE * (1 + critical):
        return 1.0
    missed = below(critical, freedom, noncentrality) - below(-critical, freedom, noncentrality)
    return 1 - missed


def _normal_queries(effect: float, power: float, alpha: float) -> float:
    """About how many queries are needed, as if the deviation were known."""
    import scipy.special

    z = float(scipy.special.ndtri(power) - scipy.special.ndtri(alpha / 2))
    return (max(z, 0.0) / effect) ** 2


def _checked(name: str, value: float) -> float:
    checked: float = arguments_of(queries_needed)[name].check(
        "power", value, ComparisonError, "bad-argument"
    )
    return checked
