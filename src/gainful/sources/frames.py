"""Data frames of any library, Spark DataFrames, and files of Parquet and Arrow."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any, Protocol

import numpy as np

from gainful.base import InputFile, ReadOptions, read_whole
from gainful.errors import SourceError, SparkError
from gainful.sources.columns import ColumnNumbers, find_columns, name_columns
from gainful.sources.detect import find_library
from gainful.sources.entries import (
    call_library,
    feed_tables,
    feed_twice,
    ids_to_text,
    is_single_pass,
    resolve_word_labels,
    to_native_order,
)
from gainful.sources.formats import ReadSpec, Receiver, declare_format
from gainful.sources.native_errors import explain_polars_errors


def is_pandas(source: object) -> bool:
    """Return whether it is a frame of pandas."""
    return find_library(source) == "pandas" and hasattr(source, "columns")


def index_to_columns(frame: Any) -> Any:
    """Return the frame with the levels of its index as columns, where they have names."""
    names = [n for n in frame.index.names if n is not None and n not in frame.columns]
    return frame.reset_index(level=names) if names else frame


def is_arrow_backed(frame: Any, spec: ReadSpec) -> bool:
    """Return whether its ids are already in Arrow memory, which can be passed on as it is."""
    dtypes = [None if i is None else frame.dtypes.iloc[i] for i in _find_roles(frame, spec)]
    return (
        frame.columns.is_unique
        and all(_is_arrow_type(dtype) for dtype in dtypes[:2])
        and all(d is None or _is_arrow_type(d) or _is_number(d) for d in dtypes[2:])
    )


def _is_arrow_type(dtype: object) -> bool:
    return hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow"


def _is_number(dtype: object) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iufb" and dtype.itemsize <= 8


def select_columns(frame: Any, spec: ReadSpec) -> Any:
    """Return the frame with the columns that are read."""
    return frame.iloc[:, [i for i in _find_roles(frame, spec) if i is not None]]


def feed_pandas(frame: Any, receiver: Any, spec: ReadSpec) -> None:
    """Feed columns of Python objects and NumPy arrays to the native core."""
    roles = _find_roles(frame, spec)
    words = resolve_word_labels(spec)
    ids = [_convert_ids(frame.iloc[:, i], spec) for i in (roles.query, roles.item)]
    number, rank = (None if i is None else frame.iloc[:, i] for i in roles[2:])
    numbers = [_convert_numbers(number, is_mapped=words is not None), _convert_numbers(rank)]
    if spec.holds == "qrels" and number is None:
        numbers[0] = np.ones(len(frame))  # items without a label are the relevant ones
    feed_twice(lambda: receiver.push_columns(*ids, *numbers, labels=words), receiver)


def pandas_to_polars(frame: Any, spec: ReadSpec) -> Any:
    """Return the columns that are read, as a table of text and numbers."""
    import polars as pl

    roles = _find_roles(frame, spec)
    ids = [(str(frame.columns[i]), _convert_ids(frame.iloc[:, i], spec)) for i in roles[:2]]
    numbers = [(str(frame.columns[i]), frame.iloc[:, i]) for i in roles[2:] if i is not None]
    return pl.DataFrame(
        [
            *(pl.Series(name, ids_to_text(column, spec), dtype=pl.String) for name, column in ids),
            *(pl.Series(name, column.tolist(), strict=False) for name, column in numbers),
        ]
    )


def _find_roles(frame: Any, spec: ReadSpec) -> ColumnNumbers:
    return find_columns([str(name) for name in frame.columns], spec)


def _convert_ids(column: Any, spec: ReadSpec) -> Any:
    kind = getattr(column.dtype, "kind", "O")
    if kind == "f" and len(column):
        message = (
            f"{spec.place}: column {column.name!r} must hold text or integers to be ids, got "
            "floating-point numbers. Where some are missing, pandas turns integers into these: "
            f"drop such rows, and call astype({{{column.name!r}: int}})."
        )
        raise SourceError(message, code="column-type")
    if kind in "iu" and not column.hasnans:
        return to_native_order(column.to_numpy())
    return column.to_numpy(dtype=object)


def _convert_numbers(column: Any, *, is_mapped: bool = False) -> Any:
    if column is None:
        return None
    kind = getattr(column.dtype, "kind", "O")
    if kind not in "iufb" or (is_mapped and kind in "iu"):
        return column.to_numpy(dtype=object)
    if column.hasnans:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    values = column.to_numpy()
    if kind == "b":
        return np.ascontiguousarray(values, dtype=np.bool_).view(np.uint8)
    if kind == "f" and values.itemsize not in (4, 8):
        return values.astype(np.float64)
    return to_native_order(values)


class ArrowTable(Protocol):
    """A table that speaks the Arrow PyCapsule interface, of whatever library."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any: ...


def _feed(source: object, receiver: Receiver, spec: ReadSpec, _read_options: ReadOptions) -> None:
    if is_pandas(source):
        source = index_to_columns(source)
        if not is_arrow_backed(source, spec):
            feed_pandas(source, receiver, spec)
            return
    single_pass = is_single_pass(source)
    feed_tables(lambda: _read_frames(source, spec), receiver, spec, single_pass=single_pass)


