"""Placed: gains and the ranks they stand at, of a ranking or of the best possible one."""

from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings


class Placed(NamedTuple):
    """What the items of all queries gain, or add to a sum, and at which rank.

    Ranks that nothing stands at gain nothing. They ascend within a query.
    """

    gain: FloatArray
    rank: IntArray
    query: IntArray

    def above(self, bottom: int | IntArray, n_queries: int) -> FloatArray:
        """The sum of each query's gains down to a rank, in rank order."""
        if isinstance(bottom, int) and bottom >= self.rank.max(initial=0):
            return ragged.sums(self.gain, self.query, n_queries)
        kept = self.cut(bottom)
        return ragged.sums(kept.gain, kept.query, n_queries)

    def cut(self, bottom: int | IntArray) -> "Placed":
        """What stands not below a rank."""
        limit = bottom if isinstance(bottom, int) else bottom[self.query]
        return self.chosen(np.flatnonzero(self.rank <= limit))

    def part(self, own: slice) -> "Placed":
        """What some queries have that follow each other, which are counted from 0."""
        begin, end = np.searchsorted(self.query, [own.start, own.stop])
        rows = slice(begin, end)
        return Placed(self.gain[rows], self.rank[rows], self.query[rows] - own.start)

    def last(self, n_queries: int) -> IntArray:
        """The last rank of each query that gains anything, 0 if none does."""
        last = np.zeros(n_queries, dtype=np.int64)
        gainful = self.chosen(np.flatnonzero(self.gain))
        np.maximum.at(last, gainful.query, gainful.rank)
        return last

    def chosen(self, which: IntArray) -> "Placed":
        """Some of them, in the same order."""
        return Placed(self.gain[which], self.rank[which], self.query[which])


def judged(ranked: JudgedRankings, gain: FloatArray) -> Placed:
    """All judged items, their gains in the order in which they are to stand."""
    return Placed(gain, ranked.pool_rank, ranked.pool_query)


def all_listed(ranked: JudgedRankings, *, unjudged_last: bool) -> bool:
    """Whether the perfect ranking of a list is that of all judged items."""
    if ranked.listed or not ranked.complete or ranked.overhangs:
        return ranked.listed
    return unjudged_last or np.array_equal(ranked.n_retrieved, np.diff(ranked.pool_offsets))


def gainful_of_list(ranked: JudgedRankings, gain: FloatArray) -> Placed:
    """The retrieved items that gain anything, the highest gain first."""
    gainful = np.flatnonzero(_listed(ranked) & (gain > 0))
    owner = ranked.hit_query[gainful]
    offsets = np.searchsorted(owner, np.arange(ranked.n_queries + 1))
    return Placed(ragged.descending(gain[gainful], owner), ragged.positions(offsets), owner)


def all_of_list(ranked: JudgedRankings, gain: FloatArray, key: FloatArray) -> Placed:
    """All retrieved items, the highest key first; an unjudged one has gain 0 and key 0.

    Unjudged items need no rows: those with a key below 0 stand that many ranks further down.
    """
    listed = np.flatnonzero(_listed(ranked))
    owner = ranked.hit_query[listed]
    order = np.lexsort((-key[listed], owner))
    offsets = np.searchsorted(owner, np.arange(ranked.n_queries + 1))
    unjudged = ranked.n_retrieved - np.diff(offsets)
    rank = ragged.positions(offsets)
    rank += np.where(key[listed][order] < 0, unjudged[owner], 0)
    return Placed(gain[listed][order], rank, owner)


def tie_blocks(
    query: IntArray, first: IntArray, size: IntArray, gain: FloatArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Where each tie block begins, the block of each hit, and whether its order matters."""
    start, block = ragged.blocks(query, first)
    uneven = np.zeros(len(start), dtype=np.bool_)
    changes = np.flatnonzero((gain[1:] != gain[:-1]) & (block[1:] == block[:-1]))
    uneven[block[changes]] = True
    # Unjudged items gain nothing, so they are the equals of hits that gain nothing.
    unjudged = np.diff(start, append=len(gain)) < size[start]
    return start, block, uneven | (unjudged & (gain[start] != 0))


def cuts_ties(ranked: JudgedRankings, gain: FloatArray) -> bool:
    """Whether a ranking ends within an averaged tie whose order matters."""
    if ranked.listed or not (ranked.average_ties and ranked.has_ties):
        return False
    query, first, size = ranked.hit_query, ranked.hit_tie_first, ranked.hit_tie_size
    cut = first + size - 1 > ranked.n_retrieved[query]
    if not cut.any():
        return False
    _, block, mixed = tie_blocks(query, first, size, gain)
    return bool((cut & mixed[block]).any())


def _listed(ranked: JudgedRankings) -> BoolArray:
    # Of an averaged tie of equals that depth cuts through, as many as fit.
    return ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query]
