"""A session whose driver is this process, and what it knows of its jobs."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from cluster.standalone import Cluster, read_json, wait_for


@contextmanager
def session(cluster: Cluster) -> Iterator[Any]:
    """A session with an executor on each of two workers; its Java ends with it."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("gainful")
    for name, value in cluster.conf.items():
        builder = builder.config(name, value)
    with patch.dict(os.environ, cluster.processes.mark_environment(cluster.environment)):
        spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()
        _end_java(SparkContext)


def _end_java(context: Any) -> None:
    gateway = context._gateway
    context._gateway = context._jvm = None
    gateway.shutdown()
    gateway.proc.stdin.close()
    try:
        gateway.proc.wait(30)
    except subprocess.TimeoutExpired:
        gateway.proc.kill()


class Jobs:
    """What the driver tells about executors, and about stages from now on."""

    def __init__(self, spark: Any) -> None:
        context = spark.sparkContext
        self._root = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}"
        self._earlier = {stage["stageId"] for stage in read_json(self._root + "/stages")}

    def stages(self) -> list[dict[str, Any]]:
        """All attempts of all stages that were not there at first."""
        stages = read_json(self._root + "/stages")
        return [stage for stage in stages if stage["stageId"] not in self._earlier]

    def executors(self) -> dict[str, dict[str, Any]]:
        """The executors, those that are lost included, by their ids."""
        return {
            executor["id"]: executor
            for executor in read_json(self._root + "/allexecutors")
            if _is_worker(executor)
        }

    def wait_for_executors(self, number: int) -> None:
        """Wait until so many executors are there."""
        wait_for(lambda: self.n_active() == number, f"{number} executors")

    def n_active(self) -> int:
        """How many executors are there."""
        return sum(executor["isActive"] for executor in self.executors().values())


def _is_worker(executor: dict[str, Any]) -> bool:
    return executor["id"] != "driver"
