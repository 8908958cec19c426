"""auto: partition, unless a query is too large for one worker."""

import pyarrow as pa
import pytest

from gainful import Rules
from gainful.evaluation.arguments import resolve_measures
from gainful.sources import ItemData
from gainful.spark import worker
from gainful.spark.serialization import deserialize
from gainful.spark.task import Task
from gainful.spark.worker import evaluate_partition

RUN = pa.table(
    {"query": ["q1"] * 9 + ["q2"] * 3, "item": [*"abcdefghi", *"bcd"], "score": [1.0] * 12}
)


def batches_of(table):
    held = table.append_column("position", pa.array(range(table.num_rows)))
    return iter(held.rename_columns(["query", "item", "number", "position"]).to_batches(2))


def told_by_worker(largest):
    task = Task(resolve_measures("nDCG", None), Rules(), ItemData(), max_query_rows=largest)
    return deserialize(rows_of_worker(task).column("about").to_pylist()[-1])


def rows_of_worker(task):
    return pa.Table.from_batches(evaluate_partition(batches_of(RUN), task))


@pytest.mark.parametrize("largest", [None, 9])
def test_a_worker_takes_queries_that_are_small_enough(largest):
    assert "facts" in told_by_worker(largest)


def test_a_worker_says_that_a_query_is_too_large():
    assert told_by_worker(8) == {"too_large": True}


def test_a_worker_takes_ids_of_any_size(monkeypatch):
    task = Task(resolve_measures("nDCG", None), Rules(), ItemData())
    small = rows_of_worker(task)
    monkeypatch.setattr(worker, "_MAX_STRING_BYTES", 0)
    assert rows_of_worker(task) == small
