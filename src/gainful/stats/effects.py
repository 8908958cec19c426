"""Effect sizes: differences of two systems, or of all, in units of their deviation."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from gainful.base import FloatArray, Interval
from gainful.errors import ComparisonError
from gainful.stats.sample_size import find_noncentrality

LARGEST = 1e150  # number whose square is still one, and many of which add up
SAME_SHARE = 1e-12  # numbers that differ by less than this share of the largest are the same


class Spread(NamedTuple):
    """Number of differences, their mean, and their standard deviation.

    The deviation is 0 if all are the same, except for rounding, and infinite if there are fewer
    than two: nothing is known of it then, and all that divides by it is 0.
    """

    n: int
    mean: float
    deviation: float

    @property
    def varies(self) -> bool:
        """True if the deviation is known and above 0."""
        return 0 < self.deviation < math.inf

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.n) if self.n else math.inf

    def standardize(self, center: float = 0.0) -> float:
        """Return the distance of the mean above a center, in standard errors; 0 if it lies on it.

        >>> [measure_spread(np.full(n, 0.5)).standardize() for n in (2, 1)]
        [inf, 0.0]
        """
        above = self.mean - center
        # Without chance in it, rounding would decide.
        is_at_center = not self.varies and abs(above) <= SAME_SHARE * abs(center)
        return 0.0 if is_at_center else divide_safely(above, self.error)


def measure_spread(differences: FloatArray) -> Spread:
    """Return the number, mean and standard deviation of differences.

    A constant that was computed in floats, such as 0.7 - 0.5 and 0.3 - 0.1, counts as one.

    >>> measure_spread(np.array([0.25, 0.75]))
    Spread(n=2, mean=0.5, deviation=0.3535533905932738)
    >>> measure_spread(np.array([0.7 - 0.5, 0.3 - 0.1])).deviation
    0.0
    """
    values = np.asarray(differences, np.float64)
    if not np.isfinite(values).all():
        message = "differences: must be finite numbers, got NaN or infinity among them."
        raise ComparisonError(message, code="not-numbers")
    if (large := values[np.abs(values) > LARGEST]).size:
        message = f"differences: must be numbers below {LARGEST:g}, got {float(large[0])!r}."
        raise ComparisonError(message, code="not-numbers")
    n = len(values)
    mean = math.fsum(values) / n if n else 0.0
    if n < 2:
        return Spread(n, mean, math.inf)
    if np.ptp(values) <= SAME_SHARE * np.abs(values).max():
        return Spread(n, mean, 0.0)
    return Spread(n, mean, float(np.std(values, ddof=1)))


def divide_safely(top: float, bottom: float) -> float:
    """Return a difference over its deviation: without deviation infinite, without difference 0.

    >>> divide_safely(0.5, 0.25), divide_safely(-0.5, 0.0), divide_safely(0.0, 0.0)
    (2.0, -inf, 0.0)
    """
    if bottom == 0:
        return math.copysign(math.inf, top) if top else 0.0
    return top / bottom + 0.0  # 0 has no sign


@cache
def find_t_quantile(freedom: int, level: float) -> float:
    """Return the number that Student's t lies within, from its negative to it.

    >>> round(find_t_quantile(19, 0.95), 4)
    2.093
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def d_z(differences: FloatArray) -> float:
    """Return the mean difference in standard deviations of the differences.

    0 for differences that are all 0, infinite for differences that are all the same, and 0 for
    fewer than two, of which no deviation is known.

    >>> d_z(np.array([0.5, 0.25, 0.75]))
    2.0
    >>> d_z(np.zeros(2)), d_z(np.full(2, -0.5)), d_z(np.full(1, 0.5))
    (0.0, -inf, 0.0)
    """
    spread = measure_spread(differences)
    return divide_safely(spread.mean, spread.deviation)


