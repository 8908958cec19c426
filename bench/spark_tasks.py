"""Tasks on Spark: mean nDCG@10 from Parquet, timed inside a process that has warmed up."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.event_log import MARK, OPTIONS, read_transfers
from bench.process_memory import watch_processes
from bench.tasks import Timing, measure_time, task

EXTRA_NUMBERS = (
    *("CPU seconds", "shuffle MB", "results MB", "broadcast MB"),
    *("largest worker MB", "JVM MB", "driver MB"),
)
_MEMORY = "4g"  # of the JVM, which is both driver and executor
_SPLIT = "8m"  # the part of a file that one task reads


@task("gainful.spark", package="pyspark")
def evaluate_gainful(qrels: str, run: str, warm_up_qrels: str, warm_up_run: str) -> Timing:
    """Measure Gainful on Spark."""
    from gainful.spark import evaluate

    def compute_mean(spark: Any, qrels: str, run: str) -> float:
        judged, ranked = (spark.read.parquet(path) for path in (qrels, run))
        return evaluate(judged, ranked, "nDCG@10")["nDCG@10"]

    return _measure_work(compute_mean, [warm_up_qrels, warm_up_run], [qrels, run])


@task("Spark SQL windows", package="pyspark")
def evaluate_windows(
    qrels: str, run: str, warm_up_qrels: str, warm_up_run: str, ranked: str
) -> Timing:
    """Measure SQL that ranks all items of a query, or lets Spark keep the top ten only."""
    return _measure_work(
        lambda spark, qrels, run: _compute_windows_mean(spark, qrels, run, ranked),
        [warm_up_qrels, warm_up_run],
        [qrels, run],
    )


def _compute_windows_mean(spark: Any, qrels: str, run: str, ranked: str) -> float:
    """Return the mean over the judged queries; ties rank the higher id first.

    If WHERE compares the rank, Spark drops lower items before the shuffle.
    """
    cut = "" if ranked == "all" else "where rank <= 10"
    means = spark.sql(
        f"""
        with ranked as (
            select query, item, row_number() over (
                partition by query order by score desc, item desc
            ) as rank
            from run
        ), found as (
            select /*+ broadcast(judged) */ query,
                sum(if(rank <= 10, label / log2(rank + 1), 0)) as dcg
            from (select * from ranked {cut}) join qrels as judged using (query, item)
            group by query
        ), ideal as (
            select query, label, row_number() over (
                partition by query order by label desc
            ) as rank
            from qrels
        ), best as (
            select query, sum(label / log2(rank + 1)) as dcg from ideal where rank <= 10
            group by query
        )
        select avg(if(best.dcg > 0, coalesce(found.dcg, 0) / best.dcg, 0))
        from best left join found using (query)
        """.replace("from run\n", "from {run}\n").replace(" qrels", " {qrels}"),
        run=spark.read.parquet(run),
        qrels=spark.read.parquet(qrels),
    )
    return float(means.collect()[0][0])


@task("MLlib RankingMetrics", package="pyspark")
def evaluate_mllib(qrels: str, run: str, warm_up_qrels: str, warm_up_run: str) -> Timing:
    """Measure the mean of binary nDCG@10, because MLlib takes no labels from Python."""
    return _measure_work(_compute_mllib_mean, [warm_up_qrels, warm_up_run], [qrels, run])


def _compute_mllib_mean(spark: Any, qrels: str, run: str) -> float:
    """Return the mean over the top ten items; more items would only take longer."""
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import functions as F  # noqa: N812  the usual name

    best_first = F.sort_array(F.collect_list(F.struct("score", "item")), asc=False)
    ranked = spark.read.parquet(run).groupBy("query").agg(best_first.alias("items"))
    top = ranked.select("query", F.slice("items.item", 1, 10).alias("top"))
    relevant = spark.read.parquet(qrels).where("label > 0").groupBy("query")
    joined = top.join(relevant.agg(F.collect_list("item").alias("relevant")), "query")
    lists = joined.rdd.map(lambda row: (row["top"], row["relevant"]))
    return float(RankingMetrics(lists).ndcgAt(10))


def _measure_work(
    work: Callable[[Any, str, str], float], warm_up_paths: list[str], paths: list[str]
) -> Timing:
    """Return seconds, value and EXTRA_NUMBERS of the work, which runs twice on few rows before."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.mkdir()
        with _start_session(folder, log) as spark:
            for _ in range(2):
                work(spark, *warm_up_paths)
                spark.catalog.clearCache()  # or the second pass does nothing
            spark.sparkContext.setJobDescription(MARK)
            spark.range(1).collect()
            spark.sparkContext.setJobDescription(None)
            with watch_processes() as watch:
                seconds, value = measure_time(lambda: work(spark, *paths))
        return (
            *(seconds, value, watch.cpu_seconds, *read_transfers(log)),
            *(watch.get_largest_mb("python", below="java"), watch.get_largest_mb("java")),
            watch.peak[os.getpid()] / 1e6,
        )


@contextmanager
def _start_session(folder: str, log: Path) -> Iterator[Any]:
    """Yield a session of two cores, with Spark's defaults except for memory, splits and the log."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    options = OPTIONS | {
        "spark.eventLog.dir": log.as_uri(),
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": folder,
        "spark.driver.memory": _MEMORY,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.files.maxPartitionBytes": _SPLIT,
    }
    builder = SparkSession.builder.master("local[2]").appName("bench")
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()
