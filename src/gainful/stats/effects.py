"""Effect sizes: how large a difference is beside the chance in it."""

import math

import numpy as np

from gainful.interval import Interval
from gainful.ragged import FloatArray
from gainful.stats.anova import two_way
from gainful.stats.noncentral import noncentrality
from gainful.stats.spread import SAME, ratio, spread


def d_z(differences: FloatArray) -> float:
    """The mean difference in standard deviations of the differences.

    0 for differences that are all 0, infinite for differences that are all the same, and 0 for
    fewer than two, of which no deviation is known.

    >>> d_z(np.array([0.5, 0.25, 0.75]))
    2.0
    >>> d_z(np.zeros(2)), d_z(np.full(2, -0.5)), d_z(np.full(1, 0.5))
    (0.0, -inf, 0.0)
    """
    found = spread(differences)
    return ratio(found.mean, found.deviation)


def d_z_interval(differences: FloatArray, *, level: float = 0.95) -> Interval:
    """Where d_z lies, were the queries drawn anew: by the noncentral t distribution.

    [0, 0] for differences that are all 0, [inf, inf] or [-inf, -inf] for differences that are all
    the same, and from -inf to inf for fewer than two.

    >>> print(d_z_interval(np.array([0.5, 0.25, 0.75, 0.0])))
    [-0.2015, 2.4378]
    """
    found = spread(differences)
    if not found.varies:
        effect = found.standardised()
        return Interval(effect, effect) if found.n >= 2 else Interval(-math.inf, math.inf)
    t, tail, root = found.standardised(), (1 - level) / 2, math.sqrt(found.n)
    low, high = (noncentrality(abs(t), found.n - 1, p) / root for p in (1 - tail, tail))
    return Interval(low, high) if t >= 0 else Interval(-high, -low)


def wins_ties_losses(differences: FloatArray, *, tie: float = 0.0) -> tuple[int, int, int]:
    """How many queries the system does better on, the same on up to ``tie``, and worse on.

    What lies above ``tie`` by rounding alone, as 0.3 - 0.2 does above 0.1, is a tie.

    >>> wins_ties_losses(np.array([0.5, 0.0, -0.25, 0.3 - 0.2]), tie=0.1)
    (1, 2, 1)
    """
    values = np.asarray(differences)
    edge = tie + SAME * float(np.abs(values).max(initial=0.0))
    wins, losses = int((values > edge).sum()), int((values < -edge).sum())
    return wins, len(values) - wins - losses, losses


def superiority(differences: FloatArray, *, tie: float = 0.0) -> float:
    """The share of queries that the system does better on, ties counted half; 0.5 for none.

    >>> superiority(np.array([0.5, 0.0, -0.25, 0.25]))
    0.625
    """
    wins, ties, losses = wins_ties_losses(differences, tie=tie)
    n = wins + ties + losses
    return (wins + ties / 2) / n if n else 0.5


def pooled_effects(values: FloatArray) -> FloatArray:
    """For every pair of systems, the difference of means over the residual deviation of all, E2.

    In row i and column j stands system i less system j. What queries have in common is taken out,
    by a two-way analysis of variance. Without a residual it is infinite where means differ; for
    one query, of which no residual is known, it is 0.

    Reference: Sakai, Laboratory experiments in information retrieval, 2018, section 5.

    >>> pooled_effects(np.array([[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]])).round(3).tolist()
    [[0.0, 1.414], [-1.414, 0.0]]
    """
    deviation = math.sqrt(two_way(values).residual_variance)
    means = [math.fsum(row) / len(row) for row in values]
    same = SAME * float(np.abs(values).max(initial=0.0))
    gaps = [[a - b if abs(a - b) > same else 0.0 for b in means] for a in means]
    return np.array([[ratio(gap, deviation) for gap in row] for row in gaps])
