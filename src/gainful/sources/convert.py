"""Convert qrels or a run from one format to another."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from gainful.base import format_count, format_examples, format_setting, get_file_extension
from gainful.errors import SourceError
from gainful.sources import Format, ReadSpec, Run, is_path
from gainful.sources.columns import NUMBER, find_columns, to_id
from gainful.sources.writers import Writer

if TYPE_CHECKING:
    import polars as pl

_FILLERS = {"iteration": "0", "Q0": "Q0", "tag": "gainful"}
_EXACT = 2.0**53  # below it, an integer and a double are the same number


class Conversion:
    """Tables of one source as one format holds them, one after the other.

    Attributes:
        n_rows: Number of rows converted so far.
    """

    def __init__(
        self, source: object, form: Format, spec: ReadSpec, writer: Writer, lossy: bool
    ) -> None:
        self.n_rows = 0
        self._source = source
        self._form = form
        self._spec = spec
        self._writer = writer
        self._lossy = lossy
        self._with_rows: set[str] = set()  # queries, where there may be some without
        self._row_counts: Any = None  # how many rows each query had, in the tables before

    def convert_tables(self) -> Iterator[Any]:
        """Return all rows, table by table; raise an error if there are none."""
        import polars as pl

        table_spec = self._spec if self._form.has_own_names else replace(self._spec, columns={})
        for table in self._form.make_tables(self._source, self._spec):
            frame = pl.DataFrame(table)
            if frame.height:
                converted = self._convert_frame(frame, table_spec)
                self._note_queries(converted)
                yield converted
                self.n_rows += frame.height
        if not self.n_rows:
            rows = {"qrels": "judgments", "run": "items"}[self._spec.holds]
            message = f"{self._spec.place}: there are no {rows} in it."
            raise SourceError(message, code="nothing-in-it")
        self._check_queries()

    def _note_queries(self, table: "pl.DataFrame") -> None:
        if self._form.read_entries is not None:
            self._with_rows.update(table["query"].unique())

    def _check_queries(self) -> None:
        """Refuse queries without a row, which none of the written formats can hold."""
        if self._form.read_entries is None or self._lossy:
            return
        listed = self._form.read_entries(self._source, self._spec).queries or ()
        queries = dict.fromkeys(map(to_id, listed))
        empty_queries = [query for query in queries if query not in self._with_rows]
        if empty_queries:
            clause = format_count(len(empty_queries), "query has", "queries have")
            message = (
                f"{self._spec.place}: {clause} no items ({format_examples(empty_queries)}), and "
                f"{self._writer.name} has a place for items alone. Pass --lossy to leave them out."
            )
            raise SourceError(message, code="lossy")

    def _convert_frame(self, frame: "pl.DataFrame", spec: ReadSpec) -> Any:
        import polars as pl

        roles = find_columns(frame.columns, spec)
        role = NUMBER[spec.holds]
        columns = {
            "query": self._convert_ids(frame.to_series(roles.query), "query"),
            "item": self._convert_ids(frame.to_series(roles.item), "item"),
        }
        if roles.number is not None:
            columns[role] = self._convert_numbers(frame.to_series(roles.number), role)
        if roles.rank is not None:
            ranks = self._convert_ranks(frame.to_series(roles.rank))
            if ranks is not None:
                columns["rank"] = ranks
        extras = [frame.to_series(i) for i in range(frame.width) if i not in roles]
        columns |= self._select_extras(extras, used_names=set(columns))
        table = pl.DataFrame([series.alias(name) for name, series in columns.items()])
        return self._fill_columns(table) if self._writer.columns else table

    def _convert_ids(self, series: "pl.Series", role: str) -> Any:
        import polars as pl

        series = series.alias(role)
        if series.null_count():
            self._refuse(series.is_null(), f"the {role} is missing", code="bad-id")
        if series.dtype.is_float() or series.dtype.is_nested() or series.dtype == pl.Boolean:
            message = (
                f"{self._spec.place}: the {role} must be strings or integers, "
                f"got {str(series.dtype).lower()} such as {series[0]!r:.60}."
            )
            raise SourceError(message, code="column-type")
        try:
            return self._check_round_trip(series.cast(pl.String), role)
        except pl.exceptions.PolarsError:
            bad = pl.Series(not _is_text(value) for value in series)
            self._refuse(bad, f"the {role} must be UTF-8 text", code="not-text")

    def _check_round_trip(self, text: "pl.Series", role: str) -> Any:
        """Return ids that can be read back; others are refused, or replaced if allowed."""
        odd = (self._writer.odd or {}).get(role)
        matches = text.str.contains(odd) if odd else None
        if matches is None or not matches.any():
            return text
        if not self._lossy:
            value = text[matches.arg_max()]
            reason = f"the {role} {value!r:.60} {self._writer.reason}"
            way_out = " Pass --lossy to change such ids."
            self._refuse(matches, reason, way_out, code="lossy")
        return self._writer.fix_ids(text)

    def _convert_numbers(self, series: "pl.Series", role: str) -> Any:
        import polars as pl

        if series.dtype == pl.String and self._spec.labels is not None:
            words = {str(word): format_setting(float(n)) for word, n in self._spec.labels.items()}
            series = series.replace(words)
        value = series.cast(pl.Float64, strict=False)
        bad = value.is_null() | value.is_nan()
        bad = bad if role == "score" else bad | value.is_infinite()
        if bad.any():
            kind = "a number" if role == "score" else "a finite number"
            reason = f"{role} must be {kind}, got {series[bad.arg_max()]!r:.60}"
            self._refuse(bad, reason, code=f"bad-{role}")
        if self._writer.finite and value.is_infinite().any():
            endless = value.is_infinite()
            first = series[endless.arg_max()]
            reason = f"{self._writer.name} has no infinite numbers, got {first!r:.60}"
            self._refuse(endless, reason, code="lossy")
        return self._choose_exact_type(series, value)

    def _choose_exact_type(self, series: "pl.Series", value: Any) -> Any:
        """Return text for text formats, else numbers that are read back exactly."""
        import polars as pl

        if not self._writer.text:
            return series if series.dtype.is_integer() or series.dtype.is_float() else value
        if series.dtype == pl.String and not self._writer.finite:
            return series
        if series.dtype.is_integer():
            return series
        # Not single precision as it is: its shortest digits are those of another double.
        is_integral = ((value == value.floor()) & (value.abs() < _EXACT)).all()
        return value.cast(pl.Int64) if is_integral else value

    def _convert_ranks(self, series: "pl.Series") -> Any:
        import polars as pl

        rank = series.cast(pl.Int64, strict=False)
        if series.dtype.is_float() and rank.null_count() == 0 and (rank != series).any():
            rank = pl.Series([None] * len(series), dtype=pl.Int64)
        if not rank.null_count():
            return rank
        if not self._lossy:
            value = series[rank.is_null().arg_max()]
            reason = f"rank must be an integer, got {value!r:.60}"
            way_out = " Pass --lossy to leave the ranks out."
            self._refuse(rank.is_null(), reason, way_out, code="bad-rank")
        return None

    def _select_extras(self, extras: list[Any], used_names: set[str]) -> dict[str, Any]:
        """Return the columns that are neither ids nor numbers, if there is a place for them."""
        places = (self._writer.columns or {}).get(self._spec.holds)
        columns = {}
        lost_names = []
        for series in extras:
            if series.name == "Q0":  # holds nothing, by definition
                continue
            fits = series.name in places if places else _is_plain(series, self._writer)
            if fits and series.name not in used_names:
                columns[series.name] = self._convert_field(series) if places else series
            else:
                lost_names.append(series.name)
        if lost_names and not self._lossy:
            message = (
                f"{self._spec.place}: {self._writer.name} has no place for the columns "
                f"{format_examples(lost_names, max_names=5)}. Pass --lossy to leave them out."
            )
            raise SourceError(message, code="lossy")
        return columns

    def _convert_field(self, series: "pl.Series") -> Any:
        import polars as pl

        return self._check_round_trip(series.cast(pl.String).fill_null(""), "item")

    def _fill_columns(self, table: "pl.DataFrame") -> Any:
        """Return the table with all columns that lines of TREC have, in their order."""
        import polars as pl

        assert self._writer.columns is not None
        names = self._writer.columns[self._spec.holds]
        if "rank" in names and "rank" not in table.columns:
            table = table.with_columns(self._compute_ranks(table).alias("rank"))
        if "score" in names and "score" not in table.columns:
            table = table.with_columns((-pl.col("rank")).alias("score"))
        missing = {name: _FILLERS[name] for name in names if name not in table.columns}
        fillers = [pl.lit(text).alias(name) for name, text in missing.items()]
        return table.with_columns(fillers).select(names)

    def _compute_ranks(self, table: "pl.DataFrame") -> Any:
        """Return the rank of each row within its query: by score, else in the order of the source.

        A query whose rows are not read together goes on where it ended before.
        """
        import polars as pl

        place = pl.int_range(1, pl.len() + 1)
        if "score" in table.columns:
            place = pl.col("score").cast(pl.Float64).rank("ordinal", descending=True)
        ranks = table.select("query", at=place.cast(pl.Int64).over("query"))
        counts = ranks.group_by("query").agg(n=pl.len().cast(pl.Int64))
        if self._row_counts is None:
            self._row_counts = counts
            return ranks["at"]
        ranked = ranks.join(self._row_counts, on="query", how="left", maintain_order="left")
        all_counts = pl.concat([self._row_counts, counts])
        self._row_counts = all_counts.group_by("query").agg(pl.col("n").sum())
        return ranked["at"] + ranked["n"].fill_null(0)

    def _refuse(self, bad: "pl.Series", reason: str, way_out: str = "", *, code: str) -> NoReturn:
        row = self.n_rows + bad.arg_max() + 1
        lines = getattr(self._source, "row_lines", None)
        where = f"line {lines.find_line(row)}" if lines is not None else f"row {row}"
        message = f"{self._spec.place}, {where}: {reason}.{way_out}"
        raise SourceError(message, code=code)


def _is_text(value: Any) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_plain(series: "pl.Series", writer: Writer) -> bool:
    """Return whether a format can hold the values of a column."""
    kind = series.dtype
    return not writer.text or not (kind.is_nested() or str(kind) in ("Binary", "Object"))


_CONTENT_BY_EXTENSION = {".run": "run", ".qrels": "qrels"}  # by the name of what is written


@dataclass(frozen=True)
class Converted:
    """The files and rows that were written.

    Attributes:
        path: Where.
        holds: qrels or run.
        format: The name of the format.
        n_rows: How many judgments, or retrieved items.
    """

    path: str
    holds: str
    format: str
    n_rows: int

    def __str__(self) -> str:
        rows = {"qrels": ("judgment", "judgments"), "run": ("item", "items")}[self.holds]
        where = "standard output" if self.path == "-" else self.path
        return f"{format_count(self.n_rows, *rows)} written to {where}."


def convert(
    source: Any,
    path: str | os.PathLike[str],
    *,
    holds: str | None = None,
    format: str | None = None,
    to: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
    lossy: bool = False,
    force: bool = False,
) -> Converted:
    """Write the rows of qrels or of a run in another format.

    The file appears when all of it is written. Other columns are kept where the format has room.
    A run without scores gets its negative ranks as scores where the format wants some, and a run
    without ranks its places within each query, by score.

    Args:
        source: What ``read_qrels`` or ``read_run`` reads, or what the latter returned.
        path: Where to; ``-`` is standard output. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
        holds: ``"qrels"`` or ``"run"``, if it cannot be detected from the source.
        format: The format of a file, if it cannot be detected from the content.
        to: ``trec``, ``csv``, ``tsv``, ``jsonl`` or ``parquet``, if the path does not say.
        columns: What the columns are called: ``{"query": "qid", "item": "docno"}``.
        labels: What words mean as labels: ``{"good": 2, "fair": 1, "bad": 0}``.
        lossy: Whether to leave out columns, and queries without items, and change ids, that cannot
            be kept.
        force: Whether to replace a file that exists.

    Returns:
        The path, what was written, and the number of rows.

    Raises:
        SourceError: The source cannot be read, the file exists, or the format cannot keep the rows.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "qrels.txt")
    >>> convert({"q1": {"d1": 2, "d2": 0}}, path, holds="qrels").n_rows
    2
    >>> print(path.read_text(), end="")
    q1 0 d1 2
    q1 0 d2 0
    """
    # Imported here: commands that convert nothing start faster.
    from gainful.base import open_atomic, open_compressed
    from gainful.sources.feed import open_source_as
    from gainful.sources.writers import find_writer

    if holds not in (None, "qrels", "run"):
        message = f"holds: must be qrels or run, got {holds!r}."
        raise SourceError(message, code="bad-argument")
    if isinstance(source, Run):
        holds, columns, format = "run", source.columns, source.form.name if source.form else None
        source = source.source
        format = format if is_path(source) else None
    writer, target = find_writer(path, to), os.fspath(path)
    _check_target(source, target, writer, force=force)
    place = os.fspath(source) if is_path(source) else "source"
    likely_content = _CONTENT_BY_EXTENSION.get(get_file_extension(target))
    with (
        open_atomic(target) as file,
        open_source_as(holds, source, format, columns or {}, likely_content) as opened,
    ):
        value, form = opened
        spec = ReadSpec(form.holds, place, columns or {}, labels, all_columns=True)
        rows = Conversion(value, form, spec, writer, lossy)
        with open_compressed(file, target) as inner:
            writer.write(rows.convert_tables(), inner)
    return Converted(target, form.holds, writer.name, rows.n_rows)


def _check_target(source: Any, target: str, writer: "Writer", *, force: bool) -> None:
    from gainful.base import check_not_input, find_compression_suffix, is_special

    suffix = find_compression_suffix(target)
    if suffix and not writer.text:
        message = f"{target}: {writer.name} is compressed already. Leave out {suffix}."
        raise SourceError(message, code="unknown-format")
    if is_special(target) or not os.path.lexists(target):
        return
    check_not_input(target, os.fspath(source) if is_path(source) else None)
    if not force:
        message = f"{target}: exists already. Pass --force to replace it, force=True in Python."
        raise SourceError(message, code="exists-already")
