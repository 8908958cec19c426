"""Which strategy ``auto`` is.

MEASURED
"""

from dataclasses import replace

from gainful.engines.spark.count import counted
from gainful.engines.spark.countable import UncountableError, uncountable
from gainful.engines.spark.frames import Given
from gainful.engines.spark.gathering import Outcome
from gainful.engines.spark.partition import partitioned
from gainful.engines.spark.task import Task

LARGEST = 4_000_000  # rows of a query that one worker is given


def chosen(qrels: Given, run: Given, task: Task, partitions: int | None) -> Outcome:
    """What partition finds; what count does where a query is too large for one worker."""
    if uncountable(task) is not None:
        return partitioned(qrels, run, task, partitions)
    found = partitioned(qrels, run, replace(task, largest=LARGEST), partitions)
    if not any("too_large" in one for one in found.told):
        return found
    found.rows.unpersist()
    try:
        return counted(qrels, run, task, partitions)
    except UncountableError:
        # The hits are too many to be sent: one worker may still have the memory for the query.
        return partitioned(qrels, run, task, partitions)
