"""Whether runs return the same items in the same order, query by query."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.comparison.agreement_pairs import RunAgreement
from gainful.interval import Interval
from gainful.ragged import FloatArray, IntArray
from gainful.stats.overlap import Lists, overlaps, shared_shares, shared_taus


class Head(NamedTuple):
    """The first items of every query of a run.

    Attributes:
        offsets: Where each query's items begin; one more than there are queries.
        item: The number of each item in ``items``, in rank order within a query.
        items: The ids of the items that there are.
    """

    offsets: IntArray
    item: IntArray
    items: Sequence[str]


class _Ranked(NamedTuple):
    """The same, by a number for every query and item that is the same for all runs, ascending."""

    key: IntArray
    owner: IntArray
    rank: IntArray
    n_items: IntArray


def run_pairs(
    names: Sequence[str], heads: Iterable[Head], *, p: float = 0.9, level: float = 0.95
) -> tuple[RunAgreement, ...]:
    """How alike the rankings of every pair of runs are.

    Queries that neither run of a pair has are left out; one that a single run has counts, with
    nothing in common.

    Args:
        names: The names of the runs.
        heads: The first items of each, for the same queries.
        p: The persistence of the rank-biased overlap.
        level: How sure the intervals are.

    >>> head = Head(np.array([0, 2]), np.array([0, 1]), ["d1", "d2"])
    >>> other = Head(np.array([0, 2]), np.array([0, 1]), ["d2", "d1"])
    >>> pair = run_pairs(["a", "b"], [head, other])[0]
    >>> round(pair.rbo, 4), pair.shared, pair.tau
    (0.9, 1.0, -1.0)
    """
    ranked = _common(heads)
    return tuple(
        _agreement((names[i], names[j]), _lists(ranked[i], ranked[j]), p, level)
        for i, j in combinations(range(len(names)), 2)
    )


def _common(heads: Iterable[Head]) -> list[_Ranked]:
    # A dict, not a table: ids may hold bytes that no table of text takes.
    numbers: dict[str, int] = {}
    numbered = []
    for head in heads:
        several = (numbers.setdefault(item, len(numbers)) for item in head.items)
        number = np.fromiter(several, np.int64, len(head.items))
        numbered.append((head.offsets, number[head.item]))
    return [_by_key(offsets, item, len(numbers)) for offsets, item in numbered]


def _by_key(offsets: IntArray, item: IntArray, n_numbers: int) -> _Ranked:
    owner = ragged.owners(offsets)
    key = owner * n_numbers + item
    order = np.argsort(key)
    return _Ranked(key[order], owner[order], ragged.positions(offsets)[order], np.diff(offsets))


def _lists(first: _Ranked, second: _Ranked) -> Lists:
    place = np.searchsorted(second.key, first.key)
    place[place == len(second.key)] = 0
    both = second.key[place] == first.key if len(second.key) else np.zeros(len(place), np.bool_)
    return Lists(
        owner=first.owner[both],
        first=first.rank[both],
        second=second.rank[place[both]],
        n_first=first.n_items,
        n_second=second.n_items,
    )


def _agreement(names: tuple[str, str], lists: Lists, p: float, level: float) -> RunAgreement:
    found, shared, taus = overlaps(lists, p), shared_shares(lists), shared_taus(lists)
    answered = ~np.isnan(found.extrapolated)
    bounds = Interval(ragged.mean(found.least[answered]), ragged.mean(found.most[answered]))
    return RunAgreement(
        *names,
        rbo=ragged.mean(found.extrapolated),
        interval=mean_interval(found.extrapolated, (0.0, 1.0), level),
        bounds=bounds,
        shared=ragged.mean(shared),
        shared_interval=mean_interval(shared, (0.0, 1.0), level),
        tau=ragged.mean(taus),
        tau_interval=mean_interval(taus, (-1.0, 1.0), level),
        n_queries=int(answered.sum()),
        n_tau=int((~np.isnan(taus)).sum()),
    )


def mean_interval(values: FloatArray, limits: tuple[float, float], level: float) -> Interval:
    """Where the mean lies, NaN values left out: Student's t, cut at the limits of the values.

    NaN for fewer than two values.

    >>> print(mean_interval(np.array([0.2, 0.4, 0.6]), (0.0, 1.0), 0.95))
    [0.0000, 0.8968]
    """
    from scipy.stats import t

    known = values[~np.isnan(values)]
    if len(known) < 2:
        return Interval(math.nan, math.nan)
    mean = ragged.mean(known)
    error = math.sqrt(math.fsum((known - mean) ** 2) / (len(known) - 1) / len(known))
    half = float(t.ppf((1 + level) / 2, len(known) - 1)) * error
    return Interval(max(mean - half, limits[0]), min(mean + half, limits[1]))
