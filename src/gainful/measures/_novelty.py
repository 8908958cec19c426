"""Gains that decrease as items repeat a subtopic, for a run and for the best ranking."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gainful.alignment import GroupedRankings
from gainful.base import ENDLESS, FloatArray, IntArray, ragged
from gainful.measures._discounts import Discount
from gainful.measures._relevance import find_relevant

Weights = Callable[[int], FloatArray]


class Step(NamedTuple):
    """The gains of the greedy ranking at one rank: the queries that still gain, and how much."""

    query: IntArray
    gain: FloatArray


class Novelty:
    """The gain at every rank, where each item of a subtopic is worth less than the one before.

    An item gains 1 for each of its subtopics that no item above covers, and ``1 - alpha`` times
    as much for every item above that does.
    """

    def __init__(self, ranked: GroupedRankings, *, alpha: float, rel: float) -> None:
        self.n_queries = ranked.n_queries
        self.n_subtopics = count_subtopics(ranked, rel)
        self._decay = 1.0 - alpha
        self._collect_gains(ranked, rel)
        self._start_greedy(ranked, rel)

    @classmethod
    def build(cls, ranked: GroupedRankings, *, alpha: float, rel: float) -> "Novelty":
        """Return the novelty of rankings, computed once for all measures."""
        memo, key = ranked.groups.memo, ("novelty", alpha, rel)
        if key not in memo:
            memo[key] = cls(ranked, alpha=alpha, rel=rel)
        novelty: Novelty = memo[key]
        return novelty

    def total(self, weights: Weights, cutoff: int | None = None) -> FloatArray:
        """Return the sum of each query's gains times the weights of their ranks, in rank order."""
        within = self.rank <= (ENDLESS if cutoff is None else cutoff)
        query, rank, gain = self.query[within], self.rank[within], self.gain[within]
        weight = weights(int(rank.max(initial=1)))
        return ragged.sum_by_query(gain * weight[rank], query, self.n_queries)

    def best_total(self, weights: Weights, cutoff: int | None = None) -> FloatArray:
        """Return the sum for the ranking that takes at every rank the item that gains most.

        Among equals it takes the one with the highest id, as ndeval does.
        """
        steps = self._take_steps(ENDLESS if cutoff is None else cutoff)
        weight, total = weights(max(len(steps), 1)), np.zeros(self.n_queries)
        for rank, step in enumerate(steps, start=1):
            total[step.query] += step.gain * weight[rank]
        return total

    def maximum_total(self, weights: Weights, cutoff: int) -> FloatArray:
        """Return the sum if every item covered every subtopic: no collection allows more."""
        shrunk = (
            compute_power_weights(self._decay)(cutoff)[1 : cutoff + 1]
            * weights(cutoff)[1 : cutoff + 1]
        )
        return self.n_subtopics * float(np.cumsum(shrunk)[-1])

    def _collect_gains(self, ranked: GroupedRankings, rel: float) -> None:
        """Set the gains of the run, query by query, in rank order."""
        relevant = find_relevant(ranked.groups, rel)
        owner = ranked.group_query[relevant.query]
        gain = compute_power_weights(self._decay)(int(relevant.nth.max(initial=1)))[relevant.nth]
        order = np.lexsort((relevant.query, relevant.rank, owner))
        owner, rank = owner[order], relevant.rank[order]
        start, block = ragged.group_equal(owner, rank)
        self.query, self.rank = owner[start], rank[start]
        self.gain = ragged.sum_by_query(gain[order], block, len(start))

    def _start_greedy(self, ranked: GroupedRankings, rel: float) -> None:
        """Set up the greedy ranking before its first rank."""
        rows = np.flatnonzero(ranked.row_label >= rel)
        # By subtopic within an item, so that sums are added in one order whatever the qrels'.
        rows = rows[np.lexsort((ranked.row_group[rows], ranked.row_item[rows]))]
        item, self._row_item = np.unique(ranked.row_item[rows], return_inverse=True)
        self._row_group = ranked.row_group[rows]
        self._item_query = ranked.item_query[item]
        self._worth = np.ones(ranked.groups.n_queries)
        self._is_taken = np.zeros(len(item), dtype=np.bool_)
        self._steps: list[Step] = []

    def _take_steps(self, deepest: int) -> list[Step]:
        while len(self._steps) < deepest and len(self._item_query):
            worth = self._worth[self._row_group]
            gain = ragged.sum_by_query(worth, self._row_item, len(self._item_query))
            gain[self._is_taken] = -1.0
            start, query = ragged.group_equal(self._item_query, self._item_query)
            best_gain = np.maximum.reduceat(gain, start)
            tied = np.flatnonzero((gain == best_gain[query]) & (gain > 0))
            first = tied[ragged.group_equal(query[tied], query[tied])[0]]
            if not len(first):
                break
            self._take(first)
            self._steps.append(Step(self._item_query[first], gain[first]))
            if 4 * self._is_taken.sum() > len(self._is_taken):
                self._drop_taken()
        return self._steps[:deepest]

    def _take(self, item: IntArray) -> None:
        """Take one item of each query next; the subtopics it covers are worth less from now on."""
        offsets = ragged.offsets_from_owners(self._row_item, len(self._is_taken))
        rows, _ = ragged.take(offsets, item)
        self._worth[self._row_group[rows]] *= self._decay
        self._is_taken[item] = True

    def _drop_taken(self) -> None:
        remains = ~self._is_taken
        rows = remains[self._row_item]
        self._row_item = (np.cumsum(remains) - 1)[self._row_item[rows]]
        self._row_group, self._item_query = self._row_group[rows], self._item_query[remains]
        self._is_taken = np.zeros(len(self._item_query), dtype=np.bool_)


def count_subtopics(ranked: GroupedRankings, rel: float) -> FloatArray:
    """Return how many subtopics of each query have a relevant item; others do not count."""
    return ranked.total(find_relevant(ranked.groups, rel).pool > 0)


def compute_power_weights(base: float) -> Weights:
    """Return weights: the base to the power of the number of ranks above each rank."""

    def table(deepest: int) -> FloatArray:
        # By multiplying on, not by NumPy's vector power: that differs between CPUs.
        return np.multiply.accumulate(np.concatenate([[1.0, 1.0], np.full(deepest - 1, base)]))

    return table


def compute_reciprocal_weights(discount: Discount) -> Weights:
    """Return weights: 1 over the divisor of each rank."""

    def table(deepest: int) -> FloatArray:
        return 1.0 / discount.divisors(deepest)

    return table
