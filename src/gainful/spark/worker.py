"""Code that runs on the workers: Arrow batches in, the values of queries out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gainful.alignment import (
    JUDGMENT_TYPES,
    ZERO,
    ItemRankings,
    Items,
    JoinStats,
    JudgedRankings,
    Rankings,
    Rules,
    RunRow,
    align_hits,
)
from gainful.base import IntArray, ReadOptions, _native
from gainful.errors import GainfulError, SourceError
from gainful.evaluation import AnyPart, align_part, compute_values
from gainful.sources import (
    FORMATS,
    Columns,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Run,
    explain_bad_input,
    index_qrels,
    split_trec,
)
from gainful.spark.task import Outcome, Task, find_version_error, pack_outcome

READ_OPTIONS = ReadOptions(threads=1)  # Spark runs as many workers as there are cores
_KEEP_FIRST = Rules(duplicates="first")  # an item that is listed twice is one
_QRELS_COLUMNS = ("query", "item", "label")
_RUN_COLUMNS = ("query", "item", "score", "rank")
_GROUPS = ("group", "subgroup")
_MAX_SAMPLES = 10  # queries of a partition whose ids are sent to find out why they do not match


def evaluate_partition(batches: Iterator[Any], task: Task) -> Iterator[Any]:
    """Evaluate whole queries, whose rows of qrels and run are all in the batches."""
    return _evaluate(batches, task, _align_rows)


def evaluate_hits(batches: Iterator[Any], task: Task) -> Iterator[Any]:
    """Evaluate queries that Spark has ranked: rows of qrels, of hits, and of queries."""
    return _evaluate(batches, task, _align_hits)


def _evaluate(batches: Iterator[Any], task: Task, align: Any) -> Iterator[Any]:
    first = next(batches, None)
    if first is not None:  # there are partitions without rows
        yield from pack_outcome(_compute_outcome(chain([first], batches), task, align))


def _compute_outcome(batches: Iterator[Any], task: Task, align: Any) -> Outcome:
    if (version_error := find_version_error(task.version)) is not None:
        return Outcome(error=version_error)
    table, large = collect_rows(batches, task.max_query_rows)
    is_run = table.column("is_run")
    qrels, run = table.filter(pc.invert(is_run)), table.filter(is_run)
    outcome = Outcome(large=large)
    try:
        judgments = _read_judgments(qrels, task)
        outcome = replace(outcome, stage=1)
        parts = align(judgments, run, task)
        positions = run.column("position").to_numpy()
        stats = [_keep_addable(part.stats, positions) for part in parts.values()]
        outcome = replace(outcome, stage=2, stats=stats)
        return replace(outcome, **_compute_fields(parts, task))
    except GainfulError as error:
        place = task.run_place if outcome.stage else task.qrels_place
        return replace(outcome, error=_name_source(error, place))


def collect_rows(batches: Iterator[Any], limit: int) -> tuple[Any, tuple[str, ...]]:
    """Return the rows in their order, and the queries with too many rows, which are left out.

    Rows without a query all stay, so that they are an error however many there are.
    """
    tables: list[Any] = []
    large: set[str] = set()
    n_rows, check_at = 0, limit
    for batch in batches:
        tables.append(_drop_queries(_widen_strings(pa.table(batch)), large))
        n_rows += len(tables[-1])
        if n_rows <= check_at:
            continue
        table = pa.concat_tables(tables)
        counts = (
            table.filter(table.column("is_run")).group_by("query").aggregate([([], "count_all")])
        )
        is_large = (pc.field("count_all") > limit) & pc.field("query").is_valid()
        large.update(counts.filter(is_large).column("query").to_pylist())
        tables = [_drop_queries(table, large)]
        n_rows = len(tables[0])
        check_at = max(limit, 2 * n_rows)
    rows = pa.concat_tables(tables)
    return rows.take(np.argsort(rows.column("position").to_numpy(), kind="stable")), tuple(large)


def _widen_strings(table: Any) -> Any:
    """Return the table with text columns that may hold more than 2 GB."""
    fields = [
        part.with_type(pa.large_string()) if part.type == pa.string() else part
        for part in table.schema
    ]
    return table.cast(pa.schema(fields))


def _drop_queries(table: Any, queries: set[str]) -> Any:
    if not queries:
        return table
    listed = pa.array(queries, table.schema.field("query").type)
    return table.filter(pc.invert(pc.is_in(table.column("query"), listed)))


def _name_source(error: GainfulError, place: str) -> GainfulError:
    """Return the error without the number of a row, which counts those of the partition."""
    bad_input = getattr(error, "bad_input", None)
    if bad_input is None:
        return error
    return _explain(bad_input, place)


def _explain(bad_input: Any, place: str) -> SourceError:
    return explain_bad_input(_native.BadInput(*bad_input), place, unit="row", is_numbered=False)


def _check_lines(rows: Any) -> None:
    """Raise the error for a line of text that could not be parsed."""
    if "bad_line" not in rows.column_names:
        return
    for text in rows.column("bad_line").drop_null().to_pylist()[:1]:
        code, _, message = text.partition(" ")
        raise SourceError(message, code=code)


def _read_judgments(qrels: Any, task: Task) -> dict[type[Rankings], Any]:
    """Read the judgments of a partition for every type of rankings; there may be none."""
    _check_lines(qrels)
    # In the order of queries, so that the first of anything is the first by its query.
    qrels = qrels.take(pc.sort_indices(qrels, [("query", "ascending")]))
    return {kind: _read_judgments_for(kind, qrels, task.qrels_rules) for kind in task.ranking_types}


def _read_judgments_for(kind: type[Rankings], qrels: Any, rules: Rules) -> Any:
    judgment_type = JUDGMENT_TYPES[kind]
    table = qrels.select(_QRELS_COLUMNS)
    if judgment_type.judgments is Judgments:
        return index_qrels(table, rules, READ_OPTIONS)
    if not qrels.num_rows:  # the readers refuse empty input, but other workers have judgments
        if judgment_type.judgments is PreferenceJudgments:
            return PreferenceJudgments("preferences", [], [], [], [], np.zeros(0))
        return GroupedJudgments("qrels", [], [], [], np.zeros(0))
    index_qrels(table, _KEEP_FIRST, READ_OPTIONS)  # raises errors that name the rows
    columns = {name: table.column(name).to_pylist() for name in ("query", "item")}
    columns |= {n: qrels.column(n).to_pylist() for n in _GROUPS if n in qrels.column_names}
    if judgment_type.judgments is GroupedJudgments:
        columns = {
            "query": columns["query"],
            "item": columns["item"],
            "subtopic": columns.get("group"),
        }
    labels = [float(label) for label in table.column("label").to_pylist()]
    return judgment_type.read(Columns(**columns, label=labels), rules, READ_OPTIONS)


class _PartitionRun(Run):
    """The rows of a run in one partition, whose name is that of the source in errors."""

    @property
    def place(self) -> str:
        return self.name


def _align_rows(
    judgments: Mapping[type[Rankings], Any], rows: Any, task: Task
) -> dict[type[Rankings], AnyPart]:
    _check_lines(rows)
    table = rows.select([name for name in _RUN_COLUMNS if name in rows.column_names])
    run = _PartitionRun(task.run_place, table, FORMATS["run", "frame"])
    return align_part(judgments, run, task.resolved, task.data, task.rules, READ_OPTIONS)


def _align_hits(
    judgments: Mapping[type[Rankings], Judgments], rows: Any, task: Task
) -> dict[type[Rankings], AnyPart]:
    (qrels,) = judgments.values()
    hits: dict[str, list[tuple[int, int, int, str]]] = {}
    n_rows: dict[str, int] = {}
    for row in rows.to_pylist():
        if row["item"] is None:
            n_rows[row["query"]] = row["n_rows"]
        else:
            place = row["hit_rank"], row["tie_first"], row["tie_size"], row["item"]
            hits.setdefault(row["query"], []).append(place)
    return {JudgedRankings: align_hits(qrels, n_rows, hits, task.rules)}


def _keep_addable(stats: Any, positions: IntArray) -> Any:
    """Return the statistics with places of the whole run, and without what needs names of rows."""
    if not isinstance(stats, JoinStats):
        return replace(stats, joined=_keep_addable(stats.joined, positions))

    def move(row: RunRow) -> RunRow:
        return row._replace(place=int(positions[row.place - 1])) if row.place else row

    rows, judged = stats.rows, stats.judged_row
    return replace(
        stats,
        rows=rows._replace(first=rows.first and move(rows.first)),
        judged_row=judged._replace(first=judged.first and (move(judged.first[0]), judged.first[1])),
        samples=stats.samples[:_MAX_SAMPLES],
        ascending=ZERO,
        contradicted=ZERO,
        infinite=ZERO,
    )


def _compute_fields(parts: Mapping[type[Rankings], AnyPart], task: Task) -> dict[str, Any]:
    """Compute the values, as fields of an outcome."""
    scores = compute_values(parts, task.resolved, task.rules)
    whole = [measure.reads for measure in task.resolved.values() if measure.whole]
    return {
        "queries": scores.queries,
        "values": list(scores.values.T),
        "judged": [scores.judged.get(name) for name in task.resolved],
        "empty": [scores.empty[name] for name in task.resolved if scores.empty],
        "undefined": list(scores.undefined.values()),
        "rankings": {
            kind: _strip(part.ranked)
            for kind, part in parts.items()
            if any(issubclass(kind, reads) for reads in whole)
        },
    }


def _strip(ranked: Any) -> Any:
    """Return rankings without what the driver has, or cannot be sent."""
    if isinstance(ranked, ItemRankings):
        ranked = replace(ranked, items=Items(ranked.items.ids))
    return replace(ranked, read_given_labels=None)


# The columns of lines that are parsed, as text, and why a line cannot be.
_LINE_COLUMNS = {
    "qrels": ("query", "item", "label", "bad_line"),
    "run": ("query", "item", "rank", "score", "bad_line"),
}
_NOT_UTF8 = "has a line that is not UTF-8, and all text on Spark is. Convert it first."


def parse_lines(batches: Iterator[Any], place: str, holds: str) -> Iterator[Any]:
    """Parse the lines of TREC files into columns of text."""
    schema = pa.schema([(name, pa.string()) for name in _LINE_COLUMNS[holds]])
    for batch in batches:
        rows = split_trec(b"".join(line + b"\n" for line in batch.column(0).to_pylist()), holds)
        table, error = pa.table(rows), None
        if rows.bad is not None:
            error = _explain(rows.bad, place)
        try:
            table.validate(full=True)
        except pa.ArrowInvalid:
            table, error = table.slice(0, 0), SourceError(f"{place}: {_NOT_UTF8}", code="not-text")
        table = table.append_column("bad_line", pa.nulls(len(table), pa.string()))
        yield from table.select(schema.names).cast(schema).to_batches()
        if error is not None:
            row = dict.fromkeys(schema.names) | {"bad_line": f"{error.code} {error}"}
            yield pa.RecordBatch.from_pylist([row], schema)
