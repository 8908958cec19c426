"""Pairs of items in the right order: of returned items, and of judged items (Bpref)."""

from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, Setting, ragged
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import find_relevant
from gainful.measures._ties import find_last_ranks, has_averaged_ties

Unjudged = Annotated[
    str,
    Setting(
        "how to treat returned items without a judgment",
        choices={
            "nonrelevant": "they count as not relevant",
            "leave_out": "they are in no pair",
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
    items = find_relevant(ranked, rel)
    if has_averaged_ties(ranked):
        wrong = _average_wrong_pairs(ranked, rel, unjudged)
    else:
        place = items.rank if unjudged == "nonrelevant" else _rank_among_judged(ranked)[items.hit]
        wrong = ragged.sum_by_query(place - items.nth, items.query, ranked.n_queries)
    n_items = _count_judged(ranked) if unjudged == "leave_out" else ranked.n_retrieved
    return _compute_right_share(wrong, items.n_retrieved, n_items - items.n_retrieved, items.pool)


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
    items, bottom = find_relevant(ranked, rel), find_last_ranks(ranked, cutoff)
    within = np.flatnonzero(items.rank <= bottom[items.query])
    query = items.query[within]
    wrong = ragged.sum_by_query(items.rank[within] - items.nth[within], query, ranked.n_queries)
    hits = np.bincount(query, minlength=ranked.n_queries).astype(np.float64)
    return _compute_right_share(wrong, hits, bottom - hits, items.pool)


def _compute_right_share(
    wrong: FloatArray, hits: FloatArray, n_others: FloatArray, pool: FloatArray
) -> FloatArray:
    value = 1.0 - ragged.divide(wrong, n_others * hits, empty=np.nan)
    value[(hits == 0) & (pool > 0)] = 0.0
    return value


def _average_wrong_pairs(ranked: JudgedRankings, rel: float, unjudged: str) -> FloatArray:
    """Return the pairs in the wrong order, a tied pair counting one half."""
    good = ranked.hit_label >= rel
    start, block = ragged.group_equal(ranked.hit_query, ranked.hit_tie_first)
    query, first, size = ranked.hit_query[start], ranked.hit_tie_first[start], ranked.hit_tie_size
    left = np.minimum(ranked.n_retrieved[query] - first + 1, size[start])
    hits = np.bincount(block[good], minlength=len(start))
    judged = np.diff(start, append=len(block))
    _check_depth(left, size[start], hits, hits if unjudged == "nonrelevant" else judged)
    before = ragged.accumulate_counts(good, ranked.hit_offsets)[start] - good[start]
    above, items = first - 1, left
    if unjudged == "leave_out":
        above, items = _rank_among_judged(ranked)[start] - 1, np.minimum(judged, left)
    hits = np.minimum(hits, left)
    return ragged.sum_by_query(
        hits * ((above - before) + (items - hits) / 2), query, ranked.n_queries
    )


def _check_depth(left: IntArray, size: IntArray, hits: IntArray, paired: IntArray) -> None:
    """Refuse ties that are cut between items of different kinds."""
    alike = (hits == size) | ((hits == 0) & ((paired == size) | (paired == 0)))
    if ((left < size) & ~alike).any():
        message = (
            "AUC: has no exact average where depth cuts through a tie, "
            "got ties=average. Pass another --ties, or no --depth."
        )
        raise MeasureError(message, code="no-exact-average")


def _rank_among_judged(ranked: JudgedRankings) -> IntArray:
    return ragged.find_positions(ranked.hit_offsets)


def _count_judged(ranked: JudgedRankings) -> FloatArray:
    return ranked.total(ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query])


@measure(bounds=(0, 1), trec_eval="bpref")
def Bpref(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean, over the relevant items, of the share of judged others that it stands above.

    $$\mathrm{Bpref} = \frac{1}{R} \sum_j \left( 1 - \frac{\min(n_j, R)}{\min(N, R)} \right)$$

    where $n_j$ is the number of items judged not relevant above the $j$-th relevant item of the
    ranking, $N$ the number of those that the query has, and $R$ the number of relevant items;
    relevant items that were not returned add 0. Unjudged items do not matter; nor do items with a
    negative label, which trec_eval takes for unjudged. A query with nothing relevant divides by
    zero: `Rules.empty` says what it scores, 0 by default. A query without results scores 0 where
    anything is relevant. No exact average over ties is known for it.

    This is trec_eval's form, which differs from the first one published: that looks only at the
    first $R$ items judged not relevant and divides by $R$.

    Reference: Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.
    """
    return compute_bpref(ranked, rel)


@measure(bounds=(0, 1), average="geometric", trec_eval="gm_bpref")
def GMBpref(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Bpref, whose geometric mean over the queries tells more of the bad ones.

    $$\mathrm{GMBpref} = \Bigl(\prod_{q} \max(\mathrm{Bpref}_q, 0.00001)\Bigr)^{1/Q}$$

    The value of one query is its `Bpref`; trec_eval keeps its logarithm. Over $Q$ queries, values
    below 0.00001 count as that. No exact average over ties is known for it.

    Reference: Buckley and Voorhees, 2004; trec_eval, measure gm_bpref.
    """
    return Bpref(rel=rel).score(ranked)


def compute_bpref(
    ranked: JudgedRankings, rel: float, *, worth: FloatArray | None = None
) -> FloatArray:
    """Return Bpref with each hit weighted by ``worth``; by 1 if it is None."""
    items, label = find_relevant(ranked, rel), ranked.hit_label
    above = ragged.accumulate_counts((label >= 0) & (label < rel), ranked.hit_offsets)[items.hit]
    n_others = ranked.pool_total((ranked.pool_label >= 0) & (ranked.pool_label < rel))
    divisor = np.minimum(n_others, items.pool)[items.query]
    # Nothing above it means nothing to divide, even if there are no others at all.
    share_lost = ragged.divide(np.minimum(above, items.pool[items.query]), divisor, empty=0.0)
    shares_kept = 1.0 - share_lost if worth is None else (1.0 - share_lost) * worth[items.hit]
    total = ragged.sum_by_query(shares_kept, items.query, ranked.n_queries)
    return ragged.divide(total, items.pool, empty=np.nan)
