"""Run and preferences, joined: how many preferences of every group the ranking fulfills."""

from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Self

import numpy as np

from gainful.alignment.join import READING, align_numbered
from gainful.alignment.join_stats import ZERO, AlignedPart, GroupStats, Ids
from gainful.alignment.rankings import JudgedRankings, Rankings
from gainful.alignment.rules import Rules
from gainful.base import BoolArray, FloatArray, IntArray, ReadOptions, cached_property, ragged
from gainful.errors import PreferenceError
from gainful.sources import PreferenceJudgments, Run


@dataclass(frozen=True, eq=False)
class PreferenceRankings(Rankings):
    """Numbers of the preferences that judges state, and of those that a ranking fulfills.

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
        return ragged.find_owners(self.group_offsets)

    @cached_property
    def n_groups(self) -> IntArray:
        """Number of groups of each query."""
        return np.diff(self.group_offsets)

    @cached_property
    def nothing_relevant(self) -> BoolArray:
        """True for each query where no group prefers any item to another."""
        return np.equal(self.total(self.possible), 0)

    def total(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """Return the sum, for each query, of one value per group, added in order of their names."""
        return ragged.sum_by_query(values, self.group_query, self.n_queries)

    def select(self, keep: IntArray) -> Self:
        """Return the rankings of some of the queries, given by number."""
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


def align_preferences(
    judgments: PreferenceJudgments,
    run: Run,
    rules: Rules,
    read_options: ReadOptions = READING,
    *,
    errors: dict[str, PreferenceError] | None = None,
) -> AlignedPart[PreferenceRankings, GroupStats]:
    """Count the preferences of every judged query that the run fulfills.

    Queries are in the order of the judgments, groups of a query in the order of their names, as in
    trec_eval. It breaks ties by ``item-asc`` here, though by ``item-desc`` for other measures.
    Preferences that contradict each other are an error, unless ``errors`` collects them:
    their queries then have none.
    """
    pairs = judgments.items.pairs
    ranked_items, joined, rows = align_numbered(pairs, run, rules, read_options, labels_of="group")
    ranked = _count_preferences(judgments, ranked_items, errors)
    empty = ranked.nothing_relevant
    stats = GroupStats(
        joined=joined,
        empty=tuple(ranked_items.queries[i] for i in np.flatnonzero(empty)),
        n_queries=ranked_items.n_queries,
        groups=Ids(),
        n_groups=0,
        negative=ZERO,
        n_judged_twice=judgments.n_duplicates,
        n_comments=judgments.n_comments,
    )
    if rules.empty == "skip" and empty.any():
        ranked = ranked.select(np.flatnonzero(~empty))
    return AlignedPart(ranked, stats, rows)


class _Places(NamedTuple):
    """The query of each judged item, or -1, its place there, and how many the query has.

    Retrieved items come first, in the order of the ranking; the others follow by their ids.
    """

    query: IntArray
    place: IntArray
    n_judged: IntArray


class _Group(NamedTuple):
    """The judgments of one group: subgroup, place, level and row of each."""

    subgroup: IntArray
    place: IntArray
    level: FloatArray
    row: IntArray
    judgments: PreferenceJudgments


def _count_preferences(
    judgments: PreferenceJudgments,
    ranked_items: JudgedRankings,
    errors: dict[str, PreferenceError] | None,
) -> PreferenceRankings:
    places = _place_items(judgments, ranked_items)
    item, n_groups = judgments.items.number, []
    query, place = places.query[item], places.place[item]
    group, subgroup = _number_values(judgments.group), _number_values(judgments.subgroup)
    rows = np.lexsort((subgroup, group, query))
    rows = rows[query[rows] >= 0]
    n_hits = np.diff(ranked_items.hit_offsets)
    group_rows: list[tuple[int, ...]] = []
    query_rows: list[tuple[float, ...]] = []
    for rows_of_query, number in _split_runs(rows, query):
        n_found = int(n_hits[number])
        n_agreeing = np.zeros((int(places.n_judged[number]),) * 2, dtype=np.int64)
        before = len(group_rows)
        try:
            for chosen, _ in _split_runs(rows_of_query, group):
                judged_group = _Group(
                    subgroup[chosen], place[chosen], judgments.level[chosen], chosen, judgments
                )
                group_rows.append(_count_group(judged_group, n_found, n_agreeing))
        except PreferenceError as error:
            if errors is None:
                raise
            errors[error.query] = error
            group_rows[before:] = [(0,) * len(GROUP_COUNTS)]
        n_groups.append(len(group_rows) - before)
        query_rows.append(_count_pairs(n_agreeing, n_found))
    group_table = np.array(group_rows, dtype=np.int64).reshape(-1, len(GROUP_COUNTS))
    query_table = np.array(query_rows, dtype=np.float64).reshape(-1, len(QUERY_COUNTS))
    counts: dict[str, Any] = dict(zip(GROUP_COUNTS, group_table.T, strict=True))
    shares: dict[str, Any] = dict(zip(QUERY_COUNTS, query_table.T, strict=True))
    return PreferenceRankings(
        queries=ranked_items.queries,
        n_retrieved=ranked_items.n_retrieved,
        group_offsets=ragged.offsets_from_sizes(n_groups),
        average_ties=ranked_items.average_ties,
        **counts,
        **shares,
    )


def _place_items(judgments: PreferenceJudgments, ranked_items: JudgedRankings) -> _Places:
    number_of = {query: i for i, query in enumerate(ranked_items.queries)}
    pairs = judgments.items.pairs
    query = np.array([number_of.get(query, -1) for query, _ in pairs], dtype=np.int64)
    rank = np.full(len(pairs), ragged.ENDLESS)
    rank[ranked_items.hit_label.astype(np.int64) - 1] = ranked_items.hit_rank
    order = np.lexsort((_number_values([item for _, item in pairs]), rank, query))
    start, block = ragged.group_equal(query[order], np.zeros(len(order), dtype=np.int64))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - start[block]
    return _Places(query, place, np.bincount(query[query >= 0], minlength=ranked_items.n_queries))


def _number_values(names: list[str]) -> IntArray:
    """Return the number of each name among the distinct names, in the order of their bytes."""
    distinct = sorted(set(names), key=lambda name: name.encode("utf-8", "surrogateescape"))
    number = {name: i for i, name in enumerate(distinct)}
    return np.array([number[name] for name in names], dtype=np.int64)


def _split_runs(rows: IntArray, owner: IntArray) -> list[tuple[IntArray, int]]:
    """Return the rows of each owner, and the owner; rows are in the order of their owners."""
    if not len(rows):
        return []
    start = np.flatnonzero(np.diff(owner[rows], prepend=-1))
    return [(part, int(owner[part[0]])) for part in np.split(rows, start[1:])]


def _count_group(group: _Group, n_found: int, n_agreeing: IntArray) -> tuple[int, ...]:
    """Return the GROUP_COUNTS of one group, and add its preferences to ``n_agreeing``."""
    items, local = np.unique(group.place, return_inverse=True)
    cut = int(np.searchsorted(items, n_found))
    split = bool(group.subgroup[0] != group.subgroup[-1])
    prefers, level = _find_preferences(group, local.reshape(-1), len(items))
    if split:
        prefers = _close_transitively(prefers)
        _refuse_contradiction(group, items, prefers)
    if len(items) == len(n_agreeing):
        n_agreeing += prefers  # much faster than by number
    else:
        n_agreeing[np.ix_(items, items)] += prefers
    fulfilled, possible = _count_fulfilled(prefers, cut)
    fulfilled_retrieved, possible_retrieved = _count_fulfilled(prefers[:cut, :cut], cut)
    n_possible_seen = possible - _count_true(prefers[cut:, cut:])
    return (
        *(fulfilled, fulfilled_retrieved, possible, n_possible_seen, possible_retrieved),
        *_count_balanced(prefers, level, cut, len(items), split=split),
        *_count_balanced(prefers, level, cut, cut, split=split),
    )


def _count_balanced(
    prefers: BoolArray, level: FloatArray, cut: int, end: int, *, split: bool
) -> tuple[int, int]:
    """Count preferences of the items before ``end``, as many non-relevant as relevant ones."""
    relevant, other = level > 0, level == 0 if split else level <= 0
    n_relevant, n_other = _count_true(relevant[:end]), _count_true(other[:end])
    if n_relevant < n_other:
        # Not of the retrieved ones alone, if the group is split: so does trec_eval.
        limit = _count_true(relevant) if split else n_relevant
        return _count_fulfilled(_limit_lowest(prefers, level, limit, split=split)[:end, :end], cut)
    fulfilled, possible = _count_fulfilled(prefers[:end, :end], cut)
    # Unjudged items make up the number: every relevant item is preferred to them.
    missing = n_relevant - n_other
    return fulfilled + _count_true(relevant[:cut]) * missing, possible + _count_true(
        relevant
    ) * missing


def _find_preferences(group: _Group, local: IntArray, n_items: int) -> tuple[BoolArray, FloatArray]:
    """Return the stated preferences as a matrix, and the last level of each item."""
    level = np.zeros(n_items)
    level[local] = group.level  # the last subgroup's, its rows being last
    if group.subgroup[0] == group.subgroup[-1]:
        return level[:, np.newaxis] > level, level
    same = group.subgroup[:, np.newaxis] == group.subgroup
    above, below = np.nonzero(same & (group.level[:, np.newaxis] > group.level))
    prefers = np.zeros((n_items, n_items), dtype=np.bool_)
    prefers[local[above], local[below]] = True
    return prefers, level


def _close_transitively(prefers: BoolArray) -> BoolArray:
    """Add the preferences that follow: a over b and b over c make a over c."""
    while True:
        steps = prefers.astype(np.float32)
        further: BoolArray = prefers | (steps @ steps > 0)
        if np.array_equal(further, prefers):
            return prefers
        prefers = further


def _refuse_contradiction(group: _Group, items: IntArray, prefers: BoolArray) -> None:
    judgments = group.judgments
    # In the order of trec_eval, so that the error is about the same item.
    trec_eval_order = np.lexsort((group.place, -group.level, group.subgroup))
    order = trec_eval_order[np.argsort(group.place[trec_eval_order], kind="stable")]
    place, level = group.place[order], group.level[order]
    is_repeat = place[1:] == place[:-1]
    rises = (level[:-1] == 0) & (level[1:] > 0)
    falls = (level[:-1] > 0) & (level[1:] == 0)
    contradicted = order[1:][is_repeat & (rises | falls)]
    query = judgments.query[group.row[0]]
    where = f"{judgments.name}: query {query!r}"
    name = judgments.group[group.row[0]]
    if len(contradicted):
        first = min(contradicted.tolist(), key=trec_eval_order.tolist().index)
        item = judgments.item[group.row[first]]
        message = f"{where} item {item!r} has level 0 and a level above 0 in group {name!r}."
        raise PreferenceError(message, query=query, item=item, code="contradicting-preferences")
    contradictions = np.argwhere(prefers & prefers.T & ~np.eye(len(prefers), dtype=np.bool_))
    if len(contradictions):
        first, second = (
            judgments.item[group.row[int((group.place == items[i]).argmax())]]
            for i in contradictions[0]
        )
        message = (
            f"{where} item {first!r} is preferred to {second!r} and {second!r} to {first!r} "
            f"in group {name!r}."
        )
        raise PreferenceError(
            message,
            query=query,
            places=tuple(items[contradictions[0]].tolist()),
            code="contradicting-preferences",
        )


def _count_fulfilled(prefers: BoolArray, n_found: int) -> tuple[int, int]:
    """Return the number of fulfilled preferences, and of all."""
    return _count_true(np.triu(prefers[:n_found], 1)), _count_true(prefers)


def _count_true(chosen: BoolArray) -> int:
    return int(np.count_nonzero(chosen))


def _limit_lowest(prefers: BoolArray, level: FloatArray, limit: int, *, split: bool) -> BoolArray:
    """Return the preferences that count if only the first ``limit`` non-relevant items do."""
    lowest = level == (0 if split else level.min())
    is_kept = lowest & (np.cumsum(lowest) <= limit)
    remains = ~lowest | is_kept
    # As in trec_eval: if the group is not split, every item, the lowest ones too and even itself,
    # is preferred to those kept.
    counted: BoolArray = (
        prefers & remains & remains[:, np.newaxis] if split else prefers & ~lowest | is_kept
    )
    return counted


def _count_pairs(n_agreeing: IntArray, n_found: int) -> tuple[float, ...]:
    """Return the QUERY_COUNTS of the pairs of one query."""
    n_ordering = n_agreeing + n_agreeing.T
    retrieved = np.triu(n_ordering[:n_found, :n_found] > 0, 1)
    half_seen = n_ordering[:n_found, n_found:] > 0
    unseen = np.triu(n_ordering[n_found:, n_found:] > 0, 1)
    share_retrieved = (
        n_agreeing[:n_found, :n_found][retrieved] / n_ordering[:n_found, :n_found][retrieved]
    )
    share_half = (
        n_agreeing[:n_found, n_found:][half_seen] / n_ordering[:n_found, n_found:][half_seen]
    )
    n_pairs_seen = len(share_retrieved) + len(share_half)
    return (
        n_pairs_seen + _count_true(unseen),
        n_pairs_seen,
        len(share_retrieved),
        _add_values(np.concatenate([share_retrieved, share_half])),
        _add_values(share_retrieved),
    )


def _add_values(values: FloatArray) -> float:
    return float(ragged.sum_by_query(values, np.zeros(len(values), dtype=np.int64), 1)[0])
