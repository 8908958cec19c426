"""C/W/L: users who look at one item after the other, and may stop after each of them.

The chance that a user who looks at rank i goes on to the next is C(i); the chance that rank i is
looked at is V(i) = C(1) ... C(i - 1). From V follow the expected gain per item (eu), the expected
gain in all (etu) and the expected number of items (ed), for gains from 0 to 1. What stands below
the end of a ranking gains nothing, and is summed in closed form: rankings need not be filled up.

Reference: Moffat, Bailey, Scholer and Thomas, Incorporating user expectations and behavior into
the measurement of search effectiveness, ACM TOIS 35(3), 2017.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import ENDLESS, FloatArray, IntArray, format_setting
from gainful.errors import MeasureError


@dataclass(frozen=True, kw_only=True)
class Gains:
    """Conversion of labels to gains from 0 to 1: all or nothing, or as shares of a scale."""

    owner: str
    rel: float
    min_rel: float
    max_rel: float | None

    def compute_hit_gains(self, ranked: JudgedRankings) -> FloatArray:
        """Return the gain of each hit."""
        if self.max_rel is None:
            return (ranked.hit_label >= self.rel).astype(np.float64)
        if self.max_rel <= self.min_rel:
            low, high = format_setting(self.min_rel), format_setting(self.max_rel)
            message = f"{self.owner}: max_rel must be more than min_rel, {low}, got {high}."
            raise MeasureError(message, code="bad-setting")
        highest = ranked.pool_label.max(initial=0.0)
        if highest > self.max_rel:
            message = (
                f"{self.owner}: labels must be at most max_rel, {format_setting(self.max_rel)}, "
                f"got {format_setting(highest)}. Set max_rel to the highest label there may be."
            )
            raise MeasureError(message, code="label-above-max")
        share = (ranked.hit_label - self.min_rel) / (self.max_rel - self.min_rel)
        return np.maximum(share, 0.0)


class Patience(NamedTuple):
    """A user who ignores what the items are: V depends on the rank alone.

    Attributes:
        views: V of every rank down to the last that any run returned, at its own index.
        looks: The sum of V over all ranks.
        end: The last rank there is.
        left: V of the rank below the end, for a user who would go on from there.
    """

    views: FloatArray
    looks: float
    end: int = ENDLESS
    left: float = 0.0


def score_patient_users(
    ranked: JudgedRankings, gain: FloatArray, value: str, user: Patience
) -> FloatArray:
    """Return the value for users who ignore what they find; exact for averaged ties."""
    if value in ("ed", "residual_ed"):
        return np.full(ranked.n_queries, user.looks if value == "ed" else 0.0)
    residual = value.startswith("residual")
    # Users who have not stopped at the end of all ranks never add up what they gained.
    total = value.endswith("etu")
    weight = user.views - user.left if total else user.views
    hit_weight = (ranked.hit_label >= 0).astype(np.float64) if residual else gain
    weighted = sum_weighted(ranked, hit_weight, weight, np.minimum(ranked.n_retrieved, user.end))
    if total:
        maximum = user.looks - user.left * user.end if user.left else user.looks
        return np.maximum(maximum - weighted, 0.0) if residual else weighted
    share = np.minimum(weighted / user.looks, 1.0)
    return 1.0 - share if residual else share


def sum_weighted(
    ranked: JudgedRankings, gain: FloatArray, weight: FloatArray, bottom: IntArray
) -> FloatArray:
    """Return the sum of gain times the weight of the rank; ties share weights.

    Ranks below the bottom add 0.
    """
    bottom = np.minimum(bottom, len(weight) - 1)[ranked.hit_query]
    rank = ranked.hit_rank
    terms = gain * weight[np.minimum(rank, bottom)]
    terms[rank > bottom] = 0.0
    if ranked.average_ties and ranked.has_ties:
        first, size = ranked.hit_tie_first, ranked.hit_tie_size
        running = np.concatenate([[0.0], np.cumsum(weight[1:])])
        last = np.minimum(first + size - 1, bottom)
        mean = (running[last] - running[np.minimum(first - 1, last)]) / size
        terms = np.where(size > 1, gain * mean, terms)
    return ranked.total(terms)


def compute_powers(p: float, deepest: int) -> FloatArray:
    """Return p to the power of rank - 1, at the rank's own index, multiplied one by one."""
    table = np.full(deepest + 1, p)
    table[:2] = 0.0, 1.0
    table[1:] = np.multiply.accumulate(table[1:])
    return table


class Rest(NamedTuple):
    """The sum of V below the last item of a walk, and V below the end."""

    looks: FloatArray
    left: FloatArray | float


class User(Protocol):
    """A user who decides by the gains so far."""

    def compute_continuation(self, rank: int, gain: FloatArray, total: FloatArray) -> FloatArray:
        """Return C of the rank, from the gain there and the gain of all items up to there."""

    def compute_rest(
        self, rank: IntArray, views: FloatArray, total: FloatArray, *, best: bool
    ) -> Rest:
        """Return the rest after a rank, if nothing more is gained, or at best 1 by every item.

        ``views`` is V of the next rank.
        """


class Walk(NamedTuple):
    """The expected values of users who have walked down their rankings."""

    eu: FloatArray
    etu: FloatArray
    ed: FloatArray


