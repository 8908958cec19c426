"""Bootstrap: intervals of means and differences, by resampling the queries."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gainful.base import FloatArray, IntArray, Interval, ragged
from gainful.stats.randomization import TOLERANCE, scale_to_whole_floats

# Up to so many queries intervals are those of the bootstrap, above by Student's t.
MAX_QUERIES = 10_000
_BATCH_QUERIES = 1 << 18  # queries drawn at a time
_BATCH_STATISTICS = 1 << 21  # resampled statistics held at a time
_ROUNDING = 1e-11  # of the largest value; sums are of values rounded to 2e-12 of it
_UNKNOWN = Interval(math.nan, math.nan)


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of the means of systems and of the differences of pairs.

    Attributes:
        means: One for every system.
        differences: One for every pair.
        relatives: One for every pair: the difference as a share of the mean of the baseline.
    """

    means: list[Interval]
    differences: list[Interval]
    relatives: list[Interval]


def compute_bootstrap_intervals(
    values: FloatArray,
    pairs: Sequence[tuple[int, int]],
    *,
    level: float = 0.95,
    resamples: int = 9_999,
    seed: int = 0,
) -> Intervals:
    """Return intervals of means, differences and relative differences, by resampling queries.

    As ``scipy.stats.bootstrap`` finds them by the method BCa: queries are drawn with replacement,
    the same for all systems and pairs, and quantiles are corrected for bias and skewness. Above
    10,000 queries by Student's t, which then hardly differs and needs no draws, a relative
    difference being linearized.

    Where a mean or a difference is the same whichever queries are drawn, both ends are it. NaN for
    a single query, from which nothing can be told, and for a relative difference whose baseline
    has the mean 0, be it in one of the resamples. The same seed gives the same intervals on any
    number of threads: sums are exact, of values that are rounded to n / 2**52 of the largest, n
    being the number of queries, which is 2e-12 of it for 10,000. What a resample gives is the same
    as what was observed if it differs by 1e-11 of the largest values or less: values on a grid,
    such as P@10, make means equal that floats tell apart.

    Reference: Efron, Better bootstrap confidence intervals, JASA 1987.

    Args:
        values: Systems x queries, finite.
        pairs: The row of a system, and the row of the baseline that it is compared with.
        level: Share of such intervals that are to hold the true value.
        resamples: Number of times that the queries are drawn.
        seed: Seed of the random numbers.

    >>> values = np.array([[0.2, 0.4, 0.6, 0.9], [0.1, 0.5, 0.4, 0.7]])
    >>> intervals = compute_bootstrap_intervals(values, [(0, 1)])
    >>> print(*intervals.means, *intervals.differences, *intervals.relatives)
    [0.3000, 0.7750] [0.1829, 0.6000] [-0.0500, 0.2000] [-0.2000, 0.5000]
    """
    n_systems, n_queries = values.shape
    if n_queries < 2:
        return Intervals([_UNKNOWN] * n_systems, [_UNKNOWN] * len(pairs), [_UNKNOWN] * len(pairs))
    rows = np.concatenate([values, np.zeros((1, n_queries)), np.ones((1, n_queries))])
    zeros, ones = n_systems, n_systems + 1
    means = [(system, zeros, ones) for system in range(n_systems)]
    differences = [(system, baseline, ones) for system, baseline in pairs]
    relatives = [(system, baseline, baseline) for system, baseline in pairs]
    ratios = np.array([*means, *differences, *relatives], dtype=np.int64).reshape(-1, 3)
    ends = _find_ends(rows, ratios, level=level, resamples=resamples, seed=seed)
    intervals = [Interval(low, high) for low, high in ends.tolist()]
    first, last = n_systems, n_systems + len(pairs)
    return Intervals(intervals[:first], intervals[first:last], intervals[last:])


