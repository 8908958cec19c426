"""Locate the unjudged items of a run that a measure looks at."""

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from gainful.alignment import (
    SINGLE_LABEL_RULES,
    Joined,
    JudgedRankings,
    align_numbered,
    refuse_rules,
    select_queries,
)
from gainful.base import (
    ENDLESS,
    BoolArray,
    FloatArray,
    IntArray,
    ReadOptions,
    ragged,
)
from gainful.diagnostics import Notice, check_joined_run, find_join_notices
from gainful.errors import AlignError
from gainful.evaluation import Collection
from gainful.measures import Formula
from gainful.sources import Run


@dataclass(frozen=True, eq=False)
class UnjudgedPlaces:
    """Places of the unjudged items of a run that would add to a sum if they had a gain.

    Attributes:
        query: The query of each, ascending.
        item: The number of each in ``ids``.
        rank: Its rank.
        tie_first: The first rank of the block of equal scores that it is in, where ties are
            averaged; else its rank.
        tie_size: The size of that block, or 1.
        weight: Contribution to the sum for each unit of gain.
        ids: The ids of items.
    """

    query: IntArray
    item: IntArray
    rank: IntArray
    tie_first: IntArray
    tie_size: IntArray
    weight: FloatArray
    ids: tuple[str, ...]

    def select(self, keep: IntArray) -> "UnjudgedPlaces":
        """Return the items with these numbers."""
        columns = ("query", "item", "rank", "tie_first", "tie_size", "weight")
        return replace(self, **{name: getattr(self, name)[keep] for name in columns})


@dataclass(frozen=True, eq=False)
class RunItems:
    """One run: its judged rankings, its unjudged items, and the queries that the rules keep."""

    name: str
    ranked: JudgedRankings
    places: UnjudgedPlaces
    is_included: BoolArray
    notices: tuple[Notice, ...]

    def select(self, keep: IntArray) -> "RunItems":
        """Return the run with some of the queries, given by number, ascending."""
        number = np.full(self.ranked.n_queries, -1)
        number[keep] = np.arange(len(keep))
        places = self.places.select(np.flatnonzero(number[self.places.query] >= 0))
        return replace(
            self,
            ranked=self.ranked.select(keep),
            places=replace(places, query=number[places.query]),
            is_included=self.is_included[keep],
        )


def locate_items(collection: Collection, run: Run, formula: Formula) -> RunItems:
    """Return the judged and unjudged items of a run, for all judged queries."""
    rules = collection.rules
    if rules.ties in ("best", "worst"):
        message = (
            f"ties={rules.ties} orders by label, but an unjudged item may get any. "
            "Pass another --ties, for example item-desc."
        )
        raise AlignError(message, code="refused-rule")
    unknown = {**SINGLE_LABEL_RULES, "empty": ("one-if-missing",)}
    refuse_rules(rules, unknown, "has no meaning where an unjudged item may get any label")
    depth = ENDLESS if formula.cutoff is None else min(formula.cutoff, ENDLESS)
    joined = collection.join(run, depth=depth)
    ranked = joined.ranked
    check_joined_run(joined)
    included = select_queries(joined)
    notices = tuple(find_join_notices(joined))
    if rules.ties == "average":
        places = locate_tied_items(collection, joined, formula)
    else:
        places = _locate_ranked(joined, formula, depth)
    return RunItems(run.name, ranked, places, _is_included(ranked, included), notices)


def _is_included(ranked: JudgedRankings, included: JudgedRankings) -> BoolArray:
    if included is ranked:
        return np.ones(ranked.n_queries, dtype=np.bool_)
    included_queries = set(included.queries)
    return np.fromiter(
        map(included_queries.__contains__, ranked.queries), np.bool_, ranked.n_queries
    )


def _locate_ranked(joined: Joined, formula: Formula, depth: int) -> UnjudgedPlaces:
    offsets, item, ids = joined.list_heads(depth)
    unjudged = np.flatnonzero(~find_judged_positions(joined.ranked, offsets))
    rank = ragged.find_positions(offsets)[unjudged]
    divisor = formula.discount.divisors(int(rank.max(initial=1)))
    return UnjudgedPlaces(
        query=ragged.find_owners(offsets)[unjudged],
        item=item[unjudged],
        rank=rank,
        tie_first=rank,
        tie_size=np.ones_like(rank),
        weight=1.0 / divisor[rank],
        ids=ids,
    )


