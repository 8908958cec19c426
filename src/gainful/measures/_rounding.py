"""Rounding: sums of gains over discounts in the arithmetic of some tool, to the last bit."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings, Reach
from gainful.base import ENDLESS, FloatArray, IntArray, ragged
from gainful.errors import MeasureError
from gainful.measures._discounts import Discount
from gainful.measures._gains import GainsAtRanks
from gainful.measures._summation import PRODUCTS, Arithmetic, Matrix, find_room, sum_rows

_MOST = 1 << 28  # ranks that are written out, those that gain nothing too
_PART = 1 << 16  # of them, written out at once


class Blocks(NamedTuple):
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

    def lay_out(
        self, own: slice, length: IntArray, most: IntArray
    ) -> tuple[FloatArray, IntArray, IntArray]:
        """Return the mean gain and the last rank of the blocks of some queries, and their counts.

        An unjudged item that no judged one is tied with is taken for a block of its own.

        Args:
            own: The queries, which follow each other.
            length: How many ranks each of them has.
            most: How many blocks of each are laid out at most.
        """
        begin, end = np.searchsorted(self.query, [own.start, own.stop])
        mine = self._select(slice(begin, end))
        mine = mine._replace(query=mine.query - own.start)
        counts, place = mine._count_blocks(length)
        if (counts > most).any():
            counts = np.minimum(counts, most)
            kept = np.flatnonzero(place < counts[mine.query])
            mine, place = mine._select(kept), place[kept]
        offsets = compute_offsets(counts)
        gain, last = np.zeros(offsets[-1]), ragged.find_positions(offsets)
        place = place + offsets[mine.query]
        gain[place] = mine.gain
        if (shift := mine.size - 1).any():
            below = np.zeros_like(last)
            below[place] = shift
            last += np.cumsum(below) - np.repeat(mine._compute_shifts(len(length))[1][:-1], counts)
        return gain, last, counts

    def _select(self, which: slice | IntArray) -> "Blocks":
        return Blocks(self.gain[which], self.first[which], self.size[which], self.query[which])

    def _count_blocks(self, length: IntArray) -> tuple[IntArray, IntArray]:
        """Return how many blocks each query has, and the place of each block among them, from 0."""
        edges = ragged.offsets_from_owners(self.query, len(length))
        some = np.flatnonzero(np.diff(edges))
        length = length.copy()
        deepest = (self.first + self.size - 1)[edges[1:][some] - 1]
        length[some] = np.maximum(length[some], deepest)
        moved, bounds = self._compute_shifts(len(length))
        return length - np.diff(bounds), self.first - 1 - (moved - bounds[self.query])

    def _compute_shifts(self, n_queries: int) -> tuple[IntArray, IntArray]:
        """By how many places those above move each block up, and the same for whole queries."""
        moved = ragged.offsets_from_sizes(self.size - 1)
        edges = ragged.offsets_from_owners(self.query, n_queries)
        return moved[:-1], moved[edges]


def find_blocks(ranked: JudgedRankings, gain: FloatArray, length: IntArray) -> Blocks:
    """Return the blocks that begin within a query's length."""
    hits = np.flatnonzero(ranked.hit_tie_first <= length[ranked.hit_query])
    query = ranked.hit_query[hits]
    if not (ranked.average_ties and ranked.has_ties):
        return Blocks(gain[hits], ranked.hit_rank[hits], np.ones_like(hits), query)
    start, block = ragged.group_equal(query, ranked.hit_tie_first[hits])
    size = ranked.hit_tie_size[hits][start]
    mean = ragged.sum_by_query(gain[hits], block, len(start)) / size
    return Blocks(mean, ranked.hit_tie_first[hits][start], size, query[start])


def compute_offsets(length: IntArray) -> IntArray:
    """Return the offset of each query's ranks; raise if they are too many to be written out."""
    n_ranks = length.sum(dtype=np.float64)
    if n_ranks > _MOST:
        message = f"arithmetic: adds up {_MOST:,} ranks at most, got {n_ranks:,.0f}."
        raise MeasureError(message, code="too-large")
    return ragged.offsets_from_sizes(length)


def split_queries(length: IntArray) -> list[slice]:
    """Queries that follow each other, so many ranks at a time as a processor keeps at hand."""
    ends = compute_offsets(length)[1:]
    cuts = np.searchsorted(ends, np.arange(0, ends[-1] if len(ends) else 0, _PART)[1:])
    bounds = np.unique([0, *cuts, len(length)]).tolist()
    return [slice(begin, end) for begin, end in pairwise(bounds)] or [slice(0, 0)]


def limit_terms(adding: str, bottom: IntArray) -> IntArray:
    """Return the most terms written out per query, if none below the bottom counts."""
    each, place = np.unique(bottom, return_inverse=True)
    known = [find_room(adding, n_terms) or ENDLESS for n_terms in each.tolist()]
    return np.array(known, dtype=np.int64)[place]


