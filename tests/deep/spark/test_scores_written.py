"""Scores of Spark: written, rounded, released, and values too large to be added."""

import math

import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.evaluation.slices import attach_query_data
from gainful.sources import read_queries
from gainful.spark import SparkScores, evaluate
from spark.score_equality import assert_alike
from spark.test_scores import MEASURES, PEOPLE, QRELS, RUN, evaluate_on_spark, frames, sort_rows
from spark.test_scores import local_scores as local_scores
from spark.test_scores import spark_scores as spark_scores

pytestmark = pytest.mark.spark


def test_frames_can_be_written(spark, spark_scores, tmp_path):
    for shape in ("tidy", "wide"):
        frame, path = spark_scores.to_spark(shape=shape), str(tmp_path / shape)
        frame.write.parquet(path)
        assert sort_rows(spark.read.parquet(path).toArrow()) == sort_rows(frame.toArrow())
        frame.write.saveAsTable(f"scores_{shape}")
        assert sort_rows(spark.table(f"scores_{shape}").toArrow()) == sort_rows(frame.toArrow())
        spark.sql(f"drop table scores_{shape}")


def test_frames_of_measures_of_whole_runs_alone_have_their_numbers(spark):
    scores = evaluate(*frames(spark, QRELS, RUN), "JudgedShare@2", partitions=2)
    score_rows = scores.to_spark().collect()
    assert [tuple(row) for row in score_rows] == [
        ("run", None, "JudgedShare@2", scores["JudgedShare@2"])
    ]


def test_shown_values_are_rounded_as_the_rules_say_and_others_are_not(spark):
    rules = Rules(decimals=2)
    ours = evaluate_on_spark(spark, rules=rules)
    local = gainful.evaluate(QRELS, RUN, MEASURES, rules=rules)
    assert_alike(ours, local)
    for shape in ("tidy", "wide"):
        score_table = ours.to_spark(shape=shape).toArrow()
        assert sort_rows(score_table) == sort_rows(local.to_arrow(shape=shape))


def test_what_is_known_of_queries_goes_with_the_scores(spark_scores, local_scores):
    data = read_queries(PEOPLE)
    result, expected = (
        attach_query_data(scores, data, "n") for scores in (spark_scores, local_scores)
    )
    assert isinstance(result, SparkScores)
    assert repr(result) == repr(expected)
    assert result.to_json() == expected.to_json()
    assert result.judged_share("P(rel=2)@2") == expected.judged_share("P(rel=2)@2")
    assert result.by("lang")["en"].mean() == expected.by("lang")["en"].mean()
    assert result.to_spark().count() == spark_scores.to_spark().count()


def test_values_too_large_to_be_added_in_parts_are_averaged_as_one_machine_does(spark):
    qrels = QRELS.set_column(
        2, "label", pa.array([1e308, 1e308, 1e307, -1e308, 1e308, 1.0, 2.0, 3.0])
    )
    ours = evaluate(*frames(spark, qrels, RUN), "DCG@3", partitions=3)
    assert ours["DCG@3"] == gainful.evaluate(qrels, RUN, "DCG@3")["DCG@3"]


def test_released_scores_work_out_again_what_is_asked_for(spark, local_scores):
    with evaluate_on_spark(spark) as scores:
        assert scores.cached.rows.storageLevel.useMemory
    assert not scores.cached.rows.storageLevel.useMemory
    assert scores.to_json() == local_scores.to_json()
    assert not math.isnan(scores["AP"])
