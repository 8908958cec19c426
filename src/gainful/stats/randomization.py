"""Randomization tests: if systems are equal, the values of a query may change places.

Of two systems, their difference may change its sign. Sums are of integers, so that statistics that
are equal count as equal, which floats tell apart. ``scipy.stats.permutation_test`` gives the same p
and takes at least eight times as long: ``make bench ARGS=statistics``.
"""

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


# Sums are looked up in tables of eight differences and their 256 signs: 100,000 draws of 1,000
# queries take 0.03 s, and 1.1 s where NumPy multiplies by signs.
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


_PERMUTED = 65_536  # values permuted at a time: what they need stays close to the processor


def randomized_tukey(values: FloatArray, *, resamples: int = 10_000, seed: int = 0) -> FloatArray:
    """Return the p-value of every pair of systems, adjusted for all pairs: systems x systems.

    Were all systems one, the values of a query could as well belong to the systems in any order.
    So the values of every query are permuted ``resamples`` times, and p is (b + 1) / (resamples +
    1), b being how often the largest mean less the smallest is at least as far apart as the means
    of the pair are: Tukey's honestly significant difference, without a normal distribution. 1 on
    the diagonal, for systems of the same mean, and where every query has one value.

    A difference counts as reached from 1e-12 below it, as a share of the most that the range can
    be, which is where every query has its largest value in one system and its smallest in another.
    The same seed gives the same p-values on any number of threads.

    Reference: Carterette, Multiple testing in statistical analysis of systems-based information
    retrieval experiments, TOIS 2012; Sakai, Laboratory experiments in information retrieval, 2018.

    Args:
        values: Systems x queries, finite.
        resamples: Number of permutations.
        seed: Seed of the random numbers.

    >>> values = np.array([[0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.5]])
    >>> randomized_tukey(values).round(2)
    array([[1.  , 0.03, 0.03],
           [0.03, 1.  , 1.  ],
           [0.03, 1.  , 1.  ]])
    """
    above = values - values.min(axis=0, initial=np.inf)
    differing = np.ascontiguousarray(above[:, above.any(axis=0)].T)  # the systems of a query abut
    scaled = scale_to_integers(differing.reshape(-1)).reshape(differing.shape)
    sums = scaled.sum(axis=0)
    gaps = np.abs(sums[:, np.newaxis] - sums)
    minimum = gaps - TOLERANCE * float(scaled.max(axis=1, initial=0).sum())
    ranges = np.sort(np.concatenate(list(_resample_ranges(scaled, resamples, seed))))
    reached = resamples - np.searchsorted(ranges, minimum, side="left")
    return np.asarray((reached + 1) / (resamples + 1), dtype=np.float64)


def _resample_ranges(scaled: IntArray, resamples: int, seed: int) -> Iterator[IntArray]:
    """Yield the largest sum of a system less the smallest, for each permutation, batch by batch."""
    rng = np.random.default_rng(seed)
    batch = max(1, _PERMUTED // max(1, scaled.size))
    for start in range(0, resamples, batch):
        shape = (min(batch, resamples - start), *scaled.shape)
        sums = rng.permuted(np.broadcast_to(scaled, shape), axis=2).sum(axis=1)
        yield np.ptp(sums, axis=1)


def max_t(
    values: FloatArray, baseline: int, *, resamples: int = 10_000, seed: int = 0
) -> FloatArray:
    """Return the adjusted p-value of every system against the baseline: one per system.

    The differences of a query from the baseline change their sign together, as in ``flip_signs``:
    all choices of signs are counted if there are no more than ``resamples``, else so many are
    drawn. Student's t of a system is compared with the largest |t| among the systems whose own |t|
    is no larger than its own (Westfall and Young, step-down), and no p-value is below that of a
    system whose |t| is larger. 1 for the baseline itself and for systems identical with it.

    Never below the p-value of ``flip_signs`` for the same choices of signs, and seldom above what
    Holm's correction makes of that: unlike it, this knows which systems go together.

    Reference: Boytsov, Belova and Westfall, Deciding on an adjustment for multiplicity in IR
    experiments, SIGIR 2013.

    Args:
        values: Systems x queries, finite.
        baseline: The row of the baseline.
        resamples: Number of choices of signs that are drawn, or counted.
        seed: Seed of the random numbers.

    >>> values = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.5]])
    >>> max_t(values, 0)
    array([1.   , 0.125, 1.   ])
    """
    p = np.ones(len(values))
    differences = values - values[baseline]
    systems = np.flatnonzero(differences.any(axis=1))
    compared = differences[np.ix_(systems, differences.any(axis=0))]
    if systems.size:
        p[systems] = _step_down(_studentize(compared), resamples, seed)
    return p


def _studentize(differences: FloatArray) -> FloatArray:
    """Return the differences of each system scaled to length 1, whose sums order as Student's t.

    With n queries, t is u * sqrt((n - 1) / (n - u ** 2)) where u is such a sum. The length is the
    same whatever the signs are.
    """
    units = differences / np.abs(differences).max(axis=1, keepdims=True)
    return np.asarray(units / np.sqrt((units**2).sum(axis=1, keepdims=True)), dtype=np.float64)


def _step_down(differences: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Return the adjusted p-value of each row."""
    scaled = scale_to_integers(differences)
    order = np.argsort(-np.abs(scaled.sum(axis=1)), kind="stable")
    scaled = scaled[order]
    rounding = TOLERANCE * float(np.abs(scaled).sum(axis=1).max())
    minimum = np.abs(scaled.sum(axis=1, keepdims=True)) - rounding
    reached = np.zeros(len(scaled), dtype=np.int64)
    for sums in iterate_flipped_sums(scaled, resamples=resamples, seed=seed):
        largest = np.maximum.accumulate(np.abs(sums)[::-1], axis=0)[::-1]
        reached += np.count_nonzero(largest >= minimum, axis=1)
    p = np.array(
        [compute_reached_share(int(n_reached), scaled.shape[1], resamples) for n_reached in reached]
    )
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(p)
    return adjusted
