"""Queries that are too large to be gathered, on a real Spark."""

from importlib import import_module

import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.spark import evaluate
from spark.held_passes import told_of
from spark.test_choosing import RUN

choosing = import_module("gainful.spark.evaluate")
QRELS = pa.table({"query": ["q1", "q2"], "item": ["a", "b"], "label": [1.0, 2.0]})


@pytest.mark.spark
@pytest.mark.parametrize(("largest", "counts"), [(5, True), (10, False)])
def test_a_query_that_is_too_large_is_counted(spark, monkeypatch, largest, counts):
    called = []

    def counted(*arguments):
        called.append(True)
        return choosing_counted(*arguments)

    choosing_counted = choosing.count_ranks
    monkeypatch.setattr(choosing, "MAX_QUERY_ROWS", largest)
    monkeypatch.setattr(choosing, "count_ranks", counted)
    frames = [spark.createDataFrame(one) for one in (QRELS, RUN)]
    ours = told_of(lambda: evaluate(*frames, ["nDCG", "AP"]))
    assert ours == told_of(lambda: gainful.evaluate(QRELS, RUN, ["nDCG", "AP"]))
    assert bool(called) == counts


@pytest.mark.spark
def test_what_cannot_be_counted_is_partitioned_whatever_its_size(spark, monkeypatch):
    monkeypatch.setattr(choosing, "MAX_QUERY_ROWS", 5)
    frames = [spark.createDataFrame(one) for one in (QRELS, RUN)]
    rules = Rules(duplicates="max")
    ours = told_of(lambda: evaluate(*frames, "nDCG", rules=rules))
    assert ours == told_of(lambda: gainful.evaluate(QRELS, RUN, "nDCG", rules=rules))
