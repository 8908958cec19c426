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
from gainful.spark.frames import QRELS_OFFSET, SkippedRows, SparkInput
from gainful.spark.scores import CachedValues, SparkScores
from gainful.spark.serialization import deserialize, deserialize_rankings, merge_rankings
from gainful.spark.task import Task, average_sums

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from gainful.dialects import Dialect

Reports = Sequence[Mapping[str, Any]]


def check_judgments(reports: Reports, qrels: SparkInput) -> None:
    """Raise an error if there are no judgments, as when they are read locally."""
    if not any(get_join_stats(facts).n_queries for report in reports for facts in report["facts"]):
        message = f"{qrels.place}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")


def get_join_stats(facts: Any) -> JoinStats:
    """Return the statistics of a join for any type of rankings."""
    stats: JoinStats = getattr(facts, "joined", facts)
    return stats


def add_skipped_rows(facts: Any, qrels: SkippedRows, run: SkippedRows) -> Any:
    """Add to the statistics what was skipped before workers got the rows."""
    if isinstance(facts, GroupStats):
        return replace(
            facts,
            joined=add_skipped_rows(facts.joined, SkippedRows(), run),
            n_judged_twice=facts.n_judged_twice + qrels.n_judged_twice,
            n_comments=facts.n_comments + qrels.n_comments,
        )
    if not isinstance(facts, JoinStats):
        return replace(facts, joined=add_skipped_rows(facts.joined, qrels, run))
    return replace(
        facts,
        n_comments=facts.n_comments + run.n_comments,
        n_qrels_comments=facts.n_qrels_comments + qrels.n_comments,
        n_judged_twice=facts.n_judged_twice + qrels.n_judged_twice,
        long_lines=run.long_lines,
        n_returns=run.n_returns,
    )


def diagnose_order(
    facts: Mapping[Any, Any], run: str, qrels: SparkInput, rules: Rules
) -> list[Notice]:
    """Return a notice if a rule depends on the order of rows, which a DataFrame does not have."""
    stats = [get_join_stats(item) for item in facts.values()]
    picks = rules.duplicates in ("first", "last")
    n_twice = sum(item.n_duplicates for item in stats)
    if qrels.read_here is None:
        n_twice += sum(getattr(item, "n_judged_twice", 0) for item in (*stats, *facts.values()))
    by_order = {
        f"order={rules.order}": rules.order == "file",
        f"ties={rules.ties}": rules.ties in ("input", "input-reversed")
        and any(item.n_tied for item in stats),
        f"duplicates={rules.duplicates}": picks and n_twice > 0,
    }
    used = [name for name, depends in by_order.items() if depends]
    return [RowOrder(run, " ".join(used))] if used else []


class Outcome(NamedTuple):
    """What the workers returned.

    Attributes:
        rows: The values of queries in the columns of ``Task.columns``; rows without a query hold
            the summaries of workers.
        reports: One summary per worker: a ``fault``, or the ``facts`` of every type of rankings
            and what ``worker`` reports about values.
        rankings: Rankings that measures of whole runs read, each for some of the queries.
    """

    rows: "DataFrame"
    reports: Reports
    rankings: Sequence[Rankings] = ()

    @classmethod
    def collect(cls, rows: "DataFrame") -> "Outcome":
        """Collect the summaries from the rows that have no query."""
        summaries = rows.where("query is null").select("about").collect()
        return cls.parse(rows, [bytes(row["about"]) for row in summaries])

    @classmethod
    def parse(cls, rows: "DataFrame", blobs: Sequence[bytes]) -> "Outcome":
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
    outcome: Outcome,
    name: str,
    qrels: SparkInput,
    run: SparkInput,
    task: Task,
    *,
    dialect: "Dialect | None" = None,
) -> SparkScores:
    """Return the scores of a run, whose values stay on Spark."""
    reports, rules = outcome.reports, task.rules
    notices = _diagnose_joins(reports, name, qrels, run, task)
    raise_first_fault(_list_faults(reports), qrels, run)
    notices += diagnose_values(_merge_lacking(reports, task), rules)
    notices += [] if dialect is None else diagnose_dialect(dialect, task.resolved)
    return SparkScores(
        run=name,
        measures=tuple(task.resolved),
        rules=rules,
        notices=tuple(dict.fromkeys(notices)),
        overall=_compute_overall(outcome.rankings, task),
        dialect=dialect,
        cached=_cache_values(outcome, task),
    )


