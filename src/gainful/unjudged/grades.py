"""The labels that an unjudged item may get, and what each of them gains."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from gainful.errors import MeasureError
from gainful.measures import Formula
from gainful.ragged import FloatArray
from gainful.records import Frozen

_MOST = 256  # different labels of the qrels that are tried
_LARGEST = 1e290  # gain, of which many add up to a finite number


@dataclass(eq=False)
class Choices(Frozen):
    """What an unjudged item may gain.

    Attributes:
        gain: The different gains, ascending.
        label: A label that has each of them.
    """

    gain: FloatArray
    label: FloatArray


def grades_from(grades: Iterable[float] | None, pool_label: FloatArray) -> FloatArray:
    """The labels an unjudged item may get: those given, else 0 and all labels of the qrels.

    >>> grades_from(None, np.array([3.0, 1.0, 1.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    if grades is not None:
        return _checked(grades)
    found = np.unique(np.append(pool_label, 0.0))
    if len(found) > _MOST:
        message = (
            f"the qrels have {len(found):,} different labels, more than {_MOST} to try. "
            "Pass --grades, for example 0,1,2,3; grades=(0, 1, 2, 3) in Python."
        )
        raise MeasureError(message, code="too-large")
    return found


def choices(formula: Formula, grades: FloatArray) -> Choices:
    """What the labels gain; labels of the same gain are one choice."""
    gain, first = np.unique(formula.gains(grades), return_index=True)
    if np.abs(gain).max() > _LARGEST:
        message = f"gain {formula.gain}: must add up to finite numbers, got {gain[-1]:g}."
        raise MeasureError(message, code="infinite-gain")
    return Choices(gain, grades[first])


def _checked(grades: Iterable[float]) -> FloatArray:
    given = list(grades) if isinstance(grades, Iterable) else [grades]
    for grade in given if not isinstance(grades, str) else [grades]:
        if isinstance(grade, bool) or not isinstance(grade, Real) or not math.isfinite(grade):
            message = f"grades: must be numbers such as (0, 1, 2, 3), got {grade!r:.60}."
            raise MeasureError(message, code="bad-argument")
    if not given:
        message = "grades: must be numbers such as (0, 1, 2, 3), got none."
        raise MeasureError(message, code="bad-argument")
    return np.unique(np.array(given, dtype=np.float64) + 0.0)
