"""Power of the paired t-test, two-sided: the queries that an effect needs, and the reverse.

An effect is a difference in standard deviations of the differences, d_z.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from gainful.base import Setting, collect_arguments
from gainful.errors import ComparisonError


def compute_noncentral_cdf(t: float, freedom: int, noncentrality: float) -> float:
    """Return the probability that a noncentral t lies below ``t``.

    >>> round(compute_noncentral_cdf(2.0, 19, 1.0), 6)
    0.822989
    """
    from scipy.special import nctdtr  # as scipy.stats.nct computes it, at a sixtieth of the time

    probability = float(nctdtr(freedom, noncentrality, t))
    if math.isnan(probability):  # far out in a tail
        return float(t > noncentrality)
    return min(max(probability, 0.0), 1.0)


def find_noncentrality(t: float, freedom: int, p: float) -> float:
    """Return the noncentrality with which a noncentral t lies below ``t`` by chance ``p``.

    >>> round(find_noncentrality(2.0, 19, 0.822989), 4)
    1.0
    """
    from scipy.special import chdtri, ndtri

    if t > max(1000, 100 * math.sqrt(freedom)):
        # Only the deviation is by chance then; nctdtr would take minutes.
        return t * math.sqrt(float(chdtri(freedom, p)) / freedom)

    def excess_probability(guess: float) -> float:
        return compute_noncentral_cdf(t, freedom, guess) - p

    step = math.sqrt(1 + t * t / (2 * freedom)) / 8
    low = high = t - 8 * step * float(ndtri(p))
    while excess_probability(low) < 0:
        low, step = low - step, 2 * step
    while excess_probability(high) > 0:
        high, step = high + step, 2 * step
    return _bisect(excess_probability, low, high)


def _bisect(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the number at which a falling function crosses 0.

    Not by ``scipy.optimize``, which takes longer to load than a thousand of these.
    """
    middle = (low + high) / 2
    while low < middle < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
        middle = (low + high) / 2
    return middle


Chance = Annotated[
    float, Setting("probability that the difference is shown", more_than=0, less_than=1)
]
Alpha = Annotated[float, Setting("significance level", more_than=0, less_than=1)]

Difference = Annotated[float | None, Setting("difference of means to be shown")]
Deviation = Annotated[
    float | None, Setting("standard deviation of the differences of queries", more_than=0)
]
Variance = Annotated[float | None, Setting("variance of the differences of queries", more_than=0)]
Queries = Annotated[int | None, Setting("number of queries", at_least=2)]


@dataclass(frozen=True, kw_only=True)
class PowerSettings:
    """Settings of ``power``, checked."""

    difference: Difference = None
    deviation: Deviation = None
    variance: Variance = None
    queries: Queries = None
    power: Chance = 0.8
    alpha: Alpha = 0.05

    def __post_init__(self) -> None:
        for name, argument in collect_arguments(PowerSettings).items():
            value = argument.check("power", getattr(self, name), ComparisonError, "bad-argument")
            object.__setattr__(self, name, value)
        if self.difference == 0:
            message = "power: difference must not be 0, which no number of queries can show."
            raise ComparisonError(message, code="bad-argument")
        if self.power <= self.alpha:
            message = f"power: power must be above alpha, got {self.power:g} and {self.alpha:g}."
            raise ComparisonError(message, code="bad-argument")
        if self.deviation is not None and self.variance is not None:
            message = (
                f"power: must be given deviation or variance, got both ({self.deviation:g} and "
                f"{self.variance:g}). The variance is the square of the deviation."
            )
            raise ComparisonError(message, code="bad-argument")

    @property
    def resolved_deviation(self) -> float | None:
        """The deviation, or the root of the variance."""
        return self.deviation if self.variance is None else math.sqrt(self.variance)


