"""IFT: users who forage, for an amount of gain, at a rate of gain, or both."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray, Setting
from gainful.measures import _settings as s
from gainful.measures._cwl import Gains, Rest, score_deciding_users
from gainful.measures._declare import measure

Intercept = Annotated[
    float, Setting("how likely the user stops where gain does not matter", more_than=0, at_most=1e6)
]
Rationality = Annotated[float, Setting("how strongly gain matters", at_least=0, at_most=100)]
GainRate = Annotated[float, Setting("gain per item that the user expects", at_least=0, at_most=1e6)]
FilledTo = Annotated[int, Setting("cut or fill every ranking to N items", at_least=1, at_most=1e5)]


@measure(bounds=(0, 1))
def IFT_C1(
    ranked: JudgedRankings,
    *,
    T: s.Target = 2.0,
    b1: Intercept = 0.9,
    R1: Rationality = 10.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: FilledTo = 1000,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a forager who stops when about ``T`` is gained.

    $$C_1(i) = 1 - \frac{1}{1 + b_1 e^{(T - G_i) R_1}}, \qquad G_i = \sum_{j=1}^{i} g_j$$

    The value is $\sum_i W(i)\, g_i$ with $W(i) = V(i) / \sum_j V(j)$ and
    $V(i) = C(1) \cdots C(i-1)$. Every ranking is cut or filled to `depth` items, as in cwl-eval:
    who forages for a goal that cannot be reached would go on for ever. A query without results,
    or with nothing relevant, scores 0.

    Reference: Azzopardi, Thomas and Craswell, Measuring the utility of search engine result
    pages: an information foraging based measure, SIGIR 2018.
    """
    gain = Gains(owner="IFT_C1", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(
        ranked
    )
    user = _Forager(goal=_Goal(T, b1, R1))
    return score_deciding_users(ranked, gain, value, user, end=depth, filled=True)


@measure(bounds=(0, 1))
def IFT_C2(
    ranked: JudgedRankings,
    *,
    A: GainRate = 0.2,
    b2: Intercept = 0.9,
    R2: Rationality = 10.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: FilledTo = 1000,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a forager who stops when the rate of gain falls below ``A``.

    $$C_2(i) = \frac{1}{1 + b_2 e^{(A - G_i / i) R_2}}, \qquad G_i = \sum_{j=1}^{i} g_j$$

    The value is $\sum_i W(i)\, g_i$ with $W(i) = V(i) / \sum_j V(j)$ and
    $V(i) = C(1) \cdots C(i-1)$. Every item costs 1. Every ranking is cut or filled to `depth`
    items, as in cwl-eval. A query without results, or with nothing relevant, scores 0.

    Reference: Azzopardi, Thomas and Craswell, SIGIR 2018.
    """
    gain = Gains(owner="IFT_C2", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(
        ranked
    )
    user = _Forager(rate=_Rate(A, b2, R2))
    return score_deciding_users(ranked, gain, value, user, end=depth, filled=True)


@measure(bounds=(0, 1))
def IFT_C1C2(
    ranked: JudgedRankings,
    *,
    T: s.Target = 2.0,
    b1: Intercept = 0.9,
    R1: Rationality = 10.0,
    A: GainRate = 0.2,
    b2: Intercept = 0.9,
    R2: Rationality = 10.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: FilledTo = 1000,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a forager who follows both a goal and a rate of gain.

    $$C(i) = C_1(i) \cdot C_2(i)$$

    with $C_1$ and $C_2$ as in IFT_C1 and IFT_C2, and the value and its edge cases as there.

    Reference: Azzopardi, Thomas and Craswell, SIGIR 2018.
    """
    gain = Gains(owner="IFT_C1C2", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(
        ranked
    )
    user = _Forager(goal=_Goal(T, b1, R1), rate=_Rate(A, b2, R2))
    return score_deciding_users(ranked, gain, value, user, end=depth, filled=True)


@dataclass(frozen=True)
class _Goal:
    target: float
    intercept: float
    rationality: float

    def compute_continuation(self, total: FloatArray) -> FloatArray:
        return 1.0 - 1.0 / (
            1.0 + self.intercept * _compute_exp((self.target - total) * self.rationality)
        )


@dataclass(frozen=True)
class _Rate:
    expected: float
    intercept: float
    rationality: float

    def compute_continuation(self, rank: int, total: FloatArray) -> FloatArray:
        missed = self.expected - total / rank
        return 1.0 / (1.0 + self.intercept * _compute_exp(missed * self.rationality))


@dataclass(frozen=True, kw_only=True)
class _Forager:
    goal: _Goal | None = None
    rate: _Rate | None = None

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        chance = np.ones(len(total)) if self.goal is None else self.goal.compute_continuation(total)
        return chance if self.rate is None else chance * self.rate.compute_continuation(rank, total)

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        raise NotImplementedError


def _compute_exp(values: FloatArray) -> FloatArray:
    # From libm, once for each value: the last bit of NumPy's vector exp depends on the CPU.
    distinct, where = np.unique(values, return_inverse=True)
    highest = math.log(2) * 1000
    powers: FloatArray = np.array([math.exp(min(value, highest)) for value in distinct.tolist()])
    return powers[where]
