"""Settings of a session that work is done with, and that are as they were afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from gainful.engines.spark.failures import unless_stopped

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Joins partitions by their size, also of what is kept, which Spark does not by default: it would
# start a task for each of spark.sql.shuffle.partitions, 200 of them for ten queries.
_JOINING = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
# Rows that a worker is handed at once: by default so few that handing over takes half of the time.
_AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"
_FEW, _MANY = "10000", "100000"
# Rows that a driver has handed over would get positions before they are spread, as if they were one
# partition, which *count* would take for what it is told.
_UNFOLDED = "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
# Buckets of a table would be read as partitions by some passes and not by others, and positions
# would be those of other rows.
_BUCKETS = "spark.sql.sources.bucketing.enabled"
_EXCLUDED = ("spark.sql.optimizer.excludedRules", "spark.sql.adaptive.optimizer.excludedRules")

_lock = Lock()
_users: dict[str, int] = {}  # of a session, by its id: the last one puts back what the first found
_before: dict[str, dict[str, str | None]] = {}


@contextmanager
def settings(spark: "SparkSession") -> Iterator[None]:
    """Let Spark work with other settings than its own, in however many threads."""
    own = str(id(spark))
    with _lock:
        if own not in _users:
            _before[own] = _changed(spark)
        _users[own] = _users.get(own, 0) + 1
    try:
        yield
    finally:
        with _lock:
            _users[own] -= 1
            if not _users[own]:
                del _users[own]
                with unless_stopped():
                    _put_back(spark, _before.pop(own))


def _changed(spark: "SparkSession") -> dict[str, str | None]:
    """Change the settings; what they were, None where nobody had set them."""
    stated = spark.conf.getAll
    wanted = {_JOINING: "true", _BUCKETS: "false"}
    if spark.conf.get(_AT_ONCE) == _FEW:  # what a user has set otherwise stays
        wanted[_AT_ONCE] = _MANY
    for name in _EXCLUDED:
        wanted[name] = ",".join(filter(None, (stated.get(name), _UNFOLDED)))
    before = {name: stated.get(name) for name in wanted}
    try:
        for name, value in wanted.items():
            spark.conf.set(name, value)
    except Exception:
        _put_back(spark, before)
        raise
    return before


def _put_back(spark: "SparkSession", before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            spark.conf.unset(name)
        else:
            spark.conf.set(name, value)
