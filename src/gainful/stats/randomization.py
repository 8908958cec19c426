"""Randomization tests: if two systems are equal, every difference may change its sign."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from gainful.base import FloatArray, IntArray

# What rounding may take from a statistic, as a share of the most that it can be: values on a grid,
# such as P@10, make statistics equal that floats tell apart.
TOLERANCE = 1e-12
_INTEGER_BITS = 61
_FLOAT_BITS = 52


def scale_to_integers(values: FloatArray) -> IntArray:
    """Return the values times a power of two, rounded, such that no sum of any of them overflows.

    The absolute values of each row add up to less than 2**62. Rounding moves a sum of n values by
    no more than n / 2**60 of what the absolute values of the largest row add up to.

    >>> scale_to_integers(np.array([1.0, -0.5, 0.25])) // 2**57
    array([ 8, -4,  2])
    """
    units = np.ldexp(values, -_find_exponent(values))
    largest = float(np.abs(units).sum(axis=-1).max(initial=0.0))
    scaled = np.ldexp(units, _INTEGER_BITS - math.frexp(largest)[1])
    return np.asarray(np.rint(scaled), dtype=np.int64)


def scale_to_whole_floats(values: FloatArray) -> tuple[FloatArray, int]:
    """Return the values times a power of two, rounded, and the exponent of that power.

    Any n of the values, repeated or not, n being how many a row has, add up to a whole number that
    a float holds. Rounding moves a mean by no more than n / 2**51 of the largest absolute value,
    which is 5e-12 of it for 10,000.

    >>> scale_to_whole_floats(np.array([0.75, 0.5]))
    (array([1.68884986e+15, 1.12589991e+15]), 51)
    """
    exponent = _FLOAT_BITS - _find_exponent(values) - math.ceil(math.log2(values.shape[-1]))
    return np.rint(np.ldexp(values, exponent)), exponent


def _find_exponent(values: FloatArray) -> int:
    """Return the exponent of the least power of two above all absolute values."""
    return math.frexp(float(np.abs(values).max(initial=0.0)))[1]


_BITS = 8  # differences whose signs are the bits of one code
_BATCH = 16_384  # resamples at a time: what they need stays close to the processor
_BLOCK = 64  # codes of a resample at a time
_Codes = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


def flip_signs(differences: FloatArray, *, resamples: int = 100_000, seed: int = 0) -> float:
    """Return the two-sided p-value of the randomization test that flips signs.

    It is the share of sign changes that take the mean as far from 0 as it is.

    Differences of 0 have no sign and are left out. If the others have no more than ``resamples``
    ways to choose their signs, each is counted, and p is exact. If they have more, so many are
    drawn, and p is (b + 1) / (resamples + 1), b being how many of them reach the mean. 1 if all
    differences are 0, or if there are none. One query alone has p = 1.

    A mean counts as reached from 1e-12 of the mean of the absolute differences below it: values on
    a grid, such as P@10, make means equal that floats tell apart. The same seed gives the same p
    on any number of threads.

    Reference: Smucker, Allan and Carterette, A comparison of statistical significance tests for
    information retrieval evaluation, CIKM 2007.

    Args:
        differences: One for every query, finite.
        resamples: Number of choices of signs that are drawn, or counted.
        seed: Seed of the random numbers.

    >>> flip_signs(np.array([0.1, 0.2, 0.3, 0.0]))
    0.25
    """
    flipped = differences[differences != 0]
    if not flipped.size:
        return 1.0
    scaled = scale_to_integers(flipped[np.newaxis])
    minimum = abs(int(scaled.sum())) - TOLERANCE * float(np.abs(scaled).sum())
    batches = iterate_flipped_sums(scaled, resamples=resamples, seed=seed)
    reached = sum(int(np.count_nonzero(np.abs(sums) >= minimum)) for sums in batches)
    return compute_reached_share(reached, flipped.size, resamples)


def flip_signs_of_pairs(
    values: FloatArray, pairs: Sequence[tuple[int, int]], *, resamples: int = 100_000, seed: int = 0
) -> FloatArray:
    """Return the p-values of ``flip_signs`` for many pairs of systems, which share the signs.

    The sum of flipped differences is the difference of flipped sums. So signs are drawn for the
    systems, which are fewer than their pairs. Where all choices can be counted they are.

    Args:
        values: Systems x queries, finite.
        pairs: The row of a system, and the row of the baseline that it is compared with.
        resamples: As for ``flip_signs``.
        seed: As for ``flip_signs``.

    >>> values = np.array([[0.1, 0.2, 0.3], [0.2, 0.4, 0.6], [0.1, 0.2, 0.3]])
    >>> flip_signs_of_pairs(values, [(1, 0), (2, 0)])
    array([0.25, 1.  ])
    """
    systems, baselines = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    n_differing = [int(np.count_nonzero(values[i] != values[j])) for i, j in pairs]
    is_sampled = np.array([not is_exhaustive(n, resamples) for n in n_differing])
    p = np.ones(len(systems))
    for i in np.flatnonzero(~is_sampled):
        p[i] = flip_signs(values[systems[i]] - values[baselines[i]], resamples=resamples, seed=seed)
    if is_sampled.any():
        p[is_sampled] = _flip_together(
            values, systems[is_sampled], baselines[is_sampled], resamples, seed
        )
    return p


def _flip_together(
    values: FloatArray, systems: IntArray, baselines: IntArray, resamples: int, seed: int
) -> FloatArray:
    used, positions = np.unique(np.concatenate([systems, baselines]), return_inverse=True)
    scaled = scale_to_integers(values[used])
    pairs = list(zip(*positions.reshape(2, -1).tolist(), strict=True))
    differences = [scaled[i] - scaled[j] for i, j in pairs]
    minimum = [abs(int(row.sum())) - TOLERANCE * float(np.abs(row).sum()) for row in differences]
    reached = np.zeros(len(pairs), dtype=np.int64)
    for sums in iterate_flipped_sums(scaled, resamples=resamples, seed=seed):
        for number, (i, j) in enumerate(pairs):
            reached[number] += np.count_nonzero(np.abs(sums[i] - sums[j]) >= minimum[number])
    return np.asarray((reached + 1) / (resamples + 1), dtype=np.float64)


def compute_reached_share(reached: int, n_queries: int, resamples: int) -> float:
    """Return the share of choices of signs that was reached; an estimate if some were drawn."""
    if is_exhaustive(n_queries, resamples):
        return float(reached / 2**n_queries)
    return (reached + 1) / (resamples + 1)


def is_exhaustive(n_queries: int, resamples: int) -> bool:
    """Return True if there are no more choices of signs than resamples.

    >>> is_exhaustive(16, 100_000), is_exhaustive(17, 100_000)
    (True, False)
    """
    return n_queries < 63 and 2**n_queries <= resamples


def iterate_flipped_sums(differences: IntArray, *, resamples: int, seed: int) -> Iterator[IntArray]:
    """Yield the sum of every row for each choice of signs, batch by batch: rows x choices.

    A choice holds for all rows: a query has one sign. Each choice is taken once if there are no
    more than ``resamples``, else so many are drawn.

    >>> [sums.tolist() for sums in iterate_flipped_sums(np.array([[1, 2]]), resamples=4, seed=0)]
    [[[3, 1, -1, -3]]]
    """
    n_rows, n_queries = differences.shape
    padded = np.pad(differences, ((0, 0), (0, -n_queries % _BITS)))
    groups = padded.reshape(n_rows, -1, _BITS)
    rng = np.random.default_rng(seed)
    exact = is_exhaustive(n_queries, resamples)
    n_choices = 2**n_queries if exact else resamples
    for start in range(0, n_choices, _BATCH):
        stop = min(start + _BATCH, n_choices)
        blocks = (
            _enumerate_codes(start, stop)
            if exact
            else _draw_codes(rng, groups.shape[1], stop - start)
        )
        yield _sum_choices(groups, blocks, stop - start)


def _sum_choices(groups: IntArray, blocks: Iterator[_Codes], n_choices: int) -> IntArray:
    """Return sums of rows x choices, from tables of eight differences and their 256 signs."""
    all_codes = np.arange(2**_BITS, dtype=np.uint8)[:, np.newaxis]
    signs = 1 - 2 * np.unpackbits(all_codes, axis=1, bitorder="little").astype(np.int64)
    sums = np.zeros((len(groups), n_choices), dtype=np.int64)
    n_done = 0
    for codes in blocks:
        tables = groups[:, n_done : n_done + len(codes)] @ signs.T
        for group, code in enumerate(codes[: tables.shape[1]]):
            indexes = code.astype(np.intp)
            for row_sums, table in zip(sums, tables[:, group], strict=True):
                row_sums += table.take(indexes)
        n_done += len(codes)
    return sums


def _draw_codes(rng: np.random.Generator, n_codes: int, n_choices: int) -> Iterator[_Codes]:
    """Yield random codes, codes of a choice x choices, a block of codes at a time."""
    for start in range(0, n_codes, _BLOCK):
        size = (min(_BLOCK, n_codes - start), -(-n_choices // 8))
        words = rng.integers(2**64, size=size, dtype=np.uint64)  # three times as fast as bytes
        yield words.astype("<u8", copy=False).view(np.uint8)[:, :n_choices]


def _enumerate_codes(start: int, stop: int) -> Iterator[_Codes]:
    """Yield the codes of the choices from one number to another, whose bits are the signs."""
    numbers = np.arange(start, stop, dtype="<u8")
    yield np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, 8).T)
