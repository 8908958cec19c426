"""TBG, UMeasure and NPV: what is found later is worth less, by time, text or interest."""

import math
from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import ENDLESS, FloatArray, Setting
from gainful.measures import _settings as s
from gainful.measures._cwl import Gains, Patience, score_patient_users
from gainful.measures._declare import measure

HalfLife = Annotated[
    float, Setting("after how many items half of the users have stopped", more_than=0)
]
Length = Annotated[
    float, Setting("after how many items all users have stopped", at_least=1, at_most=1e9)
]
Rate = Annotated[float, Setting("by how much the next item is worth less", more_than=0)]


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def TBG(
    ranked: JudgedRankings,
    *,
    halflife: HalfLife = 224.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: s.PaddedTo = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Time-biased gain, if every item takes the same time.

    $$\mathrm{TBG} = \sum_i W(i)\, g_i, \qquad V(i) = 2^{-(i-1)/h}, \qquad
    W(i) = \frac{V(i)}{\sum_j V(j)}$$

    where $h$ is the half-life, in the time that one item takes: the 224 seconds of the paper, at
    10 seconds per item, are `halflife=22.4`. It is RBP with $p = 2^{-1/h}$. A query without
    results, or with nothing relevant, scores 0. Averaged ties are exact.

    Smucker and Clarke add up gains without dividing by the sum of weights: that is `value=etu`.
    They also model how long each item is read, which judgments do not tell. cwl-eval ends the
    sums at rank 1000, which makes values 4.7% higher at 224 items, and no matter below 25:
    `depth=1000` gives its values.

    Reference: Smucker and Clarke, Time-based calibration of effectiveness measures, SIGIR 2012.
    """
    gain = Gains(owner="TBG", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    views = np.array([0.0, *(math.exp2(-i / halflife) for i in range(_find_deepest_rank(ranked)))])
    stopped = 1.0 if depth is None else -math.expm1(-depth * math.log(2) / halflife)
    looks = stopped / -math.expm1(-math.log(2) / halflife)
    # As in cwl-eval, nobody goes on from the end: nothing is left.
    return score_patient_users(ranked, gain, value, Patience(views, looks, depth or ENDLESS))


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def UMeasure(
    ranked: JudgedRankings,
    *,
    L: Length = 1000.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""U-measure, if every item has the same length: what stands deeper counts less, in a line.

    $$\mathrm{U} = \sum_i W(i)\, g_i, \qquad V(i) = \max \Big( 0, 1 - \frac{i - 1}{L} \Big),
    \qquad W(i) = \frac{V(i)}{\sum_j V(j)}$$

    where $L$ is the amount of text after which all users have stopped, in the length of one item:
    the 132000 characters of the paper, at 1000 characters read per item, are `L=132`. A query
    without results, or with nothing relevant, scores 0. Averaged ties are exact. Sakai and Dou add
    up gains without dividing by the sum of weights: that is `value=etu`.

    cwl-eval fills rankings up to 1000 items and gives the last of them no weight, whatever `L`:
    with `L` above 999 its weights are others. These are the formula's.

    Reference: Sakai and Dou, Summaries, ranked retrieval and sessions: a unified framework for
    information access evaluation, SIGIR 2013.
    """
    gain = Gains(owner="UMeasure", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(
        ranked
    )
    views = np.maximum(0.0, 1.0 - (np.arange(_find_deepest_rank(ranked) + 1) - 1.0) / L)
    n = math.ceil(L)
    return score_patient_users(ranked, gain, value, Patience(views, n - n * (n - 1) / (2 * L)))


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def NPV(
    ranked: JudgedRankings,
    *,
    rate: Rate = 0.1,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: s.PaddedTo = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Net present value of the ranking, per item, if every next item is worth less by a rate.

    $$\mathrm{NPV} = \sum_i W(i)\, g_i, \qquad V(i) = (1 + r)^{-(i-1)}, \qquad
    W(i) = \frac{V(i)}{\sum_j V(j)}$$

    It is RBP with $p = 1/(1 + r)$; `value=etu` is the net present value in all. A query without
    results, or with nothing relevant, scores 0. Averaged ties are exact. cwl-eval ends the sums
    at rank 1000, which shows for rates below 0.03: `depth=1000` gives its values.

    Reference: Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information
    retrieval, SIGIR 2019.
    """
    gain = Gains(owner="NPV", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    decay = math.log1p(rate)
    views = np.array([0.0, *(math.exp(-i * decay) for i in range(_find_deepest_rank(ranked)))])
    never = (1.0 + rate) / rate
    user = Patience(views, never)
    if depth is not None:
        left = math.exp(-depth * decay)
        user = Patience(views, -math.expm1(-depth * decay) * never, depth, left)
    return score_patient_users(ranked, gain, value, user)


def _find_deepest_rank(ranked: JudgedRankings) -> int:
    return int(ranked.n_retrieved.max(initial=1))
