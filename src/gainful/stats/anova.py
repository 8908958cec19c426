"""Effect sizes and tests that take all systems at once."""

import math
from collections.abc import Iterator

import numpy as np

from gainful.base import FloatArray, IntArray
from gainful.stats.effects import SAME_SHARE, divide_safely
from gainful.stats.randomization import (
    TOLERANCE,
    compute_reached_share,
    iterate_flipped_sums,
    scale_to_integers,
)


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
        resamples: Number of permutations.
        seed: Seed of the random numbers.

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


def max_t(
    values: FloatArray, baseline: int, *, resamples: int = 10_000, seed: int = 0
) -> FloatArray:
    """Return the adjusted p-value of every system against the baseline: one per system.

    The differences of a query from the baseline change their sign together, as in ``flip_signs``:
    all choices of signs are counted if there are no more than ``resamples``, else so many are
    drawn. Student's t of a system is compared with the largest |t| among the systems whose own |t|
    is no larger than its own (Westfall and Young, step-down), and no p-value is below that of a
    system whose |t| is larger. 1 for the baseline itself and for systems identical with it.

    Never below the p-value of ``flip_signs`` for the same choices of signs, and seldom above what
    Holm's correction makes of that: unlike it, this knows which systems go together.

    Reference: Boytsov, Belova and Westfall, Deciding on an adjustment for multiplicity in IR
    experiments, SIGIR 2013.

    Args:
        values: Systems x queries, finite.
        baseline: The row of the baseline.
        resamples: Number of choices of signs that are drawn, or counted.
        seed: Seed of the random numbers.

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
