"""Run, judgments and what is known of items, joined."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from gainful import ragged
from gainful.about_joins import Parties, parties
from gainful.align import join, kept, said
from gainful.facts import Facts, Ids, ItemFacts
from gainful.item_rankings import ItemRankings, Items
from gainful.joined import facts_of
from gainful.notices import CommentLines, Notice, UnknownItems
from gainful.ragged import FloatArray
from gainful.refused_rules import SHIFTING, refuse
from gainful.rules import Rules
from gainful.sources import Handed, ItemData, Judgments, Reading, Run

_SHOWN = 10  # of the ids that a notice keeps


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
    items = _known(tuple(aligned.items), data)
    found = ItemRankings(
        **{name: getattr(ranked, name) for name in type(ranked).__dataclass_fields__},
        item_offsets=item_offsets,
        item=aligned.head_item[stay],
        items=items,
    )
    return found, _facts(facts_of(judgments, rules, joined), items), joined.handed


def said_of_items(
    facts: ItemFacts, who: Parties, rules: Rules, *, data: ItemData
) -> tuple[Notice, ...]:
    """What is odd, by the facts; an error where the rules want one, or where no query is shared."""
    return (*said(facts.joined, who, rules), *_about(facts, who, data))


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


def _facts(joined: Facts, items: Items) -> ItemFacts:
    lacking: dict[str, Any] = {}
    if items.catalogue is not None:
        lacking["unlisted"] = ~items.catalogue
    if items.popularity is not None:
        lacking["unknown"] = np.isnan(items.popularity)
    if items.features is not None:
        lacking["featureless"] = np.isnan(items.features[:, :1]).any(axis=1)
    ids = {
        name: Ids(items.ids[i] for i in np.flatnonzero(lacking.get(name, ())))
        for name in ("unlisted", "unknown", "featureless")
    }
    return ItemFacts(joined, Ids(items.ids), **ids)


def _about(facts: ItemFacts, who: Parties, data: ItemData) -> Iterator[Notice]:
    lacking = {
        "catalogue": facts.unlisted,
        "popularity": facts.unknown,
        "features": facts.featureless,
    }
    for lacks, ids in lacking.items():
        if ids:
            yield UnknownItems(who.run, lacks, len(ids), len(facts.items), tuple(ids[:_SHOWN]))
    if data.n_comments:
        yield CommentLines(data.name, data.n_comments)
