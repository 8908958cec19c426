"""Code that runs on the workers: Arrow batches in, values of queries out."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gainful.alignment import JUDGMENT_TYPES, Rankings, Rules, move_rows
from gainful.base import FloatArray, IntArray, ReadOptions, ragged
from gainful.evaluation import AnyPart, PartialScores, align_part, compute_values
from gainful.sources import (
    Columns,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    index_qrels,
    read_run,
)
from gainful.spark.input_rows import QRELS_OFFSET, select_input_columns
from gainful.spark.serialization import serialize, serialize_in_pieces
from gainful.spark.task import (
    NO_ROWS,
    Task,
    WorkerError,
    convert_errors,
    find_version_error,
    sum_values,
)

READ_OPTIONS = ReadOptions(threads=1)  # Spark runs as many workers as there are cores
KEEP_FIRST = Rules(duplicates="first")  # an item that is listed twice is one

if TYPE_CHECKING:
    import pyarrow


def read_partition_judgments(kind: type[Rankings], qrels: Any, rules: Rules) -> Any:
    """Read the judgments of a partition for a type of rankings; there may be none."""
    judgment_class = JUDGMENT_TYPES[kind].judgments
    if judgment_class is Judgments:
        return index_qrels(select_input_columns(qrels, "label"), rules, READ_OPTIONS)
    if not qrels.num_rows:
        return _make_empty_judgments(judgment_class)
    # Raises errors that name the rows.
    index_qrels(select_input_columns(qrels, "label"), KEEP_FIRST, READ_OPTIONS)
    return JUDGMENT_TYPES[kind].read(_convert_columns(qrels, judgment_class), rules, READ_OPTIONS)


def _convert_columns(qrels: Any, judgment_class: type) -> Columns:
    present = [name for name in _GROUPS if name in qrels.column_names]
    groups = {name: qrels.column(name).to_pylist() for name in present}
    if judgment_class is GroupedJudgments:
        groups = {"subtopic": groups.get("group")}
    query, item = (qrels.column(name).to_pylist() for name in ("query", "item"))
    return Columns(query=query, item=item, label=qrels.column("number").to_numpy(), **groups)


def _make_empty_judgments(judgment_class: type) -> Any:
    # The readers refuse empty input, but other workers have judgments.
    if judgment_class is PreferenceJudgments:
        return PreferenceJudgments("preferences", [], [], [], [], np.zeros(0))
    return GroupedJudgments("qrels", [], [], [], np.zeros(0))


_GROUPS = ("group", "subgroup")


_BATCH_ROWS = 100_000  # rows of a batch
_MAX_STRING_BYTES = 1 << 31  # of all ids in one array, unless it is of a large type


def evaluate_partition(batches: Iterator[Any], task: Task) -> Iterator[Any]:
    """Evaluate whole queries, whose rows of qrels and run are all in the batches.

    Yields the values of queries, then rows without a query: the rankings that measures of whole
    runs read, and last the summary of the partition.
    """
    if (worker_error := find_version_error(task.version)) is not None:
        yield build_summary_row(serialize(worker_error), task)
        return
    try:
        table = sort_by_position(batches)
        if table is None:
            return
        parts = _join_partition(table, task)
    except WorkerError as error:
        yield build_summary_row(serialize(error.args[0]), task)
        return
    yield from build_result_rows(parts, task)


def build_result_rows(parts: Mapping[type[Rankings], AnyPart], task: Task) -> Iterator[Any]:
    """Build the rows that a worker returns.

    Args:
        parts: Rankings and join statistics by type; statistics name rows by their positions.
        task: What to compute.
    """
    summary: dict[str, Any] = {"join_stats": [part.stats for part in parts.values()]}
    try:
        with convert_errors("run", NO_ROWS):
            scores = compute_values(parts, task.resolved, task.rules)
    except WorkerError as error:
        yield build_summary_row(serialize(summary | error.args[0]), task)
        return
    yield from _build_value_rows(scores, task)
    for ranking_type in task.whole_run_types:
        pieces = serialize_in_pieces(parts[ranking_type].ranked)
        yield from (build_summary_row(piece, task) for piece in pieces)
    yield build_summary_row(serialize(summary | _summarize(scores, task)), task)


def sort_by_position(batches: Iterator[Any]) -> Any:
    """Return the rows in the order of their positions; None if there are none."""
    filled = [batch for batch in batches if batch.num_rows]
    if not filled:
        return None
    table = pa.Table.from_batches(filled)
    if table.nbytes >= _MAX_STRING_BYTES:
        table = table.cast(pa.schema([_widen_strings(field) for field in table.schema]))
    position = table.column("position").to_numpy()
    # Rows of one partition are adjacent and in order.
    starts = np.concatenate([[0], np.flatnonzero(np.diff(position) < 0) + 1])
    ends = np.append(starts[1:], len(position))
    order = np.argsort(position[starts])
    if (position[ends[order][:-1] - 1] > position[starts[order][1:]]).any():
        return table.take(pa.array(np.argsort(position, kind="stable")))
    return pa.concat_tables([table.slice(starts[i], ends[i] - starts[i]) for i in order])


def _widen_strings(field: Any) -> Any:
    return field.with_type(pa.large_string()) if field.type == pa.string() else field


def _join_partition(table: "pyarrow.Table", task: Task) -> dict[type[Rankings], AnyPart]:
    position = table.column("position").to_numpy()
    n_qrels = int(np.searchsorted(position, 0))
    qrels, rows = table.slice(0, n_qrels), table.slice(n_qrels)
    # In the order of queries, so that the first of anything is the first by its query.
    qrels = qrels.take(pc.sort_indices(qrels, [("query", "ascending")]))
    if not task.has_scores:  # the column holds labels
        rows = rows.drop_columns(["number"])
    return join_rows(qrels, qrels.column("position").to_numpy() - QRELS_OFFSET, rows, task)


def join_rows(
    qrels: Any, positions: IntArray, rows: Any, task: Task
) -> dict[type[Rankings], AnyPart]:
    """Return rankings and join statistics by type; statistics name rows by their positions.

    Args:
        qrels: Rows of the judgments, in the order of queries.
        positions: Their positions.
        rows: Rows of the run, in the order of their positions.
        task: What to compute.
    """
    with convert_errors("qrels", positions):
        judgments = {
            ranking_type: read_partition_judgments(ranking_type, qrels, task.rules_of_qrels)
            for ranking_type in task.ranking_types
        }
    position = rows.column("position").to_numpy()
    with convert_errors("run", position):
        run = read_run(select_input_columns(rows, "score"))
        parts = align_part(judgments, run, task.resolved, task.data, task.rules, READ_OPTIONS)
    return {
        kind: part._replace(stats=move_rows(part.stats, position)) for kind, part in parts.items()
    }


def _summarize(scores: PartialScores, task: Task) -> dict[str, Any]:
    """Summarize the values for the driver."""
    undefined = list(
        dict.fromkeys(scores.undefined.values())
    )  # many measures lack the same queries
    averages = [measure.average for measure in task.resolved.values()]
    return {
        "undefined": undefined,
        "undefined_of": [undefined.index(queries) for queries in scores.undefined.values()],
        "sums": [sum_values(average, scores.values[:, i]) for i, average in enumerate(averages)],
        "judged": [sum_values("mean", share) for share in _list_judged_shares(scores, task)],
        "n_queries": len(scores.queries),
    }


def _list_judged_shares(scores: PartialScores, task: Task) -> list[FloatArray]:
    """List Judged@k for every cutoff of the task."""
    shares = {task.get_cutoff(measure): share for measure, share in scores.judged.items()}
    return [shares[cutoff] for cutoff in task.cutoffs]


def _build_value_rows(scores: PartialScores, task: Task) -> Iterator[Any]:
    """Build the rows of queries in the columns of ``Task.columns``."""
    n_queries = len(scores.queries)
    columns: dict[str, Any] = {"query": pa.array(scores.queries, pa.string())}
    columns |= {f"v{i}": pa.array(scores.values[:, i]) for i in range(len(task.resolved))}
    columns |= {
        f"j{i}": pa.array(share) for i, share in enumerate(_list_judged_shares(scores, task))
    }
    if task.rules.empty_weight is not None:
        columns |= {f"e{i}": pa.array(scores.empty[m]) for i, m in enumerate(task.resolved)}
    columns["summary"] = pa.nulls(n_queries, pa.binary())
    yield from pa.table(columns).to_batches(_BATCH_ROWS)


def round_values(batches: Iterator[Any], decimals: int) -> Iterator[Any]:
    """Round the values of queries to a number of decimals."""
    for batch in batches:
        columns = {name: batch.column(name) for name in batch.schema.names}
        values = {name: column.to_numpy() for name, column in columns.items() if name[0] == "v"}
        rounded = {
            name: pa.array(ragged.round_to_decimals(v, decimals)) for name, v in values.items()
        }
        yield pa.record_batch(columns | rounded)


def build_summary_row(summary: bytes, task: Task) -> Any:
    """Build a row without a query that holds a summary."""
    columns = {name: pa.nulls(1, _TYPES[type_name]) for name, type_name in task.columns.items()}
    columns["summary"] = pa.array([summary], pa.binary())
    return pa.record_batch(columns)


_TYPES = {
    "string": pa.string(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "binary": pa.binary(),
}
