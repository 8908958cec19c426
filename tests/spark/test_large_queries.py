"""Queries with more rows than a worker holds are ranked by Spark, with the same bits."""

from importlib import import_module

import pytest

import gainful
from gainful import Rules
from gainful.errors import SourceError, SparkError
from gainful.spark import evaluate
from spark.local_and_spark import assert_same, override_conf, spread_rows, table
from spark.random_tables import random_qrels, random_run

pytestmark = pytest.mark.spark
QRELS, RUN = random_qrels(11), random_run(11)
MEASURES = ["nDCG@3,10", "AP", "RR", "DCG(gain=exp2)", "Judged@5", "num_ret"]
LIMIT = 6  # about half of the queries have more rows


@pytest.fixture(autouse=True)
def small_limit(monkeypatch):
    monkeypatch.setattr(import_module("gainful.spark.evaluate"), "MAX_QUERY_ROWS", LIMIT)


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(ties="input", precision="float32"), Rules(ties="average", depth=5)],
    ids=str,
)
def test_ranks_of_windows_give_the_bits_of_one_machine(spark, rules):
    assert_same(spark, QRELS, RUN, MEASURES, rules=rules)


def evaluate_small(spark, run, measures="nDCG@10", **options):
    qrels = table([("q1", "d1", 1.0), ("q2", "d1", 1.0)], "label")
    frames = [spread_rows(spark, rows, 1) for rows in (qrels, table(run, "score"))]
    with pytest.raises(gainful.GainfulError) as error:
        evaluate(*frames, measures, partitions=1, **options)
    return error


LARGE = [("q1", f"d{i}", float(i)) for i in range(LIMIT + 1)]


@pytest.mark.parametrize(
    ("measures", "rules", "reason"),
    [
        ("nDCG", Rules(duplicates="max"), "Spark's windows cannot rank them by duplicates=max"),
        ("nDCG", Rules(unjudged="condense"), "Spark's windows cannot rank them by unjudged=cond"),
        ("ILD@3", Rules(), "ILD@3 needs them all in one place"),
    ],
)
def test_what_windows_cannot_rank_is_an_error_that_names_the_query(spark, measures, rules, reason):
    items = gainful.ItemData(features={f"d{i}": [float(i)] for i in range(9)})
    error = evaluate_small(spark, LARGE, measures, rules=rules, items=items)
    assert type(error.value) is SparkError
    assert f"query 'q1' has more than 6 rows, and {reason}" in str(error.value)


def test_rows_that_cannot_be_ranked_are_named(spark):
    error = evaluate_small(spark, [*LARGE, ("q1", "d3", 9.0)])
    assert str(error.value).startswith("run 'run': query 'q1' item 'd3' is retrieved twice.")
    error = evaluate_small(spark, [*LARGE, ("q1", "x", float("nan"))])
    assert type(error.value) is SourceError
    assert "query 'q1' item 'x'" in str(error.value)


def test_a_label_that_is_no_number_is_named(spark):
    qrels = table([("q1", "d1", "1"), ("q1", "d2", "good")], "label")
    frames = [spread_rows(spark, rows, 1) for rows in (qrels, table(LARGE, "score"))]
    is_named = pytest.raises(SourceError, match=r"query 'q1' item 'd2'.*'good'")
    with override_conf(spark, spark__sql__ansi__enabled=True), is_named:
        evaluate(*frames, "nDCG@10", rules=Rules(ties="best"), partitions=1)


def test_rows_without_a_query_are_the_same_error_however_many_there_are(spark):
    errors = [
        evaluate_small(spark, [*LARGE, *((None, f"n{i}", 1.0) for i in range(n))])
        for n in (1, LIMIT + 1)
    ]
    assert type(errors[0].value) is SourceError
    assert str(errors[0].value) == str(errors[1].value)
