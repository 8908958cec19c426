"""Find the gains of unjudged items that make a share as large as it can be.

By the rearrangement inequality the highest gain belongs to the item of the largest weight. So a
choice is how many items reach each step between gains, fewer from step to step, and both the sum of
a ranking and that of the best one are sums over the steps. Their quotient is maximized by
Dinkelbach's method (On nonlinear fractional programming, Management Science 13(7), 1967): the best
choice for "sum - share x best sum" is found exactly, step by step, and its share is the next one,
until it no longer rises.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, ragged
from gainful.unjudged.places import UnjudgedPlaces


@dataclass(frozen=True, eq=False)
class Steps:
    """The parts of the steps between gains for every query, and the number of items at each.

    The steps lead from 0 to each gain that can be chosen, and the last to the highest gain of any
    judged item. A step is in several parts where judged items gain what lies between.

    Attributes:
        reached: Number of judged items that reach the upper end of each step; queries x steps.
        height: The height of the uppermost part of each step; queries x steps.
        offsets: Start of each query's lower parts, and the end of the last.
        step: The step that each lower part belongs to.
        part_reached: Number of judged items that reach it.
        part_height: Its height.
        weight: The sum of 1/divisor over the first ranks, by the number of ranks.
        depth: The last rank of the best ranking.
    """

    reached: IntArray
    height: FloatArray
    offsets: IntArray
    step: IntArray
    part_reached: IntArray
    part_height: FloatArray
    weight: FloatArray
    depth: int

    def sum_steps(self, queries: IntArray, n_more: int) -> FloatArray:
        """Return the sum that each step adds if 0, 1, 2... more items reach it, for some queries.

        The axes are queries, steps, and the number of unjudged items.
        """
        counts = np.arange(n_more + 1)
        sums = self._look_up_weight(self.reached[queries][..., np.newaxis] + counts)
        sums *= self.height[queries][..., np.newaxis]
        parts, offsets = ragged.take(self.offsets, queries)
        if len(parts):
            weight = self._look_up_weight(self.part_reached[parts][:, np.newaxis] + counts)
            weight *= self.part_height[parts][:, np.newaxis]
            np.add.at(sums, (ragged.find_owners(offsets), self.step[parts]), weight)
        return sums

    def _look_up_weight(self, count: IntArray) -> FloatArray:
        weight: FloatArray = self.weight[np.minimum(count, self.depth)]
        return weight


def build_ideal_steps(
    gain: FloatArray, offsets: IntArray, choice: FloatArray, weight: FloatArray, depth: int
) -> Steps:
    """Return the steps of the best rankings of judged items.

    Args:
        gain: Of all judged items, descending within a query.
        offsets: Start of each query's items.
        choice: The different gains that an unjudged item may have, ascending.
        weight: The sum of 1/divisor over the first ranks, by the number of ranks.
        depth: The last rank of the best ranking.
    """
    top = max(float(gain.max(initial=0.0)), float(choice[-1]))
    upper = np.maximum(np.append(choice, top), 0.0)
    owner, n_queries = ragged.find_owners(offsets), len(offsets) - 1
    reached = np.stack([np.bincount(owner[gain >= g], minlength=n_queries) for g in upper], axis=1)
    height = np.tile(np.diff(upper, prepend=0.0), (n_queries, 1))
    start, _ = ragged.group_equal(owner, gain)
    end = np.append(start[1:], len(gain))[: len(start)]
    inside = (gain[start] > 0) & ~np.isin(gain[start], upper)
    query, part = owner[start[inside]], gain[start[inside]]
    step = np.searchsorted(upper, part)
    first, _ = ragged.group_equal(query, step)
    height[query[first], step[first]] = upper[step[first]] - part[first]
    last = np.append(first[1:], len(part))[: len(first)] - 1
    below = np.append(part[1:], 0.0)[: len(part)]
    below[last] = np.append(0.0, upper)[step[last]]
    return Steps(
        reached=reached,
        height=height,
        offsets=ragged.offsets_from_owners(query, n_queries),
        step=step,
        part_reached=end[inside] - offsets[query],
        part_height=part - below,
        weight=weight,
        depth=depth,
    )


_MAX_NUMBERS = 1 << 19  # numbers in an array
_ROUNDS = 64  # that the search takes at most; it is known to take a few


class Sums(NamedTuple):
    """The sums of rankings, and the contributions of the unjudged items of each query.

    Attributes:
        sum: The sum of each query without its unjudged items.
        offsets: Start of each query's unjudged items, and the end of the last.
        weight: Contribution of each unjudged item to the sum, for each unit of gain.
    """

    sum: FloatArray
    offsets: IntArray
    weight: FloatArray

    def __neg__(self) -> "Sums":
        return Sums(-self.sum, self.offsets, -self.weight)


def find_highest(sums: Sums, gain: FloatArray, steps: Steps | None) -> IntArray:
    """Return the number of the gain of each unjudged item with which the share is the highest.

    Choices with which the best ranking gains nothing are left out, where there are others.

    Args:
        sums: The sums of rankings.
        gain: The different gains, ascending.
        steps: Steps of the best ranking; None for sums that are not divided by it.
    """
    owner = ragged.find_owners(sums.offsets)
    order = _order_by_weight(sums.weight, owner, sums.offsets)
    choice = np.zeros(len(owner), dtype=np.int64)
    size = np.diff(sums.offsets)
    for queries in _split_portions(size, len(gain) + 1, steps):
        numbers, offsets = ragged.take(sums.offsets, queries)
        numbers = order[numbers]
        counts = _GainSearch(sums, queries, numbers, offsets, gain, steps).find_counts()
        position, query = ragged.find_positions(offsets) - 1, ragged.find_owners(offsets)
        choice[numbers] = (counts[query] > position[:, np.newaxis]).sum(axis=1)
    return choice


def _order_by_weight(weight: FloatArray, owner: IntArray, offsets: IntArray) -> IntArray:
    """Return the places of each query in descending order of weight."""
    new_query, step = owner[1:] != owner[:-1], np.diff(weight)
    number = np.arange(len(weight))
    if (new_query | (step <= 0)).all():  # as the ranks of one run have it
        return number
    if (new_query | (step >= 0)).all():
        return offsets[owner] + offsets[owner + 1] - 1 - number
    return np.lexsort((-weight, owner))


def _split_portions(size: IntArray, n_steps: int, steps: Steps | None) -> Iterator[IntArray]:
    """Yield queries that have unjudged items, those with as many together, in bounded portions."""
    queries = np.flatnonzero(size)
    queries = queries[np.argsort(size[queries], kind="stable")]
    width = n_steps + (0 if steps is None else np.diff(steps.offsets)[queries])
    cost = np.cumsum(width * (size[queries] + 1))
    portion = cost // _MAX_NUMBERS
    yield from np.split(queries, np.flatnonzero(np.diff(portion)) + 1) if len(queries) else ()


class _GainSearch:
    """The search for some queries; arrays have the axes queries, steps, items that reach it."""

    def __init__(
        self,
        sums: Sums,
        queries: IntArray,
        numbers: IntArray,
        offsets: IntArray,
        gain: FloatArray,
        steps: Steps | None,
    ) -> None:
        self.size = np.diff(offsets)
        widest = int(self.size.max())
        weight = np.zeros((len(queries), widest + 1))
        query, position = ragged.find_owners(offsets), ragged.find_positions(offsets)
        weight[query, position] = sums.weight[numbers]
        running = np.cumsum(weight, axis=1)
        self.fixed = sums.sum[queries] + gain[0] * running[:, -1]
        self.adds = np.diff(gain)[:, np.newaxis] * running[:, np.newaxis, :]
        self.best_adds = np.zeros_like(self.adds)
        self.best_fixed = np.ones(len(queries))
        self.min_counts = np.zeros((len(queries), len(gain) - 1), dtype=np.int64)
        if steps is not None:
            totals = steps.sum_steps(queries, widest)
            rows = np.arange(len(queries))
            self.best_fixed = totals[rows, 0, self.size] + totals[:, -1, 0]
            self.best_adds = totals[:, 1:-1]
            self._require_gain(gain)

    def _require_gain(self, gain: FloatArray) -> None:
        """Require a gain of an unjudged item where no judged item has one."""
        if gain[0] > 0 or gain[-1] <= 0:
            return
        lowest = int(np.searchsorted(gain, 0.0, side="right"))  # the lowest that is above 0
        ungained = (self.best_fixed == 0) & (self.best_adds[:, :, 0].sum(axis=1) == 0)
        self.min_counts[ungained, :lowest] = 1
        self.adds[ungained, lowest - 1, 0] = -np.inf

    def find_counts(self) -> IntArray:
        """Return how many unjudged items of each query reach each step in the best choice."""
        counts = self.min_counts
        share = self._compute_share(counts)
        active = np.arange(len(counts))
        for _ in range(_ROUNDS):
            better = self._find_best_counts(active, share[active])
            better_share = self._compute_share(better, active)
            risen = better_share > share[active]
            active, better, better_share = active[risen], better[risen], better_share[risen]
            if not len(active):
                break
            counts[active], share[active] = better, better_share
        return counts

    def _compute_share(self, counts: IntArray, queries: IntArray | None = None) -> FloatArray:
        rows = np.arange(len(self.size)) if queries is None else queries
        index = rows[:, np.newaxis], np.arange(counts.shape[1]), counts
        top = self.fixed[rows] + self.adds[index].sum(axis=1)
        bottom = self.best_fixed[rows] + self.best_adds[index].sum(axis=1)
        return ragged.divide(top, bottom, empty=0.0)

    def _find_best_counts(self, queries: IntArray, share: FloatArray) -> IntArray:
        """Return the counts with which the sum exceeds a share of the best sum most.

        From the last step to the first: at each, what is best if so many or fewer reach it.
        """
        values = self.adds[queries] - share[:, np.newaxis, np.newaxis] * self.best_adds[queries]
        n_steps, width = values.shape[1:]
        best = np.zeros((len(queries), width))
        choices = np.zeros((n_steps, len(queries), width), dtype=np.int64)
        for step in range(n_steps - 1, -1, -1):
            value = values[:, step] + best
            best = np.maximum.accumulate(value, axis=1)
            new = np.ones(value.shape, dtype=np.bool_)
            new[:, 1:] = value[:, 1:] > best[:, :-1]
            np.maximum.accumulate(np.where(new, np.arange(width), 0), axis=1, out=choices[step])
        rows, limit = np.arange(len(queries)), self.size[queries]
        counts = np.empty((len(queries), n_steps), dtype=np.int64)
        for step in range(n_steps):
            limit = choices[step, rows, limit]
            counts[:, step] = limit
        return counts


def add_to_pool(ranked: JudgedRankings, query: IntArray, label: FloatArray) -> JudgedRankings:
    """Return the rankings with more judged items, which they have not retrieved.

    Args:
        ranked: The rankings.
        query: The query of each new item, ascending.
        label: Its label.
    """
    order = np.lexsort((-label, query))
    query, label = query[order], label[order]
    labels, label_number = np.unique(label, return_inverse=True)
    above = np.empty(len(label), dtype=np.int64)
    for number, value in enumerate(labels):
        has_label = label_number == number
        owner = ranked.pool_query[ranked.pool_label >= value]
        above[has_label] = np.bincount(owner, minlength=ranked.n_queries)[query[has_label]]
    n_new = np.bincount(query, minlength=ranked.n_queries)
    return replace(
        ranked,
        pool_offsets=ranked.pool_offsets + ragged.offsets_from_sizes(n_new),
        pool_label=np.insert(ranked.pool_label, ranked.pool_offsets[query] + above, label),
    )


def add_hits(ranked: JudgedRankings, places: UnjudgedPlaces, label: FloatArray) -> JudgedRankings:
    """Return the rankings with labels for their unjudged items, which ``add_to_pool`` added."""
    insertion = _find_insertion_points(ranked, places)
    n_new = np.bincount(places.query, minlength=ranked.n_queries)
    labeled = replace(
        ranked,
        hit_offsets=ranked.hit_offsets + ragged.offsets_from_sizes(n_new),
        hit_rank=np.insert(ranked.hit_rank, insertion, places.rank),
        hit_label=np.insert(ranked.hit_label, insertion, label),
        hit_tie_first=np.insert(ranked.hit_tie_first, insertion, places.tie_first),
        hit_tie_size=np.insert(ranked.hit_tie_size, insertion, places.tie_size),
    )
    return _sort_ties(labeled) if ranked.average_ties else labeled


def _find_insertion_points(ranked: JudgedRankings, places: UnjudgedPlaces) -> IntArray:
    """Return the number of the hit that each new hit goes before."""
    deepest = max(int(ranked.hit_rank.max(initial=0)), int(places.rank.max(initial=0))) + 1
    hit_keys = ranked.hit_query * deepest + ranked.hit_rank
    return np.searchsorted(hit_keys, places.query * deepest + places.rank)


def _sort_ties(ranked: JudgedRankings) -> JudgedRankings:
    """Return the hits of every averaged tie in descending order of label, as aligning does."""
    query, first = ranked.hit_query, ranked.hit_tie_first
    order = np.lexsort((-ranked.hit_label, first, query))
    start, block = ragged.group_equal(query, first)
    rank = first + np.arange(len(first)) - start[block]
    return replace(
        ranked,
        hit_rank=rank,
        hit_label=ranked.hit_label[order],
    )
