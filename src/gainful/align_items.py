"""Run, judgments and what is known of items, joined."""

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from gainful import ragged
from gainful.align import align_heads
from gainful.item_rankings import ItemRankings, Items
from gainful.notices import CommentLines, Notice, UnknownItems
from gainful.ragged import FloatArray
from gainful.refused_rules import SHIFTING, refuse
from gainful.rules import Rules
from gainful.sources import ItemData, Judgments, Reading, Run

_SHOWN = 10  # of the ids that a notice keeps


def align_items(
    judgments: Judgments, run: Run, rules: Rules, reading: Reading, *, data: ItemData, depth: int
) -> tuple[ItemRankings, tuple[Notice, ...]]:
    """The rankings of every judged query, with their first items, so many at most."""
    refuse(rules, SHIFTING, "has no meaning for measures of what is recommended, rank by rank")
    ranked, notices, aligned = align_heads(judgments, run, rules, reading, heads=depth)
    number = {query: i for i, query in enumerate(judgments.queries)}
    keep = np.array([number[query] for query in ranked.queries])
    kept, item_offsets = ragged.take(aligned.head_offsets, keep)
    items = _known(tuple(aligned.items), data)
    joined = ItemRankings(
        **{name: getattr(ranked, name) for name in type(ranked).__dataclass_fields__},
        item_offsets=item_offsets,
        item=aligned.head_item[kept],
        items=items,
    )
    return joined, (*notices, *_about(items, run, data))


def _known(ids: tuple[str, ...], data: ItemData) -> Items:
    catalogue = popularity = n_more_popular = n_interactions = None
    if data.catalogue is not None:
        catalogue = np.fromiter(map(data.catalogue.__contains__, ids), np.bool_, len(ids))
    if data.popularity is not None:
        counts = np.sort(np.fromiter(data.popularity.values(), np.float64))
        popularity = np.array([data.popularity.get(item, math.nan) for item in ids])
        unpopular = np.nan_to_num(popularity)
        n_more_popular = len(counts) - np.searchsorted(counts, unpopular, side="right")
        n_interactions = math.fsum(counts)
    return Items(
        ids,
        catalogue=catalogue,
        n_catalogue=None if data.catalogue is None else len(data.catalogue),
        popularity=popularity,
        n_more_popular=n_more_popular,
        n_users=data.n_users,
        n_interactions=n_interactions,
        features=_features(ids, data),
    )


def _features(ids: tuple[str, ...], data: ItemData) -> FloatArray | None:
    if data.features is None:
        return None
    width = len(next(iter(data.features.values()), ()))
    unknown = np.full(width, math.nan)
    return np.array([data.features.get(item, unknown) for item in ids]).reshape(len(ids), width)


def _about(items: Items, run: Run, data: ItemData) -> Iterator[Notice]:
    lacking: dict[str, Any] = {}
    if items.catalogue is not None:
        lacking["catalogue"] = ~items.catalogue
    if items.popularity is not None:
        lacking["popularity"] = np.isnan(items.popularity)
    if items.features is not None:
        lacking["features"] = np.isnan(items.features[:, 0])
    for lacks, unknown in lacking.items():
        if unknown.any():
            first = tuple(items.ids[i] for i in islice(np.flatnonzero(unknown), _SHOWN))
            yield UnknownItems(run.name, lacks, int(unknown.sum()), len(items.ids), first)
    if data.n_comments:
        yield CommentLines(data.name, data.n_comments)
