"""Rank correlations of systems, and overlaps of ranked lists."""

import math
from collections.abc import Hashable, Sequence
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gainful.base import FloatArray, IntArray, Setting, ragged


def kendall_tau(a: ArrayLike, b: ArrayLike) -> float:
    """Return Kendall's tau-b of two lists of values of the same systems, from -1 to 1.

    The share of pairs of systems that both order alike, less the share they order the other way
    round; tau-b makes up for pairs that are tied. NaN for fewer than two systems, and where one
    list has the same value for all. Of two systems it can only be -1 or 1.

    Reference: Kendall, The treatment of ties in ranking problems, Biometrika 1945;
    ``scipy.stats.kendalltau``.

    >>> round(kendall_tau([0.4, 0.3, 0.2, 0.1], [0.5, 0.6, 0.2, 0.1]), 4)
    0.6667
    """
    from scipy.stats import kendalltau  # only who asks for statistics pays for loading it

    return float(kendalltau(a, b).statistic) if _vary(a, b) else math.nan


def weighted_tau(a: ArrayLike, b: ArrayLike) -> float:
    """Return Kendall's tau in which pairs with a system near the top weigh more, from -1 to 1.

    A system of rank r adds 1 / r to the weight of its pairs; the mean of what ranks by ``a`` and
    ranks by ``b`` give. NaN as ``kendall_tau`` is.

    Reference: Vigna, A weighted correlation index for rankings with ties, WWW 2015;
    ``scipy.stats.weightedtau``.

    >>> round(weighted_tau([0.4, 0.3, 0.2, 0.1], [0.5, 0.6, 0.2, 0.1]), 4)
    0.52
    """
    from scipy.stats import weightedtau

    return float(weightedtau(a, b).statistic) if _vary(a, b) else math.nan


def tau_ap(a: ArrayLike, b: ArrayLike, *, symmetric: bool = False) -> float:
    r"""Return the AP correlation of an order ``a`` with the reference ``b``, from -1 to 1.

    $$\tau_{ap} = \frac{2}{n - t} \sum_{i} \frac{C_i}{p_i} - 1$$

    where $p_i$ is how many systems ``a`` puts above system $i$, $C_i$ how many of these ``b`` puts
    above it too, and $t$ how many share the top of ``a``, which are left out of the sum. An error
    near the top costs more than one near the end. It is not symmetric: ``a`` says where the top is.

    Ties are treated as tau_ap,b treats them: systems that ``a`` ties do not count for each other,
    and a pair that only ``b`` ties counts as not ordered alike. Without ties this is the definition
    of Yilmaz and others. NaN as ``kendall_tau`` is.

    Reference: Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information
    retrieval, SIGIR 2008; Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.

    Args:
        a: A value for every system.
        b: The values of the reference, of the same systems.
        symmetric: Take the mean of both directions, where neither is the reference.

    >>> tau_ap([0.4, 0.3, 0.2, 0.1], [0.3, 0.4, 0.2, 0.1])  # the two best are swapped
    0.33333333333333326
    >>> round(tau_ap([0.4, 0.3, 0.2, 0.1], [0.4, 0.3, 0.1, 0.2]), 4)  # the two worst are
    0.7778
    """
    if symmetric:
        return (tau_ap(a, b) + tau_ap(b, a)) / 2
    if not _vary(a, b):
        return math.nan
    values, reference = np.asarray(a), np.asarray(b)
    above = values > values[:, np.newaxis]
    n_agreeing = (above & (reference > reference[:, np.newaxis])).sum(axis=1)
    n_above = above.sum(axis=1)
    below_top = n_above > 0
    shares = n_agreeing[below_top] / n_above[below_top]
    return 2 * math.fsum(shares) / len(shares) - 1


def _vary(*lists: ArrayLike) -> bool:
    return all(np.size(values) > 1 and np.ptp(values) > 0 for values in lists)


Persistence = Annotated[
    float,
    Setting(
        "probability that a reader of two rankings goes on to the next rank",
        more_than=0,
        less_than=1,
    ),
]


class ListPairs(NamedTuple):
    """Pairs of ranked lists, one of each side for every query.

    Attributes:
        owner: The query, from 0, of each item that both lists of a query have.
        first: Its rank, from 1, in the list of the first side.
        second: Its rank in the list of the second.
        n_first: Number of items in each list of the first side.
        n_second: Number of items in each list of the second side.
    """

    owner: IntArray
    first: IntArray
    second: IntArray
    n_first: IntArray
    n_second: IntArray


class Overlaps(NamedTuple):
    """Rank-biased overlap of every query: its estimate, and its lower and upper bound."""

    extrapolated: FloatArray
    lowest: FloatArray
    highest: FloatArray


def rbo(a: Sequence[Hashable], b: Sequence[Hashable], *, p: Persistence = 0.9) -> float:
    r"""Return the rank-biased overlap of two ranked lists, extrapolated, from 0 to 1.

    $$\mathrm{RBO} = (1 - p) \sum_{d=1}^{\infty} p^{d-1} \frac{X_d}{d}$$

    where $X_d$ is how many items the first $d$ of both lists share. Where the lists end, it is
    taken to go on as it was: RBO_ext, which lists of other lengths have too (equation 32 of the
    reference). A list that is empty has an overlap of 0 with any that is not; NaN if both are.

    Reference: Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010.

    Args:
        a: Items, the best first, none of them twice.
        b: The other list.
        p: Probability that a reader goes on to the next rank; with 0.9 the first 10 ranks have 86%
            of the weight.

    >>> round(rbo(["d1", "d2", "d3"], ["d2", "d1", "d4"]), 4)
    0.63
    """
    rank_in_b = {item: rank for rank, item in enumerate(b, start=1)}
    shared = [(rank, rank_in_b[item]) for rank, item in enumerate(a, start=1) if item in rank_in_b]
    first, second = np.array(shared, dtype=np.int64).reshape(-1, 2).T
    lists = ListPairs(np.zeros_like(first), first, second, np.array([len(a)]), np.array([len(b)]))
    return float(compute_overlaps(lists, p).extrapolated[0])


