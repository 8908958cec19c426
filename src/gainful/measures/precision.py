"""Precision and recall: relevant items among the first ranks, over the ranks or over all."""

from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, Setting, ragged
from gainful.base._native import Step
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import find_relevant
from gainful.measures._ties import (
    cap_cutoff,
    count_relevant,
    count_relevant_above,
    find_last_ranks,
    find_relevant_blocks,
    has_averaged_ties,
)

Times = Annotated[
    float,
    Setting("how many times the number of relevant items to look at", more_than=0, at_most=1e6),
]
RecallLevel = Annotated[
    float, Setting("the share of the relevant items to have been found", at_least=0, at_most=1)
]
_ELEVEN = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@measure(
    bounds=(0, 1), averages_ties=True, monotone=True, also=("Precision",), trec_eval="P_{cutoff}"
)
def P(ranked: JudgedRankings, *, cutoff: s.FixedCutoff, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the first ``cutoff`` ranks that hold a relevant item.

    $$\mathrm{P}@k = \frac{h_k}{k}$$

    where $h_k$ is the number of relevant items within the first $k$ ranks. A ranking shorter than
    the cutoff is filled up with items that are not relevant: the divisor is always $k$, as in
    trec_eval. A query without results, or with nothing relevant, scores 0. Unjudged items and
    negative labels are not relevant. Where ties are averaged, a cut tie block adds the share of
    its relevant items that the cut leaves.

    Reference: Manning, Raghavan and Schütze, Introduction to information retrieval, Cambridge
    University Press, 2008.
    """
    return count_relevant(ranked, rel, cutoff) / float(cap_cutoff(cutoff))


@measure(
    bounds=(0, 1),
    averages_ties=True,
    monotone=True,
    also=("R_cap", "CappedRecall"),
    trec_eval="relative_P_{cutoff}",
)
def RelP(ranked: JudgedRankings, *, cutoff: s.FixedCutoff, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision as a share of the highest precision that the cutoff allows.

    $$\mathrm{RelP}@k = \frac{h_k}{\min(k, R)}$$

    where $h_k$ is the number of relevant items within the first $k$ ranks and $R$ the number of
    relevant items of the query. It is recall where $k$ is above $R$, and precision below; BEIR
    calls it capped recall. A query with nothing relevant divides by zero: `Rules.empty` says what
    it scores, 0 by default. A query without results scores 0 where anything is relevant.

    Reference: Buckley and Voorhees, Retrieval system evaluation, in TREC: Experiment and
    evaluation in information retrieval, MIT Press, 2005.
    """
    most = np.minimum(find_relevant(ranked, rel).pool, float(cap_cutoff(cutoff)))
    return ragged.divide(count_relevant(ranked, rel, cutoff), most, empty=np.nan)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, also=("RPrecision",), trec_eval="Rprec")
