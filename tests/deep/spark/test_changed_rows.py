"""Rows that change while Spark caches results of them: a new number or an error, never silence."""

import pyarrow as pa
import pytest

import gainful
from gainful.errors import SparkError
from gainful.spark import evaluate
from spark.local_and_spark import override_conf

pytestmark = pytest.mark.spark

QRELS = pa.table({"query": ["q1", "q2"], "item": ["a", "b"], "label": [1.0, 1.0]})
CHANGED = (
    "spark: the rows have changed since they were evaluated, and Spark no longer has the values. "
    "Evaluate them again."
)


def test_files_that_have_changed_are_read_again(spark, tmp_path):
    run, qrels = tmp_path / "x.run", spark.createDataFrame(QRELS)
    all_scores = []
    for score in (1.0, 3.0):
        run.write_text(f"q1 Q0 a 1 {score} x\nq1 Q0 z 2 2.0 x\n")
        all_scores.append(evaluate(qrels, run, "RR"))
    assert [scores["RR"] for scores in all_scores] == [0.25, 0.5]
    all_scores[0].release()
    assert all_scores[1].per_query() == {"q1": {"RR": 1.0}, "q2": {"RR": 0.0}}


@pytest.fixture
def table(spark):
    rows = [("q1", "a", 1.0), ("q1", "z", 2.0), ("q2", "b", 1.0)]
    spark.createDataFrame(rows, "query string, item string, score double").write.saveAsTable("kept")
    yield spark.table("kept")
    spark.sql("drop table kept")


@pytest.mark.parametrize(
    ("row", "refused"),
    [("'q1', 'y', 9.0", True), ("'q1', 'a', 9.0", True), ("'q3', 'y', 9.0", False)],
)
def test_values_of_a_table_that_has_been_written_to(spark, table, row, refused):
    scores = evaluate(spark.createDataFrame(QRELS), table, "RR")
    assert scores["RR"] == 0.75
    spark.sql(f"insert into kept values ({row})")
    if not refused:
        assert scores.per_query() == {"q1": {"RR": 0.5}, "q2": {"RR": 1.0}}
        return
    with pytest.raises(SparkError) as error:
        scores.per_query()
    assert str(error.value) == CHANGED
    assert scores["RR"] == 0.75


def test_a_fault_that_is_new_is_an_error_of_the_frame_too(spark, table):
    scores = evaluate(spark.createDataFrame(QRELS), table, "RR")
    spark.sql("insert into kept values ('q1', 'a', 9.0)")
    frame = scores.to_spark()
    with pytest.raises(Exception, match="the rows have changed since they were evaluated"):
        frame.collect()


def test_nothing_is_kept_of_what_is_compared(spark):
    runs = {
        name: spark.createDataFrame(
            [(query, item, 1.0) for query in ("q1", "q2") for item in items],
            "query string, item string, score double",
        )
        for name, items in (("one", "ab"), ("other", "az"))
    }
    list_persistent_rdds = spark.sparkContext._jsc.getPersistentRDDs
    before = list_persistent_rdds().size()
    comparison = gainful.compare(spark.createDataFrame(QRELS), runs, "RR")
    assert comparison.pair("other", "one").difference == -0.5
    assert list_persistent_rdds().size() == before


def test_rows_are_named_as_they_stand_after_a_join_whose_partitions_spark_chose(spark):
    from pyspark.sql import functions as F

    small = {
        "spark__sql__adaptive__advisoryPartitionSizeInBytes": "20k",
        "spark__sql__adaptive__coalescePartitions__parallelismFirst": "false",
        "spark__sql__adaptive__coalescePartitions__minPartitionSize": "1k",
        "spark__sql__shuffle__partitions": "32",
        "spark__sql__autoBroadcastJoinThreshold": "-1",
    }
    with override_conf(spark, **small):
        query = (F.col("id") % 40).cast("string").alias("query")
        item = F.concat(F.lit("document-with-a-long-name-"), F.xxhash64("id")).alias("item")
        score = F.when(F.col("id") == 4321, "high").otherwise(
            (F.xxhash64("id") % 5000).cast("string")
        )
        raw = spark.range(0, 6000, 1, 1).select(query, item, score.alias("score"))
        run = raw.join(spark.range(40).select(F.col("id").cast("string").alias("query")), "query")
        with pytest.raises(gainful.SourceError) as error:
            evaluate({"1": {"x": 1}}, run, "nDCG")
        number = [row["score"] for row in run.collect()].index("high") + 1
    assert str(error.value) == f"run 'run', row {number}: score must be a number, got 'high'."
