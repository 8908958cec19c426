"""What the thin client finds over Connect, as JSON; run where no Java and no pyspark is."""

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

import gainful
from cluster.rows import MEASURES, describe_scores, draw_qrels, draw_run


def main(remote: str) -> None:
    """Ask for all that a user would, and print what comes of it."""
    from pyspark.sql import SparkSession

    from gainful.spark import evaluate

    spark = SparkSession.builder.remote(remote).getOrCreate()
    qrels, run, other = map(spark.createDataFrame, (draw_qrels(), draw_run(), draw_run(1)))
    ours = evaluate(qrels, run, MEASURES)
    both = [ours, evaluate(qrels, other, MEASURES)]
    computations: dict[str, Callable[[], Any]] = {
        "values": lambda: describe_scores(ours),
        "dispatched": lambda: describe_scores(gainful.evaluate(qrels, run, MEASURES)),
        "table": lambda: read_written_table(spark, ours),
        "compared": lambda: str(gainful.compare_scores(both)),
        "wrong column": lambda: describe_wrong_column(qrels, run),
    }
    print(json.dumps({name: describe_answer(compute) for name, compute in computations.items()}))  # noqa: T201


def describe_answer(compute: Callable[[], Any]) -> Any:
    """An answer, or what went wrong, which no test expects."""
    try:
        return compute()
    except Exception:
        return traceback.format_exc()


def read_written_table(spark: Any, scores: Any) -> list[list[Any]]:
    """The rows of a table that scores were written to."""
    frame = spark.createDataFrame(scores.to_arrow())
    frame.write.mode("overwrite").saveAsTable("scores")
    rows = spark.table("scores").collect()
    return sorted([row["query"], row["measure"], row["value"].hex()] for row in rows)


def describe_wrong_column(qrels: Any, run: Any) -> str:
    """The sentence about a run whose items are in a column of an unknown name."""
    from gainful.spark import evaluate

    try:
        evaluate(qrels, run.withColumnRenamed("item", "thing"), "AP")
    except gainful.GainfulError as error:
        return f"{type(error).__name__}: {error}"
    return "none"


if __name__ == "__main__":
    main(*sys.argv[1:])
