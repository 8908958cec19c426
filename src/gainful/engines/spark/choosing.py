"""Which strategy ``auto`` is: partition, unless a query is too large for one worker.

Measured with 2 million rows on two cores, where there is no network: both take about the time of
Spark SQL windows (3.7 s), partition no more, count up to half as much again, for it reads the run
three times. What count shuffles is 0.2 MB in place of 40 MB where the rows of a query stand
together. It is 5 MB in place of 49 MB where they stand anywhere, and 2 MB in place of 20 MB for one
query of a million rows, for items must then be told apart across partitions. So count is for
clusters whose network is slow, which cannot be seen from here: who has one asks for it.

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
