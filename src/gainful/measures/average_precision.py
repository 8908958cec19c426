"""Average precision and what is made of it: AP, GMAP, YAAP, infAP, trAP."""

import math
from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import BoolArray, FloatArray, Setting, ragged
from gainful.measures import _settings as s
from gainful.measures._cwl import Gains
from gainful.measures._declare import measure
from gainful.measures._relevance import find_relevant
from gainful.measures._ties import (
    cap_cutoff,
    find_last_ranks,
    find_relevant_blocks,
    has_averaged_ties,
)
from gainful.measures.precision import compute_precisions

Divide = Annotated[
    str,
    Setting(
        "what the sum of precisions is divided by",
        choices={
            "all": "the number of relevant items, as trec_eval does",
            "cutoff": "that number or the cutoff, whichever is less, as recommender libraries do",
        },
    ),
]
_EPSILON = 0.00001  # what infAP adds to counts that may be zero


@measure(
    bounds=(0, 1),
    averages_ties=True,
    monotone=True,
    also=("MAP",),
    trec_eval=("map", "map_cut_{cutoff}"),
)
def AP(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    divide: Divide = "all",
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Mean, over the relevant items, of the precision at the rank of each.

    $$\mathrm{AP}@k = \frac{1}{R} \sum_{j : p_j \le k} \frac{j}{p_j}$$

    where $p_j$ is the rank of the $j$-th relevant item of the ranking and $R$ the number of
    relevant items of the query; those that are not within the first $k$ ranks add 0. A query with
    nothing relevant divides by zero: `Rules.empty` says what it scores, 0 by default. A query
    without results scores 0 where anything is relevant.

    With a cutoff, tools disagree on the divisor: trec_eval's map_cut and ir_measures divide by
    $R$, many recommender libraries by $\min(k, R)$, which is `divide=cutoff`. Where ties are
    averaged, rank $p$ of a block that begins at rank $f$, with $r$ relevant among $s$ items and
    $b$ relevant ones above it, adds $\frac{r}{s}\bigl(b + 1 + (p - f)\frac{r-1}{s-1}\bigr)/p$.

    Reference: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000. Ties:
    McSherry and Najork, Computing information retrieval performance measures efficiently in the
    presence of tied scores, ECIR 2008.
    """
    pool = find_relevant(ranked, rel).pool
    if divide == "cutoff" and cutoff is not None:
        pool = np.minimum(pool, float(cap_cutoff(cutoff)))
    value = ragged.divide(_sum_precisions(ranked, cutoff, rel), pool, empty=np.nan)
    return np.minimum(value, 1.0)  # averages over ties are rounded


@measure(bounds=(0, 1), average="geometric", averages_ties=True, monotone=True, trec_eval="gm_map")
def GMAP(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Average precision, whose geometric mean over the queries tells more of the bad ones.

    $$\mathrm{GMAP} = \Bigl(\prod_{q} \max(\mathrm{AP}_q, 0.00001)\Bigr)^{1/Q}$$

    The value of one query is its average precision; trec_eval keeps its logarithm. Over $Q$
    queries, values below 0.00001 count as that. A query with nothing relevant divides by zero:
    `Rules.empty` says what it scores, 0 by default.

    Reference: Robertson, On GMAP: and other transformations, CIKM 2006.
    """
    return AP(rel=rel).score(ranked)


@measure(bounds=(-math.inf, math.inf), trec_eval="yaap", monotone=True)
def YAAP(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Yet another average precision: the log odds of average precision, smoothed.

    $$\mathrm{YAAP} = \ln \frac{1 + S}{1 + R - S}, \qquad S = R \cdot \mathrm{AP}$$

    where $R$ is the number of relevant items of the query. It lies between $-\ln(1 + R)$, where
    nothing relevant was returned, and $\ln(1 + R)$, where all stand on top; with nothing relevant
    it is 0. Where a dialect makes more relevant than was judged so, $S$ is at most $R$. No
    exact average over ties is known for it.

    Reference: Robertson, On GMAP: and other transformations, CIKM 2006; trec_eval, measure yaap.
    """
    pool = find_relevant(ranked, rel).pool
    total = np.minimum(_sum_precisions(ranked, None, rel), pool)
    odds = (1.0 + total) / (1.0 + pool - total)
    # From libm, one by one: the last bit of NumPy's vector log depends on the CPU.
    return np.array([math.log(ratio) for ratio in odds.tolist()], dtype=np.float64)


@measure(bounds=(0, 1), trec_eval="infAP")
def infAP(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Average precision inferred from judgments of a random sample of a pool.

    $$\mathrm{infAP} = \frac{1}{R} \sum_j \left[ \frac{1}{p_j} + \frac{p_j - 1}{p_j} \cdot
    \frac{d_j}{p_j - 1} \cdot \frac{j - 1 + \varepsilon}{j - 1 + n_j + 2 \varepsilon} \right]$$

    where $p_j$ is the rank of the $j$-th relevant item; $d_j$ is the number of pool items above
    it, $n_j$ the number of those that are judged and not relevant, $R$ the number of relevant
    items of the query and $\varepsilon = 0.00001$. Items of the pool that were not drawn have a
    negative label; items without a judgment were not in the pool. With all of the pool judged it
    is close to `AP`, though not equal, for the sake of $\varepsilon$. A query with nothing
    relevant divides by zero: `Rules.empty` says what it scores, 0 by default. A query without
    results scores 0 where anything is relevant. No exact average over ties is known for it.

    Reference: Yilmaz and Aslam, Estimating average precision with incomplete and imperfect
    judgments, CIKM 2006.
    """
    items = find_relevant(ranked, rel)
    label, offsets = ranked.hit_label, ranked.hit_offsets
    above = items.nth - 1
    pooled = ragged.find_positions(offsets)[items.hit] - 1
    other = ragged.accumulate_counts((label >= 0) & (label < rel), offsets)[items.hit]
    ranks_above = (items.rank - 1).astype(np.float64)
    # The order of these operations is trec_eval's, to the last bit.
    share_above = ragged.divide(pooled.astype(np.float64), ranks_above, empty=0.0)
    share = (above + _EPSILON) / ((above + other) + 2 * _EPSILON)
    terms = 1.0 / items.rank + ranks_above / items.rank * share_above * share
    return ragged.divide(
        ragged.sum_by_query(terms, items.query, ranked.n_queries), items.pool, empty=np.nan
    )


@measure(bounds=(0, 1))
def trAP(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
) -> FloatArray:
    r"""Mean, over the relevant items that were returned, of the precision at the rank of each.

    $$\mathrm{trAP}@k = \frac{1}{r} \sum_{i=1}^{k} \frac{g_i}{i} \sum_{j=1}^{i} g_j$$

    where $g_i$ is the gain at rank $i$, 1 or 0 unless `max_rel` is set, and $r$ counts the items
    within the first $k$ ranks that gain anything. `AP` divides by all relevant items of the query,
    returned or not; this does not see what is missing, so that a run may gain by returning less. A
    query without anything relevant in its first $k$ ranks scores 0; one with nothing relevant at
    all divides by zero: `Rules.empty` says what it scores, 0 by default. No exact average over
    ties is known for it.

    It is how average precision was first written down, and TrAP in cwl-eval for a ranking made of
    gains. Where cwl-eval makes rankings of qrels it sets $r$ to all relevant items of the query:
    its TrAP is then `AP`. And with binary gains its AP is this, whatever the qrels say, for the
    first 1000 ranks: the two have changed places. The weights of its TrAP do not add up to 1, so
    that no user is behind them; hence there are no other expected values here.

    Reference: Harman, Evaluation issues in information retrieval, Information Processing and
    Management 28(4), 1992; Azzopardi, Thomas and Moffat, cwl_eval, SIGIR 2019.
    """
    gain = Gains(owner="trAP", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    gain[ranked.hit_rank > find_last_ranks(ranked, cutoff)[ranked.hit_query]] = 0.0
    total = ranked.total(gain * ragged.accumulate(gain, ranked.hit_offsets) / ranked.hit_rank)
    value = ragged.divide(total, ranked.total(gain > 0), empty=0.0)
    none: BoolArray = ranked.pool_total(ranked.pool_label > min_rel) == 0
    if max_rel is None:
        none = find_relevant(ranked, rel).pool == 0
    return np.where(none, np.nan, value)


def _sum_precisions(ranked: JudgedRankings, cutoff: int | None, rel: float) -> FloatArray:
    """Return the sum of the precisions at the relevant items of each query, in rank order."""
    if has_averaged_ties(ranked):
        return _average_precision_sums(ranked, cutoff, rel)
    items, terms = find_relevant(ranked, rel), compute_precisions(ranked, rel)
    if cutoff is None:
        return ragged.sum_by_query(terms, items.query, ranked.n_queries)
    within = np.flatnonzero(items.rank <= cap_cutoff(cutoff))
    return ragged.sum_by_query(terms[within], items.query[within], ranked.n_queries)


def _average_precision_sums(ranked: JudgedRankings, cutoff: int | None, rel: float) -> FloatArray:
    """Return the mean of that sum over all orders of tied items."""
    tied = find_relevant_blocks(ranked, rel)
    # Rank by rank: what a closed form would save in time it loses in digits.
    rank, block = tied.ranks(find_last_ranks(ranked, cutoff))
    first, size, count = tied.first[block], tied.size[block], tied.chosen[block]
    n_others = (rank - first) * (count - 1) / np.maximum(size - 1, 1)
    terms = (tied.before[block] + 1 + n_others) / rank * (count / size)
    return ragged.sum_by_query(terms, tied.query[block], ranked.n_queries)
