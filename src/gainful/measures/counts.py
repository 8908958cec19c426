"""Counts of queries and items, added up over all queries."""

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import find_relevant
from gainful.measures._ties import count_hits, count_relevant


@measure(average="sum", averages_ties=True, trec_eval="num_q", higher_is_better=False)
def NumQ(ranked: JudgedRankings) -> FloatArray:
    r"""Number of queries that were evaluated.

    $$\mathrm{NumQ} = 1 \text{ for each query}$$

    A judged query without results counts too, unless `Rules.missing` leaves it out.

    Reference: trec_eval, measure num_q.
    """
    return np.ones(ranked.n_queries)


@measure(average="sum", averages_ties=True, trec_eval="num_ret", higher_is_better=False)
def NumRet(ranked: JudgedRankings) -> FloatArray:
    r"""Number of items that the run returned.

    $$\mathrm{NumRet} = n$$

    Judged or not; what `Rules.depth` cuts off is not counted. A query without results has 0.

    Reference: trec_eval, measure num_ret.
    """
    return ranked.n_retrieved.astype(np.float64)


@measure(average="sum", averages_ties=True, trec_eval="num_rel", higher_is_better=False)
def NumRel(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Number of relevant items, returned or not.

    $$\mathrm{NumRel} = R$$

    It does not depend on the run. trec_eval -c counts every label above 0 in the sum over all
    queries, whatever its relevance level; here `rel` holds for the sum too.

    Reference: trec_eval, measure num_rel.
    """
    return find_relevant(ranked, rel).pool.copy()


@measure(average="sum", averages_ties=True, monotone=True, trec_eval="num_rel_ret")
def NumRelRet(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Number of relevant items that the run returned.

    $$\mathrm{NumRelRet} = h$$

    A query without results has 0. Where ties are averaged and `Rules.depth` cuts through a tie,
    it is the number that fits on average, which need not be whole.

    Reference: trec_eval, measure num_rel_ret.
    """
    return count_relevant(ranked, rel).copy()


@measure(
    average="sum", averages_ties=True, trec_eval="num_nonrel_judged_ret", higher_is_better=False
)
def NumNonrelRet(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Number of returned items that are judged and not relevant.

    $$\mathrm{NumNonrelRet} = |\{i : 0 \le l_i < \mathit{rel}\}|$$

    where $l_i$ is the label of the item at rank $i$. Unjudged items are not counted; nor are
    items with a negative label, which trec_eval takes for unjudged. A query without results has 0.

    Reference: trec_eval, measure num_nonrel_judged_ret.
    """
    return count_hits(ranked, (ranked.hit_label >= 0) & (ranked.hit_label < rel))