def compute_overlaps(lists: ListPairs, p: float) -> Overlaps:
    """Return the rank-biased overlap of every query and its bounds; see ``rbo``.

    The bounds hold for all continuations of the lists: RBO_min, and RBO_min plus RBO_res.
    """
    n_queries = len(lists.n_first)
    short = np.minimum(lists.n_first, lists.n_second)
    long = np.maximum(lists.n_first, lists.n_second)
    owner, together = _rank_shared_items(lists)
    n_shared = ragged.sum_by_query(np.ones(len(owner)), owner, n_queries)
    early = ragged.sum_by_query(together <= short[owner], owner, n_queries)
    end = (short + long - n_shared).astype(np.int64)  # from here on they may agree altogether
    powers, weights = _sum_powers(p, int(end.max(initial=0)))
    # An item that both have by rank m adds to the overlap of every depth from m on.
    seen_overlap = ragged.sum_by_query(
        weights[long[owner]] - weights[together - 1], owner, n_queries
    )
    unseen_overlap = powers[long] - powers[short] - short * (weights[long] - weights[short])
    further = 2 * (powers[end] - powers[long]) - end * (weights[end] - weights[long])
    remainder = np.maximum(-math.log1p(-p) - weights[long], 0.0)
    share = ragged.divide(early, short.astype(np.float64), empty=0.0)
    last = ragged.divide(n_shared - early, long.astype(np.float64), empty=0.0) + share
    scale = (1 - p) / p
    extrapolated = np.clip(
        scale * (seen_overlap + share * unseen_overlap) + last * p**long, 0.0, 1.0
    )
    lowest = np.clip(scale * (seen_overlap + n_shared * remainder), 0.0, 1.0)
    highest = np.clip(scale * (seen_overlap + unseen_overlap + further) + p**end, lowest, 1.0)
    extrapolated[
        ragged.sum_by_query(lists.first == lists.second, lists.owner, n_queries) == long
    ] = 1.0
    extrapolated[long == 0] = math.nan
    return Overlaps(extrapolated, lowest, highest)


def _rank_shared_items(lists: ListPairs) -> tuple[IntArray, IntArray]:
    """Return the query of each shared item, and the rank by which both lists have it, ascending.

    In this order, so that a sum has the same bits whatever the items are called.
    """
    together = np.maximum(lists.first, lists.second)
    width = int(together.max(initial=0)) + 1
    owner, rank = np.divmod(np.sort(lists.owner * width + together), width)
    return owner, rank


def compute_shared_shares(lists: ListPairs) -> FloatArray:
    """Return, for every query, the share of the items of either list that both have."""
    n_queries = len(lists.n_first)
    n_shared = ragged.sum_by_query(np.ones(len(lists.owner)), lists.owner, n_queries)
    return ragged.divide(n_shared, lists.n_first + lists.n_second - n_shared, empty=math.nan)


def compute_shared_taus(lists: ListPairs) -> FloatArray:
    """Return, for every query, Kendall's tau of the shared items; NaN for fewer than two."""
    n_queries = len(lists.n_first)
    n_shared = np.bincount(lists.owner, minlength=n_queries)
    # Ranks of lists have no ties: every pair that is not in order is an inversion.
    swapped = _count_inversions(lists, n_queries)
    pairs = n_shared * (n_shared - 1) / 2
    return 1 - 2 * ragged.divide(swapped, pairs, empty=math.nan)


def _count_inversions(lists: ListPairs, n_queries: int) -> FloatArray:
    """Count, for every query, how many pairs of items the lists have in another order.

    By the bits of the second rank, from the highest: of items that agree in all higher bits, those
    that have the bit come after those that do not. Wherever the first list has it the other way
    round is an inversion; then they are put in order, and the next bit follows.
    """
    order = np.lexsort((lists.first, lists.owner))
    owner, rank = lists.owner[order], lists.second[order]
    positions, inversions = np.arange(len(rank)), np.zeros(n_queries)
    for bit in reversed(range(int(rank.max(initial=0)).bit_length())):
        start, block = ragged.group_equal(owner, rank >> (bit + 1))
        high = (rank >> bit) & 1
        running = np.cumsum(high) - high
        n_before = running - running[start][block]
        inversions += ragged.sum_by_query(n_before * (1 - high), owner, n_queries)
        n_low = np.bincount(block, weights=1 - high).astype(np.int64)
        begin = start[block]
        sorted_rank = np.empty_like(rank)
        sorted_rank[np.where(high, begin + n_low[block] + n_before, positions - n_before)] = rank
        rank = sorted_rank
    return inversions


def _sum_powers(p: float, depth: int) -> tuple[FloatArray, FloatArray]:
    """Return running sums, from 0 on, of p**d and of p**d / d."""
    depths = np.arange(1.0, depth + 1)
    powers: FloatArray = p**depths
    return _accumulate(powers), _accumulate(powers / depths)


def _accumulate(values: FloatArray) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(values)])
