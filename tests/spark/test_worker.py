"""A worker evaluates a partition of whole queries."""

import pyarrow as pa

from gainful import Rules
from gainful.evaluation.arguments import resolve_measures
from gainful.sources import ItemData
from gainful.spark import worker
from gainful.spark.task import Task
from gainful.spark.worker import evaluate_partition

RUN = pa.table(
    {"query": ["q1"] * 9 + ["q2"] * 3, "item": [*"abcdefghi", *"bcd"], "score": [1.0] * 12}
)


def make_batches(table):
    table = table.append_column("position", pa.array(range(table.num_rows)))
    return iter(table.rename_columns(["query", "item", "number", "position"]).to_batches(2))


def run_worker(task):
    return pa.Table.from_batches(evaluate_partition(make_batches(RUN), task))


def test_a_worker_takes_ids_of_any_size(monkeypatch):
    task = Task(resolve_measures("nDCG", None), Rules(), ItemData())
    small = run_worker(task)
    monkeypatch.setattr(worker, "_MAX_STRING_BYTES", 0)
    assert run_worker(task) == small
