"""Formula: a sum of gains over discounts, and the highest possible sum."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.alignment import JudgedRankings, Reach
from gainful.base import ENDLESS, FloatArray, IntArray, cached_property, ragged
from gainful.errors import MeasureError
from gainful.measures._discounts import Discount, make_divisor_table
from gainful.measures._gains import (
    Gain,
    GainsAtRanks,
    compute_gains,
    find_tie_blocks,
    has_cut_ties,
    is_fully_listed,
    rank_all_items,
    rank_gainful_items,
)

NONE = Discount("none")
_DEEPEST_ONES = 1 << 24
_REMEMBERED = 16
_DENSE = 0.75  # the share of terms above which those that add nothing are added as well


@dataclass(frozen=True, kw_only=True)
class Formula:
    """The settings of a cumulative-gain measure, applied to rankings.

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
    rounding: str = "none"
    normalized: bool = False

    def gains(self, label: FloatArray) -> FloatArray:
        """Return the gain of each label."""
        gain = self.gain.apply(label, rel=self.rel, negatives=self.negatives)
        return ragged.round_to_float32(gain) if self.rounding == "float32_gains" else gain

    def terms(self, ranked: JudgedRankings) -> FloatArray:
        """Return the term of each hit: its gain over the divisor of its rank, 0 below the cutoff.

        Where ties are averaged, a tied item stands on each rank of its block equally often.
        """
        gain, bottom = (
            self._compute_gains(ranked, "hit_label"),
            self.bottom(ranked)[ranked.hit_query],
        )
        terms = self._divide_by_discount(gain, ranked.hit_rank)
        terms[ranked.hit_rank > bottom] = 0.0
        if not ranked.average_ties:
            return terms
        first, size = ranked.hit_tie_first, ranked.hit_tie_size
        return np.where(size > 1, gain * self._compute_mean_weight(first, size, bottom), terms)

    def dcg(self, ranked: JudgedRankings) -> FloatArray:
        """Return the sum of each query's terms, added in rank order.

        An averaged tie is added as a whole, which rounds less; a tie among equals is added in
        order, since any order gives the same.
        """
        if self.rounding == "hundredths":
            query = ranked.hit_query
            return self._sum_hundredths(
                GainsAtRanks(self.terms(ranked), ranked.hit_rank, query), ranked
            )
        if ranked.average_ties and ranked.has_ties:
            return self._compute_tie_averaged_dcg(ranked)
        bottom: int | IntArray = ENDLESS if self.cutoff is None else min(self.cutoff, ENDLESS)
        if (ranked.average_ties or ranked.shared_ranks) and ranked.overhangs:
            bottom = self.bottom(ranked)
        return self._sum_terms(self._compute_terms(ranked, ideal=False), bottom, ranked)

    def _compute_tie_averaged_dcg(self, ranked: JudgedRankings) -> FloatArray:
        hits = self._select_hits(ranked, ranked.hit_tie_first)
        gain = self._compute_gains(ranked, "hit_label")[hits]
        terms = self._divide_by_discount(gain, ranked.hit_rank[hits])
        self._average_ties(terms, gain, ranked, hits)
        return self._check_finite(
            ragged.sum_by_query(terms, ranked.hit_query[hits], ranked.n_queries)
        )

    def bottom(self, ranked: JudgedRankings) -> IntArray:
        """Return the last rank of each query that counts."""
        return np.minimum(self._cutoff, ranked.n_retrieved)

    def ideal_dcg(self, ranked: JudgedRankings) -> FloatArray:
        """Return the sum of each query's terms if it were ranked perfectly."""
        depth = self.ideal_bottom(ranked)
        if self.ideal == "ones":
            return self._sum_ones(depth)
        terms = self._compute_terms(ranked, ideal=True)
        if self.rounding == "hundredths":
            return self._sum_hundredths(terms.cut(depth), ranked)
        bottom = int(depth[0]) if len(depth) and (depth == depth[0]).all() else depth
        return self._sum_terms(terms, bottom, ranked)

    def ideal_bottom(self, ranked: JudgedRankings) -> IntArray:
        """Return the last rank of each query's perfect ranking."""
        cutoff = ENDLESS
        if self.ideal_depth != "all" and self.cutoff is not None:
            cutoff = min(self.cutoff, ENDLESS)
        depth = np.full(len(ranked.queries), cutoff)
        endless = self.ideal == "ones" and cutoff == ENDLESS
        bounded = self.ideal_depth == "retrieved" or self.ideal == "list" or endless
        return np.minimum(depth, ranked.n_retrieved) if bounded else depth

    def share(self, ranked: JudgedRankings) -> FloatArray:
        """Return each query's sum over the highest possible sum; NaN if that is 0."""
        dcg, best = self.dcg(ranked), self.ideal_dcg(ranked)
        share = ragged.divide(dcg, best, empty=np.nan)
        if self.rounding == "hundredths":  # as both are, so that whole numbers are divided
            dcg, best = np.rint(100.0 * dcg), np.rint(100.0 * best)
            share = np.floor(ragged.divide(100.0 * dcg, best, empty=np.nan)) / 100.0
        if self.ideal != "judged" or self.ideal_depth == "retrieved":
            nothing = ranked.n_retrieved == 0
            if nothing.any():
                # A query without results scores 0 if anything could be gained, for any ideal.
                gainful = ranked.pool_total(self._compute_gains(ranked, "pool_label") > 0) > 0
                share[gainful & nothing] = 0.0
        if self.above_one == "clip" and self.ideal != "ones":
            # Both sums are rounded, which must not lift a ranking above the perfect one.
            share = np.minimum(share, 1.0)
        return ragged.round_to_decimals(share, 5 if self.rounding == "decimals5" else None)

    @property
    def clips(self) -> bool:
        """True if no share is above 1: gains of more than 1 may be, over an ideal of ones."""
        return self.above_one == "clip" and self.ideal != "ones"

    @cached_property
    def reach(self) -> Reach | None:
        """The part of the ranking and of the perfect one that matters; None if any rank may."""
        deep = self.ideal_depth == "all" or self.ideal_order == "given"
        if self.cutoff is None or deep or not self.gain.rises:
            return None
        return Reach(self.cutoff, self.ideal == "list", self.negatives == "error")

    @property
    def _cutoff(self) -> int:
        return ENDLESS if self.cutoff is None else min(self.cutoff, ENDLESS)

    def _compute_gains(self, ranked: JudgedRankings, attribute: str) -> FloatArray:
        """Return the gains of all hits or judged items."""
        memo, key = self._open_memo(ranked, attribute)
        gains: FloatArray | None = memo.get(key)
        if gains is None:
            label: FloatArray = getattr(ranked, attribute)
            gains = label
            is_usual = label.min(initial=0.0) >= 0 and label.max(initial=0.0) < np.inf
            if self.gain.name != "linear" or not is_usual:
                gains = compute_gains(
                    ranked, attribute, self.gain, rel=self.rel, negatives=self.negatives
                )
            if self.rounding == "float32_gains":
                gains = ragged.round_to_float32(gains)
            memo[key] = gains
        return gains

    def _compute_terms(self, ranked: JudgedRankings, *, ideal: bool) -> GainsAtRanks:
        """Return the term of each hit, or of each item of the perfect ranking, at any rank."""
        kind = ("ideal", self.ideal, self.ideal_order) if ideal else ("hits",)
        memo, key = self._open_memo(ranked, *kind, self.discount.name, self.discount.base)
        terms: GainsAtRanks | None = memo.get(key)
        if terms is None:
            if ideal:
                gain, rank, query = self._rank_ideal(ranked)
            else:
                gain, rank = self._compute_gains(ranked, "hit_label"), ranked.hit_rank
                query = ragged.find_owners(ranked.hit_offsets)
            if np.count_nonzero(gain) < _DENSE * len(gain):
                chosen = np.flatnonzero(gain)  # to add nothing changes no sum
                gain, rank, query = gain[chosen], rank[chosen], query[chosen]
            terms = memo[key] = GainsAtRanks(self._divide_by_discount(gain, rank), rank, query)
        return terms

    def _open_memo(
        self, ranked: JudgedRankings, *parts: Hashable
    ) -> tuple[dict[Hashable, Any], tuple[Hashable, ...]]:
        """Return the memo that measures of these rankings share, and the key of one entry."""
        memo = vars(ranked).setdefault("memo", {})  # ranked.memo, which few rankings have yet
        gains_memo: dict[Hashable, Any] = memo.setdefault("gains", {})
        gain = self.gain
        key = parts, gain.name, gain.table, self.negatives, self.rel, self.rounding
        if len(gains_memo) >= _REMEMBERED and key not in gains_memo:
            gains_memo.clear()
        return gains_memo, key

    def _rank_ideal(self, ranked: JudgedRankings) -> GainsAtRanks:
        """Return the perfect ranking; the best order omits items that would lower its sum."""
        perfect = self._rank_listed(ranked) if self.ideal == "list" else self._rank_judged(ranked)
        if self.ideal_order != "best" or perfect.gain.min(initial=0.0) >= 0:
            return perfect
        return perfect._replace(gain=np.maximum(perfect.gain, 0.0))

    def _sum_terms(
        self, terms: GainsAtRanks, bottom: int | IntArray, ranked: JudgedRankings
    ) -> FloatArray:
        """Return the sum of each query's terms down to a rank."""
        if not isinstance(bottom, int) or bottom < terms.rank.max(initial=0):
            terms = terms.cut(bottom)
        sums = ragged.sum_by_query(terms.gain, terms.query, len(ranked.queries))
        return sums if np.isfinite(sums).all() else self._check_finite(sums)

    def _sum_hundredths(self, terms: GainsAtRanks, ranked: JudgedRankings) -> FloatArray:
        """Return the sum of each query's terms, those below the first rank cut to two decimals."""
        hundredths = 100.0 * terms.gain
        hundredths = np.where(terms.rank > 1, np.floor(hundredths), hundredths)
        return ragged.sum_by_query(hundredths, terms.query, ranked.n_queries) / 100.0

    def _select_hits(self, ranked: JudgedRankings, place: IntArray) -> slice | IntArray:
        """Return the hits whose place is not below the last rank that counts."""
        if ranked.overhangs:
            return np.flatnonzero(place <= self.bottom(ranked)[ranked.hit_query])
        return slice(None) if self.cutoff is None else np.flatnonzero(place <= self._cutoff)

    def _divide_by_discount(self, gain: FloatArray, rank: IntArray) -> FloatArray:
        deepest = max(16, 1 << (int(rank.max(initial=1)) - 1).bit_length())  # for few tables
        divisor = make_divisor_table(self.discount.name, self.discount.base, deepest)[rank]
        return np.divide(gain, divisor, out=divisor)

    def _average_ties(
        self, terms: FloatArray, gain: FloatArray, ranked: JudgedRankings, hits: slice | IntArray
    ) -> None:
        """Move the sum of each tie whose order matters to its first hit."""
        tied = np.flatnonzero(ranked.hit_tie_size[hits] > 1)
        tied_hits = tied if isinstance(hits, slice) else hits[tied]
        query, rank, bottom = (
            ranked.hit_query[tied_hits],
            ranked.hit_rank[tied_hits],
            self.bottom(ranked),
        )
        first, size = ranked.hit_tie_first[tied_hits], ranked.hit_tie_size[tied_hits]
        start, block, mixed = find_tie_blocks(query, first, size, gain[tied])
        block_gain, start_mixed = (
            ragged.sum_by_query(gain[tied], block, len(start))[mixed],
            start[mixed],
        )
        is_below = rank > (bottom[query] if ranked.overhangs else self._cutoff)
        terms[tied[mixed[block] | is_below]] = 0.0
        weight = self._compute_mean_weight(
            first[start_mixed], size[start_mixed], bottom[query[start_mixed]]
        )
        terms[tied[start_mixed]] = block_gain * weight

    def _compute_mean_weight(self, first: IntArray, size: IntArray, bottom: IntArray) -> FloatArray:
        """Return the mean of 1/divisor over the ranks of tie blocks, 0 below the last one."""
        return self.discount.weights(first, np.minimum(first + size - 1, bottom)) / size

    def _rank_judged(self, ranked: JudgedRankings) -> GainsAtRanks:
        """Return the perfect ranking of all judged items."""
        query = ragged.find_owners(ranked.pool_offsets)
        gain = self._compute_gains(
            ranked, "pool_given" if self.ideal_order == "given" else "pool_label"
        )
        if self.gain.table and self.ideal_order in ("best", "gain"):
            # By gain, not by label: a gain table need not rise with the label.
            gain = ragged.sort_descending(gain, query)
        # Where every judged item is a hit, and nothing else is, the hits have the same ranks.
        has_hit_ranks = ranked.is_pool_retrieved and not ranked.shared_ranks
        has_hit_ranks = has_hit_ranks and np.array_equal(ranked.hit_offsets, ranked.pool_offsets)
        rank = ranked.hit_rank if has_hit_ranks else ragged.find_positions(ranked.pool_offsets)
        return GainsAtRanks(gain, rank, query)

    def _rank_listed(self, ranked: JudgedRankings) -> GainsAtRanks:
        """Return the perfect ranking of the items that the run returned."""
        self._check_list(ranked)
        if is_fully_listed(ranked, unjudged_last=self.ideal_order == "best"):
            return self._rank_judged(ranked)
        gain = self._compute_gains(ranked, "hit_label")
        if self.ideal_order == "best":
            return rank_gainful_items(ranked, gain)
        return rank_all_items(
            ranked, gain, ranked.hit_label if self.ideal_order == "label" else gain
        )

    def _sum_ones(self, depth: IntArray) -> FloatArray:
        return self.discount.compute_running_sums(int(depth.max(initial=1)))[
            self._check_ones_depth(depth)
        ]

    def _check_ones_depth(self, depth: IntArray) -> IntArray:
        deepest = int(depth.max(initial=1))
        if deepest > _DEEPEST_ONES:
            message = f"ideal=ones: cutoff must be at most {_DEEPEST_ONES:,}, got {deepest:,}."
            raise MeasureError(message, code="bad-setting")
        return depth

    def _check_list(self, ranked: JudgedRankings) -> None:
        """Refuse ideals that a list cannot have: the order of the qrels, averages of cut ties."""
        if self.ideal_order == "given":
            message = (
                "ideal_order=given: has the order of the qrels, got ideal=list. Pass ideal=judged."
            )
            raise MeasureError(message, code="bad-setting")
        if has_cut_ties(ranked, self._compute_gains(ranked, "hit_label")):
            message = (
                "ideal=list: has no exact average where depth cuts through a tie, "
                "got ties=average. Pass another --ties, or no --depth."
            )
            raise MeasureError(message, code="no-exact-average")

    def _check_finite(self, sums: FloatArray) -> FloatArray:
        if np.isfinite(sums).all():
            return sums
        message = f"gain {self.gain}: must add up to finite numbers, got infinity."
        raise MeasureError(message, code="infinite-gain")
