"""SDCG: DCG as a share of what perfect items on all ranks would have."""

import numpy as np

from gainful.measures import _settings as s
from gainful.measures._cwl import Gains, Patience, by_patience
from gainful.measures._declare import measure
from gainful.measures._discounts import Discount
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings

LOG2 = Discount("log2")


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
    gain = Gains(owner="SDCG", rel=rel, min_rel=min_rel, max_rel=max_rel).of_hits(ranked)
    deepest = min(cutoff, int(ranked.n_retrieved.max(initial=1)))
    first = discount.divisors(1)[1]
    # The first rank is always looked at.
    seen = np.append(0.0, first / discount.divisors(deepest)[1 : deepest + 1])
    looks = float(discount.running(cutoff)[cutoff] * first)
    return by_patience(ranked, gain, value, Patience(seen, looks, cutoff))
