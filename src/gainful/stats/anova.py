"""Tests whether any of several systems differs: two-way analysis of variance."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gainful.base import FloatArray, IntArray
from gainful.stats.effects import SAME_SHARE, safe_ratio
from gainful.stats.randomization import (
    TOLERANCE,
    compute_reached_share,
    iterate_flipped_sums,
    scale_to_integers,
)


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


def two_way(values: FloatArray) -> TwoWay:
    """Return the two-way analysis of variance of systems x queries: whether any system differs.

    Systems that are all the same give F = 0 and p = 1; systems that differ by the same on every
    query leave no residual, F is infinite and p = 0. With one system or one query there is nothing
    to compare by: F = 0 and p = 1.

    >>> found = two_way(np.array([[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]]))
    >>> round(found.systems, 5), round(found.f_systems, 4), round(found.p_systems, 4)
    (0.09375, 3.0, 0.2254)
    """
    table = np.asarray(values, np.float64)
    m, n = table.shape
    center = math.fsum(table.ravel()) / max(table.size, 1)
    rows = np.array([math.fsum(row) for row in table]) / max(n, 1)
    columns = np.array([math.fsum(column) for column in table.T]) / max(m, 1)
    residuals = table - rows[:, np.newaxis] - columns + center
    rounding = table.size * (SAME_SHARE * float(np.abs(table).max(initial=0.0))) ** 2
    systems = _sum_squares(rows - center, n, rounding)
    queries = _sum_squares(columns - center, m, rounding)
    residual = _sum_squares(residuals.ravel(), 1, rounding)
    freedom = max(m - 1, 0) * max(n - 1, 0)
    variance = residual / freedom if freedom else math.inf
    systems_test = _test_f(systems, m - 1, variance, freedom)
    queries_test = _test_f(queries, n - 1, variance, freedom)
    return TwoWay(systems, queries, residual, m, n, variance, *systems_test, *queries_test)


def pooled_effects(values: FloatArray) -> FloatArray:
    """Return, for every pair of systems, the difference of means over the residual deviation, E2.

    In row i and column j stands system i less system j. What queries have in common is taken out,
    by a two-way analysis of variance. Without a residual it is infinite where means differ; for
    one query, of which no residual is known, it is 0.

    Reference: Sakai, Laboratory experiments in information retrieval, 2018, section 5.

    >>> pooled_effects(np.array([[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]])).round(3).tolist()
    [[0.0, 1.414], [-1.414, 0.0]]
    """
    deviation = math.sqrt(two_way(values).residual_variance)
    means = [math.fsum(row) / len(row) for row in values]
    rounding = SAME_SHARE * float(np.abs(values).max(initial=0.0))
    gaps = [[a - b if abs(a - b) > rounding else 0.0 for b in means] for a in means]
    return np.array([[safe_ratio(gap, deviation) for gap in row] for row in gaps])


def _sum_squares(values: FloatArray, times: int, minimum: float) -> float:
    """Return the sum of squares; 0 where it is nothing but rounding."""
    sum_of_squares = times * math.fsum(values * values)
    return sum_of_squares if sum_of_squares > minimum else 0.0


def _test_f(squares: float, own_freedom: int, variance: float, freedom: int) -> tuple[float, float]:
    import scipy.stats

    if own_freedom < 1 or not freedom:
        return 0.0, 1.0
    f = safe_ratio(squares / own_freedom, variance)
    return f, float(scipy.stats.f.sf(f, own_freedom, freedom))


_BATCH = 65_536  # values permuted at a time: what they need stays close to the processor


def randomized_tukey(values: FloatArray, *, resamples: int = 10_000, seed: int = 0) -> FloatArray:
    """Return the p-value of every pair of systems, adjusted for all pairs: systems x systems.

    Were all systems one, the values of a query could as well belong to the systems in any order.
    So the values of every query are permuted ``resamples`` times, and p is (b + 1) / (resamples +
    1), b being how often the largest mean less the smallest is at least as far apart as the means
    of the pair are: Tukey's honestly significant difference, without a normal distribution. 1 on
    the diagonal, for systems of the same mean, and where every query has one value.

    A difference counts as reached from 1e-12 below it, as a share of the most that the range can
    be, which is where every query has its largest value in one system and its smallest in another.
    The same seed gives the same p-values on any number of threads.

    Reference: Carterette, Multiple testing in statistical analysis of systems-based information
    retrieval experiments, TOIS 2012; Sakai, Laboratory experiments in information retrieval, 2018.

    Args:
        values: Systems x queries, finite.
        resamples: How often they are permuted.
        seed: What the random numbers start from.

    >>> values = np.array([[0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.5]])
    >>> randomized_tukey(values).round(2)
    array([[1.  , 0.03, 0.03],
           [0.03, 1.  , 1.  ],
           [0.03, 1.  , 1.  ]])
    """
    above = values - values.min(axis=0, initial=np.inf)
    differing = np.ascontiguousarray(above[:, above.any(axis=0)].T)  # the systems of a query abut
    scaled = scale_to_integers(differing.reshape(-1)).reshape(differing.shape)
    sums = scaled.sum(axis=0)
    gaps = np.abs(sums[:, np.newaxis] - sums)
    minimum = gaps - TOLERANCE * float(scaled.max(axis=1, initial=0).sum())
    ranges = np.sort(np.concatenate(list(_resample_ranges(scaled, resamples, seed))))
    reached = resamples - np.searchsorted(ranges, minimum, side="left")
    return np.asarray((reached + 1) / (resamples + 1), dtype=np.float64)


def _resample_ranges(scaled: IntArray, resamples: int, seed: int) -> Iterator[IntArray]:
    """Yield the largest sum of a system less the smallest, for each permutation, batch by batch."""
    rng = np.random.default_rng(seed)
    batch = max(1, _BATCH // max(1, scaled.size))
    for start in range(0, resamples, batch):
        shape = (min(batch, resamples - start), *scaled.shape)
        sums = rng.permuted(np.broadcast_to(scaled, shape), axis=2).sum(axis=1)
        yield np.ptp(sums, axis=1)


def tukey(values: FloatArray) -> FloatArray:
    """Return the p-values of Tukey's HSD test, for normal values: systems x systems.

    The means are compared by the studentised range, the residual variance being that of systems
    and queries (two-way analysis of variance without replication): a query is hard for all systems
    or easy for all, which is not held against any. 1 on the diagonal and for a single query. 0
    for means that differ where no residual is left, as where one system adds a constant.

    Args:
        values: Systems x queries, finite.

    >>> values = np.array([[0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.5]])
    >>> tukey(values).round(4)
    array([[1.    , 0.    , 0.    ],
           [0.    , 1.    , 0.4827],
           [0.    , 0.4827, 1.    ]])
    """
    import scipy.stats

    n_systems, n_queries = values.shape
    freedom = (n_systems - 1) * (n_queries - 1)
    p = np.ones((n_systems, n_systems))
    if freedom < 1:
        return p
    means, deviation = values.mean(axis=1), math.sqrt(two_way(values).residual_variance)
    gaps = np.abs(means[:, np.newaxis] - means)
    rounding = TOLERANCE * float(np.abs(values).max())
    if deviation <= rounding:
        return np.where(gaps <= rounding, 1.0, 0.0)
    above = np.triu_indices(n_systems, 1)
    studentized = gaps[above] / (deviation / math.sqrt(n_queries))
    p[above] = scipy.stats.studentized_range.sf(studentized, n_systems, freedom)
    return np.asarray(np.clip(np.minimum(p, p.T), 0.0, 1.0), dtype=np.float64)


def max_t(
    values: FloatArray, baseline: int, *, resamples: int = 10_000, seed: int = 0
) -> FloatArray:
    """Return the adjusted p-value of every system against the baseline: one per system.

    The differences of a query from the baseline change their sign together, as in ``sign_flip``:
    all choices of signs are counted if there are no more than ``resamples``, else so many are
    drawn. Student's t of a system is compared with the largest |t| among the systems whose own |t|
    is no larger than its own (Westfall and Young, step-down), and no p-value is below that of a
    system whose |t| is larger. 1 for the baseline itself and for systems identical with it.

    Never below the p-value of ``sign_flip`` for the same choices of signs, and seldom above what
    Holm's correction makes of that: unlike it, this knows which systems go together.

    Reference: Boytsov, Belova and Westfall, Deciding on an adjustment for multiplicity in IR
    experiments, SIGIR 2013.

    Args:
        values: Systems x queries, finite.
        baseline: The row of the baseline.
        resamples: How many choices of signs are drawn, or counted.
        seed: What the random numbers start from.

    >>> values = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.5]])
    >>> max_t(values, 0)
    array([1.   , 0.125, 1.   ])
    """
    p = np.ones(len(values))
    differences = values - values[baseline]
    systems = np.flatnonzero(differences.any(axis=1))
    compared = differences[np.ix_(systems, differences.any(axis=0))]
    if systems.size:
        p[systems] = _step_down(_studentize(compared), resamples, seed)
    return p


def _studentize(differences: FloatArray) -> FloatArray:
    """Return the differences of each system scaled to length 1, whose sums order as Student's t.

    With n queries, t is u * sqrt((n - 1) / (n - u ** 2)) where u is such a sum. The length is the
    same whatever the signs are.
    """
    units = differences / np.abs(differences).max(axis=1, keepdims=True)
    return np.asarray(units / np.sqrt((units**2).sum(axis=1, keepdims=True)), dtype=np.float64)


def _step_down(differences: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Return the adjusted p-value of each row."""
    scaled = scale_to_integers(differences)
    order = np.argsort(-np.abs(scaled.sum(axis=1)), kind="stable")
    scaled = scaled[order]
    rounding = TOLERANCE * float(np.abs(scaled).sum(axis=1).max())
    minimum = np.abs(scaled.sum(axis=1, keepdims=True)) - rounding
    reached = np.zeros(len(scaled), dtype=np.int64)
    for sums in iterate_flipped_sums(scaled, resamples=resamples, seed=seed):
        largest = np.maximum.accumulate(np.abs(sums)[::-1], axis=0)[::-1]
        reached += np.count_nonzero(largest >= minimum, axis=1)
    p = np.array(
        [compute_reached_share(int(n_reached), scaled.shape[1], resamples) for n_reached in reached]
    )
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(p)
    return adjusted
