"""Pairs of a relevant and another returned item: how many are in the right order."""

from typing import Annotated

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import relevant
from gainful.measures._ties import averaged, bottoms
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.settings import Setting

Unjudged = Annotated[
    str,
    Setting(
        "what becomes of returned items without a judgment",
        choices={
            "nonrelevant": "they count as not relevant",
            "leave_out": "they stand in no pair",
        },
    ),
]


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def AUC(
    ranked: JudgedRankings, *, unjudged: Unjudged = "nonrelevant", rel: s.Rel = 1.0
) -> FloatArray:
    r"""Chance that a returned relevant item stands above a returned one that is not relevant.

    $$\mathrm{AUC} = \frac{1}{h\,m} \sum_{j=1}^{h} (m - n_j)$$

    where $h$ relevant and $m$ other items were returned, and $n_j$ of the others stand above the
    $j$-th relevant one. It is the area under the ROC curve of the returned items. Items that were
    not returned stand in no pair. A negative label is not relevant.

    Unjudged items count as not relevant, which suits judgments that name relevant items alone;
    with `unjudged=leave_out` only judged items are compared. Where ties are averaged, a tied pair
    counts one half, as in scikit-learn; else the rule for ties orders it. Without a pair it is
    undefined, as where all returned items are relevant: `Rules.empty` says what the query scores,
    0 by default. Where anything is relevant and nothing relevant was returned, it is 0.

    An averaged tie of different items that `Rules.depth` cuts through is an error: how many
    relevant ones are left, and so what to divide by, would vary.

    Reference: Hanley and McNeil, The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143(1), 1982.
    """
    items = relevant(ranked, rel)
    if averaged(ranked):
        wrong = _mean_wrong_pairs(ranked, rel, unjudged)
    else:
        place = items.rank if unjudged == "nonrelevant" else _place_among_judged(ranked)[items.hit]
        wrong = ragged.sums(place - items.nth, items.query, ranked.n_queries)
    n_items = _n_judged(ranked) if unjudged == "leave_out" else ranked.n_retrieved
    return _share_of_right(wrong, items.found, n_items - items.found, items.pool)


@measure(bounds=(0, 1))
def Accuracy(ranked: JudgedRankings, *, cutoff: s.Cutoff = None, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the pairs of a relevant and another item, within the first ranks, ordered rightly.

    $$\mathrm{Accuracy}@k = 1 - \frac{1}{h\,m} \sum_{j=1}^{h} (p_j - j)$$

    where $p_j$ is the rank of the $j$-th of the $h$ relevant items within the first $k$ ranks, and
    $m$ the number of other items there, unjudged ones included. It is ir_measures' measure of
    that name, and without a cutoff the same as `AUC`. Without a pair it is undefined: `Rules.empty`
    says what the query scores, 0 by default. Where anything is relevant and nothing relevant
    stands within the first ranks, it is 0; ir_measures leaves such queries out, and stops with an
    error where all items are relevant. No exact average over ties is known for a cutoff.

    Reference: ir_measures, measure Accuracy.
    """
    items, bottom = relevant(ranked, rel), bottoms(ranked, cutoff)
    within = np.flatnonzero(items.rank <= bottom[items.query])
    query = items.query[within]
    wrong = ragged.sums(items.rank[within] - items.nth[within], query, ranked.n_queries)
    hits = np.bincount(query, minlength=ranked.n_queries).astype(np.float64)
    return _share_of_right(wrong, hits, bottom - hits, items.pool)


def _share_of_right(
    wrong: FloatArray, hits: FloatArray, others: FloatArray, pool: FloatArray
) -> FloatArray:
    value = 1.0 - ragged.divide(wrong, others * hits, empty=np.nan)
    value[(hits == 0) & (pool > 0)] = 0.0
    return value


def _mean_wrong_pairs(ranked: JudgedRankings, rel: float, unjudged: str) -> FloatArray:
    """The pairs in the wrong order, a tied pair counting one half."""
    good = ranked.hit_label >= rel
    start, block = ragged.blocks(ranked.hit_query, ranked.hit_tie_first)
    query, first, size = ranked.hit_query[start], ranked.hit_tie_first[start], ranked.hit_tie_size
    left = np.minimum(ranked.n_retrieved[query] - first + 1, size[start])
    hits = np.bincount(block[good], minlength=len(start))
    judged = np.diff(start, append=len(block))
    _check_depth(left, size[start], hits, hits if unjudged == "nonrelevant" else judged)
    before = ragged.counts(good, ranked.hit_offsets)[start] - good[start]
    above, items = first - 1, left
    if unjudged == "leave_out":
        above, items = _place_among_judged(ranked)[start] - 1, np.minimum(judged, left)
    hits = np.minimum(hits, left)
    return ragged.sums(hits * ((above - before) + (items - hits) / 2), query, ranked.n_queries)


def _check_depth(left: IntArray, size: IntArray, hits: IntArray, paired: IntArray) -> None:
    """Refuse ties that are cut between items of different kinds."""
    alike = (hits == size) | ((hits == 0) & ((paired == size) | (paired == 0)))
    if ((left < size) & ~alike).any():
        message = (
            "AUC: has no exact average where depth cuts through a tie, "
            "got ties=average. Pass another --ties, or no --depth."
        )
        raise MeasureError(message, code="no-exact-average")


def _place_among_judged(ranked: JudgedRankings) -> IntArray:
    return ragged.positions(ranked.hit_offsets)


def _n_judged(ranked: JudgedRankings) -> FloatArray:
    return ranked.total(ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query])
