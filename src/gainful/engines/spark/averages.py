"""Averages of values that are spread over workers, with the bits that ``ragged`` gives."""

import math
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.ragged import FloatArray

# Sums of larger values may be too large on the way: it is their order that decides.
_LARGE = 2.0**960
_WEIGHT = 0.5  # of a value in a mean, as ``ragged.mean`` scales equal weights


class Sum(NamedTuple):
    """How many values there are, and a few numbers that add up to what they count in an average.

    There are no such numbers where the order of the values may matter.
    """

    n_values: int
    terms: tuple[float, ...] | None


def _logs(values: FloatArray) -> FloatArray:
    return np.array([math.log(max(value, ragged.LEAST)) for value in values.tolist()])


_COUNTED: dict[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda values: values * _WEIGHT,
    "sum": lambda values: values,
    "geometric": lambda values: _logs(values) * _WEIGHT,
}


def summed(average: str, values: FloatArray) -> Sum:
    """What a part of the values adds to their average, NaN values left out.

    >>> summed("mean", np.array([1.0, 0.5, np.nan]))
    Sum(n_values=2, terms=(0.75,))
    """
    defined = values[~np.isnan(values)]
    counted = _COUNTED[average](defined)
    if not (np.abs(counted) < _LARGE).all():
        return Sum(len(defined), None)
    return Sum(len(defined), ragged.exact_terms(counted))


def averaged(average: str, sums: Sequence[Sum], *, of: int | None = None) -> float | None:
    """The average of all values, if it can be told without them; of so many, the others being 0.

    >>> averaged("mean", [summed("mean", np.array([1.0])), summed("mean", np.array([0.5]))])
    0.75
    """
    if any(one.terms is None for one in sums):
        return None
    n_values = sum(one.n_values for one in sums) if of is None else of
    total = math.fsum(chain.from_iterable(one.terms or () for one in sums))
    if average == "sum":
        return total
    mean = total / (n_values * _WEIGHT) if n_values else math.nan
    return math.exp(mean) if average == "geometric" else mean
