"""A query of many items, counted on Spark."""

import pytest

import gainful
from gainful.spark import evaluate
from spark.held_passes import told_of
from spark.test_count import MEASURES, table


@pytest.mark.spark
def test_one_query_may_be_large(spark):
    from pyspark.sql import functions as F

    items = spark.range(0, 200_000, 1, 6)
    score = (F.xxhash64("id") % 1000).cast("double")
    run = items.select(
        F.lit("q1").alias("query"), F.concat(F.lit("d"), "id").alias("item"), score.alias("score")
    )
    judged = [("q1", f"d{i * 1999}", float(i % 3)) for i in range(100)]
    qrels = table(["query", "item", "label"], judged)
    ours = told_of(lambda: evaluate(spark.createDataFrame(qrels), run, MEASURES, strategy="count"))
    assert ours == told_of(lambda: gainful.evaluate(qrels, run.toArrow(), MEASURES))
