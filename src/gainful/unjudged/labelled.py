"""Rankings with labels for their unjudged items, as if these had been judged."""

from dataclasses import replace

import numpy as np

from gainful import ragged
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.unjudged.places import Places


def with_pool(ranked: JudgedRankings, query: IntArray, label: FloatArray) -> JudgedRankings:
    """The rankings with more judged items, which they have not retrieved.

    Args:
        ranked: The rankings.
        query: The query of each new item, ascending.
        label: Its label.
    """
    order = np.lexsort((-label, query))
    query, label = query[order], label[order]
    grades, grade = np.unique(label, return_inverse=True)
    above = np.empty(len(label), dtype=np.int64)
    for number, one in enumerate(grades):
        here = grade == number
        owner = ranked.pool_query[ranked.pool_label >= one]
        above[here] = np.bincount(owner, minlength=ranked.n_queries)[query[here]]
    n_new = np.bincount(query, minlength=ranked.n_queries)
    return replace(
        ranked,
        pool_offsets=ranked.pool_offsets + np.concatenate([[0], np.cumsum(n_new)]),
        pool_label=np.insert(ranked.pool_label, ranked.pool_offsets[query] + above, label),
    )


def with_hits(ranked: JudgedRankings, places: Places, label: FloatArray) -> JudgedRankings:
    """The rankings with labels for their unjudged items, which are judged already elsewhere."""
    after = _after(ranked, places)
    n_new = np.bincount(places.query, minlength=ranked.n_queries)
    labelled = replace(
        ranked,
        hit_offsets=ranked.hit_offsets + np.concatenate([[0], np.cumsum(n_new)]),
        hit_rank=np.insert(ranked.hit_rank, after, places.rank),
        hit_label=np.insert(ranked.hit_label, after, label),
        hit_tie_first=np.insert(ranked.hit_tie_first, after, places.tie_first),
        hit_tie_size=np.insert(ranked.hit_tie_size, after, places.tie_size),
    )
    return _best_first(labelled) if ranked.average_ties else labelled


def _after(ranked: JudgedRankings, places: Places) -> IntArray:
    """Before which hit each new one goes."""
    deepest = max(int(ranked.hit_rank.max(initial=0)), int(places.rank.max(initial=0))) + 1
    known = ranked.hit_query * deepest + ranked.hit_rank
    return np.searchsorted(known, places.query * deepest + places.rank)


def _best_first(ranked: JudgedRankings) -> JudgedRankings:
    """The hits of every averaged tie in descending order of label, as they are when aligned."""
    query, first = ranked.hit_query, ranked.hit_tie_first
    order = np.lexsort((-ranked.hit_label, first, query))
    start, block = ragged.blocks(query, first)
    rank = first + np.arange(len(first)) - start[block]
    return replace(
        ranked,
        hit_rank=rank,
        hit_label=ranked.hit_label[order],
    )
