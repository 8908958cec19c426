"""Qrels and runs as DataFrames with the columns that workers read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gainful.alignment import JUDGMENT_TYPES, ZERO, Count, Rankings, Rules, make_native_options
from gainful.base import ReadOptions, _native, cached_property
from gainful.errors import SourceError
from gainful.sources import (
    FORMATS,
    GROUP_ROLES,
    KNOWN_NAMES,
    LEVELS,
    ROLES,
    Judgments,
    ReadSpec,
    RowLocator,
    find_columns,
    find_first,
    push_source,
)
from gainful.spark.failures import translate_errors

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame


# Rows of qrels stand before those of the run: their positions are lower than any of Spark's own.
QRELS_OFFSET = -(1 << 62)
ROW_BITS = 33  # bits of a position that count the rows of a partition
_ROW_MASK = (1 << ROW_BITS) - 1


class SkippedRows(NamedTuple):
    """Counts of the rows that were skipped while a source was read.

    Attributes:
        n_comments: Number of comment lines.
        long_lines: Lines with too many fields: their number and the position of the first.
        n_judged_twice: Number of judgments skipped because their item is judged twice.
        duplicates: The rule that chose between them, if it differs from the evaluation's.
        n_returns: Number of long lines with a carriage return inside.
    """

    n_comments: int = 0
    long_lines: Count = ZERO
    n_judged_twice: int = 0
    duplicates: str | None = None
    n_returns: int = 0


class SourceText(Protocol):
    """The original text of a source, if its columns do not hold all of it."""

    @property
    def rows(self) -> "DataFrame":
        """All rows that positions count, including skipped ones."""

    @property
    def unit(self) -> str:
        """Unit in which errors count rows: line or row."""

    @property
    def skipped(self) -> SkippedRows:
        """The rows that were skipped while the text was read."""

    def describe_error(self, error: _native.BadInput, locator: RowLocator) -> SourceError:
        """Return the error for a row that a worker could not read, given by its position."""


@dataclass(frozen=True, eq=False)
class SparkInput:
    """Qrels or a run with known columns: query, item and position; number and rank if present.

    Qrels may have group and subgroup as well. A position orders rows as ``collect()`` would return
    them. It is made of the number of the partition and that of the row in it, as
    ``monotonically_increasing_id`` has it, and one more: a row that is named has no number 0.

    Attributes:
        frame: The rows.
        place: Name of the source in errors.
        text: The original text, if the columns do not hold all of it.
        skipped_on_driver: What was skipped, if the source was read on the driver.
    """

    frame: "DataFrame"
    place: str
    text: SourceText | None = None
    skipped_on_driver: SkippedRows | None = None

    @property
    def locator(self) -> RowLocator:
        """Names of the rows by their positions, for errors and notices."""
        unit = "row" if self.text is None else self.text.unit
        return RowLocator(self.place, unit, lines=self)  # type: ignore[arg-type]  # has its methods

    n_comments = 0  # that are not among the rows which are counted

    @cached_property
    def skipped(self) -> SkippedRows:
        """The rows that were skipped while the source was read."""
        if self.skipped_on_driver is not None or self.text is None:
            return self.skipped_on_driver or SkippedRows()
        skipped = self.text.skipped
        times, first = skipped.long_lines
        if first is None:
            return skipped
        return skipped._replace(long_lines=Count(times, self.find_line(first)))

    def describe_error(self, error: _native.BadInput) -> SourceError:
        """Return the error for a row that a worker could not read, given by its position."""
        if self.text is None or not error.args[1]:
            return self.locator.explain_error(error)
        return self.text.describe_error(error, self.locator)

    def find_line(self, position: int) -> int:
        """Return the number of the row at a position, from 1."""
        partition, row = divmod(position - 1, _ROW_MASK + 1)
        rows_before = sum(n for number, n in self._sizes.items() if number < partition)
        return rows_before + row + 1

    @cached_property
    def _sizes(self) -> dict[int, int]:
        """Number of rows of each partition; computed only if a row has to be named."""
        from pyspark.sql import functions as F

        rows = read_all_columns(self.frame if self.text is None else self.text.rows)
        partition = F.shiftright(F.col("position") - 1, ROW_BITS).alias("partition")
        counts = rows.groupBy(partition).count().collect()
        return {row["partition"]: row["count"] for row in counts}


@dataclass(frozen=True, eq=False)
class NumberTexts:
    """Numbers that the source holds as text.

    Attributes:
        rows: The columns that are read, as they were written, and the position of each row.
    """

    rows: "DataFrame"
    unit = "row"
    skipped = SkippedRows()

    def describe_error(self, error: _native.BadInput, locator: RowLocator) -> SourceError:
        """Return the error with the text that is not a number."""
        reason, position, *details = error.args
        column = {"label": "number", "score": "number", "rank": "rank"}.get(reason)
        if column is None or column not in self.rows.columns:
            return locator.explain_error(error)
        rows = read_all_columns(self.rows).where(f"position = {position}").select(column).collect()
        text = next((row[column] for row in rows if row[column] is not None), None)
        if text is not None:
            details[1] = text.encode("utf-8", "surrogateescape")
        return locator.explain_error(_native.BadInput(reason, position, *details))


def select_with_position(
    frame: "DataFrame", columns: Mapping[str, Any], position: Any = None
) -> "DataFrame":
    """Select columns under new names, and the position of each row."""
    if position is None:
        position = make_position_column()
    named_columns = [column.alias(name) for name, column in columns.items()]
    return frame.select(*named_columns, position.alias("position"))


def read_all_columns(frame: "DataFrame") -> "DataFrame":
    """Force Spark to read all columns of the rows.

    With fewer columns Spark may merge partitions differently, which changes positions.
    """
    return frame.mapInArrow(_pass_through, frame.schema)


def _pass_through(batches: object) -> Any:
    return batches


def make_position_column() -> "Column":
    """Return the column of the positions of rows."""
    from pyspark.sql import functions as F

    return F.monotonically_increasing_id() + F.lit(1)


def rename_columns(frame: "DataFrame") -> "tuple[DataFrame, Sequence[str]]":
    """Rename the columns of a frame to unique names; return the frame and the names."""
    names = [f"c{number}" for number in range(len(frame.columns))]
    return frame.toDF(*names), names


def select_input_columns(table: "pyarrow.Table", number: str) -> Any:
    """Select the columns of an Arrow table that readers know, with ``number`` as label or score."""
    names = {"query": "query", "item": "item", "number": number, "rank": "rank"}
    present = [name for name in names if name in table.column_names]
    if number == "label":
        present = [name for name in present if name != "rank"]
    return table.select(present).rename_columns([names[name] for name in present])


# A number in text, as the native core reads it: Java takes "1d", "0x1p3" and " 1 " for numbers too.
_NUMBER = r"\A(?i)[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity|nan)\z"
_READ_OPTIONS = ReadOptions(threads=1)
_SIDES = ("qrels", "run")


class SparkRows(NamedTuple):
    """Rows on Spark.

    Attributes:
        frame: The rows, in columns of any names and types.
        place: Name of the source in errors.
        columns: Names of the columns by role, as the user gave them.
        text: The original text, if the columns do not hold all of it.
        position: Name of the column of positions, if there is one.
    """

    frame: "DataFrame"
    place: str
    columns: Mapping[str, str]
    text: SourceText | None = None
    position: str | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns, without that of positions."""
        return [name for name in self.frame.columns if name != self.position]


