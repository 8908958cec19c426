"""SparkScores: Scores whose values stay on Spark until they are asked for."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from gainful.engines.spark.failures import in_words
from gainful.engines.spark.kept import Kept
from gainful.errors import EngineError
from gainful.measures import Measure
from gainful.ragged import IntArray
from gainful.results import Scores
from gainful.shapes import SHAPES, one_of
from gainful.wording import count

if TYPE_CHECKING:
    from types import TracebackType

    from pyspark.sql import DataFrame

_COLLECTED = ("queries", "values", "judged", "empty")  # fields that are there when asked for


@dataclass(init=False, eq=False, repr=False, kw_only=True)
class SparkScores(Scores):
    """Scores of a run that was evaluated on Spark.

    Means, rules and notices are there at once. The values of queries are on Spark, and
    ``to_spark()`` gives them as a DataFrame. They are collected when they are asked for: by
    ``per_query()``, ``worst()``, ``to_polars()``, by ``compare_scores`` and all else that
    ``Scores`` can do. Queries stand in the order of their ids then, wherever Spark had them.

    Spark keeps the values until ``release()``, or the end of a ``with`` block. What is asked for
    later is worked out again, of the rows as they are then; also where Spark has lost them, or a
    table has been written to. Values that are collected and come out otherwise are an error; what
    is asked of a DataFrame of ``to_spark()`` is of the rows as they are then.

    Means are collected as well where their order matters: with ``weights``, or as
    ``Rules.averaging`` of some dialects has it. For a measure of the whole run, such as Coverage,
    what it reads of the rankings has come to the driver: the ranks and labels of judged items,
    and the ids of items down to its cutoff where it is about items.

    Attributes:
        kept: What Spark keeps.
    """

    kept: Kept

    # What is collected later is not among its arguments, unless ``replace`` hands it on.
    def __init__(self, *, kept: Kept, **held: Any) -> None:
        for name in _COLLECTED:
            if name in held and held.pop(name) is not getattr(kept, name):
                message = f"{name}: Spark has others. Change those of collect()."
                raise EngineError(message, code="bad-argument")
        vars(self).update(held, kept=kept)

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return self.kept.n_queries

    def __getattr__(self, name: str) -> Any:
        if name in _COLLECTED:
            return getattr(self.kept, name)
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(message)

    def __getitem__(self, measure: str | Measure) -> float:
        """The average of one measure over the queries, or its number for the whole run."""
        wanted = self._known(measure)
        average = self.kept.averages.get(wanted)
        if average is None or self.weights is not None:
            return super().__getitem__(wanted)
        return average if self.rules.decimals is None else round(average, self.rules.decimals)

    def judged_share(self, measure: str | Measure) -> float:
        """The mean of Judged@k, k being the cutoff of a measure; NaN where there is none."""
        wanted = self._known(measure)
        if wanted not in self.kept.judged_ones or self.weights is not None:
            return super().judged_share(wanted)
        return self.kept.shares[self.kept.task.cutoff_of(wanted)][0]

    def judged_of_returned(self, measure: str | Measure) -> float:
        """The same over the queries with results: a lack of them is no lack of judgments."""
        wanted = self._known(measure)
        if wanted not in self.kept.judged_ones:
            return super().judged_of_returned(wanted)
        return self.kept.shares[self.kept.task.cutoff_of(wanted)][1]

    @property
    def frame(self) -> "DataFrame":
        """The values of queries as a DataFrame with a row for each query."""
        return self.to_spark(shape="wide")

    def to_spark(self, *, shape: str = "tidy") -> "DataFrame":
        """The values of queries as a DataFrame of Spark, tidy (the default) or wide.

        Tidy has the columns system, query, measure and value; wide has query and a column for
        every measure, which SQL knows in backticks. What has no value is null, and a measure of
        the whole run has a row whose query is null. Rows stand in no order. It can be written:
        ``scores.to_spark().write.saveAsTable("scores")``.
        """
        overall = self._whole_ones()
        with in_words():
            if one_of(SHAPES, shape, "to_spark") == "wide":
                return self.kept.wide(overall)
            return self.kept.tidy(self.run, overall)

    def collect(self) -> Scores:
        """The same as Scores that hold all values, and need Spark no more."""
        return Scores(**{field.name: getattr(self, field.name) for field in fields(Scores)})

    def release(self) -> None:
        """Let go of the values that Spark keeps; what is asked for later is worked out again."""
        self.kept.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.release()

    def _slice(self, column: str, value: str | None, keep: IntArray) -> Scores:
        return self.collect()._slice(column, value, keep)

    def _n_queries(self) -> str:
        return count(self.n_queries, "query", "queries")
