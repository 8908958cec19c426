"""NERR8 to NERR11: what is nearly ERR and has a user in the sense of C/W/L."""

from dataclasses import dataclass

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import FloatArray, IntArray
from gainful.measures import _settings as s
from gainful.measures._cwl import (
    Gains,
    Rest,
    compute_geometric_rest,
    compute_inverse_square_rest,
    score_deciding_users,
)
from gainful.measures._declare import measure


@measure(bounds=(0, 1))
def NERR8(
    ranked: JudgedRankings,
    *,
    cutoff: s.TabledCutoff,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a user who stops at what satisfies, or at the cutoff.

    $$C(i) = 1 - g_i \quad (i < k), \qquad C(k) = 0$$

    The value is $\sum_i W(i)\, g_i$ with $W(i) = V(i) / \sum_j V(j)$ and
    $V(i) = C(1) \cdots C(i-1)$. A ranking shorter than the cutoff is filled up with items that
    gain nothing. A query without results, or with nothing relevant, scores 0.

    The gain is the chance that an item satisfies. ERR itself has no such user: no chance to go
    on gives its weights.

    Reference: Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021, equation 8.
    """
    gain = Gains(owner="NERR8", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    return score_deciding_users(ranked, gain, value, _CutoffUser(cutoff), end=cutoff)


@measure(bounds=(0, 1))
def NERR9(
    ranked: JudgedRankings,
    *,
    cutoff: s.TabledCutoff,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a user who stops at what satisfies, or of impatience.

    $$C(i) = \frac{i}{i + 1} (1 - g_i) \quad (i < k), \qquad C(k) = 0$$

    The value is $\sum_i W(i)\, g_i$ with $W(i) = V(i) / \sum_j V(j)$ and
    $V(i) = C(1) \cdots C(i-1)$. A ranking shorter than the cutoff is filled up with items that
    gain nothing. A query without results, or with nothing relevant, scores 0.

    Reference: Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021, equation 9.
    """
    gain = Gains(owner="NERR9", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(ranked)
    return score_deciding_users(ranked, gain, value, _ImpatientUser(cutoff), end=cutoff)


@measure(bounds=(0, 1))
def NERR10(
    ranked: JudgedRankings,
    *,
    p: s.Persistence = 0.9,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: s.PaddedTo = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a user of RBP who stops at what satisfies.

    $$C(i) = p\, (1 - g_i)$$

    The value is $\sum_i W(i)\, g_i$ with $W(i) = V(i) / \sum_j V(j)$ and
    $V(i) = C(1) \cdots C(i-1)$, without end. A query without results, or with nothing relevant,
    scores 0. cwl-eval ends the sums at rank 1000, which shows for p above 0.97: `depth=1000`.

    Reference: Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021, equation 10.
    """
    gain = Gains(owner="NERR10", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(
        ranked
    )
    return score_deciding_users(ranked, gain, value, _PersistentUser(p, depth), end=depth)


@measure(bounds=(0, 1))
def NERR11(
    ranked: JudgedRankings,
    *,
    T: s.Target = 1.0,
    rel: s.UnlessGraded = 1.0,
    min_rel: s.MinRel = 0.0,
    max_rel: s.MaxRel = None,
    depth: s.PaddedTo = None,
    value: s.Expected = "eu",
) -> FloatArray:
    r"""Expected gain per item of a user of INSQ who stops at what satisfies.

    $$C(i) = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)$$

    The value is $\sum_i W(i)\, g_i$ with $W(i) = V(i) / \sum_j V(j)$ and
    $V(i) = C(1) \cdots C(i-1)$, without end. A query without results, or with nothing relevant,
    scores 0. cwl-eval ends the sums at rank 1000: `depth=1000` gives its values.

    Reference: Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021, equation 11.
    """
    gain = Gains(owner="NERR11", rel=rel, min_rel=min_rel, max_rel=max_rel).compute_hit_gains(
        ranked
    )
    return score_deciding_users(ranked, gain, value, _TargetUser(T, depth), end=depth)


@dataclass(frozen=True)
class _CutoffUser:
    cutoff: int

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        return (1.0 - gain) * (rank < self.cutoff)

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        return Rest(views if best else views * (self.cutoff - rank), 0.0)


@dataclass(frozen=True)
class _ImpatientUser:
    cutoff: int

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        return rank / (rank + 1.0) * (1.0 - gain) * (rank < self.cutoff)

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        if best:
            return Rest(views, 0.0)
        harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, self.cutoff + 1))])
        return Rest(views * (rank + 1) * (harmonic[self.cutoff] - harmonic[rank]), 0.0)


@dataclass(frozen=True)
class _PersistentUser:
    p: float
    depth: int | None

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        return self.p * (1.0 - gain)

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        count = None if self.depth is None else self.depth - rank
        return (
            _compute_next_item_rest(views, count)
            if best
            else compute_geometric_rest(views, self.p, count)
        )


@dataclass(frozen=True)
class _TargetUser:
    target: float
    depth: int | None

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        ahead = rank + 2 * self.target
        return ((ahead - 1.0) / ahead) ** 2 * (1.0 - gain)

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        count = None if self.depth is None else self.depth - rank
        if best:
            return _compute_next_item_rest(views, count)
        return compute_inverse_square_rest(views, rank.astype(np.float64) + 2 * self.target, count)


def _compute_next_item_rest(views: FloatArray, count: IntArray | None) -> Rest:
    """Return the rest of users whom the next item satisfies, if there is one."""
    if count is None:
        return Rest(views, 0.0)
    return Rest(np.where(count > 0, views, 0.0), np.where(count > 0, 0.0, views))
