"""Counting on workers: how many rows of a partition stand ahead of every judged item."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gainful import ragged
from gainful.align import join
from gainful.engines.spark.carried import packed
from gainful.engines.spark.counting.close_scores import close_to
from gainful.engines.spark.counting.packed_arrays import packed_arrays
from gainful.engines.spark.counting.scored import Odd, Rows, scored
from gainful.engines.spark.counting.sent import (
    ABOUT,
    COUNTS,
    MARK,
    MARKS,
    MOVED,
    Counting,
    Sent,
    row_of,
    rows_of,
)
from gainful.engines.spark.counting.stand import numbers_of
from gainful.engines.spark.faults import NO_ROWS, WorkerError, faulty, other_version
from gainful.engines.spark.frames import PER_PARTITION
from gainful.engines.spark.table_rows import FIRST, READING, named
from gainful.ragged import IntArray
from gainful.sources import index_qrels, read_run


def counted_rows(batches: Iterator[Any], counting: Counting) -> Iterator[Any]:
    """What a partition adds to ranks, to be added to what others do; then what is odd about it."""
    kept = [batch for batch in batches if batch.num_rows]
    if not kept:
        return
    if (fault := other_version(counting.version)) is not None:
        yield row_of(ABOUT, packed(fault))
        return
    table, sent = pa.Table.from_batches(kept), Sent(counting)
    query = numbers_of(table.column("query"), sent.queries)
    if (query < 0).any():
        yield row_of(ABOUT, packed(MOVED))
        return
    yield from _marks(table, counting)
    try:
        found, about = _counted(table, query, sent)
    except WorkerError as error:
        yield row_of(ABOUT, packed(error.args[0]))
        return
    if found:
        for bucket, arrays in _in_buckets(found, counting.n_buckets):
            yield row_of(f"{COUNTS} {bucket}", packed_arrays(arrays))
    yield row_of(ABOUT, packed(about))


def _counted(table: Any, query: IntArray, sent: Sent) -> tuple[dict[str, Any], dict[str, Any]]:
    here = np.flatnonzero(np.bincount(query))
    chosen, _ = ragged.take(sent.offsets, here)
    hits = sent.hits.take(pa.array(chosen))
    hit_query = hits.column("number_of_query").to_numpy()
    hits = hits.append_column("query", sent.queries.take(pa.array(hit_query)))
    with faulty("run", NO_ROWS):
        judgments = index_qrels(hits.select(["query", "item", "label"]), FIRST, READING)
    there = np.flatnonzero(hits.column("position").is_valid().to_numpy())
    hits, hit_query = hits.take(pa.array(there)), hit_query[there]
    table = table.drop_columns([MARK])
    part = _parts(hits) - _parts(table.slice(0, 1))
    own = np.flatnonzero(part == 0)
    sent_rows = rows_of(hits, hit_query, sent.rules)
    rows = rows_of(table, query, sent.rules)
    if not _all_there(hits.column("item"), sent_rows, own, table.column("item"), rows):
        return {}, MOVED
    both = _with_others(table, hits, part)
    with faulty("run", both.column("position").to_numpy()):
        alone = join(judgments, read_run(named(hits, "score")), sent.rules, READING).aligned
        full = join(judgments, read_run(named(both, "score")), sent.rules, READING).aligned
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
        tallied, odd = scored(rows)
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


def _own(table: Any) -> Any:
    """Whether an item has the id of its query."""
    return pc.equal(table.column("query"), table.column("item")).to_numpy()


def _parts(table: Any) -> IntArray:
    """The partition that each row stood in when its position was given."""
    part: IntArray = table.column("position").to_numpy() >> PER_PARTITION
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
    number = numbers_of(items, known.combine_chunks())
    chosen = np.flatnonzero(number >= 0)
    rows = rows.take(chosen)
    score, rank = ((one + 0.0).view(np.int64) for one in (rows.score, rows.rank))
    with np.errstate(over="ignore"):
        return rows.query * len(known) + number[chosen] + score * _ODD[0] + rank * _ODD[1]


_ODD = 0x1E3779B97F4A7C15, 0x42B2AE3D27D4EB4F  # large ones, so that sums are seldom the same


def _with_others(table: Any, hits: Any, part: IntArray) -> Any:
    """The rows, and where the others stand: the hits of their queries that are in other parts."""
    hits = hits.select(table.column_names).cast(table.schema)
    before, after = (hits.take(pa.array(np.flatnonzero(one))) for one in (part < 0, part > 0))
    return pa.concat_tables([before, table, after])


def _marks(table: Any, counting: Counting) -> Iterator[Any]:
    """What tells items apart that stand in several partitions."""
    mark = table.column(MARK).to_numpy().view(np.uint64)
    mark = np.sort(mark & np.uint64((1 << counting.width) - 1))
    mark = mark[np.diff(mark, prepend=~mark[:1]) != 0]
    bucket = mark % np.uint64(counting.n_mark_buckets)
    place = np.array([table.column("position")[0].as_py()])
    for number, own in _parted(bucket):
        steps = np.diff(mark[own], prepend=np.uint64(0))
        yield row_of(f"{MARKS} {number}", packed_arrays({"place": place, "steps": steps}))


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
