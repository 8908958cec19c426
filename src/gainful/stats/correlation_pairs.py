"""Correlations of pairs of measures and of pairs of runs, with intervals."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from gainful.base import (
    GEOMETRIC_FLOOR,
    FloatArray,
    IntArray,
    Interval,
    format_count,
    ragged,
)
from gainful.measures import Measure
from gainful.stats.bootstrap import draw_counts
from gainful.stats.paired_tests import compute_mean_interval
from gainful.stats.rank_correlation import (
    ListPairs,
    compute_overlaps,
    compute_shared_shares,
    compute_shared_taus,
    kendall_tau,
    rbo,
    tau_ap,
    weighted_tau,
)

_MAX_NAMED = 3  # swaps that a sentence names


class SystemSwap(NamedTuple):
    """Two systems that two measures order differently, as the first measure orders them."""

    better: str
    worse: str


@dataclass(frozen=True)
class MeasureCorrelation:
    """The correlation of two measures: the similarity of their rankings of the systems.

    Attributes:
        first: One measure.
        second: The other.
        tau: Kendall's tau-b of the means of the systems; NaN if a measure ties them all.
        interval: Its interval, by the percentiles of resampled queries.
        tau_ap: The AP correlation, the mean of both directions, ties as in tau_ap,b.
        weighted_tau: The weighted tau.
        rbo: The rank-biased overlap of the two orders of systems, those that a measure ties in
            the order they were given.
        n_pairs: Number of pairs of systems.
        n_alike: Number of them that both measures order alike, or both tie.
        swaps: The pairs that they order differently.
    """

    first: Measure
    second: Measure
    tau: float
    interval: Interval
    tau_ap: float
    weighted_tau: float
    rbo: float
    n_pairs: int
    n_alike: int
    swaps: tuple[SystemSwap, ...]

    @property
    def sentence(self) -> str:
        """The correlation in plain words."""
        names = f"{self.first} and {self.second}"
        if math.isnan(self.tau):
            return f"{names} cannot be compared: one of them ties all systems."
        agreement = f"{self.n_alike} of {self.n_pairs} pairs of systems alike"
        if self.n_alike == self.n_pairs:
            agreement = (
                f"all {self.n_pairs} pairs of systems alike"
                if self.n_pairs > 1
                else "both systems alike"
            )
        order = (
            f"{names} order {agreement}: tau {self.tau:.2f}{format_short_interval(self.interval)}"
        )
        tied = self.n_pairs - self.n_alike - len(self.swaps)
        ties = f"; {format_count(tied, 'pair is', 'pairs are')} tied by one of them" if tied else ""
        return f"{order}{self._list_disagreements()}{ties}."

    def _list_disagreements(self) -> str:
        if not self.swaps:
            return ""
        swapped_pairs = ", ".join(
            f"{swap.better} and {swap.worse}" for swap in self.swaps[:_MAX_NAMED]
        )
        n_more = len(self.swaps) - _MAX_NAMED
        ending = f", and {format_count(n_more, 'more pair', 'more pairs')}" if n_more > 0 else ""
        return f"; they disagree on {swapped_pairs}{ending}"


@dataclass(frozen=True)
class RunCorrelation:
    """The similarity of the rankings of two runs, on average over queries.

    Attributes:
        first: The name of one run.
        second: The name of the other.
        rbo: The mean rank-biased overlap, extrapolated; a query that only one run has counts as 0.
        interval: Interval of that mean, by Student's t.
        bounds: Means of the lowest and highest overlap that longer rankings could have.
        shared: The mean share of the items of either that both have: Jaccard's index.
        shared_interval: Interval of that mean.
        tau: The mean of Kendall's tau of the items that both have; NaN if they never share two.
        tau_interval: Interval of that mean.
        n_queries: Number of queries that at least one of them has.
        n_tau: Number of queries for which they share two items or more.
    """

    first: str
    second: str
    rbo: float
    interval: Interval
    bounds: Interval
    shared: float
    shared_interval: Interval
    tau: float
    tau_interval: Interval
    n_queries: int
    n_tau: int


def format_short_interval(interval: Interval) -> str:
    """Return an interval to follow a number in a sentence; empty where there is none."""
    return "" if math.isnan(interval.low) else f" [{interval.low:.2f}, {interval.high:.2f}]"


_ROUNDING = 1e-12  # of the largest mean: by so much may rounding part two that are equal
_BATCH = 1 << 22  # numbers that are held at once


def correlate_measures(
    measures: Sequence[Measure],
    systems: Sequence[str],
    values: FloatArray,
    *,
    p: float = 0.9,
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
) -> tuple[MeasureCorrelation, ...]:
    """Correlate the rankings of the systems by every pair of measures.

    Args:
        measures: The measures.
        systems: The names of the systems.
        values: One for every measure, system and query, in this order of axes; NaN where a
            measure has none.
        p: As for ``rbo``.
        level: Confidence level of the intervals.
        resamples: Number of times that the queries are resampled.
        seed: Seed of the random numbers.

    >>> from gainful import parse_measure
    >>> values = np.array([[[0.9, 0.7], [0.4, 0.2]], [[0.5, 0.4], [0.3, 0.1]]])
    >>> measures = [parse_measure("P@10"), parse_measure("nDCG@10")]
    >>> correlate_measures(measures, ["a", "b"], values)[0].sentence
    'P@10 and nDCG@10 order both systems alike: tau 1.00 [1.00, 1.00].'
    """
    if len(measures) < 2:
        return ()
    means = np.array(
        [
            [_get_direction(measure) * measure.average_values(row) for row in rows]
            for measure, rows in zip(measures, values, strict=True)
        ]
    )
    taus = resample_taus(_align_averages(measures, values), resamples, seed)
    if values.shape[-1] < 2:
        taus = np.full(taus.shape, math.nan)  # one query, drawn again and again, tells nothing
    return tuple(
        _correlate_measure_pair(
            (measures[i], measures[j]), systems, means[[i, j]], taus[:, i, j], level=level, p=p
        )
        for i, j in combinations(range(len(measures)), 2)
    )


def _correlate_measure_pair(
    measures: tuple[Measure, Measure],
    systems: Sequence[str],
    means: FloatArray,
    taus: FloatArray,
    *,
    level: float,
    p: float,
) -> MeasureCorrelation:
    defined = np.flatnonzero(~np.isnan(means).any(axis=0))
    first_ranks, second_ranks = (_rank_means(row) for row in means[:, defined])
    tau, (first, second) = (
        kendall_tau(first_ranks, second_ranks),
        sign_differences(means[:, defined]),
    )
    names = [systems[i] for i in defined.tolist()]
    return MeasureCorrelation(
        *measures,
        tau=tau,
        interval=Interval(math.nan, math.nan)
        if math.isnan(tau)
        else _find_percentile_interval(taus, level),
        tau_ap=tau_ap(first_ranks, second_ranks, symmetric=True),
        weighted_tau=weighted_tau(first_ranks, second_ranks),
        rbo=rbo(
            *(np.argsort(-row, kind="stable").tolist() for row in (first_ranks, second_ranks)), p=p
        ),
        n_pairs=len(first),
        n_alike=int((first == second).sum()),
        swaps=_list_swaps(names, first, second),
    )


def _list_swaps(
    names: Sequence[str], first: FloatArray, second: FloatArray
) -> tuple[SystemSwap, ...]:
    better, worse = np.triu_indices(len(names), 1)
    swapped = first * second < 0
    is_reversed = first[swapped] < 0
    preferred = np.where(is_reversed, worse[swapped], better[swapped])
    less_preferred = np.where(is_reversed, better[swapped], worse[swapped])
    return tuple(
        SystemSwap(names[a], names[b]) for a, b in zip(preferred, less_preferred, strict=True)
    )


def sign_differences(means: FloatArray) -> FloatArray:
    """Return, for every pair of systems, 1 if the first is better, -1 if worse, 0 for a tie.

    >>> sign_differences(np.array([0.3, 0.5, 0.1 + 0.2])).tolist()
    [-1.0, 0.0, 1.0]
    """
    first, second = np.triu_indices(means.shape[-1], 1)
    difference = means[..., first] - means[..., second]
    filled = np.nan_to_num(difference)
    tolerance = _ROUNDING * np.abs(np.nan_to_num(means)).max(axis=-1, keepdims=True, initial=0.0)
    signs: FloatArray = np.where(np.abs(filled) <= tolerance, 0.0, np.sign(filled))
    return signs


def resample_taus(values: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Return Kendall's tau-b of every pair of measures for resampled queries: a bootstrap.

    Not by ``scipy.stats.kendalltau``, which takes one pair of lists at a time; here, the signs of
    all pairs of systems are multiplied at once. NaN where a measure ties all systems.
    """
    n_measures, n_systems, n_queries = values.shape
    flat = values.reshape(-1, n_queries)
    defined, filled = (~np.isnan(flat)).astype(np.float64), np.nan_to_num(flat)
    size = max(1, _BATCH // max(n_queries, n_measures * n_systems * (n_systems - 1) // 2))
    rng, taus = np.random.default_rng(seed), np.empty((resamples, n_measures, n_measures))
    for begin in range(0, resamples, size):
        times = draw_counts(rng, min(size, resamples - begin), n_queries)
        with np.errstate(invalid="ignore"):  # a measure may have no value for any query drawn
            means = (times @ filled.T) / (times @ defined.T)
        taus[begin : begin + size] = _compute_taus(means.reshape(-1, n_measures, n_systems))
    return taus


def _compute_taus(means: FloatArray) -> FloatArray:
    signs = sign_differences(means)
    products = signs @ signs.swapaxes(-1, -2)
    untied = np.diagonal(products, axis1=-2, axis2=-1)
    scale = np.sqrt(untied[..., :, np.newaxis] * untied[..., np.newaxis, :])
    taus: FloatArray = np.divide(
        products, scale, out=np.full(products.shape, math.nan), where=scale > 0
    )
    return taus


def _find_percentile_interval(taus: FloatArray, level: float) -> Interval:
    if np.isnan(taus).all():
        return Interval(math.nan, math.nan)
    # Where all systems were tied, nothing was ordered alike: left out, it would seem surer.
    low, high = np.quantile(np.nan_to_num(taus), [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high)


def _rank_means(means: FloatArray) -> FloatArray:
    """Return numbers in the order of the means, equal where these differ by rounding only."""
    order = np.argsort(means)
    is_new_rank = np.diff(means[order], prepend=math.nan) > _ROUNDING * np.abs(means).max(
        initial=0.0
    )
    ranks = np.empty(len(means))
    ranks[order] = np.cumsum(is_new_rank)
    return ranks


def _align_averages(measures: Sequence[Measure], values: FloatArray) -> FloatArray:
    """Return values whose mean ranks systems as the average of the measure does."""
    rows = []
    for measure, measure_values in zip(measures, values, strict=True):
        if measure.average == "geometric":
            measure_values = np.log(np.maximum(measure_values, GEOMETRIC_FLOOR))
        rows.append(_get_direction(measure) * measure_values)
    return np.stack(rows)


def _get_direction(measure: Measure) -> int:
    return 1 if measure.higher_is_better else -1


class TopItems(NamedTuple):
    """The first items of every query of a run.

    Attributes:
        offsets: Start of each query's items, and the end of the last.
        item: The number of each item in ``items``, in rank order within a query.
        items: The ids of all items.
    """

    offsets: IntArray
    item: IntArray
    items: Sequence[str]


class _RankedItems(NamedTuple):
    """Items as numbers, one for every query and item, shared by all runs."""

    key: IntArray
    owner: IntArray
    rank: IntArray
    n_items: IntArray


def correlate_runs(
    names: Sequence[str], heads: Iterable[TopItems], *, p: float = 0.9, level: float = 0.95
) -> tuple[RunCorrelation, ...]:
    """Correlate the rankings of every pair of runs.

    Queries that neither run of a pair has are left out; one that a single run has counts, with
    nothing in common.

    Args:
        names: The names of the runs.
        heads: The first items of each, for the same queries.
        p: The persistence of the rank-biased overlap.
        level: Confidence level of the intervals.

    >>> head = TopItems(np.array([0, 2]), np.array([0, 1]), ["d1", "d2"])
    >>> swapped = TopItems(np.array([0, 2]), np.array([0, 1]), ["d2", "d1"])
    >>> pair = correlate_runs(["a", "b"], [head, swapped])[0]
    >>> round(pair.rbo, 4), pair.shared, pair.tau
    (0.9, 1.0, -1.0)
    """
    numbered = _number_items(heads)
    return tuple(
        _correlate_run_pair((names[i], names[j]), _match_lists(numbered[i], numbered[j]), p, level)
        for i, j in combinations(range(len(names)), 2)
    )


def _number_items(heads: Iterable[TopItems]) -> list[_RankedItems]:
    # A dict, not a table: ids may hold bytes that no table of text takes.
    numbers: dict[str, int] = {}
    numbered = []
    for head in heads:
        item_numbers = (numbers.setdefault(item, len(numbers)) for item in head.items)
        number = np.fromiter(item_numbers, np.int64, len(head.items))
        numbered.append((head.offsets, number[head.item]))
    ranked = []
    for offsets, item in numbered:
        owner, rank = ragged.find_owners(offsets), ragged.find_positions(offsets)
        ranked.append(_RankedItems(owner * len(numbers) + item, owner, rank, np.diff(offsets)))
    return ranked


def _match_lists(first: _RankedItems, second: _RankedItems) -> ListPairs:
    # Not unique: rules may let an item that is retrieved twice keep both ranks.
    _, in_first, in_second = np.intersect1d(first.key, second.key, return_indices=True)
    return ListPairs(
        owner=first.owner[in_first],
        first=first.rank[in_first],
        second=second.rank[in_second],
        n_first=first.n_items,
        n_second=second.n_items,
    )


def _correlate_run_pair(
    names: tuple[str, str], lists: ListPairs, p: float, level: float
) -> RunCorrelation:
    overlaps, shared, taus = (
        compute_overlaps(lists, p),
        compute_shared_shares(lists),
        compute_shared_taus(lists),
    )
    defined = ~np.isnan(overlaps.extrapolated)
    bounds = Interval(ragged.mean(overlaps.lowest[defined]), ragged.mean(overlaps.highest[defined]))
    return RunCorrelation(
        *names,
        rbo=ragged.mean(overlaps.extrapolated),
        interval=find_limited_interval(overlaps.extrapolated, (0.0, 1.0), level),
        bounds=bounds,
        shared=ragged.mean(shared),
        shared_interval=find_limited_interval(shared, (0.0, 1.0), level),
        tau=ragged.mean(taus),
        tau_interval=find_limited_interval(taus, (-1.0, 1.0), level),
        n_queries=int(defined.sum()),
        n_tau=int((~np.isnan(taus)).sum()),
    )


def find_limited_interval(
    values: FloatArray, limits: tuple[float, float], level: float
) -> Interval:
    """Return the interval of the mean by Student's t, cut at the limits; NaN is left out.

    NaN for fewer than two values.

    >>> print(find_limited_interval(np.array([0.2, 0.4, 0.6]), (0.0, 1.0), 0.95))
    [0.0000, 0.8968]
    """
    low, high = compute_mean_interval(values[~np.isnan(values)], level=level)
    return Interval(max(low, limits[0]), min(high, limits[1]))
