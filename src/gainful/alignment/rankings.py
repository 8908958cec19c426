"""JudgedRankings, which almost every measure reads, and GroupedRankings."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gainful.base import BoolArray, FloatArray, IntArray, cached_property, ragged
from gainful.errors import MeasureError


class Rankings:
    """Attributes of every kind of rankings.

    ``made_of`` describes the judgments that it is made of, for error messages.
    """

    made_of: ClassVar[str]

    queries: tuple[str, ...]
    n_retrieved: IntArray
    average_ties: bool

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.queries)

    @property
    def nothing_relevant(self) -> BoolArray:
        """True for each query with nothing relevant."""
        raise NotImplementedError

    @property
    def has_ties(self) -> bool:
        """True if items may share their score with others."""
        return True

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """Intermediate results that measures share."""
        return {}


@dataclass(frozen=True, eq=False)
class JudgedRankings(Rankings):
    """Ranks and labels of the judged items of each query, and the labels of the ideal ranking.

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
        shared_ranks: Whether tied hits stand on the same rank, the middle of their block.
        has_distinct_hits: Whether each hit is another judged item; if not, an item may be a hit
            twice, or an unjudged item one.
        is_pool_retrieved: Whether the judged items are those that the run returned, and no others.
        read_given_labels: Gives ``pool_given``, if it can be had.
    """

    made_of = "made of qrels: query, iteration, item, label"

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
    shared_ranks: bool = False
    has_distinct_hits: bool = True
    is_pool_retrieved: bool = False
    read_given_labels: Callable[[], FloatArray] | None = None

    @cached_property
    def pool_given(self) -> FloatArray:
        """The labels of ``pool_label`` in the order in which the qrels have the items."""
        if self.read_given_labels is None:
            message = "ideal_order=given: needs the order of the qrels, which is not known here."
            raise MeasureError(message, code="bad-setting")
        return self.read_given_labels()

    @cached_property
    def hit_query(self) -> IntArray:
        """The query, from 0, that each hit belongs to."""
        return ragged.find_owners(self.hit_offsets)

    @cached_property
    def pool_query(self) -> IntArray:
        """The query, from 0, that each judged item belongs to."""
        return ragged.find_owners(self.pool_offsets)

    @cached_property
    def pool_rank(self) -> IntArray:
        """The rank, from 1, of each judged item in the ideal ranking of its query."""
        # Where they fill the ranking without a gap, the hits have the same ranks.
        filled = self.complete and not self.shared_ranks
        filled &= np.array_equal(self._last_rank, np.diff(self.hit_offsets))
        return self.hit_rank if filled else ragged.find_positions(self.pool_offsets)

    @cached_property
    def complete(self) -> bool:
        """True if every judged item was retrieved, each once."""
        return self.has_distinct_hits and np.array_equal(self.hit_offsets, self.pool_offsets)

    @cached_property
    def has_ties(self) -> bool:
        """True if any hit shares its score with another item."""
        return bool(self.hit_tie_size.max(initial=1) > 1)

    @cached_property
    def overhangs(self) -> bool:
        """True if a hit is below what its query returned: in a tie that the depth cuts."""
        return bool((self._last_rank > self.n_retrieved).any())

    @cached_property
    def nothing_relevant(self) -> BoolArray:
        """True for each query where no judged item has a label above 0."""
        best = np.zeros(self.n_queries)
        some = np.diff(self.pool_offsets) > 0
        best[some] = self.pool_label[self.pool_offsets[:-1][some]]  # they descend
        return best <= 0

    @cached_property
    def _last_rank(self) -> IntArray:
        last = np.zeros(self.n_queries, dtype=np.int64)
        some = np.diff(self.hit_offsets) > 0
        last[some] = self.hit_rank[self.hit_offsets[1:][some] - 1]
        return last

    def total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """Return the sum, for each query, of one value per hit, added in rank order."""
        return ragged.sum_by_query(values, self.hit_query, self.n_queries)

    def pool_total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """Return the sum, for each query, of one value per judged item."""
        return ragged.sum_by_query(values, self.pool_query, self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """Return the rankings of some of the queries, given by number."""
        hits, hit_offsets = ragged.take(self.hit_offsets, keep)
        pool, pool_offsets = ragged.take(self.pool_offsets, keep)
        return replace(
            self,
            queries=tuple(self.queries[i] for i in keep),
            n_retrieved=self.n_retrieved[keep],
            hit_offsets=hit_offsets,
            hit_rank=self.hit_rank[hits],
            hit_label=self.hit_label[hits],
            hit_tie_first=self.hit_tie_first[hits],
            hit_tie_size=self.hit_tie_size[hits],
            pool_offsets=pool_offsets,
            pool_label=self.pool_label[pool],
            read_given_labels=None
            if self.read_given_labels is None
            else partial(_select_labels, self.read_given_labels, pool),
        )


class Reach(NamedTuple):
    """The part of rankings that matters to a measure: items below may be left out.

    Attributes:
        rank: The last rank that matters, of a ranking and of the perfect one.
        is_pool_retrieved: Whether the perfect ranking is made of the items that the run returned.
        unsigned: Whether a negative label matters at any rank.
    """

    rank: int
    is_pool_retrieved: bool = False
    unsigned: bool = False


def _select_labels(labels: Callable[[], FloatArray], numbers: IntArray) -> FloatArray:
    return labels()[numbers]


@dataclass(frozen=True, eq=False)
class GroupedRankings(Rankings):
    """Rankings whose judgments come in groups: subtopics of a query, or judges of it.

    Every group is a ranking of its own: the items that the run returned for its query, with the
    labels that this group gives them. An item may be judged in several groups.

    Attributes:
        queries: The id of each query.
        n_retrieved: How many items the run returned for each query, after ``Rules.depth``.
        group_offsets: Where each query's groups begin; one more than there are queries.
        groups: One judged ranking for each group, called by the group's name.
        item_offsets: Where each query's judged items begin; one more than there are queries. The
            items of a query stand in descending byte order of their ids.
        hit_offsets: Where each query's hits begin; one more than there are queries.
        hit_rank: Rank of each hit, from 1, ascending within a query.
        hit_item: Number of the judged item that each hit is, from 0, counted over all queries.
        row_item: The judged item of each judgment, ascending.
        row_group: The group of each judgment, counted over all queries.
        row_label: The label that the item has in that group.
        average_ties: Whether a measure is to average over the orders of tied items.
    """

    made_of = "made of qrels whose second column names subtopics, or judges"

    queries: tuple[str, ...]
    n_retrieved: IntArray
    group_offsets: IntArray
    groups: JudgedRankings
    item_offsets: IntArray
    hit_offsets: IntArray
    hit_rank: IntArray
    hit_item: IntArray
    row_item: IntArray
    row_group: IntArray
    row_label: FloatArray
    average_ties: bool = False

    @cached_property
    def group_query(self) -> IntArray:
        """The query, from 0, that each group belongs to."""
        return ragged.find_owners(self.group_offsets)

    @cached_property
    def hit_query(self) -> IntArray:
        """The query, from 0, that each hit belongs to."""
        return ragged.find_owners(self.hit_offsets)

    @cached_property
    def item_query(self) -> IntArray:
        """The query, from 0, that each judged item belongs to."""
        return ragged.find_owners(self.item_offsets)

    @cached_property
    def nothing_relevant(self) -> BoolArray:
        """True for each query where no judgment has a label above 0."""
        relevant = self.total(~self.groups.nothing_relevant)
        return np.equal(relevant, 0)

    def total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """Return the sum, for each query, of one value per group."""
        return ragged.sum_by_query(values, self.group_query, self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """Return the rankings of some of the queries, given by number."""
        groups, group_offsets = ragged.take(self.group_offsets, keep)
        items, item_offsets = ragged.take(self.item_offsets, keep)
        hits, hit_offsets = ragged.take(self.hit_offsets, keep)
        rows = np.flatnonzero(np.isin(self.row_item, items))
        new_item, new_group = np.argsort(items), np.argsort(groups)
        row_item = new_item[np.searchsorted(items[new_item], self.row_item[rows])]
        order = np.argsort(row_item, kind="stable")
        return type(self)(
            queries=tuple(self.queries[i] for i in keep),
            n_retrieved=self.n_retrieved[keep],
            group_offsets=group_offsets,
            groups=self.groups.select(groups),
            item_offsets=item_offsets,
            hit_offsets=hit_offsets,
            hit_rank=self.hit_rank[hits],
            hit_item=new_item[np.searchsorted(items[new_item], self.hit_item[hits])],
            row_item=row_item[order],
            row_group=new_group[np.searchsorted(groups[new_group], self.row_group[rows[order]])],
            row_label=self.row_label[rows[order]],
            average_ties=self.average_ties,
        )
