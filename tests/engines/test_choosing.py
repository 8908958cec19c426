"""auto: partition, unless a query is too large for one worker."""

import pyarrow as pa
import pytest

import gainful
from engines.held_passes import told_of
from gainful import Rules
from gainful.asked import settled_measures
from gainful.engines.spark import choosing, evaluate, worker
from gainful.engines.spark.carried import unpacked
from gainful.engines.spark.task import Task
from gainful.engines.spark.worker import part_values
from gainful.sources import ItemData

QRELS = pa.table({"query": ["q1", "q2"], "item": ["a", "b"], "label": [1.0, 2.0]})
RUN = pa.table(
    {"query": ["q1"] * 9 + ["q2"] * 3, "item": [*"abcdefghi", *"bcd"], "score": [1.0] * 12}
)


def batches_of(table):
    held = table.append_column("position", pa.array(range(table.num_rows)))
    return iter(held.rename_columns(["query", "item", "number", "position"]).to_batches(2))


def told_by_worker(largest):
    task = Task(settled_measures("nDCG", None), Rules(), ItemData(), largest=largest)
    return unpacked(rows_of_worker(task).column("about").to_pylist()[-1])


def rows_of_worker(task):
    return pa.Table.from_batches(part_values(batches_of(RUN), task))


@pytest.mark.parametrize("largest", [None, 9])
def test_a_worker_takes_queries_that_are_small_enough(largest):
    assert "facts" in told_by_worker(largest)


def test_a_worker_says_that_a_query_is_too_large():
    assert told_by_worker(8) == {"too_large": True}


def test_a_worker_takes_ids_of_any_size(monkeypatch):
    task = Task(settled_measures("nDCG", None), Rules(), ItemData())
    small = rows_of_worker(task)
    monkeypatch.setattr(worker, "_LARGE", 0)
    assert rows_of_worker(task) == small


@pytest.mark.spark
@pytest.mark.parametrize(("largest", "counts"), [(5, True), (10, False)])
def test_a_query_that_is_too_large_is_counted(spark, monkeypatch, largest, counts):
    called = []

    def counted(*arguments):
        called.append(True)
        return choosing_counted(*arguments)

    choosing_counted = choosing.counted
    monkeypatch.setattr(choosing, "LARGEST", largest)
    monkeypatch.setattr(choosing, "counted", counted)
    frames = [spark.createDataFrame(one) for one in (QRELS, RUN)]
    ours = told_of(lambda: evaluate(*frames, ["nDCG", "AP"]))
    assert ours == told_of(lambda: gainful.evaluate(QRELS, RUN, ["nDCG", "AP"]))
    assert bool(called) == counts


@pytest.mark.spark
def test_what_cannot_be_counted_is_partitioned_whatever_its_size(spark, monkeypatch):
    monkeypatch.setattr(choosing, "LARGEST", 5)
    frames = [spark.createDataFrame(one) for one in (QRELS, RUN)]
    rules = Rules(duplicates="max")
    ours = told_of(lambda: evaluate(*frames, "nDCG", rules=rules))
    assert ours == told_of(lambda: gainful.evaluate(QRELS, RUN, "nDCG", rules=rules))