def find_judged_positions(ranked: JudgedRankings, offsets: IntArray) -> BoolArray:
    """Return a flag for each of the first items of every query: True if it is judged."""
    judged = np.zeros(int(offsets[-1]), dtype=np.bool_)
    is_head = ranked.hit_rank <= np.diff(offsets)[ranked.hit_query]
    judged[offsets[:-1][ranked.hit_query[is_head]] + ranked.hit_rank[is_head] - 1] = True
    return judged


def number_items_alike(runs: list[RunItems]) -> list[RunItems]:
    """Return the runs with items numbered alike: an item has the same number in all of them."""
    ids = tuple(dict.fromkeys(chain.from_iterable(run_items.places.ids for run_items in runs)))
    number = dict(zip(ids, range(len(ids)), strict=True))
    renumbered = []
    for run_items in runs:
        names = run_items.places.ids
        numbers = np.fromiter(map(number.__getitem__, names), np.int64, len(names))
        places = replace(run_items.places, item=numbers[run_items.places.item], ids=ids)
        renumbered.append(replace(run_items, places=places))
    return renumbered


def locate_tied_items(collection: Collection, joined: Joined, formula: Formula) -> UnjudgedPlaces:
    """Return the unjudged items of all blocks of ties that begin above the last rank that counts.

    If ties are averaged, an item is at all ranks of its block, equally often. The native core
    returns the blocks of judged items only. So the run is joined again, with every item judged by a
    label that is its number.
    """
    # A tie that the depth cuts goes on below.
    endless, bottom = replace(joined.rules, depth=None), formula.bottom(joined.ranked)
    depth = max(int(bottom.max(initial=1)), 1)
    while True:
        joined = collection.join(joined.run, endless, depth=depth)
        if len(joined.ranked.hit_rank) == int(joined.ranked.n_retrieved.sum()):
            return _locate_tied(joined, joined.ranked, np.arange(0), formula, bottom)
        all_judged = _judge_all(joined, collection.read_options)
        last = all_judged.hit_tie_first + all_judged.hit_tie_size - 1
        counts = all_judged.hit_tie_first <= bottom[_find_query_numbers(all_judged, joined)]
        deepest = int(last[counts].max(initial=0))
        if deepest <= depth:
            return _locate_tied(joined, all_judged, np.flatnonzero(counts), formula, bottom)
        depth = deepest


def _judge_all(joined: Joined, read_options: ReadOptions) -> JudgedRankings:
    """Return the first items of every query as if judged, their labels being numbers from 1."""
    offsets, ids = joined.aligned.head_offsets, np.array(joined.aligned.items, dtype=object)
    names = np.array(joined.judgments.queries, dtype=object)[ragged.find_owners(offsets)]
    pairs = list(zip(names.tolist(), ids[joined.aligned.head_item].tolist(), strict=True))
    return align_numbered(pairs, joined.run, joined.rules, read_options, labels_of="item")[0]


def _find_query_numbers(all_judged: JudgedRankings, joined: Joined) -> IntArray:
    """Return the query of each hit, by its number in the qrels."""
    head = all_judged.hit_label.astype(np.int64) - 1
    return ragged.find_owners(joined.aligned.head_offsets)[head]


def _locate_tied(
    joined: Joined,
    all_judged: JudgedRankings,
    counting: IntArray,
    formula: Formula,
    bottom: IntArray,
) -> UnjudgedPlaces:
    offsets = joined.aligned.head_offsets
    head = all_judged.hit_label[counting].astype(np.int64) - 1
    judged = find_judged_positions(joined.ranked, offsets)
    order = np.argsort(head, kind="stable")
    order = order[~judged[head[order]]]
    counting, head = counting[order], head[order]
    first, size = all_judged.hit_tie_first[counting], all_judged.hit_tie_size[counting]
    query = ragged.find_owners(offsets)[head]
    last = np.minimum(first + size - 1, bottom[query])
    rank = ragged.find_positions(offsets)[head]
    single = 1.0 / formula.discount.divisors(int(rank.max(initial=1)))[rank]
    return UnjudgedPlaces(
        query=query,
        item=joined.aligned.head_item[head],
        rank=rank,
        tie_first=first,
        tie_size=size,
        weight=np.where(size > 1, formula.discount.weights(first, last) / size, single),
        ids=tuple(joined.aligned.items),
    )