def _read_frames(source: object, spec: ReadSpec) -> Iterator[Any]:
    if is_pandas(source):
        yield _convert_pandas(index_to_columns(source), spec)
    elif hasattr(source, "__arrow_c_stream__"):
        yield source
    elif find_library(source) == "pyarrow":
        yield call_library(lambda: _scan(source, spec), spec)
    else:
        yield call_library(lambda: _collect(source, spec), spec)


def _convert_pandas(frame: object, spec: ReadSpec) -> Any:
    if is_arrow_backed(frame, spec):
        return select_columns(frame, spec)
    return pandas_to_polars(frame, spec)


def _collect(lazy: Any, spec: ReadSpec) -> Any:
    return lazy.select(_select_names(lazy.collect_schema().names(), spec)).collect()


def _scan(source: Any, spec: ReadSpec) -> Any:
    """Return the rows of a data set of pyarrow, or of a scanner of one."""
    if not hasattr(source, "scanner"):
        return source.to_reader()
    return source.scanner(columns=_select_names(source.schema.names, spec)).to_reader()


def _select_names(names: list[str], spec: ReadSpec) -> list[str]:
    roles = find_columns(names, spec)
    return list(dict.fromkeys(names[i] for i in roles if i is not None))


for _holds in ("qrels", "run"):
    declare_format(
        name="frame",
        holds=_holds,
        summary="A data frame or table: of pandas, polars, pyarrow, DuckDB or any other "
        "library that speaks the Arrow PyCapsule interface.",
        read_tables=_read_frames,
        push=_feed,
        has_own_names=True,
        unit="row",
    )


def _refuse_spark(_source: object, *arguments: object) -> Any:
    """Refuse to read the rows of a Spark DataFrame on this machine."""
    (spec,) = (value for value in arguments if isinstance(value, ReadSpec))
    message = (
        f"{spec.place}: is a DataFrame of Spark, whose rows are not here; evaluate(), compare() "
        "and gate() take it. Collect it for anything else, with df.toArrow(), if it fits in memory."
    )
    raise SparkError(message, code="unread-by-spark")


for _spark_holds in ("qrels", "run"):
    declare_format(
        name="spark",
        holds=_spark_holds,
        summary="A DataFrame of Spark: of a session on this machine, on a cluster, or of Spark "
        "Connect.",
        read_tables=_refuse_spark,
        push=_refuse_spark,
        unit="row",
    )


_DESCRIPTORS = "/proc/self/fd/"  # what is open, by number; Linux alone has it
_ROWS = 1 << 20  # rows per table


def _make_table_reader(kind: str) -> Callable[[InputFile, ReadSpec], Iterator[Any]]:
    def read_tables(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
        with explain_polars_errors(kind, spec.place):
            scan = _scan_file(file)
            names = scan.collect_schema().names()
            columns = name_columns(names, spec)
            selected = [_select_column(names[number], role) for role, number in columns.items()]
            yield from _collect_batches(scan.select(selected))

    return read_tables


def _make_name_reader(kind: str) -> Callable[[InputFile], Sequence[str]]:
    def read_names(file: InputFile) -> Sequence[str]:
        with explain_polars_errors(kind, file.name):
            column_names: list[str] = _scan_file(file).collect_schema().names()
            return column_names

    return read_names


def read_all(file: InputFile) -> dict[str, list[Any]]:
    """Return all columns of a file of Parquet or Arrow as lists."""
    kind = "Parquet" if file.start.startswith(b"PAR1") else "Arrow"
    with explain_polars_errors(kind, file.name):
        columns: dict[str, list[Any]] = _scan_file(file).collect().to_dict(as_series=False)
        return columns


def _select_column(name: str, role: str) -> Any:
    import polars as pl

    # Not by its name alone: polars takes ^...$ and * for patterns.
    return pl.col(f"^{re.escape(name)}$").alias(role)


def _scan_file(file: InputFile) -> Any:
    import polars as pl

    by_path = file.plain is not None and file.name != "-"
    source = _find_path(file) if by_path else BytesIO(read_whole(file))
    if file.start.startswith(b"PAR1"):
        return pl.scan_parquet(source, glob=False)
    if file.start.startswith(b"ARROW1"):
        return pl.scan_ipc(source)
    path = source.removeprefix("file://") if isinstance(source, str) else source
    return pl.read_ipc_stream(path).lazy()


def _find_path(file: InputFile) -> str:
    """Return the path of the open file itself, not of a file that has replaced it."""
    assert file.plain is not None
    path = f"{_DESCRIPTORS}{file.plain[0]}"
    # As a URL it is read. By its path it might be mapped into memory, and whoever then makes it
    # shorter ends the process.
    return f"file://{path}" if os.path.exists(path) else file.name


def _collect_batches(scan: Any) -> Iterator[Any]:
    if hasattr(scan, "collect_batches"):
        yield from scan.collect_batches(chunk_size=_ROWS, maintain_order=True)
        return
    n_rows = 0
    while (batch := scan.slice(n_rows, _ROWS).collect()).height:
        n_rows += batch.height
        yield batch


for _holds, _number in (("qrels", "label"), ("run", "score or rank")):
    for _name, _kind in (("parquet", "Parquet"), ("arrow", "Arrow IPC or Feather")):
        declare_format(
            name=_name,
            holds=_holds,
            summary=f"A file of {_kind}, with columns for query, item and {_number}.",
            is_file=True,
            unit="row",
            read_names=_make_name_reader(_kind),
            read_tables=_make_table_reader(_kind),
        )
