"""What a label is worth."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from gainful.errors import MeasureError
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings
from gainful.records import Record
from gainful.settings import text_of

GAINS = {
    "linear": "the label itself",
    "exp2": "2^label - 1",
    "presence": "1 for every judged item, whatever its label",
    "positive": "1 for a label above 0, else 0",
    "binary": "1 for a label of at least `rel`, else 0",
    "signed_exp2": "2^label - 1, and 1 - 2^|label| for a negative label: punishes bad items",
}
_FEW = 64
_NO_NEGATIVES = "Pass --min-label 0, or state negatives=zero, to count it as 0."


@dataclass(eq=False, repr=False)
class Gain(Record):
    """A named gain, or a table of labels and their gains.

    >>> Gain.read("exp2").of(np.array([0.0, 1.0, 3.0]), rel=1, negatives="zero").tolist()
    [0.0, 1.0, 7.0]
    >>> print(Gain.read({2: 3, 1: 1}))
    {1: 1, 2: 3}
    """

    name: str
    table: tuple[tuple[float, float], ...] = ()

    meanings: ClassVar[Mapping[str, str]] = GAINS
    expected: ClassVar[str] = f"one of {', '.join(GAINS)}, or a table such as {{1: 1, 2: 3}}"

    @classmethod
    def read(cls, value: Any) -> "Gain":
        """A gain from its name or from a table; ValueError where it is neither."""
        if isinstance(value, Gain):
            return value
        if isinstance(value, str) and value in GAINS:
            return cls(value)
        if not isinstance(value, Mapping) or not value:
            raise ValueError(value)
        pairs = [(_finite(label), _finite(gain)) for label, gain in value.items()]
        return cls("table", tuple(sorted(pairs)))

    def of(self, label: FloatArray, *, rel: float, negatives: str) -> FloatArray:
        """The gain of each label.

        ``negatives`` says what a negative label is worth where the gain itself does not: 0, what
        the formula gives, or an error.
        """
        if negatives == "error" and (label < 0).any():
            lowest = text_of(label.min())
            message = f"labels: negatives=error allows none below 0, got {lowest}. {_NO_NEGATIVES}"
            raise MeasureError(message, code="refused-label")
        gain = self._formula(label, rel)
        if negatives == "zero" and self.name not in ("signed_exp2", "table", "presence"):
            negative = label < 0
            gain = np.where(negative, 0.0, gain) if negative.any() else gain
        if not np.isfinite(gain).all():
            raise self._refused(label[~np.isfinite(gain)][0])
        return gain

    @property
    def rises(self) -> bool:
        """Whether a lower label never gains more."""
        return self.name in ("linear", "exp2", "binary", "positive")

    def _formula(self, label: FloatArray, rel: float) -> FloatArray:
        if self.name == "linear":
            return label
        if self.name == "presence":
            return np.ones(len(label))
        if self.name == "positive":
            return (label > 0).astype(np.float64)
        if self.name == "binary":
            return (label >= rel).astype(np.float64)
        formulas = {"exp2": _exp2_minus_1, "signed_exp2": _signed_exp2_minus_1}
        return _by_level(formulas.get(self.name, self._looked_up), label)

    def _looked_up(self, label: FloatArray) -> FloatArray:
        """The gain of each label in the table; of others 0, and NaN above 0."""
        known = np.array([pair[0] for pair in self.table])
        gain = np.array([pair[1] for pair in self.table])
        place = np.minimum(np.searchsorted(known, label), len(known) - 1)
        unknown = np.where(label > 0, np.nan, 0.0)
        return np.where(known[place] == label, gain[place], unknown)

    def _refused(self, label: float) -> MeasureError:
        must = "name every label above 0" if self.table else "be finite for every label"
        code = "refused-label" if self.table else "infinite-gain"
        return MeasureError(f"gain {self}: must {must}, got {text_of(label)}.", code=code)

    def __str__(self) -> str:
        if not self.table:
            return self.name
        pairs = (f"{text_of(label)}: {text_of(gain)}" for label, gain in self.table)
        return "{" + ", ".join(pairs) + "}"


def gains_of(
    ranked: JudgedRankings, of: str, gain: Gain, *, rel: float, negatives: str
) -> FloatArray:
    """The gains of all hits or judged items; a label that is refused is named with its query."""
    label: FloatArray = getattr(ranked, of)
    if negatives == "error" and (label < 0).any():
        place = int((label < 0).argmax())
        owner = ranked.hit_query if of == "hit_label" else ranked.pool_query
        query, lowest = ranked.queries[owner[place]], text_of(label[place])
        message = f"query {query!r} has the label {lowest}, got negatives=error. {_NO_NEGATIVES}"
        raise MeasureError(message, query=query, code="refused-label")
    return gain.of(label, rel=rel, negatives=negatives)


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(value)
    return float(value) + 0.0


def _by_level(formula: Callable[[FloatArray], FloatArray], label: FloatArray) -> FloatArray:
    """The formula of every label, worked out once for each level if they are small integers."""
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
        gain[i] = _exp2_minus_1_of(float(label[i]))
    return gain


def _exp2_minus_1_of(label: float) -> float:
    if abs(label) < 1:  # no cancellation near zero
        return math.expm1(label * math.log(2))
    return math.exp2(label) - 1.0 if label < 1024 else math.inf
