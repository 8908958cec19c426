"""Counts of partitions, added up on workers, so that the driver gets every hit once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from gainful import ragged
from gainful.engines.spark.carried import packed
from gainful.engines.spark.counting.packed_arrays import packed_arrays, unpacked_arrays
from gainful.engines.spark.counting.scored import Odd, put_together
from gainful.engines.spark.counting.sent import ABOUT, COUNTS
from gainful.ragged import IntArray

_FEW = 10_000  # marks that are all looked at


def added_blobs(batches: Iterator[Any]) -> Iterator[Any]:
    """One row for each bucket, whose blobs are all in the batches; what else is told goes on."""
    blobs: dict[str, list[bytes]] = {}
    for batch in batches:
        for bucket, blob in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            blobs.setdefault(bucket, []).append(blob)
    for bucket, several in blobs.items():
        if bucket == ABOUT:
            for blob in several:
                yield _row(bucket, blob)
            continue
        arrays = [unpacked_arrays(blob) for blob in several]
        if bucket.startswith(COUNTS):
            added, odd = _added(arrays)
            yield _row(bucket, packed_arrays(added))
            yield _row(ABOUT, packed({"odd": tuple(odd)}))
        else:
            yield _row(bucket, packed_arrays(_suspects(arrays)))


def _added(parts: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], Odd]:
    """The sums of what partitions have counted."""
    queries, first = np.unique(_all(parts, "query"), return_index=True)
    sizes = _all(parts, "n_hits")[first]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    found: dict[str, Any] = {"query": queries, "n_hits": sizes}
    found["n_retrieved"] = np.zeros(len(queries), dtype=np.int64)
    found |= {name: np.zeros(offsets[-1], np.int64) for name in ("ahead", "above_tie", "tie_size")}
    for part in parts:
        at = np.searchsorted(queries, part["query"])
        hits, own = ragged.take(offsets, at)
        found["n_retrieved"][at] += part["n_retrieved"]
        found["ahead"][hits] += _running(part["steps"], own)
        for name in ("above_tie", "tie_size"):
            found[name][hits] += part[name]
    found["close"] = np.unique(_all(parts, "close"))
    names = [name for name in parts[0] if name.startswith("scored_")]
    if not names:
        return found, Odd()
    plain = [{name.removeprefix("scored_"): part[name] for name in names} for part in parts]
    scored, odd = put_together(plain)
    found |= {name: scored[name] for name in ("n_rows", "up", "down")}
    return found, odd


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


def _row(bucket: str, blob: bytes) -> Any:
    return pa.record_batch({"bucket": pa.array([bucket]), "blob": pa.array([blob], pa.binary())})
