"""Judged items whose neighbours differ from them in double precision alone."""

import numpy as np

from gainful.engines.spark.counting.scored import Rows
from gainful.ragged import BoolArray, IntArray

_SIGN = 1 << 31


def close_to(hits: Rows, rows: Rows) -> BoolArray:
    """Whether a row of its query has another score than the hit, but the same in single precision.

    There is one if and only if that next to it is one: rounding keeps the order.

    >>> hits = Rows(np.array([0, 0]), np.array([1.0, 2.0]), np.zeros(2), np.zeros(2))
    >>> rows = Rows(np.array([0, 1]), np.array([1.0 + 1e-12, 2.0]), np.zeros(2), np.zeros(2))
    >>> close_to(hits, rows).tolist()
    [True, False]
    """
    wanted, keys = _keys(hits), _keys(rows)
    # Most rows are not near a hit, and need not be sorted.
    known = np.append(np.sort(wanted), -1)
    near = np.flatnonzero(known[np.searchsorted(known[:-1], keys)] == keys)
    near = near[np.lexsort((rows.score[near], keys[near]))]
    keys, scores = keys[near], rows.score[near]
    begin = np.searchsorted(keys, wanted, "left")
    end = np.searchsorted(keys, wanted, "right")
    found = np.flatnonzero(begin < end)
    close = np.zeros(len(wanted), dtype=np.bool_)
    own = hits.score[found]
    close[found] = (scores[begin[found]] != own) | (scores[end[found] - 1] != own)
    return close


def _keys(rows: Rows) -> IntArray:
    """The query and the score in single precision, as one number that is ordered as they are."""
    with np.errstate(over="ignore"):
        single = rows.score.astype(np.float32) + np.float32(0.0)  # which has no -0.0
    bits = single.view(np.uint32).astype(np.int64)
    below = bits >= _SIGN
    return (rows.query << 32) | np.where(below, 2 * _SIGN - 1 - bits, bits + _SIGN)
