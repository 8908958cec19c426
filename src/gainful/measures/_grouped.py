"""Rankings of a query as one, whatever its groups."""

from dataclasses import replace

import numpy as np

from gainful import ragged
from gainful.ragged import FloatArray
from gainful.rankings import GroupedRankings, JudgedRankings


def labelled(ranked: GroupedRankings, label: FloatArray) -> JudgedRankings:
    """The rankings with one label for every item, whatever its groups."""
    groups, hit_rank = ranked.groups, ranked.hit_rank
    single = JudgedRankings(
        queries=ranked.queries,
        n_retrieved=ranked.n_retrieved,
        hit_offsets=ranked.hit_offsets,
        hit_rank=hit_rank,
        hit_label=label[ranked.hit_item],
        hit_tie_first=hit_rank,
        hit_tie_size=np.ones_like(hit_rank),
        pool_offsets=ranked.item_offsets,
        pool_label=ragged.descending(label, ranked.item_query),
        average_ties=ranked.average_ties,
    )
    if not ranked.average_ties:
        return single
    # Every hit is judged in some group, and the ranking of that knows how it is tied.
    deepest = int(hit_rank.max(initial=0)) + 1
    owner = ranked.group_query[groups.hit_query]
    hit = np.searchsorted(ranked.hit_query * deepest + hit_rank, owner * deepest + groups.hit_rank)
    tie_first, tie_size = np.empty_like(hit_rank), np.empty_like(hit_rank)
    tie_first[hit], tie_size[hit] = groups.hit_tie_first, groups.hit_tie_size
    return replace(single, hit_tie_first=tie_first, hit_tie_size=tie_size)
