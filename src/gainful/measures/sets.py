"""Measures of what was returned as a set, in whatever order."""

from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, Setting, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import find_relevant
from gainful.measures._ties import count_relevant, find_relevant_blocks, has_averaged_ties
from gainful.measures.counts import NumRet

RelevantReturned = Annotated[
    float, Setting("what a relevant item is worth that was returned", at_least=-1e9, at_most=1e9)
]
OtherReturned = Annotated[
    float, Setting("what any other item is worth that was returned", at_least=-1e9, at_most=1e9)
]
RelevantMissed = Annotated[
    float,
    Setting("what a relevant item is worth that was not returned", at_least=-1e9, at_most=1e9),
]
OtherLeft = Annotated[
    float, Setting("what any other item of the collection is worth", at_least=-1e9, at_most=1e9)
]
Collection = Annotated[int, Setting("how many items the collection has, for d", at_least=0)]


@measure(bounds=(0, 1), averages_ties=True, monotone=True, trec_eval="set_P")
def SetP(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the returned items that are relevant.

    $$\mathrm{SetP} = \frac{h}{n}$$

    where $h$ of the $n$ returned items are relevant. A query without results scores 0 where
    anything is relevant; with nothing relevant either it is undefined, and `Rules.empty` says what
    it scores, 0 by default. Unjudged items and negative labels are not relevant. Order does not
    matter, unless `Rules.depth` cuts through a tie: then the relevant items that fit are averaged.

    Reference: trec_eval, measure set_P.
    """
    share = ragged.divide(count_relevant(ranked, rel), NumRet.score(ranked), empty=0.0)
    nothing = (ranked.n_retrieved == 0) & (find_relevant(ranked, rel).pool == 0)
    return np.where(nothing, np.nan, share)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, trec_eval="set_recall")
def SetR(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the relevant items that were returned.

    $$\mathrm{SetR} = \frac{h}{R}$$

    where $h$ of the $R$ relevant items were returned. A query with nothing relevant divides by
    zero: `Rules.empty` says what it scores, 0 by default. A query without results scores 0 where
    anything is relevant.

    Reference: trec_eval, measure set_recall.
    """
    return ragged.divide(count_relevant(ranked, rel), find_relevant(ranked, rel).pool, empty=np.nan)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, trec_eval="set_F")
def SetF(ranked: JudgedRankings, *, beta: s.Beta = 1.0, rel: s.Rel = 1.0) -> FloatArray:
    r"""Weighted harmonic mean of the precision and the recall of the returned items.

    $$\mathrm{SetF}_\beta = \frac{(1 + \beta^2)\,\mathrm{SetP}\;\mathrm{SetR}}
    {\beta^2\,\mathrm{SetP} + \mathrm{SetR}}$$

    With nothing relevant there is no recall: `Rules.empty` says what the query scores, 0 by
    default. With nothing relevant returned it is 0.

    The square is the textbook's. trec_eval's set_F.x has x in place of $\beta^2$, and ir_measures
    hands its beta to trec_eval as x: their 2 is $\beta = \sqrt 2$ here. At 1 all agree.

    Reference: van Rijsbergen, Information retrieval, Butterworths, 1979.
    """
    hits, pool, square = count_relevant(ranked, rel), find_relevant(ranked, rel).pool, beta * beta
    precision = ragged.divide(hits, NumRet.score(ranked), empty=0.0)
    recall = ragged.divide(hits, pool, empty=0.0)
    top = (square + 1.0) * precision * recall
    value = ragged.divide(top, square * precision + recall, empty=0.0)
    return np.where(pool > 0, value, np.nan)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, trec_eval="set_map")
def SetAP(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision times recall of the returned items.

    $$\mathrm{SetAP} = \frac{h^2}{n R}$$

    where $h$ of the $n$ returned and of the $R$ relevant items are both. It is about what the
    average precision would be if the returned items stood in random order. A query with nothing
    relevant divides by zero: `Rules.empty` says what it scores, 0 by default. A query without
    results scores 0 where anything is relevant.

    Reference: trec_eval, measure set_map.
    """
    hits, pool = count_relevant(ranked, rel), find_relevant(ranked, rel).pool
    square = hits * hits
    if has_averaged_ties(ranked):
        # The mean of a square is more than the square of the mean.
        square += find_relevant_blocks(ranked, rel).variance(ranked.n_retrieved)
    value = ragged.divide(square, NumRet.score(ranked) * pool, empty=0.0)
    return np.where(pool > 0, value, np.nan)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, trec_eval="set_relative_P")
def SetRelP(ranked: JudgedRankings, *, rel: s.Rel = 1.0) -> FloatArray:
    r"""Precision of the returned items as a share of the highest that so many items allow.

    $$\mathrm{SetRelP} = \frac{h}{\min(n, R)}$$

    where $h$ of the $n$ returned and of the $R$ relevant items are both. A query with nothing
    relevant divides by zero: `Rules.empty` says what it scores, 0 by default. A query without
    results scores 0 where anything is relevant.

    Reference: trec_eval, measure set_relative_P.
    """
    pool = find_relevant(ranked, rel).pool
    value = ragged.divide(
        count_relevant(ranked, rel), np.minimum(NumRet.score(ranked), pool), empty=0.0
    )
    return np.where(pool > 0, value, np.nan)


@measure(bounds=(-np.inf, np.inf), averages_ties=True, trec_eval="utility")
def Utility(
    ranked: JudgedRankings,
    *,
    a: RelevantReturned = 1.0,
    b: OtherReturned = -1.0,
    c: RelevantMissed = 0.0,
    d: OtherLeft = 0.0,
    collection: Collection = 0,
    rel: s.Rel = 1.0,
) -> FloatArray:
    r"""Worth of what was returned and of what was not, by four weights.

    $$\mathrm{Utility} = a\,h + b\,(n - h) + c\,(R - h) + d\,(N + h - n - R)$$

    where $h$ of the $n$ returned and of the $R$ relevant items are both, and $N$ is the number of
    items in the collection, which only `d` needs: trec_eval is given it as -N. Any real number is
    possible. A query without results is worth what it missed: $c R + d (N - R)$.

    Reference: Hull, The TREC-6 filtering track: Description and analysis, TREC 1997.
    """
    hits, n, pool = (
        count_relevant(ranked, rel),
        NumRet.score(ranked),
        find_relevant(ranked, rel).pool,
    )
    return a * hits + b * (n - hits) + c * (pool - hits) + d * (collection + hits - n - pool)
