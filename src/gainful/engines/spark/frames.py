"""Qrels and runs as DataFrames with the columns that workers read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gainful import _native
from gainful.cached import cached_property
from gainful.errors import SourceError
from gainful.facts import NEVER, Seen
from gainful.records import Frozen
from gainful.sources import Handed

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# Rows of qrels stand before those of the run: their positions are lower than any of Spark's own.
QRELS_FIRST = -(1 << 62)
PER_PARTITION = 33  # bits of a position that count the rows of a partition
_ROW = (1 << PER_PARTITION) - 1


class Dropped(NamedTuple):
    """What a source had that its rows do not show.

    Attributes:
        n_comments: Lines of comments.
        long_lines: Lines with more fields than there should be; a position.
        n_judged_twice: Judgments that were dropped, their item being judged twice.
        duplicates: The rule that chose between them, where it was not that of the evaluation.
        n_returns: Long lines with a carriage return inside.
    """

    n_comments: int = 0
    long_lines: Seen = NEVER
    n_judged_twice: int = 0
    duplicates: str | None = None
    n_returns: int = 0


class Written(Protocol):
    """How the rows of a source were written, where their columns do not hold all of it."""

    @property
    def rows(self) -> "DataFrame":
        """All rows that positions count, those that were left out among them."""

    @property
    def unit(self) -> str:
        """What errors count them by."""

    @property
    def dropped(self) -> Dropped:
        """What it had that its rows do not show."""

    def worded(self, error: _native.BadInput, handed: Handed) -> SourceError:
        """The sentence for what a worker found wrong in the row at a position."""


@dataclass(eq=False, repr=False)
class Given(Frozen):
    """One side, with known columns: query, item and position; number and rank if there are any.

    Qrels may have group and subgroup as well. A position orders rows as ``collect()`` would return
    them. It is made of the number of the partition and that of the row in it, as
    ``monotonically_increasing_id`` has it, and one more: a row that is named has no number 0.

    Attributes:
        frame: The rows.
        place: What errors call it.
        written: How they were written, if that is another way.
        known: What is known of it beside, if it was read here.
    """

    frame: "DataFrame"
    place: str
    written: Written | None = None
    known: Dropped | None = None

    @property
    def handed(self) -> Handed:
        """What its rows are called, given by their positions."""
        unit = "row" if self.written is None else self.written.unit
        return Handed(self.place, unit, lines=self)

    n_comments = 0  # that are not among the rows which are counted

    @cached_property
    def dropped(self) -> Dropped:
        """What it had that its rows do not show."""
        if self.known is not None or self.written is None:
            return self.known or Dropped()
        found = self.written.dropped
        times, first = found.long_lines
        return found if first is None else found._replace(long_lines=Seen(times, self.of(first)))

    def worded(self, error: _native.BadInput) -> SourceError:
        """The sentence for what a worker found wrong, lines being positions."""
        if self.written is None or not error.args[1]:
            return self.handed.worded(error)
        return self.written.worded(error, self.handed)

    def of(self, position: int) -> int:
        """The number of a row, from 1."""
        partition, row = divmod(position - 1, _ROW + 1)
        before = sum(n for number, n in self._sizes.items() if number < partition)
        return before + row + 1

    @cached_property
    def _sizes(self) -> dict[int, int]:
        """How many rows each partition has; asked only where a row has to be named."""
        from pyspark.sql import functions as F

        rows = unpruned(self.frame if self.written is None else self.written.rows)
        partition = F.shiftright(F.col("position") - 1, PER_PARTITION).alias("partition")
        counts = rows.groupBy(partition).count().collect()
        return {row["partition"]: row["count"] for row in counts}


@dataclass(eq=False, repr=False)
class Texts(Frozen):
    """Numbers that were written as text.

    Attributes:
        rows: All that is read of every row, as it was written, and its position.
    """

    rows: "DataFrame"
    unit = "row"
    dropped = Dropped()

    def worded(self, error: _native.BadInput, handed: Handed) -> SourceError:
        """The sentence for what a worker found wrong, with the text that is no number."""
        reason, position, *others = error.args
        column = {"label": "number", "score": "number", "rank": "rank"}.get(reason)
        if column is None or column not in self.rows.columns:
            return handed.worded(error)
        found = unpruned(self.rows).where(f"position = {position}").select(column).collect()
        text = next((row[column] for row in found if row[column] is not None), None)
        if text is not None:
            others[1] = text.encode("utf-8", "surrogateescape")
        return handed.worded(_native.BadInput(reason, position, *others))


def positioned(frame: "DataFrame", columns: Mapping[str, Any], position: Any = None) -> "DataFrame":
    """The columns under their names, and the position of each row, if there is none yet."""
    if position is None:
        position = new_position()
    named = [column.alias(name) for name, column in columns.items()]
    return frame.select(*named, position.alias("position"))


def unpruned(frame: "DataFrame") -> "DataFrame":
    """The same rows, read with all their columns whatever is asked of them.

    With fewer columns Spark may join other partitions, and positions would be those of other rows.
    """
    return frame.mapInArrow(_same, frame.schema)


def _same(batches: Any) -> Any:
    return batches


def new_position() -> "Column":
    """The column that says where a row stands."""
    from pyspark.sql import functions as F

    return F.monotonically_increasing_id() + F.lit(1)


def numbered(frame: "DataFrame") -> "tuple[DataFrame, Sequence[str]]":
    """The frame with other names for its columns, no two the same, and these names."""
    names = [f"c{number}" for number in range(len(frame.columns))]
    return frame.toDF(*names), names
