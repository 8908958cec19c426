"""Formula: a sum of gains over discounts, and the best that the sum could be."""

from dataclasses import dataclass

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures._discounts import Discount
from gainful.measures._gains import Gain
from gainful.ragged import ENDLESS, BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings

NONE = Discount("none")
_DEEPEST_ONES = 1 << 24


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
        gain, terms = self.gains(ranked.hit_label), self._terms_in_order(ranked)
        if not ranked.average_ties:
            return terms
        return np.where(ranked.hit_tie_size > 1, gain * self._mean_weight(ranked), terms)

    def total(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms, in rank order.

        An averaged tie is added as a whole, which rounds less; a tie among equals is added in
        order, since any order gives the same.
        """
        terms = self._terms_in_order(ranked)
        if ranked.average_ties and len(terms):
            gain = self.gains(ranked.hit_label)
            start, block, mixed = _tie_blocks(ranked, gain)
            whole = ragged.sums(gain, block, len(start)) * self._mean_weight(ranked)[start]
            terms[mixed[block]] = 0.0
            terms[start[mixed]] = whole[mixed]
        return self._finite(ranked.total(terms))

    def bottom(self, ranked: JudgedRankings) -> IntArray:
        """The last rank of each query that counts."""
        return np.minimum(self._cutoff, ranked.n_retrieved)

    def best(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms if it were ranked perfectly."""
        depth = self.ideal_bottom(ranked)
        if self.ideal == "ones":
            return self._ones(depth)
        if self.ideal == "list":
            self._check_list(ranked)
            # Of an averaged tie of equals that depth cuts through, as many as fit.
            listed = ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query]
            label, owner = ranked.hit_label[listed], ranked.hit_query[listed]
            offsets = np.searchsorted(owner, np.arange(ranked.n_queries + 1))
        else:
            label, owner, offsets = ranked.pool_label, ranked.pool_query, ranked.pool_offsets
        # By gain, not by label: a gain table need not rise with the label.
        gain, rank = ragged.descending(self.gains(label), owner), ragged.positions(offsets)
        # A perfect ranking leaves out what would lower its sum.
        counts = (gain > 0) & (rank <= depth[owner])
        divisor = self.discount.divisors(int(rank[counts].max(initial=1)))
        terms = gain[counts] / divisor[rank[counts]]
        return self._finite(ragged.sums(terms, owner[counts], ranked.n_queries))

    def ideal_bottom(self, ranked: JudgedRankings) -> IntArray:
        """The last rank of each query's perfect ranking."""
        cutoff = ENDLESS if self.ideal_depth == "all" else self._cutoff
        depth = np.full(ranked.n_queries, cutoff)
        endless = self.ideal == "ones" and cutoff == ENDLESS
        bounded = self.ideal_depth == "retrieved" or self.ideal == "list" or endless
        return np.minimum(depth, ranked.n_retrieved) if bounded else depth

    def share(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms over the best it could be; NaN where that is nothing."""
        share = ragged.divide(self.total(ranked), self.best(ranked), empty=np.nan)
        # Who returns nothing where there was something to gain has earned 0, whatever the ideal.
        gainful = ranked.pool_total(self.gains(ranked.pool_label) > 0) > 0
        share[gainful & (ranked.n_retrieved == 0)] = 0.0
        # Both sums are rounded; a hair's breadth must not lift a ranking above the perfect one.
        return share if self.ideal == "ones" else np.minimum(share, 1.0)

    @property
    def _cutoff(self) -> int:
        return ENDLESS if self.cutoff is None else min(self.cutoff, ENDLESS)

    def _terms_in_order(self, ranked: JudgedRankings) -> FloatArray:
        gain, bottom = self.gains(ranked.hit_label), self.bottom(ranked)[ranked.hit_query]
        rank = np.minimum(ranked.hit_rank, bottom)
        divisor = self.discount.divisors(int(rank.max(initial=1)))
        return gain / divisor[rank] * (ranked.hit_rank <= bottom)

    def _mean_weight(self, ranked: JudgedRankings) -> FloatArray:
        """The mean of 1/divisor over the ranks of each hit's tie block, 0 below the cutoff."""
        first, size = ranked.hit_tie_first, ranked.hit_tie_size
        last = np.minimum(first + size - 1, self.bottom(ranked)[ranked.hit_query])
        return self.discount.weights(first, last) / size

    def _ones(self, depth: IntArray) -> FloatArray:
        deepest = int(depth.max(initial=1))
        if deepest > _DEEPEST_ONES:
            message = f"ideal=ones: cutoff must be at most {_DEEPEST_ONES:,}, got {deepest:,}."
            raise MeasureError(message)
        return self.discount.running(deepest)[depth]

    def _check_list(self, ranked: JudgedRankings) -> None:
        """Refuse to average over which tied items the list holds: its ideal would vary too."""
        last = ranked.hit_tie_first + ranked.hit_tie_size - 1
        cut = last > ranked.n_retrieved[ranked.hit_query]
        if not ranked.average_ties or not cut.any():
            return
        _, block, mixed = _tie_blocks(ranked, self.gains(ranked.hit_label))
        if (cut & mixed[block]).any():
            message = (
                "ideal=list: has no exact average where depth cuts through a tie, "
                "got ties=average. Pass another --ties, or no --depth."
            )
            raise MeasureError(message)

    def _finite(self, sums: FloatArray) -> FloatArray:
        if not np.isfinite(sums).all():
            message = f"gain {self.gain}: must add up to finite numbers, got infinity."
            raise MeasureError(message)
        return sums


def _tie_blocks(ranked: JudgedRankings, gain: FloatArray) -> tuple[IntArray, IntArray, BoolArray]:
    """Where each tie block begins, the block of each hit, and whether its order matters."""
    start, block = ragged.blocks(ranked.hit_query, ranked.hit_tie_first)
    low, high = np.minimum.reduceat(gain, start), np.maximum.reduceat(gain, start)
    # Unjudged items gain nothing, so they are the equals of hits that gain nothing.
    all_judged = np.diff(start, append=len(gain)) == ranked.hit_tie_size[start]
    equals = (low == high) & (all_judged | (low == 0))
    return start, block, ~equals
