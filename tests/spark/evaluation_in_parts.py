"""An evaluation in the parts that Spark's workers would have, without Spark."""

import zlib

import pyarrow as pa

from gainful.evaluation.arguments import (
    name_dialect_in_errors,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
)
from gainful.sources import ItemData
from gainful.spark.evaluate import _gather_scores
from gainful.spark.inputs import SparkInput
from gainful.spark.task import Task, unpack_outcomes
from gainful.spark.worker import evaluate_partition


def evaluate_in_parts(qrels, run, measures, *, items=None, rules=None, dialect=None, n_parts=3):
    """Return the scores of Spark for columns of qrels (query, item, label, ...) and of a run."""
    dialect = resolve_dialect(dialect, rules)
    rules = resolve_rules(rules, qrels) if dialect is None else dialect.rules
    task = Task(resolve_measures(measures, dialect), rules, items or ItemData())
    sides = [add_columns(qrels, is_run=False), add_columns(run, is_run=True)]
    rows = pa.concat_tables(sides, promote_options="permissive")
    part = [zlib.crc32(query.encode()) % n_parts for query in rows.column("query").to_pylist()]
    outcomes = []
    for number in range(n_parts):
        in_part = rows.filter(pa.array([row_part == number for row_part in part]))
        if packed := list(evaluate_partition(iter(in_part.to_batches()), task)):
            outcomes += unpack_outcomes(pa.Table.from_batches(packed))
    with name_dialect_in_errors(dialect):
        return _gather_scores(outcomes, "run", SparkInput(None, "qrels"), task, dialect)


def add_columns(columns, *, is_run):
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    position = pa.array(range(len(table)), pa.int64())
    table = table.append_column("position", position)
    return table.append_column("is_run", pa.array([is_run] * len(table)))
