"""Load qrels and runs of any kind as Spark DataFrames with the columns that workers read."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.alignment import JUDGMENT_TYPES, Rules, read_judgments_for
from gainful.base import ReadOptions, get_file_stem
from gainful.errors import SourceError, SparkError
from gainful.sources import (
    GROUP_ROLES,
    KNOWN_NAMES,
    LEVELS,
    ROLES,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    ReadSpec,
    Run,
    find_columns,
    find_first,
    is_path,
    is_spark,
    read_judgments,
)
from gainful.spark.failures import translate_errors
from gainful.spark.tables import find_table, read_files
from gainful.spark.task import Task

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SIDES = ("qrels", "run")
_JUDGMENT_CLASSES = (Judgments, GroupedJudgments, PreferenceJudgments)
_ID_TYPES = ("string", "char", "varchar", "byte", "short", "integer", "long")


class SparkInput(NamedTuple):
    """Qrels or a run on Spark.

    Attributes:
        frame: The columns query and item, which are text; label, group and subgroup of qrels,
            score and rank of a run, if they are needed; position, which orders rows as
            ``collect()`` would; bad_line, if the rows are lines of text.
        place: Name of the source in errors.
        judgments: The judgments, if they were read on the driver.
    """

    frame: "DataFrame"
    place: str
    judgments: Any = None


class SourceOptions(NamedTuple):
    """The user's settings for reading the inputs.

    Attributes:
        columns: Names of columns by role, or by side and role.
        format: Format of files: one for both sides, or by side.
    """

    columns: Mapping[str, str] | None
    format: str | Mapping[str, str] | None

    def find_format(self, side: str) -> str | None:
        """Return the format of the files of one side."""
        if self.format is None or isinstance(self.format, str):
            return self.format
        if not isinstance(self.format, Mapping) or not {*self.format} <= {*_SIDES}:
            message = f"format: must be a name, or {{'run': NAME}}, got {self.format!r:.60}."
            raise SparkError(message, code="unknown-format")
        return self.format.get(side)

    def select_columns(self, side: str) -> dict[str, str]:
        """Select the columns that the user named for one side.

        >>> names = {"query": "qid", "qrels.label": "grade", "run.score": "s"}
        >>> SourceOptions(names, None).select_columns("run")
        {'query': 'qid', 'score': 's'}
        """
        roles = ("subtopic", *GROUP_ROLES, *ROLES)
        selected: dict[str, str] = {}
        for name, column in ReadSpec(side, side, self.columns or {}).columns.items():
            owner, _, role = name.rpartition(".")
            if role not in roles or owner not in ("", *_SIDES):
                message = f"columns: must name one of {', '.join(ROLES)}, got {name!r}."
                raise SourceError(message, code="bad-columns")
            if owner in ("", side):
                selected["group" if role == "subtopic" else role] = column
        return selected

    def refuse_columns(self, side: str, place: str, reason: str) -> None:
        """Raise an error if columns are named for this side alone, which has none."""
        roles = ("score", "rank") if side == "run" else ("label", "subtopic", *GROUP_ROLES)
        for name in self.columns or {}:
            if name.startswith(f"{side}.") or name in roles:
                message = f"{place}: {reason}, and columns= names {name!r}. Leave that out."
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
    session: "SparkSession", run: Any, rules: Rules, options: SourceOptions, name: str | None
) -> tuple[str, SparkInput]:
    """Return the name of a run and its rows."""
    source, form, columns = run, options.find_format("run"), options.select_columns("run")
    if isinstance(run, Run):
        source, name = run.source, name or run.name
        columns |= run.columns
        form = run.form.name if run.form is not None and is_path(source) else form
    if is_spark(source):
        name = name or "run"
        place = f"run {name!r}"
        return name, _select_run(convert_frame(source), place, columns, rules)
    if not is_path(source):
        package = type(source).__module__.partition(".")[0]
        kind = f"{package}.{type(source).__name__}".removeprefix("builtins.")
        message = (
            f"{'run' if name is None else f'run {name!r}'}: must be a DataFrame of Spark, a table "
            f"or a path, got a {kind}. Make it one with spark.createDataFrame(...), or collect "
            "the qrels with df.toArrow()."
        )
        raise SparkError(message, code="unread-by-spark")
    place = os.fspath(source)
    frame = find_table(session, source) if form is None else None
    if frame is not None:
        return name or _get_table_name(place), _select_run(frame, place, columns, rules)
    frame = _read_named_files(session, source, form, "run", options, columns)
    return name or get_file_stem(source), _select_run(frame, place, columns, rules)


def load_qrels(
    session: "SparkSession", qrels: Any, task: Task, options: SourceOptions
) -> SparkInput:
    """Return the rows of qrels; qrels on this machine are read here and sent to Spark."""
    columns, form = options.select_columns("qrels"), options.find_format("qrels")
    if is_spark(qrels):
        return _select_qrels(convert_frame(qrels), "qrels", columns, task)
    if is_path(qrels):
        frame = find_table(session, qrels) if form is None else None
        if frame is None and not os.path.isfile(qrels):
            frame = _read_named_files(session, qrels, form, "qrels", options, columns)
        if frame is not None:
            return _select_qrels(frame, os.fspath(qrels), columns, task)
    judgments = read_local_qrels(qrels, task, options)
    table = convert_judgments(judgments)
    with translate_errors():
        frame = session.createDataFrame(table)
    return SparkInput(_add_position(frame), judgments.name, judgments)


def _read_named_files(
    session: "SparkSession",
    source: Any,
    form: str | None,
    side: str,
    options: SourceOptions,
    columns: Mapping[str, str],
) -> "DataFrame":
    frame, found = read_files(session, source, form, side, columns)
    if found == "trec":
        reason = "is a TREC file, whose columns have no names"
        options.refuse_columns(side, os.fspath(source), reason)
    return frame


def _get_table_name(name: str) -> str:
    """Return the name of a table without its catalog and schema.

    >>> _get_table_name("prod.runs.bm25"), _get_table_name("`my-run`")
    ('bm25', 'my-run')
    """
    return name.rpartition(".")[2].strip("`")


def _select_run(
    frame: "DataFrame", place: str, columns: Mapping[str, str], rules: Rules
) -> SparkInput:
    """Select the columns of a run that the rules read."""
    spec = ReadSpec("run", place, _select_roles(columns), ranks_for=rules.reading_ranks)
    query, item, score, rank = find_columns(_list_names(frame), spec)
    if rules.order != "score":
        score = None
    if rules.reading_ranks is None and score is not None:
        rank = None
    return _select(frame, place, {"query": query, "item": item, "score": score, "rank": rank})


def _select_qrels(
    frame: "DataFrame", place: str, columns: Mapping[str, str], task: Task
) -> SparkInput:
    """Select the columns of qrels; without a label, all items are relevant."""
    spec = ReadSpec("qrels", place, _select_roles(columns))
    names = _list_names(frame)
    groups = _find_groups(names, place, columns, task)
    if groups and find_first(names, KNOWN_NAMES["label"]) is None and "label" not in spec.columns:
        level = find_first(names, LEVELS)
        if level is not None:
            spec = replace(spec, columns={**spec.columns, "label": names[level]})
    query, item, label, _ = find_columns(names, spec)
    return _select(frame, place, {"query": query, "item": item, "label": label, **groups})


def _list_names(frame: "DataFrame") -> list[str]:
    return [name for name in frame.columns if name != "bad_line"]


def _select_roles(columns: Mapping[str, str]) -> dict[str, str]:
    return {role: name for role, name in columns.items() if role in ROLES}


def _find_groups(
    names: Sequence[str], place: str, columns: Mapping[str, str], task: Task
) -> dict[str, int]:
    """Find the columns of groups, if a measure reads groups."""
    if all(JUDGMENT_TYPES[kind].judgments is Judgments for kind in task.ranking_types):
        return {}
    groups = {}
    for role in GROUP_ROLES:
        name = columns.get(role)
        if name is not None and name not in names:
            listing = ", ".join(map(repr, names))
            message = f"{place}: has no column {name!r}; there are {listing}."
            raise SourceError(message, code="missing-column")
        index = find_first(names, KNOWN_NAMES[role]) if name is None else names.index(name)
        if index is not None:
            groups[role] = index
    return groups


def _select(frame: "DataFrame", place: str, roles: Mapping[str, int | None]) -> SparkInput:
    """Select columns by their numbers, ids as text; workers read the numbers as they are."""
    from pyspark.sql import functions as F

    names = [f"c{number}" for number in range(len(frame.columns))]  # others may be there twice
    by_number = frame.toDF(*names)
    types = [part.dataType.typeName() for part in by_number.schema.fields]
    selected = []
    for role, number in roles.items():
        if number is None:
            continue
        column = F.col(names[number])
        if role not in ("label", "score", "rank"):
            _check_id_type(place, frame.columns[number], types[number])
            column = column.cast("string")
        selected.append(column.alias(role))
    if roles.get("label", 0) is None:
        selected.append(F.lit(1.0).alias("label"))
    if "bad_line" in frame.columns:
        selected.append(F.col(names[-1]).alias("bad_line"))
    return SparkInput(_add_position(by_number.select(*selected)), place)


def _check_id_type(place: str, name: str, type_name: str) -> None:
    if type_name not in _ID_TYPES:
        message = (
            f"{place}: column {name!r} must hold text or integers to be ids, got the type "
            f"{type_name}. Cast it to text."
        )
        raise SourceError(message, code="column-type")


def _add_position(frame: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as F

    return frame.withColumn("position", F.monotonically_increasing_id())


def read_local_qrels(qrels: Any, task: Task, options: SourceOptions) -> Any:
    """Read judgments of the type that the measures need on this machine."""
    columns, form = options.select_columns("qrels"), options.find_format("qrels")
    if isinstance(options.format, str) and not is_path(qrels):
        form = None  # it is the format of the run
    has_labels = all(JUDGMENT_TYPES[kind].judgments is Judgments for kind in task.ranking_types)
    if isinstance(qrels, _JUDGMENT_CLASSES):
        _refuse_options(options, form, "were read before")
    elif not has_labels:
        _refuse_options(options, form, "are judged in groups and read here")
    elif columns or form:
        return read_judgments(qrels, task.rules, ReadOptions(), format=form, columns=columns)
    judgments = [
        read_judgments_for(
            kind, qrels, task.rules, ReadOptions(), measure=task.find_first_measure(kind)
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
    if isinstance(judgments, Judgments):
        empty = np.flatnonzero(np.diff(judgments.pool_offsets) == 0)
        if len(empty):
            message = (
                f"{judgments.name}: query {judgments.queries[empty[0]]!r} has no judged items, and "
                "Spark knows of queries by their items. Leave it out, or evaluate without Spark."
            )
            raise SparkError(message, code="unread-by-spark")
        rows = [
            (query, *row)
            for number, query in enumerate(judgments.queries)
            for row in judgments.index.judgments(number)
        ]
        return dict(zip(("query", "item", "label"), zip(*rows, strict=True), strict=True))
    columns = {"query": judgments.query, "item": judgments.item, "group": judgments.group}
    if isinstance(judgments, GroupedJudgments):
        return columns | {"label": judgments.label}
    return columns | {"label": judgments.level, "subgroup": judgments.subgroup}
