"""Measures of precision and gain in one: Q-measure and O-measure."""

import numpy as np

from gainful import ragged
from gainful.measures import _settings as s
from gainful.measures._blending import blend
from gainful.measures._declare import measure
from gainful.measures._gains import Gain
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings

LINEAR = Gain("linear")


@measure(bounds=(0, 1), also=("QMeasure",))
def Q(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    beta: s.Blend = 1.0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Average precision that also rewards gain: the mean blended ratio at the relevant items.

    $$\mathrm{Q}@k = \frac{1}{\min(k, R)} \sum_{i=1}^{k} [l_i \ge rel]\,
    \frac{C(i) + \beta\, \mathrm{cg}(i)}{i + \beta\, \mathrm{cg}^*(i)}$$

    where $C(i)$ is the number of relevant items down to rank $i$, $\mathrm{cg}(i)$ the gain of the
    ranking down to there, $\mathrm{cg}^*(i)$ that of the best possible ranking, and $R$ the number
    of relevant items that are judged. Without a cutoff the divisor is $R$.

    Moving a better item up by one rank never lowers it; moving an item past a better one can. With
    `beta=0` it is average precision. Relevant items that were not returned count as 0, and so
    does a query without results. Items below `rel` gain nothing. Where nothing is relevant,
    `Rules.empty` says what it scores, 0 by default. NTCIREVAL's `-g 1:2:3` is
    `gain={1: 1, 2: 2, 3: 3}`; it multiplies every ratio by a rounded $1/R$, so that its last digits
    differ, and even a perfect ranking may miss 1 by them.

    Reference: Sakai, New performance metrics based on multigrade relevance: their application to
    question answering, NTCIR-4, 2004. Cutoff: Sakai and Song, Evaluating diversified search results
    using per-intent graded relevance, SIGIR 2011.
    """
    blended = blend(ranked, gain, rel)
    found, ratio = blended.relevant, blended.ratio(beta)
    most = found.pool
    if cutoff is not None:
        ratio, most = np.where(found.rank <= cutoff, ratio, 0.0), np.minimum(most, cutoff)
    total = ragged.sums(ratio, found.query, ranked.n_queries)
    return ragged.divide(total, most, empty=np.nan)


@measure(bounds=(0, 1), also=("OMeasure",))
def O(  # noqa: E743 - it is what the field calls it
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    gain: s.Gain = LINEAR,
    beta: s.Blend = 1.0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Blended ratio at the first relevant item: reciprocal rank that also rewards its gain.

    $$\mathrm{O} = \frac{1 + \beta\, g(l_f)}{f + \beta\, \mathrm{cg}^*(f)}$$

    where $f$ is the rank of the first relevant item, $g(l_f)$ its gain and $\mathrm{cg}^*(f)$ the
    gain of the best possible ranking down to that rank. It is for users who stop at the first
    relevant item, whatever its label.

    With `beta=0` it is the reciprocal rank. A query with no relevant item above the cutoff, or
    without results, scores 0. Where nothing is relevant, `Rules.empty` says what it scores, 0 by
    default.

    Reference: Sakai, On the properties of evaluation metrics for finding one highly relevant
    document, IPSJ Transactions on Databases 48 (SIG 9), 2007.
    """
    blended = blend(ranked, gain, rel)
    found = blended.relevant
    first = found.nth == 1
    if cutoff is not None:
        first &= found.rank <= cutoff
    value = ragged.sums(
        np.where(first, blended.ratio_alone(beta), 0.0), found.query, ranked.n_queries
    )
    return np.where(found.pool > 0, value, np.nan)