@dataclass(frozen=True)
class Rounding:
    """The steps in which the terms of a discount are computed, added up and divided."""

    arithmetic: Arithmetic
    discount: Discount

    def dcg(
        self,
        ranked: JudgedRankings,
        gain: FloatArray,
        bottom: IntArray,
        unit: FloatArray | None = None,
    ) -> FloatArray:
        """Return the sum of each ranking's terms; as shares of a unit, if there is one.

        Args:
            ranked: The rankings.
            gain: What each hit gains.
            bottom: The last rank of each query that counts.
            unit: What each query's terms are divided by.
        """
        how, averaged = self.arithmetic.get_word, ranked.average_ties and ranked.has_ties
        length = ranked.n_retrieved if how("ranks") == "whole" else bottom
        in_blocks = np.full(ranked.n_queries, bool(how("worth")))
        if averaged:
            # Query by query: one without ties must score the same alone and beside one with some.
            in_blocks[ranked.hit_query[ranked.hit_tie_size > 1]] = True
        placed = GainsAtRanks(gain, ranked.hit_rank, ranked.hit_query)
        if not in_blocks.any():
            return self._sum_terms(placed, how("sum"), bottom, length, unit)
        blocks = self._sum_blocks(find_blocks(ranked, gain, length), length, bottom, unit)
        if in_blocks.all():
            return blocks
        return np.where(
            in_blocks, blocks, self._sum_terms(placed, how("sum"), bottom, length, unit)
        )

    def ideal_dcg(self, placed: GainsAtRanks, bottom: IntArray, length: IntArray) -> FloatArray:
        """Return the sum of the terms of each perfect ranking.

        Args:
            placed: The perfect rankings.
            bottom: The last rank of each query that counts.
            length: How many items each query's perfect ranking has, if it is not cut.
        """
        how = self.arithmetic.get_word
        deepest = length if how("ranks") == "whole" else np.minimum(bottom, length)
        total = self._sum_terms(placed, self._best_sum, bottom, deepest, None)
        single = how("precision") == "float32_best"
        return ragged.round_to_float32(total) if single else total

    def share(self, total: FloatArray, best: FloatArray) -> FloatArray:
        """Return the sums over the best ones; NaN where those are nothing."""
        with np.errstate(divide="ignore", over="ignore"):
            if self.arithmetic.get_word("share") == "times_inverse":
                inverse = np.where(best == 0, np.nan, 1.0 / best)
                return np.asarray(total * inverse)
        if self.arithmetic.get_word("value") == "hundredths":
            # Both are hundredths, so that whole numbers are divided.
            whole, parts = np.rint(100.0 * total), np.rint(100.0 * best)
            return np.floor(ragged.divide(100.0 * whole, parts, empty=np.nan)) / 100.0
        share = ragged.divide(total, best, empty=np.nan)
        single = self.arithmetic.get_word("precision") in ("float32", "float32_terms")
        return ragged.round_to_float32(share) if single else share

    def value(self, value: FloatArray) -> FloatArray:
        """Return the values as they are given out."""
        return ragged.round_to_decimals(
            value, 5 if self.arithmetic.get_word("value") == "decimals5" else None
        )

    def reach(self, cutoff: int, *, is_pool_retrieved: bool) -> Reach | None:
        """Return the part of rankings that matters down to a cutoff; None if every rank matters.

        Args:
            cutoff: The last rank that gains anything.
            is_pool_retrieved: Whether the perfect ranking is as long as the list.
        """
        how = self.arithmetic.get_word
        # Where ties alone are worth a difference, one that stands anywhere tells.
        blocks = 0 if how("worth") or self.arithmetic.plain_sums else ENDLESS
        if how("ranks") != "whole":
            return Reach(cutoff, blocks, is_pool_retrieved)
        wanted = find_room(how("sum"), cutoff)
        if wanted is None or find_room(self._best_sum, cutoff) is None or not is_pool_retrieved:
            return None
        # Some more than are wanted, since a few may be tied.
        return Reach(cutoff if blocks else wanted + 8, blocks or wanted, is_pool_retrieved)

    @property
    def _best_sum(self) -> str:
        order = {"best_in_order": "", "best_pairwise": "pairwise", "best_dot": "dot"}
        return order.get(self.arithmetic.get_word("best"), self.arithmetic.get_word("sum"))

    @property
    def by_terms(self) -> bool:
        """True if the terms are divided by the best sum, not their total."""
        return self.arithmetic.get_word("share") in ("terms_inverse", "terms_ratio")

    @property
    def _type(self) -> Any:
        single = self.arithmetic.get_word("precision") in ("float32", "float32_terms")
        return np.float32 if single else np.float64

    def _sum_terms(
        self,
        placed: GainsAtRanks,
        adding: str,
        bottom: IntArray,
        length: IntArray,
        unit: FloatArray | None,
    ) -> FloatArray:
        placed = placed.cut(bottom)
        placed = placed.select(np.flatnonzero(placed.gain))
        # To add nothing changes no sum of numbers that are added one after another.
        if adding in ("", "compensated") or self.arithmetic.get_word("ranks") == "hits":
            length = np.bincount(placed.query, minlength=len(length))
            table, inverse = self._compute_worth(int(placed.rank.max(initial=1)))
            return self._add_terms(
                adding, placed.gain, table[placed.rank], inverse, placed.rank, length, unit
            )
        length = np.minimum(length, limit_terms(adding, bottom))
        spans, parts = split_queries(length), []
        table, inverse = self._compute_worth(int(length.max(initial=1)))
        for own in spans:
            size, part = length[own], placed.select_queries(own)
            offsets = compute_offsets(size)
            gain, rank = np.zeros(offsets[-1]), ragged.find_positions(offsets)
            gain[offsets[part.query] + part.rank - 1] = part.gain
            each = None if unit is None else unit[own]
            parts.append(self._add_terms(adding, gain, table[rank], inverse, rank, size, each))
        return np.concatenate(parts)

    def _sum_blocks(
        self, blocks: Blocks, length: IntArray, bottom: IntArray, unit: FloatArray | None
    ) -> FloatArray:
        """Return the sum of each query's terms; blocks weigh the differences of running sums."""
        table, inverse = self._compute_worth(int(bottom.max(initial=1)))
        worth = table if inverse else (1 / table).astype(self._type)
        running = np.concatenate([[0.0], np.cumsum(worth[1:], dtype=np.float64)])
        running = running.astype(self._type)
        how, parts = self.arithmetic.get_word("sum"), []
        most = limit_terms(how, bottom)
        for own in split_queries(np.minimum(length, most)):
            gain, last, size = blocks.lay_out(own, length[own], most[own])
            after = running[np.minimum(last, np.repeat(bottom[own], size))]
            before = np.roll(after, 1)
            before[compute_offsets(size)[:-1][size > 0]] = 0
            each = None if unit is None else unit[own]
            parts.append(self._add_terms(how, gain, after - before, True, last, size, each))
        return np.concatenate(parts)

    def _add_terms(
        self,
        adding: str,
        gain: FloatArray,
        worth: Matrix,
        inverse: bool,
        rank: IntArray,
        length: IntArray,
        unit: FloatArray | None,
    ) -> FloatArray:
        """Return the sum of each query's terms, which lie one query after another."""
        gain = gain.astype(self._type)
        if adding in ("dot", "lanes") and not inverse:
            worth, inverse = (1 / worth).astype(self._type), True
        term = gain * worth if inverse else gain / worth
        if cut := self.arithmetic.get_word("value") == "hundredths":
            term = np.where(rank > 1, np.floor(100.0 * term), 100.0 * term)
        if unit is not None:
            each = np.repeat(unit, length)
            term, worth = self._divide_by_unit(term, each), self._divide_by_unit(worth, each)
        if self.arithmetic.get_word("precision") == "float32_terms":
            gain, worth, term = (part.astype(np.float64) for part in (gain, worth, term))
        parts = (gain, worth, term) if adding in PRODUCTS else (term, term, term)
        out, offsets = np.zeros(len(length)), compute_offsets(length)
        sizes = np.unique(length).tolist()
        for n_terms in sizes:
            queries = np.flatnonzero(length == n_terms)
            cells = offsets[queries][:, np.newaxis] + np.arange(n_terms)
            rows = [part[cells] if len(sizes) > 1 else part.reshape(cells.shape) for part in parts]
            out[queries] = sum_rows(adding, *rows)
        out = out / 100.0 if cut else out
        return out.astype(self._type).astype(np.float64)

    def _divide_by_unit(self, term: Matrix, unit: FloatArray) -> Matrix:
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.arithmetic.get_word("share") == "terms_inverse":
                return np.asarray(term * (1.0 / unit))
            return np.asarray(term / unit)

    def _compute_worth(self, deepest: int) -> tuple[Matrix, bool]:
        """Return the worth of each rank, at its index, and True if gains are multiplied by it."""
        log = self.arithmetic.get_word("log")
        divisor = _make_divisor_table(
            self.discount, log, self._type, max(16, 1 << deepest.bit_length())
        )
        if log == "ln_inverse":
            return divisor, True
        if self.arithmetic.get_word("term") == "times":
            return (1 / divisor).astype(self._type), True
        return divisor, False


@lru_cache(maxsize=64)
def _make_divisor_table(discount: Discount, log: str, kind: Any, deepest: int) -> Matrix:
    """Return the divisors of ranks by another formula; for ln_inverse the factors of gains."""
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
