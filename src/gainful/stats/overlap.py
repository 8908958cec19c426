"""How much two ranked lists have in common: rank-biased overlap, and shared items."""

import math
from collections.abc import Hashable, Iterable
from typing import Annotated, NamedTuple

import numpy as np

from gainful import ragged
from gainful.errors import ComparisonError
from gainful.interval import Interval
from gainful.ragged import FloatArray, IntArray
from gainful.settings import Setting, arguments_of

Persistence = Annotated[
    float,
    Setting(
        "how likely a reader of two rankings goes on to the next rank", more_than=0, less_than=1
    ),
]
Depth = Annotated[int | None, Setting("compare the first N items of every ranking", at_least=1)]


class Lists(NamedTuple):
    """Pairs of ranked lists, one of each side for every query.

    Attributes:
        owner: The query, from 0, of each item that both lists of a query have.
        first: Its rank, from 1, in the list of the first side.
        second: Its rank in the list of the second.
        n_first: How many items each list of the first side has.
        n_second: How many each of the second has.
    """

    owner: IntArray
    first: IntArray
    second: IntArray
    n_first: IntArray
    n_second: IntArray


class Overlaps(NamedTuple):
    """Rank-biased overlap of every query: what it is taken to be, and what it lies between."""

    extrapolated: FloatArray
    least: FloatArray
    most: FloatArray


def rbo(a: Iterable[Hashable], b: Iterable[Hashable], *, p: Persistence = 0.9) -> float:
    r"""The rank-biased overlap of two ranked lists, extrapolated: from 0, nothing shared, to 1.

    $$\mathrm{RBO} = (1 - p) \sum_{d=1}^{\infty} p^{d-1} \frac{X_d}{d}$$

    where $X_d$ is how many items the first $d$ of both lists share. Where the lists end, it is
    taken to go on as it was: RBO_ext, which lists of other lengths have too (equation 32 of the
    reference). A list that is empty has an overlap of 0 with any that is not; NaN if both are.

    Reference: Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010.

    Args:
        a: Items, the best first, none of them twice.
        b: The other list.
        p: How likely a reader goes on to the next rank; with 0.9 the first 10 ranks have 86% of
            the weight.

    >>> round(rbo(["d1", "d2", "d3"], ["d2", "d1", "d4"]), 4)
    0.63
    """
    return float(overlaps(_numbered("rbo", a, b), checked_p("rbo", p)).extrapolated[0])


def rbo_bounds(a: Iterable[Hashable], b: Iterable[Hashable], *, p: Persistence = 0.9) -> Interval:
    """What the rank-biased overlap lies between, whatever the lists go on with.

    The lower end is RBO_min; the width is the residual, RBO_res. For arguments see ``rbo``.

    >>> print(rbo_bounds(["d1", "d2", "d3"], ["d2", "d1", "d4"]))
    [0.3117, 0.8730]
    """
    found = overlaps(_numbered("rbo_bounds", a, b), checked_p("rbo_bounds", p))
    return Interval(float(found.least[0]), float(found.most[0]))


def jaccard(a: Iterable[Hashable], b: Iterable[Hashable], *, depth: Depth = None) -> float:
    """The share of items in the first ``depth`` of either list that both have there.

    All items count if there is no depth. NaN if both lists are empty.

    >>> jaccard(["d1", "d2", "d3"], ["d2", "d1", "d4"])
    0.5
    """
    lists = _numbered("jaccard", a, b, checked_depth("jaccard", depth))
    return float(shared_shares(lists)[0])


def checked_p(owner: str, p: float) -> float:
    """The persistence, or an error that says what it may be."""
    checked: float = arguments_of(rbo)["p"].check(owner, p, ComparisonError, "bad-argument")
    return checked


def checked_depth(owner: str, depth: int | None) -> int | None:
    """The depth, or an error that says what it may be."""
    checked: int | None = arguments_of(jaccard)["depth"].check(
        owner, depth, ComparisonError, "bad-argument"
    )
    return checked