def select_columns_of(side: str, columns: Any) -> dict[str, str]:
    """Select the columns that the user named for one side.

    >>> select_columns_of("run", {"query": "qid", "qrels.label": "grade", "run.score": "s"})
    {'query': 'qid', 'score': 's'}
    """
    roles = ("subtopic", *GROUP_ROLES, *ROLES)
    names = ReadSpec(side, side, columns or {}).columns
    selected: dict[str, str] = {}
    for name, column in names.items():
        owner, _, role = name.rpartition(".")
        if role not in roles or owner not in ("", *_SIDES):
            message = f"columns: must name one of {', '.join(ROLES)}, got {name!r}."
            raise SourceError(message, code="bad-columns")
        if owner in ("", side):
            selected["group" if role == "subtopic" else role] = column
    return selected


def list_columns_only_of(side: str, columns: Any) -> list[str]:
    """List the column roles that only one side can have, as the user gave them.

    >>> list_columns_only_of("run", {"query": "qid", "run.item": "docno", "score": "s"})
    ['run.item', 'score']
    """
    roles = ("score", "rank") if side == "run" else ("label", "subtopic", *GROUP_ROLES)
    return [name for name in columns or {} if name.startswith(f"{side}.") or name in roles]


def prepare_run(rows: SparkRows, rules: Rules) -> SparkInput:
    """Return a run with known columns; raise an error if columns are missing or of a wrong type."""
    spec = ReadSpec(
        "run", rows.place, _select_basic_roles(rows.columns), ranks_for=rules.reading_ranks
    )
    query, item, number, rank = find_columns(rows.names, spec)
    roles = {"query": query, "item": item, "number": number, "rank": rank}
    _check_types(rows, roles, spec, rules)
    if rules.order != "score":
        roles["number"] = None
    return _prepare(rows, roles)


