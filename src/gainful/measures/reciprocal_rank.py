"""Reciprocal rank: how far down the first relevant item stands."""

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import find_relevant
from gainful.measures._ties import (
    cap_cutoff,
    find_last_ranks,
    find_relevant_blocks,
    has_averaged_ties,
)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, also=("MRR",), trec_eval="recip_rank")
def RR(ranked: JudgedRankings, *, cutoff: s.Cutoff = None, rel: s.Rel = 1.0) -> FloatArray:
    r"""One over the rank of the first relevant item, 0 if it is not within the first ranks.

    $$\mathrm{RR}@k = \frac{1}{p_1} \text{ if } p_1 \le k, \text{ else } 0$$

    where $p_1$ is the rank of the first relevant item of the ranking. A query without results, or
    with nothing relevant, scores 0. Where ties are averaged, the first relevant item is in the
    first tie block that has any, and stands on the $i$-th of its $s$ ranks with the chance
    $\binom{s-i}{r-1} / \binom{s}{r}$, where $r$ of its items are relevant.

    Reference: Voorhees, The TREC-8 question answering track report, TREC 1999. Ties: McSherry and
    Najork, Computing information retrieval performance measures efficiently in the presence of
    tied scores, ECIR 2008.
    """
    if has_averaged_ties(ranked):
        return _average_over_ties(ranked, cutoff, rel)
    items = find_relevant(ranked, rel)
    some = np.flatnonzero(np.diff(items.offsets))
    first = items.rank[items.offsets[some]]
    value = np.zeros(ranked.n_queries)
    value[some] = 1.0 / first
    if cutoff is not None:
        value[some[first > cap_cutoff(cutoff)]] = 0.0
    return value


def _average_over_ties(ranked: JudgedRankings, cutoff: int | None, rel: float) -> FloatArray:
    """Return the mean over all orders of tied items."""
    tied = find_relevant_blocks(ranked, rel)
    query = np.flatnonzero(np.diff(tied.offsets))
    best = tied.offsets[query]
    first, size, count = tied.first[best], tied.size[best], tied.chosen[best]
    # The first of them cannot stand so low that the others find no place below it.
    steps = np.minimum(tied.reach(find_last_ranks(ranked, cutoff))[best], size - count + 1)
    chance, value = count / size, np.zeros(ranked.n_queries)
    step, alive = 0, np.flatnonzero(steps > 0)
    while len(alive):
        value[query[alive]] += chance[alive] / (first[alive] + step)
        step += 1
        alive = alive[steps[alive] > step]
        left = size[alive] - step
        chance[alive] *= (left - count[alive] + 1) / left
    return value
