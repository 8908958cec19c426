"""Run, judgments and what is known of items, joined."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from gainful import _native, ragged
from gainful.about_joins import Parties, parties
from gainful.align import join, kept, said
from gainful.facts import SHOWN, Facts, Ids, ItemFacts, Lacks, Met
from gainful.item_rankings import ItemRankings, Items
from gainful.joined import facts_of
from gainful.notices import CommentLines, Notice, UnknownItems
from gainful.ragged import FloatArray, IntArray
from gainful.refused_rules import SHIFTING, refuse
from gainful.rules import Rules
from gainful.sources import Handed, ItemData, Judgments, Reading, Run


def align_items(
    judgments: Judgments, run: Run, rules: Rules, reading: Reading, *, data: ItemData, depth: int
) -> tuple[ItemRankings, tuple[Notice, ...]]:
    """The rankings of every judged query, with their first items, so many at most."""
    ranked, facts, handed = part_items(judgments, run, rules, reading, data=data, depth=depth)
    return ranked, said_of_items(facts, parties(judgments, run, handed), rules, data=data)


def part_items(
    judgments: Judgments, run: Run, rules: Rules, reading: Reading, *, data: ItemData, depth: int
) -> tuple[ItemRankings, ItemFacts, Handed]:
    """The same for a part of the queries, which may be none: rankings, facts, the rows' names."""
    refuse(rules, SHIFTING, "has no meaning for measures of what is recommended, rank by rank")
    joined = join(judgments, run, rules, reading, heads=depth)
    ranked, aligned = kept(joined, rules), joined.aligned
    number = {query: i for i, query in enumerate(judgments.queries)}
    keep = np.array([number[query] for query in ranked.queries], dtype=np.int64)
    stay, item_offsets = ragged.take(aligned.head_offsets, keep)
    items = known_items(tuple(aligned.items), data)
    found = ItemRankings(
        **{name: getattr(ranked, name) for name in type(ranked).__dataclass_fields__},
        item_offsets=item_offsets,
        item=aligned.head_item[stay],
        items=items,
    )
    return (
        found,
        _facts(facts_of(judgments, rules, joined), items, judgments, aligned),
        joined.handed,
    )


def said_of_items(
    facts: ItemFacts, who: Parties, rules: Rules, *, data: ItemData
) -> tuple[Notice, ...]:
    """What is odd, by the facts; an error where the rules want one, or where no query is shared."""
    return (*said(facts.joined, who, rules), *_about(facts, who, data))


def known_items(ids: tuple[str, ...], data: ItemData) -> Items:
    """What is known of items."""
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


def _facts(
    joined: Facts, items: Items, judgments: Judgments, aligned: _native.Aligned
) -> ItemFacts:
    lacking: dict[str, Any] = {}
    if items.catalogue is not None:
        lacking["unlisted"] = ~items.catalogue
    if items.popularity is not None:
        lacking["unknown"] = np.isnan(items.popularity)
    if items.features is not None:
        lacking["featureless"] = np.isnan(items.features[:, :1]).any(axis=1)
    found = {
        name: _lacks(np.flatnonzero(which), items, judgments, aligned)
        for name, which in lacking.items()
    }
    return ItemFacts(joined, Ids(items.ids), **found)


def _lacks(which: IntArray, items: Items, judgments: Judgments, aligned: _native.Aligned) -> Lacks:
    # Items are numbered as they are met, query by query.
    shown = which[:SHOWN]
    _, at = np.unique(aligned.head_item, return_index=True)
    query = np.searchsorted(aligned.head_offsets, at[shown], side="right") - 1
    first = [
        Met(judgments.queries[q], i, items.ids[i])
        for q, i in zip(query.tolist(), shown.tolist(), strict=True)
    ]
    return Lacks(Ids(items.ids[i] for i in which), tuple(first))


def _about(facts: ItemFacts, who: Parties, data: ItemData) -> Iterator[Notice]:
    lacking = {
        "catalogue": facts.unlisted,
        "popularity": facts.unknown,
        "features": facts.featureless,
    }
    for lacks, (ids, first) in lacking.items():
        if ids:
            shown = tuple(met.id for met in first)
            yield UnknownItems(who.run, lacks, len(ids), len(facts.items), shown)
    if data.n_comments:
        yield CommentLines(data.name, data.n_comments)
