"""Partition: queries are hashed apart, and whole queries are ranked where they end up."""

from functools import partial
from typing import Any

from gainful.engines.spark.carried import unpacked
from gainful.engines.spark.frames import QRELS_FIRST, Given
from gainful.engines.spark.gathering import Outcome
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
    rows = together.mapInArrow(partial(_on_worker, task=task), task.schema).persist()
    told = rows.where("query is null").select("about").collect()
    return Outcome(rows, [unpacked(bytes(row["about"])) for row in told])


def _on_worker(batches: Any, task: Task) -> Any:
    from gainful.engines.spark.worker import part_values  # needs what only workers may have

    return part_values(batches, task)
