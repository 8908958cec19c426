"""Whatever qrels and runs are given as, made DataFrames."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.engines.spark.columns import Rows, columns_for, given_qrels, given_run, only_for
from gainful.engines.spark.failures import in_words
from gainful.engines.spark.files import rows_at
from gainful.engines.spark.frames import Dropped, Given, positioned
from gainful.engines.spark.lines import Lines
from gainful.engines.spark.sent_judgments import as_table
from gainful.engines.spark.task import Task
from gainful.errors import EngineError
from gainful.kinds import KINDS, judgments_for
from gainful.rules import Rules
from gainful.sources import (
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Reading,
    Run,
    is_path,
    is_spark,
    read_judgments,
)
from gainful.sources._files import stem

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_READ = (Judgments, GroupedJudgments, PreferenceJudgments)


class Said(NamedTuple):
    """What the user said of the sources.

    Attributes:
        columns: What columns are called, by role, or by side and role.
        format: The format of files; one for both, or one by side.
    """

    columns: Mapping[str, str] | None
    format: str | Mapping[str, str] | None

    def format_of(self, side: str) -> str | None:
        """The format of the files of one side."""
        if self.format is None or isinstance(self.format, str):
            return self.format
        if not isinstance(self.format, Mapping) or not {*self.format} <= {"qrels", "run"}:
            message = f"format: must be a name, or {{'run': NAME}}, got {self.format!r:.60}."
            raise EngineError(message, code="unknown-format")
        return self.format.get(side)

    def refuse_columns(self, side: str, place: str, why: str) -> None:
        """An error where columns are named that only this side could have, and it has none."""
        names = only_for(side, self.columns)
        if names:
            message = f"{place}: {why}, and columns= names {names[0]!r}. Leave that out."
            raise EngineError(message, code="bad-columns")


def spark_frames(*sources: Any) -> "list[DataFrame]":
    """Those of the sources that are DataFrames of Spark."""
    held = [source.source if isinstance(source, Run) else source for source in sources]
    return [as_frame(source) for source in held if is_spark(source)]


def as_frame(source: Any) -> "DataFrame":
    """A DataFrame; that of pandas on Spark is one as well."""
    # Of the class: over Connect, a frame has a column of any name that it is asked for.
    return source.to_spark() if hasattr(type(source), "to_spark") else source


def run_on(
    session: "SparkSession", run: Any, rules: Rules, said: Said, name: str | None = None
) -> tuple[str, Given]:
    """The name of a run, and its rows."""
    source, form, own = run, said.format_of("run"), columns_for("run", said.columns)
    if isinstance(run, Run):
        source, name = run.source, name or run.name
        own |= run.columns
        form = run.form.name if run.form is not None and is_path(source) else form
    if is_spark(source):
        name = name or "run"
        return name, given_run(Rows(as_frame(source), f"run {name!r}", own), rules)
    if not is_path(source):
        place = "run" if name is None else f"run {name!r}"
        package = type(source).__module__.partition(".")[0]
        kind = f"{package}.{type(source).__name__}".removeprefix("builtins.")
        message = (
            f"{place}: must be a DataFrame of Spark, a table or a path, got a {kind}. "
            "Make it one with spark.createDataFrame(...), or collect the qrels with df.toArrow()."
        )
        raise EngineError(message, code="unread-by-spark")
    table = table_at(session, source) if form is None else None
    if table is not None:
        rows = Rows(table, os.fspath(source), own)
        return name or _last(source), given_run(rows, rules)
    rows = rows_at(session, source, form, "run", own, rules)
    _refuse_of_trec(rows, "run", said)
    return name or stem(source), given_run(rows, rules)


def qrels_on(session: "SparkSession", qrels: Any, task: Task, said: Said) -> Given:
    """The rows of qrels; those that are here are read here, and sent."""
    own, form = columns_for("qrels", said.columns), said.format_of("qrels")
    if is_spark(qrels):
        return given_qrels(Rows(as_frame(qrels), "qrels", own), task.rules, task.kinds)
    table = None
    if is_path(qrels):
        table = table_at(session, qrels) if form is None else None
    if table is not None:
        return given_qrels(Rows(table, os.fspath(qrels), own), task.rules, task.kinds)
    if is_path(qrels) and not os.path.isfile(qrels):
        rows = rows_at(session, qrels, form, "qrels", own, task.rules)
        _refuse_of_trec(rows, "qrels", said)
        return given_qrels(rows, task.rules, task.kinds)
    return _sent(session, read_here(qrels, task, said))


def _refuse_of_trec(rows: Rows, side: str, said: Said) -> None:
    if isinstance(rows.written, Lines):
        said.refuse_columns(side, rows.place, "is a TREC file, whose columns have no names")


def table_at(session: "SparkSession", source: Any) -> "DataFrame | None":
    """The table or view of that name, if there is one."""
    from pyspark.errors import AnalysisException

    name = os.fspath(source)
    if not isinstance(source, str) or (set(name) & set("/\\:*") and not name.startswith("`")):
        return None
    with in_words(name):
        try:
            known = session.catalog.tableExists(name)
        except AnalysisException:  # no name of a table: it may be that of a file
            return None
        return session.table(name) if known else None


def _last(name: str) -> str:
    """The name of a table without those of its catalog and schema.

    >>> _last("prod.runs.bm25"), _last("`my-run`")
    ('bm25', 'my-run')
    """
    return name.rpartition(".")[2].strip("`")


def read_here(qrels: Any, task: Task, said: Said) -> Any:
    """Judgments of the kind that the measures need, read on this machine."""
    columns, form = columns_for("qrels", said.columns), said.format_of("qrels")
    if isinstance(said.format, str) and not is_path(qrels):
        form = None  # it is that of the files of the run
    of_labels = all(KINDS[kind].judgments is Judgments for kind in task.kinds)
    if isinstance(qrels, _READ):
        _refuse_said(said, form, "were read before")
    elif not of_labels:
        _refuse_said(said, form, "are judged in groups and read here")
    elif columns or form:
        return read_judgments(qrels, task.rules, Reading(), format=form, columns=columns)
    found = [
        judgments_for(kind, qrels, task.rules, Reading(), measure=str(task.first_of(kind)))
        for kind in task.kinds
    ]
    # Where there are several kinds, the one with groups has all that others have.
    return next((one for one in found if not isinstance(one, Judgments)), found[0])


def _refuse_said(said: Said, form: str | None, why: str) -> None:
    """An error where columns or a format are named that would not be looked at."""
    said.refuse_columns("qrels", "qrels", why)
    if form is not None:
        message = (
            f"qrels: {why}, and format= names {form!r}. Leave it out, or name that of the run "
            "alone: format={'run': NAME}."
        )
        raise EngineError(message, code="unknown-format")


def _sent(session: "SparkSession", judgments: Any) -> Given:
    """Judgments as rows on Spark, and what is known of how they were read."""
    from pyspark.sql import functions as F

    table = as_table(judgments)
    with in_words():
        frame = session.createDataFrame(table)
    n_twice = (
        judgments.index.n_duplicates if isinstance(judgments, Judgments) else judgments.n_duplicates
    )
    known = Dropped(judgments.n_comments, n_judged_twice=n_twice, duplicates=judgments.duplicates)
    held = {name: F.col(name) for name in table.column_names}
    return Given(positioned(frame, held), judgments.name, known=known)
