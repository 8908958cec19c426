"""Bpref: preferences of relevant items over items judged not relevant, unjudged ones left out."""

import numpy as np

from gainful import ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import relevant
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings


@measure(bounds=(0, 1), trec_eval="bpref")
def Bpref(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean, over the relevant items, of the share of judged others that it stands above.

    $$\mathrm{Bpref} = \frac{1}{R} \sum_j \left( 1 - \frac{\min(n_j, R)}{\min(N, R)} \right)$$

    where $n_j$ is the number of items judged not relevant above the $j$-th relevant item of the
    ranking, $N$ the number of those that the query has, and $R$ the number of relevant items;
    relevant items that were not returned add 0. Unjudged items do not matter; nor do items with a
    negative label, which trec_eval takes for unjudged. A query with nothing relevant divides by
    zero: `Rules.empty` says what it scores, 0 by default. A query without results scores 0 where
    anything is relevant. No exact average over ties is known for it.

    This is trec_eval's form, which differs from the first one published: that looks only at the
    first $R$ items judged not relevant and divides by $R$.

    Reference: Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.
    """
    return mean_preference(ranked, rel)


@measure(bounds=(0, 1), average="geometric", trec_eval="gm_bpref")
def GMBpref(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Bpref, whose geometric mean over the queries tells more of the bad ones.

    $$\mathrm{GMBpref} = \Bigl(\prod_{q} \max(\mathrm{Bpref}_q, 0.00001)\Bigr)^{1/Q}$$

    The value of one query is its `Bpref`; trec_eval keeps its logarithm. Over $Q$ queries, values
    below 0.00001 count as that. No exact average over ties is known for it.

    Reference: Buckley and Voorhees, 2004; trec_eval, measure gm_bpref.
    """
    return mean_preference(ranked, rel)


def mean_preference(
    ranked: JudgedRankings, rel: float, *, worth: FloatArray | None = None
) -> FloatArray:
    """Bpref, each hit counting as much as it is worth: 1 if that is not given."""
    items, label = relevant(ranked, rel), ranked.hit_label
    above = ragged.counts((label >= 0) & (label < rel), ranked.hit_offsets)[items.hit]
    others = ranked.pool_total((ranked.pool_label >= 0) & (ranked.pool_label < rel))
    most = np.minimum(others, items.pool)[items.query]
    # Nothing above it means nothing to divide, even if there are no others at all.
    lost = ragged.divide(np.minimum(above, items.pool[items.query]), most, empty=0.0)
    kept = 1.0 - lost if worth is None else (1.0 - lost) * worth[items.hit]
    total = ragged.sums(kept, items.query, ranked.n_queries)
    return ragged.divide(total, items.pool, empty=np.nan)
