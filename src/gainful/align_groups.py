"""Run and judgments in groups, joined: one ranking for every subtopic, or for every judge."""

from collections.abc import Iterator

import numpy as np

from gainful import ragged
from gainful.about_joins import Parties, about_read, parties
from gainful.align import READING, check_left, part_numbered, said_of_numbered
from gainful.errors import AlignError
from gainful.facts import GroupFacts, Ids, Seen
from gainful.notices import EmptyQueries, NegativeLabels, Notice, OneSubtopic
from gainful.ragged import IntArray
from gainful.rankings import GroupedRankings, JudgedRankings
from gainful.rules import Rules
from gainful.sources import GroupedJudgments, Handed, Reading, Run


def align_groups(
    judgments: GroupedJudgments, run: Run, rules: Rules, reading: Reading = READING
) -> tuple[GroupedRankings, tuple[Notice, ...]]:
    """Where the judged items of every query ended up, for each of its groups.

    Queries stand in the order of the qrels, groups of a query in the order in which they come.
    """
    ranked, facts, handed = part_groups(judgments, run, rules, reading)
    return ranked, said_of_groups(facts, parties(judgments, run, handed), rules)


def part_groups(
    judgments: GroupedJudgments, run: Run, rules: Rules, reading: Reading = READING
) -> tuple[GroupedRankings, GroupFacts, Handed]:
    """The same for a part of the queries, which may be none: rankings, facts, the rows' names."""
    pairs = judgments.items.pairs
    found, joined, handed = part_numbered(pairs, run, rules, reading, labels_of="subtopic")
    ranked = _spread(judgments, found)
    empty = ranked.nothing_relevant
    n_negative = int((judgments.label < 0).sum())
    facts = GroupFacts(
        joined=joined,
        empty=tuple(found.queries[i] for i in np.flatnonzero(empty)),
        n_queries=found.n_queries,
        groups=Ids({name: None for _, name in judgments.groups.pairs}),
        n_groups=len(judgments.groups.pairs),
        negative=Seen(n_negative, float(judgments.label.min()) if n_negative else None),
        n_judged_twice=judgments.n_duplicates,
        n_comments=judgments.n_comments,
    )
    if rules.empty == "skip" and empty.any():
        ranked = ranked.select(np.flatnonzero(~empty))
    return ranked, facts, handed


def said_of_groups(facts: GroupFacts, who: Parties, rules: Rules) -> tuple[Notice, ...]:
    """What is odd, by the facts; an error where the rules want one, or where no query is shared."""
    return (*said_of_numbered(facts.joined, who, rules), *_about(facts, who, rules))


def _about(facts: GroupFacts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if facts.empty:
        if rules.empty == "error":
            query = facts.empty[0]
            message = f"nothing is relevant for query {query!r}, got empty=error."
            raise AlignError(message, query=query, code="refused-empty")
        if rules.empty == "skip":
            check_left(facts.n_queries - len(facts.empty), rules)
        yield EmptyQueries(facts.empty, facts.n_queries, rules.empty)
    if len(facts.groups) == 1 and facts.n_groups > 1:
        yield OneSubtopic(*facts.groups)
    if facts.negative.times:
        yield NegativeLabels(*facts.negative)
    yield from about_read(facts, who)


def _spread(judgments: GroupedJudgments, found: JudgedRankings) -> GroupedRankings:
    """The hits of each item, in every group that judges it."""
    place = {query: i for i, query in enumerate(found.queries)}
    # Numbers as they are among the queries that are left.
    last_first = _by_id_descending([item for _, item in judgments.items.pairs])
    item_query, item_of = _renumbered(
        [place.get(q, -1) for q, _ in judgments.items.pairs], last_first
    )
    group_query, group_of = _renumbered([place.get(q, -1) for q, _ in judgments.groups.pairs])
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
        groups=_groups(
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


def _groups(
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


def _by_id_descending(ids: list[str]) -> IntArray:
    """The place of each id in descending byte order: how ndeval chooses between equals."""
    written = [one.encode("utf-8", "surrogateescape") for one in ids]
    order = sorted(range(len(ids)), key=written.__getitem__, reverse=True)
    place = np.empty(len(ids), dtype=np.int64)
    place[order] = np.arange(len(ids))
    return place


def _renumbered(query: list[int], then: IntArray | None = None) -> tuple[IntArray, IntArray]:
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
