"""What runs on the workers: Arrow batches in, values of queries out."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gainful import ragged
from gainful.engines.spark.averages import summed
from gainful.engines.spark.carried import packed
from gainful.engines.spark.faults import NO_ROWS, WorkerError, faulty, other_version
from gainful.engines.spark.frames import QRELS_FIRST
from gainful.engines.spark.sent_rankings import pieces
from gainful.engines.spark.table_rows import READING, judgments_of, named
from gainful.engines.spark.task import Task
from gainful.facts import moved
from gainful.parts import Joint, Part, aligned, valued
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import Rankings
from gainful.sources import read_run

_AT_ONCE = 100_000  # rows of a batch
_LARGE = 1 << 31  # bytes that ids may take together in one array, unless its type is a large one


def part_values(batches: Iterator[Any], task: Task) -> Iterator[Any]:
    """The values of whole queries, whose rows, of qrels and run, are all in the batches.

    After them come rows without a query: the rankings that measures of whole runs read, and last
    what is known of all queries.
    """
    if (fault := other_version(task.version)) is not None:
        yield about_row(packed(fault), task)
        return
    try:
        table = in_order(_not_too_large(batches, task.largest))
        if table is None:
            return
        found = _joined(table, task)
    except WorkerError as error:
        yield about_row(packed(error.args[0]), task)
        return
    yield from part_rows(found, task)


def part_rows(found: Mapping[type[Rankings], Joint], task: Task) -> Iterator[Any]:
    """The rows that a worker returns for what it has joined.

    Args:
        found: Rankings and facts of every kind; facts name rows by their positions.
        task: What is to be worked out.
    """
    about: dict[str, Any] = {"facts": [one.facts for one in found.values()]}
    try:
        with faulty("run", NO_ROWS):
            part = valued(found, task.settled, task.rules)
    except WorkerError as error:
        yield about_row(packed(about | error.args[0]), task)
        return
    yield from _rows(part, task)
    for kind in task.whole_kinds:
        yield from (about_row(piece, task) for piece in pieces(found[kind].ranked))
    yield about_row(packed(about | _about(part, task)), task)


def _not_too_large(batches: Iterator[Any], largest: int | None) -> Iterator[Any]:
    """The batches, until a query has more rows than a worker takes: then it says so."""
    queries: list[Any] = []
    n_rows, enough = 0, largest
    for batch in batches:
        yield batch
        n_rows += batch.num_rows
        if enough is None or largest is None:
            continue
        queries.append(batch.column("query"))
        if n_rows > enough:
            counts = pc.value_counts(pa.chunked_array(queries))
            if pc.max(counts.field("counts")).as_py() > largest:
                raise WorkerError({"too_large": True})
            enough = n_rows + largest


def in_order(batches: Iterator[Any]) -> Any:
    """The rows in the order of their positions; None if there are none."""
    kept = [batch for batch in batches if batch.num_rows]
    if not kept:
        return None
    table = pa.Table.from_batches(kept)
    if table.nbytes >= _LARGE:
        table = table.cast(pa.schema([_of_any_size(field) for field in table.schema]))
    position = table.column("position").to_numpy()
    # What comes from one partition stands in order, and together.
    starts = np.concatenate([[0], np.flatnonzero(np.diff(position) < 0) + 1])
    ends = np.append(starts[1:], len(position))
    order = np.argsort(position[starts])
    if (position[ends[order][:-1] - 1] > position[starts[order][1:]]).any():
        return table.take(pa.array(np.argsort(position, kind="stable")))
    return pa.concat_tables([table.slice(starts[i], ends[i] - starts[i]) for i in order])


def _of_any_size(field: Any) -> Any:
    return field.with_type(pa.large_string()) if field.type == pa.string() else field


def _joined(table: Any, task: Task) -> dict[type[Rankings], Joint]:
    position = table.column("position").to_numpy()
    n_qrels = int(np.searchsorted(position, 0))
    qrels, rows = table.slice(0, n_qrels), table.slice(n_qrels)
    # In the order of queries, so that the first of anything is the first by its query.
    qrels = qrels.take(pc.sort_indices(qrels, [("query", "ascending")]))
    if not task.scored:  # the column is that of labels
        rows = rows.drop_columns(["number"])
    return joined(qrels, qrels.column("position").to_numpy() - QRELS_FIRST, rows, task)


def joined(qrels: Any, places: IntArray, rows: Any, task: Task) -> dict[type[Rankings], Joint]:
    """Rankings and facts of every kind; facts name rows by their positions.

    Args:
        qrels: Rows of the judgments, in the order of queries.
        places: Their positions.
        rows: Rows of the run, in the order of their positions.
        task: What is to be worked out.
    """
    with faulty("qrels", places):
        judgments = {kind: judgments_of(kind, qrels, task.judged_by) for kind in task.kinds}
    position = rows.column("position").to_numpy()
    with faulty("run", position):
        run = read_run(named(rows, "score"))
        found = aligned(judgments, run, task.settled, task.data, task.rules, READING)
    return {kind: one._replace(facts=moved(one.facts, position)) for kind, one in found.items()}


def _about(part: Part, task: Task) -> dict[str, Any]:
    """What the driver has to know of the values."""
    lacks = list(dict.fromkeys(part.lacking.values()))  # many measures lack the same queries
    average = [its.average for its in task.settled.values()]
    return {
        "lacking": lacks,
        "lacking_of": [lacks.index(one) for one in part.lacking.values()],
        "sums": [summed(how, part.values[:, i]) for i, how in enumerate(average)],
        "judged": [summed("mean", share) for share in _shares(part, task)],
        "n_queries": len(part.queries),
    }


def _shares(part: Part, task: Task) -> list[FloatArray]:
    """Judged@k for every cutoff of the task."""
    of_cutoff = {task.cutoff_of(one): share for one, share in part.judged.items()}
    return [of_cutoff[cutoff] for cutoff in task.cutoffs]


def _rows(part: Part, task: Task) -> Iterator[Any]:
    """The values of queries, as ``Task.schema`` has it."""
    n_queries = len(part.queries)
    columns: dict[str, Any] = {"query": pa.array(part.queries, pa.string())}
    columns |= {f"v{i}": pa.array(part.values[:, i]) for i in range(len(task.settled))}
    columns |= {f"j{i}": pa.array(share) for i, share in enumerate(_shares(part, task))}
    if task.rules.empty_weight is not None:
        columns |= {f"e{i}": pa.array(part.empty[one]) for i, one in enumerate(task.settled)}
    columns["about"] = pa.nulls(n_queries, pa.binary())
    yield from pa.table(columns).to_batches(_AT_ONCE)


def rounded(batches: Iterator[Any], decimals: int) -> Iterator[Any]:
    """Rows of queries, their values as ``Rules.decimals`` shows them."""
    for batch in batches:
        columns = {name: batch.column(name) for name in batch.schema.names}
        values = {name: column.to_numpy() for name, column in columns.items() if name[0] == "v"}
        shown = {name: pa.array(ragged.rounded(one, decimals)) for name, one in values.items()}
        yield pa.record_batch(columns | shown)


def about_row(about: bytes, task: Task) -> Any:
    """A row that has no query."""
    columns = {name: pa.nulls(1, _TYPES[kind]) for name, kind in task.columns.items()}
    columns["about"] = pa.array([about], pa.binary())
    return pa.record_batch(columns)


_TYPES = {
    "string": pa.string(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "binary": pa.binary(),
}
