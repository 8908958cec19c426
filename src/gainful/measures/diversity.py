"""Novelty and diversity over subtopics: alpha-nDCG, ERR-IA, NRBP and their kin."""

from typing import Annotated

import numpy as np

from gainful.alignment import GroupedRankings
from gainful.base import FloatArray, Setting, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._discounts import Discount
from gainful.measures._novelty import (
    Novelty,
    Weights,
    compute_power_weights,
    compute_reciprocal_weights,
)

LOG2, RANK = (
    compute_reciprocal_weights(Discount("log2")),
    compute_reciprocal_weights(Discount("reciprocal")),
)
# The greedy ranking reaches at least 1 - 1/e of the best at every depth, so that no ranking gains
# more than e / (e - 1) times as much.
GREEDY = (0, 1.582)

Scale = Annotated[
    str,
    Setting(
        "what the sum is divided by",
        choices={
            "most": "the most that any collection allows: every item covers every subtopic",
            "none": "nothing",
        },
    ),
]


@measure(bounds=(0, 1))
def alpha_DCG(
    ranked: GroupedRankings,
    *,
    cutoff: s.TabledCutoff,
    alpha: s.Redundancy = 0.5,
    rel: s.Rel = 1.0,
    scale: Scale = "most",
) -> FloatArray:
    r"""Discounted gain where items gain less for subtopics that items above them cover.

    $$\alpha\text{-DCG}@k = \frac{\sum_{i=1}^{k} G_i / \log_2(i + 1)}
    {m \sum_{i=1}^{k} (1 - \alpha)^{i-1} / \log_2(i + 1)}, \quad
    G_i = \sum_{t \in T(i)} (1 - \alpha)^{c_t(i)}$$

    where $T(i)$ are the subtopics that the item at rank $i$ is relevant for, $c_t(i)$ counts the
    items above it that are relevant for $t$, and $m$ counts the subtopics with relevant items.
    A query without results scores 0; ranks below the last item gain nothing. A query with no
    relevant item divides by zero: `Rules.empty` says what it scores, 0 by default.

    The divisor is that of ndeval, the tool of the TREC Web Track. `scale=none` leaves it out, as
    in the paper. ndeval forgets to divide at cutoff 1 and reports the plain sum there.

    Reference: Clarke et al., Novelty and diversity in information retrieval evaluation,
    SIGIR 2008.
    """
    novelty = Novelty.build(ranked, alpha=alpha, rel=rel)
    if scale == "none":
        return np.where(novelty.n_subtopics > 0, novelty.total(LOG2, cutoff), np.nan)
    return _divide_by_most(novelty, LOG2, cutoff)


