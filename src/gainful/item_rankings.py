"""ItemRankings: the first items of every query, judged or not, and what is known of them."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from gainful import ragged
from gainful.cached import cached_property
from gainful.errors import MeasureError
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.records import Frozen


@dataclass(eq=False)
class Items(Frozen):
    """The different items of many rankings, an element each; None stands for what was not given.

    Attributes:
        ids: The id of each.
        catalogue: Whether it is in the catalogue.
        n_catalogue: How many items the catalogue has.
        popularity: How many users have had it, NaN where that is not known.
        n_more_popular: How many items there are, here or not, that more users have had.
        n_users: How many users there are.
        n_interactions: The popularity of all items there are, added up.
        features: A row for each item, NaN where it has none.
    """

    ids: tuple[str, ...]
    catalogue: BoolArray | None = None
    n_catalogue: int | None = None
    popularity: FloatArray | None = None
    n_more_popular: IntArray | None = None
    n_users: int | None = None
    n_interactions: float | None = None
    features: FloatArray | None = None

    def given(self, name: str, measure: str) -> Any:
        """One of the attributes; an error where a measure needs it and it was not given."""
        value = getattr(self, name)
        if value is None:
            message = (
                f"{measure} needs the {name} of items. "
                f"Pass --items FILE, or items=ItemData({name}=...)."
            )
            raise MeasureError(message, code="missing-item-data")
        return value


@dataclass(eq=False, kw_only=True)
class ItemRankings(JudgedRankings):
    """Judged rankings that know the first items of each query by name, judged or not.

    They go as deep as the measures look that were asked for, or as the rankings go.

    Attributes:
        item_offsets: Where each query's items begin; one more than there are queries.
        item: Number of each item in ``items``, in rank order within a query.
        items: What is known of the items.
    """

    made_of = "made of qrels, and of what is known of items: --items FILE, or items=ItemData(...)"

    item_offsets: IntArray
    item: IntArray
    items: Items

    @cached_property
    def item_query(self) -> IntArray:
        """The query, from 0, that each item was returned for."""
        return ragged.owners(self.item_offsets)

    @cached_property
    def item_rank(self) -> IntArray:
        """The rank of each item, from 1."""
        return ragged.positions(self.item_offsets)

    @cached_property
    def item_label(self) -> FloatArray:
        """The label of each item, NaN where it is not judged."""
        label = np.full(len(self.item), np.nan)
        kept = self.hit_rank <= np.diff(self.item_offsets)[self.hit_query]
        place = self.item_offsets[:-1][self.hit_query] + self.hit_rank - 1
        label[place[kept]] = self.hit_label[kept]
        return label

    def within(self, cutoff: int | None) -> BoolArray:
        """Whether each item stands in the first ranks, or anywhere if there is no cutoff."""
        if cutoff is None:
            return np.ones(len(self.item), dtype=np.bool_)
        return self.item_rank <= cutoff

    def item_total(self, values: FloatArray | BoolArray, chosen: BoolArray) -> FloatArray:
        """The sum, for each query, of one value per chosen item, added in rank order."""
        return ragged.sums(values[chosen], self.item_query[chosen], self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """The same rankings for some of the queries, given by number."""
        items, item_offsets = ragged.take(self.item_offsets, keep)
        return replace(super().select(keep), item_offsets=item_offsets, item=self.item[items])
