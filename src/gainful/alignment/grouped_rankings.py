"""Run and judgments in groups, joined: one ranking for every subtopic, or for every judge."""

import numpy as np

from gainful.alignment.join import READING, align_numbered
from gainful.alignment.join_stats import AlignedPart, Count, GroupStats, Ids
from gainful.alignment.rankings import GroupedRankings, JudgedRankings
from gainful.alignment.rules import Rules
from gainful.base import IntArray, ReadOptions, ragged
from gainful.sources import GroupedJudgments, Run


def align_groups(
    judgments: GroupedJudgments, run: Run, rules: Rules, read_options: ReadOptions = READING
) -> AlignedPart[GroupedRankings, GroupStats]:
    """Rank the judged items of every query, for each of its groups.

    Queries are in the order of the qrels, groups of a query in the order in which they come.
    """
    pairs = judgments.items.pairs
    ranked_items, joined, rows = align_numbered(
        pairs, run, rules, read_options, labels_of="subtopic"
    )
    ranked = _split_by_group(judgments, ranked_items)
    empty = ranked.nothing_relevant
    n_negative = int((judgments.label < 0).sum())
    stats = GroupStats(
        joined=joined,
        empty=tuple(ranked_items.queries[i] for i in np.flatnonzero(empty)),
        n_queries=ranked_items.n_queries,
        groups=Ids({name: None for _, name in judgments.groups.pairs}),
        n_groups=len(judgments.groups.pairs),
        negative=Count(n_negative, float(judgments.label.min()) if n_negative else None),
        n_judged_twice=judgments.n_duplicates,
        n_comments=judgments.n_comments,
    )
    if rules.empty == "skip" and empty.any():
        ranked = ranked.select(np.flatnonzero(~empty))
    return AlignedPart(ranked, stats, rows)


def _split_by_group(judgments: GroupedJudgments, ranked_items: JudgedRankings) -> GroupedRankings:
    """Return the hits of each item, in every group that judges it."""
    place = {query: i for i, query in enumerate(ranked_items.queries)}
    # Numbers among the queries that are left.
    last_first = _rank_ids_descending([item for _, item in judgments.items.pairs])
    item_query, item_of = _renumber(
        [place.get(q, -1) for q, _ in judgments.items.pairs], last_first
    )
    group_query, group_of = _renumber([place.get(q, -1) for q, _ in judgments.groups.pairs])
    item, group = item_of[judgments.items.number], group_of[judgments.groups.number]
    rows = np.flatnonzero(item >= 0)
    rows = rows[np.argsort(item[rows], kind="stable")]
    row_item, row_group, row_label = item[rows], group[rows], judgments.label[rows]
    hit_item = item_of[ranked_items.hit_label.astype(np.int64) - 1]
    names = [group for (q, group) in judgments.groups.pairs]
    order = np.argsort(np.where(group_of < 0, len(group_of), group_of), kind="stable")
    return GroupedRankings(
        queries=ranked_items.queries,
        n_retrieved=ranked_items.n_retrieved,
        group_offsets=ragged.offsets_from_owners(group_query, ranked_items.n_queries),
        groups=_rank_groups(
            tuple(names[i] for i in order[: len(group_query)]),
            group_query,
            ranked_items,
            hit_item,
            (row_item, row_group, row_label),
            len(item_query),
        ),
        item_offsets=ragged.offsets_from_owners(item_query, ranked_items.n_queries),
        hit_offsets=ranked_items.hit_offsets,
        hit_rank=ranked_items.hit_rank,
        hit_item=hit_item,
        row_item=row_item,
        row_group=row_group,
        row_label=row_label,
        average_ties=ranked_items.average_ties,
    )


def _rank_groups(
    names: tuple[str, ...],
    group_query: IntArray,
    ranked_items: JudgedRankings,
    hit_item: IntArray,
    rows: tuple[IntArray, IntArray, ragged.FloatArray],
    n_items: int,
) -> JudgedRankings:
    row_item, row_group, row_label = rows
    # Every hit appears once for each judgment of its item.
    row_offsets = ragged.offsets_from_owners(row_item, n_items)
    judged, hit_rows = ragged.take(row_offsets, hit_item)
    hit = ragged.find_owners(hit_rows)
    by_group = np.lexsort((ranked_items.hit_rank[hit], row_group[judged]))
    judged, hit = judged[by_group], hit[by_group]
    pool = np.lexsort((-row_label, row_group))
    return JudgedRankings(
        queries=names,
        n_retrieved=ranked_items.n_retrieved[group_query],
        hit_offsets=ragged.offsets_from_owners(row_group[judged], len(names)),
        hit_rank=ranked_items.hit_rank[hit],
        hit_label=row_label[judged],
        hit_tie_first=ranked_items.hit_tie_first[hit],
        hit_tie_size=ranked_items.hit_tie_size[hit],
        pool_offsets=ragged.offsets_from_owners(row_group[pool], len(names)),
        pool_label=row_label[pool],
        average_ties=ranked_items.average_ties,
    )


def _rank_ids_descending(ids: list[str]) -> IntArray:
    """Return the place of each id in descending byte order, by which ndeval breaks ties."""
    encoded = [item.encode("utf-8", "surrogateescape") for item in ids]
    order = sorted(range(len(ids)), key=encoded.__getitem__, reverse=True)
    place = np.empty(len(ids), dtype=np.int64)
    place[order] = np.arange(len(ids))
    return place


def _renumber(query: list[int], tie_break: IntArray | None = None) -> tuple[IntArray, IntArray]:
    """Number things by query; return the queries in that order, and each number, or -1.

    Within a query they keep their order, or are ordered by ``tie_break``.
    """
    owner = np.array(query, dtype=np.int64)
    order = (
        np.argsort(owner, kind="stable") if tie_break is None else np.lexsort((tie_break, owner))
    )
    order = order[owner[order] >= 0]
    number = np.full(len(owner), -1)
    number[order] = np.arange(len(order))
    return owner[order], number
