"""Dialects on a real Spark give what one machine gives."""

import pyarrow as pa
import pytest

import gainful
from gainful.errors import GainfulError
from gainful.spark import evaluate
from spark.score_equality import assert_alike
from spark.test_every_dialect import random_tables

# Those with rules that few others have.
SOME = ["trec_eval@10", "sklearn", "lightgbm", "xgboost", "recbole", "quepid-dcg", "beir"]


@pytest.mark.spark
@pytest.mark.parametrize("name", SOME)
def test_spark_gives_the_bits_of_one_machine_in_a_dialect(spark, name):
    qrels, run = random_tables(1)
    qrels = qrels.filter(pa.array([label >= 0 for label in qrels.column("label").to_pylist()]))
    frames = [spark.createDataFrame(table) for table in (qrels, run)]
    measures = ["nDCG@5", "DCG@5"]
    ours = evaluate(*frames, measures, dialect=name, partitions=3)
    assert_alike(ours, gainful.evaluate(qrels, run, measures, dialect=name))


@pytest.mark.spark
def test_spark_names_the_dialect_whose_rules_refuse_something(spark):
    qrels, run = random_tables(1)
    with pytest.raises(GainfulError) as ours:
        evaluate(*map(spark.createDataFrame, (qrels, run)), "nDCG", dialect="ranx")
    with pytest.raises(GainfulError) as local:
        gainful.evaluate(qrels, run, "nDCG", dialect="ranx")
    assert str(ours.value) == str(local.value)
    assert str(local.value).startswith("dialect ranx: ")
