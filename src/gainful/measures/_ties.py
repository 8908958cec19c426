"""Counts of chosen items within the first ranks, and their exact averages over tied items.

Where ties are averaged, every order of the items of a tie block is equally likely, unjudged items
included (McSherry and Najork, ECIR 2008).
"""

from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.measures._relevance import relevant
from gainful.ragged import ENDLESS, BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings

_REMEMBERED = 16


class Blocks(NamedTuple):
    """The tie blocks that hold a chosen item, best first; what is not tied is a block of one.

    Attributes:
        query: The query of each block.
        first: Its first rank.
        size: How many items it has.
        chosen: How many of them are chosen.
        before: How many chosen items of the query stand above it.
        offsets: Where the blocks of each query begin.
    """

    query: IntArray
    first: IntArray
    size: IntArray
    chosen: IntArray
    before: IntArray
    offsets: IntArray

    def reach(self, bottom: IntArray) -> IntArray:
        """How many ranks of each block do not lie below its query's last one that counts."""
        reach: IntArray = np.clip(bottom[self.query] - self.first + 1, 0, self.size)
        return reach

    def expected(self, bottom: IntArray) -> FloatArray:
        """How many chosen items each query has within its first ranks, on average."""
        reach = self.reach(bottom)
        # One block at most is cut, and the last: until then the sums are whole numbers.
        return ragged.sums(self.chosen * reach / self.size, self.query, len(bottom))

    def variance(self, bottom: IntArray) -> FloatArray:
        """The variance of that number: it is hypergeometric."""
        reach, size = self.reach(bottom), self.size.astype(np.float64)
        share = self.chosen / size
        spread = reach * share * (1.0 - share) * (size - reach) / np.maximum(size - 1.0, 1.0)
        return ragged.sums(spread, self.query, len(bottom))

    def ranks(self, bottom: IntArray) -> tuple[IntArray, IntArray]:
        """Every rank of the blocks that counts, and the block it belongs to."""
        reach = self.reach(bottom)
        offsets = np.concatenate([[0], np.cumsum(reach)])
        block = ragged.owners(offsets)
        return self.first[block] + ragged.positions(offsets) - 1, block


def averaged(ranked: JudgedRankings) -> bool:
    """Whether there is anything to average over."""
    return ranked.average_ties and ranked.has_ties


def blocks(ranked: JudgedRankings, chosen: BoolArray) -> Blocks:
    """The tie blocks that hold a chosen hit."""
    hit = np.flatnonzero(chosen)
    query = ranked.hit_query[hit]
    start, _ = ragged.blocks(query, ranked.hit_tie_first[hit])
    edges = np.arange(ranked.n_queries + 1)
    nth = ragged.positions(np.searchsorted(query, edges))
    return Blocks(
        query=query[start],
        first=ranked.hit_tie_first[hit[start]],
        size=ranked.hit_tie_size[hit[start]],
        chosen=np.diff(start, append=len(hit)),
        before=nth[start] - 1,
        offsets=np.searchsorted(query[start], edges),
    )


def relevant_blocks(ranked: JudgedRankings, rel: float) -> Blocks:
    """The tie blocks that hold a relevant item; worked out once for all measures that ask."""
    key = ("relevant blocks", rel)
    if key not in ranked.memo:
        ranked.memo[key] = blocks(ranked, ranked.hit_label >= rel)
    found: Blocks = ranked.memo[key]
    return found


def bottoms(ranked: JudgedRankings, cutoff: int | None) -> IntArray:
    """The last rank of each query that counts."""
    return ranked.n_retrieved if cutoff is None else np.minimum(ranked.n_retrieved, capped(cutoff))


def capped(cutoff: int) -> int:
    """The cutoff, within what an array of ranks can hold."""
    return min(cutoff, ENDLESS)


def found(ranked: JudgedRankings, rel: float, cutoff: int | None = None) -> FloatArray:
    """How many relevant items of each query stand within the first ranks.

    Kept for the other measures that have the same cutoff.
    """
    if cutoff is None and not averaged(ranked):
        return relevant(ranked, rel).found
    known: dict[int | None, FloatArray] = ranked.memo.setdefault(("found", rel), {})
    values = known.get(cutoff)
    if values is None:
        if averaged(ranked):
            values = relevant_blocks(ranked, rel).expected(bottoms(ranked, cutoff))
        else:
            values = relevant(ranked, rel).within(capped(cutoff or ENDLESS))
        if len(known) >= _REMEMBERED:
            known.clear()
        known[cutoff] = values
    return values


def found_above(ranked: JudgedRankings, rel: float, bottom: IntArray) -> FloatArray:
    """The same, with a last rank for each query."""
    if averaged(ranked):
        return relevant_blocks(ranked, rel).expected(np.minimum(ranked.n_retrieved, bottom))
    return relevant(ranked, rel).within(bottom)


def counted(ranked: JudgedRankings, chosen: BoolArray, cutoff: int | None = None) -> FloatArray:
    """How many chosen hits of each query stand within the first ranks."""
    if averaged(ranked):
        return blocks(ranked, chosen).expected(bottoms(ranked, cutoff))
    if cutoff is not None:
        chosen = chosen & (ranked.hit_rank <= capped(cutoff))
    query = ranked.hit_query[chosen]
    return np.bincount(query, minlength=ranked.n_queries).astype(np.float64)
