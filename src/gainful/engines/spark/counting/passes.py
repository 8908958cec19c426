"""Passes over a run that stays where it is: what Spark finds in it, and what workers count."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.engines.spark.carried import unpacked
from gainful.engines.spark.counting.packed_arrays import unpacked_arrays
from gainful.engines.spark.counting.repeats import first_repeat, mark, n_repeats
from gainful.engines.spark.counting.sent import (
    ABOUT,
    COUNTS,
    MARK,
    SCHEMA,
    Counting,
    Standing,
)
from gainful.engines.spark.counting.stand import Stand
from gainful.engines.spark.task import Task
from gainful.records import Frozen

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Told(NamedTuple):
    """What workers have told.

    Attributes:
        counts: The counts of queries, each of which is in one of them.
        about: What each partition tells, and what is found between partitions.
        suspects: Marks that several partitions have.
        n_left: How many others there are that have been left out.
    """

    counts: list[dict[str, Any]]
    about: list[dict[str, Any]]
    suspects: Any
    n_left: int


@dataclass(eq=False, repr=False)
class Passes(Frozen):
    """What is found in a run, pass by pass, none of which moves it.

    Attributes:
        qrels: Rows of the judgments.
        run: Rows of the run.
    """

    qrels: "DataFrame"
    run: "DataFrame"

    def judged(self) -> Any:
        """The judgments as an Arrow table, in the order of queries."""
        return self.qrels.toArrow().sort_by([("query", "ascending"), ("position", "ascending")])

    def stand(self, queries: Any) -> Stand:
        """Where the queries of the run stand; the ids of those that have judgments are given."""
        from pyspark.sql import functions as F

        found = self.run.groupBy("query").agg(
            F.count("*").alias("n_rows"),
            F.min("position").alias("first"),
            F.max("position").alias("last"),
        )
        return Stand(found.toArrow(), queries)

    def apart(self, stand: Stand) -> "tuple[Passes, Passes]":
        """The same for the rows of queries that are spread, and for all others."""
        import pyarrow as pa
        from pyspark.sql import functions as F

        if stand.n_spread in (0, stand.n_rows):
            return self, self
        queries = pa.table({"query": stand.judged.filter(pa.array(stand.spread))})
        spread = F.broadcast(self.frame(queries))
        one, other = (self.run.join(spread, "query", f"left_{how}") for how in ("semi", "anti"))
        return Passes(self.qrels, one), Passes(self.qrels, other)

    def no_rows(self) -> Any:
        """None of the rows of the run, as an Arrow table."""
        import pyarrow as pa

        kinds = {"query": pa.string(), "item": pa.string(), "position": pa.int64()}
        return pa.table(
            {name: pa.array([], kinds.get(name, pa.float64())) for name in self.run.columns}
        )

    def in_place(self, standing: Standing, task: Task) -> "DataFrame":
        """The values of queries that stand in one partition."""
        return self.run.mapInArrow(partial(_rank, standing=standing, task=task), task.schema)

    def hits(self, judged: Any) -> Any:
        """The rows of the run that are judged, with their labels, as an Arrow table."""
        from pyspark.sql import functions as F

        return self.run.join(F.broadcast(self.frame(judged)), ["query", "item"]).toArrow()

    def told(self, counting: Counting) -> Told:
        """What workers count, each for a partition; added up by a few of them."""
        marked = self.run.withColumn(MARK, mark())
        blobs = marked.mapInArrow(partial(_count, counting=counting), SCHEMA)
        n_buckets = counting.n_buckets + counting.n_mark_buckets
        return told_by(blobs.repartition(n_buckets, "bucket").mapInArrow(_add, SCHEMA).toArrow())

    def first_repeat(
        self, told: Told, named: Sequence[tuple[str, str]], width: int
    ) -> dict[str, Any] | None:
        """The fault of the item whose second mention comes first, if one has two."""
        return first_repeat(self.run, told.suspects, named, width)

    def n_repeats(self, told: Told, judged: Any, width: int) -> int:
        """How many partitions have an unjudged item that one before them has, item by item."""
        return n_repeats(self.run, self.frame(judged), told.suspects, width)

    def frame(self, table: Any) -> "DataFrame":
        """A DataFrame of the rows of an Arrow table."""
        return self.run.sparkSession.createDataFrame(table)


def told_by(rows: Any) -> Told:
    """What is in the rows that were added up."""
    counts, about, suspects, n_left = [], [], [np.zeros(0, dtype=np.uint64)], 0
    for bucket, blob in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        if bucket == ABOUT:
            about.append(unpacked(blob))
        elif bucket.startswith(COUNTS):
            counts.append(unpacked_arrays(blob))
        else:
            marks = unpacked_arrays(blob)
            suspects.append(marks["suspects"])
            n_left += int(marks["n_left"][0])
    return Told(counts, about, np.concatenate(suspects), n_left)


def _rank(batches: Any, standing: Standing, task: Task) -> Any:
    from gainful.engines.spark.counting.in_place import (
        ranked_rows,  # needs what only workers may have
    )

    return ranked_rows(batches, standing, task)


def _count(batches: Any, counting: Counting) -> Any:
    from gainful.engines.spark.counting.worker import (
        counted_rows,  # needs what only workers may have
    )

    return counted_rows(batches, counting)


def _add(batches: Any) -> Any:
    from gainful.engines.spark.counting.adding import (
        added_blobs,  # needs what only workers may have
    )

    return added_blobs(batches)
