"""What a label is worth."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from gainful.errors import MeasureError
from gainful.ragged import FloatArray
from gainful.settings import text_of

GAINS = {
    "linear": "the label itself",
    "exp2": "2^label - 1",
    "binary": "1 for a label of at least `rel`, else 0",
    "signed_exp2": "2^label - 1, and 1 - 2^|label| for a negative label: punishes bad items",
}


@dataclass(frozen=True)
class Gain:
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
            message = f"labels: negatives=error allows none below 0, got {text_of(label.min())}."
            raise MeasureError(message)
        gain = self._formula(label, rel)
        if negatives == "zero" and self.name not in ("signed_exp2", "table"):
            gain = np.where(label < 0, 0.0, gain)
        if not np.isfinite(gain).all():
            label = label[~np.isfinite(gain)]
            message = f"gain {self}: must be finite for every label, got {text_of(label[0])}."
            raise MeasureError(message)
        return gain

    def _formula(self, label: FloatArray, rel: float) -> FloatArray:
        if self.name == "linear":
            return label
        if self.name == "binary":
            return (label >= rel).astype(np.float64)
        if self.name == "exp2":
            return _exp2_minus_1(label)
        if self.name == "signed_exp2":
            return np.sign(label) * _exp2_minus_1(np.abs(label))
        return self._looked_up(label)

    def _looked_up(self, label: FloatArray) -> FloatArray:
        known = np.array([pair[0] for pair in self.table])
        gain = np.array([pair[1] for pair in self.table])
        place = np.minimum(np.searchsorted(known, label), len(known) - 1)
        listed = known[place] == label
        if (~listed & (label > 0)).any():
            unknown = text_of(label[~listed & (label > 0)][0])
            message = f"gain {self}: must name every label above 0, got {unknown}."
            raise MeasureError(message)
        return np.where(listed, gain[place], 0.0)

    def __str__(self) -> str:
        if not self.table:
            return self.name
        pairs = (f"{text_of(label)}: {text_of(gain)}" for label, gain in self.table)
        return "{" + ", ".join(pairs) + "}"


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(value)
    return float(value) + 0.0


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
