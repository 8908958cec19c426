"""evaluate() on Spark: the pipeline of ``gainful.evaluate``, spread over workers."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gainful.asked import DEFAULT_MEASURES, Measures, as_dialect, as_rules, settled_measures
from gainful.engines.spark.count import counted
from gainful.engines.spark.frames import Given, given_qrels, given_run
from gainful.engines.spark.gathering import Outcome, gathered
from gainful.engines.spark.partition import partitioned
from gainful.engines.spark.scores import SparkScores
from gainful.engines.spark.task import Task
from gainful.in_dialect import refusing_in
from gainful.rules import Rules
from gainful.sources import ItemData, read_items

if TYPE_CHECKING:
    from gainful.dialects import Dialect

Strategy = Callable[[Given, Given, Task, int | None], Outcome]
STRATEGIES: dict[str, Strategy] = {"partition": partitioned, "count": counted}


def evaluate(
    qrels: Any,
    run: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    items: Any = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    columns: Mapping[str, str] | None = None,
    strategy: str = "auto",
    partitions: int | None = None,
) -> SparkScores:
    """The values of the measures for every judged query of one run."""
    spoken = as_dialect(dialect, rules)
    rules = as_rules(rules) if spoken is None else spoken.rules
    data = ItemData() if items is None else read_items(items)
    task = Task(settled_measures(measures, spoken), rules, data)
    judged = given_qrels(qrels, "qrels", columns or {})
    ranked = given_run(run, "run 'run'", columns or {}, rules)
    with refusing_in(spoken):
        found = STRATEGIES["partition" if strategy == "auto" else strategy](
            judged, ranked, task, partitions
        )
        return gathered(found, "run", judged, ranked, task, dialect=spoken)


def evaluate_each(
    qrels: Any, runs: Iterable[Any], *arguments: Any, **how: Any
) -> list[SparkScores]:
    """The same for several runs."""
    return [evaluate(qrels, run, *arguments, **how) for run in runs]
