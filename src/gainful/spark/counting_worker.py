"""Counting on workers: how many rows of a partition stand ahead of every judged item."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gainful.alignment import JoinStats, join
from gainful.base import IntArray, ragged
from gainful.evaluation import AnyPart
from gainful.sources import index_qrels, read_run
from gainful.spark.counting_layout import number_ids
from gainful.spark.counting_messages import (
    ABOUT,
    COUNTS,
    MARK,
    MARKS,
    MOVED,
    BroadcastTables,
    Counting,
    Odd,
    Rows,
    Standing,
    close_to,
    deserialize_arrays,
    deserialize_table,
    make_row,
    make_sort_keys,
    merge_scored,
    score_rows,
    serialize_arrays,
)
from gainful.spark.frames import ROW_BITS, select_input_columns
from gainful.spark.serialization import serialize
from gainful.spark.task import NO_ROWS, Task, WorkerError, convert_errors, find_version_fault
from gainful.spark.worker import (
    KEEP_FIRST,
    READING,
    build_result_rows,
    build_summary_row,
    join_rows,
)

if TYPE_CHECKING:
    import pyarrow


def count_rows(batches: Iterator[Any], counting: Counting) -> Iterator[Any]:
    """What a partition adds to ranks, to be added to what others do; then what is odd about it."""
    kept = [batch for batch in batches if batch.num_rows]
    if not kept:
        return
    if (fault := find_version_fault(counting.version)) is not None:
        yield make_row(ABOUT, serialize(fault))
        return
    table, sent = pa.Table.from_batches(kept), BroadcastTables(counting)
    query = number_ids(table.column("query"), sent.queries)
    if (query < 0).any():
        yield make_row(ABOUT, serialize(MOVED))
        return
    yield from _marks(table, counting)
    try:
        found, about = _counted(table, query, sent)
    except WorkerError as error:
        yield make_row(ABOUT, serialize(error.args[0]))
        return
    if found:
        for bucket, arrays in _in_buckets(found, counting.n_buckets):
            yield make_row(f"{COUNTS} {bucket}", serialize_arrays(arrays))
    yield make_row(ABOUT, serialize(about))


def _counted(
    table: "pyarrow.Table", query: IntArray, sent: BroadcastTables
) -> tuple[dict[str, Any], dict[str, Any]]:
    here = np.flatnonzero(np.bincount(query))
    chosen, _ = ragged.take(sent.offsets, here)
    hits = sent.hits.take(pa.array(chosen))
    hit_query = hits.column("number_of_query").to_numpy()
    hits = hits.append_column("query", sent.queries.take(pa.array(hit_query)))
    with convert_errors("run", NO_ROWS):
        judgments = index_qrels(hits.select(["query", "item", "label"]), KEEP_FIRST, READING)
    there = np.flatnonzero(hits.column("position").is_valid().to_numpy())
    hits, hit_query = hits.take(pa.array(there)), hit_query[there]
    table = table.drop_columns([MARK])
    part = _parts(hits) - _parts(table.slice(0, 1))
    own = np.flatnonzero(part == 0)
    sent_rows = make_sort_keys(hits, hit_query, sent.rules)
    rows = make_sort_keys(table, query, sent.rules)
    if not _all_there(hits.column("item"), sent_rows, own, table.column("item"), rows):
        return {}, MOVED
    both = _with_others(table, hits, part)
    with convert_errors("run", both.column("position").to_numpy()):
        alone = join(
            judgments, read_run(select_input_columns(hits, "score")), sent.rules, READING
        ).aligned
        full = join(
            judgments, read_run(select_input_columns(both, "score")), sent.rules, READING
        ).aligned
    if not np.array_equal(full.hit_offsets, alone.hit_offsets):
        return {}, MOVED
    found = {
        "query": here,
        "n_hits": np.diff(full.hit_offsets),
        "ahead": full.hit_rank - alone.hit_rank,
        "tie_first": full.hit_tie_first - alone.hit_tie_first,
        "tie_size": full.hit_tie_size - alone.hit_tie_size,
        "n_retrieved": full.n_retrieved - alone.n_retrieved,
        "close": np.zeros(0, dtype=np.int64),
    }
    odd = Odd()
    if sent.rules.order == "score":
        tallied, odd = score_rows(rows)
        found |= {f"scored_{name}": array for name, array in tallied.items()}
        if full.tally.close.count and sent.rules.unjudged != "condense":
            others = rows.take(~_own(table)) if sent.rules.own_items == "drop" else rows
            close = close_to(sent_rows, others)
            found["close"] = hits.column("position").to_numpy()[close]
    first = table.slice(0, 1)
    about = {
        "n_rows": table.num_rows,
        "n_hits": len(own),
        "first": [first.column(name)[0].as_py() for name in ("position", "query", "item")],
        "odd": tuple(odd),
        "n_duplicates": full.n_duplicates - alone.n_duplicates,
        "n_own": full.n_own - alone.n_own,
    }
    return found, about


def _own(table: "pyarrow.Table") -> Any:
    """Whether an item has the id of its query."""
    return pc.equal(table.column("query"), table.column("item")).to_numpy()


def _parts(table: "pyarrow.Table") -> IntArray:
    """The partition that each row stood in when its position was given."""
    part: IntArray = table.column("position").to_numpy() >> ROW_BITS
    return part


def _all_there(item: Any, hits: Rows, own: IntArray, items: Any, rows: Rows) -> bool:
    """Whether the hits of a partition are among its rows, with the scores and ranks they had.

    Args:
        item: Of each hit.
        hits: All of them.
        own: The numbers of those that are of the partition.
        items: Of each row.
        rows: All of them.
    """
    item = item.take(pa.array(own))
    return bool(np.isin(_keys(item, hits.take(own), item), _keys(items, rows, item)).all())


def _keys(items: Any, rows: Rows, known: Any) -> Any:
    """Numbers that tell rows apart, nearly always, of those whose items are known."""
    number = number_ids(items, known.combine_chunks())
    chosen = np.flatnonzero(number >= 0)
    rows = rows.take(chosen)
    score, rank = ((one + 0.0).view(np.int64) for one in (rows.score, rows.rank))
    with np.errstate(over="ignore"):
        return rows.query * len(known) + number[chosen] + score * _ODD[0] + rank * _ODD[1]


_ODD = 0x1E3779B97F4A7C15, 0x42B2AE3D27D4EB4F  # large ones, so that sums are seldom the same


def _with_others(table: "pyarrow.Table", hits: Any, part: IntArray) -> Any:
    """The rows, and where the others stand: the hits of their queries that are in other parts."""
    hits = hits.select(table.column_names).cast(table.schema)
    before, after = (hits.take(pa.array(np.flatnonzero(one))) for one in (part < 0, part > 0))
    return pa.concat_tables([before, table, after])


def _marks(table: "pyarrow.Table", counting: Counting) -> Iterator[Any]:
    """What tells items apart that stand in several partitions."""
    mark = table.column(MARK).to_numpy().view(np.uint64)
    mark = np.sort(mark & np.uint64((1 << counting.width) - 1))
    mark = mark[np.diff(mark, prepend=~mark[:1]) != 0]
    bucket = mark % np.uint64(counting.n_mark_buckets)
    place = np.array([table.column("position")[0].as_py()])
    for number, own in _parted(bucket):
        steps = np.diff(mark[own], prepend=np.uint64(0))
        yield make_row(f"{MARKS} {number}", serialize_arrays({"place": place, "steps": steps}))


def _in_buckets(found: dict[str, Any], n_buckets: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same for the queries of each bucket."""
    offsets = np.concatenate([[0], np.cumsum(found["n_hits"])])
    # Items ahead of a hit are ahead of the next as well: what is new is a small number.
    ahead = found["ahead"]
    steps = np.diff(ahead, prepend=0)
    begins = offsets[:-1][np.diff(offsets) > 0]
    steps[begins] = ahead[begins]
    of_hits = {
        "steps": steps,
        "above_tie": ahead - found["tie_first"],
        "tie_size": found["tie_size"],
    }
    of_queries = {name: found[name] for name in ("query", "n_hits", "n_retrieved")}
    scored = {name: array for name, array in found.items() if name.startswith("scored_")}
    close = found["close"]
    for bucket, own in _parted(found["query"] % n_buckets):
        chosen, _ = ragged.take(offsets, own)
        arrays = {name: array[own] for name, array in (of_queries | scored).items()}
        arrays |= {name: array[chosen] for name, array in of_hits.items()}
        arrays["close"], close = close, close[:0]  # they are told once
        yield bucket, arrays


