"""Orders of addition: the sums of the rows of a matrix, rounded as some tool rounds them."""

from collections.abc import Callable
from typing import Any

import numpy as np

Matrix = np.ndarray[tuple[Any, ...], np.dtype[Any]]
PRODUCTS = ("dot", "lanes")  # that look at factors, not at products that are rounded
# Terms that are added side by side: zeros below a whole number of such steps change no sum.
_STEPS = {"pairwise": 8, "cascade": 32, "dot": 64}
_ROOM = 64  # terms that stand side by side in a sum of any length, if they are the first
_LANES = 8  # single-precision numbers in a register, of the CPUs most values were recorded on
_FUSED = 16  # numbers from which on CatBoost multiplies and adds in one step


def row_sums(how: str, gain: Matrix, worth: Matrix, term: Matrix) -> Matrix:
    """The sum of each row's terms.

    Args:
        how: The word for it; empty for one after another.
        gain: The gains, one row for each query.
        worth: What they are multiplied by.
        term: The products, or quotients, each of them rounded.
    """
    if not term.shape[1]:
        return np.zeros(len(term), dtype=term.dtype)
    if how == "dot":
        product: Matrix = np.matmul(gain[:, np.newaxis, :], worth[:, :, np.newaxis])[:, 0, 0]
        return product
    if how == "lanes" and term.shape[1] >= _FUSED:
        return _four_lanes(gain, worth)
    return _ADDED[how](term)


def room(how: str, n_terms: int) -> int | None:
    """How many terms have to be written out if only the first so many are not 0; None if all.

    NumPy halves a long sum, and the first half has at least 64 terms, in lanes of every eighth.

    >>> room("pairwise", 10), room("dot", 10), room("pairwise", 65), room("head_tail", 10)
    (16, 64, None, None)
    """
    step = _STEPS.get(how)
    return None if step is None or n_terms > _ROOM else -(-n_terms // step) * step


def in_order(term: Matrix) -> Matrix:
    """One after another."""
    return np.asarray(np.add.accumulate(term, axis=1)[:, -1])


def pairwise(term: Matrix) -> Matrix:
    """As NumPy adds up a row that lies in one piece."""
    return np.asarray(np.ascontiguousarray(term).sum(axis=1))


def _head_tail(term: Matrix) -> Matrix:
    return np.asarray(term[:, 0] + pairwise(term[:, 1:]))


def _compensated(term: Matrix) -> Matrix:
    """What rounding has lost is added with the next term."""
    total, lost = np.zeros((2, len(term)), dtype=term.dtype)
    for column in term.T:
        more = column - lost
        new = total + more
        lost = (new - total) - more
        total = new
    return total


def _two_lanes(term: Matrix) -> Matrix:
    """Two registers of two numbers each; a last odd one joins the second number."""
    n_even = term.shape[1] // 2 * 2
    pairs = term[:, :n_even].reshape(len(term), -1, 2)
    lanes = _columns(pairs[:, 0::2], 2) + _columns(pairs[:, 1::2], 2)
    if n_even < term.shape[1]:
        lanes[:, 1] += term[:, -1]
    return np.asarray(lanes[:, 0] + lanes[:, 1])


def _columns(rows: Matrix, width: int) -> Matrix:
    """The sums of registers, number by number, one register after another."""
    if not rows.shape[1]:
        return np.zeros((len(rows), width), dtype=rows.dtype)
    return np.array(np.add.accumulate(rows, axis=1)[:, -1])


def _four_lanes(gain: Matrix, worth: Matrix) -> Matrix:
    """Two registers of four numbers each, products fused into the sums; odd ones come first."""
    row, column = np.nonzero(gain)  # to add nothing changes no sum
    odd = gain.shape[1] % 4
    lane = 8 * row + np.where(column < odd, column, (column - odd) % 8)
    order = np.argsort(lane, kind="stable")
    left, right = gain[row, column][order], worth[row, column][order]
    counts = np.bincount(lane, minlength=8 * len(gain))
    start, sums = np.cumsum(counts) - counts, np.zeros(len(counts))
    for number in range(counts.max(initial=0)):
        longer = np.flatnonzero(counts > number)
        cells = start[longer] + number
        sums[longer] = _fused(left[cells], right[cells], sums[longer])
    registers = sums.reshape(-1, 2, 4)
    lanes = registers[:, 0] + registers[:, 1]
    halves = lanes[:, :2] + lanes[:, 2:]
    return np.asarray(halves[:, 0] + halves[:, 1])


def _fused(left: Matrix, right: Matrix, total: Matrix) -> Matrix:
    """The product added to the total, and rounded once."""
    product = left * right
    below = _rest(left, right, product)
    new = product + total
    part = new - product
    lost = (product - (new - part)) + (total - part)
    return np.asarray(new + (lost + below))


def _rest(left: Matrix, right: Matrix, product: Matrix) -> Matrix:
    """What a product has lost by rounding, exactly (Dekker 1971)."""
    (high, low), (other_high, other_low) = _split(left), _split(right)
    rest = ((high * other_high - product) + high * other_low) + low * other_high
    return np.asarray(rest + low * other_low)


def _split(number: Matrix) -> tuple[Matrix, Matrix]:
    scaled = number * 134217729.0  # 2^27 + 1
    high = scaled - (scaled - number)
    return high, number - high


def _cascade(term: Matrix) -> Matrix:
    """Four sums of every fourth number, or of every fourth register of eight numbers."""
    n_whole = term.shape[1] // _LANES * _LANES
    if not n_whole:
        return _four_sums(term[:, :, np.newaxis])[:, 0]
    lanes = _four_sums(term[:, :n_whole].reshape(len(term), -1, _LANES))
    parts = np.concatenate([term[:, n_whole:], lanes], axis=1)
    return in_order(parts)


def _four_sums(rows: Matrix) -> Matrix:
    """The sum of registers, as four sums that are added up."""
    n_whole = rows.shape[1] // 4 * 4
    sums = [_columns(rows[:, lane:n_whole:4], rows.shape[2]) for lane in range(4)]
    for at in range(n_whole, rows.shape[1]):
        sums[0] = sums[0] + rows[:, at]
    return np.asarray(((sums[0] + sums[1]) + sums[2]) + sums[3])


def _packets(term: Matrix) -> Matrix:
    """The lanes of registers of eight numbers, added by halves; then what is left of the row."""
    n_whole = term.shape[1] // _LANES * _LANES
    lanes = _columns(term[:, :n_whole].reshape(len(term), -1, _LANES), _LANES)
    for half in (4, 2, 1):
        lanes = lanes[:, :half] + lanes[:, half:]
    rest = _columns(term[:, n_whole:, np.newaxis], 1)
    return np.asarray((lanes + rest)[:, 0])


_ADDED: dict[str, Callable[[Matrix], Matrix]] = {
    "": in_order,
    "pairwise": pairwise,
    "lanes": _two_lanes,
    "cascade": _cascade,
    "packets": _packets,
    "compensated": _compensated,
    "head_tail": _head_tail,
}
