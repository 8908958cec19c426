"""An evaluation in the parts that Spark's workers would have, without Spark."""

import zlib

import pyarrow as pa
import pyarrow.compute as pc

from gainful.alignment.rules import Rules
from gainful.evaluation.arguments import name_dialect_in_errors, resolve_dialect, resolve_measures
from gainful.sources import ItemData
from gainful.spark.gather import WorkerResults, gather_scores
from gainful.spark.input_rows import QRELS_OFFSET, SparkInput
from gainful.spark.task import Task
from gainful.spark.worker import evaluate_partition

AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"
JOINING = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"


class FakeConf(dict):
    """The settings of a session, of which some have a default."""

    def get(self, name):
        return super().get(name, {AT_ONCE: "10000", JOINING: "false"}[name])

    set, unset = dict.__setitem__, dict.__delitem__

    @property
    def getAll(self):
        return dict(self)


class FakeSession:
    """As much of a session as is asked of it."""

    def __init__(self, **settings):
        self.conf = FakeConf(settings)


class FakeDataFrame:
    """As much of a DataFrame as is asked of the rows that workers return."""

    def __init__(self, table):
        self.table = table
        self.sparkSession = FakeSession()

    def where(self, condition):
        null = pc.is_null(self.table.column("query"))
        return FakeDataFrame(
            self.table.filter(null if condition == "query is null" else pc.invert(null))
        )

    def select(self, *names):
        return FakeDataFrame(self.table.select(names))

    def drop(self, *names):
        return FakeDataFrame(self.table.drop_columns(names))

    def collect(self):
        return self.table.to_pylist()

    def toArrow(self):
        return self.table

    def persist(self):
        return self

    def unpersist(self):
        return self

    def unionAll(self, other):
        return FakeDataFrame(pa.concat_tables([self.table, other.table]))


def evaluate_in_parts(
    qrels, run, measures, *, items=None, rules=None, dialect=None, n_parts=3, task=None
):
    """What Spark would give for columns of qrels (query, item, number, ...) and of a run."""
    resolved_dialect = resolve_dialect(dialect, rules)
    rules = (rules or Rules()) if resolved_dialect is None else resolved_dialect.rules
    task = task or Task(resolve_measures(measures, resolved_dialect), rules, items or ItemData())
    both = pa.concat_tables(
        [add_positions(qrels, QRELS_OFFSET), add_positions(run, 0)], promote_options="permissive"
    )
    part = [zlib.crc32(query.encode()) % n_parts for query in both.column("query").to_pylist()]
    batches = []
    for number in range(n_parts):
        rows = both.filter(pa.array([row_part == number for row_part in part]))
        batches += evaluate_partition(iter(rows.to_batches()), task)
    names = SparkInput(None, "qrels"), SparkInput(None, "run 'run'")
    with name_dialect_in_errors(resolved_dialect):
        results = WorkerResults.collect(FakeDataFrame(pa.Table.from_batches(batches)))
        return gather_scores(results, "run", *names, task, dialect=resolved_dialect)


def add_positions(columns, first):
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    return table.append_column("position", pa.array(range(first, first + len(table)), pa.int64()))
