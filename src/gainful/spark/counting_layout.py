"""Where the queries of a run stand: in one partition, or in several."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.alignment import JudgedRankings, UnjudgedQuery
from gainful.base import BoolArray, Frozen, IntArray, cached_property
from gainful.errors import UncountableError
from gainful.spark.counting_messages import MARK, Standing, check_size, serialize_table
from gainful.spark.frames import ROW_BITS
from gainful.spark.task import Task

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(eq=False, repr=False)
class PartitionLayout(Frozen):
    """Where the queries of a run stand.

    Attributes:
        queries: How many rows each query has, and its first and last position.
        judged: The ids of the queries that have judgments, as an Arrow array.
    """

    queries: Any
    judged: Any

    @cached_property
    def number(self) -> IntArray:
        """The number of each query among the judged ones, or -1."""
        return number_ids(self.queries.column("query"), self.judged)

    @cached_property
    def sizes(self) -> IntArray:
        """How many rows each judged query has."""
        found: IntArray = self._of_judged(self._sizes)
        return found

    @cached_property
    def spread(self) -> BoolArray:
        """Whether a judged query has rows in several partitions."""
        first, last = (self.queries.column(name).to_numpy() for name in ("first", "last"))
        found: BoolArray = self._of_judged(first >> ROW_BITS != last >> ROW_BITS)
        return found

    @cached_property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self._sizes.sum())

    @cached_property
    def n_spread(self) -> int:
        """How many of them are of judged queries that are spread."""
        return int(self.sizes[self.spread].sum())

    @cached_property
    def strangers(self) -> tuple[UnjudgedQuery, ...]:
        """The queries that have no judgments, in the order of the run."""
        import pyarrow as pa

        others = self.queries.filter(pa.array(self.number < 0))
        found = zip(*(others.column(name).to_pylist() for name in ("first", "query")), strict=True)
        return tuple(sorted(UnjudgedQuery(*one) for one in found if one[1] is not None))

    def of_queries(self, judged: Any, chosen: BoolArray) -> Any:
        """The judgments of some of the judged queries."""
        import pyarrow as pa

        return judged.filter(pa.array(chosen[number_ids(judged.column("query"), self.judged)]))

    @property
    def _sizes(self) -> IntArray:
        sizes: IntArray = self.queries.column("n_rows").to_numpy()
        return sizes

    def _of_judged(self, values: Any) -> Any:
        known = self.number >= 0
        found = np.zeros(len(self.judged), dtype=values.dtype)
        found[self.number[known]] = values[known]
        return found


def number_ids(ids: object, known: object) -> IntArray:
    """The number of each id among those that are known, or -1.

    >>> import pyarrow as pa
    >>> number_ids(pa.array(["b", None, "x"]), pa.array(["a", "b"]))
    array([ 1, -1, -1])
    """
    import pyarrow.compute as pc

    found = pc.index_in(ids, value_set=known).fill_null(-1)
    number: IntArray = found.to_numpy().astype(np.int64)
    return number


def make_standing(judged: object, stand: PartitionLayout) -> Standing:
    """What workers are told; an error where it is too much to send.

    Args:
        judged: All judgments, in the order of queries.
        stand: Where queries stand.
    """
    import pyarrow as pa

    whole = (stand.sizes > 0) & ~stand.spread
    sent = stand.of_queries(judged, whole)
    n_judged = np.bincount(number_ids(sent.column("query"), stand.judged), minlength=len(whole))
    queries = {
        "query": stand.judged,
        "n_rows": np.where(whole, stand.sizes, 0),
        "n_judged": n_judged,
    }
    judged = serialize_table(sent.select(["item", "number"]))
    found = Standing(serialize_table(pa.table(queries)), judged)
    check_size((found.queries, found.judged), len(whole), sent.num_rows)
    return found


def hash_item(width: int = 64) -> "Column":
    """A number by which items of queries are told apart, nearly always."""
    from pyspark.sql import functions as F

    whole = F.xxhash64("query", "item")
    return whole if width == 64 else whole.bitwiseAND(F.lit((1 << width) - 1))


def first_repeat(
    rows: "DataFrame", suspects: object, named: Sequence[tuple[str, str]], width: int
) -> dict[str, Any] | None:
    """The fault of the item whose second mention comes first, if there is one that has two.

    Args:
        rows: Of the run.
        suspects: Marks that several partitions have.
        named: Queries and items that a partition has twice.
        width: The bits of a mark.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    chosen = _suspected(rows, suspects, width)
    if named:
        pairs = rows.sparkSession.createDataFrame(list(named), "query string, item string")
        each = rows.select("query", "item", "position")
        chosen = chosen.union(each.join(F.broadcast(pairs), ["query", "item"], "left_semi"))
    mentions = Window.partitionBy("query", "item").orderBy("position")
    found = (
        chosen.distinct()
        .withColumn("mention", F.row_number().over(mentions))
        .withColumn("first", F.lag("position").over(mentions))
        .where("mention = 2")
        .orderBy("position")
        .limit(1)
        .collect()
    )
    if not found:
        return None
    query, item, second, first = (found[0][name] for name in ("query", "item", "position", "first"))
    told = ["retrieved-twice", second, 0, "", query, item, first, second]
    about = {"kind": "SourceError", "message": "", "holds": "run", "found": told}
    return about | {"stage": 3, "first": second}


def n_repeats(rows: "DataFrame", judged: "DataFrame", suspects: object, width: int) -> int:
    """How many partitions have an unjudged item that one before them has, item by item."""
    from pyspark.sql import functions as F

    pairs = F.broadcast(judged.select("query", "item"))
    part = F.shiftright("position", ROW_BITS)
    parts = (
        _suspected(rows, suspects, width)
        .join(pairs, ["query", "item"], "left_anti")
        .groupBy("query", "item")
        .agg(F.count_distinct(part).alias("n_parts"))
    )
    found = parts.agg(F.sum(F.col("n_parts") - 1)).collect()[0][0]
    return int(found or 0)


def _suspected(rows: "DataFrame", suspects: object, width: int) -> "DataFrame":
    """The rows that have one of the marks."""
    import pyarrow as pa
    from pyspark.sql import functions as F

    marks = pa.table({MARK: pa.array(np.asarray(suspects).view(np.int64))})
    wanted = F.broadcast(rows.sparkSession.createDataFrame(marks))
    marked = rows.withColumn(MARK, hash_item(width))
    return marked.join(wanted, MARK, "left_semi").select("query", "item", "position")


_DROPPING = ("first", "last", "max")


def explain_uncountable(task: Task) -> str | None:
    """Why ranks cannot be counted, as a sentence; None where they can be."""
    rules = task.rules
    if rules.collapse is not None:
        return "strategy=count cannot tell which rows are parts of one item, got collapse."
    if rules.duplicates in _DROPPING:
        return (
            "strategy=count cannot drop rows for those of other partitions, "
            f"got duplicates={rules.duplicates}."
        )
    for asked, its in task.resolved.items():
        if its.reads is not JudgedRankings:
            return f"strategy=count knows the ranks of judged items alone; {asked} needs more."
    return None


def refuse_uncountable(task: Task) -> None:
    """An error where ranks cannot be counted."""
    if (reason := explain_uncountable(task)) is not None:
        message = f"{reason} Pass strategy='partition'."
        raise UncountableError(message, code="cannot-count")
