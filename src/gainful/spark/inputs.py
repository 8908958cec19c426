"""Load qrels and runs of any kind as Spark DataFrames."""

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.alignment import JUDGMENT_TYPES, Rules, read_judgments_for
from gainful.base import ReadOptions, get_file_extension, get_file_stem
from gainful.errors import SparkError
from gainful.sources import (
    FORMATS,
    FileStart,
    GroupedJudgments,
    Header,
    Judgments,
    PreferenceJudgments,
    ReadSpec,
    Run,
    detect_file_format,
    is_path,
    is_spark,
    make_header,
    read_header,
    read_judgments,
)
from gainful.spark.failures import describe_missing, translate_errors
from gainful.spark.input_rows import (
    SkippedRows,
    SparkInput,
    SparkRows,
    list_columns_only_of,
    prepare_qrels,
    prepare_run,
    select_columns_of,
    select_with_position,
)
from gainful.spark.session import is_local
from gainful.spark.task import Task
from gainful.spark.trec_lines import TrecLines, read_lines

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_BINARY_FORMATS = {".parquet": "parquet", ".orc": "orc"}
_DETECTION_LINES = 100  # lines that tell the format


def read_files(
    session: "SparkSession",
    source: Any,
    form: str | None,
    holds: str,
    columns: Mapping[str, str],
    rules: Rules,
) -> SparkRows:
    """Read the rows of files, in the format that is named or detected."""
    path = os.fspath(source)
    _check_exists(session, path)
    with translate_errors(path):
        form = form or _detect_format(session, path, holds)
        if form == "trec":
            text = read_lines(session, path)
            lines = TrecLines(text, path, holds, rules)
            _ = text.columns  # raises an error if there is no such path
            return SparkRows(lines.frame, path, {}, lines, "position")
        frame = _READERS.get(form, _read_with_spark)(
            session, path, form, ReadSpec(holds, path, columns)
        )
        _ = frame.columns
        return SparkRows(frame, path, columns)


def _check_exists(session: "SparkSession", path: str) -> None:
    """Raise an error if a local path does not exist: Spark's own is long."""
    if not is_local(session) or re.match(r"\w+:", path) or set(path) & set("*?[]{},"):
        return
    if not os.path.exists(path):
        raise SparkError(describe_missing(path), code="cannot-read")


def _detect_format(session: "SparkSession", path: str, holds: str) -> str:
    if get_file_extension(path.rstrip("/")) in _BINARY_FORMATS:
        return _BINARY_FORMATS[get_file_extension(path.rstrip("/"))]
    text = read_lines(session, path)
    names = text.inputFiles()
    first = names[0] if names else path
    if get_file_extension(first) in _BINARY_FORMATS:
        return _BINARY_FORMATS[get_file_extension(first)]
    return detect_file_format(FileStart(first, _read_start(text)), holds)


def _read_start(text: "DataFrame") -> bytes:
    """Return the first lines, from which the format is detected."""
    return "".join(f"{row['value']}\n" for row in text.head(_DETECTION_LINES)).encode()


def _read_with_spark(session: "SparkSession", path: str, form: str, spec: ReadSpec) -> "DataFrame":
    if (spec.holds, form) in FORMATS and form != "parquet":
        message = (
            f"{path}: is in the format {form}, which Spark does not read. Convert it with gainful "
            "convert, or name another with format=."
        )
        raise SparkError(message, code="unread-by-spark")
    return session.read.format(form).load(path)


def _read_json(session: "SparkSession", path: str, _form: str, _spec: ReadSpec) -> "DataFrame":
    return session.read.option("mode", "FAILFAST").json(path)


def _read_delimited(session: "SparkSession", path: str, form: str, spec: ReadSpec) -> "DataFrame":
    """Read all fields as text: numbers are parsed as elsewhere, and ids stay unchanged."""
    start = _read_start(read_lines(session, path))
    header = _detect_header(start, form, spec)
    if header.separator is None:
        message = (
            f"{path}: has fields between white space and is no TREC file, which Spark does not "
            "read. Convert it with gainful convert."
        )
        raise SparkError(message, code="unread-by-spark")
    names = header.names
    reader = session.read.options(
        sep=header.separator,
        header=header.n_lines > 0,
        mode="FAILFAST",
        escape='"',
        columnPruning=False,
        enforceSchema=False,
        ignoreLeadingWhiteSpace=True,
        ignoreTrailingWhiteSpace=True,
    )
    frame = reader.csv(path)
    return frame.toDF(*names) if len(names) == len(frame.columns) else frame


def _detect_header(start: bytes, form: str, spec: ReadSpec) -> Header:
    if form in ("triples", "msmarco"):
        return make_header(start, FORMATS[spec.holds, form].columns)
    return read_header(start, ",;|\t" if form == "csv" else "\t", spec)


