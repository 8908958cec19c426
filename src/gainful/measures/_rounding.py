"""Rounding: sums of gains over discounts in the arithmetic of some tool, to the last bit."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures._additions import Matrix, row_sums
from gainful.measures._arithmetic import Arithmetic
from gainful.measures._discounts import Discount
from gainful.measures._placed import Placed
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.records import Record

_MOST = 1 << 28  # ranks that are written out, those that gain nothing too


@dataclass(eq=False, repr=False)
class Rounding(Record):
    """How the terms of a discount are worked out, added up and divided."""

    arithmetic: Arithmetic
    discount: Discount

    def earned(
        self,
        ranked: JudgedRankings,
        gain: FloatArray,
        bottom: IntArray,
        unit: FloatArray | None = None,
    ) -> FloatArray:
        """The sum of each ranking's terms; as shares of a unit, if there is one.

        Args:
            ranked: The rankings.
            gain: What each hit gains.
            bottom: The last rank of each query that counts.
            unit: What each query's terms are divided by.
        """
        how, averaged = self.arithmetic.how, ranked.average_ties and ranked.has_ties
        length = ranked.n_retrieved if how("ranks") == "whole" else bottom
        in_blocks = np.full(ranked.n_queries, bool(how("worth")))
        if averaged:
            # Query by query: one without ties must score the same alone and beside one with some.
            in_blocks[ranked.hit_query[ranked.hit_tie_size > 1]] = True
        placed = Placed(gain, ranked.hit_rank, ranked.hit_query)
        if not in_blocks.any():
            return self._sums(placed, how("sum"), bottom, length, unit)
        blocks = self._block_sums(*_blocks(ranked, gain, length), bottom, unit)
        if in_blocks.all():
            return blocks
        return np.where(in_blocks, blocks, self._sums(placed, how("sum"), bottom, length, unit))

    def deserved(self, placed: Placed, bottom: IntArray, length: IntArray) -> FloatArray:
        """The sum of the terms of each perfect ranking.

        Args:
            placed: The perfect rankings.
            bottom: The last rank of each query that counts.
            length: How many items each query's perfect ranking has, if it is not cut.
        """
        how = self.arithmetic.how
        order = {"best_in_order": "", "best_pairwise": "pairwise", "best_dot": "dot"}
        adding = order.get(how("best"), how("sum"))
        deepest = length if how("ranks") == "whole" else np.minimum(bottom, length)
        total = self._sums(placed, adding, bottom, deepest, None)
        single = how("precision") == "float32_best"
        return ragged.single(total) if single else total

    def share(self, total: FloatArray, best: FloatArray) -> FloatArray:
        """The sums over the best ones; NaN where those are nothing."""
        with np.errstate(divide="ignore", over="ignore"):
            if self.arithmetic.how("share") == "times_inverse":
                inverse = np.where(best == 0, np.nan, 1.0 / best)
                return np.asarray(total * inverse)
        if self.arithmetic.how("value") == "hundredths":
            # Both are hundredths, so that whole numbers are divided.
            whole, parts = np.rint(100.0 * total), np.rint(100.0 * best)
            return np.floor(ragged.divide(100.0 * whole, parts, empty=np.nan)) / 100.0
        share = ragged.divide(total, best, empty=np.nan)
        single = self.arithmetic.how("precision") in ("float32", "float32_terms")
        return ragged.single(share) if single else share

    def value(self, value: FloatArray) -> FloatArray:
        """The values as they are given out."""
        return ragged.rounded(value, 5 if self.arithmetic.how("value") == "decimals5" else None)

    @property
    def by_terms(self) -> bool:
        """Whether it is the terms that are divided by the best sum."""
        return self.arithmetic.how("share") in ("terms_inverse", "terms_ratio")

    @property
    def _type(self) -> Any:
        single = self.arithmetic.how("precision") in ("float32", "float32_terms")
        return np.float32 if single else np.float64

    def _sums(
        self,
        placed: Placed,
        adding: str,
        bottom: IntArray,
        length: IntArray,
        unit: FloatArray | None,
    ) -> FloatArray:
        placed = placed.cut(bottom)
        placed = placed.chosen(np.flatnonzero(placed.gain))
        gain, rank = placed.gain, placed.rank
        # To add nothing changes no sum of numbers that are added one after another.
        if adding in ("", "compensated") or self.arithmetic.how("ranks") == "hits":
            length = np.bincount(placed.query, minlength=len(length))
        else:
            offsets = _offsets(length)
            gain, rank = np.zeros(offsets[-1]), ragged.positions(offsets)
            gain[offsets[placed.query] + placed.rank - 1] = placed.gain
        table, inverse = self._worth(int(rank.max(initial=1)))
        return self._added(adding, gain, table[rank], inverse, rank, length, unit)

    def _block_sums(
        self,
        gain: FloatArray,
        last: IntArray,
        length: IntArray,
        bottom: IntArray,
        unit: FloatArray | None,
    ) -> FloatArray:
        """The same where blocks of ranks are worth what running sums differ by."""
        table, inverse = self._worth(int(bottom.max(initial=1)))
        worth = table if inverse else (1 / table).astype(self._type)
        running = np.concatenate([[0.0], np.cumsum(worth[1:], dtype=np.float64)])
        running = running.astype(self._type)
        owner = np.repeat(np.arange(len(length)), length)
        after = running[np.minimum(last, bottom[owner])]
        before = np.roll(after, 1)
        before[_offsets(length)[:-1][length > 0]] = 0
        how = self.arithmetic.how("sum")
        return self._added(how, gain, after - before, True, last, length, unit)

    def _added(
        self,
        adding: str,
        gain: FloatArray,
        worth: Matrix,
        inverse: bool,
        rank: IntArray,
        length: IntArray,
        unit: FloatArray | None,
    ) -> FloatArray:
        """The sum of each query's terms, which lie one query after another."""
        gain = gain.astype(self._type)
        if adding in ("dot", "lanes") and not inverse:
            worth, inverse = (1 / worth).astype(self._type), True
        term = gain * worth if inverse else gain / worth
        if cut := self.arithmetic.how("value") == "hundredths":
            term = np.where(rank > 1, np.floor(100.0 * term), 100.0 * term)
        if unit is not None:
            each = np.repeat(unit, length)
            term, worth = self._shared(term, each), self._shared(worth, each)
        if self.arithmetic.how("precision") == "float32_terms":
            gain, worth, term = (part.astype(np.float64) for part in (gain, worth, term))
        out, offsets = np.zeros(len(length)), _offsets(length)
        for n_terms in np.unique(length).tolist():
            queries = np.flatnonzero(length == n_terms)
            cells = offsets[queries][:, np.newaxis] + np.arange(n_terms)
            out[queries] = row_sums(adding, gain[cells], worth[cells], term[cells])
        out = out / 100.0 if cut else out
        return out.astype(self._type).astype(np.float64)

    def _shared(self, term: Matrix, unit: FloatArray) -> Matrix:
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.arithmetic.how("share") == "terms_inverse":
                return np.asarray(term * (1.0 / unit))
            return np.asarray(term / unit)

    def _worth(self, deepest: int) -> tuple[Matrix, bool]:
        """What each rank is worth, at its own index, and whether gains are multiplied by it."""
        log = self.arithmetic.how("log")
        divisor = _table(self.discount, log, self._type, max(16, 1 << deepest.bit_length()))
        if log == "ln_inverse":
            return divisor, True
        if self.arithmetic.how("term") == "times":
            return (1 / divisor).astype(self._type), True
        return divisor, False