def bootstrap_shift(differences: FloatArray, *, resamples: int = 10_000, seed: int = 0) -> float:
    """Return the p-value, two-sided: how often a mean is as far from 0 by chance, by the bootstrap.

    The differences are drawn with replacement, and their means shifted such that they lie around
    0; p is (b + 1) / (resamples + 1), b being how many of them are as far from 0 as the mean of the
    differences, within 1e-12 of the mean of the absolute differences. 1 if all differences are 0,
    and for a single one. With few queries p is too small: below 0.05 in 6.8 % of cases with 25 of
    them where nothing differs, in 5.9 % with 50 (Urbano, Lima and Hanjalic, SIGIR 2019).

    Reference: Smucker, Allan and Carterette, A comparison of statistical significance tests for
    information retrieval evaluation, CIKM 2007.

    Args:
        differences: One for every query, finite.
        resamples: Number of times that they are drawn.
        seed: Seed of the random numbers.

    >>> round(bootstrap_shift(np.array([0.1, 0.2, -0.1, 0.3, 0.0])), 4)
    0.1538
    """
    if len(differences) < 2 or not differences.any():
        return 1.0
    scaled, _ = scale_to_whole_floats(differences[np.newaxis])
    observed = float(scaled.sum())
    minimum = abs(observed) - TOLERANCE * float(np.abs(scaled).sum())
    batches = _resample_sums(scaled, resamples, seed)
    reached = sum(int(np.count_nonzero(np.abs(sums - observed) >= minimum)) for sums in batches)
    return (reached + 1) / (resamples + 1)


