"""Whether measures rank the same systems alike, and how sure that is."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gainful.comparison.agreement_pairs import MeasureAgreement, Swap
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.ragged import LEAST, FloatArray
from gainful.stats.bootstrap import times_drawn
from gainful.stats.overlap import rbo
from gainful.stats.rank_correlation import kendall_tau, tau_ap, weighted_tau

_SAME = 1e-12  # of the largest mean: by so much may rounding part two that are equal
_BATCH = 1 << 22  # numbers that are held at once


def measure_pairs(
    measures: Sequence[Measure],
    systems: Sequence[str],
    values: FloatArray,
    *,
    p: float = 0.9,
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
) -> tuple[MeasureAgreement, ...]:
    """How alike every pair of measures ranks the systems.

    Args:
        measures: The measures.
        systems: The names of the systems.
        values: One for every measure, system and query, in this order of axes; NaN where a
            measure has none.
        p: As for ``rbo``.
        level: How sure the intervals are.
        resamples: How often the queries are drawn anew.
        seed: What the random numbers start from.

    >>> from gainful import parse
    >>> values = np.array([[[0.9, 0.7], [0.4, 0.2]], [[0.5, 0.4], [0.3, 0.1]]])
    >>> measure_pairs([parse("P@10"), parse("nDCG@10")], ["a", "b"], values)[0].sentence
    'P@10 and nDCG@10 order both systems alike: tau 1.00 [1.00, 1.00].'
    """
    if len(measures) < 2:
        return ()
    means = np.array(
        [
            [_direction(measure) * measure.averaged(row) for row in rows]
            for measure, rows in zip(measures, values, strict=True)
        ]
    )
    taus = resampled_taus(_averageable(measures, values), resamples, seed)
    if values.shape[-1] < 2:
        taus = np.full(taus.shape, math.nan)  # one query, drawn again and again, tells nothing
    return tuple(
        _agreement(
            (measures[i], measures[j]), systems, means[[i, j]], taus[:, i, j], level=level, p=p
        )
        for i, j in combinations(range(len(measures)), 2)
    )


def _agreement(
    measures: tuple[Measure, Measure],
    systems: Sequence[str],
    means: FloatArray,
    taus: FloatArray,
    *,
    level: float,
    p: float,
) -> MeasureAgreement:
    known = np.flatnonzero(~np.isnan(means).any(axis=0))
    ours, theirs = (_settled(row) for row in means[:, known])
    tau, (first, second) = kendall_tau(ours, theirs), orders(means[:, known])
    names = [systems[i] for i in known.tolist()]
    return MeasureAgreement(
        *measures,
        tau=tau,
        interval=Interval(math.nan, math.nan) if math.isnan(tau) else _percentiles(taus, level),
        tau_ap=tau_ap(ours, theirs, symmetric=True),
        weighted_tau=weighted_tau(ours, theirs),
        rbo=rbo(*(np.argsort(-row, kind="stable").tolist() for row in (ours, theirs)), p=p),
        n_pairs=len(first),
        n_alike=int((first == second).sum()),
        swaps=_swaps(names, first, second),
    )


def _swaps(names: Sequence[str], first: FloatArray, second: FloatArray) -> tuple[Swap, ...]:
    better, worse = np.triu_indices(len(names), 1)
    swapped = first * second < 0
    upside = first[swapped] < 0
    ours = np.where(upside, worse[swapped], better[swapped])
    theirs = np.where(upside, better[swapped], worse[swapped])
    return tuple(Swap(names[a], names[b]) for a, b in zip(ours, theirs, strict=True))


def orders(means: FloatArray) -> FloatArray:
    """For every pair of systems, on the last axis: 1 if the first is better, -1, or 0 for a tie.

    >>> orders(np.array([0.3, 0.5, 0.1 + 0.2])).tolist()
    [-1.0, 0.0, 1.0]
    """
    first, second = np.triu_indices(means.shape[-1], 1)
    difference = means[..., first] - means[..., second]
    known = np.nan_to_num(difference)
    tolerance = _SAME * np.abs(np.nan_to_num(means)).max(axis=-1, keepdims=True, initial=0.0)
    signs: FloatArray = np.where(np.abs(known) <= tolerance, 0.0, np.sign(known))
    return signs


def resampled_taus(values: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Kendall's tau-b of every pair of measures, for queries that are drawn anew: a bootstrap.

    Not by ``scipy.stats.kendalltau``, which takes one pair of lists at a time; here, the signs of
    all pairs of systems are multiplied at once. NaN where a measure ties all systems.
    """
    n_measures, n_systems, n_queries = values.shape
    flat = values.reshape(-1, n_queries)
    defined, filled = (~np.isnan(flat)).astype(np.float64), np.nan_to_num(flat)
    size = max(1, _BATCH // max(n_queries, n_measures * n_systems * (n_systems - 1) // 2))
    rng, found = np.random.default_rng(seed), np.empty((resamples, n_measures, n_measures))
    for begin in range(0, resamples, size):
        times = times_drawn(rng, min(size, resamples - begin), n_queries)
        with np.errstate(invalid="ignore"):  # a measure may have no value for any query drawn
            means = (times @ filled.T) / (times @ defined.T)
        found[begin : begin + size] = _taus(means.reshape(-1, n_measures, n_systems))
    return found


def _taus(means: FloatArray) -> FloatArray:
    signs = orders(means)
    products = signs @ signs.swapaxes(-1, -2)
    untied = np.diagonal(products, axis1=-2, axis2=-1)
    scale = np.sqrt(untied[..., :, np.newaxis] * untied[..., np.newaxis, :])
    taus: FloatArray = np.divide(
        products, scale, out=np.full(products.shape, math.nan), where=scale > 0
    )
    return taus


def _percentiles(taus: FloatArray, level: float) -> Interval:
    if np.isnan(taus).all():
        return Interval(math.nan, math.nan)
    # Where all systems were tied, nothing was ordered alike: left out, it would seem surer.
    low, high = np.quantile(np.nan_to_num(taus), [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high)


def _settled(means: FloatArray) -> FloatArray:
    """Numbers in the order of the means, equal where these differ by rounding only."""
    order = np.argsort(means)
    apart = np.diff(means[order], prepend=math.nan) > _SAME * np.abs(means).max(initial=0.0)
    places = np.empty(len(means))
    places[order] = np.cumsum(apart)
    return places


def _averageable(measures: Sequence[Measure], values: FloatArray) -> FloatArray:
    """Values whose mean ranks systems as the average of the measure does, the best highest."""
    rows = []
    for measure, of_measure in zip(measures, values, strict=True):
        if measure.average == "geometric":
            of_measure = np.log(np.maximum(of_measure, LEAST))
        rows.append(_direction(measure) * of_measure)
    return np.stack(rows)


def _direction(measure: Measure) -> int:
    return 1 if measure.higher_is_better else -1
