"""Intent-aware averages over subtopics, and gains that are added over them."""

from typing import Annotated

import numpy as np

from gainful.alignment import GroupedRankings
from gainful.base import FloatArray, Setting, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._discounts import Discount
from gainful.measures._formula import Formula
from gainful.measures._gains import Gain
from gainful.measures._novelty import count_subtopics
from gainful.measures._relevance import find_relevant, relabel_items
from gainful.measures._ties import count_relevant
from gainful.measures.average_precision import AP
from gainful.measures.precision import P, RprecMult, Times

LINEAR, LOG2 = Gain("linear"), Discount("log2")
Gamma = Annotated[float, Setting("the weight of subtopic recall", at_least=0, at_most=1)]


@measure(bounds=(0, 1), averages_ties=True, also=("MAP_IA",))
def AP_IA(ranked: GroupedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over subtopics of the average precision for each.

    $$\text{AP-IA} = \frac{1}{m} \sum_t \mathrm{AP}_t$$

    over the $m$ subtopics that have a relevant item, all equally likely. A query without results
    scores 0. A query with no relevant item divides by zero: `Rules.empty` says what it scores, 0 by
    default.

    Reference: Agrawal et al., Diversifying search results, WSDM 2009.
    """
    group_values = AP(rel=rel).score(ranked.groups)
    total = ranked.total(np.where(np.isnan(group_values), 0.0, group_values))
    return ragged.divide(total, count_subtopics(ranked, rel), empty=np.nan)


@measure(bounds=(0, 1), averages_ties=True)
def P_IA(ranked: GroupedRankings, *, cutoff: s.FixedCutoff, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over subtopics of the precision for each.

    $$\text{P-IA}@k = \frac{1}{m} \sum_t \mathrm{P}_t@k$$

    over the $m$ subtopics that have a relevant item. A ranking shorter than the cutoff is filled up
    with items that are not relevant. A query without results scores 0. A query with no relevant
    item divides by zero: `Rules.empty` says what it scores, 0 by default.

    Reference: Agrawal et al., 2009.
    """
    total = ranked.total(count_relevant(ranked.groups, rel, cutoff))
    share = ragged.divide(total, cutoff * count_subtopics(ranked, rel), empty=np.nan)
    # The shares of averaged ties are rounded.
    return np.minimum(share, 1.0)


@measure(bounds=(0, 1), also=("STREC", "I_rec"))
def StRecall(ranked: GroupedRankings, *, cutoff: s.Cutoff = None, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the subtopics that the first items cover.

    $$\text{StRecall}@k = \frac{|\bigcup_{i \le k} T(i)|}{m}$$

    where $T(i)$ are the subtopics that the item at rank $i$ is relevant for, and $m$ counts those
    that have a relevant item at all. Also called intent recall. A query without results scores 0. A
    query with no relevant item divides by zero: `Rules.empty` says what it scores, 0 by default.

    Reference: Zhai et al., Beyond independent relevance: methods and evaluation metrics for
    subtopic retrieval, SIGIR 2003.
    """
    items = find_relevant(ranked.groups, rel)
    covered = items.n_retrieved if cutoff is None else items.count_within(cutoff)
    return ragged.divide(ranked.total(covered > 0), count_subtopics(ranked, rel), empty=np.nan)


@measure(bounds=(0, 1), averages_ties=True)
def D_nDCG(
    ranked: GroupedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    discount: s.Discount = LOG2,
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""DCG of gains added over subtopics, as a share of that of the best possible ranking.

    $$\text{D-nDCG}@k = \frac{\sum_{i=1}^{k} G(i) / d(i)}{\sum_{i=1}^{k} G^*(i) / d(i)},
    \quad G(i) = \sum_t \Pr(t) \, g(l_{i,t})$$

    where $l_{i,t}$ is the label that the item at rank $i$ has for subtopic $t$. All subtopics of a
    query are equally likely, so that $\Pr(t)$ cancels out. The best ranking orders the judged items
    by $G$, which no other ranking beats. Ties are averaged exactly, as for nDCG. A query with
    nothing to gain divides by zero: `Rules.empty` says what it scores, 0 by default.

    Reference: Sakai and Song, Evaluating diversified search results using per-intent graded
    relevance, SIGIR 2011.
    """
    row_gains = Formula(gain=gain, negatives=negatives, rel=rel).gains(ranked.row_label)
    n_items = int(ranked.item_offsets[-1])
    whole = Formula(cutoff=cutoff, gain=LINEAR, discount=discount, negatives="keep", rel=rel)
    return whole.share(
        relabel_items(ranked, ragged.sum_by_query(row_gains, ranked.row_item, n_items))
    )


@measure(bounds=(0, 1))
def Dsharp_nDCG(
    ranked: GroupedRankings,
    *,
    cutoff: s.Cutoff = None,
    gamma: Gamma = 0.5,
    gain: s.Gain = LINEAR,
    discount: s.Discount = LOG2,
    negatives: s.Negatives = "zero",
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""D_nDCG and subtopic recall, mixed.

    $$\text{D♯-nDCG}@k = \gamma \, \text{StRecall}@k + (1 - \gamma) \, \text{D-nDCG}@k$$

    `rel` says which labels cover a subtopic. A query where either part divides by zero has no
    value: `Rules.empty` says what it scores, 0 by default. A query without results scores 0.

    Reference: Sakai and Song, 2011.
    """
    settings = {"gain": gain, "discount": discount, "negatives": negatives, "rel": rel}
    recall = StRecall(cutoff=cutoff, rel=rel).score(ranked)
    gain_share = D_nDCG(cutoff=cutoff, **settings).score(ranked)
    return gamma * recall + (1 - gamma) * gain_share


@measure(bounds=(0, 1), averages_ties=True, trec_eval="map_avgjg")
def APgroups(ranked: GroupedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over judges of the average precision by the judgments of each.

    $$\mathrm{APgroups} = \frac{1}{n} \sum_{j=1}^{n} \mathrm{AP}_j$$

    over all $n$ judges of the query. A judge who finds nothing relevant counts as 0, as in
    trec_eval; AP_IA leaves such groups out. If no judge finds anything relevant, `Rules.empty`
    says what the query scores, 0 by default. A query without results scores 0.

    Reference: Buckley and Voorhees, trec_eval, measure map_avgjg of qrels_jg.
    """
    return _average_judges(ranked, AP(rel=rel).score(ranked.groups), rel)


@measure(bounds=(0, 1), averages_ties=True, trec_eval="P_avgjg_{cutoff}")
def Pgroups(ranked: GroupedRankings, *, cutoff: s.FixedCutoff, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over judges of the precision by the judgments of each.

    $$\mathrm{Pgroups}@k = \frac{1}{n} \sum_{j=1}^{n} \mathrm{P}_j@k$$

    over all $n$ judges of the query. A ranking shorter than the cutoff is filled up with items that
    are not relevant, so that a query without results, or with nothing relevant, scores 0.

    Reference: Buckley and Voorhees, trec_eval, measure P_avgjg of qrels_jg.
    """
    total = ranked.total(P(cutoff=cutoff, rel=rel).score(ranked.groups))
    return np.minimum(total / np.diff(ranked.group_offsets), 1.0)  # averaged ties are rounded


@measure(bounds=(0, 1), averages_ties=True, at="times", trec_eval="Rprec_mult_avgjg_{times}")
def RprecMultGroups(ranked: GroupedRankings, *, times: Times = 1.0, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over judges of the precision at a multiple of the relevant items of each.

    $$\frac{1}{n} \sum_{j=1}^{n} \mathrm{P}_j@c_j, \quad c_j = \lfloor x R_j + 0.9 \rfloor$$

    where $R_j$ counts the items that judge $j$ finds relevant and $x$ is `times`; 1 gives
    R-precision. A judge whose $c_j$ is 0 counts as 0, as in trec_eval. If no judge finds anything
    relevant, `Rules.empty` says what the query scores, 0 by default. A query without results
    scores 0.

    Reference: Buckley and Voorhees, trec_eval, measure Rprec_mult_avgjg of qrels_jg.
    """
    return _average_judges(ranked, RprecMult(times=times, rel=rel).score(ranked.groups), rel)


def _average_judges(ranked: GroupedRankings, values: FloatArray, rel: float) -> FloatArray:
    """Return the mean over judges, 0 for one without a value; NaN if no judge finds anything."""
    total = ranked.total(np.where(np.isnan(values), 0.0, values))
    some = ranked.total(find_relevant(ranked.groups, rel).pool) > 0
    return np.where(some, np.minimum(total / np.diff(ranked.group_offsets), 1.0), np.nan)
