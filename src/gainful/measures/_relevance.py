"""Relevant items, running sums of gains and rankings without groups, for several families."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gainful.alignment import GroupedRankings, JudgedRankings
from gainful.base import FloatArray, IntArray, ragged
from gainful.errors import MeasureError
from gainful.measures._gains import Gain


class Relevant(NamedTuple):
    """The relevant items of every query that the run returned, best first.

    Attributes:
        hit: Which hits they are.
        query: The query of each.
        rank: The rank of each.
        nth: Which of its query's relevant items it is, from 1.
        offsets: Where those of each query begin.
        pool: How many relevant items each query has, returned or not.
    """

    hit: IntArray
    query: IntArray
    rank: IntArray
    nth: IntArray
    offsets: IntArray
    pool: FloatArray

    @property
    def n_retrieved(self) -> FloatArray:
        """Number of relevant items that the run returned for each query."""
        return np.diff(self.offsets).astype(np.float64)

    def count_within(self, cutoff: int | IntArray) -> FloatArray:
        """Return how many relevant items of each query stand within its first ranks."""
        above = self.rank <= (cutoff if isinstance(cutoff, int) else cutoff[self.query])
        return np.bincount(self.query[above], minlength=len(self.pool)).astype(np.float64)


def find_relevant(ranked: JudgedRankings, rel: float) -> Relevant:
    """Return the items whose label is ``rel`` at least; computed once for all measures.

    Hits below what the query returned, in a tie that the depth cuts, are left out.
    """
    key = ("relevant", rel)
    if key not in ranked.memo:
        chosen = ranked.hit_label >= rel
        if ranked.overhangs:
            chosen &= ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query]
        hit = np.flatnonzero(chosen)
        query = ranked.hit_query[hit]
        offsets = ragged.offsets_from_owners(query, ranked.n_queries)
        pool = ranked.pool_total(ranked.pool_label >= rel)
        nth = ragged.find_positions(offsets)
        ranked.memo[key] = Relevant(hit, query, ranked.hit_rank[hit], nth, offsets, pool)
    relevant: Relevant = ranked.memo[key]
    return relevant


def relabel_items(ranked: GroupedRankings, label: FloatArray) -> JudgedRankings:
    """Return the rankings with one label for every item, whatever its groups."""
    groups, hit_rank = ranked.groups, ranked.hit_rank
    single = JudgedRankings(
        queries=ranked.queries,
        n_retrieved=ranked.n_retrieved,
        hit_offsets=ranked.hit_offsets,
        hit_rank=hit_rank,
        hit_label=label[ranked.hit_item],
        hit_tie_first=hit_rank,
        hit_tie_size=np.ones_like(hit_rank),
        pool_offsets=ranked.item_offsets,
        pool_label=ragged.sort_descending(label, ranked.item_query),
        average_ties=ranked.average_ties,
    )
    if not ranked.average_ties:
        return single
    # Every hit is judged in some group, whose ranking has its tie block.
    deepest = int(hit_rank.max(initial=0)) + 1
    owner = ranked.group_query[groups.hit_query]
    hit = np.searchsorted(ranked.hit_query * deepest + hit_rank, owner * deepest + groups.hit_rank)
    tie_first, tie_size = np.empty_like(hit_rank), np.empty_like(hit_rank)
    tie_first[hit], tie_size[hit] = groups.hit_tie_first, groups.hit_tie_size
    return replace(single, hit_tie_first=tie_first, hit_tie_size=tie_size)


class RunningSums(NamedTuple):
    """The running sums of each query's values.

    Attributes:
        total: The sum of a query's values up to each of them.
        offsets: Where those of each query begin; one more than there are queries.
    """

    total: FloatArray
    offsets: IntArray

    @property
    def sizes(self) -> IntArray:
        """Number of values of each query."""
        return np.diff(self.offsets)

    @property
    def whole(self) -> FloatArray:
        """The sum of all values of each query."""
        return self.sum_first(self.sizes, np.arange(len(self.offsets) - 1))

    def sum_first(self, n: IntArray, query: IntArray) -> FloatArray:
        """Return the sum of the first ``n`` values of each query, or of all if it has fewer."""
        n = np.minimum(n, self.sizes[query])
        padded = np.concatenate([[0.0], self.total])
        return padded[np.where(n > 0, self.offsets[query] + n, 0)]


def compute_running_sums(values: FloatArray, offsets: IntArray) -> RunningSums:
    """Return the running sums of values in rank order."""
    return RunningSums(ragged.accumulate(values, offsets), offsets)


def sort_ideal_gains(
    gain: FloatArray, owner: IntArray, n_queries: int
) -> tuple[FloatArray, IntArray]:
    """Return the gains above 0, descending within each query, and the offsets of queries."""
    above = np.flatnonzero(gain > 0)
    owner = owner[above]
    offsets = ragged.offsets_from_owners(owner, n_queries)
    return ragged.sort_descending(gain[above], owner), offsets


def check_sums(gain: Gain, worth: FloatArray, owner: IntArray, *, setting: str = "gain") -> None:
    """Refuse gains that add up to infinity for any query."""
    if not np.isfinite(np.bincount(owner, weights=np.abs(worth))).all():
        message = f"{setting} {gain}: must add up to finite numbers, got infinity."
        raise MeasureError(message, code="infinite-gain")
