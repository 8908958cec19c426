"""Relevant or not: what the measures that know only these two have in common."""

from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings


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
    def found(self) -> FloatArray:
        """How many relevant items of each query the run returned."""
        return np.diff(self.offsets).astype(np.float64)

    def within(self, cutoff: int | IntArray) -> FloatArray:
        """How many relevant items of each query stand within its first ranks."""
        above = self.rank <= (cutoff if isinstance(cutoff, int) else cutoff[self.query])
        return np.bincount(self.query[above], minlength=len(self.pool)).astype(np.float64)


def relevant(ranked: JudgedRankings, rel: float) -> Relevant:
    """The items whose label is ``rel`` at least; worked out once for all measures that ask.

    Hits below what the query returned, in a tie that the depth cuts, are left out.
    """
    key = ("relevant", rel)
    if key not in ranked.memo:
        chosen = ranked.hit_label >= rel
        if ranked.overhangs:
            chosen &= ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query]
        hit = np.flatnonzero(chosen)
        query = ranked.hit_query[hit]
        offsets = np.searchsorted(query, np.arange(ranked.n_queries + 1))
        pool = ranked.pool_total(ranked.pool_label >= rel)
        nth = ragged.positions(offsets)
        ranked.memo[key] = Relevant(hit, query, ranked.hit_rank[hit], nth, offsets, pool)
    found: Relevant = ranked.memo[key]
    return found
