"""Rounding: sums of gains over discounts in the arithmetic of some tool, to the last bit."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gainful import ragged
from gainful.measures._additions import PRODUCTS, Matrix, room, row_sums
from gainful.measures._arithmetic import Arithmetic
from gainful.measures._discounts import Discount
from gainful.measures._laid_out import Blocks, blocks_of, offsets_of, parts_of, rooms
from gainful.measures._placed import Placed
from gainful.ragged import ENDLESS, FloatArray, IntArray
from gainful.rankings import JudgedRankings, Reach
from gainful.records import Record


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
        blocks = self._block_sums(blocks_of(ranked, gain, length), length, bottom, unit)
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
        deepest = length if how("ranks") == "whole" else np.minimum(bottom, length)
        total = self._sums(placed, self._best_sum, bottom, deepest, None)
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

    def reach(self, cutoff: int, *, listed: bool) -> Reach | None:
        """How far rankings matter that count down to a cutoff, None if they do to the end.

        Args:
            cutoff: The last rank that gains anything.
            listed: Whether the perfect ranking is as long as the list.
        """
        how = self.arithmetic.how
        # Where ties alone are worth a difference, one that stands anywhere tells.
        blocks = 0 if how("worth") or self.arithmetic.plain_sums else ENDLESS
        if how("ranks") != "whole":
            return Reach(cutoff, blocks, listed)
        wanted = room(how("sum"), cutoff)
        if wanted is None or room(self._best_sum, cutoff) is None or not listed:
            return None
        # Some more than are wanted, since a few may be tied.
        return Reach(cutoff if blocks else wanted + 8, blocks or wanted, listed)

    @property
    def _best_sum(self) -> str:
        order = {"best_in_order": "", "best_pairwise": "pairwise", "best_dot": "dot"}
        return order.get(self.arithmetic.how("best"), self.arithmetic.how("sum"))

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
        # To add nothing changes no sum of numbers that are added one after another.
        if adding in ("", "compensated") or self.arithmetic.how("ranks") == "hits":
            length = np.bincount(placed.query, minlength=len(length))
            table, inverse = self._worth(int(placed.rank.max(initial=1)))
            return self._added(
                adding, placed.gain, table[placed.rank], inverse, placed.rank, length, unit
            )
        length = np.minimum(length, rooms(adding, bottom))
        spans, parts = parts_of(length), []
        table, inverse = self._worth(int(length.max(initial=1)))
        for own in spans:
            size, part = length[own], placed.part(own)
            offsets = offsets_of(size)
            gain, rank = np.zeros(offsets[-1]), ragged.positions(offsets)
            gain[offsets[part.query] + part.rank - 1] = part.gain
            each = None if unit is None else unit[own]
            parts.append(self._added(adding, gain, table[rank], inverse, rank, size, each))
        return np.concatenate(parts)

    def _block_sums(
        self, blocks: Blocks, length: IntArray, bottom: IntArray, unit: FloatArray | None
    ) -> FloatArray:
        """The same where blocks of ranks are worth what running sums differ by."""
        table, inverse = self._worth(int(bottom.max(initial=1)))
        worth = table if inverse else (1 / table).astype(self._type)
        running = np.concatenate([[0.0], np.cumsum(worth[1:], dtype=np.float64)])
        running = running.astype(self._type)
        how, parts = self.arithmetic.how("sum"), []
        most = rooms(how, bottom)
        for own in parts_of(np.minimum(length, most)):
            gain, last, size = blocks.laid_out(own, length[own], most[own])
            after = running[np.minimum(last, np.repeat(bottom[own], size))]
            before = np.roll(after, 1)
            before[offsets_of(size)[:-1][size > 0]] = 0
            each = None if unit is None else unit[own]
            parts.append(self._added(how, gain, after - before, True, last, size, each))
        return np.concatenate(parts)

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
        parts = (gain, worth, term) if adding in PRODUCTS else (term, term, term)
        out, offsets = np.zeros(len(length)), offsets_of(length)
        sizes = np.unique(length).tolist()
        for n_terms in sizes:
            queries = np.flatnonzero(length == n_terms)
            cells = offsets[queries][:, np.newaxis] + np.arange(n_terms)
            rows = [part[cells] if len(sizes) > 1 else part.reshape(cells.shape) for part in parts]
            out[queries] = row_sums(adding, *rows)
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
