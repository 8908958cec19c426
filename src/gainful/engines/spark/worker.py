"""What runs on the workers: Arrow batches in, values of queries out."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gainful import ragged
from gainful.engines.spark.carried import packed
from gainful.engines.spark.faults import WorkerError, faulty
from gainful.engines.spark.frames import QRELS_FIRST
from gainful.engines.spark.task import Task
from gainful.facts import moved
from gainful.kinds import KINDS
from gainful.parts import Part, aligned, valued
from gainful.ragged import FloatArray
from gainful.rankings import Rankings
from gainful.sources import Judgments, Reading, index_qrels, read_run

_READING = Reading(threads=1)  # Spark runs as many workers as there are cores
_AT_ONCE = 100_000  # rows of a batch


def part_values(batches: Iterator[Any], task: Task) -> Iterator[Any]:
    """The values of whole queries, whose rows, of qrels and run, are all in the batches.

    After them comes a row without a query that tells what is known of all of them.
    """
    table = in_order(batches)
    if table is None:
        return
    try:
        part, about = _worked_out(table, task)
    except WorkerError as error:
        yield _row(error.args[0], task)
        return
    yield from _rows(part, task)
    yield _row(about, task)


def in_order(batches: Iterator[Any]) -> Any:
    """The rows in the order of their positions; None if there are none."""
    kept = [batch for batch in batches if batch.num_rows]
    if not kept:
        return None
    table = pa.Table.from_batches(kept)
    position = table.column("position").to_numpy()
    # What comes from one partition stands in order, and together.
    starts = np.concatenate([[0], np.flatnonzero(np.diff(position) < 0) + 1])
    ends = np.append(starts[1:], len(position))
    order = np.argsort(position[starts])
    if (position[ends[order][:-1] - 1] > position[starts[order][1:]]).any():
        return table.take(pa.array(np.argsort(position, kind="stable")))
    return pa.concat_tables([table.slice(starts[i], ends[i] - starts[i]) for i in order])


def _worked_out(table: Any, task: Task) -> tuple[Part, dict[str, Any]]:
    position = table.column("position").to_numpy()
    n_qrels = int(np.searchsorted(position, 0))
    qrels, rows = table.slice(0, n_qrels), table.slice(n_qrels)
    # In the order of queries, so that the first of anything is the first by its query.
    qrels = qrels.take(pc.sort_indices(qrels, [("query", "ascending")]))
    with faulty("qrels", qrels.column("position").to_numpy() - QRELS_FIRST):
        judgments = {kind: _judgments(kind, qrels, task) for kind in task.kinds}
    places = position[n_qrels:]
    with faulty("run", places):
        run = read_run(_named(rows, "score"))
        found = aligned(judgments, run, task.settled, task.data, task.rules, _READING)
        part = valued(found, task.settled, task.rules)
    about = {
        "facts": [moved(one.facts, places) for one in found.values()],
        "lacking": list(part.lacking.values()),
        "sums": [_sum(part.values[:, i]) for i in range(part.values.shape[1])],
        "n_queries": len(part.queries),
    }
    return part, about


def _judgments(kind: type[Rankings], qrels: Any, task: Task) -> Any:
    if KINDS[kind].judgments is Judgments:
        return index_qrels(_named(qrels, "label"), task.rules, _READING)
    return KINDS[kind].read(_named(qrels, "label"), task.rules, _READING)


def _named(table: Any, number: str) -> Any:
    """The columns that are read, under the names that they are known by."""
    names = {"query": "query", "item": "item", "number": number, "rank": "rank"}
    kept = [name for name in names if name in table.column_names]
    if number == "label":
        kept = [name for name in kept if name != "rank"]
    return table.select(kept).rename_columns([names[name] for name in kept])


def _sum(values: FloatArray) -> tuple[int, tuple[float, ...]]:
    """How many queries have a value, and a few numbers that add up to all of them."""
    defined = values[~np.isnan(values)]
    return len(defined), ragged.exact_terms(defined)


def _rows(part: Part, task: Task) -> Iterator[Any]:
    """The values of queries, as ``Task.schema`` has it."""
    n_queries = len(part.queries)
    columns: dict[str, Any] = {"query": pa.array(part.queries, pa.string())}
    columns |= {f"v{i}": pa.array(part.values[:, i]) for i in range(len(task.settled))}
    shares = {task.cutoff_of(one): share for one, share in part.judged.items()}
    columns |= {f"j{i}": pa.array(shares[cutoff]) for i, cutoff in enumerate(task.cutoffs)}
    if task.rules.empty_weight is not None:
        columns |= {f"e{i}": pa.array(part.empty[one]) for i, one in enumerate(task.settled)}
    columns["about"] = pa.nulls(n_queries, pa.binary())
    yield from pa.table(columns).to_batches(_AT_ONCE)


def _row(about: dict[str, Any], task: Task) -> Any:
    """The row that has no query."""
    columns = {name: pa.nulls(1, _TYPES[kind]) for name, kind in task.columns.items()}
    columns["about"] = pa.array([packed(about)], pa.binary())
    return pa.record_batch(columns)


_TYPES = {
    "string": pa.string(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "binary": pa.binary(),
}
