"""Measures of precision and gain in one: Q-measure and O-measure."""

from typing import NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, format_setting, ragged
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._gains import Gain
from gainful.measures._relevance import (
    Relevant,
    check_sums,
    compute_running_sums,
    find_relevant,
    sort_ideal_gains,
)


class Blend(NamedTuple):
    """The parts of the blended ratio, for each relevant item that the run returned.

    Attributes:
        relevant: Those items.
        gain: The gain of each.
        gained: The gain of the ranking down to each.
        ideal: The gain of the best possible ranking down to the same rank.
    """

    relevant: Relevant
    gain: FloatArray
    gained: FloatArray
    ideal: FloatArray

    def ratio(self, beta: float) -> FloatArray:
        """Return the blended ratio at the rank of each relevant item."""
        return self._divide_by_ideal(self.relevant.nth, self.gained, beta)

    def ratio_alone(self, beta: float) -> FloatArray:
        """Return the blended ratio of each relevant item if the run had returned it alone."""
        return self._divide_by_ideal(np.ones_like(self.relevant.nth), self.gain, beta)

    def _divide_by_ideal(self, count: IntArray, gained: FloatArray, beta: float) -> FloatArray:
        if beta == 0:
            return count / self.relevant.rank
        with np.errstate(over="ignore"):
            bottom = self.relevant.rank + beta * self.ideal
        if not np.isfinite(bottom).all():
            message = "beta: times the gain of the best ranking must be finite, got infinity."
            raise MeasureError(message, code="infinite-gain")
        # Both sums are rounded; a hair's breadth must not lift a ranking above the perfect one.
        return np.minimum((count + beta * gained) / bottom, 1.0)


def compute_blend(ranked: JudgedRankings, gain: Gain, rel: float) -> Blend:
    """Return the parts of the blended ratio, computed once for all measures.

    Items that are not relevant gain nothing.
    """
    key = ("blend", gain, rel)
    if key not in ranked.memo:
        relevant = find_relevant(ranked, rel)
        gain_of_hits = compute_relevant_gains(gain, ranked.hit_label[relevant.hit], rel)
        pool, owner = compute_pool_gains(ranked, gain, rel)
        best = compute_running_sums(*sort_ideal_gains(pool, owner, ranked.n_queries))
        gained = compute_running_sums(gain_of_hits, relevant.offsets).total
        ideal = best.sum_first(relevant.rank, relevant.query)
        ranked.memo[key] = Blend(relevant, gain_of_hits, gained, ideal)
    blended: Blend = ranked.memo[key]
    return blended


def compute_pool_gains(
    ranked: JudgedRankings, gain: Gain, rel: float, *, setting: str = "gain"
) -> tuple[FloatArray, IntArray]:
    """Return the gain of each judged relevant item, and the query of each.

    Gains must not be negative, nor add up to infinity.
    """
    chosen = np.flatnonzero(ranked.pool_label >= rel)
    pool, owner = (
        compute_relevant_gains(gain, ranked.pool_label[chosen], rel),
        ranked.pool_query[chosen],
    )
    if pool.min(initial=0.0) < 0:
        below = format_setting(float(pool.min()))
        message = f"{setting} {gain}: must be at least 0 for every relevant label, got {below}."
        raise MeasureError(message, code="refused-label")
    check_sums(gain, pool, owner, setting=setting)
    return pool, owner


def compute_relevant_gains(gain: Gain, label: FloatArray, rel: float) -> FloatArray:
    """Return the gain of each label of a relevant item."""
    return gain.apply(label, rel=rel, negatives="zero")


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
    blended = compute_blend(ranked, gain, rel)
    relevant, ratio = blended.relevant, blended.ratio(beta)
    divisor = relevant.pool
    if cutoff is not None:
        ratio, divisor = np.where(relevant.rank <= cutoff, ratio, 0.0), np.minimum(divisor, cutoff)
    total = ragged.sum_by_query(ratio, relevant.query, ranked.n_queries)
    return ragged.divide(total, divisor, empty=np.nan)


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
    blended = compute_blend(ranked, gain, rel)
    relevant = blended.relevant
    first = relevant.nth == 1
    if cutoff is not None:
        first &= relevant.rank <= cutoff
    value = ragged.sum_by_query(
        np.where(first, blended.ratio_alone(beta), 0.0), relevant.query, ranked.n_queries
    )
    return np.where(relevant.pool > 0, value, np.nan)
