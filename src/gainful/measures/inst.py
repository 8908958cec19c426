"""INST and INSQ: users who have a number of relevant items in mind."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, Setting
from gainful.measures import _settings as s
from gainful.measures._cwl import (
    Gains,
    Patience,
    Rest,
    compute_geometric_rest,
    compute_inverse_square_rest,
    score_deciding_users,
    score_patient_users,
    trigamma,
)
from gainful.measures._declare import measure

Goal = Annotated[float, Setting("how much the user wants to gain", at_least=0.5)]


@measure(bounds=(0, 1))
def INST(
    ranked: JudgedRankings,
    *,
    T: Goal = 1.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: s.PaddedTo = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a user who wants ``T`` items and adapts to what is found.

    $$C(i) = \left( \frac{i + T + T_i - 1}{i + T + T_i} \right)^2, \qquad
    T_i = T - \sum_{j=1}^{i} g_j$$

    where $C(i)$ is the chance to go on from rank $i$: high while much is still wanted, and at
    deep ranks. The weight of a rank is $W(i) = V(i) / \sum_j V(j)$ with
    $V(i) = C(1) \cdots C(i-1)$, and the value $\sum_i W(i)\, g_i$. What stands below the end of
    the ranking gains nothing, and is added up without end. A query without results, or with
    nothing relevant, scores 0. Below $T = 1/2$ the chance may be more than 1.

    cwl-eval, and ir_measures with it, end every ranking at rank 1000: `depth=1000` gives their
    values, which are higher: by some 0.1% of themselves at `T=1` and 0.9% at `T=5`. ir_measures
    also lowers labels above `max_rel` to it, with a warning; here they are an error.

    Reference: Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information
    retrieval evaluation, ADCS 2015.
    """
    gain = Gains(owner="INST", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    return score_deciding_users(ranked, gain, value, _AdaptiveUser(T, depth), end=depth)


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def INSQ(
    ranked: JudgedRankings,
    *,
    T: s.Target = 1.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: s.PaddedTo = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a user who wants ``T`` items, whatever is found.

    $$C(i) = \left( \frac{i + 2T - 1}{i + 2T} \right)^2, \qquad
    W(i) = \frac{1}{(i + 2T - 1)^2} \Big/ \sum_{j=1}^{\infty} \frac{1}{(j + 2T - 1)^2}$$

    and the value is $\sum_i W(i)\, g_i$. What stands below the end of the ranking gains nothing.
    A query without results, or with nothing relevant, scores 0. Averaged ties are exact.

    cwl-eval, and ir_measures with it, end the sum at rank 1000: `depth=1000` gives their values,
    which are higher: by 0.16% of themselves at `T=1` and 0.95% at `T=5`.

    Reference: Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process,
    ADCS 2012.
    """
    gain = Gains(owner="INSQ", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    end = np.array([np.inf if depth is None else depth])
    looks = 4 * T * T * (trigamma(np.array([2 * T])) - trigamma(2 * T + end))[0]
    rank = np.arange(int(ranked.n_retrieved.max(initial=1)) + 1)
    views = (2 * T / (np.maximum(rank, 1) + (2 * T - 1))) ** 2
    user = Patience(views, float(looks))
    if depth is not None:
        user = Patience(views, float(looks), depth, (2 * T / (depth + 2 * T)) ** 2)
    return score_patient_users(ranked, gain, value, user)


@dataclass(frozen=True)
class _AdaptiveUser:
    target: float
    depth: int | None

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        ahead = rank + (2 * self.target - total)
        return ((ahead - 1.0) / ahead) ** 2

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        ahead = rank + (2 * self.target - total)
        count = None if self.depth is None else self.depth - rank
        # Where every item gains 1, rank and gain rise together, and the chance stays as it is.
        if best:
            return compute_geometric_rest(views, ((ahead - 1.0) / ahead) ** 2, count)
        return compute_inverse_square_rest(views, ahead, count)
