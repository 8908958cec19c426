"""strategy=count on a real Spark."""

import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.errors import EngineError
from gainful.spark import evaluate
from spark.held_passes import told_of
from spark.test_count import MEASURES, cut, drawn, table

REFUSED = {
    "strategy=count cannot drop rows for those of other partitions, got duplicates=first. "
    "Pass strategy='partition'.": (Rules(duplicates="first"), "nDCG"),
    "strategy=count cannot tell which rows are parts of one item, got collapse. "
    "Pass strategy='partition'.": (Rules(collapse="^(.*)#"), "nDCG"),
    "strategy=count knows the ranks of judged items alone; Coverage@10 needs more. "
    "Pass strategy='partition'.": (Rules(), "Coverage@10"),
}


@pytest.mark.spark
@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_counted_is_refused(spark, message):
    rules, measure = REFUSED[message]
    frames = [spark.createDataFrame(one) for one in drawn(1)]
    with pytest.raises(EngineError) as error:
        evaluate(*frames, measure, rules=rules, strategy="count")
    assert str(error.value) == message


def in_partitions(spark, run, n_parts, seed):
    """The run in partitions of its rows as they come."""
    cuts = cut(run, n_parts, seed)
    part = [sum(row >= one for one in cuts[1:-1]) for row in range(run.num_rows)]
    numbered = run.append_column("part", pa.array(part)).append_column(
        "row", pa.array(range(run.num_rows))
    )
    frame = spark.createDataFrame(numbered).repartitionByRange(n_parts, "part")
    return frame.sortWithinPartitions("row").drop("part", "row")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("n_parts", "ties"), [(1, "item-desc"), (3, "average"), (7, "input"), (16, "worst")]
)
def test_spark_counts_the_same(spark, n_parts, ties):
    rules, (qrels, run) = Rules(ties=ties), drawn(n_parts)
    frames = spark.createDataFrame(qrels), in_partitions(spark, run, n_parts, 3)
    ours = told_of(lambda: evaluate(*frames, MEASURES, rules=rules, strategy="count"))
    assert ours == told_of(lambda: gainful.evaluate(qrels, run, MEASURES, rules=rules))


@pytest.mark.spark
@pytest.mark.parametrize("duplicates", ["error", "count"])
def test_spark_finds_items_that_are_there_twice(spark, duplicates):
    rules, (qrels, run) = Rules(duplicates=duplicates), drawn(11, repeats=True)
    frames = spark.createDataFrame(qrels), in_partitions(spark, run, 5, 3)
    ours = told_of(lambda: evaluate(*frames, MEASURES, rules=rules, strategy="count"))
    assert ours == told_of(lambda: gainful.evaluate(qrels, run, MEASURES, rules=rules))


@pytest.mark.spark
def test_spark_says_why_nothing_is_found(spark):
    qrels = table(["query", "item", "label"], [("q1", "7", 1.0), ("q1", "8", 1.0)])
    run = table(["query", "item", "score"], [("q1", "doc_7", 2.0), ("q1", "doc_8", 1.0)])
    frames = [spark.createDataFrame(one) for one in (qrels, run)]
    ours = told_of(lambda: evaluate(*frames, MEASURES, strategy="count"))
    assert ours == told_of(lambda: gainful.evaluate(qrels, run, MEASURES))