@measure(bounds=GREEDY)
def alpha_nDCG(
    ranked: GroupedRankings,
    *,
    cutoff: s.Cutoff = None,
    alpha: s.Redundancy = 0.5,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Discounted gain of new subtopics as a share of that of a greedily made best ranking.

    $$\alpha\text{-nDCG}@k = \frac{\sum_{i=1}^{k} G_i / \log_2(i + 1)}
    {\sum_{i=1}^{k} G^*_i / \log_2(i + 1)}$$

    where $G_i$ is as for alpha_DCG and $G^*_i$ the same for the ideal ranking. To find the
    best ranking is NP-complete. The ideal takes at every rank the judged item that gains most, and
    among equals the one with the highest id, as ndeval does; a ranking can beat it, so that the
    value can exceed 1 a little. A query with no relevant item divides by zero: `Rules.empty` says
    what it scores, 0 by default. A query without results scores 0.

    With an `alpha` that binary fractions cannot hold, such as 0.3, sums that are equal on paper can
    differ by rounding, and then decide between equals.

    Reference: Clarke et al., 2008.
    """
    return _divide_by_best(Novelty.build(ranked, alpha=alpha, rel=rel), LOG2, cutoff)


@measure(bounds=(0, 1))
def ERR_IA(
    ranked: GroupedRankings,
    *,
    cutoff: s.TabledCutoff,
    alpha: s.Redundancy = 0.5,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Expected reciprocal rank, averaged over subtopics, scaled to reach 1.

    $$\text{ERR-IA}@k = \frac{\sum_{i=1}^{k} G_i / i}{m \sum_{i=1}^{k} (1 - \alpha)^{i-1} / i}$$

    where $G_i$ and $m$ are as for alpha_DCG. A reader of a subtopic who meets a relevant item stops
    there with probability `alpha`. A query without results scores 0. A query with no relevant item
    divides by zero: `Rules.empty` says what it scores, 0 by default.

    The divisor is that of ndeval; Chapelle et al. report $\frac{\alpha}{m} \sum_i G_i / i$. ndeval
    forgets to divide at cutoff 1 and reports the plain sum there.

    Reference: Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009.
    """
    return _divide_by_most(Novelty.build(ranked, alpha=alpha, rel=rel), RANK, cutoff)


@measure(bounds=GREEDY)
def nERR_IA(
    ranked: GroupedRankings,
    *,
    cutoff: s.Cutoff = None,
    alpha: s.Redundancy = 0.5,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Expected reciprocal rank over subtopics as a share of that of a greedily made best ranking.

    $$\text{nERR-IA}@k = \frac{\sum_{i=1}^{k} G_i / i}{\sum_{i=1}^{k} G^*_i / i}$$

    where $G_i$ and $G^*_i$ are as for alpha_nDCG, edge cases too.

    Reference: Chapelle et al., 2009; Clarke et al., A comparative analysis of cascade measures for
    novelty and diversity, WSDM 2011.
    """
    return _divide_by_best(Novelty.build(ranked, alpha=alpha, rel=rel), RANK, cutoff)


@measure(bounds=(0, 1))
def NRBP(
    ranked: GroupedRankings,
    *,
    alpha: s.Redundancy = 0.5,
    beta: s.Patience = 0.5,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Rank-biased precision where items gain less for subtopics that items above them cover.

    $$\text{NRBP} = \frac{1 - (1 - \alpha) \beta}{m} \sum_{i \ge 1} \beta^{i-1} G_i$$

    where $G_i$ and $m$ are as for alpha_DCG, and `beta` is the patience of the reader. A query
    without results scores 0. A query with no relevant item divides by zero: `Rules.empty` says
    what it scores, 0 by default.

    Reference: Clarke et al., An effectiveness measure for ambiguous and underspecified queries,
    ICTIR 2009.
    """
    novelty = Novelty.build(ranked, alpha=alpha, rel=rel)
    scaled = novelty.total(compute_power_weights(beta)) * (1 - (1 - alpha) * beta)
    return np.minimum(ragged.divide(scaled, novelty.n_subtopics, empty=np.nan), 1.0)


@measure(bounds=GREEDY)
def nNRBP(
    ranked: GroupedRankings,
    *,
    alpha: s.Redundancy = 0.5,
    beta: s.Patience = 0.5,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""NRBP as a share of that of a greedily made best ranking.

    $$\text{nNRBP} = \frac{\sum_{i \ge 1} \beta^{i-1} G_i}{\sum_{i \ge 1} \beta^{i-1} G^*_i}$$

    where $G_i$ and $G^*_i$ are as for alpha_nDCG, edge cases too.

    Reference: Clarke et al., 2009.
    """
    return _divide_by_best(
        Novelty.build(ranked, alpha=alpha, rel=rel), compute_power_weights(beta), None
    )


def _divide_by_most(novelty: Novelty, weights: Weights, cutoff: int) -> FloatArray:
    most = novelty.maximum_total(weights, cutoff)
    share = ragged.divide(novelty.total(weights, cutoff), most, empty=np.nan)
    # Both sums are rounded; a hair's breadth must not lift a ranking above what is possible.
    return np.minimum(share, 1.0)


def _divide_by_best(novelty: Novelty, weights: Weights, cutoff: int | None) -> FloatArray:
    best = novelty.best_total(weights, cutoff)
    return ragged.divide(novelty.total(weights, cutoff), best, empty=np.nan)
