"""Whatever qrels and runs are given as, made DataFrames."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.engines.spark.columns import Rows, columns_for, given_qrels, given_run
from gainful.engines.spark.failures import in_words
from gainful.engines.spark.files import rows_at
from gainful.engines.spark.frames import Dropped, Given, positioned
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
            raise EngineError(message)
        return self.format.get(side)


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
        message = (
            f"{place}: must be a DataFrame of Spark, a table or a path, got {source!r:.60}. "
            "Make it one with spark.createDataFrame(...), or collect the qrels with df.toArrow()."
        )
        raise EngineError(message)
    table = table_at(session, source) if form is None else None
    if table is not None:
        rows = Rows(table, os.fspath(source), own)
        return name or _last(source), given_run(rows, rules)
    return name or stem(source), given_run(rows_at(session, source, form, "run", own, rules), rules)


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
        return given_qrels(rows, task.rules, task.kinds)
    return _sent(session, _read(qrels, task, own, form))


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


def _read(qrels: Any, task: Task, columns: Mapping[str, str], form: str | None) -> Any:
    """Judgments of the kind that the measures need, read here."""
    of_labels = all(KINDS[kind].judgments is Judgments for kind in task.kinds)
    if (columns or form) and of_labels and not isinstance(qrels, _READ):
        return read_judgments(qrels, task.rules, Reading(), format=form, columns=columns)
    found = [
        judgments_for(kind, qrels, task.rules, Reading(), measure=str(task.first_of(kind)))
        for kind in task.kinds
    ]
    # Where there are several kinds, the one with groups has all that others have.
    return next((one for one in found if not isinstance(one, Judgments)), found[0])


def _sent(session: "SparkSession", judgments: Any) -> Given:
    """Judgments as rows on Spark, and what is known of how they were read."""
    import pyarrow as pa
    from pyspark.sql import functions as F

    columns = _columns(judgments)
    with in_words():
        frame = session.createDataFrame(pa.table(columns))
    n_twice = (
        judgments.index.n_duplicates if isinstance(judgments, Judgments) else judgments.n_duplicates
    )
    known = Dropped(judgments.n_comments, n_judged_twice=n_twice, duplicates=judgments.duplicates)
    held = {name: F.col(name) for name in columns}
    return Given(positioned(frame, held), judgments.name, known=known)


def _columns(judgments: Any) -> dict[str, Any]:
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
    each = [judgments.index.judgments(number) for number in range(len(judgments.queries))]
    pairs = zip(judgments.queries, each, strict=True)
    return {
        "query": [query for query, held in pairs for _ in held],
        "item": [item for held in each for item, _ in held],
        "number": [label for held in each for _, label in held],
    }
