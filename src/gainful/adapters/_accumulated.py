"""Labels and scores that come in batches, from one process or many, and the queries they make."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from gainful.adapters._tensors import ordered, taken
from gainful.errors import SourceError
from gainful.ragged import FloatArray, IntArray, owners, sums


class Batch(NamedTuple):
    """What one update brought: a query, a score and a label for every item."""

    rank: int
    query: IntArray
    score: Any
    label: Any


class Queries(NamedTuple):
    """The items of all batches, those of a query together, queries in the order of their number."""

    number: IntArray
    label: FloatArray
    score: FloatArray
    offsets: IntArray

    @property
    def owner(self) -> IntArray:
        """The query, from 0, that each item belongs to."""
        return owners(self.offsets)

    @property
    def longest(self) -> int:
        """How many items the query with the most of them has."""
        return int(np.diff(self.offsets).max(initial=1))

    @property
    def total(self) -> FloatArray:
        """The sum of the labels of each query."""
        return sums(self.label, self.owner, len(self.number))


def batch(preds: Any, target: Any, indexes: Any, *, rank: int, ignore: float | None) -> Batch:
    """A copy of what was given, so that the arrays may be used again.

    Items whose label is ``ignore`` are left out.
    """
    if indexes is None:
        message = "indexes: must say which query each item belongs to, got None."
        raise SourceError(message, code="bad-groups")
    score, label, query = taken(preds, "preds"), taken(target, "target"), taken(indexes, "indexes")
    if not score.shape == label.shape == query.shape:
        shapes = f"{score.shape}, {label.shape} and {query.shape}"
        message = f"preds, target and indexes: must have the same shape, got {shapes}."
        raise SourceError(message, code="unequal-lengths")
    if query.size and query.dtype.kind not in "iu":
        message = f"indexes: must be integers, got {query.dtype}."
        raise SourceError(message, code="bad-groups")
    query, score, label = query.astype(np.int64).ravel(), score.ravel(), label.ravel()
    kept = slice(None) if ignore is None else label != ignore
    # Chosen by a slice, an array shares the memory of the tensor, which the caller may fill anew.
    score, label = np.array(score[kept]), np.array(label[kept])
    return Batch(rank, query[kept], ordered(score, "preds"), _finite(label))


def queries(batches: Iterable[Batch]) -> Queries:
    """All batches as queries.

    The items of a query stand in the order of the ranks of processes, then in that of updates:
    who merges first makes no difference.
    """
    parts = sorted(batches, key=lambda part: part.rank)
    number = np.concatenate([part.query for part in parts])
    order = np.argsort(number, kind="stable")
    numbers, sizes = np.unique(number, return_counts=True)
    return Queries(
        number=numbers,
        label=_joined([part.label for part in parts])[order],
        score=_joined([part.score for part in parts])[order],
        offsets=_offsets(sizes),
    )


def first_ranks(given: Queries, cutoff: int) -> Queries:
    """The same, with no more than the best items of every query."""
    owner = given.owner
    order = np.lexsort((-given.score, owner))  # stable: ties stay in their order
    rank = np.arange(len(owner)) - given.offsets[owner]
    kept = order[rank < cutoff]
    offsets = _offsets(np.minimum(np.diff(given.offsets), cutoff))
    return Queries(given.number, given.label[kept], given.score[kept], offsets)


def _offsets(sizes: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _joined(parts: list[Any]) -> FloatArray:
    return np.concatenate(parts).astype(np.float64)


def _finite(label: Any) -> Any:
    bad = ~np.isfinite(label)
    if bad.any():
        place = int(bad.argmax())
        message = f"target: must be finite numbers, got {label[place]} at position {place}."
        raise SourceError(message, code="not-numbers")
    return label
