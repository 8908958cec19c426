"""Averages over several judges of the same items, as trec_eval makes of judgment groups."""

import numpy as np

from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import relevant
from gainful.measures.average_precision import AP
from gainful.measures.precision import P, RprecMult, Times
from gainful.ragged import FloatArray
from gainful.rankings import GroupedRankings


@measure(bounds=(0, 1), averages_ties=True, trec_eval="map_avgjg")
def APgroups(ranked: GroupedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over judges of the average precision by the judgments of each.

    $$\mathrm{APgroups} = \frac{1}{n} \sum_{j=1}^{n} \mathrm{AP}_j$$

    over all $n$ judges of the query. A judge who finds nothing relevant counts as 0, as in
    trec_eval; AP_IA leaves such groups out. If no judge finds anything relevant, `Rules.empty`
    says what the query scores, 0 by default. A query without results scores 0.

    Reference: Buckley and Voorhees, trec_eval, measure map_avgjg of qrels_jg.
    """
    return _mean(ranked, AP(rel=rel).score(ranked.groups), rel)


@measure(bounds=(0, 1), averages_ties=True, trec_eval="P_avgjg_{cutoff}")
def Pgroups(ranked: GroupedRankings, *, cutoff: s.FixedCutoff, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over judges of the precision by the judgments of each.

    $$\mathrm{Pgroups}@k = \frac{1}{n} \sum_{j=1}^{n} \mathrm{P}_j@k$$

    over all $n$ judges of the query. A ranking shorter than the cutoff is filled up with items that
    are not relevant, so that a query without results, or with nothing relevant, scores 0.

    Reference: Buckley and Voorhees, trec_eval, measure P_avgjg of qrels_jg.
    """
    total = ranked.total(P(cutoff=cutoff, rel=rel).score(ranked.groups))
    return np.minimum(total / np.diff(ranked.group_offsets), 1.0)  # averaged ties are rounded


@measure(bounds=(0, 1), averages_ties=True, at="times", trec_eval="Rprec_mult_avgjg_{times}")
def RprecMultGroups(ranked: GroupedRankings, *, times: Times = 1.0, rel: s.Rel = 1.0) -> FloatArray:
    r"""Mean over judges of the precision at a multiple of the relevant items of each.

    $$\frac{1}{n} \sum_{j=1}^{n} \mathrm{P}_j@c_j, \quad c_j = \lfloor x R_j + 0.9 \rfloor$$

    where $R_j$ counts the items that judge $j$ finds relevant and $x$ is `times`; 1 gives
    R-precision. A judge whose $c_j$ is 0 counts as 0, as in trec_eval. If no judge finds anything
    relevant, `Rules.empty` says what the query scores, 0 by default. A query without results
    scores 0.

    Reference: Buckley and Voorhees, trec_eval, measure Rprec_mult_avgjg of qrels_jg.
    """
    return _mean(ranked, RprecMult(times=times, rel=rel).score(ranked.groups), rel)


def _mean(ranked: GroupedRankings, values: FloatArray, rel: float) -> FloatArray:
    """The mean over judges, 0 for one without a value; NaN where no judge finds anything."""
    total = ranked.total(np.where(np.isnan(values), 0.0, values))
    some = ranked.total(relevant(ranked.groups, rel).pool) > 0
    return np.where(some, np.minimum(total / np.diff(ranked.group_offsets), 1.0), np.nan)