def score_deciding_users(
    ranked: JudgedRankings,
    gain: FloatArray,
    value: str,
    user: User,
    *,
    end: int | None,
    filled: bool = False,
) -> FloatArray:
    """Return the value for users who decide by their gains so far.

    Args:
        end: The last rank, if there is one.
        filled: Whether to walk to the end item by item, for users whose rest has no formula.
    """
    name = value.removeprefix("residual_")
    worst: FloatArray = getattr(_walk_down(ranked, gain, user, end, filled, best=False), name)
    if name == value:
        return worst
    best: FloatArray = getattr(_walk_down(ranked, gain, user, end, filled, best=True), name)
    return best - worst


def _walk_down(
    ranked: JudgedRankings,
    gain: FloatArray,
    user: User,
    end: int | None,
    filled: bool,
    *,
    best: bool,
) -> Walk:
    depth = ENDLESS if end is None else end
    length = ranked.n_retrieved if best else _find_last_gain(ranked, gain)
    length = np.full(ranked.n_queries, depth) if filled else np.minimum(length, depth)
    if best:
        # A negative label is no judgment, as in trec_eval.
        gain = np.where(ranked.hit_label < 0, 1.0, gain)
    # The longest first: those that go on are then always the first ones.
    order = np.argsort(-length, kind="stable")
    length = length[order]
    next_hit, last = ranked.hit_offsets[:-1][order], ranked.hit_offsets[1:][order]
    hit_rank, gain = np.append(ranked.hit_rank, 0), np.append(gain, 0.0)
    views, looks, gained, total = (np.full(len(order), start) for start in (1.0, 0.0, 0.0, 0.0))
    for rank in range(1, int(length.max(initial=0)) + 1):
        n = int(np.searchsorted(-length, -rank, side="right"))
        if not views[:n].any():
            break
        at_hit = (next_hit[:n] < last[:n]) & (hit_rank[next_hit[:n]] == rank)
        here = np.where(at_hit, gain[next_hit[:n]], float(best))
        next_hit[:n] += at_hit
        looks[:n] += views[:n]
        gained[:n] += views[:n] * here
        total[:n] += here
        views[:n] *= user.compute_continuation(rank, here, total[:n])
    rest = Rest(np.zeros(len(order)), views)
    if not filled:
        rest = user.compute_rest(length, views, total, best=best)
    looks += rest.looks
    if best:
        gained += rest.looks
        total += np.maximum(depth - length, 0) if end is not None else 0
    etu = gained - rest.left * total
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return Walk(np.minimum(gained / looks, 1.0)[inverse], etu[inverse], looks[inverse])


def _find_last_gain(ranked: JudgedRankings, gain: FloatArray) -> IntArray:
    """Return the rank of each query's last item that gains anything, 0 if there is none."""
    last = np.zeros(ranked.n_queries, dtype=np.int64)
    gainful = np.flatnonzero(gain > 0)
    last[ranked.hit_query[gainful]] = ranked.hit_rank[gainful]  # of several, the last is kept
    return last


def compute_geometric_rest(
    views: FloatArray, stays: FloatArray | float, count: IntArray | None
) -> Rest:
    """Return the rest of users who go on with the same chance from ``count`` items, or all."""
    left = (
        0.0 if count is None else views * compute_power(np.broadcast_to(stays, views.shape), count)
    )
    return Rest((views - left) / (1.0 - stays), left)


def compute_inverse_square_rest(
    views: FloatArray, start: FloatArray, count: IntArray | None
) -> Rest:
    r"""Return the rest of users for whom V falls as $1/(x + i)^2$ from a start $x$."""
    end = np.full(len(start), np.inf) if count is None else start + count
    looks = views * start * start * (trigamma(start) - trigamma(end))
    return Rest(looks, views * (start / end) ** 2)


def compute_power(base: FloatArray, exponent: IntArray) -> FloatArray:
    """Return the base to a whole power, by squaring: the same bits on every machine.

    >>> compute_power(np.array([0.5, 2.0]), np.array([3, 10])).tolist()
    [0.125, 1024.0]
    """
    result, base, exponent = np.ones(len(base)), base.copy(), np.array(exponent)
    while exponent.any():
        result = np.where(exponent & 1, result * base, result)
        exponent >>= 1
        base = np.where(exponent > 0, base * base, base)
    return result


def trigamma(x: FloatArray) -> FloatArray:
    r"""Return the sum of $1/(x + i)^2$ over $i = 0, 1, 2, \dots$ for positive x.

    >>> float(trigamma(np.array([1.0]))[0] * 6) ** 0.5
    3.141592653589793
    """
    x, head = x.copy(), np.zeros(len(x))
    for _ in range(_FAR):
        near = x < _FAR
        head += np.where(near, 1.0 / (x * x), 0.0)
        x = np.where(near, x + 1.0, x)
    inverse = 1.0 / x
    square = inverse * inverse
    tail = np.zeros(len(x))
    for bernoulli in _BERNOULLI:
        tail = (tail + bernoulli) * square
    return head + (inverse + square / 2 + inverse * tail)


_FAR = 20
_BERNOULLI = (7 / 6, -691 / 2730, 5 / 66, -1 / 30, 1 / 42, -1 / 30, 1 / 6)  # from B14 to B2
