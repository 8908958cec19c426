"""Partition: queries are hashed apart, and whole queries are ranked where they end up."""

from dataclasses import replace
from functools import partial
from typing import Any

from gainful.engines.spark.frames import QRELS_FIRST, Given
from gainful.engines.spark.gathering import Outcome, unpersisted_on_error
from gainful.engines.spark.task import Task


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
    with unpersisted_on_error(found):
        return Outcome.of(found.persist())


def _on_worker(batches: Any, task: Task) -> Any:
    from gainful.engines.spark.worker import part_values  # needs what only workers may have

    return part_values(batches, task)
