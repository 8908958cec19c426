"""Counts of partitions, added up on workers, so that the driver gets every hit once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gainful import ragged
from gainful.engines.spark.carried import packed
from gainful.engines.spark.counting.packed_arrays import packed_arrays, unpacked_arrays
from gainful.engines.spark.counting.scored import Odd, put_together
from gainful.engines.spark.counting.sent import ABOUT, COUNTS, row_of
from gainful.ragged import IntArray

_FEW = 10_000  # marks that are all looked at
_SCORED = "scored_"
_OF_HITS = ("ahead", "above_tie", "tie_size")


def added_blobs(batches: Iterator[Any]) -> Iterator[Any]:
    """One row for each bucket, whose blobs are all in the batches; what else is told goes on."""
    sums: dict[str, _Sums] = {}
    marks: dict[str, list[bytes]] = {}
    for bucket, blob in _blobs(batches):
        if bucket == ABOUT:
            yield row_of(bucket, blob)
        elif bucket.startswith(COUNTS):
            sums.setdefault(bucket, _Sums()).add(unpacked_arrays(blob))
        else:
            marks.setdefault(bucket, []).append(blob)
    for bucket, one in sums.items():
        added, odd = one.added()
        yield row_of(bucket, packed_arrays(added))
        yield row_of(ABOUT, packed({"odd": tuple(odd)}))
    for bucket, several in marks.items():
        found = _suspects([unpacked_arrays(blob) for blob in several])
        yield row_of(bucket, packed_arrays(found))


def _blobs(batches: Iterator[Any]) -> Iterator[tuple[str, bytes]]:
    for batch in batches:
        for bucket, blob in zip(*batch.columns, strict=True):
            yield bucket.as_py(), blob.as_py()


class _Sums:
    """What partitions have counted, added up as it comes.

    What their scores are like is put together in the order of partitions, and is kept packed until
    all are there.
    """

    def __init__(self) -> None:
        self._parts: list[Mapping[str, Any]] = []
        self._n_new = 0
        self._scored: list[tuple[int, bytes]] = []

    def add(self, part: Mapping[str, Any]) -> None:
        """Add what a partition has counted."""
        scored = {
            name.removeprefix(_SCORED): array
            for name, array in part.items()
            if name.startswith(_SCORED)
        }
        if scored:
            self._scored.append((int(scored["position"][0]), packed_arrays(scored)))
        self._parts.append(_counts(part))
        self._n_new += _size(part)
        # Adding takes as long as the sums are large: the new ones wait until they are as many.
        if self._n_new >= _size(self._parts[0]):
            self._parts, self._n_new = [_added(self._parts)], 0

    def added(self) -> tuple[dict[str, Any], Odd]:
        """The sums, and what is odd between partitions."""
        found = _added(self._parts)
        if not self._scored:
            return found, Odd()
        scored, odd = _in_order(blob for _, blob in sorted(self._scored))
        return found | {name: scored[name] for name in ("n_rows", "up", "down")}, odd


def _size(part: Mapping[str, Any]) -> int:
    return len(part["query"]) + len(part["tie_size"])


def _counts(part: Mapping[str, Any]) -> dict[str, Any]:
    """What a partition has counted, as sums of one."""
    offsets = np.concatenate([[0], np.cumsum(part["n_hits"])])
    names = ("query", "n_hits", "n_retrieved", "above_tie", "tie_size", "close")
    found = {name: part[name] for name in names}
    return found | {"ahead": _running(part["steps"], offsets)}


def _added(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The sums of sums."""
    queries, first = np.unique(_all(parts, "query"), return_index=True)
    sizes = _all(parts, "n_hits")[first]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    found: dict[str, Any] = {"query": queries, "n_hits": sizes}
    found["n_retrieved"] = np.zeros(len(queries), np.int64)
    found |= {name: np.zeros(offsets[-1], np.int64) for name in _OF_HITS}
    for part in parts:
        at = np.searchsorted(queries, part["query"])
        hits, _ = ragged.take(offsets, at)
        found["n_retrieved"][at] += part["n_retrieved"]
        for name in _OF_HITS:
            found[name][hits] += part[name]
    return found | {"close": np.unique(_all(parts, "close"))}


def _in_order(blobs: Iterator[bytes]) -> tuple[dict[str, Any], Odd]:
    """What scores are like, of partitions in their order, put together one after the other."""
    parts: list[dict[str, Any]] = []
    n_new, odd = 0, Odd()
    for blob in blobs:
        parts.append(unpacked_arrays(blob))
        n_new += len(parts[-1]["query"])
        if n_new >= len(parts[0]["query"]):
            together, between = put_together(parts)
            parts, n_new, odd = [together], 0, odd.plus(between)
    together, between = put_together(parts)
    return together, odd.plus(between)


def _all(parts: Sequence[Mapping[str, Any]], name: str) -> IntArray:
    found: IntArray = np.concatenate([part[name] for part in parts])
    return found


def _running(steps: IntArray, offsets: IntArray) -> IntArray:
    """The running sums of each query's steps."""
    total = np.cumsum(steps)
    before = np.concatenate([[0], total])[offsets[:-1]]
    found: IntArray = total - np.repeat(before, np.diff(offsets))
    return found


def _suspects(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The marks that several partitions have: if they are many, those that are met again first."""
    order = np.argsort([part["place"][0] for part in parts])
    marks = [np.cumsum(parts[i]["steps"], dtype=np.uint64) for i in order]
    part = np.repeat(np.arange(len(marks)), [len(own) for own in marks])
    mark = np.concatenate(marks)
    by_mark = np.argsort(mark, kind="stable")
    mark, part = mark[by_mark], part[by_mark]
    again = np.flatnonzero(mark[1:] == mark[:-1]) + 1
    kept = again
    if len(again) > _FEW:
        kept = again[part[again] <= np.sort(part[again])[_FEW]]
    return {"suspects": np.unique(mark[kept]), "n_left": np.array([len(again) - len(kept)])}
