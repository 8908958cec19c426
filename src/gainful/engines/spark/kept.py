"""What Spark keeps of the values of a run, and what is collected of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.cached import cached_property
from gainful.engines.spark.averages import averaged, summed
from gainful.engines.spark.failures import in_words, unless_stopped
from gainful.engines.spark.faults import CHANGED, FAULTY
from gainful.engines.spark.settings import settings
from gainful.engines.spark.task import Task
from gainful.errors import EngineError, OutputError
from gainful.measures import Measure
from gainful.ragged import BoolArray, FloatArray
from gainful.rankings import JudgedRankings
from gainful.records import Frozen
from gainful.shapes import TIDY

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(eq=False, repr=False)
class Kept(Frozen):
    """The values of a run, where they are.

    Attributes:
        rows: One for each query, as ``Task.columns`` has it; others have no query.
        task: What was worked out.
        n_queries: How many queries there are.
        averages: Of the measures whose average is known without their values.
        shares: The means of Judged@k by its cutoff, over all queries and over those with results.
    """

    rows: "DataFrame"
    task: Task
    n_queries: int
    averages: Mapping[Measure, float]
    shares: Mapping[int | None, tuple[float, float]]

    @property
    def of_queries(self) -> "DataFrame":
        """The rows of queries; an error where Spark works them out again and finds a fault."""
        chosen = f"if({FAULTY}, raise_error('{CHANGED}'), query is not null)"
        return self.rows.where(chosen).drop("about")

    @cached_property
    def _collected(self) -> Any:
        import pyarrow.compute as pc

        with in_words(), settings(self.rows.sparkSession):
            table = self.of_queries.toArrow()
        self._check_same(table)
        # By their bytes, which is the order of their letters' numbers too.
        return table.take(pc.sort_indices(table, [("query", "ascending")]))

    def _check_same(self, table: Any) -> None:
        """Refuse values that are not those which the averages are of."""
        same = table.num_rows == self.n_queries
        for number, (one, its) in enumerate(self.task.settled.items()):
            if same and one in self.averages:
                again = averaged(its.average, [summed(its.average, table[f"v{number}"].to_numpy())])
                same = repr(again) == repr(self.averages[one])
        if not same:
            raise EngineError(CHANGED, code="rows-changed")

    def release(self) -> None:
        """Let go of the rows; a session that was stopped has done so."""
        with unless_stopped():
            self.rows.unpersist()

    def _column(self, name: str) -> Any:
        return self._collected.column(name).to_numpy()

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The id of each query, in the order of the ids."""
        return tuple(self._collected.column("query").to_pylist())

    @cached_property
    def values(self) -> FloatArray:
        """One row per query, one column per measure."""
        return np.stack([self._column(f"v{i}") for i in range(len(self.task.settled))], axis=1)

    @cached_property
    def judged(self) -> dict[Measure, FloatArray]:
        """Judged@k, as ``Scores`` has it."""
        of_cutoff = {k: self._column(f"j{i}") for i, k in enumerate(self.task.cutoffs)}
        return {one: of_cutoff[self.task.cutoff_of(one)] for one in self.judged_ones}

    @cached_property
    def empty(self) -> dict[Measure, BoolArray]:
        """Which queries had nothing relevant, where the rules make a difference of it."""
        if self.task.rules.empty_weight is None:
            return {}
        return {one: self._column(f"e{i}") for i, one in enumerate(self.task.settled)}

    @property
    def judged_ones(self) -> tuple[Measure, ...]:
        """The measures of items that are judged one by one."""
        settled = self.task.settled
        return tuple(one for one, its in settled.items() if issubclass(its.reads, JudgedRankings))

    def wide(self, overall: Mapping[Measure, float]) -> "DataFrame":
        """A row for every query, a column for every measure; what has no value is null."""
        names = [str(measure) for measure in self.task.settled]
        if "query" in (name.lower() for name in names):
            message = "wide: a measure has the name of the column 'query'. Pass shape='tidy'."
            raise OutputError(message, code="bad-name")
        columns = [one.alias(name) for one, name in zip(self._numbers(), names, strict=True)]
        frame = self._shown().select("query", *columns)
        if not overall:
            return frame
        last = (None, *(_number(overall.get(measure)) for measure in self.task.settled))
        return frame.unionAll(self.rows.sparkSession.createDataFrame([last], frame.schema))

    def tidy(self, run: str, overall: Mapping[Measure, float]) -> "DataFrame":
        """A row for every query and measure, with the name of the run."""
        from pyspark.sql import functions as F

        each = [
            F.struct(F.lit(str(measure)).alias("measure"), number.alias("value"))
            for measure, number in zip(self.task.settled, self._numbers(), strict=True)
            if not measure.whole
        ]
        parts = []
        if each:
            one = F.explode(F.array(*each)).alias("one")
            parts += [self._shown().select(F.lit(run).alias("system"), "query", one)]
            parts = [part.select("system", "query", "one.measure", "one.value") for part in parts]
        if overall:
            last = [(run, None, str(one), _number(value)) for one, value in overall.items()]
            types = ", ".join(f"{name} string" for name in TIDY[:-1])
            parts += [self.rows.sparkSession.createDataFrame(last, f"{types}, value double")]
        return parts[0] if len(parts) == 1 else parts[0].unionAll(parts[1])

    def _numbers(self) -> "list[Column]":
        from pyspark.sql import functions as F

        nothing = F.lit(None).cast("double")
        return [F.nanvl(F.col(f"v{i}"), nothing) for i in range(len(self.task.settled))]

    def _shown(self) -> "DataFrame":
        """The rows of queries, rounded if the rules say so."""
        decimals, frame = self.task.rules.decimals, self.of_queries
        if decimals is None:
            return frame
        return frame.mapInArrow(partial(_rounded, decimals=decimals), frame.schema)


def _number(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else value


def _rounded(batches: Any, decimals: int) -> Any:
    from gainful.engines.spark.worker import rounded  # needs what only workers may have

    return rounded(batches, decimals)
