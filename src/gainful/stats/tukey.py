"""Tukey: all pairs of systems at once, by the range of their means; and all with a baseline."""

import math
from collections.abc import Iterator

import numpy as np

from gainful.ragged import FloatArray, IntArray
from gainful.stats import fixed_point
from gainful.stats.anova import two_way
from gainful.stats.randomisation import flipped_sums, share

_BATCH = 65_536  # values permuted at a time: what they need stays close to the processor


def randomised_tukey(values: FloatArray, *, resamples: int = 10_000, seed: int = 0) -> FloatArray:
    """The p-value of every pair of systems, adjusted for all pairs: systems x systems.

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
    >>> randomised_tukey(values).round(2)
    array([[1.  , 0.03, 0.03],
           [0.03, 1.  , 1.  ],
           [0.03, 1.  , 1.  ]])
    """
    above = values - values.min(axis=0, initial=np.inf)
    differing = np.ascontiguousarray(above[:, above.any(axis=0)].T)  # the systems of a query abut
    whole = fixed_point.integers(differing.reshape(-1)).reshape(differing.shape)
    sums = whole.sum(axis=0)
    apart = np.abs(sums[:, np.newaxis] - sums)
    least = apart - fixed_point.TOLERANCE * float(whole.max(axis=1, initial=0).sum())
    ranges = np.sort(np.concatenate(list(_ranges(whole, resamples, seed))))
    reached = resamples - np.searchsorted(ranges, least, side="left")
    return np.asarray((reached + 1) / (resamples + 1), dtype=np.float64)


def _ranges(whole: IntArray, resamples: int, seed: int) -> Iterator[IntArray]:
    """The largest sum of a system less the smallest, for each permutation, batch by batch."""
    rng = np.random.default_rng(seed)
    batch = max(1, _BATCH // max(1, whole.size))
    for start in range(0, resamples, batch):
        shape = (min(batch, resamples - start), *whole.shape)
        sums = rng.permuted(np.broadcast_to(whole, shape), axis=2).sum(axis=1)
        yield np.ptp(sums, axis=1)


def tukey(values: FloatArray) -> FloatArray:
    """The same as ``randomised_tukey``, had the values a normal distribution: systems x systems.

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
    apart = np.abs(means[:, np.newaxis] - means)
    rounding = fixed_point.TOLERANCE * float(np.abs(values).max())
    if deviation <= rounding:
        return np.where(apart <= rounding, 1.0, 0.0)
    above = np.triu_indices(n_systems, 1)
    studentised = apart[above] / (deviation / math.sqrt(n_queries))
    p[above] = scipy.stats.studentized_range.sf(studentised, n_systems, freedom)
    return np.asarray(np.clip(np.minimum(p, p.T), 0.0, 1.0), dtype=np.float64)


def max_t(
    values: FloatArray, baseline: int, *, resamples: int = 10_000, seed: int = 0
) -> FloatArray:
    """The p-value of every system against the baseline, adjusted for all of them: one per system.

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
        p[systems] = _stepped_down(_studentised(compared), resamples, seed)
    return p


def _studentised(differences: FloatArray) -> FloatArray:
    """The differences of each system, of length 1: their sums are in the order of Student's t.

    With n queries, t is u * sqrt((n - 1) / (n - u ** 2)) where u is such a sum. The length is the
    same whatever the signs are.
    """
    units = differences / np.abs(differences).max(axis=1, keepdims=True)
    return np.asarray(units / np.sqrt((units**2).sum(axis=1, keepdims=True)), dtype=np.float64)


def _stepped_down(differences: FloatArray, resamples: int, seed: int) -> FloatArray:
    """The adjusted p-value of each row."""
    whole = fixed_point.integers(differences)
    order = np.argsort(-np.abs(whole.sum(axis=1)), kind="stable")
    whole = whole[order]
    rounding = fixed_point.TOLERANCE * float(np.abs(whole).sum(axis=1).max())
    least = np.abs(whole.sum(axis=1, keepdims=True)) - rounding
    reached = np.zeros(len(whole), dtype=np.int64)
    for sums in flipped_sums(whole, resamples=resamples, seed=seed):
        largest = np.maximum.accumulate(np.abs(sums)[::-1], axis=0)[::-1]
        reached += np.count_nonzero(largest >= least, axis=1)
    p = np.array([share(int(one), whole.shape[1], resamples) for one in reached])
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(p)
    return adjusted
