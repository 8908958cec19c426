"""Which strategy ``auto`` is: partition, unless a query is too large for one worker.

Measured with 20 million rows on two cores, where there is no network: partition takes the time of
Spark SQL windows. Count takes 0.8 of it and shuffles next to nothing where the rows of a query
stand together; where they stand anywhere it takes 1.4 times that of windows, and twice that of
partition, for ranks have to be counted then. It also brings all judgments to the driver, and the
ids of all queries, of which there may be too many. None of this can be seen before the run is read:
who knows that rows stand together asks for it.

What can be seen is a query that one worker has no memory for, at about 120 bytes a row beside what
Python itself takes. To count the rows of queries before would be one more pass over every run, and
most have no such query. So workers look while they read: the first that is given too many rows of
a query says so, and only then is the run counted instead.
"""

from dataclasses import replace

from gainful.engines.spark.counting.countable import uncountable
from gainful.engines.spark.counting.strategy import counted
from gainful.engines.spark.frames import Given
from gainful.engines.spark.gathering import Outcome
from gainful.engines.spark.partition import partitioned
from gainful.engines.spark.task import Task
from gainful.errors import UncountableError

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