def _list_faults(reports: Reports) -> list[dict[str, Any]]:
    return [report["fault"] for report in reports if "fault" in report]


def _diagnose_joins(
    reports: Reports, name: str, qrels: SparkInput, run: SparkInput, task: Task
) -> list[Notice]:
    """Return the notices about the rows; raise the error that the local pipeline raises."""
    failed = [report for report in reports if "facts" not in report]
    raise_first_fault(_list_faults(failed), qrels, run)
    check_judgments(reports, qrels)
    facts = dict(zip(task.ranking_types, map(add_stats, _transpose(reports, "facts")), strict=True))
    facts = {
        ranking_type: add_skipped_rows(stats, qrels.skipped, run.skipped)
        for ranking_type, stats in facts.items()
    }
    judged_twice = qrels.skipped.duplicates or task.rules.kept
    names = SourceNames(name, run.place, qrels.place, judged_twice, run.locator)
    notices = diagnose_joins(facts, dict.fromkeys(facts, names), task.rules, task.data)
    return notices + diagnose_order(facts, name, qrels, task.rules)


def _merge_lacking(reports: Reports, task: Task) -> dict[Measure, UndefinedQueries]:
    """Return the queries that measures have no value for, in the order of their ids."""
    by_worker = [[report["lacking"][i] for i in report["lacking_of"]] for report in reports]
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
        whole: merge_rankings([part for part in rankings if type(part) is whole], task.data)
        for whole in task.whole_run_types
    }
    return {
        name: measure.overall(next(by_type[t] for t in by_type if issubclass(t, measure.reads)))
        for name, measure in task.resolved.items()
        if measure.whole
    }


def _cache_values(outcome: Outcome, task: Task) -> CachedValues:
    reports, averages = outcome.reports, {}
    n_queries = sum(report["n_queries"] for report in reports)
    for (name, measure), sums in zip(
        task.resolved.items(), _transpose(reports, "sums"), strict=True
    ):
        is_ordered = measure.average == "mean" and task.rules.averaging is not None
        average = None if is_ordered or measure.whole else average_sums(measure.average, sums)
        if average is not None:
            averages[name] = average
    shares = {}
    for cutoff, sums in zip(task.cutoffs, _transpose(reports, "judged"), strict=True):
        of_all, of_returned = average_sums("mean", sums, of=n_queries), average_sums("mean", sums)
        assert of_all is not None
        assert of_returned is not None
        shares[cutoff] = of_all, of_returned
    return CachedValues(outcome.rows, task, n_queries, averages, shares)


def _transpose(reports: Reports, key: str) -> list[tuple[Any, ...]]:
    """Return what all workers report about the first, about the second, and so on."""
    return list(zip(*(report[key] for report in reports), strict=True))


def raise_first_fault(faults: Sequence[dict[str, Any]], qrels: SparkInput, run: SparkInput) -> None:
    """Raise the fault that the local pipeline would have met first, if there is any."""
    if not faults:
        return
    first = min(faults, key=lambda fault: (fault["stage"], fault["first"]))
    if first["found"] is None:
        error_type: type[GainfulError] = getattr(errors, first["kind"])
        raise error_type(first["message"], code=first["code"], query=first["first"])
    reason, line, column, text, query, item, *pair = first["found"]
    source = qrels if first["holds"] == "qrels" else run
    texts = [part.encode("utf-8", "surrogateescape") for part in (text, query, item)]
    bad_input = _native.BadInput(reason, line, column, *texts, *pair)
    raise source.describe_error(bad_input) from None


def evaluate_partitions(
    qrels: SparkInput, run: SparkInput, task: Task, partitions: int | None
) -> Outcome:
    """Evaluate whole queries on workers, after the rows are hashed by query.

    The values stay on Spark, persisted.
    """
    from pyspark.sql import functions as F

    first = qrels.frame.withColumn("position", F.col("position") + F.lit(QRELS_OFFSET))
    both = first.unionByName(run.frame, allowMissingColumns=True)
    if partitions is None:
        by_query = both.repartition("query")
    else:
        by_query = both.repartition(partitions, "query")
    worker_task = replace(task, has_scores="number" in run.frame.columns)
    rows = by_query.mapInArrow(partial(_evaluate_on_worker, task=worker_task), task.schema)
    with unpersist_on_error(rows):
        return Outcome.collect(rows.persist())


def _evaluate_on_worker(batches: Any, task: Task) -> Any:
    from gainful.spark.worker import evaluate_partition  # needs pyarrow

    return evaluate_partition(batches, task)