def _parted(bucket: Any) -> Iterator[tuple[int, IntArray]]:
    """The buckets that there are, and the places of what is in each, in order.

    >>> [(number, own.tolist()) for number, own in _parted(np.array([4, 0, 4]))]
    [(0, [1]), (4, [0, 2])]
    """
    order = np.argsort(bucket, kind="stable")
    numbers, begins = np.unique(bucket[order], return_index=True)
    if len(numbers):
        yield from zip(numbers.tolist(), np.split(order, begins[1:]), strict=True)


def rank_rows(batches: Iterator[Any], standing: Standing, task: Task) -> Iterator[Any]:
    """The values of the queries of a partition, as ``part_values`` has it.

    A query that does not have all its rows here was elsewhere before, and is not ranked.
    """
    kept = [batch for batch in batches if batch.num_rows]
    if not kept:
        return
    if (fault := find_version_fault(task.version)) is not None:
        yield build_summary_row(serialize(fault), task)
        return
    rows = pa.Table.from_batches(kept)
    qrels = _judged_here(rows, standing)
    if qrels is None:
        yield build_summary_row(serialize(MOVED), task)
        return
    try:
        found = join_rows(qrels, NO_ROWS, rows, task)  # the driver has read them before
    except WorkerError as error:
        yield build_summary_row(serialize(error.args[0]), task)
        return
    found = {kind: _without_strangers(one) for kind, one in found.items()}
    yield from build_result_rows(found, task)


