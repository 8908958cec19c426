"""A worker that is lost in the middle of a job, with all that it had shuffled, changes no bit."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pyarrow.parquet as pq

import gainful
from cluster.driver_session import Jobs
from cluster.rows import MEASURES, describe_scores
from cluster.standalone import wait_for
from gainful.alignment.rankings import JudgedRankings
from gainful.base.ragged import FloatArray
from gainful.measures import measure
from gainful.spark import evaluate

N_PARTS, N_FIRST = 8, 3
_NUMBERS = count(3)  # of workers that take the place of lost ones


def test_a_run_whose_rows_are_lost_on_their_way_gives_the_same_bits(
    cluster, spark, qrels, run, tmp_path
):
    judged, ranked = _read_frames(spark, qrels, run, tmp_path)
    wait = _make_waiter(str(tmp_path))

    def waited(batches):
        wait()
        yield from batches

    slow = ranked.mapInArrow(waited, ranked.schema)
    jobs = Jobs(spark)
    with ThreadPoolExecutor(1) as aside:
        ours = aside.submit(lambda: describe_scores(evaluate(judged, slow, MEASURES)))
        lost = _lose_a_worker(cluster, jobs, tmp_path)
        result = ours.result()
    _check_lost_work_was_used(jobs, lost)
    assert result == describe_scores(gainful.evaluate(qrels, run, MEASURES))


def test_values_that_are_lost_when_some_are_done_are_the_same_when_done_again(
    cluster, spark, qrels, run, tmp_path
):
    wait = _make_waiter(str(tmp_path))

    @measure(bounds=(0, 1))
    def Found(ranked: JudgedRankings) -> FloatArray:
        """Share of the items retrieved that are judged."""
        wait()
        return ranked.total(ranked.hit_rank > 0) / (ranked.n_retrieved + 1)

    measures = [Found, *MEASURES]
    judged, ranked = _read_frames(spark, qrels, run, tmp_path)
    jobs = Jobs(spark)
    with ThreadPoolExecutor(1) as aside:
        options = {"partitions": N_PARTS}
        ours = aside.submit(lambda: describe_scores(evaluate(judged, ranked, measures, **options)))
        lost = _lose_a_worker(cluster, jobs, tmp_path)
        result = ours.result()
    _check_lost_work_was_used(jobs, lost)
    assert result == describe_scores(gainful.evaluate(qrels, run, measures))


def _read_frames(spark, qrels, run, folder: Path):
    """The rows as a shuffle gives them, in an order that is the same when it is done again."""
    pq.write_table(run, folder / "run.parquet", row_group_size=1000)
    ranked = spark.read.parquet(str(folder / "run.parquet"))
    shuffled = ranked.repartition(N_PARTS, "query").sortWithinPartitions("query", "item")
    return spark.createDataFrame(qrels), shuffled


def _make_waiter(folder: str) -> Callable[[], None]:
    """A function that returns at once the first times, and later when the gate is open."""

    def wait() -> None:
        import os
        import time

        for number in range(N_FIRST):
            try:
                os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            return
        open(f"{folder}/waits-{os.getpid()}", "w").close()
        while not os.path.exists(f"{folder}/open"):
            time.sleep(0.05)

    return wait


def _lose_a_worker(cluster, jobs: Jobs, folder: Path) -> str:
    """Kill a worker when some tasks of a stage are done, and others wait for the gate.

    Another takes its place. The id of the executor that it had is returned.
    """
    try:
        wait_for(lambda: len(list(folder.glob("waits-*"))) == 2, "tasks that wait")
        wait_for(lambda: any(_is_between(stage) for stage in jobs.stages()), "tasks that are done")
        executor = max(jobs.executors().values(), key=_count_written)
        assert _count_written(executor) > 0
        lost = next(n for n in _workers(cluster) if _has(cluster, n, executor["id"]))
        assert cluster.lose_worker(lost) >= 3  # the worker, its executor, and Python
        cluster.wait_for_workers(1)
    finally:
        (folder / "open").touch()
    cluster.start_worker(next(_NUMBERS))
    cluster.wait_for_workers(2)
    return executor["id"]


def _is_between(stage) -> bool:
    return (
        stage["status"] == "ACTIVE"
        and stage["numCompleteTasks"] >= N_FIRST
        and stage["numActiveTasks"] == 2
    )


def _count_written(executor) -> int:
    return executor["isActive"] * executor["totalShuffleWrite"]


def _workers(cluster) -> list[int]:
    folders = cluster.processes.folder.glob("worker*/")
    return [int(folder.name.removeprefix("worker")) for folder in folders]


def _has(cluster, worker: int, executor: str) -> bool:
    return any(cluster.worker_folder(worker).glob(f"work/app-*/{executor}"))


def _check_lost_work_was_used(jobs: Jobs, lost: str) -> None:
    """Tasks failed, and a stage that was done had to be done again."""
    stages = jobs.stages()
    assert not jobs.executors()[lost]["isActive"]
    assert sum(stage["numFailedTasks"] for stage in stages) > 0
    assert any(stage["attemptId"] > 0 and stage["numCompleteTasks"] > 0 for stage in stages)
    jobs.wait_for_executors(2)
