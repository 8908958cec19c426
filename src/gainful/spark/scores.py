"""SparkScores: Scores whose values stay on Spark until they are asked for."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urlsplit

import numpy as np

from gainful.base import (
    BoolArray,
    FloatArray,
    IntArray,
    cached_property,
    check_choice,
    format_count,
    get_file_extension,
)
from gainful.errors import OutputError, SparkError
from gainful.evaluation import Scores
from gainful.measures import Measure
from gainful.report import SHAPES, TIDY_COLUMNS
from gainful.spark.failures import ROWS_CHANGED, ignore_stopped_session, translate_errors
from gainful.spark.inputs import find_table
from gainful.spark.session import is_local, override_settings
from gainful.spark.task import ERROR_CONDITION, Task, average_sums, sum_values

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession


@dataclass(frozen=True, eq=False, repr=False)
class CachedValues:
    """The values of a run, which Spark keeps.

    Attributes:
        rows: One row per query in the columns of ``Task.columns``; other rows have no query.
        task: What was computed.
        n_queries: Number of queries.
        averages: Averages of measures that do not need the values.
        shares: Means of Judged@k by cutoff, over all queries and over those with results.
    """

    rows: "DataFrame"
    task: Task
    n_queries: int
    averages: Mapping[Measure, float]
    shares: Mapping[int | None, tuple[float, float]]

    @property
    def query_rows(self) -> "DataFrame":
        """Rows of queries; Spark raises an error if it computes them again and a worker fails."""
        condition = f"if({ERROR_CONDITION}, raise_error('{ROWS_CHANGED}'), query is not null)"
        return self.rows.where(condition).drop("summary")

    @cached_property
    def _collected(self) -> Any:
        import pyarrow.compute as pc

        with translate_errors(), override_settings(self.rows.sparkSession):
            table = self.query_rows.toArrow()
        self._check_same(table)
        # By their bytes, which is the order of their letters' numbers too.
        return table.take(pc.sort_indices(table, [("query", "ascending")]))

    def _check_same(self, table: "pyarrow.Table") -> None:
        """Raise an error if the values do not have the averages that were reported."""
        unchanged = table.num_rows == self.n_queries
        for number, (name, measure) in enumerate(self.task.resolved.items()):
            if unchanged and name in self.averages:
                average = average_sums(
                    measure.average, [sum_values(measure.average, table[f"v{number}"].to_numpy())]
                )
                unchanged = repr(average) == repr(self.averages[name])
        if not unchanged:
            raise SparkError(ROWS_CHANGED, code="rows-changed")

    def release(self) -> None:
        """Unpersist the rows, unless the session was stopped."""
        with ignore_stopped_session():
            self.rows.unpersist()

    def _column(self, name: str) -> Any:
        return self._collected.column(name).to_numpy()

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The id of each query, in the order of the ids."""
        return tuple(self._collected.column("query").to_pylist())

    @cached_property
    def values(self) -> FloatArray:
        """One row per query, one column per measure."""
        return np.stack([self._column(f"v{i}") for i in range(len(self.task.resolved))], axis=1)

    @cached_property
    def judged(self) -> dict[Measure, FloatArray]:
        """Judged@k, as ``Scores`` has it."""
        by_cutoff = {k: self._column(f"j{i}") for i, k in enumerate(self.task.cutoffs)}
        return {m: by_cutoff[self.task.get_cutoff(m)] for m in self.task.judged_measures}

    @cached_property
    def empty(self) -> dict[Measure, BoolArray]:
        """True for each query with nothing relevant, by measure, if the rules treat those apart."""
        if self.task.rules.empty_weight is None:
            return {}
        return {measure: self._column(f"e{i}") for i, measure in enumerate(self.task.resolved)}

    def wide(self, overall: Mapping[Measure, float]) -> "DataFrame":
        """Return a row for every query, a column for every measure; no value is null."""
        names = [str(measure) for measure in self.task.resolved]
        if "query" in (name.lower() for name in names):
            message = "wide: a measure has the name of the column 'query'. Pass shape='tidy'."
            raise OutputError(message, code="bad-name")
        columns = [
            number.alias(name)
            for number, name in zip(self._make_value_columns(), names, strict=True)
        ]
        frame = self._round_query_rows().select("query", *columns)
        if not overall:
            return frame
        last = (None, *(_replace_nan(overall.get(measure)) for measure in self.task.resolved))
        return frame.unionAll(self.rows.sparkSession.createDataFrame([last], frame.schema))

    def tidy(self, run: str, overall: Mapping[Measure, float]) -> "DataFrame":
        """Return a row for every query and measure, with the name of the run."""
        from pyspark.sql import functions as F

        pairs = [
            F.struct(F.lit(str(measure)).alias("measure"), number.alias("value"))
            for measure, number in zip(self.task.resolved, self._make_value_columns(), strict=True)
            if not measure.whole
        ]
        parts = []
        if pairs:
            pair = F.explode(F.array(*pairs)).alias("pair")
            parts += [self._round_query_rows().select(F.lit(run).alias("system"), "query", pair)]
            parts = [
                frame.select("system", "query", "pair.measure", "pair.value") for frame in parts
            ]
        if overall:
            last = [
                (run, None, str(measure), _replace_nan(value)) for measure, value in overall.items()
            ]
            types = ", ".join(f"{name} string" for name in TIDY_COLUMNS[:-1])
            parts += [self.rows.sparkSession.createDataFrame(last, f"{types}, value double")]
        return parts[0] if len(parts) == 1 else parts[0].unionAll(parts[1])

    def _make_value_columns(self) -> "list[Column]":
        from pyspark.sql import functions as F

        nothing = F.lit(None).cast("double")
        return [F.nanvl(F.col(f"v{i}"), nothing) for i in range(len(self.task.resolved))]

    def _round_query_rows(self) -> "DataFrame":
        """Return the rows of queries, rounded if the rules say so."""
        decimals, frame = self.task.rules.decimals, self.query_rows
        if decimals is None:
            return frame
        return frame.mapInArrow(partial(_round_on_worker, decimals=decimals), frame.schema)