def overlaps(lists: Lists, p: float) -> Overlaps:
    """The rank-biased overlap of every query; see ``rbo``."""
    n_queries = len(lists.n_first)
    short = np.minimum(lists.n_first, lists.n_second)
    long = np.maximum(lists.n_first, lists.n_second)
    owner, together = _first_together(lists)
    n_shared = ragged.sums(np.ones(len(owner)), owner, n_queries)
    early = ragged.sums(together <= short[owner], owner, n_queries)
    end = (short + long - n_shared).astype(np.int64)  # from here on they may agree altogether
    powers, weights = _tables(p, int(end.max(initial=0)))
    # An item that both have by rank m adds to the overlap of every depth from m on.
    seen = ragged.sums(weights[long[owner]] - weights[together - 1], owner, n_queries)
    unseen = powers[long] - powers[short] - short * (weights[long] - weights[short])
    further = 2 * (powers[end] - powers[long]) - end * (weights[end] - weights[long])
    rest = np.maximum(-math.log1p(-p) - weights[long], 0.0)
    share = ragged.divide(early, short.astype(np.float64), empty=0.0)
    last = ragged.divide(n_shared - early, long.astype(np.float64), empty=0.0) + share
    scale = (1 - p) / p
    extrapolated = np.clip(scale * (seen + share * unseen) + last * p**long, 0.0, 1.0)
    least = np.clip(scale * (seen + n_shared * rest), 0.0, 1.0)
    most = np.clip(scale * (seen + unseen + further) + p**end, least, 1.0)
    extrapolated[ragged.sums(lists.first == lists.second, lists.owner, n_queries) == long] = 1.0
    extrapolated[long == 0] = math.nan
    return Overlaps(extrapolated, least, most)


def _first_together(lists: Lists) -> tuple[IntArray, IntArray]:
    """The query of each shared item, and by which rank both lists have it, ascending.

    In this order, so that a sum has the same bits whatever the items are called.
    """
    together = np.maximum(lists.first, lists.second)
    width = int(together.max(initial=0)) + 1
    owner, rank = np.divmod(np.sort(lists.owner * width + together), width)
    return owner, rank


def shared_shares(lists: Lists) -> FloatArray:
    """For every query, the share of the items of either list that both have."""
    n_queries = len(lists.n_first)
    n_shared = ragged.sums(np.ones(len(lists.owner)), lists.owner, n_queries)
    return ragged.divide(n_shared, lists.n_first + lists.n_second - n_shared, empty=math.nan)


def shared_taus(lists: Lists) -> FloatArray:
    """For every query, Kendall's tau of the items that both lists have; NaN for fewer than two."""
    n_queries = len(lists.n_first)
    n_shared = np.bincount(lists.owner, minlength=n_queries)
    # Ranks of lists have no ties: every pair that is not in order is an inversion.
    swapped = _inversions(lists, n_queries)
    pairs = n_shared * (n_shared - 1) / 2
    return 1 - 2 * ragged.divide(swapped, pairs, empty=math.nan)


def _inversions(lists: Lists, n_queries: int) -> FloatArray:
    """For every query, how many pairs of items the lists have in another order.

    By the bits of the second rank, from the highest: of items that agree in all higher bits, those
    that have the bit come after those that do not. Wherever the first list has it the other way
    round is an inversion; then they are put in order, and the next bit follows.
    """
    order = np.lexsort((lists.first, lists.owner))
    owner, rank = lists.owner[order], lists.second[order]
    place, found = np.arange(len(rank)), np.zeros(n_queries)
    for bit in reversed(range(int(rank.max(initial=0)).bit_length())):
        start, block = ragged.blocks(owner, rank >> (bit + 1))
        high = (rank >> bit) & 1
        running = np.cumsum(high) - high
        before = running - running[start][block]
        found += ragged.sums(before * (1 - high), owner, n_queries)
        n_low = np.bincount(block, weights=1 - high).astype(np.int64)
        begin = start[block]
        ordered = np.empty_like(rank)
        ordered[np.where(high, begin + n_low[block] + before, place - before)] = rank
        rank = ordered
    return found


def _tables(p: float, depth: int) -> tuple[FloatArray, FloatArray]:
    """Running sums, from 0 on, of p**d and of p**d / d."""
    depths = np.arange(1.0, depth + 1)
    powers: FloatArray = p**depths
    return _running(powers), _running(powers / depths)


def _running(values: FloatArray) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(values)])


def _numbered(
    owner: str, a: Iterable[Hashable], b: Iterable[Hashable], depth: int | None = None
) -> Lists:
    """Two lists as those of one query."""
    first, second = _ranks(owner, a, depth), _ranks(owner, b, depth)
    both = [item for item in first if item in second]
    return Lists(
        owner=np.zeros(len(both), dtype=np.int64),
        first=np.array([first[item] for item in both], dtype=np.int64),
        second=np.array([second[item] for item in both], dtype=np.int64),
        n_first=np.array([len(first)]),
        n_second=np.array([len(second)]),
    )


def _ranks(owner: str, items: Iterable[Hashable], depth: int | None) -> dict[Hashable, int]:
    ranks: dict[Hashable, int] = {}
    for item in items:
        if item in ranks:
            message = f"{owner}: a list must have an item once, got {item!r:.60} twice."
            raise ComparisonError(message, code="listed-twice")
        ranks[item] = len(ranks) + 1
    return ranks if depth is None else {item: r for item, r in ranks.items() if r <= depth}