_READERS: dict[str, Callable[[Any, str, str, ReadSpec], Any]] = {
    "jsonl": _read_json,
    "json": _read_json,
    "csv": _read_delimited,
    "tsv": _read_delimited,
    "beir": _read_delimited,
    "triples": _read_delimited,
    "msmarco": _read_delimited,
}


def convert_judgments(judgments: Any) -> Any:
    """Convert judgments to an Arrow table; raise an error if rows cannot hold them."""
    import pyarrow as pa

    try:
        return pa.table(_get_judgment_columns(judgments))
    except UnicodeEncodeError as error:
        message = (
            f"{judgments.name}: the id {error.object!r} is not UTF-8, and all text on Spark is. "
            "Change the id, or evaluate without Spark."
        )
        raise SparkError(message, code="unread-by-spark") from None


def _get_judgment_columns(judgments: Any) -> dict[str, Any]:
    if isinstance(judgments, GroupedJudgments):
        return {
            "query": judgments.query,
            "item": judgments.item,
            "number": judgments.label,
            "group": judgments.group,
        }
    if isinstance(judgments, PreferenceJudgments):
        return {
            "query": judgments.query,
            "item": judgments.item,
            "number": judgments.level,
            "group": judgments.group,
            "subgroup": judgments.subgroup,
        }
    _check_queries_have_items(judgments)
    by_query = [judgments.index.judgments(number) for number in range(len(judgments.queries))]
    pairs = zip(judgments.queries, by_query, strict=True)
    return {
        "query": [query for query, labels in pairs for _ in labels],
        "item": [item for labels in by_query for item, _ in labels],
        "number": [label for labels in by_query for _, label in labels],
    }


def _check_queries_have_items(judgments: Judgments) -> None:
    """Raise an error for a judged query without items, which no row could represent."""
    empty = np.flatnonzero(np.diff(judgments.pool_offsets) == 0)
    if len(empty):
        message = (
            f"{judgments.name}: query {judgments.queries[empty[0]]!r} has no judged items, and "
            "Spark knows of queries by their items. Leave it out, or evaluate without Spark."
        )
        raise SparkError(message, code="unread-by-spark")


_JUDGMENT_TYPES = (Judgments, GroupedJudgments, PreferenceJudgments)


class SourceOptions(NamedTuple):
    """The user's settings for reading the inputs.

    Attributes:
        columns: Names of columns by role, or by side and role.
        format: Format of files: one for both sides, or by side.
    """

    columns: Mapping[str, str] | None
    format: str | Mapping[str, str] | None

    def format_of(self, side: str) -> str | None:
        """Return the format of the files of one side."""
        if self.format is None or isinstance(self.format, str):
            return self.format
        if not isinstance(self.format, Mapping) or not {*self.format} <= {"qrels", "run"}:
            message = f"format: must be a name, or {{'run': NAME}}, got {self.format!r:.60}."
            raise SparkError(message, code="unknown-format")
        return self.format.get(side)

    def refuse_columns(self, side: str, place: str, reason: str) -> None:
        """Raise an error if columns are named for this side, which has none."""
        names = list_columns_only_of(side, self.columns)
        if names:
            message = f"{place}: {reason}, and columns= names {names[0]!r}. Leave that out."
            raise SparkError(message, code="bad-columns")


def find_spark_frames(*sources: object) -> "list[DataFrame]":
    """Return the sources that are Spark DataFrames."""
    inner = [source.source if isinstance(source, Run) else source for source in sources]
    return [convert_frame(source) for source in inner if is_spark(source)]


def convert_frame(source: Any) -> "DataFrame":
    """Return a Spark DataFrame, also for one of pandas on Spark."""
    # Ask the class: over Connect, a frame has a column of any name.
    return source.to_spark() if hasattr(type(source), "to_spark") else source


def load_run(
    session: "SparkSession", run: Any, rules: Rules, options: SourceOptions, name: str | None = None
) -> tuple[str, SparkInput]:
    """Return the name of a run and its rows."""
    source, form, columns = run, options.format_of("run"), select_columns_of("run", options.columns)
    if isinstance(run, Run):
        source, name = run.source, name or run.name
        columns |= run.columns
        form = run.form.name if run.form is not None and is_path(source) else form
    if is_spark(source):
        name = name or "run"
        return name, prepare_run(SparkRows(convert_frame(source), f"run {name!r}", columns), rules)
    if not is_path(source):
        place = "run" if name is None else f"run {name!r}"
        package = type(source).__module__.partition(".")[0]
        kind = f"{package}.{type(source).__name__}".removeprefix("builtins.")
        message = (
            f"{place}: must be a DataFrame of Spark, a table or a path, got a {kind}. "
            "Make it one with spark.createDataFrame(...), or collect the qrels with df.toArrow()."
        )
        raise SparkError(message, code="unread-by-spark")
    table = find_table(session, source) if form is None else None
    if table is not None:
        rows = SparkRows(table, os.fspath(source), columns)
        return name or _get_table_name(source), prepare_run(rows, rules)
    rows = read_files(session, source, form, "run", columns, rules)
    _refuse_trec_columns(rows, "run", options)
    return name or get_file_stem(source), prepare_run(rows, rules)


