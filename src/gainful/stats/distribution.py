"""How values of queries are distributed."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful import ragged
from gainful.errors import ComparisonError
from gainful.records import Record

BINS = 10


@dataclass(eq=False, repr=False)
class Distribution(Record):
    """Where the values of queries lie.

    Attributes:
        n: How many values there are.
        n_undefined: How many queries have none, and are left out.
        mean: Their mean.
        minimum: The lowest.
        quartiles: The lower quartile, the median and the upper quartile.
        maximum: The highest.
        zeros: The share of values that are 0.
        ones: The share of values that are 1.
        edges: Where the bins of the histogram begin, and where the last one ends.
        counts: How many values each bin has; the last one has its upper end too.
        ecdf: Every value that there is, ascending, with the share of values up to it.
    """

    n: int
    n_undefined: int
    mean: float
    minimum: float
    quartiles: tuple[float, float, float]
    maximum: float
    zeros: float
    ones: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    ecdf: tuple[tuple[float, float], ...]


def distribution(values: Any, *, bounds: tuple[float, float] | None = None) -> Distribution:
    """How values are distributed: quartiles, a histogram of ten bins, and the ECDF.

    NaN values are left out and counted; if none is left, every number but the counts is NaN, and
    there are no edges.

    Args:
        values: One per query.
        bounds: What the histogram goes from and to, such as ``Measure.bounds``; from the lowest
            value to the highest where it is not given, or has no end on that side.

    >>> found = distribution([0.0, 0.5, 0.5, 1.0], bounds=(0, 1))
    >>> found.quartiles, found.zeros, found.counts
    ((0.375, 0.5, 0.625), 0.25, (1, 0, 0, 0, 0, 2, 0, 0, 0, 1))
    """
    given = _numbers(values)
    known = given[~np.isnan(given)]
    n_undefined = len(given) - len(known)
    if not len(known):
        nan = math.nan
        return Distribution(0, n_undefined, nan, nan, (nan, nan, nan), nan, nan, nan, (), (), ())
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75]).tolist()
    counts, edges = np.histogram(known, bins=BINS, range=_range(known, bounds))
    return Distribution(
        n=len(known),
        n_undefined=n_undefined,
        mean=ragged.mean(known),
        minimum=float(known.min()),
        quartiles=(low, middle, high),
        maximum=float(known.max()),
        zeros=float(np.mean(known == 0)),
        ones=float(np.mean(known == 1)),
        edges=tuple(edges.tolist()),
        counts=tuple(counts.tolist()),
        ecdf=_ecdf(known),
    )


def _numbers(values: Any) -> ragged.FloatArray:
    try:
        given = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.array(math.inf)
    if given.ndim != 1 or np.isinf(given).any():
        message = f"distribution: must be given a list of finite numbers, got {values!r:.60}."
        raise ComparisonError(message, code="not-numbers")
    return given


def _range(values: ragged.FloatArray, bounds: tuple[float, float] | None) -> tuple[float, float]:
    low, high = (-math.inf, math.inf) if bounds is None else bounds
    # No value is left out: where one lies beyond its bound, the histogram goes there.
    lowest, highest = float(values.min()), float(values.max())
    return (
        min(low, lowest) if math.isfinite(low) else lowest,
        max(high, highest) if math.isfinite(high) else highest,
    )


def _ecdf(values: ragged.FloatArray) -> tuple[tuple[float, float], ...]:
    from scipy.stats import ecdf  # only who asks for statistics pays for loading it

    steps = ecdf(values).cdf
    return tuple(zip(steps.quantiles.tolist(), steps.probabilities.tolist(), strict=True))
