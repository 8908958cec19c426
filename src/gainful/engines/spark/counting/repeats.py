"""Items that a query has twice: those that workers suspect, compared by their ids."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.engines.spark.counting.sent import MARK
from gainful.engines.spark.frames import PER_PARTITION

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def mark(width: int = 64) -> "Column":
    """A number by which items of queries are told apart, nearly always."""
    from pyspark.sql import functions as F

    whole = F.xxhash64("query", "item")
    return whole if width == 64 else whole.bitwiseAND(F.lit((1 << width) - 1))


def first_repeat(
    rows: "DataFrame", suspects: Any, named: Sequence[tuple[str, str]], width: int
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


def n_repeats(rows: "DataFrame", judged: "DataFrame", suspects: Any, width: int) -> int:
    """How many partitions have an unjudged item that one before them has, item by item."""
    from pyspark.sql import functions as F

    pairs = F.broadcast(judged.select("query", "item"))
    part = F.shiftright("position", PER_PARTITION)
    parts = (
        _suspected(rows, suspects, width)
        .join(pairs, ["query", "item"], "left_anti")
        .groupBy("query", "item")
        .agg(F.count_distinct(part).alias("n_parts"))
    )
    found = parts.agg(F.sum(F.col("n_parts") - 1)).collect()[0][0]
    return int(found or 0)


def _suspected(rows: "DataFrame", suspects: Any, width: int) -> "DataFrame":
    """The rows that have one of the marks."""
    import pyarrow as pa
    from pyspark.sql import functions as F

    marks = pa.table({MARK: pa.array(np.asarray(suspects).view(np.int64))})
    wanted = F.broadcast(rows.sparkSession.createDataFrame(marks))
    marked = rows.withColumn(MARK, mark(width))
    return marked.join(wanted, MARK, "left_semi").select("query", "item", "position")
