"""Laid out: what sums are made of, written out rank by rank or block by block."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures._additions import room
from gainful.ragged import ENDLESS, FloatArray, IntArray
from gainful.rankings import JudgedRankings

_MOST = 1 << 28  # ranks that are written out, those that gain nothing too
_PART = 1 << 16  # of them, written out at once


class Blocks(NamedTuple):
    """The blocks of equal scores that hold a judged item, in rank order.

    Attributes:
        gain: The mean gain of their items.
        first: Their first rank.
        size: How many items they have.
        query: Whose they are.
    """

    gain: FloatArray
    first: IntArray
    size: IntArray
    query: IntArray

    def laid_out(
        self, own: slice, length: IntArray, most: IntArray
    ) -> tuple[FloatArray, IntArray, IntArray]:
        """The mean gain and the last rank of the blocks of some queries, and how many each has.

        An unjudged item that no judged one is tied with is taken for a block of its own.

        Args:
            own: The queries, which follow each other.
            length: How many ranks each of them has.
            most: How many blocks of each are laid out at most.
        """
        begin, end = np.searchsorted(self.query, [own.start, own.stop])
        mine = self._chosen(slice(begin, end))
        mine = mine._replace(query=mine.query - own.start)
        counts, place = mine._counted(length)
        if (counts > most).any():
            counts = np.minimum(counts, most)
            kept = np.flatnonzero(place < counts[mine.query])
            mine, place = mine._chosen(kept), place[kept]
        offsets = offsets_of(counts)
        gain, last = np.zeros(offsets[-1]), ragged.positions(offsets)
        place = place + offsets[mine.query]
        gain[place] = mine.gain
        if (shift := mine.size - 1).any():
            below = np.zeros_like(last)
            below[place] = shift
            last += np.cumsum(below) - np.repeat(mine._moved(len(length))[1][:-1], counts)
        return gain, last, counts

    def _chosen(self, which: slice | IntArray) -> "Blocks":
        return Blocks(self.gain[which], self.first[which], self.size[which], self.query[which])

    def _counted(self, length: IntArray) -> tuple[IntArray, IntArray]:
        """How many blocks each query has, and the place of each block among them, from 0."""
        edges = np.searchsorted(self.query, np.arange(len(length) + 1))
        some = np.flatnonzero(np.diff(edges))
        length = length.copy()
        deepest = (self.first + self.size - 1)[edges[1:][some] - 1]
        length[some] = np.maximum(length[some], deepest)
        moved, bounds = self._moved(len(length))
        return length - np.diff(bounds), self.first - 1 - (moved - bounds[self.query])

    def _moved(self, n_queries: int) -> tuple[IntArray, IntArray]:
        """By how many places those above move each block up, and the same for whole queries."""
        moved = np.concatenate([[0], np.cumsum(self.size - 1)])
        edges = np.searchsorted(self.query, np.arange(n_queries + 1))
        return moved[:-1], moved[edges]


def blocks_of(ranked: JudgedRankings, gain: FloatArray, length: IntArray) -> Blocks:
    """The blocks that begin within a query's length."""
    hits = np.flatnonzero(ranked.hit_tie_first <= length[ranked.hit_query])
    query = ranked.hit_query[hits]
    if not (ranked.average_ties and ranked.has_ties):
        return Blocks(gain[hits], ranked.hit_rank[hits], np.ones_like(hits), query)
    start, block = ragged.blocks(query, ranked.hit_tie_first[hits])
    size = ranked.hit_tie_size[hits][start]
    mean = ragged.sums(gain[hits], block, len(start)) / size
    return Blocks(mean, ranked.hit_tie_first[hits][start], size, query[start])


def offsets_of(length: IntArray) -> IntArray:
    """Where the ranks of each query begin; an error if they are too many to be written out."""
    n_ranks = length.sum(dtype=np.float64)
    if n_ranks > _MOST:
        message = f"arithmetic: adds up {_MOST:,} ranks at most, got {n_ranks:,.0f}."
        raise MeasureError(message, code="too-large")
    return np.concatenate([[0], np.cumsum(length)])


def parts_of(length: IntArray) -> list[slice]:
    """Queries that follow each other, so many ranks at a time as a processor keeps at hand."""
    ends = offsets_of(length)[1:]
    cuts = np.searchsorted(ends, np.arange(0, ends[-1] if len(ends) else 0, _PART)[1:])
    bounds = np.unique([0, *cuts, len(length)]).tolist()
    return [slice(begin, end) for begin, end in pairwise(bounds)] or [slice(0, 0)]


def rooms(adding: str, bottom: IntArray) -> IntArray:
    """How many terms of each query are written out at most, if none below the bottom counts."""
    each, place = np.unique(bottom, return_inverse=True)
    known = [room(adding, n_terms) or ENDLESS for n_terms in each.tolist()]
    return np.array(known, dtype=np.int64)[place]
