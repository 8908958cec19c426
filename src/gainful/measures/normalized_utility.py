"""Normalized cumulative utility: what users have gained by the relevant item they stop at."""

import math
from functools import lru_cache
from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import BoolArray, FloatArray, IntArray, Setting, ragged
from gainful.measures import _gains
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._gains import Gain
from gainful.measures._relevance import Relevant, find_relevant
from gainful.measures.blended import compute_blend, compute_pool_gains, compute_relevant_gains

LINEAR = Gain("linear")

Stop = Annotated[_gains.Gain, Setting("how likely users stop at a label, compared with others")]
StopOrGain = Annotated[
    _gains.Gain | None,
    Setting("how likely users stop at a label, compared with others; as the gain if not set"),
]


@measure(bounds=(0, 1))
def Pmeasure(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    beta: s.Blend = 1.0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Blended ratio at the preferred rank, where the first of the best returned items stands.

    $$\mathrm{P} = \mathrm{BR}(p) =
    \frac{C(p) + \beta\, \mathrm{cg}(p)}{p + \beta\, \mathrm{cg}^*(p)}$$

    where $p$ is the rank of the first item that has the highest label in the ranking, $C(p)$ the
    number of relevant items down to there, $\mathrm{cg}(p)$ their gain and $\mathrm{cg}^*(p)$
    that of the best possible ranking. It is for users who look for one highly relevant item. It is
    not monotone: a better item further down moves the preferred rank there.

    A query with no relevant item above the cutoff, or without results, scores 0. Where nothing is
    relevant, `Rules.empty` says what it scores, 0 by default.

    Reference: Sakai, On the properties of evaluation metrics for finding one highly relevant
    document, IPSJ Transactions on Databases 48 (SIG 9), 2007.
    """
    blended = compute_blend(ranked, gain, rel)
    relevant = blended.relevant
    last = relevant.rank == _find_preferred_rank(ranked, relevant, cutoff)[relevant.query]
    value = ragged.sum_by_query(blended.ratio(beta) * last, relevant.query, ranked.n_queries)
    return np.where(relevant.pool > 0, value, np.nan)


@measure(bounds=(0, 1), also=("PPlusMeasure",))
def Pplus(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    beta: s.Blend = 1.0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Mean blended ratio of the relevant items down to the preferred rank, written P+.

    $$\mathrm{P}^+ = \frac{1}{C(p)} \sum_{i=1}^{p} [l_i \ge rel]\, \mathrm{BR}(i)$$

    where $p$ is the rank of the first item that has the highest label in the ranking, $C(p)$ the
    number of relevant items down to there, and $\mathrm{BR}$ the blended ratio as in Pmeasure.
    Users are as likely to stop at any of these items, and none goes further.

    A query with no relevant item above the cutoff, or without results, scores 0. Where nothing is
    relevant, `Rules.empty` says what it scores, 0 by default.

    Reference: Sakai, Bootstrap-based comparisons of IR metrics for finding one relevant document,
    AIRS 2006.
    """
    blended = compute_blend(ranked, gain, rel)
    relevant = blended.relevant
    passed = relevant.rank <= _find_preferred_rank(ranked, relevant, cutoff)[relevant.query]
    total = ragged.sum_by_query(blended.ratio(beta) * passed, relevant.query, ranked.n_queries)
    value = ragged.divide(total, _count_chosen(passed, relevant), empty=0.0)
    return np.where(relevant.pool > 0, value, np.nan)


@measure(bounds=(0, 1))
def NCUguP(ranked: JudgedRankings, *, stop: Stop = LINEAR, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision at the item where users stop, who prefer to stop at better labels.

    $$\mathrm{NCU}_{gu,P} = \sum_i [l_i \ge rel]\, \frac{s(l_i)}{\sum_j s(l_j)} \cdot
    \frac{C(i)}{i}$$

    where $s$ is the stop value of a label, $j$ runs over all relevant items that are judged, and
    $C(i)$ is the number of relevant items down to rank $i$. The name stands for normalized
    cumulative utility with graded-uniform stopping and precision. With `stop=binary` it is average
    precision.

    Relevant items that were not returned count as 0, and so does a query without results. Where
    nothing is relevant, or no label has a stop value, `Rules.empty` says what it scores, 0 by
    default. NTCIREVAL's `-s 1:2:3` is `stop={1: 1, 2: 2, 3: 3}`.

    Reference: Sakai and Robertson, Modelling a user population for designing information retrieval
    metrics, EVIA 2008.
    """
    relevant = find_relevant(ranked, rel)
    return _average_graded_uniform(ranked, relevant, relevant.nth / relevant.rank, stop, rel)


@measure(bounds=(0, 1))
def NCUguBR(
    ranked: JudgedRankings,
    *,
    gain: s.Gain = LINEAR,
    stop: StopOrGain = None,
    beta: s.Blend = 1.0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Blended ratio at the item where users stop, who prefer to stop at better labels.

    $$\mathrm{NCU}_{gu,BR} = \sum_i [l_i \ge rel]\, \frac{s(l_i)}{\sum_j s(l_j)} \cdot
    \mathrm{BR}(i)$$

    where $s$ is the stop value of a label, $j$ runs over all relevant items that are judged, and
    $\mathrm{BR}$ is the blended ratio as in Pmeasure. With `stop=binary` it is Q, with `beta=0`
    NCUguP.

    Relevant items that were not returned count as 0, and so does a query without results. Where
    nothing is relevant, or no label has a stop value, `Rules.empty` says what it scores, 0 by
    default. NTCIREVAL's `-g 1:2:3 -s 1:1:2` is
    `gain={1: 1, 2: 2, 3: 3}, stop={1: 1, 2: 1, 3: 2}`.

    Reference: Sakai and Robertson, 2008.
    """
    blended = compute_blend(ranked, gain, rel)
    stop = gain if stop is None else stop
    return _average_graded_uniform(ranked, blended.relevant, blended.ratio(beta), stop, rel)


@measure(bounds=(0, 1))
def NCUrbP(ranked: JudgedRankings, *, gamma: s.Gamma = 0.95, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision at the item where users stop, who prefer to stop at early relevant items.

    $$\mathrm{NCU}_{rb,P} = \sum_i [l_i \ge rel]\,
    \frac{\gamma^{C(i) - 1}}{\sum_{n=1}^{R} \gamma^{n-1}} \cdot \frac{C(i)}{i}$$

    where $C(i)$ is the number of relevant items down to rank $i$ and $R$ that of all that are
    judged. The name stands for normalized cumulative utility with rank-biased stopping and
    precision. With `gamma=1` it is average precision, with `gamma=0` the reciprocal rank.

    Relevant items that were not returned count as 0, and so does a query without results. Where
    nothing is relevant, `Rules.empty` says what it scores, 0 by default.

    Reference: Sakai and Robertson, 2008.
    """
    relevant = find_relevant(ranked, rel)
    return _average_rank_biased(relevant, relevant.nth / relevant.rank, gamma)


@measure(bounds=(0, 1))
def NCUrbBR(
    ranked: JudgedRankings,
    *,
    gain: s.Gain = LINEAR,
    gamma: s.Gamma = 0.95,
    beta: s.Blend = 1.0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Blended ratio at the item where users stop, who prefer to stop at early relevant items.

    $$\mathrm{NCU}_{rb,BR} = \sum_i [l_i \ge rel]\,
    \frac{\gamma^{C(i) - 1}}{\sum_{n=1}^{R} \gamma^{n-1}} \cdot \mathrm{BR}(i)$$

    where $C(i)$ is the number of relevant items down to rank $i$, $R$ that of all that are judged,
    and $\mathrm{BR}$ the blended ratio as in Pmeasure. With `gamma=1` it is Q, with `gamma=0` O,
    with `beta=0` NCUrbP.

    Relevant items that were not returned count as 0, and so does a query without results. Where
    nothing is relevant, `Rules.empty` says what it scores, 0 by default.

    Reference: Sakai and Robertson, 2008.
    """
    blended = compute_blend(ranked, gain, rel)
    return _average_rank_biased(blended.relevant, blended.ratio(beta), gamma)


def _find_preferred_rank(
    ranked: JudgedRankings, relevant: Relevant, cutoff: int | None
) -> IntArray:
    """Return the rank of each query's first item with the highest label above the cutoff, or 0."""
    label = ranked.hit_label[relevant.hit]
    if cutoff is not None:
        label = np.where(relevant.rank <= cutoff, label, 0.0)
    best = np.zeros(ranked.n_queries)
    np.maximum.at(best, relevant.query, label)
    candidates = np.flatnonzero((label > 0) & (label == best[relevant.query]))
    preferred = np.zeros(ranked.n_queries, dtype=np.int64)
    # Backwards, so that the first of several is the one that stays.
    preferred[relevant.query[candidates[::-1]]] = relevant.rank[candidates[::-1]]
    return preferred


def _count_chosen(chosen: BoolArray, relevant: Relevant) -> FloatArray:
    return ragged.sum_by_query(chosen, relevant.query, len(relevant.pool))


def _average_graded_uniform(
    ranked: JudgedRankings, relevant: Relevant, utility: FloatArray, stop: Gain, rel: float
) -> FloatArray:
    """Return the mean utility of users whose chance to stop depends on the label."""
    likely = compute_relevant_gains(stop, ranked.hit_label[relevant.hit], rel)
    whole = ragged.sum_by_query(
        *compute_pool_gains(ranked, stop, rel, setting="stop"), ranked.n_queries
    )
    total = ragged.sum_by_query(likely * utility, relevant.query, ranked.n_queries)
    # The sums are rounded in the order of their ranks.
    return np.minimum(ragged.divide(total, whole, empty=np.nan), 1.0)


def _average_rank_biased(relevant: Relevant, utility: FloatArray, gamma: float) -> FloatArray:
    """Return the mean utility of users whose chance to stop is a power of gamma."""
    highest = int(relevant.pool.max(initial=1.0))
    power, running = _compute_powers(gamma, max(16, 1 << (highest - 1).bit_length()))
    total = ragged.sum_by_query(power[relevant.nth] * utility, relevant.query, len(relevant.pool))
    return ragged.divide(total, running[relevant.pool.astype(np.intp)], empty=np.nan)


@lru_cache(maxsize=16)
def _compute_powers(gamma: float, highest: int) -> tuple[FloatArray, FloatArray]:
    """Return gamma to the power of n - 1, and the sum of these powers up to n, at index n."""
    # From libm, one by one: the last bit of NumPy's vector power depends on the CPU.
    power = np.array([0.0, *(math.pow(gamma, n) for n in range(highest))])
    return power, np.cumsum(power)
