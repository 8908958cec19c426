"""The choice of gains for unjudged items that makes a share as large as it can be.

By the rearrangement inequality the highest gain belongs to the item of the largest weight. So a
choice is how many items reach each step between gains, fewer from step to step, and both the sum of
a ranking and that of the best one are sums over the steps. Their quotient is maximised by
Dinkelbach's method (On nonlinear fractional programming, Management Science 13(7), 1967): the best
choice for "sum - share x best sum" is found exactly, step by step, and its share is the next one,
until it no longer rises.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.ragged import FloatArray, IntArray
from gainful.unjudged.ideals import Steps

_AT_ONCE = 1 << 19  # numbers in an array
_ROUNDS = 64  # that the search takes at most; it is known to take a few


class Sums(NamedTuple):
    """The sums of rankings, and what each unjudged item of a query would add to them.

    Attributes:
        sum: The sum of each query without its unjudged items.
        offsets: Where each query's unjudged items begin; one more than there are queries.
        weight: What each unjudged item adds to the sum for each unit of gain.
    """

    sum: FloatArray
    offsets: IntArray
    weight: FloatArray

    def __neg__(self) -> "Sums":
        return Sums(-self.sum, self.offsets, -self.weight)


def highest(sums: Sums, gain: FloatArray, steps: Steps | None) -> IntArray:
    """The number of the gain, for each unjudged item, with which the share is the highest.

    Choices with which the best ranking gains nothing are left out, where there are others.

    Args:
        sums: The sums of rankings.
        gain: The different gains, ascending.
        steps: What the best ranking gains; None for sums that are not divided by it.
    """
    owner = ragged.owners(sums.offsets)
    order = _heaviest_first(sums.weight, owner, sums.offsets)
    chosen = np.zeros(len(owner), dtype=np.int64)
    size = np.diff(sums.offsets)
    for queries in _portions(size, len(gain) + 1, steps):
        places, offsets = ragged.take(sums.offsets, queries)
        places = order[places]
        counts = _Search(sums, queries, places, offsets, gain, steps).counts()
        position, query = ragged.positions(offsets) - 1, ragged.owners(offsets)
        chosen[places] = (counts[query] > position[:, np.newaxis]).sum(axis=1)
    return chosen


def _heaviest_first(weight: FloatArray, owner: IntArray, offsets: IntArray) -> IntArray:
    """The places of each query in descending order of weight."""
    apart, step = owner[1:] != owner[:-1], np.diff(weight)
    number = np.arange(len(weight))
    if (apart | (step <= 0)).all():  # as the ranks of one run have it
        return number
    if (apart | (step >= 0)).all():
        return offsets[owner] + offsets[owner + 1] - 1 - number
    return np.lexsort((-weight, owner))


def _portions(size: IntArray, n_steps: int, steps: Steps | None) -> Iterator[IntArray]:
    """Queries that have unjudged items, those with as many together, few enough for memory."""
    queries = np.flatnonzero(size)
    queries = queries[np.argsort(size[queries], kind="stable")]
    width = n_steps + (0 if steps is None else np.diff(steps.offsets)[queries])
    cost = np.cumsum(width * (size[queries] + 1))
    portion = cost // _AT_ONCE
    yield from np.split(queries, np.flatnonzero(np.diff(portion)) + 1) if len(queries) else ()


class _Search:
    """The search for some queries; the arrays have the axes queries, steps, how many reach it."""

    def __init__(
        self,
        sums: Sums,
        queries: IntArray,
        places: IntArray,
        offsets: IntArray,
        gain: FloatArray,
        steps: Steps | None,
    ) -> None:
        self.size = np.diff(offsets)
        widest = int(self.size.max())
        weight = np.zeros((len(queries), widest + 1))
        query, position = ragged.owners(offsets), ragged.positions(offsets)
        weight[query, position] = sums.weight[places]
        running = np.cumsum(weight, axis=1)
        self.fixed = sums.sum[queries] + gain[0] * running[:, -1]
        self.adds = np.diff(gain)[:, np.newaxis] * running[:, np.newaxis, :]
        self.best_adds = np.zeros_like(self.adds)
        self.best_fixed = np.ones(len(queries))
        self.least = np.zeros((len(queries), len(gain) - 1), dtype=np.int64)
        if steps is not None:
            totals = steps.totals(queries, widest)
            rows = np.arange(len(queries))
            self.best_fixed = totals[rows, 0, self.size] + totals[:, -1, 0]
            self.best_adds = totals[:, 1:-1]
            self._forbid_nothing(gain)

    def _forbid_nothing(self, gain: FloatArray) -> None:
        """Where no judged item gains anything, an unjudged one has to."""
        if gain[0] > 0 or gain[-1] <= 0:
            return
        lowest = int(np.searchsorted(gain, 0.0, side="right"))  # the lowest that is above 0
        alone = (self.best_fixed == 0) & (self.best_adds[:, :, 0].sum(axis=1) == 0)
        self.least[alone, :lowest] = 1
        self.adds[alone, lowest - 1, 0] = -np.inf

    def counts(self) -> IntArray:
        """How many unjudged items of each query reach each step in the best choice."""
        found = self.least
        share = self._share(found)
        active = np.arange(len(found))
        for _ in range(_ROUNDS):
            better = self._best(active, share[active])
            theirs = self._share(better, active)
            risen = theirs > share[active]
            active, better, theirs = active[risen], better[risen], theirs[risen]
            if not len(active):
                break
            found[active], share[active] = better, theirs
        return found

    def _share(self, counts: IntArray, queries: IntArray | None = None) -> FloatArray:
        rows = np.arange(len(self.size)) if queries is None else queries
        at = rows[:, np.newaxis], np.arange(counts.shape[1]), counts
        top = self.fixed[rows] + self.adds[at].sum(axis=1)
        bottom = self.best_fixed[rows] + self.best_adds[at].sum(axis=1)
        return ragged.divide(top, bottom, empty=0.0)

    def _best(self, queries: IntArray, share: FloatArray) -> IntArray:
        """The counts with which the sum exceeds a share of the best sum most.

        From the last step to the first: at each, what is best if so many or fewer reach it.
        """
        values = self.adds[queries] - share[:, np.newaxis, np.newaxis] * self.best_adds[queries]
        n_steps, width = values.shape[1:]
        best = np.zeros((len(queries), width))
        choices = np.zeros((n_steps, len(queries), width), dtype=np.int64)
        for step in range(n_steps - 1, -1, -1):
            value = values[:, step] + best
            best = np.maximum.accumulate(value, axis=1)
            new = np.ones(value.shape, dtype=np.bool_)
            new[:, 1:] = value[:, 1:] > best[:, :-1]
            np.maximum.accumulate(np.where(new, np.arange(width), 0), axis=1, out=choices[step])
        rows, limit = np.arange(len(queries)), self.size[queries]
        counts = np.empty((len(queries), n_steps), dtype=np.int64)
        for step in range(n_steps):
            limit = choices[step, rows, limit]
            counts[:, step] = limit
        return counts
