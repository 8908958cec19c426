"""Numbers and rows that tempt engines to order, drop or round them in ways of their own."""

import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import gainful
from gainful import Rules
from gainful import evaluate as evaluate_here
from gainful.spark import evaluate
from spark.local_and_spark import (
    assert_equal,
    assert_same,
    override_conf,
    run_evaluation,
    spread_rows,
    table,
)
from spark.random_tables import random_qrels, random_run

pytestmark = pytest.mark.spark

ITEMS = [f"d{i}" for i in range(12)]
LABELS = [0, 3, 0, 1, 2, 0, -1, 0.5, 0, 1, 0, 2]
QRELS = table([("q", item, label) for item, label in zip(ITEMS, LABELS, strict=True)], "label")

SCORES = {
    "zeros of both signs are tied": [0.0, -0.0] * 6,
    "zeros stand among others": [-0.0, 0.0, 5e-324, -5e-324, 0.0, -0.0, 1.0, -1.0],
    "some are infinite": [math.inf, 1.0, -math.inf, math.inf, 2.0, -math.inf, 0.0],
    "they ascend": [float(i) for i in range(12)],
    "one for all": [7.0] * 12,
    "they differ in double precision alone": [1.0, 1.0 + 2**-40, 1.0 - 2**-40, 1.0, 1.0 + 2**-52],
    "they are too large for single precision": [1e300, 2e300, -1e300, 1e39, 3e39],
}


def run_of_scores(scores, query="q"):
    pairs = zip(ITEMS, scores, strict=False)
    return table([(query, item, score) for item, score in pairs], "score")


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(ties="average"), Rules(precision="float32", ties="input")], ids=str
)
def test_unusual_scores_have_the_same_bits(spark, rules):
    queries = sorted(SCORES)
    qrels = pa.concat_tables(
        QRELS.set_column(0, "query", pa.array([query] * len(QRELS))) for query in queries
    )
    run = pa.concat_tables(run_of_scores(SCORES[query], query) for query in queries)
    options = {"rules": rules, "partitions": 7}
    assert_same(spark, qrels, run, ["nDCG@3", "AP", "DCG"], **options)


def test_one_unusual_query_alone_has_the_same_bits(spark):
    for scores in ("they ascend", "some are infinite"):
        assert_same(spark, QRELS, run_of_scores(SCORES[scores]), "nDCG")


@pytest.mark.parametrize("side", ["qrels", "run"])
@pytest.mark.parametrize("odd", [None, math.nan])
def test_a_number_that_is_none_is_refused(spark, odd, side):
    qrels, run = QRELS, run_of_scores([1.0] * 12)
    rows = qrels if side == "qrels" else run
    numbers = [odd if i in (5, 8) else 1.0 for i in range(12)]
    broken = rows.set_column(2, rows.column_names[2], pa.array(numbers, pa.float64()))
    tables = (broken, run) if side == "qrels" else (qrels, broken)
    assert assert_same(spark, *tables, "nDCG@5", partitions=7)[0] == "SourceError"


def test_a_wrong_row_of_any_partition_is_named(spark):
    rows = [(f"q{i}", f"d{i}", math.nan if i == 9 else 1.0) for i in range(16)]
    qrels = table(sorted((f"q{i}", "d", 1) for i in range(16)), "label")
    frames = [spread_rows(spark, side, 16) for side in (qrels, table(rows, "score"))]
    with pytest.raises(gainful.SourceError, match=r"^run 'run': query 'q9' item 'd9': score must"):
        evaluate(*frames, "nDCG", partitions=16)


def test_sides_that_share_nothing_give_the_same_error(spark):
    run = table([(f"x{i}", item, 1.0) for i, item in enumerate(ITEMS)], "score")
    assert assert_same(spark, QRELS, run, "nDCG")[0] == "AlignError"
    run = table([("q", f"x{i}", 1.0) for i in range(9)] + [("r", "d1", 1.0)], "score")
    assert assert_same(spark, QRELS, run, "nDCG")["notices"]


