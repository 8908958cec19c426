"""What a ranking has gained by each rank, and what the best possible one would have by then."""

from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures._gains import Gain
from gainful.ragged import FloatArray, IntArray


class Progress(NamedTuple):
    """The running sums of each query's values.

    Attributes:
        total: The sum of a query's values up to each of them.
        offsets: Where those of each query begin; one more than there are queries.
    """

    total: FloatArray
    offsets: IntArray

    @property
    def sizes(self) -> IntArray:
        """How many values each query has."""
        return np.diff(self.offsets)

    @property
    def whole(self) -> FloatArray:
        """The sum of all values of each query."""
        return self.after(self.sizes, np.arange(len(self.offsets) - 1))

    def after(self, n: IntArray, query: IntArray) -> FloatArray:
        """The sum of the first ``n`` values of each query named, or of all if it has fewer."""
        n = np.minimum(n, self.sizes[query])
        padded = np.concatenate([[0.0], self.total])
        return padded[np.where(n > 0, self.offsets[query] + n, 0)]


def progress(values: FloatArray, offsets: IntArray) -> Progress:
    """The running sums of values in rank order."""
    return Progress(ragged.running(values, offsets), offsets)


def ideal_order(gain: FloatArray, owner: IntArray, n_queries: int) -> tuple[FloatArray, IntArray]:
    """The gains above 0 from high to low within each query, and where those of each begin."""
    above = np.flatnonzero(gain > 0)
    owner = owner[above]
    offsets = np.searchsorted(owner, np.arange(n_queries + 1))
    return ragged.descending(gain[above], owner), offsets


def check_sums(gain: Gain, worth: FloatArray, owner: IntArray, *, named: str = "gain") -> None:
    """Refuse what adds up to infinity for any query."""
    if not np.isfinite(np.bincount(owner, weights=np.abs(worth))).all():
        message = f"{named} {gain}: must add up to finite numbers, got infinity."
        raise MeasureError(message, code="infinite-gain")
