"""Formula: a sum of gains over discounts, and the best that the sum could be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures import _placed
from gainful.measures._arithmetic import Arithmetic
from gainful.measures._discounts import Discount
from gainful.measures._gains import Gain, gains_of
from gainful.measures._placed import Placed, judged, tie_blocks
from gainful.measures._rounding import Rounding
from gainful.ragged import ENDLESS, FloatArray, IntArray
from gainful.rankings import JudgedRankings, Reach
from gainful.records import Record

NONE, PLAIN = Discount("none"), Arithmetic()
_DEEPEST_ONES = 1 << 24
_REMEMBERED = 16
_DENSE = 0.75  # the share of terms above which those that add nothing are added as well


@dataclass(eq=False, repr=False, kw_only=True)
class Formula(Record):
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
    ideal_order: str = "best"
    above_one: str = "clip"
    arithmetic: Arithmetic = PLAIN
    normalised: bool = False

    def gains(self, label: FloatArray) -> FloatArray:
        """The gain of each label."""
        return self._precise(self.gain.of(label, rel=self.rel, negatives=self.negatives))

    def _precise(self, gain: FloatArray) -> FloatArray:
        single = self.arithmetic.how("precision") == "float32_gains"
        return ragged.single(gain) if single else gain

    def terms(self, ranked: JudgedRankings) -> FloatArray:
        """What each hit adds: its gain over the divisor of its rank, 0 below the cutoff.

        Where ties are averaged, a tied item stands on each rank of its block equally often.
        """
        gain, bottom = self._gains(ranked, "hit_label"), self.bottom(ranked)[ranked.hit_query]
        terms = self._over_divisors(gain, ranked.hit_rank)
        terms[ranked.hit_rank > bottom] = 0.0
        if not ranked.average_ties:
            return terms
        first, size = ranked.hit_tie_first, ranked.hit_tie_size
        return np.where(size > 1, gain * self._mean_weight(first, size, bottom), terms)

    def total(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms, in rank order.

        An averaged tie is added as a whole, which rounds less; a tie among equals is added in
        order, since any order gives the same.
        """
        if not self.arithmetic.plain_sums:
            return self._finite(self._rounded(ranked))
        if not (ranked.average_ties and ranked.has_ties):
            bottom = self.bottom(ranked) if ranked.overhangs else self._cutoff
            return self._finite(self._earned(ranked).above(bottom, ranked.n_queries))
        hits = self._counted(ranked, ranked.hit_tie_first)
        gain = self._gains(ranked, "hit_label")[hits]
        terms = self._over_divisors(gain, ranked.hit_rank[hits])
        self._average_ties(terms, gain, ranked, hits)
        return self._finite(ragged.sums(terms, ranked.hit_query[hits], ranked.n_queries))

    def bottom(self, ranked: JudgedRankings) -> IntArray:
        """The last rank of each query that counts."""
        return np.minimum(self._cutoff, ranked.n_retrieved)

    def best(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms if it were ranked perfectly."""
        depth = self.ideal_bottom(ranked)
        if not self.arithmetic.plain_sums:
            return self._finite(self._rounded_best(ranked, depth))
        if self.ideal == "ones":
            return self._ones(depth)
        bottom = int(depth[0]) if len(depth) and (depth == depth[0]).all() else depth
        return self._finite(self._deserved(ranked).above(bottom, ranked.n_queries))

    def ideal_bottom(self, ranked: JudgedRankings) -> IntArray:
        """The last rank of each query's perfect ranking."""
        cutoff = ENDLESS if self.ideal_depth == "all" else self._cutoff
        depth = np.full(ranked.n_queries, cutoff)
        endless = self.ideal == "ones" and cutoff == ENDLESS
        bounded = self.ideal_depth == "retrieved" or self.ideal == "list" or endless
        return np.minimum(depth, ranked.n_retrieved) if bounded else depth

    def share(self, ranked: JudgedRankings) -> FloatArray:
        """The sum of each query's terms over the best it could be; NaN where that is nothing."""
        share = self._shares(ranked)
        nothing = ranked.n_retrieved == 0
        if nothing.any() and (self.ideal != "judged" or self.ideal_depth == "retrieved"):
            # Who returns nothing where there was something to gain has earned 0, for any ideal.
            gainful = ranked.pool_total(self._gains(ranked, "pool_label") > 0) > 0
            share[gainful & nothing] = 0.0
        # Both sums are rounded; a hair's breadth must not lift a ranking above the perfect one.
        share = np.minimum(share, 1.0) if self.clips else share
        return self._rounding.value(share) if self.arithmetic.words else share

    @property
    def clips(self) -> bool:
        """Whether no share is above 1: gains of more than 1 may be, over an ideal of ones."""
        return self.above_one == "clip" and self.ideal != "ones"

    @property
    def reach(self) -> Reach | None:
        """How far the ranking matters, and the perfect one; None if any rank may."""
        deep = self.ideal_depth == "all" or self.ideal_order == "given"
        if self.cutoff is None or deep or not self.gain.rises:
            return None
        reach = self._rounding.reach(self.cutoff, listed=self.ideal == "list")
        return None if reach is None else reach._replace(unsigned=self.negatives == "error")

    @property
    def _rounding(self) -> Rounding:
        return Rounding(self.arithmetic, self.discount)

    def _shares(self, ranked: JudgedRankings) -> FloatArray:
        if self.arithmetic.plain_sums:
            return ragged.divide(self.total(ranked), self.best(ranked), empty=np.nan)
        best = self.best(ranked)
        if not self._rounding.by_terms:
            return self._rounding.share(self.total(ranked), best)
        return np.where(best == 0, np.nan, self._rounded(ranked, best))

    def _rounded(self, ranked: JudgedRankings, unit: FloatArray | None = None) -> FloatArray:
        """The sum of each query's terms in an arithmetic that is not plain."""
        gain = self._gains(ranked, "hit_label")
        return self._rounding.earned(ranked, gain, self.bottom(ranked), unit)

    def _rounded_best(self, ranked: JudgedRankings, depth: IntArray) -> FloatArray:
        """The same for the perfect ranking."""
        if self.ideal == "ones":
            each, place = np.unique(self._ones_depth(depth), return_inverse=True)
            rank, offsets = ragged.spans(np.ones_like(each), each)
            ones = Placed(np.ones(len(rank)), rank, ragged.owners(offsets))
            return self._rounding.deserved(ones, each, each)[place]
        perfect = self._perfect(ranked)
        size = ranked.n_retrieved if self.ideal == "list" else perfect.last(ranked.n_queries)
        return self._rounding.deserved(perfect, depth, size)

    @property
    def _cutoff(self) -> int:
        return ENDLESS if self.cutoff is None else min(self.cutoff, ENDLESS)

    def _gains(self, ranked: JudgedRankings, of: str) -> FloatArray:
        """The gains of all hits or judged items."""
        how: Any = {"rel": self.rel, "negatives": self.negatives}
        gains: FloatArray = self._kept(
            ranked, of, lambda: self._precise(gains_of(ranked, of, self.gain, **how))
        )
        return gains

    def _earned(self, ranked: JudgedRankings) -> Placed:
        """What each hit adds, wherever it stands."""
        terms: Placed = self._kept(
            ranked,
            ("earned", self.discount),
            lambda: self._terms(
                self._gains(ranked, "hit_label"), ranked.hit_rank, ranked.hit_query
            ),
        )
        return terms

    def _deserved(self, ranked: JudgedRankings) -> Placed:
        """What each item of the perfect ranking adds."""
        terms: Placed = self._kept(
            ranked,
            ("deserved", self.ideal, self.ideal_order, self.discount),
            lambda: self._terms(*self._perfect(ranked)),
        )
        return terms

    def _perfect(self, ranked: JudgedRankings) -> Placed:
        """The perfect ranking; in the best order it leaves out what would lower its sum."""
        if self.ideal == "list":
            placed = self._listed(ranked)
        else:
            placed = judged(ranked, self._judged(ranked))
        if self.ideal_order != "best" or placed.gain.min(initial=0.0) >= 0:
            return placed
        return placed._replace(gain=np.maximum(placed.gain, 0.0))

    def _terms(self, gain: FloatArray, rank: IntArray, query: IntArray) -> Placed:
        if np.count_nonzero(gain) < _DENSE * len(gain):
            chosen = np.flatnonzero(gain)  # to add nothing changes no sum
            gain, rank, query = gain[chosen], rank[chosen], query[chosen]
        return Placed(self._over_divisors(gain, rank), rank, query)

    def _kept(self, ranked: JudgedRankings, what: object, worked_out: Callable[[], Any]) -> Any:
        """What was worked out before with the same gains, kept for the next measure."""
        known: dict[object, Any] = ranked.memo.setdefault("gains", {})
        key = (what, self.gain, self.negatives, self.rel, self.arithmetic.how("precision"))
        value = known.get(key)
        if value is None:
            value = worked_out()
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = value
        return value

    def _counted(self, ranked: JudgedRankings, place: IntArray) -> slice | IntArray:
        """The hits whose place is not below the last rank that counts."""
        if ranked.overhangs:
            return np.flatnonzero(place <= self.bottom(ranked)[ranked.hit_query])
        return slice(None) if self.cutoff is None else np.flatnonzero(place <= self._cutoff)

    def _over_divisors(self, gain: FloatArray, rank: IntArray) -> FloatArray:
        divisor = self.discount.divisors(int(rank.max(initial=1)))[rank]
        return np.divide(gain, divisor, out=divisor)

    def _average_ties(
        self, terms: FloatArray, gain: FloatArray, ranked: JudgedRankings, hits: slice | IntArray
    ) -> None:
        """Let the first hit of each tie whose order matters stand for all of them."""
        tied = np.flatnonzero(ranked.hit_tie_size[hits] > 1)
        own = tied if isinstance(hits, slice) else hits[tied]
        query, rank, bottom = ranked.hit_query[own], ranked.hit_rank[own], self.bottom(ranked)
        first, size = ranked.hit_tie_first[own], ranked.hit_tie_size[own]
        start, block, mixed = tie_blocks(query, first, size, gain[tied])
        whole, start_mixed = ragged.sums(gain[tied], block, len(start))[mixed], start[mixed]
        below = rank > (bottom[query] if ranked.overhangs else self._cutoff)
        terms[tied[mixed[block] | below]] = 0.0
        weight = self._mean_weight(
            first[start_mixed], size[start_mixed], bottom[query[start_mixed]]
        )
        terms[tied[start_mixed]] = whole * weight

    def _mean_weight(self, first: IntArray, size: IntArray, bottom: IntArray) -> FloatArray:
        """The mean of 1/divisor over the ranks of tie blocks, 0 below the last that counts."""
        return self.discount.weights(first, np.minimum(first + size - 1, bottom)) / size

    def _judged(self, ranked: JudgedRankings) -> FloatArray:
        """The gains of all judged items, each query's in the order of the perfect ranking."""
        if self.ideal_order == "given":
            return self._gains(ranked, "pool_given")
        gain = self._gains(ranked, "pool_label")
        # By gain, not by label: a gain table need not rise with the label.
        by_gain = self.gain.table and self.ideal_order != "label"
        return ragged.descending(gain, ranked.pool_query) if by_gain else gain

    def _listed(self, ranked: JudgedRankings) -> Placed:
        """The perfect ranking of the items that the run returned."""
        self._check_list(ranked)
        if _placed.all_listed(ranked, unjudged_last=self.ideal_order == "best"):
            return judged(ranked, self._judged(ranked))
        gain = self._gains(ranked, "hit_label")
        if self.ideal_order == "best":
            return _placed.gainful_of_list(ranked, gain)
        return _placed.all_of_list(
            ranked, gain, ranked.hit_label if self.ideal_order == "label" else gain
        )

    def _ones(self, depth: IntArray) -> FloatArray:
        return self.discount.running(int(depth.max(initial=1)))[self._ones_depth(depth)]

    def _ones_depth(self, depth: IntArray) -> IntArray:
        deepest = int(depth.max(initial=1))
        if deepest > _DEEPEST_ONES:
            message = f"ideal=ones: cutoff must be at most {_DEEPEST_ONES:,}, got {deepest:,}."
            raise MeasureError(message, code="bad-setting")
        return depth

    def _check_list(self, ranked: JudgedRankings) -> None:
        """Refuse what a list does not tell: the order of the qrels, the average over its ties."""
        if self.ideal_order == "given":
            message = (
                "ideal_order=given: has the order of the qrels, got ideal=list. Pass ideal=judged."
            )
            raise MeasureError(message, code="bad-setting")
        if _placed.cuts_ties(ranked, self._gains(ranked, "hit_label")):
            message = (
                "ideal=list: has no exact average where depth cuts through a tie, "
                "got ties=average. Pass another --ties, or no --depth."
            )
            raise MeasureError(message, code="no-exact-average")

    def _finite(self, sums: FloatArray) -> FloatArray:
        if np.isfinite(sums).all():
            return sums
        message = f"gain {self.gain}: must add up to finite numbers, got infinity."
        raise MeasureError(message, code="infinite-gain")