@lru_cache(maxsize=64)
def _table(discount: Discount, log: str, kind: Any, deepest: int) -> Matrix:
    """The divisors of ranks by another formula; for ln_inverse what gains are multiplied by."""
    base = {"log2": 2.0, "ln": math.e}.get(discount.name, discount.base)
    if not log or base is None or discount.name == "ln":
        plain = discount.divisors(deepest).astype(kind)
        return np.asarray(1 / plain).astype(kind) if log == "ln_inverse" else plain
    first = np.arange(deepest + 1)
    number = np.maximum(first, math.ceil(base)) if discount.name == "jk" else first + 1
    ln = np.array([math.log(max(one, 2)) for one in number.tolist()]).astype(kind)
    if log == "ln_product":
        table = ln * kind(1 / math.log(base))
        table[1] = 1
        return np.asarray(table)
    whole = kind(math.log(base))
    return np.asarray(whole / ln if log == "ln_inverse" else ln / whole)


def _offsets(length: IntArray) -> IntArray:
    n_ranks = length.sum(dtype=np.float64)
    if n_ranks > _MOST:
        message = f"arithmetic: adds up {_MOST:,} ranks at most, got {n_ranks:,.0f}."
        raise MeasureError(message)
    return np.concatenate([[0], np.cumsum(length)])


def _blocks(
    ranked: JudgedRankings, gain: FloatArray, length: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """The mean gain and the last rank of each block of equal scores, and how many each query has.

    They are the blocks that begin within a query's length. An unjudged item that no judged one is
    tied with is taken for a block of its own.
    """
    hits = np.flatnonzero(ranked.hit_tie_first <= length[ranked.hit_query])
    query, tie_first = ranked.hit_query[hits], ranked.hit_tie_first[hits]
    tie_size = ranked.hit_tie_size[hits] if ranked.average_ties else np.ones_like(hits)
    tie_first = tie_first if ranked.average_ties else ranked.hit_rank[hits]
    length = length.copy()
    np.maximum.at(length, query, tie_first + tie_size - 1)
    offsets = _offsets(length)
    start, _ = ragged.blocks(query, tie_first)
    first = ragged.positions(offsets)
    begin, size = offsets[query[start]] + tie_first[start] - 1, tie_size[start]
    tied, _ = ragged.spans(begin, size)
    first[tied] = np.repeat(tie_first[start], size)
    owner = ragged.owners(offsets)
    opening, block = ragged.blocks(owner, first)
    whole = ragged.sums(gain[hits], block[offsets[query] + tie_first - 1], len(opening))
    counts = np.diff(opening, append=len(owner))
    last = first[opening] + counts - 1
    return whole / counts, last, np.bincount(owner[opening], minlength=len(length))