# From so many queries on the normal distribution is exact, and floats have no odd numbers.
_NORMAL_QUERIES = 1e15
_ROUNDING = 1e-10  # so that a detectable effect takes the queries that it is detectable with
_CERTAIN = 40  # standard deviations that no value lies away
_SMALLEST_EFFECT = 1e-150  # an effect whose square is still a number


def compute_t_test_power(effect: float, n_queries: int, *, alpha: Alpha = 0.05) -> float:
    """Return the probability that so many queries show an effect, if it exists.

    For an effect of 0 it is ``alpha``, the chance of a false alarm. Fewer than two queries show
    nothing.

    >>> round(compute_t_test_power(0.5, 50), 4)
    0.9339
    >>> compute_t_test_power(0.0, 50), compute_t_test_power(0.5, 1)
    (0.05, 0.0)
    """
    return _compute_power(effect, n_queries, _check_share("alpha", alpha))


def find_queries_needed(effect: float, *, power: Chance = 0.8, alpha: Alpha = 0.05) -> int:
    """Return the smallest number of queries that shows an effect with the power that is wanted.

    At least 2. For an effect of 0 there is none.

    >>> find_queries_needed(0.5), find_queries_needed(-0.1), find_queries_needed(math.inf)
    (34, 787, 2)
    """
    power, alpha = _check_share("power", power), _check_share("alpha", alpha)
    if not abs(effect) >= _SMALLEST_EFFECT:
        message = f"find_queries_needed: effect must be a number other than 0, got {effect!r}."
        raise ComparisonError(message, code="bad-argument")
    estimate = _estimate_queries(abs(effect), power, alpha)
    if estimate > _NORMAL_QUERIES:
        return math.ceil(estimate)
    low, high = 1, max(2, math.ceil(estimate))
    minimum = power - _ROUNDING
    while _compute_power(effect, high, alpha) < minimum:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        is_shown = _compute_power(effect, middle, alpha) >= minimum
        low, high = (low, middle) if is_shown else (middle, high)
    return high


def find_detectable_effect(n_queries: int, *, power: Chance = 0.8, alpha: Alpha = 0.05) -> float:
    """Return the smallest effect that so many queries show with the power that is wanted.

    Fewer than two queries show none, however large: infinite. 0 if no more power is wanted than
    ``alpha``, which false alarms have.

    >>> round(find_detectable_effect(50), 4), find_detectable_effect(1)
    (0.4042, inf)
    """
    power, alpha = _check_share("power", power), _check_share("alpha", alpha)
    if n_queries < 2:
        return math.inf
    if power <= alpha:
        return 0.0

    def lack_power(effect: float) -> float:
        return power - _compute_power(effect, n_queries, alpha)

    high = math.sqrt(_estimate_queries(1.0, power, alpha) / n_queries)
    while lack_power(high) > 0:
        high *= 2
    return _bisect(lack_power, 0.0, high)


def _compute_power(effect: float, n_queries: int, alpha: float) -> float:
    if n_queries < 2:
        return 0.0
    if effect == 0:
        return alpha
    import scipy.special

    freedom, noncentrality = n_queries - 1, min(abs(effect), 1e100) * math.sqrt(n_queries)
    critical = -float(scipy.special.stdtrit(freedom, alpha / 2))
    if noncentrality > _CERTAIN * (1 + critical):
        return 1.0
    missed = compute_noncentral_cdf(critical, freedom, noncentrality) - compute_noncentral_cdf(
        -critical, freedom, noncentrality
    )
    return 1 - missed


def _estimate_queries(effect: float, power: float, alpha: float) -> float:
    """Estimate the number of queries needed, as if the deviation were known."""
    import scipy.special

    z = float(scipy.special.ndtri(power) - scipy.special.ndtri(alpha / 2))
    return (max(z, 0.0) / effect) ** 2


def _check_share(name: str, value: float) -> float:
    checked: float = collect_arguments(find_queries_needed)[name].check(
        "power", value, ComparisonError, "bad-argument"
    )
    return checked
