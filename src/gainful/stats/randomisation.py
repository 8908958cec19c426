"""Randomisation: were two systems one, each difference could as well have its other sign."""

from collections.abc import Iterator, Sequence

import numpy as np

from gainful.ragged import FloatArray, IntArray
from gainful.stats import fixed_point

_BITS = 8  # differences whose signs are the bits of one code
_BATCH = 16_384  # resamples at a time: what they need stays close to the processor
_BLOCK = 64  # codes of a resample at a time
_Codes = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


def sign_flip(differences: FloatArray, *, resamples: int = 100_000, seed: int = 0) -> float:
    """The p-value, two-sided: the share of sign changes that take the mean as far from 0 as it is.

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
        resamples: How many choices of signs are drawn, or counted.
        seed: What the random numbers start from.

    >>> sign_flip(np.array([0.1, 0.2, 0.3, 0.0]))
    0.25
    """
    flipped = differences[differences != 0]
    if not flipped.size:
        return 1.0
    whole = fixed_point.integers(flipped[np.newaxis])
    least = abs(int(whole.sum())) - fixed_point.TOLERANCE * float(np.abs(whole).sum())
    drawn = flipped_sums(whole, resamples=resamples, seed=seed)
    reached = sum(int(np.count_nonzero(np.abs(sums) >= least)) for sums in drawn)
    return share(reached, flipped.size, resamples)


def sign_flips(
    values: FloatArray, pairs: Sequence[tuple[int, int]], *, resamples: int = 100_000, seed: int = 0
) -> FloatArray:
    """The same for many pairs of systems, which share the signs that are drawn: one per pair.

    The sum of flipped differences is the difference of flipped sums. So signs are drawn for the
    systems, which are fewer than their pairs. Where all choices can be counted they are.

    Args:
        values: Systems x queries, finite.
        pairs: The row of a system, and the row of the baseline that it is compared with.
        resamples: As for ``sign_flip``.
        seed: As for ``sign_flip``.

    >>> sign_flips(np.array([[0.1, 0.2, 0.3], [0.2, 0.4, 0.6], [0.1, 0.2, 0.3]]), [(1, 0), (2, 0)])
    array([0.25, 1.  ])
    """
    ours, theirs = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    n_differing = [int(np.count_nonzero(values[i] != values[j])) for i, j in pairs]
    drawn = np.array([not all_are_counted(n, resamples) for n in n_differing])
    p = np.ones(len(ours))
    for i in np.flatnonzero(~drawn):
        p[i] = sign_flip(values[ours[i]] - values[theirs[i]], resamples=resamples, seed=seed)
    if drawn.any():
        p[drawn] = _drawn_together(values, ours[drawn], theirs[drawn], resamples, seed)
    return p


def _drawn_together(
    values: FloatArray, ours: IntArray, theirs: IntArray, resamples: int, seed: int
) -> FloatArray:
    used, place = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    whole = fixed_point.integers(values[used])
    pairs = list(zip(*place.reshape(2, -1).tolist(), strict=True))
    differences = [whole[i] - whole[j] for i, j in pairs]
    least = [
        abs(int(one.sum())) - fixed_point.TOLERANCE * float(np.abs(one).sum())
        for one in differences
    ]
    reached = np.zeros(len(pairs), dtype=np.int64)
    for sums in flipped_sums(whole, resamples=resamples, seed=seed):
        for number, (i, j) in enumerate(pairs):
            reached[number] += np.count_nonzero(np.abs(sums[i] - sums[j]) >= least[number])
    return np.asarray((reached + 1) / (resamples + 1), dtype=np.float64)


def share(reached: int, n_queries: int, resamples: int) -> float:
    """How large a share of all choices of signs was reached, as far as that many tell."""
    if all_are_counted(n_queries, resamples):
        return float(reached / 2**n_queries)
    return (reached + 1) / (resamples + 1)


def all_are_counted(n_queries: int, resamples: int) -> bool:
    """Whether there are no more choices of signs than resamples.

    >>> all_are_counted(16, 100_000), all_are_counted(17, 100_000)
    (True, False)
    """
    return n_queries < 63 and 2**n_queries <= resamples


def flipped_sums(differences: IntArray, *, resamples: int, seed: int) -> Iterator[IntArray]:
    """The sum of every row for each choice of signs, batch by batch: rows x choices.

    A choice holds for all rows: a query has one sign. Each choice is taken once if there are no
    more than ``resamples``, else so many are drawn.

    >>> [sums.tolist() for sums in flipped_sums(np.array([[1, 2]]), resamples=4, seed=0)]
    [[[3, 1, -1, -3]]]
    """
    n_rows, n_queries = differences.shape
    padded = np.pad(differences, ((0, 0), (0, -n_queries % _BITS)))
    groups = padded.reshape(n_rows, -1, _BITS)
    rng = np.random.default_rng(seed)
    exact = all_are_counted(n_queries, resamples)
    total = 2**n_queries if exact else resamples
    for start in range(0, total, _BATCH):
        stop = min(start + _BATCH, total)
        blocks = _counted(start, stop) if exact else _drawn(rng, groups.shape[1], stop - start)
        yield _sums(groups, blocks, stop - start)


def _sums(groups: IntArray, blocks: Iterator[_Codes], n_choices: int) -> IntArray:
    """Rows x choices. A table has the sum of eight differences for each of their 256 signs."""
    codes_of = np.arange(2**_BITS, dtype=np.uint8)[:, np.newaxis]
    signs = 1 - 2 * np.unpackbits(codes_of, axis=1, bitorder="little").astype(np.int64)
    sums = np.zeros((len(groups), n_choices), dtype=np.int64)
    done = 0
    for codes in blocks:
        tables = groups[:, done : done + len(codes)] @ signs.T
        for group, code in enumerate(codes[: tables.shape[1]]):
            chosen = code.astype(np.intp)
            for total, table in zip(sums, tables[:, group], strict=True):
                total += table.take(chosen)
        done += len(codes)
    return sums


def _drawn(rng: np.random.Generator, n_codes: int, n_choices: int) -> Iterator[_Codes]:
    """Random codes, codes of a choice x choices, a block of codes at a time."""
    for start in range(0, n_codes, _BLOCK):
        size = (min(_BLOCK, n_codes - start), -(-n_choices // 8))
        words = rng.integers(2**64, size=size, dtype=np.uint64)  # three times as fast as bytes
        yield words.astype("<u8", copy=False).view(np.uint8)[:, :n_choices]


def _counted(start: int, stop: int) -> Iterator[_Codes]:
    """The codes of the choices from one number to another, whose bits are the signs."""
    numbers = np.arange(start, stop, dtype="<u8")
    yield np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, 8).T)
