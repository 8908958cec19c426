"""SparkScores: Scores whose values stay on Spark until they are asked for."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.results import Scores
from gainful.wording import count

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from gainful.engines.spark.task import Task


class SparkScores(Scores):
    """Scores of a run that was evaluated on Spark.

    Means, rules and notices are there at once. The values of queries are in a DataFrame, and are
    collected when they are asked for: by ``per_query()``, ``worst()``, ``to_polars()``, by
    ``compare_scores`` and all else that ``Scores`` can do. Queries stand in the order of their ids,
    wherever Spark had them.
    """

    rows: "DataFrame"
    task: "Task"
    means: Mapping[Measure, float]
    n_queries: int

    # Not a dataclass of its own: what is collected later has no place among its arguments.
    def __init__(
        self,
        *,
        rows: "DataFrame | None" = None,
        task: "Task | None" = None,
        means: Mapping[Measure, float] | None = None,
        n_queries: int | None = None,
        **held: Any,
    ) -> None:
        vars(self).update(held, rows=rows, task=task, means=means or {}, n_queries=n_queries)

    def __getitem__(self, measure: str | Measure) -> float:
        """The average of one measure over the queries, or its number for the whole run."""
        wanted = self._known(measure)
        mean = self.means.get(wanted)
        if mean is None or self.weights is not None:
            return super().__getitem__(wanted)
        return mean if self.rules.decimals is None else round(mean, self.rules.decimals)

    def to_spark(self, *, shape: str = "tidy") -> "DataFrame":
        """The values of queries as a DataFrame, tidy (the default) or wide."""
        raise NotImplementedError

    @cached_property
    def _collected(self) -> Any:
        found = self.rows.where("query is not null").drop("about").toArrow()
        order = np.argsort(np.array(found.column("query").to_pylist(), dtype=object))
        return found.take(order)

    @cached_property
    def queries(self) -> tuple[str, ...]:  # type: ignore[override]
        """The id of each query, in the order of the ids."""
        return tuple(self._collected.column("query").to_pylist())

    @cached_property
    def values(self) -> FloatArray:  # type: ignore[override]
        """One row per query, one column per measure."""
        columns = [self._column(f"v{i}") for i in range(len(self.measures))]
        return np.stack(columns, axis=1)

    def _column(self, name: str) -> Any:
        return self._collected.column(name).to_numpy()

    def _n_queries(self) -> str:
        return count(self.n_queries, "query", "queries")
