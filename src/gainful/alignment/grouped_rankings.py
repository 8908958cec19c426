"""Run and judgments in groups, joined: one ranking for every subtopic, or for every judge."""

import numpy as np

from gainful.alignment.join import READING, align_numbered
from gainful.alignment.join_stats import AlignedPart, Count, GroupStats, Ids
from gainful.alignment.rankings import GroupedRankings, JudgedRankings
from gainful.alignment.rules import Rules
from gainful.base import IntArray, Reading, ragged
from gainful.sources import GroupedJudgments, Run


def align_groups(
    judgments: GroupedJudgments, run: Run, rules: Rules, reading: Reading = READING
) -> AlignedPart[GroupedRankings, GroupStats]:
    """Rank the judged items of every query, for each of its groups.

    Queries are in the order of the qrels, groups of a query in the order in which they come.
    """
    pairs = judgments.items.pairs
    found, joined, rows = align_numbered(pairs, run, rules, reading, labels_of="subtopic")
    ranked = _split_by_group(judgments, found)
    empty = ranked.nothing_relevant
    n_negative = int((judgments.label < 0).sum())
    facts = GroupStats(
        joined=joined,
        empty=tuple(found.queries[i] for i in np.flatnonzero(empty)),
        n_queries=found.n_queries,
        groups=Ids({name: None for _, name in judgments.groups.pairs}),
        n_groups=len(judgments.groups.pairs),
        negative=Count(n_negative, float(judgments.label.min()) if n_negative else None),
        n_judged_twice=judgments.n_duplicates,
        n_comments=judgments.n_comments,
    )
    if rules.empty == "skip" and empty.any():
        ranked = ranked.select(np.flatnonzero(~empty))
    return AlignedPart(ranked, facts, rows)


def _split_by_group(judgments: GroupedJudgments, found: JudgedRankings) -> GroupedRankings:
    """The hits of each item, in every group that judges it."""
    place = {query: i for i, query in enumerate(found.queries)}
    # Numbers as they are among the queries that are left.
    last_first = _rank_ids_descending([item for _, item in judgments.items.pairs])
    item_query, item_of = _renumber(
        [place.get(q, -1) for q, _ in judgments.items.pairs], last_first
    )
    group_query, group_of = _renumber([place.get(q, -1) for q, _ in judgments.groups.pairs])
    item, group = item_of[judgments.items.number], group_of[judgments.groups.number]
    rows = np.flatnonzero(item >= 0)
    rows = rows[np.argsort(item[rows], kind="stable")]
    row_item, row_group, row_label = item[rows], group[rows], judgments.label[rows]
    hit_item = item_of[found.hit_label.astype(np.int64) - 1]
    names = [group for (q, group) in judgments.groups.pairs]
    order = np.argsort(np.where(group_of < 0, len(group_of), group_of), kind="stable")
    return GroupedRankings(
        queries=found.queries,
        n_retrieved=found.n_retrieved,
        group_offsets=_offsets(group_query, found.n_queries),
        groups=_rank_groups(
            tuple(names[i] for i in order[: len(group_query)]),
            group_query,
            found,
            hit_item,
            (row_item, row_group, row_label),
            len(item_query),
        ),
        item_offsets=_offsets(item_query, found.n_queries),
        hit_offsets=found.hit_offsets,
        hit_rank=found.hit_rank,
        hit_item=hit_item,
        row_item=row_item,
        row_group=row_group,
        row_label=row_label,
        average_ties=found.average_ties,
    )


def _rank_groups(
    names: tuple[str, ...],
    group_query: IntArray,
    found: JudgedRankings,
    hit_item: IntArray,
    rows: tuple[IntArray, IntArray, ragged.FloatArray],
    n_items: int,
) -> JudgedRankings:
    row_item, row_group, row_label = rows
    # Every hit stands once for each judgment of its item.
    row_offsets = _offsets(row_item, n_items)
    judged, hit_rows = ragged.take(row_offsets, hit_item)
    hit = ragged.owners(hit_rows)
    by_group = np.lexsort((found.hit_rank[hit], row_group[judged]))
    judged, hit = judged[by_group], hit[by_group]
    pool = np.lexsort((-row_label, row_group))
    return JudgedRankings(
        queries=names,
        n_retrieved=found.n_retrieved[group_query],
        hit_offsets=_offsets(row_group[judged], len(names)),
        hit_rank=found.hit_rank[hit],
        hit_label=row_label[judged],
        hit_tie_first=found.hit_tie_first[hit],
        hit_tie_size=found.hit_tie_size[hit],
        pool_offsets=_offsets(row_group[pool], len(names)),
        pool_label=row_label[pool],
        average_ties=found.average_ties,
    )


def _rank_ids_descending(ids: list[str]) -> IntArray:
    """The place of each id in descending byte order: how ndeval chooses between equals."""
    written = [one.encode("utf-8", "surrogateescape") for one in ids]
    order = sorted(range(len(ids)), key=written.__getitem__, reverse=True)
    place = np.empty(len(ids), dtype=np.int64)
    place[order] = np.arange(len(ids))
    return place


def _renumber(query: list[int], then: IntArray | None = None) -> tuple[IntArray, IntArray]:
    """Things by query: the query of each that has one, and each thing's place among them, or -1.

    Within a query they stand as they come, or as ``then`` says.
    """
    owner = np.array(query, dtype=np.int64)
    order = np.argsort(owner, kind="stable") if then is None else np.lexsort((then, owner))
    order = order[owner[order] >= 0]
    number = np.full(len(owner), -1)
    number[order] = np.arange(len(order))
    return owner[order], number


def _offsets(owner: IntArray, count: int) -> IntArray:
    """Where each owner's elements begin; they ascend."""
    return np.searchsorted(owner, np.arange(count + 1))