def _judged_here(rows: Any, standing: Standing) -> Any:
    """The judgments of the queries of a partition; None where it does not have all their rows."""
    queries, judged = deserialize_table(standing.queries), deserialize_table(standing.judged)
    ids = queries.column("query").combine_chunks()
    number = number_ids(rows.column("query"), ids)
    n_here = np.bincount(number[number >= 0], minlength=len(ids))
    here = np.flatnonzero(n_here)
    if (n_here[here] != queries.column("n_rows").to_numpy()[here]).any():
        return None
    n_judged = queries.column("n_judged").to_numpy()
    chosen, _ = ragged.take(np.concatenate([[0], np.cumsum(n_judged)]), here)
    names = ids.take(pa.array(np.repeat(here, n_judged[here])))
    return judged.take(pa.array(chosen)).append_column("query", names)


def _without_strangers(one: AnyPart) -> AnyPart:
    # They may stand in several partitions; the driver knows them.
    assert isinstance(one.stats, JoinStats)
    return one._replace(stats=replace(one.stats, strangers=()))


_FEW = 10_000  # marks that are all looked at
_SCORED = "scored_"
_OF_HITS = ("ahead", "above_tie", "tie_size")


def add_blobs(batches: Iterator[Any]) -> Iterator[Any]:
    """One row for each bucket, whose blobs are all in the batches; what else is told goes on."""
    sums: dict[str, _Sums] = {}
    marks: dict[str, list[bytes]] = {}
    for bucket, blob in _blobs(batches):
        if bucket == ABOUT:
            yield make_row(bucket, blob)
        elif bucket.startswith(COUNTS):
            sums.setdefault(bucket, _Sums()).add(deserialize_arrays(blob))
        else:
            marks.setdefault(bucket, []).append(blob)
    for bucket, one in sums.items():
        added, odd = one.added()
        yield make_row(bucket, serialize_arrays(added))
        yield make_row(ABOUT, serialize({"odd": tuple(odd)}))
    for bucket, several in marks.items():
        found = _suspects([deserialize_arrays(blob) for blob in several])
        yield make_row(bucket, serialize_arrays(found))


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
            self._scored.append((int(scored["position"][0]), serialize_arrays(scored)))
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
        parts.append(deserialize_arrays(blob))
        n_new += len(parts[-1]["query"])
        if n_new >= len(parts[0]["query"]):
            together, between = merge_scored(parts)
            parts, n_new, odd = [together], 0, odd.plus(between)
    together, between = merge_scored(parts)
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
