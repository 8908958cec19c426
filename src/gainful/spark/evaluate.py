"""evaluate() on Spark: the pipeline of ``gainful.evaluate``, run by Spark's workers."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.alignment import (
    GroupStats,
    ItemStats,
    JudgedRankings,
    Rules,
    add_stats,
    merge_rankings,
)
from gainful.diagnostics import Notice, RowOrder, SourceNames, diagnose_joins
from gainful.errors import SourceError, SparkError
from gainful.evaluation import (
    DEFAULT_MEASURES,
    Measures,
    Scores,
    UndefinedQueries,
    Weights,
    attach_query_data,
    diagnose_dialect,
    diagnose_values,
    name_dialect_in_errors,
    read_query_data,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
)
from gainful.sources import ItemData, RowLocator, read_items
from gainful.spark.failures import translate_errors
from gainful.spark.inputs import (
    SourceOptions,
    SparkInput,
    find_spark_frames,
    load_qrels,
    load_run,
)
from gainful.spark.large_queries import rank_large_queries
from gainful.spark.session import get_session
from gainful.spark.task import MAX_QUERY_ROWS, SCHEMA, Outcome, Task, unpack_outcomes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from gainful.dialects import Dialect


def evaluate(
    qrels: object,
    run: object,
    measures: Measures = DEFAULT_MEASURES,
    *,
    name: str | None = None,
    items: object = None,
    queries: object = None,
    weights: Weights | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    columns: Mapping[str, str] | None = None,
    format: str | Mapping[str, str] | None = None,
    partitions: int | None = None,
    spark: object = None,
) -> Scores:
    """Compute the measures for every judged query of one run.

    Args:
        qrels: A DataFrame of Spark, the name of a table or view, a path that Spark can read, or
            anything on this machine that ``read_qrels`` takes, or returned.
        run: A DataFrame, a table, a path, or what ``read_run`` makes of one.
        measures: As for ``gainful.evaluate``.
        name: What to call the run; by default the name of its table or file, else ``run``.
        items: As for ``gainful.evaluate``.
        queries: As for ``gainful.evaluate``.
        weights: As for ``gainful.evaluate``.
        rules: How to join, rank and average. Rules that look at the order of rows mean the order
            in which ``collect()`` would return them.
        dialect: As for ``gainful.evaluate``.
        columns: What columns are called: ``{"query": "qid", "qrels.label": "grade"}``.
        format: The format of files, if it cannot be detected: ``"trec"``, ``"csv"``,
            or any that Spark knows; ``{"run": "parquet"}`` is that of one side.
        partitions: How many parts the queries are split into; Spark decides if not given.
        spark: The session; that of a DataFrame, or the active one, if not given.

    Returns:
        The scores, as ``gainful.evaluate`` returns them, with queries in the order of their ids.
        All values come to this machine; nothing stays cached on Spark.

    Raises:
        SourceError: Rows cannot be read; the message names the table and an example row.
        AlignError: Qrels and run do not fit together: they share no query, for example.
        MeasureError: A measure or one of its settings is unknown, or needs other judgments.
        RuleError: The dialect is unknown, or both ``dialect`` and ``rules`` are given.
        SparkError: There is no session, Spark failed, or it cannot do what was asked for.
    """
    (scores,) = evaluate_runs(
        qrels,
        [run],
        measures,
        names=[name],
        items=items,
        queries=queries,
        weights=weights,
        rules=rules,
        dialect=dialect,
        columns=columns,
        format=format,
        partitions=partitions,
        spark=spark,
    )
    return scores


def evaluate_runs(
    qrels: object,
    runs: Iterable[Any],
    measures: Measures = DEFAULT_MEASURES,
    *,
    names: Iterable[str | None] | None = None,
    items: object = None,
    queries: object = None,
    weights: Weights | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    columns: Mapping[str, str] | None = None,
    format: str | Mapping[str, str] | None = None,
    partitions: int | None = None,
    spark: object = None,
) -> list[Scores]:
    """Evaluate several runs, in their order. For arguments see ``evaluate``.

    Qrels on this machine are read and sent once; those that Spark reads, it reads for every run,
    unless they are persisted.
    """
    resolved_dialect = resolve_dialect(dialect, rules)
    rules = resolve_rules(rules, qrels) if resolved_dialect is None else resolved_dialect.rules
    _check_partitions(partitions)
    query_data, sources = read_query_data(queries, weights), list(runs)
    options = SourceOptions(columns, format)
    run_names = _check_names(names, len(sources))
    data = ItemData() if items is None else read_items(items)
    resolved = resolve_measures(measures, resolved_dialect)
    task = Task(resolved, rules, data, max_query_rows=MAX_QUERY_ROWS)
    _check_whole_run_measures(task)
    collected = []
    with name_dialect_in_errors(resolved_dialect), translate_errors():
        session = get_session(spark, find_spark_frames(*sources, qrels))
        spark_qrels = load_qrels(session, qrels, task, options)
        task = replace(task, are_collapsed=spark_qrels.judgments is not None)
        for source, run_name in zip(sources, run_names, strict=True):
            name, spark_run = load_run(session, source, rules, options, run_name)
            run_task = replace(task, run_place=spark_run.place, qrels_place=spark_qrels.place)
            outcomes = _evaluate_partitions(spark_qrels, spark_run, run_task, partitions)
            scores = _gather_scores(outcomes, name, spark_qrels, run_task, resolved_dialect)
            if query_data is not None or weights is not None:
                scores = attach_query_data(scores, query_data, weights)
            collected.append(scores)
    return collected


def _check_names(names: Iterable[str | None] | None, n_runs: int) -> list[str | None]:
    run_names: list[str | None] = [None] * n_runs if names is None else list(names)
    if len(run_names) != n_runs:
        message = f"names: must be as many as there are runs ({n_runs}), got {len(run_names)}."
        raise SparkError(message, code="bad-argument")
    return run_names


def _check_partitions(partitions: object) -> None:
    if partitions is None or (type(partitions) is int and partitions >= 1):
        return
    message = f"partitions: must be an integer >= 1, got {partitions!r}."
    raise SparkError(message, code="bad-argument")


def _check_whole_run_measures(task: Task) -> None:
    for name, measure in task.resolved.items():
        if measure.whole and not issubclass(measure.reads, JudgedRankings):
            message = (
                f"{name}: describes the whole run by {measure.reads.__name__}, which stay on "
                "Spark. Evaluate it without Spark."
            )
            raise SparkError(message, code="bad-argument")


def _evaluate_partitions(
    qrels: SparkInput, run: SparkInput, task: Task, partitions: int | None
) -> list[Outcome]:
    """Return what the workers made of the queries, and of those that Spark has to rank."""
    from pyspark.sql import functions as F

    from gainful.spark.worker import evaluate_hits, evaluate_partition  # needs pyarrow

    first = qrels.frame.withColumn("is_run", F.lit(False))
    second = run.frame.withColumn("is_run", F.lit(True))
    rows = first.unionByName(second, allowMissingColumns=True)
    outcomes = _run_workers(rows, evaluate_partition, task, partitions)
    large = sorted(chain.from_iterable(outcome.large for outcome in outcomes))
    if large:
        _raise_first_error(outcomes)
        rows = rank_large_queries(qrels, run, large, task)
        hits_task = replace(task, max_query_rows=sys.maxsize)
        outcomes += _run_workers(rows, evaluate_hits, hits_task, partitions)
    return outcomes


def _run_workers(
    rows: "DataFrame", evaluate_rows: Any, task: Task, partitions: int | None
) -> list[Outcome]:
    numbers = () if partitions is None else (partitions,)
    by_query = rows.repartition(*numbers, "query")
    return unpack_outcomes(by_query.mapInArrow(partial(evaluate_rows, task=task), SCHEMA).toArrow())


def _gather_scores(
    outcomes: Sequence[Outcome],
    name: str,
    qrels: SparkInput,
    task: Task,
    dialect: "Dialect | None",
) -> Scores:
    """Return the scores of all queries, in the order of their ids."""
    _raise_first_error([outcome for outcome in outcomes if not outcome.stats])
    notices = _diagnose_joins(outcomes, name, qrels, task)
    _raise_first_error(outcomes)
    measures = list(task.resolved)
    queries = list(chain.from_iterable(outcome.queries for outcome in outcomes))
    order = np.array(sorted(range(len(queries)), key=queries.__getitem__), dtype=np.int64)

    def merge(name: str, number: int) -> Any:
        return np.concatenate([getattr(outcome, name)[number] for outcome in outcomes])[order]

    undefined = {
        measure: UndefinedQueries(
            *(
                tuple(sorted(chain.from_iterable(ids)))
                for ids in zip(*(outcome.undefined[i] for outcome in outcomes), strict=True)
            )
        )
        for i, measure in enumerate(measures)
    }
    notices += diagnose_values(undefined, task.rules)
    judged = [i for i, share in enumerate(outcomes[0].judged) if share is not None]
    return Scores(
        run=name,
        queries=tuple(queries[i] for i in order.tolist()),
        measures=tuple(measures),
        values=np.stack([merge("values", i) for i in range(len(measures))], axis=1),
        rules=task.rules,
        notices=(*dict.fromkeys(notices), *diagnose_dialect(dialect, task.resolved)),
        overall=_compute_overall(outcomes, task),
        judged={measures[i]: merge("judged", i) for i in judged},
        empty={m: merge("empty", i) for i, m in enumerate(measures) if outcomes[0].empty},
        dialect=dialect,
    )


def _raise_first_error(outcomes: Sequence[Outcome]) -> None:
    """Raise the error that the local pipeline would meet first, if there is any."""
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    if failed:
        first = min(failed, key=lambda outcome: (outcome.stage, str(outcome.error)))
        assert first.error is not None
        raise first.error


def _diagnose_joins(
    outcomes: Sequence[Outcome], name: str, qrels: SparkInput, task: Task
) -> list[Notice]:
    """Return the notices about the rows; raise the errors that the local pipeline raises."""
    by_type = zip(*(outcome.stats for outcome in outcomes), strict=True)
    stats: dict[Any, Any] = dict(
        zip(task.ranking_types, map(add_stats, by_type), strict=bool(outcomes))
    )
    if not any(getattr(counts, "joined", counts).n_queries for counts in stats.values()):
        message = f"{qrels.place}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")
    order_notices = _diagnose_order(stats.values(), name, task.rules)
    duplicates = task.rules.duplicate_rule
    if qrels.judgments is not None:
        duplicates = qrels.judgments.duplicates
        stats = {kind: _add_skipped(counts, qrels.judgments) for kind, counts in stats.items()}
    locator = RowLocator(task.run_place)
    names = SourceNames(name, task.run_place, qrels.place, duplicates, locator)
    join_notices = diagnose_joins(stats, dict.fromkeys(stats, names), task.rules, task.data)
    return join_notices + order_notices


def _add_skipped(stats: Any, judgments: Any) -> Any:
    """Add the rows that were skipped when the judgments were read on the driver."""
    if isinstance(stats, ItemStats):
        return replace(stats, joined=_add_skipped(stats.joined, judgments))
    if isinstance(stats, GroupStats):
        n_twice, n_comments = judgments.n_duplicates, judgments.n_comments
        return replace(stats, n_judged_twice=n_twice, n_comments=n_comments)
    n_twice, n_comments = judgments.index.n_duplicates, judgments.n_comments
    return replace(stats, n_judged_twice=n_twice, n_qrels_comments=n_comments)


def _diagnose_order(stats: Iterable[Any], run: str, rules: Rules) -> list[Notice]:
    """Return a notice if a rule depends on the order of rows, which a DataFrame does not have."""
    joins = [getattr(counts, "joined", counts) for counts in stats]
    has_ties = any(join.n_tied for join in joins)
    has_duplicates = any(join.n_duplicates or join.n_judged_twice for join in joins)
    by_order = {
        f"order={rules.order}": rules.order == "file",
        f"ties={rules.ties}": has_ties and rules.ties in ("input", "input-reversed"),
        f"duplicates={rules.duplicates}": has_duplicates and rules.duplicates in ("first", "last"),
    }
    order_rules = [name for name, depends in by_order.items() if depends]
    return [RowOrder(run, " ".join(order_rules))] if order_rules else []


def _compute_overall(outcomes: Sequence[Outcome], task: Task) -> dict[Any, float]:
    """Return the values of measures of the whole run."""
    merged = {
        kind: merge_rankings([outcome.rankings[kind] for outcome in outcomes], task.data)
        for kind in outcomes[0].rankings
    }
    return {
        name: measure.compute_overall(
            next(ranked for kind, ranked in merged.items() if issubclass(kind, measure.reads))
        )
        for name, measure in task.resolved.items()
        if measure.whole
    }
