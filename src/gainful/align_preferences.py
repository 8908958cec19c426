"""Run and preferences, joined: how many preferences of every group the ranking fulfils."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gainful import ragged
from gainful.about_joins import Parties, about_read, parties
from gainful.align import READING, check_left, part_numbered, said_of_numbered
from gainful.errors import AlignError, PreferenceError
from gainful.facts import NEVER, GroupFacts, Ids
from gainful.notices import NoPreferences, Notice, UnjudgedItems
from gainful.preference_rankings import GROUP_COUNTS, QUERY_COUNTS, PreferenceRankings
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.sources import Handed, PreferenceJudgments, Reading, Run


def align_preferences(
    judgments: PreferenceJudgments,
    run: Run,
    rules: Rules,
    reading: Reading = READING,
    *,
    refused: dict[str, PreferenceError] | None = None,
) -> tuple[PreferenceRankings, tuple[Notice, ...]]:
    """How many preferences of every judged query the run fulfils.

    Queries stand in the order of the judgments, groups of a query in the order of their names, as
    in trec_eval. It breaks ties by ``item-asc`` here, though by ``item-desc`` for other measures.
    Preferences that contradict each other are an error, unless ``refused`` collects the errors:
    their queries then have none.
    """
    ranked, facts, handed = part_preferences(judgments, run, rules, reading, refused=refused)
    return ranked, said_of_preferences(facts, parties(judgments, run, handed), rules)


def part_preferences(
    judgments: PreferenceJudgments,
    run: Run,
    rules: Rules,
    reading: Reading = READING,
    *,
    refused: dict[str, PreferenceError] | None = None,
) -> tuple[PreferenceRankings, GroupFacts, Handed]:
    """The same for a part of the queries, which may be none: rankings, facts, the rows' names."""
    pairs = judgments.items.pairs
    found, joined, handed = part_numbered(pairs, run, rules, reading, labels_of="group")
    ranked = _counted(judgments, found, refused)
    empty = ranked.nothing_relevant
    facts = GroupFacts(
        joined=joined,
        empty=tuple(found.queries[i] for i in np.flatnonzero(empty)),
        n_queries=found.n_queries,
        groups=Ids(),
        n_groups=0,
        negative=NEVER,
        n_judged_twice=judgments.n_duplicates,
        n_comments=judgments.n_comments,
    )
    if rules.empty == "skip" and empty.any():
        ranked = ranked.select(np.flatnonzero(~empty))
    return ranked, facts, handed


def said_of_preferences(facts: GroupFacts, who: Parties, rules: Rules) -> tuple[Notice, ...]:
    """What is odd, by the facts; an error where the rules want one, or where no query is shared."""
    notices = said_of_numbered(facts.joined, who, rules)
    # Unjudged items take part in no preference.
    heard = [notice for notice in notices if not isinstance(notice, UnjudgedItems)]
    return (*heard, *_about(facts, who, rules))


def _about(facts: GroupFacts, who: Parties, rules: Rules) -> Iterator[Notice]:
    if facts.empty:
        if rules.empty == "error":
            query = facts.empty[0]
            message = f"no item is preferred to another for query {query!r}, got empty=error."
            raise AlignError(message, query=query, code="refused-empty")
        if rules.empty == "skip":
            check_left(facts.n_queries - len(facts.empty), rules)
        yield NoPreferences(facts.empty, facts.n_queries, rules.empty)
    yield from about_read(facts, who)


class _Places(NamedTuple):
    """The query of each judged item, or -1, its place there, and how many the query has.

    Retrieved items come first, in the order of the ranking; the others follow by their ids.
    """

    query: IntArray
    place: IntArray
    n_judged: IntArray


class _Group(NamedTuple):
    """The judgments of one group: subgroup, place and level of each, and what to call them."""

    subgroup: IntArray
    place: IntArray
    level: FloatArray
    row: IntArray
    judgments: PreferenceJudgments