def load_qrels(
    session: "SparkSession", qrels: Any, task: Task, options: SourceOptions
) -> SparkInput:
    """Return the rows of qrels; qrels on this machine are read here and sent to Spark."""
    columns, form = select_columns_of("qrels", options.columns), options.format_of("qrels")
    if is_spark(qrels):
        return prepare_qrels(
            SparkRows(convert_frame(qrels), "qrels", columns), task.rules, task.ranking_types
        )
    table = None
    if is_path(qrels):
        table = find_table(session, qrels) if form is None else None
    if table is not None:
        return prepare_qrels(
            SparkRows(table, os.fspath(qrels), columns), task.rules, task.ranking_types
        )
    if is_path(qrels) and not os.path.isfile(qrels):
        rows = read_files(session, qrels, form, "qrels", columns, task.rules)
        _refuse_trec_columns(rows, "qrels", options)
        return prepare_qrels(rows, task.rules, task.ranking_types)
    return _send_judgments(session, read_local_qrels(qrels, task, options))


def _refuse_trec_columns(rows: SparkRows, side: str, options: SourceOptions) -> None:
    if isinstance(rows.text, TrecLines):
        options.refuse_columns(side, rows.place, "is a TREC file, whose columns have no names")


def find_table(session: "SparkSession", source: Any) -> "DataFrame | None":
    """Return the table or view of that name, or None."""
    from pyspark.errors import AnalysisException

    name = os.fspath(source)
    if not isinstance(source, str) or (set(name) & set("/\\:*") and not name.startswith("`")):
        return None
    with translate_errors(name):
        try:
            exists = session.catalog.tableExists(name)
        except AnalysisException:  # not a table name: it may be that of a file
            return None
        return session.table(name) if exists else None


def _get_table_name(name: str) -> str:
    """Return the name of a table without its catalog and schema.

    >>> _get_table_name("prod.runs.bm25"), _get_table_name("`my-run`")
    ('bm25', 'my-run')
    """
    return name.rpartition(".")[2].strip("`")


def read_local_qrels(qrels: Any, task: Task, options: SourceOptions) -> Any:
    """Read judgments of the type that the measures need on this machine."""
    columns, form = select_columns_of("qrels", options.columns), options.format_of("qrels")
    if isinstance(options.format, str) and not is_path(qrels):
        form = None  # it is the format of the run
    has_labels = all(JUDGMENT_TYPES[kind].judgments is Judgments for kind in task.ranking_types)
    if isinstance(qrels, _JUDGMENT_TYPES):
        _refuse_options(options, form, "were read before")
    elif not has_labels:
        _refuse_options(options, form, "are judged in groups and read here")
    elif columns or form:
        return read_judgments(qrels, task.rules, ReadOptions(), format=form, columns=columns)
    judgments = [
        read_judgments_for(
            kind, qrels, task.rules, ReadOptions(), measure=str(task.find_first_measure(kind))
        )
        for kind in task.ranking_types
    ]
    # If there are several types, the one with groups has all that the others have.
    return next((read for read in judgments if not isinstance(read, Judgments)), judgments[0])


def _refuse_options(options: SourceOptions, form: str | None, reason: str) -> None:
    """Raise an error if columns or a format are named that would be ignored."""
    options.refuse_columns("qrels", "qrels", reason)
    if form is not None:
        message = (
            f"qrels: {reason}, and format= names {form!r}. Leave it out, or name that of the run "
            "alone: format={'run': NAME}."
        )
        raise SparkError(message, code="unknown-format")


def _send_judgments(session: "SparkSession", judgments: Any) -> SparkInput:
    """Send judgments to Spark as rows, with what was skipped when they were read."""
    from pyspark.sql import functions as F

    table = convert_judgments(judgments)
    with translate_errors():
        frame = session.createDataFrame(table)
    n_twice = (
        judgments.index.n_duplicates if isinstance(judgments, Judgments) else judgments.n_duplicates
    )
    skipped = SkippedRows(
        judgments.n_comments, n_judged_twice=n_twice, duplicates=judgments.duplicates
    )
    columns = {name: F.col(name) for name in table.column_names}
    return SparkInput(
        select_with_position(frame, columns), judgments.name, skipped_on_driver=skipped
    )
