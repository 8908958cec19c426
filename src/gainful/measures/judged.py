"""How much of what was returned has a judgment."""

import math

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._ties import cap_cutoff, count_hits, find_last_ranks


@measure(bounds=(0, 1), averages_ties=True, higher_is_better=False)
def Judged(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    divide: s.JudgedOf = "returned",
    negatives: s.NegativeLabels = "judged",
) -> FloatArray:
    r"""Share of the first ranks that hold a judged item.

    $$\mathrm{Judged}@k = \frac{j_k}{\min(k, n)}$$

    where $j_k$ is the number of judged items within the first $k$ ranks and $n$ the number of
    items that the run returned. Low values mean that other measures take much for not relevant
    that nobody has looked at. A query without results scores 0.

    Tools disagree: ir_measures divides as above, and `divide=cutoff` by $k$ whatever was returned;
    pyserini divides sums over all queries, which is `JudgedShare`. An item with a negative label is
    judged, as in ir_measures; for trec_eval it is not, `negatives=unjudged`.

    Reference: ir_measures, measure Judged.
    """
    return _compute_share(ranked, _count_judged(ranked, cutoff, negatives), cutoff, divide)


@measure(bounds=(0, 1), averages_ties=True, trec_eval="unj_{cutoff}", higher_is_better=False)
def Unjudged(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    divide: s.JudgedOf = "cutoff",
    negatives: s.NegativeLabels = "unjudged",
) -> FloatArray:
    r"""Share of the first ranks that hold an item without a judgment.

    $$\mathrm{Unjudged}@k = \frac{\min(k, n) - j_k}{k}$$

    where $j_k$ is the number of judged items within the first $k$ ranks and $n$ the number of
    items that the run returned; without a cutoff $k$ is $n$. BEIR calls the mean of it Hole@k. A
    query without results scores 0.

    It is trec_eval's: ranks that hold no item are in the divisor, unless `divide=returned`, and
    an item with a negative label is unjudged, unless `negatives=judged`. With both it is 1 less
    `Judged`.

    Reference: trec_eval 10, measure unj.
    """
    n_looked_at = find_last_ranks(ranked, cutoff).astype(np.float64)
    unjudged = n_looked_at - _count_judged(ranked, cutoff, negatives)
    return _compute_share(ranked, unjudged, cutoff, divide)


@measure(bounds=(0, 1), averages_ties=True, whole=True, higher_is_better=False)
def JudgedShare(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    negatives: s.NegativeLabels = "judged",
) -> float:
    r"""Share of all items in the first ranks of all queries that are judged.

    $$\mathrm{JudgedShare}@k = \frac{\sum_q j_{q,k}}{\sum_q \min(k, n_q)}$$

    where $j_{q,k}$ is the number of judged items within the first $k$ ranks of query $q$ and $n_q$
    the number of items that the run returned for it. It is a number of the whole run: no query has
    a value of its own, and one with few results weighs less than in the mean of `Judged`. A run
    without results scores 0.

    It is pyserini's judged.k, with one difference: pyserini counts what the run returned for
    queries without any judgment as unjudged, and here such queries are left out, as everywhere.

    Reference: pyserini, option judged of its trec_eval.
    """
    judged = math.fsum(_count_judged(ranked, cutoff, negatives).tolist())
    n_looked_at = int(find_last_ranks(ranked, cutoff).sum())
    return judged / n_looked_at if n_looked_at else 0.0


def judged_share(ranked: JudgedRankings, cutoff: int | None) -> FloatArray:
    """Return the values of ``Judged`` for a cutoff, with default settings."""
    return _compute_share(ranked, _count_judged(ranked, cutoff, "judged"), cutoff, "returned")


def _count_judged(ranked: JudgedRankings, cutoff: int | None, negatives: str) -> FloatArray:
    least = 0.0 if negatives == "unjudged" else -np.inf
    return count_hits(ranked, ranked.hit_label >= least, cutoff)


def _compute_share(
    ranked: JudgedRankings, count: FloatArray, cutoff: int | None, divide: str
) -> FloatArray:
    if divide == "cutoff" and cutoff is not None:
        return count / float(cap_cutoff(cutoff))
    return ragged.divide(count, find_last_ranks(ranked, cutoff).astype(np.float64), empty=0.0)
