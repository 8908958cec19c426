"""Recall: of what is relevant, how much was found; and its mean with precision."""

import numpy as np

from gainful import ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._relevance import relevant
from gainful.measures._ties import capped, found
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings


@measure(
    bounds=(0, 1), averages_ties=True, monotone=True, also=("Recall",), trec_eval="recall_{cutoff}"
)
def R(ranked: JudgedRankings, *, cutoff: s.Cutoff = None, rel: s.Rel = 1.0) -> FloatArray:
    r"""Share of the relevant items that stand within the first ranks.

    $$\mathrm{R}@k = \frac{h_k}{R}$$

    where $h_k$ is the number of relevant items within the first $k$ ranks and $R$ the number of
    relevant items of the query, returned or not. Without a cutoff, all items that the run returned
    count. A query with nothing relevant divides by zero: `Rules.empty` says what it scores, 0 by
    default. A query without results scores 0 where anything is relevant. Some recommender
    libraries divide by $\min(k, R)$: that is `RelP`.

    Reference: Manning, Raghavan and Schütze, Introduction to information retrieval, Cambridge
    University Press, 2008.
    """
    return ragged.divide(found(ranked, rel, cutoff), relevant(ranked, rel).pool, empty=np.nan)


@measure(bounds=(0, 1), averages_ties=True, monotone=True, also=("F1", "FMeasure"))
def F(
    ranked: JudgedRankings, *, cutoff: s.FixedCutoff, beta: s.Beta = 1.0, rel: s.Rel = 1.0
) -> FloatArray:
    r"""Weighted harmonic mean of precision and recall within the first ranks.

    $$\mathrm{F}_\beta@k = \frac{(1 + \beta^2)\,\mathrm{P}@k\;\mathrm{R}@k}
    {\beta^2\,\mathrm{P}@k + \mathrm{R}@k} = \frac{(1 + \beta^2)\,h_k}{\beta^2 R + k}$$

    where $h_k$ is the number of relevant items within the first $k$ ranks and $R$ the number of
    relevant items of the query. With nothing relevant there is no recall: `Rules.empty` says what
    the query scores, 0 by default. With nothing found it is 0. A ranking shorter than the cutoff
    is filled up with items that are not relevant, as for `P`; for the list as the run returned
    it, see `SetF`.

    Reference: van Rijsbergen, Information retrieval, Butterworths, 1979.
    """
    pool, square = relevant(ranked, rel).pool, beta * beta
    value = (1.0 + square) * found(ranked, rel, cutoff) / (square * pool + float(capped(cutoff)))
    return np.where(pool > 0, value, np.nan)
