"""Spark gives the bits that one machine gives."""

import pyarrow as pa
import pytest

import gainful
from gainful.engines.spark import evaluate

pytestmark = pytest.mark.spark


def test_values_means_and_notices_are_the_same(spark):
    qrels = pa.table({"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "label": [1, 2, 1]})
    run = pa.table({"query": ["q1", "q1", "q3"], "item": ["b", "a", "c"], "score": [2.0, 1.0, 1.0]})
    ours = evaluate(spark.createDataFrame(qrels), spark.createDataFrame(run), "nDCG@10")
    local = gainful.evaluate(qrels, run, "nDCG@10")
    assert ours.queries == local.queries
    assert ours.values.tolist() == local.values.tolist()
    assert ours["nDCG@10"] == local["nDCG@10"]
    assert ours.notices == local.notices
