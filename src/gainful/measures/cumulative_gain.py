"""Cumulative gain and what is made of it: CG, nCG, DCG, IDCG, nDCG, MSnDCG, SDCG."""

from functools import partial

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray
from gainful.measures import _settings as s
from gainful.measures._cwl import Gains, Patience, score_patient_users
from gainful.measures._declare import measure
from gainful.measures._discounts import Discount
from gainful.measures._formula import Formula
from gainful.measures._gains import Gain

LINEAR, LOG2 = Gain("linear"), Discount("log2")


@measure(averages_ties=True, monotone=True, formula=Formula)
def CG(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""Sum of the gains of the retrieved items, wherever they stand.

    $$\mathrm{CG}@k = \sum_{i=1}^{k} g(l_i)$$

    where $l_i$ is the label of the item at rank $i$ and $g$ the gain. Swapping two items above
    the cutoff does not change it. A query without results scores 0.

    Reference: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques,
    ACM TOIS 20(4), 2002.
    """
    return Formula(cutoff=cutoff, gain=gain, negatives=negatives, rel=rel).dcg(ranked)


@measure(
    bounds=(0, 1), averages_ties=True, monotone=True, formula=partial(Formula, normalized=True)
)
def nCG(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    ideal: s.Ideal = "judged",
    ideal_depth: s.IdealDepth = "cutoff",
    ideal_order: s.IdealOrder = "best",
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
    above_one: s.AboveOne = "clip",
    rounding: s.Rounding = "none",
) -> FloatArray:
    r"""Cumulative gain as a share of the cumulative gain of the best possible ranking.

    $$\mathrm{nCG}@k = \frac{\mathrm{CG}@k}{\mathrm{ICG}@k}$$

    With a binary gain and no cutoff it is recall. A query with nothing to gain divides by zero:
    `Rules.empty` says what it scores, 0 by default.

    Reference: Järvelin and Kekäläinen, 2002.
    """
    return Formula(
        cutoff=cutoff,
        gain=gain,
        ideal=ideal,
        ideal_depth=ideal_depth,
        ideal_order=ideal_order,
        negatives=negatives,
        rel=rel,
        above_one=above_one,
        rounding=rounding,
    ).share(ranked)


@measure(averages_ties=True, monotone=True, trec_eval="dcg", formula=Formula)
def DCG(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    discount: s.Discount = LOG2,
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
    rounding: s.Rounding = "none",
) -> FloatArray:
    r"""Sum of the gains of the retrieved items, each divided by the discount of its rank.

    $$\mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g(l_i)}{d(i)}$$

    where $d(i) = \log_2(i + 1)$ unless another discount is set. Moving a better item up never
    lowers it. A query without results scores 0.

    Two formulations are in use and both are called DCG: linear gain (Järvelin and Kekäläinen;
    trec_eval, scikit-learn) and exponential gain `gain=exp2` (Burges et al., Learning to rank
    using gradient descent, ICML 2005; LightGBM, XGBoost). They agree on binary labels.
    Järvelin and Kekäläinen's own discount, which leaves the first ranks alone, is
    `discount=jk(2)`.

    Reference: Järvelin and Kekäläinen, 2002.
    """
    return Formula(
        cutoff=cutoff,
        gain=gain,
        discount=discount,
        negatives=negatives,
        rel=rel,
        rounding=rounding,
    ).dcg(ranked)


@measure(averages_ties=True, trec_eval="ideal_dcg", higher_is_better=False)
def IDCG(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    discount: s.Discount = LOG2,
    ideal: s.Ideal = "judged",
    ideal_depth: s.IdealDepth = "cutoff",
    ideal_order: s.IdealOrder = "best",
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
    rounding: s.Rounding = "none",
) -> FloatArray:
    r"""DCG of the best possible ranking: what nDCG divides by.

    $$\mathrm{IDCG}@k = \sum_{i=1}^{k} \frac{g_{(i)}}{d(i)}$$

    where $g_{(1)} \ge g_{(2)} \ge \dots$ are the positive gains of the judged items. It does not
    depend on the run unless `ideal` or `ideal_depth` make it. A query with nothing to gain has 0.
    """
    return Formula(
        cutoff=cutoff,
        gain=gain,
        discount=discount,
        ideal=ideal,
        ideal_depth=ideal_depth,
        ideal_order=ideal_order,
        negatives=negatives,
        rel=rel,
        rounding=rounding,
    ).ideal_dcg(ranked)


@measure(
    bounds=(0, 1),
    averages_ties=True,
    monotone=True,
    trec_eval=("ndcg", "ndcg_cut_{cutoff}"),
    formula=partial(Formula, normalized=True),
)
def nDCG(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    discount: s.Discount = LOG2,
    ideal: s.Ideal = "judged",
    ideal_depth: s.IdealDepth = "cutoff",
    ideal_order: s.IdealOrder = "best",
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
    above_one: s.AboveOne = "clip",
    rounding: s.Rounding = "none",
) -> FloatArray:
    r"""DCG as a share of the DCG of the best possible ranking.

    $$\mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}$$

    1 means that no other ranking could do better. A query with nothing to gain divides by zero:
    `Rules.empty` says what it scores, 0 by default. The base of the logarithm cancels, except in
    `jk(b)`.

    The best ranking is made of all judged items, retrieved or not, as in trec_eval. Tools that
    only see the retrieved items (scikit-learn, LightGBM, XGBoost) use `ideal=list` and report
    higher values. Negative labels gain nothing; `gain=signed_exp2` punishes them, and can make the
    value negative.

    Reference: Järvelin and Kekäläinen, 2002. Ties: McSherry and Najork, ECIR 2008.
    """
    return Formula(
        cutoff=cutoff,
        gain=gain,
        discount=discount,
        ideal=ideal,
        ideal_depth=ideal_depth,
        ideal_order=ideal_order,
        negatives=negatives,
        rel=rel,
        above_one=above_one,
        rounding=rounding,
    ).share(ranked)


@measure(
    bounds=(0, 1),
    averages_ties=True,
    monotone=True,
    formula=partial(Formula, normalized=True, discount=LOG2, negatives="zero"),
)
def MSnDCG(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""nDCG by the name that NTCIREVAL has for its Microsoft version.

    $$\mathrm{MSnDCG}@k = \frac{\sum_{i=1}^{k} g(l_i) / \log(i + 1)}
    {\sum_{i=1}^{k} g_{(i)} / \log(i + 1)}$$

    The base of the logarithm cancels, so that it is the same as nDCG with the same gain, and is
    here to be found by its name. NTCIREVAL's `-g 1:2:3` is `gain={1: 1, 2: 2, 3: 3}`; Burges et al.
    have `gain=exp2`. What NTCIREVAL itself calls nDCG is `nDCG(discount=jk(b))`, where `b` is its
    `--logb`, 2 unless set.

    A query without results scores 0. A query with nothing to gain divides by zero: `Rules.empty`
    says what it scores, 0 by default.

    Reference: Burges et al., Learning to rank using gradient descent, ICML 2005.
    """
    return Formula(
        cutoff=cutoff, gain=gain, discount=LOG2, negatives="zero", rel=rel, normalized=True
    ).share(ranked)


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def SDCG(
    ranked: JudgedRankings,
    *,
    cutoff: s.TabledCutoff,
    discount: s.Discount = LOG2,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Scaled DCG: the share of the DCG that items of gain 1 on all first ranks would have.

    $$\mathrm{SDCG}@k = \sum_{i=1}^{k} \frac{g_i}{d(i)} \Big/ \sum_{i=1}^{k} \frac{1}{d(i)}$$

    for gains from 0 to 1 and $d(i) = \log_2(i + 1)$ unless another discount is set. nDCG divides
    by the best that the judged items allow; this by the best there could ever be, so that it is
    defined for every query. A query without results, or with nothing relevant, scores 0. A
    ranking shorter than the cutoff loses what it might have gained. Averaged ties are exact.

    In C/W/L the user goes on from rank $i$ with a chance of $d(i) / d(i + 1)$ and stops at $k$.
    cwl-eval calls it NDCG-k, ir_measures SDCG.

    Reference: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques,
    ACM TOIS 20(4), 2002, for DCG; Azzopardi, Thomas and Moffat, cwl_eval, SIGIR 2019.
    """
    gain = Gains(owner="SDCG", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    deepest = min(cutoff, int(ranked.n_retrieved.max(initial=1)))
    first = discount.divisors(1)[1]
    # The first rank is always looked at.
    views = np.append(0.0, first / discount.divisors(deepest)[1 : deepest + 1])
    looks = float(discount.compute_running_sums(cutoff)[cutoff] * first)
    return score_patient_users(ranked, gain, value, Patience(views, looks, cutoff))
