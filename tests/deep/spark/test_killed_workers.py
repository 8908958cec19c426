"""Workers that die and are tried again: the same bits, and nothing counted twice."""

import os
import signal

import pytest

import gainful
from gainful.measures import measure
from gainful.spark import evaluate
from spark.local_and_spark import assert_equal, run_evaluation, spread_rows
from spark.random_tables import random_qrels, random_run

pytestmark = pytest.mark.spark


def fatal_once():
    """A measure whose process is killed, as by a machine without memory, in some first attempts."""

    @measure(bounds=(0, 1))
    def Fatal(ranked: gainful.JudgedRankings):
        """Share of queries, one each, that are there.

        It is 1 for every query.
        """
        from pyspark import TaskContext

        task = TaskContext.get()
        if task is not None and task.attemptNumber() == 0 and task.partitionId() % 2 == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return ranked.total(ranked.hit_rank > 0) * 0 + 1.0

    return Fatal


def test_killed_workers_change_nothing(spark):
    qrels, run = random_qrels(6), random_run(6)
    measures = ["nDCG@5", "AP", fatal_once()]
    frames = spread_rows(spark, qrels, 2), spread_rows(spark, run, 3)
    result = run_evaluation(evaluate, *frames, measures, partitions=7)
    assert_equal(result, run_evaluation(gainful.evaluate, qrels, run, measures))
