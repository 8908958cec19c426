"""JudgedRankings: the one structure that every measure reads."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from gainful import ragged
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.records import Frozen


@dataclass(eq=False)
class JudgedRankings(Frozen):
    """Where the judged items of each query ended up, and what was there to be found.

    A *hit* is a retrieved item that has a judgment. Unjudged items need no rows: they are the
    ranks that no hit has.

    Attributes:
        queries: The id of each query.
        n_retrieved: How many items the run returned for each query, after ``Rules.depth``.
        hit_offsets: Where each query's hits begin; one more than there are queries.
        hit_rank: Rank of each hit, from 1, ascending within a query.
        hit_label: Label of each hit.
        hit_tie_first: First rank of the block of equal scores that the hit stands in.
        hit_tie_size: Size of that block; 1 for a hit that is not tied.
        pool_offsets: Where each query's judged items begin; one more than there are queries.
        pool_label: Labels of all judged items, retrieved or not, descending within a query.
        average_ties: Whether a measure is to average over the orders of tied items.
    """

    queries: tuple[str, ...]
    n_retrieved: IntArray
    hit_offsets: IntArray
    hit_rank: IntArray
    hit_label: FloatArray
    hit_tie_first: IntArray
    hit_tie_size: IntArray
    pool_offsets: IntArray
    pool_label: FloatArray
    average_ties: bool = False

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.queries)

    @cached_property
    def hit_query(self) -> IntArray:
        """The query, from 0, that each hit belongs to."""
        return ragged.owners(self.hit_offsets)

    @cached_property
    def pool_query(self) -> IntArray:
        """The query, from 0, that each judged item belongs to."""
        return ragged.owners(self.pool_offsets)

    @cached_property
    def pool_rank(self) -> IntArray:
        """The rank, from 1, of each judged item in the ideal ranking of its query."""
        # Where they fill the ranking without a gap, the hits have the same ranks.
        filled = self.complete and np.array_equal(self._last_rank, np.diff(self.hit_offsets))
        return self.hit_rank if filled else ragged.positions(self.pool_offsets)

    @cached_property
    def complete(self) -> bool:
        """Whether every judged item was retrieved."""
        return np.array_equal(self.hit_offsets, self.pool_offsets)

    @cached_property
    def has_ties(self) -> bool:
        """Whether any hit shares its score with another item."""
        return bool(self.hit_tie_size.max(initial=1) > 1)

    @cached_property
    def overhangs(self) -> bool:
        """Whether a hit stands below what its query returned: in a tie that the depth cuts."""
        return bool((self._last_rank > self.n_retrieved).any())

    @cached_property
    def nothing_relevant(self) -> BoolArray:
        """Whether no judged item of a query has a label above 0."""
        best = np.zeros(self.n_queries)
        some = np.diff(self.pool_offsets) > 0
        best[some] = self.pool_label[self.pool_offsets[:-1][some]]  # they descend
        return best <= 0

    @cached_property
    def memo(self) -> dict[Hashable, FloatArray]:
        """What one measure has worked out and others may use."""
        return {}

    @cached_property
    def _last_rank(self) -> IntArray:
        last = np.zeros(self.n_queries, dtype=np.int64)
        some = np.diff(self.hit_offsets) > 0
        last[some] = self.hit_rank[self.hit_offsets[1:][some] - 1]
        return last

    def total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """The sum, for each query, of one value per hit, added in rank order."""
        return ragged.sums(values, self.hit_query, self.n_queries)

    def pool_total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """The sum, for each query, of one value per judged item."""
        return ragged.sums(values, self.pool_query, self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """The same rankings for some of the queries, given by number."""
        hits, hit_offsets = ragged.take(self.hit_offsets, keep)
        pool, pool_offsets = ragged.take(self.pool_offsets, keep)
        return type(self)(
            queries=tuple(self.queries[i] for i in keep),
            n_retrieved=self.n_retrieved[keep],
            hit_offsets=hit_offsets,
            hit_rank=self.hit_rank[hits],
            hit_label=self.hit_label[hits],
            hit_tie_first=self.hit_tie_first[hits],
            hit_tie_size=self.hit_tie_size[hits],
            pool_offsets=pool_offsets,
            pool_label=self.pool_label[pool],
            average_ties=self.average_ties,
        )