def _counted(
    judgments: PreferenceJudgments,
    found: JudgedRankings,
    refused: dict[str, PreferenceError] | None,
) -> PreferenceRankings:
    places = _places(judgments, found)
    item, n_groups = judgments.items.number, []
    query, place = places.query[item], places.place[item]
    group, subgroup = _numbers(judgments.group), _numbers(judgments.subgroup)
    rows = np.lexsort((subgroup, group, query))
    rows = rows[query[rows] >= 0]
    n_hits = np.diff(found.hit_offsets)
    of_group: list[tuple[int, ...]] = []
    of_query: list[tuple[float, ...]] = []
    for rows_of_query, number in _runs(rows, query):
        n_found = int(n_hits[number])
        agreed = np.zeros((int(places.n_judged[number]),) * 2, dtype=np.int64)
        before = len(of_group)
        try:
            for chosen, _ in _runs(rows_of_query, group):
                one = _Group(
                    subgroup[chosen], place[chosen], judgments.level[chosen], chosen, judgments
                )
                of_group.append(_group_counts(one, n_found, agreed))
        except PreferenceError as error:
            if refused is None:
                raise
            refused[error.query] = error
            of_group[before:] = [(0,) * len(GROUP_COUNTS)]
        n_groups.append(len(of_group) - before)
        of_query.append(_pair_counts(agreed, n_found))
    of_groups = np.array(of_group, dtype=np.int64).reshape(-1, len(GROUP_COUNTS))
    of_queries = np.array(of_query, dtype=np.float64).reshape(-1, len(QUERY_COUNTS))
    counts: dict[str, Any] = dict(zip(GROUP_COUNTS, of_groups.T, strict=True))
    shares: dict[str, Any] = dict(zip(QUERY_COUNTS, of_queries.T, strict=True))
    return PreferenceRankings(
        queries=found.queries,
        n_retrieved=found.n_retrieved,
        group_offsets=np.cumsum([0, *n_groups]),
        average_ties=found.average_ties,
        **counts,
        **shares,
    )


def _places(judgments: PreferenceJudgments, found: JudgedRankings) -> _Places:
    number_of = {query: i for i, query in enumerate(found.queries)}
    pairs = judgments.items.pairs
    query = np.array([number_of.get(query, -1) for query, _ in pairs], dtype=np.int64)
    rank = np.full(len(pairs), ragged.ENDLESS)
    rank[found.hit_label.astype(np.int64) - 1] = found.hit_rank
    order = np.lexsort((_numbers([item for _, item in pairs]), rank, query))
    start, block = ragged.blocks(query[order], np.zeros(len(order), dtype=np.int64))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - start[block]
    return _Places(query, place, np.bincount(query[query >= 0], minlength=found.n_queries))


def _numbers(names: list[str]) -> IntArray:
    """The number of each name among the distinct ones, in the order of their bytes."""
    distinct = sorted(set(names), key=lambda name: name.encode("utf-8", "surrogateescape"))
    number = {name: i for i, name in enumerate(distinct)}
    return np.array([number[name] for name in names], dtype=np.int64)


def _runs(rows: IntArray, owner: IntArray) -> list[tuple[IntArray, int]]:
    """The rows of each owner, given in the order of their owners, and the owner."""
    if not len(rows):
        return []
    start = np.flatnonzero(np.diff(owner[rows], prepend=-1))
    return [(part, int(owner[part[0]])) for part in np.split(rows, start[1:])]


def _group_counts(group: _Group, n_found: int, agreed: IntArray) -> tuple[int, ...]:
    """The counts of one group, as they stand in GROUP_COUNTS; its preferences go to ``agreed``."""
    items, local = np.unique(group.place, return_inverse=True)
    cut = int(np.searchsorted(items, n_found))
    split = bool(group.subgroup[0] != group.subgroup[-1])
    prefers, level = _preferences(group, local.reshape(-1), len(items))
    if split:
        prefers = _closed(prefers)
        _refuse_contradiction(group, items, prefers)
    if len(items) == len(agreed):
        agreed += prefers  # much faster than by number
    else:
        agreed[np.ix_(items, items)] += prefers
    fulfilled, possible = _tally(prefers, cut)
    fulfilled_retrieved, possible_retrieved = _tally(prefers[:cut, :cut], cut)
    seen = possible - _number(prefers[cut:, cut:])
    return (
        *(fulfilled, fulfilled_retrieved, possible, seen, possible_retrieved),
        *_balanced(prefers, level, cut, len(items), split=split),
        *_balanced(prefers, level, cut, cut, split=split),
    )


def _balanced(
    prefers: BoolArray, level: FloatArray, cut: int, end: int, *, split: bool
) -> tuple[int, int]:
    """The tally of the items before ``end``, with as many non-relevant as relevant ones."""
    relevant, other = level > 0, level == 0 if split else level <= 0
    n_relevant, n_other = _number(relevant[:end]), _number(other[:end])
    if n_relevant < n_other:
        # Not of the retrieved ones alone, if the group is split: so does trec_eval.
        limit = _number(relevant) if split else n_relevant
        return _tally(_with_few(prefers, level, limit, split=split)[:end, :end], cut)
    fulfilled, possible = _tally(prefers[:end, :end], cut)
    # Items that nobody judged make up the number: every relevant item is preferred to them.
    missing = n_relevant - n_other
    return fulfilled + _number(relevant[:cut]) * missing, possible + _number(relevant) * missing


