"""What is worked out for every group before it is averaged: precision and average precision."""

import numpy as np

from gainful import ragged
from gainful.measures._relevance import relevant
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings


def within(groups: JudgedRankings, cutoff: int, rel: float) -> FloatArray:
    """How many relevant items of each group stand within the cutoff.

    Where ties are averaged, a tied item stands there for the share of its block that does.
    """
    if not groups.average_ties:
        return relevant(groups, rel).within(cutoff)
    chosen = groups.hit_label >= rel
    first, size = groups.hit_tie_first[chosen], groups.hit_tie_size[chosen]
    group = groups.hit_query[chosen]
    bottom = np.minimum(cutoff, groups.n_retrieved[group])
    share = np.clip(bottom - first + 1, 0, size) / size
    return ragged.sums(share, group, groups.n_queries)


def average_precision(groups: JudgedRankings, rel: float) -> FloatArray:
    """The average precision of each group; 0 where nothing is relevant."""
    found = relevant(groups, rel)
    total = ragged.sums(found.nth / found.rank, found.query, groups.n_queries)
    return ragged.divide(total, found.pool, empty=0.0)