def _resample_sums(scaled: FloatArray, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield the sums of rows over queries that are drawn as SciPy draws them: rows x resamples."""
    n_queries = scaled.shape[1]
    rng = np.random.default_rng(seed)
    batch = max(1, _BATCH_QUERIES // n_queries)
    for start in range(0, resamples, batch):
        yield scaled @ draw_counts(rng, min(batch, resamples - start), n_queries).T


def draw_counts(rng: np.random.Generator, size: int, n_queries: int) -> FloatArray:
    """Draw queries, and return the count of each: a row for every resample."""
    queries: IntArray = rng.integers(n_queries, size=(size, n_queries))
    queries += np.arange(size)[:, np.newaxis] * n_queries
    times = np.bincount(queries.ravel(), minlength=size * n_queries)
    return times.reshape(size, n_queries).astype(np.float64)


# A ratio is three rows: the sum of one, less that of another, over that of the last. Below the
# systems there is a row of zeros, for ratios that have no baseline, and a row of ones, which adds
# up to the number of queries.


def _find_ends(
    rows: FloatArray, ratios: IntArray, *, level: float, resamples: int, seed: int
) -> FloatArray:
    """Return the low and high end of every ratio; NaN where it is not defined."""
    observed = _divide_sums(np.array([ragged.mean(row) for row in rows]), ratios)
    ends = np.stack([observed, observed], axis=1)
    moves = (_find_influence(rows[k], ratio) for k, ratio in zip(ratios, observed, strict=True))
    moved = np.array([np.abs(move).max() for move in moves])
    varying = moved > _limit_rounding(rows, ratios, observed)
    if rows.shape[1] > MAX_QUERIES:
        ends[varying] = _find_ends_by_t(rows, ratios[varying], observed[varying], level)
    elif varying.any():
        ends[varying] = _find_ends_by_bootstrap(rows, ratios[varying], level, resamples, seed)
    return ends


def _divide_sums(sums: FloatArray, ratios: IntArray) -> FloatArray:
    """Return the ratios of sums; NaN where the divisor is 0."""
    system, baseline, divisor = (sums[rows] for rows in ratios.T)
    quotients: FloatArray = np.full_like(divisor, np.nan)
    np.divide(system - baseline, divisor, out=quotients, where=divisor != 0)
    return quotients


def _find_influence(rows: FloatArray, observed: float) -> FloatArray:
    """Return the influence of each query on a ratio, times the mean of the divisor."""
    system, baseline, divisor = rows
    moves: FloatArray = system - baseline - observed * divisor
    return moves


def _limit_rounding(rows: FloatArray, ratios: IntArray, observed: FloatArray) -> FloatArray:
    """Return the largest moves that are only rounding."""
    system, baseline, divisor = np.abs(rows).max(axis=1)[ratios].T
    rounding: FloatArray = _ROUNDING * (system + baseline + np.abs(observed) * divisor)
    return rounding


def _find_ends_by_t(
    rows: FloatArray, ratios: IntArray, observed: FloatArray, level: float
) -> FloatArray:
    """Return the ends of every ratio by Student's t of the influences of the queries."""
    from scipy.special import stdtrit

    n_queries = rows.shape[1]
    moves = (_find_influence(rows[k], ratio) for k, ratio in zip(ratios, observed, strict=True))
    deviation = np.array([move.std(ddof=1) for move in moves])
    error = deviation / np.abs(rows.mean(axis=1)[ratios[:, 2]]) / math.sqrt(n_queries)
    half = float(stdtrit(n_queries - 1, (1 + level) / 2)) * error
    return np.stack([observed - half, observed + half], axis=1)


def _find_ends_by_bootstrap(
    rows: FloatArray, ratios: IntArray, level: float, resamples: int, seed: int
) -> FloatArray:
    """Return the ends of every ratio, group by group, to bound the memory."""
    ones = len(rows) - 1
    scaled_rows, exponent = scale_to_whole_floats(rows[:ones])
    scaled_rows = np.concatenate([scaled_rows, rows[ones:]])
    resampled_sums = np.concatenate(list(_resample_sums(scaled_rows, resamples, seed)), axis=1)
    size = max(1, _BATCH_STATISTICS // max(resampled_sums.shape[1], scaled_rows.shape[1]))
    groups = (ratios[start : start + size] for start in range(0, len(ratios), size))
    ends = np.concatenate(
        [_find_group_ends(scaled_rows, resampled_sums, group, level) for group in groups]
    )
    is_scaled = ratios[:, 2] == ones
    ends[is_scaled] = np.ldexp(ends[is_scaled], -exponent)
    return ends


def _find_group_ends(
    scaled_rows: FloatArray, resampled_sums: FloatArray, ratios: IntArray, level: float
) -> FloatArray:
    """Return the ends of every ratio; NaN where it is not defined for every resample."""
    sums = scaled_rows.sum(axis=1, keepdims=True)
    resampled, jackknifed = (
        _divide_sums(resampled_sums, ratios),
        _divide_sums(sums - scaled_rows, ratios),
    )
    defined = np.isfinite(resampled).all(axis=1) & np.isfinite(jackknifed).all(axis=1)
    ends = np.full((len(ratios), 2), np.nan)
    if defined.any():
        ratios, resampled, jackknifed = ratios[defined], resampled[defined], jackknifed[defined]
        observed = _divide_sums(sums, ratios)
        rounding = _limit_rounding(scaled_rows, ratios, observed[:, 0])[:, np.newaxis]
        move = np.abs(resampled - observed) * np.abs(sums[ratios[:, 2]] / scaled_rows.shape[1])
        tied = np.where(move <= rounding, observed, resampled)
        ends[defined] = _find_bca_ends(observed[:, 0], tied, jackknifed, level)
    return ends


def _find_bca_ends(
    observed: FloatArray, resampled: FloatArray, jackknifed: FloatArray, level: float
) -> FloatArray:
    """Return the ends of every row: quantiles of the resamples, corrected for bias and skewness.

    Not by ``scipy.stats.bootstrap``: to import ``scipy.stats`` takes three times as long as all
    that a comparison of two runs computes, and its jackknife grows with the square of the queries.
    """
    from scipy.special import ndtr, ndtri

    center = observed[:, np.newaxis]
    n_below = (resampled < center).sum(axis=1) + (resampled <= center).sum(axis=1)
    bias = ndtri(n_below / (2 * resampled.shape[1]))
    moves = jackknifed.mean(axis=1, keepdims=True) - jackknifed
    skewness = (moves**3).sum(axis=1) / (moves**2).sum(axis=1) ** 1.5 / 6
    shares = []
    with np.errstate(invalid="ignore"):  # all resamples on one side, and so no bias to correct
        for tail in ((1 - level) / 2, (1 + level) / 2):
            shift = bias + ndtri(tail)
            shares.append(ndtr(bias + shift / (1 - skewness * shift)))
    ends = np.full((len(observed), 2), np.nan)
    for i, row_shares in enumerate(np.stack(shares, axis=1)):
        if not np.isnan(row_shares).any():
            ends[i] = np.quantile(resampled[i], row_shares)
    return ends
