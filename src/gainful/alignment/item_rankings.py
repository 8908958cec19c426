"""Run, judgments and item attributes, joined."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Self

import numpy as np

from gainful.alignment.join import Joined, collect_stats, select_queries
from gainful.alignment.join_stats import (
    AlignedPart,
    Ids,
    ItemStats,
    JoinStats,
)
from gainful.alignment.rankings import JudgedRankings
from gainful.alignment.rules import RANK_SHIFTING_RULES, refuse_rules
from gainful.base import (
    BoolArray,
    FloatArray,
    IntArray,
    cached_property,
    ragged,
)
from gainful.errors import MeasureError
from gainful.sources import ItemData


@dataclass(frozen=True, eq=False)
class Items:
    """The distinct items of many rankings, one element each; None for data that was not passed.

    Attributes:
        ids: The id of each.
        catalog: Whether it is in the catalog.
        n_catalog: How many items the catalog has.
        popularity: How many users have had it; NaN if unknown.
        n_more_popular: Number of items, here or not, that more users have had.
        n_users: Number of users.
        n_interactions: The sum of the popularity of all items.
        features: A row for each item, NaN where it has none.
    """

    ids: tuple[str, ...]
    catalog: BoolArray | None = None
    n_catalog: int | None = None
    popularity: FloatArray | None = None
    n_more_popular: IntArray | None = None
    n_users: int | None = None
    n_interactions: float | None = None
    features: FloatArray | None = None

    def require(self, name: str, measure: str) -> Any:
        """Return an attribute that a measure needs; raise an error if it is None."""
        value = getattr(self, name)
        if value is None:
            message = (
                f"{measure} needs the {name} of items. "
                f"Pass --items FILE, or items=ItemData({name}=...)."
            )
            raise MeasureError(message, code="missing-item-data")
        return value


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemRankings(JudgedRankings):
    """Judged rankings that know the first items of each query by name, judged or not.

    They go as deep as the measures look that were asked for, or as the rankings go.

    Attributes:
        item_offsets: Where each query's items begin; one more than there are queries.
        item: Number of each item in ``items``, in rank order within a query.
        items: The item attributes.
    """

    made_of = "made of qrels and item attributes: --items FILE, or items=ItemData(...)"

    item_offsets: IntArray
    item: IntArray
    items: Items

    @cached_property
    def item_query(self) -> IntArray:
        """The query, from 0, that each item was returned for."""
        return ragged.find_owners(self.item_offsets)

    @cached_property
    def item_rank(self) -> IntArray:
        """The rank of each item, from 1."""
        return ragged.find_positions(self.item_offsets)

    @cached_property
    def item_label(self) -> FloatArray:
        """The label of each item, NaN where it is not judged."""
        label = np.full(len(self.item), np.nan)
        is_ranked = self.hit_rank <= np.diff(self.item_offsets)[self.hit_query]
        place = self.item_offsets[:-1][self.hit_query] + self.hit_rank - 1
        label[place[is_ranked]] = self.hit_label[is_ranked]
        return label

    def within(self, cutoff: int | None) -> BoolArray:
        """Return True for each item in the first ranks; for every item if there is no cutoff."""
        if cutoff is None:
            return np.ones(len(self.item), dtype=np.bool_)
        return self.item_rank <= cutoff

    def item_total(self, values: FloatArray | BoolArray, chosen: BoolArray) -> FloatArray:
        """Return the sum, for each query, of one value per chosen item, added in rank order."""
        return ragged.sum_by_query(values[chosen], self.item_query[chosen], self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """Return the rankings of some of the queries, given by number."""
        items, item_offsets = ragged.take(self.item_offsets, keep)
        return replace(super().select(keep), item_offsets=item_offsets, item=self.item[items])


def align_items(joined: Joined, data: ItemData, depth: int) -> AlignedPart[ItemRankings, ItemStats]:
    """Return what ``align_joined`` returns, with the first ``depth`` items of every query."""
    refuse_rules(
        joined.rules,
        RANK_SHIFTING_RULES,
        "has no meaning for measures of what is recommended, rank by rank",
    )
    judgments, heads, ranked = joined.judgments, joined.list_heads(depth), select_queries(joined)
    number = {query: i for i, query in enumerate(judgments.queries)}
    keep = np.array([number[query] for query in ranked.queries], dtype=np.int64)
    rows, item_offsets = ragged.take(heads.offsets, keep)
    items = collect_items(heads.ids, data)
    item_rankings = ItemRankings(
        **{name: getattr(ranked, name) for name in type(ranked).__dataclass_fields__},
        item_offsets=item_offsets,
        item=heads.item[rows],
        items=items,
    )
    stats = _collect_item_stats(collect_stats(joined), items)
    return AlignedPart(item_rankings, stats, joined.locator)


def merge_rankings(parts: Sequence[Any], data: ItemData) -> JudgedRankings:
    """Merge the rankings of parts that share no query, in the order of the ids of queries."""
    values = {
        name: [getattr(part, name) for part in parts]
        for name in type(parts[0]).__dataclass_fields__
    }
    merged: dict[str, Any] = {}
    for name, arrays in values.items():
        if name.endswith("_offsets"):
            sizes = np.concatenate([np.diff(offsets) for offsets in arrays])
            merged[name] = ragged.offsets_from_sizes(sizes)
        elif isinstance(arrays[0], np.ndarray):
            merged[name] = np.concatenate(arrays)
        else:
            merged[name] = arrays[0]  # the same in all parts, as the rules have it
    merged["queries"] = tuple(chain.from_iterable(values["queries"]))
    if isinstance(parts[0], ItemRankings):
        numbers: dict[str, int] = {}
        items = [[numbers.setdefault(id, len(numbers)) for id in part.items.ids] for part in parts]
        in_parts = zip(items, parts, strict=True)
        merged["item"] = np.concatenate(
            [np.array(ids, dtype=np.int64)[part.item] for ids, part in in_parts]
        )
        merged["items"] = collect_items(tuple(numbers), data)
    ranked: JudgedRankings = type(parts[0])(**merged)
    order = sorted(range(ranked.n_queries), key=ranked.queries.__getitem__)
    return ranked.select(np.array(order, dtype=np.int64))


def collect_items(ids: tuple[str, ...], data: ItemData) -> Items:
    """Return the data of some items as arrays."""
    catalog = popularity = n_more_popular = n_interactions = None
    if data.catalog is not None:
        catalog = np.fromiter(map(data.catalog.__contains__, ids), np.bool_, len(ids))
    if data.popularity is not None:
        counts = np.sort(np.fromiter(data.popularity.values(), np.float64))
        popularity = np.array([data.popularity.get(item, math.nan) for item in ids])
        unpopular = np.nan_to_num(popularity)
        n_more_popular = len(counts) - np.searchsorted(counts, unpopular, side="right")
        n_interactions = math.fsum(counts)
    return Items(
        ids,
        catalog=catalog,
        n_catalog=None if data.catalog is None else len(data.catalog),
        popularity=popularity,
        n_more_popular=n_more_popular,
        n_users=data.n_users,
        n_interactions=n_interactions,
        features=_stack_features(ids, data),
    )


def _stack_features(ids: tuple[str, ...], data: ItemData) -> FloatArray | None:
    if data.features is None:
        return None
    width = len(next(iter(data.features.values()), ()))
    unknown = np.full(width, math.nan)
    return np.array([data.features.get(item, unknown) for item in ids]).reshape(len(ids), width)


def _collect_item_stats(joined: JoinStats, items: Items) -> ItemStats:
    def select(mask: Any) -> Ids:
        return Ids() if mask is None else Ids(items.ids[i] for i in np.flatnonzero(mask))

    return ItemStats(
        joined,
        Ids(items.ids),
        unlisted=select(None if items.catalog is None else ~items.catalog),
        unknown=select(None if items.popularity is None else np.isnan(items.popularity)),
        featureless=select(
            None if items.features is None else np.isnan(items.features[:, :1]).any(axis=1)
        ),
    )
