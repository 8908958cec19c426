"""PreferenceRankings: which preferences a ranking fulfils, counted."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from gainful import ragged
from gainful.cached import cached_property
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import Rankings


@dataclass(eq=False)
class PreferenceRankings(Rankings):
    """How many of the preferences that judges state a ranking fulfils.

    A preference is *fulfilled* if the preferred item stands above the other, or was retrieved and
    the other was not. It is *retrieved* if both its items were, *seen* if at least one was. Counts
    are *balanced* if every group counts as many non-relevant items as it has relevant ones.

    A pair is two items of a query that some group orders. Its share is the part of the groups that
    order it which agree with the ranking.

    Attributes:
        queries: The id of each query.
        n_retrieved: How many items the run returned for each query, after ``Rules.depth``.
        group_offsets: Where each query's groups begin; one more than there are queries.
        fulfilled: How many preferences of a group are fulfilled.
        fulfilled_retrieved: How many of them are retrieved.
        possible: How many preferences a group has.
        possible_seen: How many of them are seen.
        possible_retrieved: How many of them are retrieved.
        balanced_fulfilled: How many are fulfilled, balanced.
        balanced_possible: How many there are, balanced.
        balanced_fulfilled_retrieved: How many are fulfilled among the retrieved items, balanced.
        balanced_possible_retrieved: How many there are among the retrieved items, balanced.
        pairs: How many pairs a query has.
        pairs_seen: How many of them are seen.
        pairs_retrieved: How many of them are retrieved.
        pair_shares: The sum of the shares of the pairs that are seen.
        pair_shares_retrieved: The sum of the shares of the pairs that are retrieved.
        average_ties: Whether a measure is to average over the orders of tied items.
    """

    made_of = "made of preferences: query, group, subgroup, item, level"

    queries: tuple[str, ...]
    n_retrieved: IntArray
    group_offsets: IntArray
    fulfilled: IntArray
    fulfilled_retrieved: IntArray
    possible: IntArray
    possible_seen: IntArray
    possible_retrieved: IntArray
    balanced_fulfilled: IntArray
    balanced_possible: IntArray
    balanced_fulfilled_retrieved: IntArray
    balanced_possible_retrieved: IntArray
    pairs: FloatArray
    pairs_seen: FloatArray
    pairs_retrieved: FloatArray
    pair_shares: FloatArray
    pair_shares_retrieved: FloatArray
    average_ties: bool = False

    @cached_property
    def group_query(self) -> IntArray:
        """The query, from 0, that each group belongs to."""
        return ragged.owners(self.group_offsets)

    @cached_property
    def n_groups(self) -> IntArray:
        """How many groups each query has."""
        return np.diff(self.group_offsets)

    @cached_property
    def nothing_relevant(self) -> BoolArray:
        """Whether no group of a query prefers any item to another."""
        return np.equal(self.total(self.possible), 0)

    def total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """The sum, for each query, of one value per group, added in the order of their names."""
        return ragged.sums(values, self.group_query, self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """The same rankings for some of the queries, given by number."""
        groups, group_offsets = ragged.take(self.group_offsets, keep)
        of_group = {name: getattr(self, name)[groups] for name in GROUP_COUNTS}
        of_query = {name: getattr(self, name)[keep] for name in QUERY_COUNTS}
        return type(self)(
            queries=tuple(self.queries[i] for i in keep),
            n_retrieved=self.n_retrieved[keep],
            group_offsets=group_offsets,
            average_ties=self.average_ties,
            **of_group,
            **of_query,
        )


_names = [field.name for field in fields(PreferenceRankings)]
GROUP_COUNTS = tuple(name for name in _names if name.startswith(("fulfilled", "possible", "bal")))
QUERY_COUNTS = tuple(name for name in _names if name.startswith("pair"))
