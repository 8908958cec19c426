"""Rounding: sums of gains over discounts in the arithmetic of some tool, to the last bit."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures._additions import PRODUCTS, Matrix, row_sums
from gainful.measures._arithmetic import Arithmetic
from gainful.measures._discounts import Discount
from gainful.measures._placed import Placed
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.records import Record

_MOST = 1 << 28  # ranks that are written out, those that gain nothing too
_PART = 1 << 16  # of them, written out at once


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
        blocks = self._block_sums(_blocks(ranked, gain, length), length, bottom, unit)
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
        # To add nothing changes no sum of numbers that are added one after another.
        if adding in ("", "compensated") or self.arithmetic.how("ranks") == "hits":
            length = np.bincount(placed.query, minlength=len(length))
            table, inverse = self._worth(int(placed.rank.max(initial=1)))
            return self._added(
                adding, placed.gain, table[placed.rank], inverse, placed.rank, length, unit
            )
        spans, parts = _parts(length), []
        table, inverse = self._worth(int(length.max(initial=1)))
        for own in spans:
            size, part = length[own], placed.part(own)
            offsets = _offsets(size)
            gain, rank = np.zeros(offsets[-1]), ragged.positions(offsets)
            gain[offsets[part.query] + part.rank - 1] = part.gain
            each = None if unit is None else unit[own]
            parts.append(self._added(adding, gain, table[rank], inverse, rank, size, each))
        return np.concatenate(parts)

    def _block_sums(
        self, blocks: "_Blocks", length: IntArray, bottom: IntArray, unit: FloatArray | None
    ) -> FloatArray:
        """The same where blocks of ranks are worth what running sums differ by."""
        table, inverse = self._worth(int(bottom.max(initial=1)))
        worth = table if inverse else (1 / table).astype(self._type)
        running = np.concatenate([[0.0], np.cumsum(worth[1:], dtype=np.float64)])
        running = running.astype(self._type)
        how, parts = self.arithmetic.how("sum"), []
        for own in _parts(length):
            gain, last, size = blocks.laid_out(own, length[own])
            after = running[np.minimum(last, np.repeat(bottom[own], size))]
            before = np.roll(after, 1)
            before[_offsets(size)[:-1][size > 0]] = 0
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
        out, offsets = np.zeros(len(length)), _offsets(length)
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


def _offsets(length: IntArray) -> IntArray:
    n_ranks = length.sum(dtype=np.float64)
    if n_ranks > _MOST:
        message = f"arithmetic: adds up {_MOST:,} ranks at most, got {n_ranks:,.0f}."
        raise MeasureError(message)
    return np.concatenate([[0], np.cumsum(length)])


def _parts(length: IntArray) -> list[slice]:
    """Queries that follow each other, so many ranks at a time as a processor keeps at hand."""
    ends = _offsets(length)[1:]
    cuts = np.searchsorted(ends, np.arange(0, ends[-1] if len(ends) else 0, _PART)[1:])
    bounds = np.unique([0, *cuts, len(length)]).tolist()
    return [slice(begin, end) for begin, end in pairwise(bounds)] or [slice(0, 0)]


class _Blocks(NamedTuple):
    """The blocks of equal scores that hold a judged item, in rank order.

    Attributes:
        gain: The mean gain of their items.
        first: Their first rank.
        size: How many items they have.
        query: Whose they are.
    """

    gain: FloatArray
    first: IntArray
    size: IntArray
    query: IntArray

    def laid_out(self, own: slice, length: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
        """The mean gain and the last rank of all blocks of some queries, and how many each has.

        An unjudged item that no judged one is tied with is taken for a block of its own.
        """
        begin, end = np.searchsorted(self.query, [own.start, own.stop])
        first, size = self.first[begin:end], self.size[begin:end]
        query = self.query[begin:end] - own.start
        length = length.copy()
        np.maximum.at(length, query, first + size - 1)
        # A block of several ranks moves those below it up.
        moved = np.concatenate([[0], np.cumsum(size - 1)])
        bounds = moved[np.searchsorted(query, np.arange(len(length) + 1))]
        counts = length - np.diff(bounds)
        offsets = _offsets(counts)
        place = offsets[query] + first - 1 - (moved[:-1] - bounds[query])
        gain, last, shift = np.zeros(offsets[-1]), ragged.positions(offsets), size - 1
        gain[place] = self.gain[begin:end]
        if shift.any():
            below = np.zeros_like(last)
            below[place] = shift
            last += np.cumsum(below) - np.repeat(bounds[:-1], counts)
        return gain, last, counts


def _blocks(ranked: JudgedRankings, gain: FloatArray, length: IntArray) -> _Blocks:
    """The blocks that begin within a query's length."""
    hits = np.flatnonzero(ranked.hit_tie_first <= length[ranked.hit_query])
    query = ranked.hit_query[hits]
    if not ranked.average_ties:
        return _Blocks(gain[hits], ranked.hit_rank[hits], np.ones_like(hits), query)
    start, block = ragged.blocks(query, ranked.hit_tie_first[hits])
    size = ranked.hit_tie_size[hits][start]
    mean = ragged.sums(gain[hits], block, len(start)) / size
    return _Blocks(mean, ranked.hit_tie_first[hits][start], size, query[start])
