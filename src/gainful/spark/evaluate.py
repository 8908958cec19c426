"""evaluate() on Spark: the pipeline of ``gainful.evaluate``, run by Spark's workers.

The strategy ``auto`` is ``partition``, unless a query has too many rows for one worker. Workers
find such a query while they read: the first that gets too many rows of a query reports it, and the
run is evaluated by ``count`` instead. Counting rows first would be one more pass over every run.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from gainful.alignment import Rules
from gainful.base import suggest_name
from gainful.errors import EngineError, UncountableError
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
from gainful.spark.counting import count_ranks
from gainful.spark.counting_layout import explain_uncountable
from gainful.spark.failures import translate_errors
from gainful.spark.frames import SparkInput
from gainful.spark.gather import Outcome, evaluate_partitions, gather_scores, unpersist_on_error
from gainful.spark.inputs import InputOptions, find_spark_frames, load_qrels, load_run
from gainful.spark.scores import SparkScores
from gainful.spark.session import get_session, override_settings
from gainful.spark.task import Task

if TYPE_CHECKING:
    from gainful.dialects import Dialect


MAX_QUERY_ROWS = 4_000_000  # at about 120 bytes a row in the memory of one worker


def evaluate_by_size(
    qrels: SparkInput, run: SparkInput, task: Task, partitions: int | None
) -> Outcome:
    """Evaluate by partition, or by count if a query is too large for one worker."""
    if explain_uncountable(task) is not None:
        return evaluate_partitions(qrels, run, task, partitions)
    limited = replace(task, max_query_rows=MAX_QUERY_ROWS)
    outcome = evaluate_partitions(qrels, run, limited, partitions)
    if not any("too_large" in report for report in outcome.reports):
        return outcome
    outcome.rows.unpersist()
    try:
        return count_ranks(qrels, run, task, partitions)
    except UncountableError:
        # The hits are too many to be sent: one worker may still have the memory for the query.
        return evaluate_partitions(qrels, run, task, partitions)


Strategy = Callable[[SparkInput, SparkInput, Task, int | None], Outcome]
STRATEGIES: dict[str, Strategy] = {"partition": evaluate_partitions, "count": count_ranks}


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
    strategy: str = "auto",
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
        format: The format of files where their names and lines do not tell: ``"trec"``, ``"csv"``,
            or any that Spark knows; ``{"run": "parquet"}`` is that of one side.
        strategy: ``"partition"``, ``"count"``, or ``"auto"``; the values do not depend on it.
        partitions: How many parts the queries are split into; Spark decides if not given.
        spark: The session; that of a DataFrame, or the active one, if not given.
    """
    (scores,) = evaluate_each(
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
        strategy=strategy,
        partitions=partitions,
        spark=spark,
    )
    return scores


def evaluate_each(
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
    strategy: str = "auto",
    partitions: int | None = None,
    spark: object = None,
) -> list[SparkScores]:
    """Evaluate several runs, in their order. For arguments see ``evaluate``.

    Qrels on this machine are read and sent once; those that Spark reads, it reads for every run,
    unless they are persisted.
    """
    resolved_dialect = resolve_dialect(dialect, rules)
    rules = resolve_rules(rules) if resolved_dialect is None else resolved_dialect.rules
    compute_outcome = _find_strategy(strategy)
    _check_partitions(partitions)
    query_data, sources = read_query_data(queries, weights), list(runs)
    options = InputOptions(columns, format)
    run_names = _check_names(names, len(sources))
    data = ItemData() if items is None else read_items(items)
    task = Task(resolve_measures(measures, resolved_dialect), rules, data)
    with name_dialect_in_errors(resolved_dialect), translate_errors():
        session = get_session(spark, find_spark_frames(*sources, qrels))
        with override_settings(session), release_on_error() as collected:
            judged = load_qrels(session, qrels, task, options)
            task = task.with_qrels_rules(read_before=judged.read_here is not None)
            for source, run_name in zip(sources, run_names, strict=True):
                name, ranked = load_run(session, source, rules, options, run_name)
                run_task = replace(task, token=uuid4().hex)
                outcome = compute_outcome(judged, ranked, run_task, partitions)
                with unpersist_on_error(outcome.rows):
                    scores = gather_scores(
                        outcome, name, judged, ranked, run_task, dialect=resolved_dialect
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
        raise EngineError(message, code="bad-argument")
    return run_names


def _find_strategy(name: str) -> Strategy:
    known = ["auto", *STRATEGIES]
    if name not in known:
        hint = suggest_name(str(name), known)
        message = f"strategy: must be one of {', '.join(known)}, got {name!r}.{hint}"
        raise EngineError(message, code="bad-argument")
    return evaluate_by_size if name == "auto" else STRATEGIES[name]


def _check_partitions(partitions: object) -> None:
    if partitions is None or (type(partitions) is int and partitions >= 1):
        return
    message = f"partitions: must be an integer >= 1, got {partitions!r}."
    raise EngineError(message, code="bad-argument")
