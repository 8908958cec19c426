"""Where unjudged items stand if ties are averaged: on all ranks of their block, equally often.

The native core tells the blocks of judged items only. So all items are taken for judged, each by a
number of its own, and the run is read again.
"""

from dataclasses import replace

import numpy as np

from gainful import ragged
from gainful.align import join, part_numbered
from gainful.joined import Joined
from gainful.measures import Formula
from gainful.ragged import IntArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.sources import Judgments, Reading, Run
from gainful.unjudged.places import Places, judged_heads


def tied_places(
    judgments: Judgments,
    run: Run,
    formula: Formula,
    rules: Rules,
    reading: Reading,
    ranked: JudgedRankings,
) -> Places:
    """The unjudged items of all blocks that begin above the last rank that counts."""
    # A tie that the depth cuts goes on below.
    endless, bottom = replace(rules, depth=None), formula.bottom(ranked)
    heads = max(int(bottom.max(initial=1)), 1)
    while True:
        joined = join(judgments, run, endless, reading, heads=heads)
        if len(joined.ranked.hit_rank) == int(joined.ranked.n_retrieved.sum()):
            return _places(joined, joined.ranked, np.arange(0), formula, bottom)
        every = _all_judged(judgments, run, endless, reading, joined)
        last = every.hit_tie_first + every.hit_tie_size - 1
        counted = every.hit_tie_first <= bottom[_query(every, joined)]
        deepest = int(last[counted].max(initial=0))
        if deepest <= heads:
            return _places(joined, every, np.flatnonzero(counted), formula, bottom)
        heads = deepest


def _all_judged(
    judgments: Judgments, run: Run, rules: Rules, reading: Reading, joined: Joined
) -> JudgedRankings:
    """The first items of every query as if they were judged; their numbers, from 1, are labels."""
    offsets, ids = joined.aligned.head_offsets, np.array(joined.aligned.items, dtype=object)
    names = np.array(judgments.queries, dtype=object)[ragged.owners(offsets)]
    pairs = list(zip(names.tolist(), ids[joined.aligned.head_item].tolist(), strict=True))
    return part_numbered(pairs, run, rules, reading, labels_of="item")[0]


def _query(every: JudgedRankings, joined: Joined) -> IntArray:
    """The query of each, by its number in the qrels."""
    head = every.hit_label.astype(np.int64) - 1
    return ragged.owners(joined.aligned.head_offsets)[head]


def _places(
    joined: Joined, every: JudgedRankings, counted: IntArray, formula: Formula, bottom: IntArray
) -> Places:
    offsets = joined.aligned.head_offsets
    head = every.hit_label[counted].astype(np.int64) - 1
    judged = judged_heads(joined.ranked, offsets)
    order = np.argsort(head, kind="stable")
    order = order[~judged[head[order]]]
    counted, head = counted[order], head[order]
    first, size = every.hit_tie_first[counted], every.hit_tie_size[counted]
    query = ragged.owners(offsets)[head]
    last = np.minimum(first + size - 1, bottom[query])
    rank = ragged.positions(offsets)[head]
    single = 1.0 / formula.discount.divisors(int(rank.max(initial=1)))[rank]
    return Places(
        query=query,
        item=joined.aligned.head_item[head],
        rank=rank,
        tie_first=first,
        tie_size=size,
        weight=np.where(size > 1, formula.discount.weights(first, last) / size, single),
        ids=tuple(joined.aligned.items),
    )
