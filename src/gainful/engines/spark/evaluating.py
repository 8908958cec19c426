"""evaluate() on Spark: the pipeline of ``gainful.evaluate``, spread over workers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from gainful.asked import DEFAULT_MEASURES, Measures, as_dialect, as_rules, settled_measures
from gainful.engines.spark.choosing import chosen
from gainful.engines.spark.counting.strategy import counted
from gainful.engines.spark.failures import in_words
from gainful.engines.spark.frames import Given
from gainful.engines.spark.gathering import Outcome, gathered, unpersisted_on_error
from gainful.engines.spark.inputs import Said, qrels_on, run_on, spark_frames
from gainful.engines.spark.partition import partitioned
from gainful.engines.spark.scores import SparkScores
from gainful.engines.spark.session import session_for
from gainful.engines.spark.settings import settings
from gainful.engines.spark.task import Task
from gainful.errors import EngineError
from gainful.in_dialect import refusing_in
from gainful.rules import Rules
from gainful.sources import ItemData, read_items
from gainful.wording import meant

if TYPE_CHECKING:
    from gainful.dialects import Dialect

Strategy = Callable[[Given, Given, Task, int | None], Outcome]
STRATEGIES: dict[str, Strategy] = {"partition": partitioned, "count": counted}


def evaluate(
    qrels: Any,
    run: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    name: str | None = None,
    items: Any = None,
    queries: Any = None,
    weights: str | Mapping[Any, float] | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    columns: Mapping[str, str] | None = None,
    format: str | Mapping[str, str] | None = None,
    strategy: str = "auto",
    partitions: int | None = None,
    spark: Any = None,
) -> SparkScores:
    """The values of the measures for every judged query of one run.

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
    how: Any = {"items": items, "queries": queries, "weights": weights, "rules": rules}
    how |= {"dialect": dialect, "columns": columns, "format": format, "strategy": strategy}
    how |= {"partitions": partitions, "spark": spark}
    return evaluate_each(qrels, [run], measures, names=[name], **how)[0]


def evaluate_each(
    qrels: Any,
    runs: Iterable[Any],
    measures: Measures = DEFAULT_MEASURES,
    *,
    names: Iterable[str | None] | None = None,
    items: Any = None,
    queries: Any = None,
    weights: str | Mapping[Any, float] | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    columns: Mapping[str, str] | None = None,
    format: str | Mapping[str, str] | None = None,
    strategy: str = "auto",
    partitions: int | None = None,
    spark: Any = None,
) -> list[SparkScores]:
    """The values for every run, in their order. For arguments see ``evaluate``.

    Qrels on this machine are read and sent once; those that Spark reads, it reads for every run,
    unless they are persisted.
    """
    spoken = as_dialect(dialect, rules)
    rules = as_rules(rules) if spoken is None else spoken.rules
    worked_out = _strategy(strategy)
    _check_partitions(partitions)
    told, several, said = _told(queries, weights), list(runs), Said(columns, format)
    called = _names(names, len(several))
    data = ItemData() if items is None else read_items(items)
    task = Task(settled_measures(measures, spoken), rules, data)
    with refusing_in(spoken), in_words():
        session = session_for(spark, spark_frames(*several, qrels))
        with settings(session), released_on_error() as found:
            judged = qrels_on(session, qrels, task, said)
            task = task.reading(read_before=judged.known is not None)
            for run, own in zip(several, called, strict=True):
                name, ranked = run_on(session, run, rules, said, own)
                once = replace(task, mark=uuid4().hex)
                outcome = worked_out(judged, ranked, once, partitions)
                with unpersisted_on_error(outcome.rows):
                    scores = gathered(outcome, name, judged, ranked, once, dialect=spoken)
                found.append(scores)
                found[-1] = told(scores)
            return found


@contextmanager
def released_on_error() -> Iterator[list[SparkScores]]:
    """A list for scores, whose values are let go of if there is an error before all are there."""
    found: list[SparkScores] = []
    try:
        yield found
    except BaseException:
        for scores in found:
            scores.release()
        raise


def _names(names: Iterable[str | None] | None, n_runs: int) -> list[str | None]:
    found: list[str | None] = [None] * n_runs if names is None else list(names)
    if len(found) != n_runs:
        message = f"names: must be as many as there are runs ({n_runs}), got {len(found)}."
        raise EngineError(message, code="bad-argument")
    return found


def _strategy(name: str) -> Strategy:
    known = ["auto", *STRATEGIES]
    if name not in known:
        hint = meant(str(name), known)
        message = f"strategy: must be one of {', '.join(known)}, got {name!r}.{hint}"
        raise EngineError(message, code="bad-argument")
    return chosen if name == "auto" else STRATEGIES[name]


def _check_partitions(partitions: Any) -> None:
    if partitions is None or (type(partitions) is int and partitions >= 1):
        return
    message = f"partitions: must be an integer >= 1, got {partitions!r}."
    raise EngineError(message, code="bad-argument")


def _told(queries: Any, weights: Any) -> Callable[[SparkScores], SparkScores]:
    """What adds to scores what is known of their queries."""
    if queries is None and weights is None:
        return lambda scores: scores
    from gainful.about_queries import known_queries, with_data

    data = known_queries(queries, weights)
    return lambda scores: with_data(scores, data, weights)  # type: ignore[return-value]
