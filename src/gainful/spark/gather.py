"""Run the workers, and gather what they return: means, notices, errors."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful import errors
from gainful.alignment import GroupStats, JoinStats, Rankings, Rules, add_stats
from gainful.base import _native
from gainful.diagnostics import Notice, RowOrder, SourceNames, diagnose_joins
from gainful.errors import GainfulError, SourceError
from gainful.evaluation import UndefinedQueries, diagnose_dialect, diagnose_values
from gainful.measures import Measure
from gainful.spark.failures import ignore_stopped_session
from gainful.spark.input_rows import QRELS_OFFSET, SkippedRows, SparkInput
from gainful.spark.scores import CachedValues, SparkScores
from gainful.spark.serialization import deserialize, deserialize_rankings, merge_rankings
from gainful.spark.task import Task, average_sums

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from gainful.dialects import Dialect

Reports = Sequence[Mapping[str, Any]]


def check_judgments(reports: Reports, qrels: SparkInput) -> None:
    """Raise an error if there are no judgments, as when they are read locally."""
    if not any(
        get_join_stats(stats).n_queries for report in reports for stats in report["join_stats"]
    ):
        message = f"{qrels.place}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")


def get_join_stats(stats: Any) -> JoinStats:
    """Return the statistics of a join for any type of rankings."""
    joined: JoinStats = getattr(stats, "joined", stats)
    return joined


def add_skipped_rows(stats: Any, qrels: SkippedRows, run: SkippedRows) -> Any:
    """Add to the statistics what was skipped before workers got the rows."""
    if isinstance(stats, GroupStats):
        return replace(
            stats,
            joined=add_skipped_rows(stats.joined, SkippedRows(), run),
            n_judged_twice=stats.n_judged_twice + qrels.n_judged_twice,
            n_comments=stats.n_comments + qrels.n_comments,
        )
    if not isinstance(stats, JoinStats):
        return replace(stats, joined=add_skipped_rows(stats.joined, qrels, run))
    return replace(
        stats,
        n_comments=stats.n_comments + run.n_comments,
        n_qrels_comments=stats.n_qrels_comments + qrels.n_comments,
        n_judged_twice=stats.n_judged_twice + qrels.n_judged_twice,
        long_lines=run.long_lines,
        n_returns=run.n_returns,
    )


def diagnose_order(
    stats_by_type: Mapping[Any, Any], run: str, qrels: SparkInput, rules: Rules
) -> list[Notice]:
    """Return a notice if a rule depends on the order of rows, which a DataFrame does not have."""
    stats = [get_join_stats(item) for item in stats_by_type.values()]
    picks_by_order = rules.duplicates in ("first", "last")
    n_twice = sum(item.n_duplicates for item in stats)
    if qrels.skipped_on_driver is None:
        n_twice += sum(
            getattr(item, "n_judged_twice", 0) for item in (*stats, *stats_by_type.values())
        )
    by_order = {
        f"order={rules.order}": rules.order == "file",
        f"ties={rules.ties}": rules.ties in ("input", "input-reversed")
        and any(item.n_tied for item in stats),
        f"duplicates={rules.duplicates}": picks_by_order and n_twice > 0,
    }
    order_rules = [name for name, depends in by_order.items() if depends]
    return [RowOrder(run, " ".join(order_rules))] if order_rules else []


class WorkerResults(NamedTuple):
    """The rows and summaries that the workers returned.

    Attributes:
        rows: The values of queries in the columns of ``Task.columns``; rows without a query hold
            the summaries of workers.
        reports: One summary per worker: a ``worker_error``, or the ``join_stats`` of every type of
            rankings and what ``worker`` reports about values.
        rankings: Rankings that measures of whole runs read, each for some of the queries.
    """

    rows: "DataFrame"
    reports: Reports
    rankings: Sequence[Rankings] = ()

    @classmethod
    def collect(cls, rows: "DataFrame") -> "WorkerResults":
        """Collect the summaries from the rows that have no query."""
        summaries = rows.where("query is null").select("summary").collect()
        return cls.parse(rows, [bytes(row["summary"]) for row in summaries])

    @classmethod
    def parse(cls, rows: "DataFrame", blobs: Sequence[bytes]) -> "WorkerResults":
        """Parse the summaries of workers."""
        reports = [deserialize(blob) for blob in blobs if blob.startswith(b"{")]
        rankings = [deserialize_rankings(blob) for blob in blobs if not blob.startswith(b"{")]
        return cls(rows, reports, rankings)


@contextmanager
def unpersist_on_error(rows: "DataFrame") -> Iterator[None]:
    """Unpersist the rows if an error is raised: the caller never gets them."""
    try:
        yield
    except BaseException:
        with ignore_stopped_session():
            rows.unpersist()
        raise


def gather_scores(
    results: WorkerResults,
    name: str,
    qrels: SparkInput,
    run: SparkInput,
    task: Task,
    *,
    dialect: "Dialect | None" = None,
) -> SparkScores:
    """Return the scores of a run, whose values stay on Spark."""
    reports, rules = results.reports, task.rules
    notices = _diagnose_joins(reports, name, qrels, run, task)
    raise_first_error(_list_errors(reports), qrels, run)
    notices += diagnose_values(_merge_undefined(reports, task), rules)
    notices += [] if dialect is None else diagnose_dialect(dialect, task.resolved)
    return SparkScores(
        run=name,
        measures=tuple(task.resolved),
        rules=rules,
        notices=tuple(dict.fromkeys(notices)),
        overall=_compute_overall(results.rankings, task),
        dialect=dialect,
        cached=_cache_values(results, task),
    )


def _list_errors(reports: Reports) -> list[dict[str, Any]]:
    return [report["worker_error"] for report in reports if "worker_error" in report]


def _diagnose_joins(
    reports: Reports, name: str, qrels: SparkInput, run: SparkInput, task: Task
) -> list[Notice]:
    """Return the notices about the rows; raise the error that the local pipeline raises."""
    failed = [report for report in reports if "join_stats" not in report]
    raise_first_error(_list_errors(failed), qrels, run)
    check_judgments(reports, qrels)
    stats_by_type = dict(
        zip(task.ranking_types, map(add_stats, _transpose(reports, "join_stats")), strict=True)
    )
    stats_by_type = {
        ranking_type: add_skipped_rows(stats, qrels.skipped, run.skipped)
        for ranking_type, stats in stats_by_type.items()
    }
    judged_twice = qrels.skipped.duplicates or task.rules.duplicate_rule
    names = SourceNames(name, run.place, qrels.place, judged_twice, run.locator)
    notices = diagnose_joins(
        stats_by_type, dict.fromkeys(stats_by_type, names), task.rules, task.data
    )
    return notices + diagnose_order(stats_by_type, name, qrels, task.rules)


def _merge_undefined(reports: Reports, task: Task) -> dict[Measure, UndefinedQueries]:
    """Return the queries that measures have no value for, in the order of their ids."""
    by_worker = [[report["undefined"][i] for i in report["undefined_of"]] for report in reports]
    merged: dict[tuple[UndefinedQueries, ...], UndefinedQueries] = {}
    by_measure = {}
    for measure, parts in zip(task.resolved, zip(*by_worker, strict=True), strict=True):
        if parts not in merged:
            merged[parts] = UndefinedQueries(
                *(tuple(sorted(chain.from_iterable(names))) for names in zip(*parts, strict=True))
            )
        by_measure[measure] = merged[parts]
    return by_measure


def _compute_overall(rankings: Sequence[Rankings], task: Task) -> dict[Measure, float]:
    """Return the values of measures of whole runs."""
    by_type = {
        ranking_type: merge_rankings(
            [subset for subset in rankings if type(subset) is ranking_type], task.data
        )
        for ranking_type in task.whole_run_types
    }
    return {
        name: measure.compute_overall(
            next(by_type[t] for t in by_type if issubclass(t, measure.reads))
        )
        for name, measure in task.resolved.items()
        if measure.whole
    }


def _cache_values(results: WorkerResults, task: Task) -> CachedValues:
    reports, averages = results.reports, {}
    n_queries = sum(report["n_queries"] for report in reports)
    for (name, measure), sums in zip(
        task.resolved.items(), _transpose(reports, "sums"), strict=True
    ):
        average = None if measure.whole else average_sums(measure.average, sums)
        if average is not None:
            averages[name] = average
    shares = {}
    for cutoff, sums in zip(task.cutoffs, _transpose(reports, "judged"), strict=True):
        mean_of_all, mean_of_returned = (
            average_sums("mean", sums, of=n_queries),
            average_sums("mean", sums),
        )
        assert mean_of_all is not None
        assert mean_of_returned is not None
        shares[cutoff] = mean_of_all, mean_of_returned
    return CachedValues(results.rows, task, n_queries, averages, shares)


def _transpose(reports: Reports, key: str) -> list[tuple[Any, ...]]:
    """Transpose lists that all workers report: one tuple per entry, with a value per worker."""
    return list(zip(*(report[key] for report in reports), strict=True))


def raise_first_error(
    worker_errors: Sequence[dict[str, Any]], qrels: SparkInput, run: SparkInput
) -> None:
    """Raise the error that the local pipeline would have met first, if there is any."""
    if not worker_errors:
        return
    first = min(worker_errors, key=lambda error: (error["stage"], error["first"]))
    if first["bad_input"] is None:
        error_type: type[GainfulError] = getattr(errors, first["kind"])
        raise error_type(first["message"], code=first["code"], query=first["first"])
    reason, line, column, text, query, item, *pair = first["bad_input"]
    source = qrels if first["holds"] == "qrels" else run
    texts = [part.encode("utf-8", "surrogateescape") for part in (text, query, item)]
    bad_input = _native.BadInput(reason, line, column, *texts, *pair)
    raise source.describe_error(bad_input) from None


def evaluate_partitions(
    qrels: SparkInput, run: SparkInput, task: Task, partitions: int | None
) -> WorkerResults:
    """Evaluate whole queries on workers, after the rows are hashed by query.

    The values stay on Spark, persisted.
    """
    from pyspark.sql import functions as F

    first = qrels.frame.withColumn("position", F.col("position") + F.lit(QRELS_OFFSET))
    rows_of_both = first.unionByName(run.frame, allowMissingColumns=True)
    if partitions is None:
        by_query = rows_of_both.repartition("query")
    else:
        by_query = rows_of_both.repartition(partitions, "query")
    worker_task = replace(task, has_scores="number" in run.frame.columns)
    rows = by_query.mapInArrow(partial(_evaluate_on_worker, task=worker_task), task.schema)
    with unpersist_on_error(rows):
        return WorkerResults.collect(rows.persist())


def _evaluate_on_worker(batches: Any, task: Task) -> Any:
    from gainful.spark.worker import evaluate_partition  # needs pyarrow

    return evaluate_partition(batches, task)
