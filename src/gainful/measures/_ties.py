"""Counts of chosen items within the first ranks, and their exact averages over tied items.

Where ties are averaged, every order of the items of a tie block is equally likely, unjudged items
included (McSherry and Najork, ECIR 2008).
"""

from typing import NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import ENDLESS, BoolArray, FloatArray, IntArray, ragged
from gainful.measures._relevance import find_relevant

_REMEMBERED = 16


class TieBlocks(NamedTuple):
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
        """Return how many ranks of each block do not lie below its query's last one that counts."""
        reach: IntArray = np.clip(bottom[self.query] - self.first + 1, 0, self.size)
        return reach

    def expected_counts(self, bottom: IntArray) -> FloatArray:
        """Return how many chosen items each query has within its first ranks, on average."""
        reach = self.reach(bottom)
        # One block at most is cut, and the last: until then the sums are whole numbers.
        return ragged.sum_by_query(self.chosen * reach / self.size, self.query, len(bottom))

    def variance(self, bottom: IntArray) -> FloatArray:
        """Return the variance of that number: it is hypergeometric."""
        reach, size = self.reach(bottom), self.size.astype(np.float64)
        share = self.chosen / size
        spread = reach * share * (1.0 - share) * (size - reach) / np.maximum(size - 1.0, 1.0)
        return ragged.sum_by_query(spread, self.query, len(bottom))

    def ranks(self, bottom: IntArray) -> tuple[IntArray, IntArray]:
        """Return every rank of the blocks that counts, and the block it belongs to."""
        reach = self.reach(bottom)
        offsets = ragged.offsets_from_sizes(reach)
        block = ragged.find_owners(offsets)
        return self.first[block] + ragged.find_positions(offsets) - 1, block


def has_averaged_ties(ranked: JudgedRankings) -> bool:
    """Return whether any ties are to be averaged."""
    return ranked.average_ties and ranked.has_ties


def find_blocks(ranked: JudgedRankings, chosen: BoolArray) -> TieBlocks:
    """Return the tie blocks that hold a chosen hit."""
    hit = np.flatnonzero(chosen)
    query = ranked.hit_query[hit]
    start, _ = ragged.group_equal(query, ranked.hit_tie_first[hit])
    nth = ragged.find_positions(ragged.offsets_from_owners(query, ranked.n_queries))
    return TieBlocks(
        query=query[start],
        first=ranked.hit_tie_first[hit[start]],
        size=ranked.hit_tie_size[hit[start]],
        chosen=np.diff(start, append=len(hit)),
        before=nth[start] - 1,
        offsets=ragged.offsets_from_owners(query[start], ranked.n_queries),
    )


def find_relevant_blocks(ranked: JudgedRankings, rel: float) -> TieBlocks:
    """Return the tie blocks that hold a relevant item, computed once for all measures."""
    key = ("relevant blocks", rel)
    if key not in ranked.memo:
        ranked.memo[key] = find_blocks(ranked, ranked.hit_label >= rel)
    tie_blocks: TieBlocks = ranked.memo[key]
    return tie_blocks


def find_last_ranks(ranked: JudgedRankings, cutoff: int | None) -> IntArray:
    """Return the last rank of each query that counts."""
    return (
        ranked.n_retrieved if cutoff is None else np.minimum(ranked.n_retrieved, cap_cutoff(cutoff))
    )


def cap_cutoff(cutoff: int) -> int:
    """Return the cutoff, within what an array of ranks can hold."""
    return min(cutoff, ENDLESS)


def count_relevant(ranked: JudgedRankings, rel: float, cutoff: int | None = None) -> FloatArray:
    """Return how many relevant items of each query stand within the first ranks.

    The result is kept for other measures with the same cutoff.
    """
    if cutoff is None and not has_averaged_ties(ranked):
        return find_relevant(ranked, rel).n_retrieved
    counts_by_cutoff: dict[int | None, FloatArray] = ranked.memo.setdefault(
        ("n_relevant_retrieved", rel), {}
    )
    values = counts_by_cutoff.get(cutoff)
    if values is None:
        if has_averaged_ties(ranked):
            values = find_relevant_blocks(ranked, rel).expected_counts(
                find_last_ranks(ranked, cutoff)
            )
        else:
            values = find_relevant(ranked, rel).count_within(cap_cutoff(cutoff or ENDLESS))
        if len(counts_by_cutoff) >= _REMEMBERED:
            counts_by_cutoff.clear()
        counts_by_cutoff[cutoff] = values
    return values


def count_relevant_above(ranked: JudgedRankings, rel: float, bottom: IntArray) -> FloatArray:
    """Return how many relevant items of each query are within the first ``bottom`` ranks."""
    if has_averaged_ties(ranked):
        return find_relevant_blocks(ranked, rel).expected_counts(
            np.minimum(ranked.n_retrieved, bottom)
        )
    return find_relevant(ranked, rel).count_within(bottom)


def count_hits(ranked: JudgedRankings, chosen: BoolArray, cutoff: int | None = None) -> FloatArray:
    """Return how many chosen hits of each query stand within the first ranks."""
    if has_averaged_ties(ranked):
        return find_blocks(ranked, chosen).expected_counts(find_last_ranks(ranked, cutoff))
    if cutoff is not None:
        chosen = chosen & (ranked.hit_rank <= cap_cutoff(cutoff))
    query = ranked.hit_query[chosen]
    return np.bincount(query, minlength=ranked.n_queries).astype(np.float64)
