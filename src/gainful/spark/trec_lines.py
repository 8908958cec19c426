"""TREC files that Spark reads: lines to columns.

Text on Spark is UTF-8: of a line that is not, two ids may become one. So it is an error, where the
local reader takes ids as bytes.
"""

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from gainful.alignment import Count, Rules, make_native_options
from gainful.base import ReadOptions, _native, cached_property
from gainful.errors import SourceError
from gainful.sources import FORMATS, RowLocator, explain_bad_input
from gainful.spark.input_rows import SkippedRows, make_position_column

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_READ_OPTIONS = ReadOptions(threads=1)
_SPACES = " \t\v\f\r"  # between fields, as the native core has it; Java means more by \\s
_INNER_RETURN = r"\r(?s:.)"  # one that does not end the line
_INTEGER = r"\A[+-]?[0-9]+\z"
_COLUMNS = {"qrels": ("query", "item", "label"), "run": ("query", "item", "rank", "score")}


@dataclass(frozen=True, eq=False)
class TrecLines:
    """The lines of TREC files.

    Attributes:
        text: All lines, as Spark reads them.
        path: Where they are, as it was given.
        holds: What they hold: qrels or run.
        rules: How the run is ordered, which says whether ranks must be integers.
    """

    text: "DataFrame"
    path: str
    holds: str
    rules: Rules

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a line, in their order."""
        return FORMATS[self.holds, "trec"].columns

    @cached_property
    def rows(self) -> "DataFrame":
        """Every line and its position."""
        return self.text.select("value", make_position_column().alias("position"))

    @cached_property
    def unit(self) -> str:
        """The unit in which errors count: rows of all files if there are several, else lines."""
        return "line" if len(self.text.inputFiles()) == 1 else "row"

    @property
    def frame(self) -> "DataFrame":
        """The lines as rows of text, without those that are blank or comments.

        A line with too few or too many fields, or that is not UTF-8, has no query, which is an
        error where it is read.
        """
        from pyspark.sql import functions as F

        split = self.rows.where(_is_data()).select(
            _split_fields().alias("fields"), F.is_valid_utf8("value").alias("valid"), "position"
        )
        fields = {name: F.get("fields", F.lit(index)) for index, name in enumerate(self.columns)}
        fields["query"] = F.when(
            F.col("valid") & self._has_n_fields(F.size("fields")), fields["query"]
        )
        if self.holds == "run":
            fields["rank"] = F.when(_is_integer(fields["rank"]), fields["rank"])
        columns = [fields[name].alias(name) for name in _COLUMNS[self.holds]]
        return split.select(*columns, "position")

    def _has_n_fields(self, n_fields: "Column") -> "Column":
        expected = len(self.columns)
        return n_fields == expected if self.holds == "qrels" else n_fields >= expected

    @cached_property
    def skipped(self) -> SkippedRows:
        """Count the lines that are comments or too long."""
        from pyspark.sql import functions as F

        long = _is_data() & (F.size(_split_fields()) > len(self.columns))
        row = self.rows.agg(
            F.count_if(_is_comment()).alias("comments"),
            F.count_if(long).alias("long"),
            F.min(F.when(long, F.col("position"))).alias("first"),
            F.count_if(long & F.col("value").rlike(_INNER_RETURN)).alias("returns"),
        ).first()
        assert row is not None
        if self.holds == "qrels" or not row["long"]:
            return SkippedRows(row["comments"])
        long_lines = Count(row["long"], row["first"])
        return SkippedRows(row["comments"], long_lines, n_returns=row["returns"])

    def describe_error(self, error: _native.BadInput, locator: RowLocator) -> SourceError:
        """Return the error that the local reader raises for the line at a position."""
        reason, position, *_ = error.args
        if reason not in ("null", "label", "score", "rank"):
            return locator.explain_error(error)
        line, file, number = self._find_line(position)
        if line is None:
            return SourceError(f"{file}, line {number}: {_NOT_UTF8}", code="not-text")
        try:
            self._parse(line.encode("utf-8", "surrogateescape") + b"\n")
        except _native.BadInput as bad_input:
            located = _native.BadInput(bad_input.args[0], number, *bad_input.args[2:])
            return explain_bad_input(located, file, unit="line")
        return locator.explain_error(error)

    def _find_line(self, position: int) -> tuple[str | None, str, int]:
        """Return the line at a position, None if not UTF-8, its file, and its number there."""
        from pyspark.sql import functions as F

        lines = self.text.select(
            F.when(F.is_valid_utf8("value"), F.col("value")).alias("value"),
            make_position_column().alias("position"),
            F.input_file_name().alias("file"),
        )
        row = lines.where(F.col("position") == position).first()
        assert row is not None
        above = (F.col("position") <= position) & (F.col("file") == row["file"])
        number = lines.where(above).count()
        file = self.path if self.unit == "line" else _get_local_path(row["file"])
        return row["value"], file, number

    def _parse(self, line: bytes) -> None:
        """Parse a line with the native core, which raises what is wrong with it."""
        index = _native.Index(_READ_OPTIONS.native)
        receiver: Any = index
        if self.holds == "run":
            index.finish(_native.Duplicates.error)
            receiver = _native.Aligner(index, make_native_options(self.rules), _READ_OPTIONS.native)
        receiver.feed(line)
        receiver.feed(b"")


_NOT_UTF8 = "is not UTF-8, and all text on Spark is. Convert it, or evaluate without Spark."


def read_lines(session: "SparkSession", path: str) -> "DataFrame":
    """Return the lines of text files, which end in a line feed."""
    return session.read.option("lineSep", "\n").text(path)


def _is_comment() -> "Column":
    from pyspark.sql import functions as F

    return F.col("value").startswith("#")


def _is_data() -> "Column":
    return ~_is_comment() & (_trim_line() != "")


def _trim_line() -> "Column":
    from pyspark.sql import functions as F

    return F.btrim("value", F.lit(_SPACES))


def _split_fields() -> "Column":
    from pyspark.sql import functions as F

    return F.split(_trim_line(), f"[{_SPACES}]+")


def _is_integer(rank: "Column") -> "Column":
    """Return the condition that a rank is an integer that is not too large."""
    return rank.rlike(_INTEGER) & rank.try_cast("bigint").isNotNull()


def _get_local_path(file: str) -> str:
    """Return the path of a file on this machine; return other files unchanged.

    >>> _get_local_path("file:///data/my%20run.txt"), _get_local_path("s3a://bucket/run.txt")
    ('/data/my run.txt', 's3a://bucket/run.txt')
    """
    if not file.startswith("file:"):
        return file
    return os.path.normpath(unquote(re.sub("^file:/*", "/", file)))
