"""Tables about queries or items, from files, data frames and objects."""

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.base import InputFile, format_examples, format_repr, open_file, read_whole
from gainful.errors import SourceError
from gainful.sources.columns import SEPARATORS, find_role, require_id_column, to_id
from gainful.sources.detect import BINARY, FileStart, is_json, is_path
from gainful.sources.formats import ReadSpec

if TYPE_CHECKING:
    from gainful.sources.text import Header


PLURAL = {"query": "queries", "item": "items"}
_TABS = (".tsv", ".tab")
_EXPECTED = (
    "a file with a header (CSV, TSV, JSON lines or Parquet), a data frame, "
    "{{{0}: {{column: value}}}}, or {{column: [value, ...]}}"
)
_MAX_LISTED = 12  # columns that a sentence lists


class _Columns(NamedTuple):
    """Columns of equal length by name, and where their rows stand, if not one after the other."""

    columns: dict[str, list[Any]]
    row_numbers: Sequence[int] | None = None
    unit: str = "row"


@dataclass(frozen=True)
class AttributeTable:
    """The columns of a table about queries or items, with the id of each row.

    Attributes:
        name: What errors call it: the path, or "queries", or "items".
        ids: The query or the item of each row; none is there twice.
        columns: The values of all other columns, by name.
    """

    name: str
    ids: list[str]
    columns: dict[str, list[Any]]

    def get_column(self, name: str) -> list[Any]:
        """Return the values of a column."""
        if name not in self.columns:
            message = f"{self.name}: has no column {name!r}; there are {_list_names(self.columns)}."
            raise SourceError(message, code="missing-column")
        return self.columns[name]

    def find_role_column(self, role: str, names: Mapping[str, Any]) -> list[Any] | None:
        """Return the column that the user names for a role, else one with a known name."""
        if role in names:
            return self.get_column(str(names[role]))
        number = find_role(list(self.columns), role)
        return None if number is None else list(self.columns.values())[number]


def read_table(source: Any, subject: str, names: Mapping[str, Any]) -> AttributeTable:
    """Return a table about queries or items.

    Args:
        source: A path, an open file or an object.
        subject: What each row is about: query or item.
        names: What the user calls columns, by role.
    """
    name = os.fspath(source) if is_path(source) else PLURAL[subject]
    if is_path(source):
        with open_file(source) as file:
            raw = _read_file(file)
    else:
        raw = _read_object(source, name, _EXPECTED.format(subject))
    columns = dict(raw.columns)
    ids = columns.pop(require_id_column(list(columns), subject, name, names)) if columns else []
    if not ids:
        message = f"{name}: there are no {PLURAL[subject]} in it."
        raise SourceError(message, code="nothing-in-it")
    return AttributeTable(name, _check_ids(ids, raw, subject, name), columns)


def is_table(file: InputFile, is_header: Callable[[Sequence[str]], bool]) -> bool:
    """Return whether a file is a table, by its first bytes, its name, or its header.

    It is for data that may also come as plain text without a header.
    """
    start = FileStart(file.name, file.start)
    if start.text.startswith(tuple(BINARY)) or is_json(start) or start.extension == ".csv":
        return True
    header = _read_header(file)
    has_columns = len(header.names) > 1 or start.extension in _TABS
    return has_columns and is_header(header.names)


def is_missing(value: object) -> bool:
    """Return whether a cell is empty: None, no text, NaN, or what pandas has in their place.

    >>> [is_missing(value) for value in (None, "", float("nan"), 0, "0")]
    [True, True, True, False, False]
    """
    if value is None or isinstance(value, str):
        return not value
    # By the name of the type, not by comparison: the missing values of pandas equal nothing, and
    # a comparison of arrays has no single answer.
    return type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, float) and math.isnan(value)
    )


def _read_file(file: InputFile) -> _Columns:
    """Return the table in a file, in the format detected from its content."""
    start = FileStart(file.name, file.start)
    if start.text.startswith(tuple(BINARY)):
        from gainful.sources.frames import read_all

        return _Columns(read_all(file))
    return _read_json(file) if is_json(start) else _read_delimited(file)


def _read_delimited(file: InputFile) -> _Columns:
    from gainful.sources.text import read_fields

    header = _read_header(file)
    names = [name or f"column {i + 1}" for i, name in enumerate(header.names)]
    _check_distinct(names, f"{file.name}, line {header.n_lines}")
    # Tabs seldom stand in a value, so that quotes are letters there, unless the header has them.
    quotes = header.separator != "\t" or FileStart(file.name, file.start).first.startswith(b'"')
    columns: dict[str, list[Any]] = {name: [] for name in names}
    numbers = {name: i for i, name in enumerate(names)}
    for rows in read_fields(file, header, numbers, quotes=quotes):
        for column, values in zip(columns.values(), rows.columns, strict=True):
            column += values
    n_rows = file.row_lines.n_rows
    return _Columns(columns, [file.row_lines.find_line(i + 1) for i in range(n_rows)], "line")


