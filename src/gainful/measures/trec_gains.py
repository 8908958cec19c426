"""Four measures of gain that only trec_eval has: nDCGrel, Rndcg, G, binG."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, Setting, cached_property, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._discounts import Discount
from gainful.measures._gains import Gain, compute_gains
from gainful.measures._relevance import (
    RunningSums,
    check_sums,
    compute_running_sums,
    find_relevant,
    sort_ideal_gains,
)

LINEAR, LOG2 = Gain("linear"), Discount("log2")
_LONGEST_TABLE = 1 << 16

End = Annotated[
    str,
    Setting(
        "whether nDCG at the end of the ranking counts as well",
        choices={
            "trec_eval": "if at least two items are left below the last level, as trec_eval does",
            "left": "if at least one item is left below the last level, as trec_eval's help says",
            "never": "no: levels alone",
        },
    ),
]


@dataclass(frozen=True, eq=False)
class Gains:
    """The gains of the hits, and the possible gains.

    Attributes:
        gain: The gain of each hit that has one, best rank first.
        query: The query of each.
        rank: The rank of each.
        offsets: Where those of each query begin.
        ideal: The gains above 0 of all judged items, from high to low.
        ideal_offsets: Where those of each query begin.
    """

    gain: FloatArray
    query: IntArray
    rank: IntArray
    offsets: IntArray
    ideal: FloatArray
    ideal_offsets: IntArray

    @cached_property
    def dcg(self) -> RunningSums:
        """DCG down to each hit that gains something."""
        return _sum_discounted(self.gain, self.rank, self.offsets)

    @cached_property
    def ideal_dcg(self) -> RunningSums:
        """DCG of the best possible ranking down to each of its ranks."""
        return _sum_discounted(
            self.ideal, ragged.find_positions(self.ideal_offsets), self.ideal_offsets
        )


@measure(bounds=(0, 1), trec_eval="ndcg_rel")
def nDCGrel(
    ranked: JudgedRankings,
    *,
    gain: s.Gain = LINEAR,
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""Mean of nDCG over the cutoffs at which the items that gain something stand.

    $$\mathrm{nDCGrel} = \frac{1}{N} \Big( \sum_{i:\, g(l_i) > 0} \mathrm{nDCG}@i +
    (N - n)\, \frac{\mathrm{DCG}}{\mathrm{IDCG}} \Big)$$

    where $N$ is the number of judged items with a gain above 0, of which the run returned $n$. An
    item that was not returned counts with the nDCG at the end of the ranking.

    A query without results scores 0, and no query scores less, even where gains are negative. A
    query with nothing to gain divides by zero: `Rules.empty` says what it scores, 0 by default.
    trec_eval's `ndcg_rel.1=3,2=9` is `gain={1: 3, 2: 9}`; where two gains are less than 1 apart,
    trec_eval sorts its levels wrongly.

    Reference: trec_eval's ndcg_rel, an experiment of its authors.
    """
    gains = _compute_gains(ranked, gain, negatives, rel)
    dcg, ideal = gains.dcg, gains.ideal_dcg
    above = np.flatnonzero(gains.gain > 0)
    query = gains.query[above]
    at_best = ideal.sum_first(gains.rank[above], query)  # 0 where unjudged items alone gain
    at_items = ragged.divide(dcg.total[above], at_best, empty=0.0)
    missed = ideal.sizes - np.bincount(query, minlength=ranked.n_queries)
    at_end = ragged.divide(missed * dcg.whole, ideal.whole, empty=np.nan)
    total = ragged.sum_by_query(at_items, query, ranked.n_queries) + at_end
    return np.clip(ragged.divide(total, ideal.sizes.astype(np.float64), empty=np.nan), 0.0, 1.0)


