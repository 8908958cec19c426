"""What is sent to workers so that they can count: the judged items that the run has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful._version import __version__
from gainful.cached import cached_property
from gainful.engines.spark.counting.scored import Rows, whole_ranks
from gainful.errors import UncountableError
from gainful.ragged import FloatArray, IntArray
from gainful.records import Frozen
from gainful.rules import Rules

MOST_SENT = 64 << 20  # bytes; Spark Connect takes messages of 128 MB
MARK = "mark"  # the column that tells items apart
# The columns of rows that leave a worker.
SCHEMA = "bucket string, blob binary"
COUNTS, MARKS, ABOUT = "counts", "marks", "about"  # what is in a bucket
MOVED = {"moved": True}  # what is told of rows that were elsewhere before


def counting_rules(rules: Rules) -> Rules:
    """The rules that decide the order of rows, none of which cuts it.

    Items that share the middle of their ranks stand in the order of the input, and get their ranks
    when all is counted.
    """
    return Rules(
        order=rules.order,
        ties="input" if rules.ties == "middle" else rules.ties,
        duplicates=rules.duplicates,
        unjudged="condense" if rules.unjudged == "condense" else "nonrelevant",
        precision=rules.precision,
        own_items=rules.own_items,
    )


@dataclass(eq=False, repr=False)
class Counting(Frozen):
    """What workers are told.

    Attributes:
        rules: What orders rows, as ``counting_rules`` has it.
        queries: The ids of queries, as packed tables: a query's number is its place.
        hits: Their judged items that the run has, by the numbers of queries and by positions. Of a
            query without any, one that the run does not have, whose position is null.
        n_buckets: How many parts queries are in when counts are added.
        n_mark_buckets: The same of marks.
        width: How many bits of a mark are compared.
        version: Of the package, on the driver.
    """

    rules: Rules
    queries: bytes
    hits: bytes
    n_buckets: int
    n_mark_buckets: int
    width: int
    version: str = __version__


def check_size(tables: Sequence[bytes], n_queries: int, n_items: int) -> None:
    """Refuse to send packed tables that are too large."""
    size = sum(map(len, tables))
    if size > MOST_SENT:
        message = (
            f"strategy=count sends {n_queries:,} judged queries and {n_items:,} judged items to "
            f"every worker, {size:,} bytes, more than {MOST_SENT:,}. Pass strategy='partition'."
        )
        raise UncountableError(message, code="cannot-count")


@dataclass(eq=False, repr=False)
class Standing(Frozen):
    """What workers are told of queries that stand in one partition, as packed tables.

    Attributes:
        queries: The ids of all judged queries, how many rows each has in its partition, and how
            many judgments; of those that stand in no partition, or in several, none.
        judged: Their judgments, in the order of queries.
    """

    queries: bytes
    judged: bytes


def row_of(bucket: str, blob: bytes) -> Any:
    """A row that leaves a worker."""
    import pyarrow as pa

    return pa.record_batch({"bucket": pa.array([bucket]), "blob": pa.array([blob], pa.binary())})


def packed_table(table: Any) -> bytes:
    """An Arrow table as bytes."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpacked_table(packed: bytes) -> Any:
    """What was packed."""
    import pyarrow as pa

    return pa.ipc.open_stream(packed).read_all()


class Sent:
    """What was sent, unpacked."""

    def __init__(self, counting: Counting) -> None:
        self.rules = counting.rules
        self.queries = unpacked_table(counting.queries).column("query").combine_chunks()
        self.hits = unpacked_table(counting.hits)

    @cached_property
    def offsets(self) -> IntArray:
        """Where the hits of each query begin."""
        number = self.hits.column("number_of_query").to_numpy()
        return np.searchsorted(number, np.arange(len(self.queries) + 1))


def rows_of(table: Any, query: IntArray, rules: Rules) -> Rows:
    """What orders the rows of a table, whose queries have numbers."""
    rank = whole = np.full(len(query), np.nan)
    if "rank" in table.column_names:
        rank = _numbers(table, "rank")
        whole = whole_ranks(rank)
    score = _numbers(table, "number") if "number" in table.column_names else -rank
    if rules.precision == "float32":
        with np.errstate(over="ignore"):
            score = score.astype(np.float32).astype(np.float64)
    position = table.column("position").fill_null(-1).to_numpy()
    return Rows(query, score, whole, position)


def _numbers(table: Any, name: str) -> FloatArray:
    found: FloatArray = table.column(name).to_numpy()
    return found
