"""Passes over a run that stays where it is: what Spark finds in it, and what workers count."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.engines.spark.carried import unpacked
from gainful.engines.spark.counting.hits import Stand
from gainful.engines.spark.counting.packed_arrays import unpacked_arrays
from gainful.engines.spark.counting.repeats import first_repeat, mark, n_repeats
from gainful.engines.spark.counting.sent import ABOUT, COUNTS, MARK, SCHEMA, Counting
from gainful.engines.spark.frames import Given
from gainful.records import Frozen
from gainful.sources import Judgments

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
        qrels: The judgments.
        run: The run.
    """

    qrels: Given
    run: Given

    def judged(self) -> Any:
        """The judgments as an Arrow table, in the order of queries."""
        found = self.qrels.frame.toArrow()
        return found.sort_by([("query", "ascending"), ("position", "ascending")])

    def hits(self, judgments: Judgments) -> Any:
        """The rows of the run that are judged, with their labels, as an Arrow table."""
        from pyspark.sql import functions as F

        label, frame = F.col("number").alias("label"), self.qrels.frame
        judged = frame.select("query", "item", label)
        if judgments.index.n_duplicates:
            first = F.min_by("number", "position").alias("label")
            judged = frame.groupBy("query", "item").agg(first)
        return self.run.frame.join(F.broadcast(judged), ["query", "item"]).toArrow()

    def stand(self, judgments: Judgments) -> Stand:
        """Where the queries of the run stand."""
        from pyspark.sql import functions as F

        found = self.run.frame.groupBy("query").agg(
            F.count("*").alias("n_rows"),
            F.min("position").alias("first"),
            F.max("position").alias("last"),
        )
        return Stand(found.toArrow(), judgments)

    def told(self, counting: Counting) -> Told:
        """What workers count, each for a partition; added up by a few of them."""
        frame = self.run.frame.withColumn(MARK, mark()) if counting.width else self.run.frame
        blobs = frame.mapInArrow(partial(_count, counting=counting), SCHEMA)
        n_buckets = counting.n_buckets + counting.n_mark_buckets
        return told_by(blobs.repartition(n_buckets, "bucket").mapInArrow(_add, SCHEMA).toArrow())

    def first_repeat(
        self, told: Told, named: Sequence[tuple[str, str]], width: int
    ) -> dict[str, Any] | None:
        """The fault of the item whose second mention comes first, if one has two."""
        return first_repeat(self.qrels, self.run, told.suspects, named, width)

    def n_repeats(self, told: Told, width: int) -> int:
        """How many partitions have an unjudged item that one before them has, item by item."""
        return n_repeats(self.qrels, self.run, told.suspects, width)

    def frame(self, table: Any) -> "DataFrame":
        """A DataFrame of the rows of an Arrow table."""
        return self.run.frame.sparkSession.createDataFrame(table)


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