@pytest.mark.parametrize("order", ["score", "rank"])
def test_rows_that_a_shuffle_has_put_in_an_order_of_its_own(spark, order):
    qrels, run, rules = random_qrels(3), random_run(3), Rules(order=order)
    frames = [spread_rows(spark, rows, 5).repartition(4) for rows in (qrels, run)]
    local = run_evaluation(evaluate_here, qrels, run, ["nDCG@5", "AP"], rules=rules)
    result = run_evaluation(evaluate, *frames, ["nDCG@5", "AP"], rules=rules)
    # What notices say of ranks beside scores is about neighbors, which are others here.
    numbers = ("queries", "values", "means", "judged")
    assert {name: result[name] for name in numbers} == {name: local[name] for name in numbers}


def test_partitions_without_rows_change_nothing(spark):
    qrels, run = random_qrels(4), random_run(4)
    frames = [spread_rows(spark, rows, 7).where("query < 'q2'") for rows in (qrels, run)]
    tables = [rows.filter(pc.field("query") < "q2") for rows in (qrels, run)]
    local = run_evaluation(evaluate_here, *tables, ["nDCG@5", "AP"])
    options = {"partitions": 16}
    assert_equal(run_evaluation(evaluate, *frames, ["nDCG@5", "AP"], **options), local)


def test_rows_that_spark_holds_in_its_plan(spark):
    qrels, run = random_qrels(6), random_run(6)
    with override_conf(spark, spark__sql__execution__arrow__localRelationThreshold=1 << 20):
        frames = [spark.createDataFrame(rows) for rows in (qrels, run)]
        result = run_evaluation(evaluate, *frames, ["nDCG@5", "AP"])
    assert_equal(result, run_evaluation(evaluate_here, qrels, run, ["nDCG@5", "AP"]))


def test_a_query_of_a_million_items_has_the_same_bits(spark):
    n = 1_000_000
    rng = np.random.default_rng(9)
    item = pc.binary_join_element_wise("d", pa.array(np.arange(n)).cast(pa.string()), "")
    run = pa.table(
        {"query": pa.array(["q"] * n), "item": item, "score": rng.integers(0, n // 3, n) / 8}
    )
    judged = np.sort(rng.choice(n, 500, replace=False))
    qrels = pa.table(
        {"query": ["q"] * 500, "item": item.take(judged), "label": rng.integers(0, 4, 500)}
    )
    few = table([("r", "a", 1.0), ("s", "b", 2.0)], "score")
    qrels = pa.concat_tables([qrels, table([("r", "a", 1), ("s", "c", 1)], "label")])
    run = pa.concat_tables([run, few])
    options = {"partitions": 3}
    assert_same(spark, qrels, run, ["nDCG@10,1000", "nDCG", "AP", "RR"], **options)
    assert_same(spark, qrels, run, ["nDCG@1000", "DCG"], rules=Rules(ties="average"), **options)


def test_ranks_decide_where_there_are_no_scores(spark):
    qrels = table([("q1", "a", 2.0), ("q1", "b", 1.0), ("q2", "a", 1.0)], "label")
    run = table([("q1", "b", 1), ("q1", "c", 2), ("q1", "a", 3), ("q2", "a", 1)], "rank")
    result = assert_same(spark, qrels, run, ["nDCG@10", "RR"])
    assert result["means"]["RR"] == (1.0).hex()


def test_a_change_of_ids_is_suggested(spark):
    qrels = table([(f"q{n:03}", f"{n}", 1.0) for n in range(300)], "label")
    run = table([(f"q{n:03}", f"doc:{n}", 1.0) for n in range(300)], "score")
    frames = [spread_rows(spark, rows, 7) for rows in (qrels, run)]
    notices = {notice.code: str(notice) for notice in evaluate(*frames, "nDCG@10").notices}
    assert "Did you mean to strip 'doc:' from the items of the run?" in notices["near-ids"]
