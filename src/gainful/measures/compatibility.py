"""Compat: how much a ranking has in common with the ideal one that is nearest to it."""

from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, Setting, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure

Normalization = Annotated[
    str,
    Setting(
        "what the overlap is divided by",
        choices={
            "ideal": "the overlap of the ideal ranking with itself",
            "weights": "the sum of the weights: an ideal that ends early never scores 1",
        },
    ),
]


@measure(bounds=(0, 1), monotone=True)
def Compat(
    ranked: JudgedRankings, *, p: s.Persistence = 0.95, normalization: Normalization = "ideal"
) -> FloatArray:
    r"""Rank-biased overlap of the ranking with the ideal ranking that is nearest to it.

    $$\mathrm{Compat} = \frac{\mathrm{RBO}(R, I)}{\mathrm{RBO}(I, I)}, \qquad
    \mathrm{RBO}(R, I) = \frac{\sum_{i=1}^{n} p^{i-1}\, |R_{1..i} \cap I_{1..i}| / i}
    {\sum_{i=1}^{n} p^{i-1}}$$

    The ideal ranking $I$ holds the items with a label above 0, best label first. Items of equal
    label are in the order of the ranking $R$, and those that it lacks come last: no other order
    has more overlap. $n$ is the length of the longer ranking. A query without results scores 0.
    A query with nothing relevant divides by zero: `Rules.empty` says what it scores.

    ir_measures and the authors' script have the same values, with `Rules(ties=item-asc)`, unless
    scores are tied or negative. They order the ideal by score with 0 for items that were not
    returned, so that a negative score comes after them, and they order tied items of equal label
    as the judgments list them: both make the ideal one that is not the nearest. Their
    `normalize=False` is `normalization=weights`.

    Reference: Clarke, Vtyurina and Smucker, Assessing top-k preferences, ACM TOIS 39(3), 2021.
    """
    hit = np.flatnonzero(ranked.hit_label > 0)
    query, n_ideal = ranked.hit_query[hit], ranked.pool_total(ranked.pool_label > 0)
    n_ideal_items = n_ideal.astype(np.int64)
    depth = np.maximum(ranked.n_retrieved, n_ideal_items)
    deepest = int(depth.max(initial=1))
    weight = np.multiply.accumulate(np.concatenate([[1.0], np.full(deepest - 1, p)]))
    weight_sums = np.concatenate([[0.0], np.cumsum(weight)])
    shared = np.concatenate([[0.0], np.cumsum(weight / np.arange(1, deepest + 1))])
    # An item counts at every depth from where both rankings have it.
    deeper_rank = np.maximum(ranked.hit_rank[hit], _find_ideal_ranks(ranked, hit))
    overlap = ragged.sum_by_query(
        shared[depth[query]] - shared[deeper_rank - 1], query, ranked.n_queries
    )
    best = weight_sums[n_ideal_items] + n_ideal * (shared[depth] - shared[n_ideal_items])
    value = overlap / weight_sums[np.maximum(depth, 1)] if normalization == "weights" else overlap
    bottom = np.where(n_ideal_items > 0, best if normalization == "ideal" else 1.0, 0.0)
    return np.minimum(ragged.divide(value, bottom, empty=np.nan), 1.0)


def _find_ideal_ranks(ranked: JudgedRankings, hit: IntArray) -> IntArray:
    """Return the rank of hits in the ideal ranking: by label, then in the order of the run."""
    level, code = np.unique(ranked.pool_label, return_inverse=True)
    pool_key = ranked.pool_query * len(level) + (len(level) - 1 - code)
    place = len(level) - 1 - np.searchsorted(level, ranked.hit_label[hit])
    key = ranked.hit_query[hit] * len(level) + place
    order = np.argsort(key, kind="stable")
    start, block = ragged.group_equal(key[order], key[order])
    nth = np.empty_like(order)
    nth[order] = np.arange(len(order)) - start[block]
    better: IntArray = np.searchsorted(pool_key, key) - ranked.pool_offsets[ranked.hit_query[hit]]
    return better + nth + 1