def Rprec(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision at the rank that is the number of relevant items: there it equals recall.

    $$\mathrm{Rprec} = \frac{h_R}{R}$$

    where $h_R$ is the number of relevant items within the first $R$ ranks and $R$ the number of
    relevant items of the query. A query with nothing relevant divides by zero: `Rules.empty` says
    what it scores, 0 by default. A ranking shorter than $R$ is filled up with items that are not
    relevant; a query without results scores 0 where anything is relevant.

    Reference: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000.
    """
    pool = find_relevant(ranked, rel).pool
    return ragged.divide(
        count_relevant_above(ranked, rel, pool.astype(np.int64)), pool, empty=np.nan
    )


@measure(
    bounds=(0, 1), averages_ties=True, monotone=True, at="times", trec_eval="Rprec_mult_{times}"
)
def RprecMult(ranked: JudgedRankings, *, times: Times = 1.0, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision at the rank that is some times the number of relevant items.

    $$\mathrm{RprecMult}(t) = \frac{h_n}{n}, \qquad n = \lfloor t R + 0.9 \rfloor$$

    where $h_n$ is the number of relevant items within the first $n$ ranks and $R$ the number of
    relevant items of the query. The 0.9 rounds up all but the smallest fractions, as trec_eval
    does. Where $n$ is 0, as with nothing relevant, it divides by zero: `Rules.empty` says what
    the query scores, 0 by default. A ranking shorter than $n$ is filled up with items that are
    not relevant; a query without results scores 0.

    Reference: trec_eval, measure Rprec_mult.
    """
    depth = np.floor(times * find_relevant(ranked, rel).pool + 0.9)
    bottom = np.minimum(depth, ranked.n_retrieved).astype(np.int64)
    return ragged.divide(count_relevant_above(ranked, rel, bottom), depth, empty=np.nan)


@measure(bounds=(0, 1), at="recall", trec_eval="iprec_at_recall_{recall}", monotone=True)
def IPrec(
    ranked: JudgedRankings,
    *,
    recall: RecallLevel,
    count: s.RecallCount = "up",
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Highest precision at any rank from where that share of the relevant items is found.

    $$\mathrm{IPrec}@r = \max_{j \ge \max(n, 1)} \frac{j}{p_j}$$

    where $p_j$ is the rank of the $j$-th relevant item of the ranking and $n$ is $r R$ as a whole
    number. Where fewer than $n$ relevant items were returned, or none, it is 0. With nothing
    relevant it is undefined: `Rules.empty` says what the query scores, 0 by default.

    Tools disagree on $n$: trec_eval 9 takes $\lfloor r R + 0.9 \rfloor$, the default here;
    trec_eval 10 rounds to the nearest whole number, `count=nearest`. No exact average over ties
    is known for it.

    Reference: Manning, Raghavan and Schütze, Introduction to information retrieval, Cambridge
    University Press, 2008.
    """
    return np.where(
        find_relevant(ranked, rel).pool > 0,
        _compute_precision_at_recall(ranked, recall, count, rel),
        np.nan,
    )


@measure(bounds=(0, 1), trec_eval="11pt_avg", monotone=True)
def IPrecAvg(
    ranked: JudgedRankings, *, count: s.RecallCount = "up", rel: s.Rel = 1.0
) -> FloatArray:
    r"""Mean of the interpolated precision at the eleven recall levels 0, 0.1, up to 1.

    $$\mathrm{IPrecAvg} = \frac{1}{11} \sum_{i=0}^{10} \mathrm{IPrec}@\tfrac{i}{10}$$

    With nothing relevant it is undefined: `Rules.empty` says what the query scores, 0 by default.
    A query without results scores 0 where anything is relevant. What trec_eval 9 and 10 disagree
    on is said at `IPrec`; `count` chooses between them.

    Reference: Manning, Raghavan and Schütze, Introduction to information retrieval, Cambridge
    University Press, 2008.
    """
    total = np.zeros(ranked.n_queries)
    for recall in reversed(_ELEVEN):  # from the highest, as trec_eval adds them
        total += _compute_precision_at_recall(ranked, recall, count, rel)
    return np.where(find_relevant(ranked, rel).pool > 0, total / len(_ELEVEN), np.nan)


@measure(
    bounds=(0, 1),
    averages_ties=True,
    monotone=True,
    also=("HitRate", "HR", "Hit"),
    trec_eval="success_{cutoff}",
)
def Success(ranked: JudgedRankings, *, cutoff: s.FixedCutoff, rel: s.Rel = 1.0) -> FloatArray:
    r"""1 if there is a relevant item within the first ranks, else 0.

    $$\mathrm{Success}@k = [h_k > 0]$$

    where $h_k$ is the number of relevant items within the first $k$ ranks. A query without
    results, or with nothing relevant, scores 0. Where ties are averaged and no relevant item
    stands above the tie block that the cutoff cuts, it is the chance that one of the $m$ ranks
    left of its $s$ holds one of its $r$ relevant items, $1 - \binom{s-r}{m} / \binom{s}{m}$.

    Reference: trec_eval, measure success. Recommender systems call it hit rate.
    """
    if not has_averaged_ties(ranked):
        return (count_relevant(ranked, rel, cutoff) > 0).astype(np.float64)
    tied = find_relevant_blocks(ranked, rel)
    some = np.flatnonzero(np.diff(tied.offsets))
    best = tied.offsets[some]
    success = np.zeros(ranked.n_queries)
    reach = tied.reach(find_last_ranks(ranked, cutoff))[best]
    success[some] = 1.0 - _compute_chance_of_none(tied.size[best], tied.chosen[best], reach)
    return success


@measure(averages_ties=True, monotone=True)
def Hits(ranked: JudgedRankings, *, cutoff: s.Cutoff = None, rel: s.Rel = 1.0) -> FloatArray:
    r"""Number of relevant items within the first ranks.

    $$\mathrm{Hits}@k = h_k$$

    Without a cutoff, all items that the run returned count. A query without results, or with
    nothing relevant, has 0. Unjudged items and negative labels are not relevant. Where ties are
    averaged, a cut tie block adds the share of its relevant items that the cut leaves.

    Reference: Manning, Raghavan and Schütze, Introduction to information retrieval, Cambridge
    University Press, 2008.
    """
    return count_relevant(ranked, rel, cutoff).copy()


def compute_precisions(ranked: JudgedRankings, rel: float) -> FloatArray:
    """Return the precision at the rank of each relevant item, computed once."""
    key = ("precisions", rel)
    if key not in ranked.memo:
        items = find_relevant(ranked, rel)
        ranked.memo[key] = items.nth / items.rank
    values: FloatArray = ranked.memo[key]
    return values


def _compute_precision_at_recall(
    ranked: JudgedRankings, recall: float, count: str, rel: float
) -> FloatArray:
    items = find_relevant(ranked, rel)
    share = recall * items.pool
    whole = np.floor(share)
    # Not floor(share + 0.5): the sum itself may round up.
    n_needed = np.floor(share + 0.9) if count == "up" else whole + (share - whole >= 0.5)
    reached = np.flatnonzero((items.n_retrieved >= n_needed) & (items.n_retrieved > 0))
    nth = np.maximum(n_needed[reached], 1.0).astype(np.int64)
    value = np.zeros(ranked.n_queries)
    value[reached] = _compute_highest_precisions(ranked, rel)[items.offsets[reached] + nth - 1]
    return value


def _compute_highest_precisions(ranked: JudgedRankings, rel: float) -> FloatArray:
    """Return the highest precision from each relevant item on, downwards, computed once."""
    key = ("highest precision", rel)
    if key not in ranked.memo:
        offsets = find_relevant(ranked, rel).offsets
        upwards, upward_offsets = compute_precisions(ranked, rel)[::-1], offsets[-1] - offsets[::-1]
        ranked.memo[key] = ragged.accumulate(upwards, upward_offsets, Step.maximum)[::-1]
    values: FloatArray = ranked.memo[key]
    return values


def _compute_chance_of_none(size: IntArray, count: IntArray, reach: IntArray) -> FloatArray:
    """Return the chance that none of ``count`` among ``size`` items is among ``reach`` drawn."""
    fewer, more = np.minimum(count, reach), np.maximum(count, reach)
    chance = np.ones(len(size))
    step = 0
    alive = np.flatnonzero(fewer > 0)
    while len(alive):
        n_left = size[alive] - step
        chance[alive] *= np.maximum(n_left - more[alive], 0) / n_left
        step += 1
        alive = alive[(fewer[alive] > step) & (chance[alive] > 0)]
    return chance


@measure(
    bounds=(0, 1), averages_ties=True, monotone=True, also=("Recall",), trec_eval="recall_{cutoff}"
)
def R(ranked: JudgedRankings, *, cutoff: s.Cutoff = None, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the relevant items that stand within the first ranks.

    $$\mathrm{R}@k = \frac{h_k}{R}$$

    where $h_k$ is the number of relevant items within the first $k$ ranks and $R$ the number of
    relevant items of the query, returned or not. Without a cutoff, all items that the run returned
    count. A query with nothing relevant divides by zero: `Rules.empty` says what it scores, 0 by
    default. A query without results scores 0 where anything is relevant. Some recommender
    libraries divide by $\min(k, R)$: that is `RelP`.

    Reference: Manning, Raghavan and Schütze, Introduction to information retrieval, Cambridge
    University Press, 2008.
    """
    return ragged.divide(
        count_relevant(ranked, rel, cutoff), find_relevant(ranked, rel).pool, empty=np.nan
    )


@measure(bounds=(0, 1), averages_ties=True, monotone=True, also=("F1", "FMeasure"))
def F(
    ranked: JudgedRankings, *, cutoff: s.FixedCutoff, beta: s.Beta = 1.0, rel: s.Rel = 1.0
) -> FloatArray:
    r"""Weighted harmonic mean of precision and recall within the first ranks.

    $$\mathrm{F}_\beta@k = \frac{(1 + \beta^2)\,\mathrm{P}@k\;\mathrm{R}@k}
    {\beta^2\,\mathrm{P}@k + \mathrm{R}@k} = \frac{(1 + \beta^2)\,h_k}{\beta^2 R + k}$$

    where $h_k$ is the number of relevant items within the first $k$ ranks and $R$ the number of
    relevant items of the query. With nothing relevant there is no recall: `Rules.empty` says what
    the query scores, 0 by default. With nothing found it is 0. A ranking shorter than the cutoff
    is filled up with items that are not relevant, as for `P`; for the list as the run returned
    it, see `SetF`.

    Reference: van Rijsbergen, Information retrieval, Butterworths, 1979.
    """
    pool, square = find_relevant(ranked, rel).pool, beta * beta
    value = (
        (1.0 + square)
        * count_relevant(ranked, rel, cutoff)
        / (square * pool + float(cap_cutoff(cutoff)))
    )
    return np.where(pool > 0, value, np.nan)