def _read_header(file: InputFile) -> "Header":
    from gainful.sources.text import read_header

    start = FileStart(file.name, file.start)
    separators = "\t" if start.extension in _TABS else SEPARATORS
    header = read_header(start.text, separators, ReadSpec("table", file.name))
    if header.separator is None:
        name = start.first.decode("utf-8", "replace")
        return header._replace(separator=separators[0], names=(name,) if name else ())
    return header


def _check_distinct(names: Sequence[str], place: str) -> None:
    repeated = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if repeated is not None:
        message = f"{place}: column {repeated!r} is there twice."
        raise SourceError(message, code="repeated-column")


def _read_json(file: InputFile) -> _Columns:
    from gainful.sources.json import parse_json

    content, lines = parse_json(read_whole(file), file.name)
    if lines is None and isinstance(content, Mapping):
        kinds = {type(value) for value in content.values()}
        if kinds in ({dict}, {list}, set()):
            return _read_mapping(content, file.name)
        content = [content]  # a single line
    return _read_rows(content, file.name, lines)


def _read_object(source: object, name: str, expected: str) -> _Columns:
    if isinstance(source, Mapping):
        return _read_mapping(source, name)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(source, pandas.DataFrame):
        return _read_pandas(source, name)
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "collect"):
        from gainful.sources.entries import call_library

        return _Columns(call_library(lambda: _read_frame(source), ReadSpec("table", name)))
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        return _read_rows(source, name)
    message = f"{name}: must be {expected}, got {format_repr(source)}."
    raise SourceError(message, code="wrong-type")


def _read_frame(source: Any) -> dict[str, list[Any]]:
    import polars as pl

    frame = source.collect() if hasattr(source, "collect") else source
    columns: dict[str, list[Any]] = pl.DataFrame(frame).to_dict(as_series=False)
    return columns


def _read_pandas(frame: Any, name: str) -> _Columns:
    # Not by its Arrow stream: pandas needs another library for that, and may lack it.
    if any(level is not None and level not in frame.columns for level in frame.index.names):
        frame = frame.reset_index()
    _check_distinct(list(map(str, frame.columns)), name)
    present = frame.notna()
    return _Columns(
        {
            str(column): frame[column].astype(object).where(present[column], None).tolist()
            for column in frame.columns
        }
    )


def _read_mapping(source: Mapping[Any, Any], name: str) -> _Columns:
    """Return the table in ``{id: {column: value}}``, or in ``{column: [value, ...]}``."""
    if source and all(isinstance(row, Mapping) for row in source.values()):
        rows = _read_rows([*source.values()], name)
        # Under no name: the ids are the keys, whatever the columns are called.
        return _Columns({"": list(source), **rows.columns})
    columns = {}
    for column, values in source.items():
        if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
            message = (
                f"{name}: must hold a dict for every id, or a list for every column, "
                f"got {format_repr(values)} for {column!r}."
            )
            raise SourceError(message, code="wrong-structure")
        columns[str(column)] = values.tolist() if hasattr(values, "tolist") else list(values)
    sizes = {column: len(values) for column, values in columns.items()}
    if len(set(sizes.values())) > 1:
        lengths = ", ".join(f"{column!r} {size:,}" for column, size in sizes.items())
        message = f"{name}: columns must be equally long, got {lengths}."
        raise SourceError(message, code="unequal-lengths")
    return _Columns(columns)


def _read_rows(rows: Sequence[Any], name: str, lines: Sequence[int] | None = None) -> _Columns:
    """Return the table of rows that are dicts or named tuples; what a row lacks is None."""
    unit = "row" if lines is None else "line"
    dicts = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    for i, row in enumerate(dicts):
        if not isinstance(row, Mapping):
            place = f"{name}, {unit} {i + 1 if lines is None else lines[i]}"
            repeated = getattr(row, "repeated_key", None)
            code = "wrong-structure" if repeated is None else "repeated-column"
            need = "have a key once" if repeated else "be a dict or a named tuple"
            message = f"{place}: must {need}, got {format_repr(row)}."
            raise SourceError(message, code=code)
    names = dict.fromkeys(column for row in dicts for column in row)
    columns = {str(column): [row.get(column) for row in dicts] for column in names}
    return _Columns(columns, lines, unit)


def _check_ids(source: list[Any], raw: _Columns, subject: str, name: str) -> list[str]:
    row_numbers = range(1, len(source) + 1) if raw.row_numbers is None else raw.row_numbers
    empty = next((i for i, value in enumerate(source) if is_missing(value)), None)
    if empty is not None:
        message = f"{name}, {raw.unit} {row_numbers[empty]}: the {subject} is empty."
        raise SourceError(message, code="bad-id")
    ids = [to_id(value.tolist() if hasattr(value, "tolist") else value, name) for value in source]
    if len(set(ids)) < len(ids):
        first: dict[str, int] = {}
        for value, row in zip(ids, row_numbers, strict=True):
            if first.setdefault(value, row) != row:
                message = (
                    f"{name}, {raw.unit} {row}: {subject} {value!r} is listed twice "
                    f"(first on {raw.unit} {first[value]})."
                )
                raise SourceError(message, code="listed-twice")
    return ids


def _list_names(names: Iterable[str]) -> str:
    return format_examples(list(names), _MAX_LISTED) or "none"
