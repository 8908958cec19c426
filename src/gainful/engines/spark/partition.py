"""Partition: queries are hashed apart, and whole queries are ranked where they end up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gainful.engines.spark.frames import QRELS_FIRST, Given
from gainful.engines.spark.gathering import Outcome, unpersisted_on_error
from gainful.engines.spark.task import Task

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Joins partitions by their size, also of what is kept, which Spark does not by default: it would
# start a task for each of spark.sql.shuffle.partitions, 200 of them for ten queries.
_JOINING = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
# Rows that a worker is handed at once: by default so few that handing over takes half of the time.
_AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"
_FEW, _MANY = "10000", "100000"


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
    known = replace(task, scored="number" in run.frame.columns)
    found = together.mapInArrow(partial(_on_worker, task=known), task.schema)
    with settings(found.sparkSession), unpersisted_on_error(found):
        return Outcome.of(found.persist())


@contextmanager
def settings(spark: "SparkSession") -> Iterator[None]:
    """Let Spark work with other settings than its own; what a user has set otherwise stays."""
    before = {name: spark.conf.get(name) for name in (_JOINING, _AT_ONCE)}
    spark.conf.set(_JOINING, "true")
    if before[_AT_ONCE] == _FEW:
        spark.conf.set(_AT_ONCE, _MANY)
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def _on_worker(batches: Any, task: Task) -> Any:
    from gainful.engines.spark.worker import part_values  # needs what only workers may have

    return part_values(batches, task)
