"""Settings of a session that work is done with, and that are as they were afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Joins partitions by their size, also of what is kept, which Spark does not by default: it would
# start a task for each of spark.sql.shuffle.partitions, 200 of them for ten queries.
_JOINING = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
# Rows that a worker is handed at once: by default so few that handing over takes half of the time.
_AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"
_WANTED = {_JOINING: "true", _AT_ONCE: "100000"}
_USUAL = {_AT_ONCE: "10000"}  # only where it is so: what a user has set otherwise stays

_lock = Lock()
_users: dict[str, int] = {}  # of a session, by its id: the last one puts back what the first found
_before: dict[str, dict[str, str | None]] = {}


@contextmanager
def settings(spark: "SparkSession") -> Iterator[None]:
    """Let Spark work with other settings than its own, in however many threads."""
    own = str(id(spark))
    with _lock:
        _users[own] = _users.get(own, 0) + 1
        if _users[own] == 1:
            _before[own] = _changed(spark)
    try:
        yield
    finally:
        with _lock:
            _users[own] -= 1
            if not _users[own]:
                del _users[own]
                _put_back(spark, _before.pop(own))


def _changed(spark: "SparkSession") -> dict[str, str | None]:
    """Change the settings; what they were, None where nobody had set them."""
    stated = spark.conf.getAll
    before: dict[str, str | None] = {}
    for name, value in _WANTED.items():
        if name in _USUAL and spark.conf.get(name) != _USUAL[name]:
            continue
        before[name] = stated.get(name)
        spark.conf.set(name, value)
    return before


def _put_back(spark: "SparkSession", before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            spark.conf.unset(name)
        else:
            spark.conf.set(name, value)