@measure(bounds=(0, 1), trec_eval="Rndcg", monotone=True)
def Rndcg(
    ranked: JudgedRankings,
    *,
    gain: s.Gain = LINEAR,
    end: End = "trec_eval",
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""Mean of nDCG over the cutoffs at which the best possible ranking passes to lower gains.

    $$\mathrm{Rndcg} = \frac{1}{m} \sum_{j=1}^{m} \mathrm{nDCG}@N_j$$

    where $N_j$ is the number of judged items that have one of the $j$ highest gains, and $m$ the
    number of different gains above 0. With 5 items of gain 3, 3 of gain 2 and 10 of gain 1
    the cutoffs are 5, 8 and 18.

    The end of the ranking is one more cutoff, if it goes on below the last of these. trec_eval's
    help says so, but its code wants two items there: a ranking with just one is not cut at its end.
    The value is that of the code; `end=left` gives the one of the help, `end=never` that of the
    levels alone. The example in the help cuts at the number of judged items too; the code does
    not.

    A query without results scores 0. A query with nothing to gain divides by zero: `Rules.empty`
    says what it scores, 0 by default. trec_eval's `Rndcg.1=3,2=9` is `gain={1: 3, 2: 9}`; where two
    gains are less than 1 apart, trec_eval sorts its levels wrongly.

    Reference: trec_eval's Rndcg, an experiment of its authors.
    """
    gains = _compute_gains(ranked, gain, negatives, rel)
    dcg, ideal = gains.dcg, gains.ideal_dcg
    owner = ragged.find_owners(gains.ideal_offsets)
    falls = np.ones(len(owner), dtype=np.bool_)
    falls[:-1] = (gains.ideal[1:] != gains.ideal[:-1]) | (owner[1:] != owner[:-1])
    last = np.flatnonzero(falls)
    query, depth = owner[last], last + 1 - gains.ideal_offsets[owner[last]]
    share = dcg.sum_first(_count_within(gains, query, depth), query) / ideal.total[last]
    total = ragged.sum_by_query(share, query, ranked.n_queries)
    count = np.bincount(query, minlength=ranked.n_queries).astype(np.float64)
    if end != "never":
        left = ranked.n_retrieved - ideal.sizes >= (2 if end == "trec_eval" else 1)
        ended = left & (ideal.sizes > 0)
        total += np.where(ended, ragged.divide(dcg.whole, ideal.whole, empty=0.0), 0.0)
        count += ended
    return np.minimum(ragged.divide(total, count, empty=np.nan), 1.0)


@measure(bounds=(0, 1), trec_eval="G")
def G(
    ranked: JudgedRankings,
    *,
    gain: s.Gain = LINEAR,
    negatives: s.Negatives = "zero",
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""Sum of gains, each discounted by what was missed until then, as a share of all gains.

    $$\mathrm{G} = \frac{1}{\sum_j g_{(j)}} \sum_i \frac{g(l_i)}
    {\log_2\big(2 + \sum_{j \le i} \max(g_{(j)}, 1) - \sum_{j \le i} g(l_j)\big)}$$

    where $g_{(1)} \ge g_{(2)} \ge \dots$ are the gains above 0 of all judged items, and 0 beyond
    them. A rank costs at least 1, so that items below the last gain make later ones worth less.
    A perfect ranking has nothing missed, and scores 1 if no gain is below 1.

    A query without results scores 0. A query with nothing to gain divides by zero: `Rules.empty`
    says what it scores, 0 by default. trec_eval's help has the sums run to the rank before $i$, and
    does not say that a rank costs 1; its code is as above, and so are the values. Its `G.1=3,2=9`
    is `gain={1: 3, 2: 9}`; where two gains are less than 1 apart, trec_eval sorts its levels
    wrongly.

    Reference: trec_eval's G, an experiment of its authors, 2008.
    """
    gains = _compute_gains(ranked, gain, negatives, rel)
    cost = compute_running_sums(np.maximum(gains.ideal, 1.0), gains.ideal_offsets)
    beyond = np.maximum(gains.rank - cost.sizes[gains.query], 0)
    spent = cost.sum_first(gains.rank, gains.query) + beyond
    missed = 2 + spent - compute_running_sums(gains.gain, gains.offsets).total
    # Below 2 by more than rounding only where unjudged items gain more than was there to be found.
    missed = np.where(missed < 1.5, 2.0, missed)
    total = ragged.sum_by_query(gains.gain / _compute_log2(missed), gains.query, ranked.n_queries)
    whole = compute_running_sums(gains.ideal, gains.ideal_offsets).whole
    return np.minimum(ragged.divide(total, whole, empty=np.nan), 1.0)


@measure(bounds=(0, 1), trec_eval="binG", monotone=True)
def binG(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over the relevant items of 1 over the logarithm of the other items above each.

    $$\mathrm{binG} = \frac{1}{R} \sum_{i:\, l_i \ge rel} \frac{1}{\log_2(2 + i - C(i))}$$

    where $C(i)$ is the number of relevant items down to rank $i$, so that $i - C(i)$ is the number
    of items above it that are not relevant, and $R$ the number of relevant items that are judged.
    It is G with `gain=binary`.

    Relevant items that were not returned count as 0, and so does a query without results. Where
    nothing is relevant, `Rules.empty` says what it scores, 0 by default.

    Reference: trec_eval's binG, an experiment of its authors, 2008.
    """
    relevant = find_relevant(ranked, rel)
    n_others = relevant.rank - relevant.nth
    divisor = LOG2.divisors(int(n_others.max(initial=0)) + 1)[n_others + 1]
    total = ragged.sum_by_query(1.0 / divisor, relevant.query, ranked.n_queries)
    return ragged.divide(total, relevant.pool, empty=np.nan)


def _compute_gains(ranked: JudgedRankings, gain: Gain, negatives: str, rel: float) -> Gains:
    """Return the gains and their ranks, computed once for all measures."""
    key = ("gains", gain, negatives, rel)
    if key not in ranked.memo:
        hit_gains = compute_gains(ranked, "hit_label", gain, rel=rel, negatives=negatives)
        hit = np.flatnonzero(hit_gains)
        query = ranked.hit_query[hit]
        offsets = ragged.offsets_from_owners(query, ranked.n_queries)
        pool = compute_gains(ranked, "pool_label", gain, rel=rel, negatives=negatives)
        check_sums(gain, pool, ranked.pool_query)
        ideal = sort_ideal_gains(pool, ranked.pool_query, ranked.n_queries)
        ranked.memo[key] = Gains(hit_gains[hit], query, ranked.hit_rank[hit], offsets, *ideal)
    gains: Gains = ranked.memo[key]
    return gains


def _sum_discounted(gain: FloatArray, rank: IntArray, offsets: IntArray) -> RunningSums:
    """Return the DCG down to each of the gains."""
    return compute_running_sums(gain / LOG2.divisors(int(rank.max(initial=1)))[rank], offsets)


def _count_within(gains: Gains, query: IntArray, depth: IntArray) -> IntArray:
    """Return how many hits that gain something are within the first ranks of their query."""
    # Both in the order of queries and ranks, which one number can hold.
    width = int(max(gains.rank.max(initial=0), depth.max(initial=0))) + 1
    places = gains.query * width + gains.rank
    return np.searchsorted(places, query * width + depth, side="right") - gains.offsets[query]


def _compute_log2(number: FloatArray) -> FloatArray:
    """Return logarithms of numbers >= 2 or so, by libm: those of NumPy differ between CPUs."""
    highest = number.max(initial=2.0)
    if highest <= _LONGEST_TABLE and (np.trunc(number) == number).all():
        return LOG2.divisors(int(highest))[number.astype(np.int64) - 1]
    distinct, place = np.unique(number, return_inverse=True)
    return np.array([math.log2(value) for value in distinct.tolist()])[place]
