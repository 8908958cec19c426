"""The blended ratio of precision and cumulative gain, at every relevant item of a ranking."""

from typing import NamedTuple

import numpy as np

from gainful.errors import MeasureError
from gainful.measures._gains import Gain
from gainful.measures._progress import check_sums, ideal_order, progress
from gainful.measures._relevance import Relevant, relevant
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.settings import text_of


class Blend(NamedTuple):
    """What the blended ratio is made of, for each relevant item that the run returned.

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
        """The blended ratio at the rank of each relevant item."""
        return self._over_ideal(self.relevant.nth, self.gained, beta)

    def ratio_alone(self, beta: float) -> FloatArray:
        """The same as if each item were the only one that the run returned."""
        return self._over_ideal(np.ones_like(self.relevant.nth), self.gain, beta)

    def _over_ideal(self, count: IntArray, gained: FloatArray, beta: float) -> FloatArray:
        if beta == 0:
            return count / self.relevant.rank
        with np.errstate(over="ignore"):
            bottom = self.relevant.rank + beta * self.ideal
        if not np.isfinite(bottom).all():
            message = "beta: times the gain of the best ranking must be finite, got infinity."
            raise MeasureError(message, code="infinite-gain")
        # Both sums are rounded; a hair's breadth must not lift a ranking above the perfect one.
        return np.minimum((count + beta * gained) / bottom, 1.0)


def blend(ranked: JudgedRankings, gain: Gain, rel: float) -> Blend:
    """What the blended ratio is made of; worked out once for all measures that ask.

    Items that are not relevant gain nothing.
    """
    key = ("blend", gain, rel)
    if key not in ranked.memo:
        found = relevant(ranked, rel)
        own = worth(gain, ranked.hit_label[found.hit], rel)
        pool, owner = pool_worth(ranked, gain, rel)
        best = progress(*ideal_order(pool, owner, ranked.n_queries))
        gained = progress(own, found.offsets).total
        ideal = best.after(found.rank, found.query)
        ranked.memo[key] = Blend(found, own, gained, ideal)
    blended: Blend = ranked.memo[key]
    return blended


def pool_worth(
    ranked: JudgedRankings, gain: Gain, rel: float, *, named: str = "gain"
) -> tuple[FloatArray, IntArray]:
    """What each relevant item that is judged is worth, and the query of each.

    It must not be less than nothing, nor add up to infinity.
    """
    chosen = np.flatnonzero(ranked.pool_label >= rel)
    pool, owner = worth(gain, ranked.pool_label[chosen], rel), ranked.pool_query[chosen]
    if pool.min(initial=0.0) < 0:
        below = text_of(float(pool.min()))
        message = f"{named} {gain}: must be at least 0 for every relevant label, got {below}."
        raise MeasureError(message, code="refused-label")
    check_sums(gain, pool, owner, named=named)
    return pool, owner


def worth(gain: Gain, label: FloatArray, rel: float) -> FloatArray:
    """What each label of a relevant item is worth."""
    return gain.of(label, rel=rel, negatives="zero")
