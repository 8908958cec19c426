"""BPM: users who stop when they have gained enough, or have no patience left."""

from dataclasses import dataclass

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray
from gainful.measures import _settings as s
from gainful.measures._cwl import Gains, Rest, score_deciding_users
from gainful.measures._declare import measure


@measure(bounds=(0, 1))
def BPM(
    ranked: JudgedRankings,
    *,
    cutoff: s.TabledCutoff,
    T: s.Target = 1.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Gain per item of a user who stops when ``T`` is gained, or at the cutoff.

    $$\mathrm{BPM}@k = \frac{1}{m} \sum_{i=1}^{m} g_i, \qquad
    m = \min \left( k, \min \left\{ i : \sum_{j=1}^{i} g_j \ge T \right\} \right)$$

    A ranking shorter than the cutoff is filled up with items that gain nothing. A query without
    results, or with nothing relevant, scores 0. With binary gains and `T=1` it is the reciprocal
    rank; with a `T` that is never reached it is precision.

    This is the static model, with a cost of 1 per item, as in cwl-eval and ir_measures. The
    dynamic model of the paper, in which goal and patience follow what is found, is not here.

    Reference: Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating web search with a bejeweled player
    model, SIGIR 2017.
    """
    gain = Gains(owner="BPM", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    return score_deciding_users(ranked, gain, value, _Player(T, cutoff), end=cutoff)


@dataclass(frozen=True)
class _Player:
    target: float
    cutoff: int

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        return ((total < self.target) & (rank < self.cutoff)).astype(np.float64)

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        count: FloatArray = (self.cutoff - rank).astype(np.float64)
        if best:
            count = np.minimum(count, np.ceil(self.target - total))
        return Rest(views * np.maximum(count, 0.0), 0.0)