def _preferences(group: _Group, local: IntArray, n_items: int) -> tuple[BoolArray, FloatArray]:
    """Which item is preferred to which, as stated, and the last level that each item has."""
    level = np.zeros(n_items)
    level[local] = group.level  # the last subgroup's, its rows being last
    if group.subgroup[0] == group.subgroup[-1]:
        return level[:, np.newaxis] > level, level
    same = group.subgroup[:, np.newaxis] == group.subgroup
    above, below = np.nonzero(same & (group.level[:, np.newaxis] > group.level))
    prefers = np.zeros((n_items, n_items), dtype=np.bool_)
    prefers[local[above], local[below]] = True
    return prefers, level


def _closed(prefers: BoolArray) -> BoolArray:
    """With all that follows: who prefers a to b and b to c prefers a to c."""
    while True:
        steps = prefers.astype(np.float32)
        further: BoolArray = prefers | (steps @ steps > 0)
        if np.array_equal(further, prefers):
            return prefers
        prefers = further


def _refuse_contradiction(group: _Group, items: IntArray, prefers: BoolArray) -> None:
    judgments = group.judgments
    # In the order in which trec_eval meets them, so that the first it finds is ours too.
    met = np.lexsort((group.place, -group.level, group.subgroup))
    order = met[np.argsort(group.place[met], kind="stable")]
    place, level = group.place[order], group.level[order]
    again = place[1:] == place[:-1]
    rises = (level[:-1] == 0) & (level[1:] > 0)
    falls = (level[:-1] > 0) & (level[1:] == 0)
    mixed = order[1:][again & (rises | falls)]
    query = judgments.query[group.row[0]]
    where = f"{judgments.name}: query {query!r}"
    name = judgments.group[group.row[0]]
    if len(mixed):
        first = min(mixed.tolist(), key=met.tolist().index)
        item = judgments.item[group.row[first]]
        message = f"{where} item {item!r} has level 0 and a level above 0 in group {name!r}."
        raise PreferenceError(message, query=query, item=item, code="contradicting-preferences")
    both = np.argwhere(prefers & prefers.T & ~np.eye(len(prefers), dtype=np.bool_))
    if len(both):
        first, second = (
            judgments.item[group.row[int((group.place == items[i]).argmax())]] for i in both[0]
        )
        message = (
            f"{where} item {first!r} is preferred to {second!r} and {second!r} to {first!r} "
            f"in group {name!r}."
        )
        raise PreferenceError(
            message,
            query=query,
            places=tuple(items[both[0]].tolist()),
            code="contradicting-preferences",
        )


def _tally(prefers: BoolArray, n_found: int) -> tuple[int, int]:
    """How many preferences are fulfilled, and how many there are."""
    return _number(np.triu(prefers[:n_found], 1)), _number(prefers)


def _number(chosen: BoolArray) -> int:
    return int(np.count_nonzero(chosen))


def _with_few(prefers: BoolArray, level: FloatArray, limit: int, *, split: bool) -> BoolArray:
    """What is counted when only so many non-relevant items are to count, the first of them."""
    lowest = level == (0 if split else level.min())
    kept = lowest & (np.cumsum(lowest) <= limit)
    left = ~lowest | kept
    # As in trec_eval: if the group is not split, every item, the lowest ones too and even itself,
    # is preferred to those kept.
    counted: BoolArray = prefers & left & left[:, np.newaxis] if split else prefers & ~lowest | kept
    return counted


def _pair_counts(agreed: IntArray, n_found: int) -> tuple[float, ...]:
    """The counts of one query's pairs, as they stand in QUERY_COUNTS."""
    both = agreed + agreed.T
    retrieved = np.triu(both[:n_found, :n_found] > 0, 1)
    half_seen = both[:n_found, n_found:] > 0
    unseen = np.triu(both[n_found:, n_found:] > 0, 1)
    share_retrieved = agreed[:n_found, :n_found][retrieved] / both[:n_found, :n_found][retrieved]
    share_half = agreed[:n_found, n_found:][half_seen] / both[:n_found, n_found:][half_seen]
    seen = len(share_retrieved) + len(share_half)
    return (
        seen + _number(unseen),
        seen,
        len(share_retrieved),
        _added(np.concatenate([share_retrieved, share_half])),
        _added(share_retrieved),
    )


def _added(values: FloatArray) -> float:
    return float(ragged.sums(values, np.zeros(len(values), dtype=np.int64), 1)[0])
