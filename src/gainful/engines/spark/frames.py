"""Qrels and runs as DataFrames with the columns that workers read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gainful.records import Frozen
from gainful.rules import Rules
from gainful.sources import Handed, Wanted
from gainful.sources._roles import chosen

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# Rows of qrels stand before those of the run: their positions are lower than any of Spark's own.
QRELS_FIRST = -(1 << 62)
PER_PARTITION = 33  # bits of a position that count the rows of a partition
_ROW = (1 << PER_PARTITION) - 1


@dataclass(eq=False, repr=False)
class Given(Frozen):
    """One side, with known columns: query, item and position; number and rank if there are any.

    A position orders rows as ``collect()`` would return them. It is made of the number of the
    partition and that of the row in it, as ``monotonically_increasing_id`` has it.

    Attributes:
        frame: The rows.
        place: What errors call it.
    """

    frame: "DataFrame"
    place: str

    @property
    def handed(self) -> Handed:
        """What its rows are called, given by their positions."""
        return Handed(self.place, "row", lines=self)

    n_comments = 0

    def of(self, position: int) -> int:
        """The number of a row, from 1."""
        partition, row = divmod(position, _ROW + 1)
        before = sum(n for number, n in self._sizes.items() if number < partition)
        return before + row + 1

    @cached_property
    def _sizes(self) -> dict[int, int]:
        """How many rows each partition has; asked only where a row has to be named."""
        from pyspark.sql import functions as F

        counts = self.frame.groupBy(F.spark_partition_id().alias("partition")).count().collect()
        return {row["partition"]: row["count"] for row in counts}


def given_run(frame: "DataFrame", place: str, columns: Mapping[str, str], rules: Rules) -> Given:
    """A run with known columns; an error where its own are not known, or of another type."""
    wanted = Wanted("run", place, columns, ranks_for=rules.reading_ranks)
    query, item, number, rank = chosen(frame.columns, wanted)
    found = _ids(frame, query=query, item=item)
    if number is not None and rules.order == "score":
        found["number"] = _number(frame, number)
    if rank is not None:
        found["rank"] = _number(frame, rank)
    return _given(frame, found, place)


def given_qrels(frame: "DataFrame", place: str, columns: Mapping[str, str]) -> Given:
    """Qrels with known columns, as above; where they have no label, all items are relevant."""
    from pyspark.sql import functions as F

    wanted = Wanted("qrels", place, columns)
    query, item, number, _ = chosen(frame.columns, wanted)
    found = _ids(frame, query=query, item=item)
    found["number"] = F.lit(1.0) if number is None else _number(frame, number)
    return _given(frame, found, place)


def _given(frame: "DataFrame", found: Mapping[str, "Column"], place: str) -> Given:
    from pyspark.sql import functions as F

    columns = [column.alias(name) for name, column in found.items()]
    return Given(frame.select(*columns, F.monotonically_increasing_id().alias("position")), place)


def _ids(frame: "DataFrame", **roles: int) -> dict[str, "Column"]:
    return {role: _column(frame, at).cast("string") for role, at in roles.items()}


def _number(frame: "DataFrame", at: int) -> "Column":
    return _column(frame, at).cast("double")


def _column(frame: "DataFrame", at: int) -> "Column":
    from pyspark.sql import functions as F

    return F.col("`" + frame.columns[at].replace("`", "``") + "`")
