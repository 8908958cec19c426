"""Partition: queries are hashed apart, and whole queries are ranked where they end up."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from gainful.engines.spark.frames import QRELS_FIRST, Given
from gainful.engines.spark.gathering import Outcome
from gainful.engines.spark.task import Task

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_JOINING = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"


def partitioned(qrels: Given, run: Given, task: Task, partitions: int | None) -> Outcome:
    """What workers find, each of them for the queries it has all rows of.

    The values stay with the workers, where they are kept for who asks for them.
    """
    from pyspark.sql import functions as F

    first = qrels.frame.withColumn("position", F.col("position") + F.lit(QRELS_FIRST))
    both = first.unionByName(run.frame, allowMissingColumns=True)
    if partitions is None:
        together = both.repartition("query")
    else:
        together = both.repartition(partitions, "query")
    found = together.mapInArrow(partial(_on_worker, task=task), task.schema)
    with _joining_small_partitions(found.sparkSession):
        rows = found.persist()
    return Outcome.of(rows)


@contextmanager
def _joining_small_partitions(spark: "SparkSession") -> Iterator[None]:
    """Let Spark join partitions by their size, also of what is kept, which it does not by default.

    It would start a task for each of spark.sql.shuffle.partitions, 200 of them for ten queries.
    """
    before = spark.conf.get(_JOINING)
    spark.conf.set(_JOINING, "true")
    try:
        yield
    finally:
        spark.conf.set(_JOINING, before)


def _on_worker(batches: Any, task: Task) -> Any:
    from gainful.engines.spark.worker import part_values  # needs what only workers may have

    return part_values(batches, task)
