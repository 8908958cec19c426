"""Per-query reductions over flat arrays: the only home of their numeric traps."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gainful.base import _native
from gainful.base._native import Step

# As numpy.typing.NDArray has them, without the time that loading numpy.typing takes.
FloatArray = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
IntArray = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
BoolArray = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]

ENDLESS = int(np.iinfo(np.int64).max)
_MAX_COUNTED_LEVELS = 1000  # whole numbers, in a row
GEOMETRIC_FLOOR = (
    1e-5  # trec_eval raises lower values to this, or one bad query would zero the product
)


def retain_memory() -> None:
    """Keep the memory that arrays have used, for the next arrays.

    Unless it has seen a large block come back, the memory allocator of Linux returns what an array
    has used to the system, and gets it again for the next one, page by page.
    """
    np.empty(31 << 20, np.uint8)


def offsets_from_sizes(sizes: IntArray | BoolArray | Sequence[int]) -> IntArray:
    """Return where the elements of each query begin, and where the last query ends.

    >>> offsets_from_sizes([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, dtype=np.int64, out=offsets[1:])
    return offsets


def offsets_from_owners(owner: IntArray, n_queries: int) -> IntArray:
    """Return the offsets of elements whose queries ascend; the inverse of ``find_owners``.

    >>> offsets_from_owners(np.array([0, 0, 2]), 3).tolist()
    [0, 2, 2, 3]
    """
    return np.searchsorted(owner, np.arange(n_queries + 1))


def find_owners(offsets: IntArray) -> IntArray:
    """Return the query that each element belongs to.

    >>> find_owners(np.array([0, 2, 2, 3])).tolist()
    [0, 0, 2]
    """
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def find_positions(offsets: IntArray) -> IntArray:
    """Return the place of each element within its query, from 1.

    >>> find_positions(np.array([0, 2, 2, 3])).tolist()
    [1, 2, 1]
    """
    position = np.repeat(1 - offsets[:-1], np.diff(offsets))
    position += np.arange(len(position))
    return position


def sum_by_query(
    values: FloatArray | IntArray | BoolArray, owner: IntArray, n_queries: int
) -> FloatArray:
    """Return the sum of each query's values, added in their order; an empty query sums to zero.

    >>> sum_by_query(np.array([1.0, 2.0, 4.0]), np.array([0, 0, 2]), 3).tolist()
    [3.0, 0.0, 4.0]
    """
    # Not a difference of running totals: that lets one query's rounding leak into the next,
    # and a query must score the same alone, in a batch, or in a Spark partition.
    # Not bare reduceat either: for an empty query it returns the next query's first value.
    return np.asarray(np.bincount(owner, weights=values, minlength=n_queries), dtype=np.float64)


def accumulate_counts(chosen: BoolArray, offsets: IntArray) -> IntArray:
    """Return how many elements of a query are chosen, from its first to each element.

    >>> accumulate_counts(np.array([True, False, True, True]), np.array([0, 3, 4])).tolist()
    [1, 1, 2, 1]
    """
    # Counts are whole numbers, so that differences of running totals are exact.
    running = np.concatenate([[0], np.cumsum(chosen)])
    count_before = np.repeat(running[offsets[:-1]], np.diff(offsets))
    chosen_so_far: IntArray = running[1:] - count_before
    return chosen_so_far


def accumulate(values: FloatArray, offsets: IntArray, step: Step = Step.add) -> FloatArray:
    """Return the running sums of each query's values; or products, or maxima.

    >>> accumulate(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 3])).tolist()
    [1.0, 3.0, 4.0]
    """
    out = np.array(values, dtype=np.float64)
    _native.running(out, offsets, step)
    return out


def divide(top: FloatArray, bottom: FloatArray, *, empty: float) -> FloatArray:
    """Return the quotients, ``empty`` where ``bottom`` is zero.

    >>> divide(np.array([1.0, 0.0]), np.array([2.0, 0.0]), empty=0.0).tolist()
    [0.5, 0.0]
    """
    quotient: FloatArray = np.divide(top, bottom, out=np.full(len(top), empty), where=bottom != 0)
    return quotient


def sort_descending(values: FloatArray, owner: IntArray) -> FloatArray:
    """Return the values with each query's sorted from high to low.

    >>> sort_descending(np.array([1.0, 3.0, 2.0]), np.array([0, 0, 1])).tolist()
    [3.0, 1.0, 2.0]
    """
    falling = (values[1:] <= values[:-1]) | (owner[1:] != owner[:-1])
    return values if falling.all() else values[np.lexsort((-values, owner))]


def group_equal(owner: IntArray, mark: IntArray | FloatArray) -> tuple[IntArray, IntArray]:
    """Return where each run of equal marks within a query begins, and the run of each element.

    >>> [a.tolist() for a in group_equal(np.array([0, 0, 0, 1]), np.array([1, 2, 2, 2]))]
    [[0, 1, 3], [0, 1, 1, 2]]
    """
    new = np.ones(len(owner), dtype=np.bool_)
    new[1:] = (owner[1:] != owner[:-1]) | (mark[1:] != mark[:-1])
    start = np.flatnonzero(new)
    return start, np.repeat(np.arange(len(start)), np.diff(start, append=len(owner)))


def take(offsets: IntArray, keep: IntArray) -> tuple[IntArray, IntArray]:
    """Return the elements of the queries to keep, and the offsets they have among themselves.

    >>> [a.tolist() for a in take(np.array([0, 2, 2, 3]), np.array([0, 2]))]
    [[0, 1, 2], [0, 2, 3]]
    """
    return expand_spans(offsets[keep], np.diff(offsets)[keep])


def expand_spans(starts: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the elements from each start on, as many as its size, and where each span begins.

    >>> [a.tolist() for a in expand_spans(np.array([5, 0]), np.array([2, 3]))]
    [[5, 6, 0, 1, 2], [0, 2, 5]]
    """
    offsets = offsets_from_sizes(sizes)
    elements = np.repeat(starts - offsets[:-1], sizes)
    elements += np.arange(len(elements))
    return elements, offsets


def sum_exactly(values: FloatArray) -> float:
    """Return the sum, rounded once, NaN values left out.

    >>> sum_exactly(np.array([1.0, 2.0, np.nan]))
    3.0
    """
    return math.fsum(values[~np.isnan(values)])


def compute_exact_terms(values: FloatArray) -> tuple[float, ...]:
    """Return a few numbers whose sum is that of the values, none of it rounded away.

    Those of several parts, added by ``math.fsum``, give what all values would.

    >>> compute_exact_terms(np.array([0.1, 0.2, 0.3]))
    (0.6, 2.7755575615628914e-17)
    """
    remainder, terms = values.tolist(), []
    while term := math.fsum(remainder):
        terms.append(term)
        remainder.append(-term)
    return tuple(terms)


def find_distinct(values: FloatArray) -> FloatArray:
    """Return the distinct values, ascending.

    >>> find_distinct(np.array([3.0, 1.0, 3.0])).tolist()
    [1.0, 3.0]
    """
    lowest, highest = values.min(initial=0.0), values.max(initial=0.0)
    if highest > lowest + _MAX_COUNTED_LEVELS or (values % 1).any():
        return np.unique(values)
    # They are counted, which takes a fraction of the time that sorting does.
    counts = np.bincount((values - lowest).astype(np.int64))
    levels: FloatArray = np.flatnonzero(counts) + lowest
    return levels


def geometric_mean(values: FloatArray, weights: FloatArray | None = None) -> float:
    """Return the geometric mean, NaN values left out; values below 0.00001 count as that.

    >>> geometric_mean(np.array([0.5, 0.125, np.nan]))
    0.25
    """
    defined = ~np.isnan(values)
    logs = [math.log(max(value, GEOMETRIC_FLOOR)) for value in values[defined].tolist()]
    average = mean(np.array(logs), None if weights is None else weights[defined])
    return math.exp(average) if logs else math.nan


def mean(values: FloatArray, weights: FloatArray | None = None) -> float:
    """Return the mean without NaN values and their weights; NaN if nothing but zeros is left.

    The sum is rounded once, so it depends neither on the order of the queries nor on how they
    were partitioned. With weights it is a sum of products, each of them rounded before. Equal
    weights give the mean without weights, to the last bit.

    >>> mean(np.array([1.0, 0.5, np.nan]))
    0.75
    >>> mean(np.array([1.0, 0.5, np.nan]), np.array([3.0, 1.0, 8.0]))
    0.875
    """
    defined = ~np.isnan(values)
    weights = _scale_weights(np.ones(len(values)) if weights is None else weights)
    total_weight = math.fsum(weights[defined])
    try:
        return math.fsum((values * weights)[defined]) / total_weight if total_weight else math.nan
    except OverflowError:
        return math.fsum((values * (weights / total_weight))[defined])
    except ValueError:  # infinite values of both signs
        return math.nan


def mean_with_unweighted(values: FloatArray, weights: FloatArray, unweighted: BoolArray) -> float:
    """Return the weighted mean where some values are added once, whatever their weight.

    The sum is divided by all weights all the same, as LightGBM and XGBoost do.

    >>> values, weights = np.array([1.0, 0.5]), np.array([2.0, 4.0])
    >>> mean_with_unweighted(values, weights, np.array([True, False]))
    0.5
    """
    defined = ~np.isnan(values)
    total_weight = math.fsum(weights[defined])
    terms = values * np.where(unweighted, 1.0, weights)
    return math.fsum(terms[defined]) / total_weight if total_weight else math.nan


def round_to_float32(values: FloatArray) -> FloatArray:
    """Return the numbers of single precision that are nearest to the values.

    >>> round_to_float32(np.array([0.1, 0.5])).tolist()
    [0.10000000149011612, 0.5]
    """
    return values.astype(np.float32).astype(np.float64)


def round_to_decimals(values: FloatArray, decimals: int | None) -> FloatArray:
    """Return the values rounded to a number of decimals; unchanged if None.

    >>> round_to_decimals(np.array([0.123456, 0.5]), 4).tolist()
    [0.1235, 0.5]
    """
    if decimals is None:
        return values
    # Not by NumPy, which multiplies and divides, and so may miss the nearest.
    nearest = [round(value, decimals) for value in np.ravel(values).tolist()]
    return np.array(nearest, dtype=np.float64).reshape(np.shape(values))


def _scale_weights(weights: FloatArray) -> FloatArray:
    """Return weights scaled to sizes that can be added, in the same proportions."""
    if weights.any() and (weights == weights[0]).all():
        weights = np.ones(len(weights))
    # By a power of two, which rounds nothing.
    scaled: FloatArray = np.ldexp(weights, -math.frexp(weights.max(initial=0.0))[1])
    return scaled
