"""Whether any of several systems differs: two-way analysis of variance, and Friedman's test."""

import math
from typing import NamedTuple

import numpy as np

from gainful.errors import ComparisonError
from gainful.ragged import FloatArray
from gainful.stats.spread import SAME, ratio


class TwoWay(NamedTuple):
    """A two-way analysis of variance without replication: systems x queries.

    Attributes:
        systems: The sum of squares between systems.
        queries: The sum of squares between queries.
        residual: The sum of squares that neither explains.
        n_systems: How many systems there are.
        n_queries: How many queries there are.
        residual_variance: The residual over its degrees of freedom; infinite if it has none.
        f_systems: The F statistic that systems differ; 0 if nothing can be told.
        p_systems: Its p-value; 1 if nothing can be told.
        f_queries: The F statistic that queries differ.
        p_queries: Its p-value.
    """

    systems: float
    queries: float
    residual: float
    n_systems: int
    n_queries: int
    residual_variance: float
    f_systems: float
    p_systems: float
    f_queries: float
    p_queries: float

    def margin_of_error(self, level: float = 0.95) -> float:
        """Half the width of the interval of the mean of any system, from the residual variance."""
        import scipy.stats

        freedom = (self.n_systems - 1) * (self.n_queries - 1)
        if freedom == 0:
            return math.inf
        error = math.sqrt(self.residual_variance / self.n_queries)
        return float(scipy.stats.t.isf((1 - level) / 2, freedom)) * error


class Friedman(NamedTuple):
    """Friedman's chi squared and its p-value."""

    statistic: float
    p: float


def two_way(values: FloatArray) -> TwoWay:
    """The two-way analysis of variance of systems x queries: whether any system differs.

    Systems that are all the same give F = 0 and p = 1; systems that differ by the same on every
    query leave no residual, F is infinite and p = 0. With one system or one query there is nothing
    to compare by: F = 0 and p = 1.

    >>> found = two_way(np.array([[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]]))
    >>> round(found.systems, 5), round(found.f_systems, 4), round(found.p_systems, 4)
    (0.09375, 3.0, 0.2254)
    """
    table = np.asarray(values, np.float64)
    m, n = table.shape
    centre = math.fsum(table.ravel()) / max(table.size, 1)
    rows = np.array([math.fsum(row) for row in table]) / max(n, 1)
    columns = np.array([math.fsum(column) for column in table.T]) / max(m, 1)
    rest = table - rows[:, np.newaxis] - columns + centre
    least = table.size * (SAME * float(np.abs(table).max(initial=0.0))) ** 2
    systems = _squares(rows - centre, n, least)
    queries = _squares(columns - centre, m, least)
    residual = _squares(rest.ravel(), 1, least)
    freedom = max(m - 1, 0) * max(n - 1, 0)
    variance = residual / freedom if freedom else math.inf
    of_systems = _f(systems, m - 1, variance, freedom)
    of_queries = _f(queries, n - 1, variance, freedom)
    return TwoWay(systems, queries, residual, m, n, variance, *of_systems, *of_queries)


def friedman(values: FloatArray) -> Friedman:
    """Friedman's test of systems x queries: whether any system is ranked above others.

    Takes three systems or more. Systems that tie on every query give 0 and p = 1.

    >>> friedman(np.array([[0.5, 0.25, 1.0], [0.25, 0.125, 0.5], [0.0, 0.0, 0.25]])).statistic
    6.0
    """
    import scipy.stats

    table = np.asarray(values, np.float64)
    if len(table) < 3:
        message = f"friedman: must be given the values of 3 systems or more, got {len(table)}."
        raise ComparisonError(message, code="too-few-runs")
    if (table == table[0]).all():
        return Friedman(0.0, 1.0)
    found = scipy.stats.friedmanchisquare(*table)
    return Friedman(float(found.statistic), float(found.pvalue))


def _squares(values: FloatArray, times: int, least: float) -> float:
    """The sum of squares; 0 where it is nothing but rounding."""
    found = times * math.fsum(values * values)
    return found if found > least else 0.0


def _f(squares: float, own: int, variance: float, freedom: int) -> tuple[float, float]:
    import scipy.stats

    if own < 1 or not freedom:
        return 0.0, 1.0
    f = ratio(squares / own, variance)
    return f, float(scipy.stats.f.sf(f, own, freedom))
