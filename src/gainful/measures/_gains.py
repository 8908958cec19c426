"""Gains of labels, and gains at the ranks of a ranking."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import BoolArray, FloatArray, IntArray, format_setting, ragged
from gainful.errors import MeasureError

GAINS = {
    "linear": "the label itself",
    "exp2": "2^label - 1",
    "presence": "1 for every judged item, whatever its label",
    "positive": "1 for a label above 0, else 0",
    "binary": "1 for a label of at least `rel`, else 0",
    "signed_exp2": "2^label - 1, and 1 - 2^|label| for a negative label",
}
_FEW = 64
_NO_NEGATIVES = "State negatives=zero, as in nDCG(negatives=zero)@10, to count it as 0."


@dataclass(frozen=True)
class Gain:
    """A named gain, or a table of labels and their gains.

    >>> Gain.read("exp2").apply(np.array([0.0, 1.0, 3.0]), rel=1, negatives="zero").tolist()
    [0.0, 1.0, 7.0]
    >>> print(Gain.read({2: 3, 1: 1}))
    {1: 1, 2: 3}
    """

    name: str
    table: tuple[tuple[float, float], ...] = ()

    meanings: ClassVar[Mapping[str, str]] = GAINS
    expected: ClassVar[str] = f"one of {', '.join(GAINS)}, or a table such as {{1: 1, 2: 3}}"

    @classmethod
    def read(cls, value: object) -> "Gain":
        """Return a gain from its name or from a table; raise ValueError if it is neither."""
        if isinstance(value, Gain):
            return value
        if isinstance(value, str) and value in GAINS:
            return cls(value)
        if not isinstance(value, Mapping) or not value:
            raise ValueError(value)
        pairs = [(_check_finite(label), _check_finite(gain)) for label, gain in value.items()]
        return cls("table", tuple(sorted(pairs)))

    def apply(self, label: FloatArray, *, rel: float, negatives: str) -> FloatArray:
        """Return the gain of each label.

        ``negatives`` is the rule for negative labels, if the gain has none: 0, the value of the
        formula, or an error.
        """
        if negatives == "error" and (label < 0).any():
            lowest = format_setting(label.min())
            message = f"labels: negatives=error allows none below 0, got {lowest}. {_NO_NEGATIVES}"
            raise MeasureError(message, code="refused-label")
        gain = self._apply_formula(label, rel)
        if negatives == "zero" and self.name not in ("signed_exp2", "table", "presence"):
            negative = label < 0
            gain = np.where(negative, 0.0, gain) if negative.any() else gain
        if not np.isfinite(gain).all():
            raise self._make_error(label[~np.isfinite(gain)][0])
        return gain

    @property
    def rises(self) -> bool:
        """True if a lower label never gains more."""
        return self.name in ("linear", "exp2", "binary", "positive")

    def _apply_formula(self, label: FloatArray, rel: float) -> FloatArray:
        if self.name == "linear":
            return label
        if self.name == "presence":
            return np.ones(len(label))
        if self.name == "positive":
            return (label > 0).astype(np.float64)
        if self.name == "binary":
            return (label >= rel).astype(np.float64)
        formulas = {"exp2": _exp2_minus_1, "signed_exp2": _signed_exp2_minus_1}
        return _compute_by_level(formulas.get(self.name, self._look_up), label)

    def _look_up(self, label: FloatArray) -> FloatArray:
        """Return the gain of each label in the table; for other labels 0, or NaN above 0."""
        labels = np.array([pair[0] for pair in self.table])
        gain = np.array([pair[1] for pair in self.table])
        place = np.minimum(np.searchsorted(labels, label), len(labels) - 1)
        unknown = np.where(label > 0, np.nan, 0.0)
        return np.where(labels[place] == label, gain[place], unknown)

    def _make_error(self, label: float) -> MeasureError:
        must = "name every label above 0" if self.table else "be finite for every label"
        code = "refused-label" if self.table else "infinite-gain"
        return MeasureError(f"gain {self}: must {must}, got {format_setting(label)}.", code=code)

    def __str__(self) -> str:
        if not self.table:
            return self.name
        pairs = (f"{format_setting(label)}: {format_setting(gain)}" for label, gain in self.table)
        return "{" + ", ".join(pairs) + "}"


def compute_gains(
    ranked: JudgedRankings, attribute: str, gain: Gain, *, rel: float, negatives: str
) -> FloatArray:
    """Return the gains of all hits or judged items; name the query of a refused label."""
    label: FloatArray = getattr(ranked, attribute)
    if negatives == "error" and (label < 0).any():
        place = int((label < 0).argmax())
        owner = ranked.hit_query if attribute == "hit_label" else ranked.pool_query
        query, lowest = ranked.queries[owner[place]], format_setting(label[place])
        message = f"query {query!r} has the label {lowest}, got negatives=error. {_NO_NEGATIVES}"
        raise MeasureError(message, query=query, code="refused-label")
    return gain.apply(label, rel=rel, negatives=negatives)


def _check_finite(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(value)
    return float(value) + 0.0


def _compute_by_level(formula: Callable[[FloatArray], FloatArray], label: FloatArray) -> FloatArray:
    """Return the formula of every label, computed once per level for small integers."""
    low, high = label.min(initial=0.0), label.max(initial=0.0)
    if low >= -_FEW and high <= _FEW:
        level = label.astype(np.intp)
        if (level == label).all():
            # A negative label finds its level from the end.
            return formula(np.concatenate([np.arange(high + 1), np.arange(low, 0.0)]))[level]
    return formula(label)


def _signed_exp2_minus_1(label: FloatArray) -> FloatArray:
    return np.sign(label) * _exp2_minus_1(np.abs(label))


def _exp2_minus_1(label: FloatArray) -> FloatArray:
    whole = np.trunc(label)
    small = np.abs(label) < 1100  # beyond, ldexp overflows to infinity or vanishes anyway
    power = np.where(small, whole, np.copysign(1100, label)).astype(np.int64)
    with np.errstate(over="ignore"):
        gain = np.ldexp(1.0, power) - 1.0
    # Fractions one by one, with libm: NumPy's vector functions differ between CPUs.
    for i in np.flatnonzero(whole != label):
        gain[i] = _compute_exp2_minus_1(float(label[i]))
    return gain


def _compute_exp2_minus_1(label: float) -> float:
    if abs(label) < 1:  # no cancellation near zero
        return math.expm1(label * math.log(2))
    return math.exp2(label) - 1.0 if label < 1024 else math.inf


class GainsAtRanks(NamedTuple):
    """The gains or terms of the items of all queries, and their ranks.

    Ranks ascend within a query; ranks that are not here gain nothing.
    """

    gain: FloatArray
    rank: IntArray
    query: IntArray

    def cut(self, bottom: int | IntArray) -> "GainsAtRanks":
        """Return the rows that are not below a rank."""
        limit = bottom if isinstance(bottom, int) else bottom[self.query]
        return self.select(np.flatnonzero(self.rank <= limit))

    def select(self, rows: IntArray) -> "GainsAtRanks":
        """Return some rows, in the same order."""
        return GainsAtRanks(self.gain[rows], self.rank[rows], self.query[rows])


def is_fully_listed(ranked: JudgedRankings, *, unjudged_last: bool) -> bool:
    """Return whether the perfect ranking of a list is that of all judged items."""
    if ranked.is_pool_retrieved or not ranked.complete or ranked.overhangs:
        return ranked.is_pool_retrieved
    return unjudged_last or np.array_equal(ranked.n_retrieved, np.diff(ranked.pool_offsets))


def rank_gainful_items(ranked: JudgedRankings, gain: FloatArray) -> GainsAtRanks:
    """Return the retrieved items that gain anything, the highest gain first."""
    gainful = np.flatnonzero(_is_listed(ranked) & (gain > 0))
    owner = ranked.hit_query[gainful]
    offsets = ragged.offsets_from_owners(owner, ranked.n_queries)
    return GainsAtRanks(
        ragged.sort_descending(gain[gainful], owner), ragged.find_positions(offsets), owner
    )


def rank_all_items(ranked: JudgedRankings, gain: FloatArray, key: FloatArray) -> GainsAtRanks:
    """Return all retrieved items, the highest key first; an unjudged one has gain 0 and key 0.

    Unjudged items need no rows: items with a key below 0 rank that many places further down.
    """
    items = np.flatnonzero(_is_listed(ranked))
    owner = ranked.hit_query[items]
    order = np.lexsort((-key[items], owner))
    offsets = ragged.offsets_from_owners(owner, ranked.n_queries)
    unjudged = ranked.n_retrieved - np.diff(offsets)
    rank = ragged.find_positions(offsets)
    rank += np.where(key[items][order] < 0, unjudged[owner], 0)
    return GainsAtRanks(gain[items][order], rank, owner)


def find_tie_blocks(
    query: IntArray, first: IntArray, size: IntArray, gain: FloatArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Return where each tie block begins, the block of each hit, and whether its order matters."""
    start, block = ragged.group_equal(query, first)
    uneven = np.zeros(len(start), dtype=np.bool_)
    changes = np.flatnonzero((gain[1:] != gain[:-1]) & (block[1:] == block[:-1]))
    uneven[block[changes]] = True
    # Unjudged items gain nothing, as do hits with gain 0.
    unjudged = np.diff(start, append=len(gain)) < size[start]
    return start, block, uneven | (unjudged & (gain[start] != 0))


def has_cut_ties(ranked: JudgedRankings, gain: FloatArray) -> bool:
    """Return whether a ranking ends within an averaged tie whose order matters."""
    if ranked.is_pool_retrieved or not (ranked.average_ties and ranked.has_ties):
        return False
    query, first, size = ranked.hit_query, ranked.hit_tie_first, ranked.hit_tie_size
    cut = first + size - 1 > ranked.n_retrieved[query]
    if not cut.any():
        return False
    _, block, mixed = find_tie_blocks(query, first, size, gain)
    return bool((cut & mixed[block]).any())


def _is_listed(ranked: JudgedRankings) -> BoolArray:
    # Of an averaged tie of equals that depth cuts through, as many as fit.
    return ranked.hit_rank <= ranked.n_retrieved[ranked.hit_query]