def prepare_qrels(rows: SparkRows, rules: Rules, kinds: Sequence[type[Rankings]]) -> SparkInput:
    """Return qrels with known columns; without a label, all items are relevant."""
    from pyspark.sql import functions as F

    spec = ReadSpec("qrels", rows.place, _select_basic_roles(rows.columns))
    groups = _find_group_columns(rows, kinds)
    names = rows.names
    if groups and find_first(names, KNOWN_NAMES["label"]) is None and "label" not in spec.columns:
        index = find_first(names, LEVELS)
        if index is not None:
            spec = replace(spec, columns={**spec.columns, "label": names[index]})
    query, item, number, _ = find_columns(names, spec)
    roles = {"query": query, "item": item, "number": number}
    _check_types(rows, roles, spec, rules)
    extra_columns = {} if number is not None else {"number": F.lit(1.0)}
    return _prepare(rows, roles | groups, **extra_columns)


def _select_basic_roles(columns: Mapping[str, str]) -> dict[str, str]:
    return {role: name for role, name in columns.items() if role in ROLES}


def _find_group_columns(rows: SparkRows, kinds: Sequence[type[Rankings]]) -> dict[str, int | None]:
    """Find the group columns of the rows, if a measure reads groups."""
    if all(JUDGMENT_TYPES[kind].judgments is Judgments for kind in kinds):
        return {}
    indexes = {role: _find_group_column(rows, role) for role in GROUP_ROLES}
    return {role: index for role, index in indexes.items() if index is not None}


def _find_group_column(rows: SparkRows, role: str) -> int | None:
    name = rows.columns.get(role)
    if name is None:
        return find_first(rows.names, KNOWN_NAMES[role])
    if name not in rows.names:
        columns = ", ".join(map(repr, rows.names))
        message = f"{rows.place}: has no column {name!r}; there are {columns}."
        raise SourceError(message, code="missing-column")
    return rows.names.index(name)


def _check_types(
    rows: SparkRows, roles: Mapping[str, int | None], spec: ReadSpec, rules: Rules
) -> None:
    """Let the local reader raise its error for columns of types that it does not read."""
    import pyarrow as pa

    schema = _get_column_types(rows, roles)
    nulls = [pa.nulls(1, schema.get(number, pa.null())) for number in range(len(rows.names))]
    table = pa.Table.from_arrays(nulls, names=rows.names)
    index = _native.Index(_READ_OPTIONS.native)
    receiver: Any = index
    if spec.holds == "run":
        index.finish(_native.Duplicates.error)
        receiver = _native.Aligner(index, make_native_options(rules), _READ_OPTIONS.native)
    try:
        push_source(
            table, FORMATS[spec.holds, "frame"], spec, receiver, _READ_OPTIONS, lambda: None
        )
    except SourceError as error:
        # The row holds only nulls, which are not ids; that says nothing about the columns.
        if error.bad_input is None or error.bad_input[0] not in _ROW_REASONS:
            raise


_ROW_REASONS = ("null", "label", "score", "rank")


def _get_column_types(rows: SparkRows, roles: Mapping[str, int | None]) -> dict[int, Any]:
    """Return the Arrow types of the columns that are read."""
    frame, names = rename_columns(rows.frame.drop(rows.position) if rows.position else rows.frame)
    used = [index for index in roles.values() if index is not None]
    with translate_errors(rows.place):
        empty = frame.select(*dict.fromkeys(names[index] for index in used)).limit(0).toArrow()
    return {index: empty.schema.field(names[index]).type for index in used}


def _prepare(
    rows: SparkRows, roles: Mapping[str, int | None], **extra_columns: "Column"
) -> SparkInput:
    """Convert ids to text and numbers to doubles, and add the position of each row."""
    from pyspark.sql import functions as F

    frame, names = rename_columns(rows.frame)
    position = None if rows.position is None else F.col(names[-1])
    types = [field.dataType.typeName() for field in frame.schema.fields]
    columns, texts = dict(extra_columns), {}
    for role, index in roles.items():
        if index is None:
            continue
        column = F.col(names[index])
        if role not in ("number", "rank"):
            columns[role] = column.cast("string")
        elif types[index] in _TEXT_TYPES:
            texts[role] = column
            columns[role] = F.when(column.rlike(_NUMBER), column).try_cast("double")
        else:
            columns[role] = column.cast("double")
    text = rows.text
    if text is None and texts:
        text = NumberTexts(select_with_position(frame, columns | texts, position))
    return SparkInput(select_with_position(frame, columns, position), rows.place, text)


_TEXT_TYPES = ("string", "char", "varchar")
