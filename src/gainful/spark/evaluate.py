"""evaluate() on Spark: the pipeline of ``gainful.evaluate``, run by Spark's workers."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from gainful.alignment import Rules
from gainful.errors import SparkError
from gainful.evaluation import (
    DEFAULT_MEASURES,
    Measures,
    Weights,
    attach_query_data,
    name_dialect_in_errors,
    read_query_data,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
)
from gainful.sources import ItemData, read_items
from gainful.spark.failures import translate_errors
from gainful.spark.gather import evaluate_partitions, gather_scores, unpersist_on_error
from gainful.spark.inputs import SourceOptions, find_spark_frames, load_qrels, load_run
from gainful.spark.scores import SparkScores
from gainful.spark.session import get_session, override_settings
from gainful.spark.task import Task

if TYPE_CHECKING:
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
) -> SparkScores:
    """Compute the measures for every judged query of one run.

    Args:
        qrels: A DataFrame of Spark, the name of a table or view, a path that Spark can read, or
            anything on this machine that ``read_qrels`` takes, or returned.
        run: A DataFrame, a table, a path, or what ``read_run`` makes of one.
        measures: As for ``gainful.evaluate``.
        name: What to call the run; by default the name of its table or file, else ``run``.
        items: As for ``gainful.evaluate``.
        queries: As for ``gainful.evaluate``; the values of queries are collected for it.
        weights: As for ``gainful.evaluate``; values are collected for it too.
        rules: How to join, rank and average. Rules that look at the order of rows mean the order
            in which ``collect()`` would return them.
        dialect: As for ``gainful.evaluate``.
        columns: What columns are called: ``{"query": "qid", "qrels.label": "grade"}``.
        format: The format of files, if it cannot be detected: ``"trec"``, ``"csv"``,
            or any that Spark knows; ``{"run": "parquet"}`` is that of one side.
        partitions: How many parts the queries are split into; Spark decides if not given.
        spark: The session; that of a DataFrame, or the active one, if not given.
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
) -> list[SparkScores]:
    """Evaluate several runs, in their order. For arguments see ``evaluate``.

    Qrels on this machine are read and sent once; those that Spark reads, it reads for every run,
    unless they are persisted.
    """
    resolved_dialect = resolve_dialect(dialect, rules)
    rules = resolve_rules(rules) if resolved_dialect is None else resolved_dialect.rules
    _check_partitions(partitions)
    query_data, sources = read_query_data(queries, weights), list(runs)
    options = SourceOptions(columns, format)
    run_names = _check_names(names, len(sources))
    data = ItemData() if items is None else read_items(items)
    task = Task(resolve_measures(measures, resolved_dialect), rules, data)
    with name_dialect_in_errors(resolved_dialect), translate_errors():
        session = get_session(spark, find_spark_frames(*sources, qrels))
        with override_settings(session), release_on_error() as collected:
            spark_qrels = load_qrels(session, qrels, task, options)
            task = task.with_qrels_rules(read_before=spark_qrels.skipped_on_driver is not None)
            for source, run_name in zip(sources, run_names, strict=True):
                name, spark_run = load_run(session, source, rules, options, run_name)
                run_task = replace(task, token=uuid4().hex)
                results = evaluate_partitions(spark_qrels, spark_run, run_task, partitions)
                with unpersist_on_error(results.rows):
                    scores = gather_scores(
                        results, name, spark_qrels, spark_run, run_task, dialect=resolved_dialect
                    )
                collected.append(scores)
                if query_data is not None or weights is not None:
                    collected[-1] = cast(
                        "SparkScores", attach_query_data(scores, query_data, weights)
                    )
            return collected


@contextmanager
def release_on_error() -> Iterator[list[SparkScores]]:
    """Collect scores in a list, and release all of them if an error is raised."""
    collected: list[SparkScores] = []
    try:
        yield collected
    except BaseException:
        for scores in collected:
            scores.release()
        raise


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