def _replace_nan(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else value


def _round_on_worker(batches: Any, decimals: int) -> Any:
    from gainful.spark.worker import round_values  # needs pyarrow

    return round_values(batches, decimals)


_LAZY_FIELDS = (
    "queries",
    "values",
    "judged",
    "empty",
)  # fields that are collected when they are read


@dataclass(init=False, frozen=True, eq=False, repr=False, kw_only=True)
class SparkScores(Scores):
    """Scores of a run that was evaluated on Spark.

    Means, rules and notices are there at once. The values of queries are on Spark, and
    ``to_spark()`` gives them as a DataFrame. They are collected when they are asked for: by
    ``per_query()``, ``worst()``, ``to_polars()``, by ``compare_scores`` and all else that
    ``Scores`` can do. Queries stand in the order of their ids then, wherever Spark had them.

    Spark keeps the values until ``release()``, or the end of a ``with`` block. What is asked for
    later is worked out again, of the rows as they are then; also where Spark has lost them, or a
    table has been written to. Values that are collected and come out otherwise are an error; what
    is asked of a DataFrame of ``to_spark()`` is of the rows as they are then.

    With ``weights``, means are collected as well. For a measure of the whole run, such as Coverage,
    what it reads of the rankings has come to the driver: the ranks and labels of judged items,
    and the ids of items down to its cutoff where it is about items.

    Attributes:
        cached: The values that Spark keeps.
    """

    cached: CachedValues

    # Fields that are collected later are no arguments, unless ``replace`` passes them.
    def __init__(self, *, cached: CachedValues, **values: object) -> None:
        for name in _LAZY_FIELDS:
            if name in values and values.pop(name) is not getattr(cached, name):
                message = f"{name}: Spark has others. Change those of collect()."
                raise SparkError(message, code="bad-argument")
        vars(self).update(values, cached=cached)

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return self.cached.n_queries

    def __getattr__(self, name: str) -> Any:
        if name in _LAZY_FIELDS:
            return getattr(self.cached, name)
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(message)

    def __getitem__(self, measure: str | Measure) -> float:
        """Return the average of one measure over the queries, or its number for the whole run."""
        resolved = self._resolve_measure(measure)
        average = self.cached.averages.get(resolved)
        if average is None or self.weights is not None:
            return super().__getitem__(resolved)
        return average if self.rules.decimals is None else round(average, self.rules.decimals)

    def judged_share(self, measure: str | Measure) -> float:
        """Return the mean of Judged@k, k being the cutoff of a measure; NaN if there is none."""
        resolved = self._resolve_measure(measure)
        if resolved not in self.cached.task.judged_measures or self.weights is not None:
            return super().judged_share(resolved)
        return self.cached.shares[self.cached.task.get_cutoff(resolved)][0]

    def judged_of_returned(self, measure: str | Measure) -> float:
        """Return the mean of Judged@k over the queries with results; NaN if there is none."""
        resolved = self._resolve_measure(measure)
        if resolved not in self.cached.task.judged_measures:
            return super().judged_of_returned(resolved)
        return self.cached.shares[self.cached.task.get_cutoff(resolved)][1]

    @property
    def frame(self) -> "DataFrame":
        """The values of queries as a DataFrame with a row for each query."""
        return self.to_spark(shape="wide")

    def to_spark(self, *, shape: str = "tidy") -> "DataFrame":
        """Return the values of queries as a DataFrame of Spark, tidy (the default) or wide.

        Tidy has the columns system, query, measure and value; wide has query and a column for
        every measure, which SQL knows in backticks. What has no value is null, and a measure of
        the whole run has a row whose query is null. Rows stand in no order. It can be written:
        ``scores.to_spark().write.saveAsTable("scores")``.
        """
        overall = self._whole_run_values()
        with translate_errors():
            if check_choice("to_spark: shape", shape, SHAPES, OutputError) == "wide":
                return self.cached.wide(overall)
            return self.cached.tidy(self.run, overall)

    def collect(self) -> Scores:
        """Return Scores that hold all values, and need Spark no more."""
        return Scores(**{field.name: getattr(self, field.name) for field in fields(Scores)})

    def release(self) -> None:
        """Let go of the values that Spark keeps; what is asked for later is worked out again."""
        self.cached.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.release()

    def _slice(self, column: str, value: str | None, keep: IntArray) -> Scores:
        return self.collect()._slice(column, value, keep)

    def _format_n_queries(self) -> str:
        return format_count(self.n_queries, "query", "queries")


MODES = ("error", "overwrite", "append")
_FORMATS = {".parquet": "parquet", ".orc": "orc", ".csv": "csv", ".json": "json"}


def check_output(session: "SparkSession", out: str, mode: str) -> None:
    """Raise an error if something exists that must not be replaced, before any work is done."""
    is_table = not is_output_path(out) and find_table(session, out) is not None
    if is_table or (is_output_path(out) and os.path.exists(out)):
        if mode == "error":
            message = f"{out}: is there already. Pass --mode overwrite or append, or another name."
            raise SparkError(message, code="exists-already")
    elif not is_output_path(out) and (folder := _find_leftover_folder(session, out)) is not None:
        message = (
            f"{out}: its folder {folder} is there already, of a table that this session's catalog "
            "does not know. Remove it, or pass another name, or a path."
        )
        raise SparkError(message, code="exists-already")


def _find_leftover_folder(session: "SparkSession", out: str) -> str | None:
    """Return the folder where a new table would be, if it exists; on this machine only."""
    if not is_local(session):
        return None
    *schema, name = out.replace("`", "").lower().split(".")
    inside = [f"{schema[-1]}.db"] if schema and schema[-1] != "default" else []
    root = unquote(urlsplit(session.conf.get("spark.sql.warehouse.dir", "")).path)
    folder = os.path.join(root, *inside, name)
    return folder if root and os.path.isdir(folder) and os.listdir(folder) else None


def describe_output(session: "SparkSession", out: str) -> str:
    """Return a sentence that says where values have been written."""
    if is_output_path(out):
        return f"values of queries are in {out}."
    catalog = session.conf.get("spark.sql.catalogImplementation")
    forgets = catalog == "in-memory" and out.count(".") < 2
    hint = ", which this session's catalog forgets when it ends; give --out a path to keep them"
    return f"values of queries are in the table {out}{hint if forgets else ''}."


def write_frame(frame: "DataFrame", out: str, mode: str) -> None:
    """Write all rows to a table, or to files at a path, in the format that its name ends in."""
    writer = frame.write.mode(mode)
    with translate_errors(out):
        if not is_output_path(out):
            writer.saveAsTable(out)
            return
        form = _FORMATS.get(get_file_extension(out), "parquet")
        writer.options(**({"header": True} if form == "csv" else {})).format(form).save(out)


def is_output_path(out: str) -> bool:
    """Return True if the output is a path, not the name of a table.

    >>> [is_output_path(out) for out in ("prod.scores", "scores.parquet", "s3://bucket/scores")]
    [False, True, True]
    """
    return get_file_extension(out) in _FORMATS or "/" in out or os.sep in out
