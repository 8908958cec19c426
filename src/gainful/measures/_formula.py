"""Formula: a sum of gains over discounts, and the best that the sum could be."""

from dataclasses import dataclass

import numpy as np

from gainful import ragged
from gainful.measures._discounts import Discount
from gainful.measures._gains import Gain
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings

NONE = Discount("none")
_ENDLESS = np.iinfo(np.int64).max


@dataclass(frozen=True, kw_only=True)
class Formula:
    """The settings of a cumulative-gain measure, and what they make of a ranking.

    The measures return its sums and ``explain`` shows its terms: there is no second formula.
    """

    gain: Gain
    negatives: str
    rel: float
    cutoff: int | None = None
    discount: Discount = NONE
    ideal: str = "judged"
    ideal_depth: str = "cutoff"
    normalised: bool = False

    def gains(self, label: FloatArray) -> FloatArray:
        """The gain of each label."""
        return self.gain.of(label, rel=self.rel, negatives=self.negatives)

    def terms(self, ranked: JudgedRankings) -> FloatArray:
        """What each hit adds: its gain over the divisor of its rank, 0 below the cutoff.

        Where ties are averaged, a tied item stands on each rank of its block equally often.
        """
        gain, bottom = self.gains(ranked.hit_label), self.bottom(ranked)[ranked.hit_query]
        rank = np.minimum(ranked.hit_rank, bottom)
        divisor = self.discount.divisors(int(rank.max(initial=1)))
        terms = gain / divisor[rank] * (ranked.hit_rank <= bottom)
        if not ranked.average_ties:
            return terms
        first, size = ranked.hit_tie_first, ranked.hit_tie_size
        weight = self.discount.weights(first, np.minimum(first + size - 1, bottom)) / size
        return np.where(_mixed(ranked, gain), gain * weight, terms)

    def bottom(self, ranked: JudgedRankings) -> IntArray:
        """The last rank of each query that counts."""
        return np.minimum(_ENDLESS if self.cutoff is None else self.cutoff, ranked.n_retrieved)

    def total(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms, in rank order."""
        return ranked.total(self.terms(ranked))

    def best(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms if it were ranked perfectly."""
        depth = self.ideal_bottom(ranked)
        if self.ideal == "ones":
            return self.discount.weights(np.ones_like(depth), depth)
        if self.ideal == "list":
            label, owner, offsets = ranked.hit_label, ranked.hit_query, ranked.hit_offsets
        else:
            label, owner, offsets = ranked.pool_label, ranked.pool_query, ranked.pool_offsets
        # By gain, not by label: a gain table need not rise with the label.
        gain, rank = ragged.descending(self.gains(label), owner), ragged.positions(offsets)
        # A perfect ranking leaves out what would lower its sum.
        counts = (gain > 0) & (rank <= depth[owner])
        divisor = self.discount.divisors(int(rank[counts].max(initial=1)))
        return ragged.sums(gain[counts] / divisor[rank[counts]], owner[counts], ranked.n_queries)

    def ideal_bottom(self, ranked: JudgedRankings) -> IntArray:
        """The last rank of each query's perfect ranking."""
        cutoff = _ENDLESS if self.cutoff is None or self.ideal_depth == "all" else self.cutoff
        depth = np.full(ranked.n_queries, cutoff)
        endless = self.ideal == "ones" and cutoff == _ENDLESS
        if self.ideal_depth == "retrieved" or self.ideal == "list" or endless:
            # One rank at least: no results gain nothing of something, not nothing of nothing.
            depth = np.minimum(depth, np.maximum(ranked.n_retrieved, 1))
        return depth

    def share(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms over the best it could be."""
        share = ragged.divide(self.total(ranked), self.best(ranked), empty=ranked.undefined)
        # Both sums are rounded; a hair's breadth must not lift a ranking above the perfect one.
        return share if self.ideal == "ones" else np.minimum(share, 1.0)


def _mixed(ranked: JudgedRankings, gain: FloatArray) -> BoolArray:
    """Whether each hit is tied with an item of another gain, so that their order matters."""
    first, size, query = ranked.hit_tie_first, ranked.hit_tie_size, ranked.hit_query
    new = np.ones(len(gain), dtype=np.bool_)
    new[1:] = (first[1:] != first[:-1]) | (query[1:] != query[:-1])
    if not len(gain):
        return new
    start, block = np.flatnonzero(new), np.cumsum(new) - 1
    judged = np.diff(start, append=len(gain)) == size[start]
    same = np.minimum.reduceat(gain, start) == np.maximum.reduceat(gain, start)
    mixed: BoolArray = ~(judged & same)[block]
    return mixed