def compute_d_z_interval(differences: FloatArray, *, level: float = 0.95) -> Interval:
    """Return the interval of d_z, by the noncentral t distribution.

    [0, 0] for differences that are all 0, [inf, inf] or [-inf, -inf] for differences that are all
    the same, and from -inf to inf for fewer than two.

    >>> print(compute_d_z_interval(np.array([0.5, 0.25, 0.75, 0.0])))
    [-0.2015, 2.4378]
    """
    spread = measure_spread(differences)
    if not spread.varies:
        effect = spread.standardize()
        return Interval(effect, effect) if spread.n >= 2 else Interval(-math.inf, math.inf)
    t, tail, root = spread.standardize(), (1 - level) / 2, math.sqrt(spread.n)
    low, high = (find_noncentrality(abs(t), spread.n - 1, p) / root for p in (1 - tail, tail))
    return Interval(low, high) if t >= 0 else Interval(-high, -low)


def count_wins_ties_losses(differences: FloatArray, *, tie: float = 0.0) -> tuple[int, int, int]:
    """Count the queries that the system does better on, the same on, and worse on.

    A difference up to ``tie`` is a tie. So is one above it by rounding alone, as 0.3 - 0.2 is
    above 0.1.

    >>> count_wins_ties_losses(np.array([0.5, 0.0, -0.25, 0.3 - 0.2]), tie=0.1)
    (1, 2, 1)
    """
    values = np.asarray(differences)
    edge = tie + SAME_SHARE * float(np.abs(values).max(initial=0.0))
    wins, losses = int((values > edge).sum()), int((values < -edge).sum())
    return wins, len(values) - wins - losses, losses


def compute_superiority(differences: FloatArray, *, tie: float = 0.0) -> float:
    """Return the share of queries that the system does better on, ties counted half; 0.5 for none.

    >>> compute_superiority(np.array([0.5, 0.0, -0.25, 0.25]))
    0.625
    """
    wins, ties, losses = count_wins_ties_losses(differences, tie=tie)
    n = wins + ties + losses
    return (wins + ties / 2) / n if n else 0.5


def compute_residual_variance(values: FloatArray) -> float:
    """Return the residual variance of the two-way analysis of variance.

    The analysis is of systems x queries, without replication. The sum of squares that neither
    systems nor queries explain is divided by its degrees of freedom. Infinite with one system or
    one query, which leave it no freedom; 0 where systems differ by the same on every query.

    >>> round(compute_residual_variance(np.array([[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]])), 5)
    0.03125
    """
    table = np.asarray(values, np.float64)
    m, n = table.shape
    freedom = max(m - 1, 0) * max(n - 1, 0)
    if not freedom:
        return math.inf
    center = math.fsum(table.ravel()) / table.size
    rows = np.array([math.fsum(row) for row in table]) / n
    columns = np.array([math.fsum(column) for column in table.T]) / m
    residuals = (table - rows[:, np.newaxis] - columns + center).ravel()
    sum_of_squares = math.fsum(residuals * residuals)
    rounding = table.size * (SAME_SHARE * float(np.abs(table).max())) ** 2
    return sum_of_squares / freedom if sum_of_squares > rounding else 0.0


def compute_pooled_effects(values: FloatArray) -> FloatArray:
    """Return, for every pair of systems, the difference of means over the residual deviation, E2.

    In row i and column j stands system i less system j. What queries have in common is taken out,
    see ``compute_residual_variance``. Without a residual it is infinite where means differ; for
    one query, of which no residual is known, it is 0.

    Reference: Sakai, Laboratory experiments in information retrieval, 2018, section 5.

    >>> compute_pooled_effects(np.array([[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]])).round(3).tolist()
    [[0.0, 1.414], [-1.414, 0.0]]
    """
    deviation = math.sqrt(compute_residual_variance(values))
    means = [math.fsum(row) / len(row) for row in values]
    rounding = SAME_SHARE * float(np.abs(values).max(initial=0.0))
    gaps = [[a - b if abs(a - b) > rounding else 0.0 for b in means] for a in means]
    return np.array([[divide_safely(gap, deviation) for gap in row] for row in gaps])
