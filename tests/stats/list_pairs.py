"""Pairs of lists of items in the form that rankings of runs have."""

import numpy as np

from gainful.stats.rank_correlation import ListPairs


def batch_lists(pairs):
    """Return one query for each pair of lists."""
    shared = [
        (q, a.index(item) + 1, b.index(item) + 1)
        for q, (a, b) in enumerate(pairs)
        for item in sorted(a)
        if item in b
    ]
    owner, first, second = np.array(shared, dtype=np.int64).reshape(-1, 3).T
    sizes = np.array([(len(a), len(b)) for a, b in pairs], dtype=np.int64).reshape(-1, 2).T
    return ListPairs(owner, first, second, *sizes)
