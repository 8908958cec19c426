"""Objects that hold a small table: frames of any library, dicts, lists of rows."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gainful.errors import SourceError
from gainful.wording import as_written


class Raw(NamedTuple):
    """Columns of equal length by name, and where their rows stand, if not one after the other."""

    columns: dict[str, list[Any]]
    at: Sequence[int] | None = None
    unit: str = "row"


def is_missing(value: Any) -> bool:
    """Whether a cell is empty: None, no text, NaN, or what pandas has in their place.

    >>> [is_missing(value) for value in (None, "", float("nan"), 0, "0")]
    [True, True, True, False, False]
    """
    if value is None or isinstance(value, str):
        return not value
    # Asked by name, not compared: what pandas has for a missing value equals nothing, nor does it
    # say so, and arrays have no single answer.
    return type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, float) and math.isnan(value)
    )


def from_object(source: Any, name: str, expected: str) -> Raw:
    """The table that an object holds."""
    if isinstance(source, Mapping):
        return from_mapping(source, name)
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(source, pandas.DataFrame):
        return _from_pandas(source, name)
    if polars is not None and isinstance(source, polars.LazyFrame):
        return of_frame(source.collect, f"{name}: the query cannot be run")
    if hasattr(source, "__arrow_c_stream__"):
        return of_frame(lambda: _frame(source), f"{name}: cannot be read as a table")
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        return from_rows(source, name)
    message = f"{name}: must be {expected}, got {as_written(source)}."
    raise SourceError(message, code="wrong-type")


def from_mapping(source: Mapping[Any, Any], name: str) -> Raw:
    """The table in ``{id: {column: value}}``, or in ``{column: [value, ...]}``."""
    if source and all(isinstance(row, Mapping) for row in source.values()):
        rows = from_rows([*source.values()], name)
        # Under no name: the ids are the keys, whatever the columns are called.
        return Raw({"": list(source), **rows.columns})
    columns = {}
    for column, values in source.items():
        if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
            message = (
                f"{name}: must hold a dict for every id, or a list for every column, "
                f"got {as_written(values)} for {column!r}."
            )
            raise SourceError(message, code="wrong-structure")
        columns[str(column)] = values.tolist() if hasattr(values, "tolist") else list(values)
    sizes = {column: len(values) for column, values in columns.items()}
    if len(set(sizes.values())) > 1:
        each = ", ".join(f"{column!r} {size:,}" for column, size in sizes.items())
        message = f"{name}: columns must be equally long, got {each}."
        raise SourceError(message, code="unequal-lengths")
    return Raw(columns)


def from_rows(rows: Sequence[Any], name: str) -> Raw:
    """The table of rows that are dicts or named tuples; what a row lacks is None."""
    dicts = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    for i, row in enumerate(dicts):
        if not isinstance(row, Mapping):
            message = (
                f"{name}, row {i + 1}: must be a dict or a named tuple, got {as_written(row)}."
            )
            raise SourceError(message, code="wrong-structure")
    names = dict.fromkeys(column for row in dicts for column in row)
    return Raw({str(column): [row.get(column) for row in dicts] for column in names})


def of_frame(frame: Callable[[], Any], wrong: str) -> Raw:
    """The table of a polars frame; what goes wrong when it is made becomes a sentence."""
    try:
        made = frame()
        return Raw(made.to_dict(as_series=False))
    except _errors() as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        message = f"{wrong} ({first.rstrip('.')})."
        raise SourceError(message, code="broken-file") from error


def _errors() -> tuple[type[BaseException], ...]:
    """What a library may raise; polars panics beside, and has been loaded if it did."""
    polars = sys.modules.get("polars")
    return (Exception,) if polars is None else (Exception, polars.exceptions.PanicException)


def _frame(source: Any) -> Any:
    import polars as pl

    return pl.DataFrame(source)


def _from_pandas(frame: Any, name: str) -> Raw:
    # Not by its Arrow stream: pandas needs another library for that, and may lack it.
    if any(level is not None and level not in frame.columns for level in frame.index.names):
        frame = frame.reset_index()
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        message = f"{name}: column {twice!r} is there twice."
        raise SourceError(message, code="repeated-column")
    known = frame.notna()
    return Raw(
        {
            str(column): frame[column].astype(object).where(known[column], None).tolist()
            for column in frame.columns
        }
    )
