"""Tables about queries or items, from files, data frames and objects."""

import io
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from gainful.base import (
    check_memory,
    format_count,
    format_examples,
    format_repr,
    get_file_extension,
    open_file,
    read_whole,
)
from gainful.errors import SourceError
from gainful.sources.columns import KNOWN_NAMES, find_first, find_role
from gainful.sources.detect import is_path
from gainful.sources.rows import to_id


class RawTable(NamedTuple):
    """Columns of equal length by name, and where their rows stand, if not one after the other."""

    columns: dict[str, list[Any]]
    row_numbers: Sequence[int] | None = None
    unit: str = "row"


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


def table_from_object(source: object, name: str, expected: str) -> RawTable:
    """Return the table that an object holds."""
    if isinstance(source, Mapping):
        return table_from_mapping(source, name)
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(source, pandas.DataFrame):
        return _convert_pandas(source, name)
    if polars is not None and isinstance(source, polars.LazyFrame):
        return table_from_frame(source.collect, f"{name}: the query cannot be run")
    if hasattr(source, "__arrow_c_stream__"):
        return table_from_frame(lambda: _to_polars(source), f"{name}: cannot be read as a table")
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        return table_from_rows(source, name)
    message = f"{name}: must be {expected}, got {format_repr(source)}."
    raise SourceError(message, code="wrong-type")


def table_from_mapping(source: Mapping[Any, Any], name: str) -> RawTable:
    """Return the table in ``{id: {column: value}}``, or in ``{column: [value, ...]}``."""
    if source and all(isinstance(row, Mapping) for row in source.values()):
        rows = table_from_rows([*source.values()], name)
        # Under no name: the ids are the keys, whatever the columns are called.
        return RawTable({"": list(source), **rows.columns})
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
    return RawTable(columns)


def table_from_rows(rows: Sequence[Any], name: str) -> RawTable:
    """Return the table of rows that are dicts or named tuples; what a row lacks is None."""
    dicts = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    for i, row in enumerate(dicts):
        if not isinstance(row, Mapping):
            message = (
                f"{name}, row {i + 1}: must be a dict or a named tuple, got {format_repr(row)}."
            )
            raise SourceError(message, code="wrong-structure")
    names = dict.fromkeys(column for row in dicts for column in row)
    return RawTable({str(column): [row.get(column) for row in dicts] for column in names})


def table_from_frame(frame: Callable[[], Any], description: str) -> RawTable:
    """Return the table of a polars frame; raise a SourceError if it cannot be made."""
    try:
        table = frame()
        return RawTable(table.to_dict(as_series=False))
    except _list_library_errors() as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        message = f"{description} ({first.rstrip('.')})."
        raise SourceError(message, code="broken-file") from error


def _list_library_errors() -> tuple[type[BaseException], ...]:
    """Return the errors that a library may raise, polars panics included."""
    polars = sys.modules.get("polars")
    return (Exception,) if polars is None else (Exception, polars.exceptions.PanicException)


def _to_polars(source: object) -> Any:
    import polars as pl

    return pl.DataFrame(source)


def _convert_pandas(frame: Any, name: str) -> RawTable:
    # Not by its Arrow stream: pandas needs another library for that, and may lack it.
    if any(level is not None and level not in frame.columns for level in frame.index.names):
        frame = frame.reset_index()
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()][0]
        message = f"{name}: column {repeated!r} is there twice."
        raise SourceError(message, code="repeated-column")
    present = frame.notna()
    return RawTable(
        {
            str(column): frame[column].astype(object).where(present[column], None).tolist()
            for column in frame.columns
        }
    )


_SEPARATORS = "\t,;|"
_ENDINGS = {".csv": None, ".tsv": "\t", ".tab": "\t"}
_MAX_EXCERPT = 80


def table_from_file(path: str | os.PathLike[str]) -> RawTable:
    """Return the table in a file, in the format detected from its content."""
    with open_file(path) as file:
        data = read_whole(file)
    return table_from_bytes(data, file.name)


def table_from_bytes(data: bytes, name: str) -> RawTable:
    """Return the table in the bytes of a file."""
    for magic, (kind, reader) in _BINARY.items():
        if data.startswith(magic):
            check_memory()
            return table_from_frame(partial(reader, data), f"{name}: cannot be read as {kind}")
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    if text.lstrip()[:1] in ("{", "["):
        return _parse_json_table(text, name)
    return _parse_delimited(text, name)


def _read_parquet(data: bytes) -> Any:
    import polars as pl

    return pl.read_parquet(io.BytesIO(data))


def _read_arrow(data: bytes) -> Any:
    import polars as pl

    return pl.read_ipc(io.BytesIO(data))


_BINARY: dict[bytes, tuple[str, Callable[[bytes], Any]]] = {
    b"PAR1": ("Parquet", _read_parquet),
    b"ARROW1": ("Arrow", _read_arrow),
}


def is_table(data: bytes, name: str, is_header: Callable[[list[str]], bool]) -> bool:
    """Return whether a file is a table, by its first bytes, its name, or its header.

    It is for data that may also come as plain text without a header.
    """
    if data.startswith(tuple(_BINARY)) or re.match(rb'\s*(\[\s*)?\{\s*"', data):
        return True
    if get_file_extension(name) == ".csv":
        return True
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    header = first.decode("utf-8", "replace")
    names = [field.strip(' "\r') for field in header.split(_find_separator(header, name))]
    has_columns = len(names) > 1 or get_file_extension(name) in _ENDINGS
    return has_columns and not header.startswith("#") and is_header(names)


def _find_separator(header: str, path: str) -> str:
    text = _ENDINGS.get(get_file_extension(path))
    return text or next((value for value in _SEPARATORS if value in header), ",")


def _parse_delimited(text: str, name: str) -> RawTable:
    header = text.lstrip("\r\n").partition("\n")[0]
    separator = _find_separator(header, name)
    # Tabs seldom stand in a value, so that quotes are letters there, unless the header has them.
    quoted = separator != "\t" or header.startswith('"')
    import csv  # loaded when a table is read

    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        skipinitialspace=separator != "\t",  # people write a space after a comma
        strict=True,
    )
    rows, lines, begin = [], [], 1
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        message = f"{name}, line {begin}: {_describe_csv_error(error)}."
        raise SourceError(message, code="malformed-line") from None
    return _make_columns(rows, lines, name)


def _describe_csv_error(error: Exception) -> str:
    sentences = {
        "unexpected end of data": "a quoted field does not end",
        "field larger than field limit": "a field is longer than 131,072 characters",
        "expected after": "a quoted field must end where its quote ends",
    }
    return next((words for start, words in sentences.items() if start in str(error)), str(error))


def _make_columns(rows: list[list[str]], lines: list[int], name: str) -> RawTable:
    header = [field.strip() or f"column {i + 1}" for i, field in enumerate(rows[0] if rows else [])]
    repeated = next((field for i, field in enumerate(header) if field in header[:i]), None)
    if repeated is not None:
        message = f"{name}, line {lines[0]}: column {repeated!r} is there twice."
        raise SourceError(message, code="repeated-column")
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            text = ",".join(row)
            text = text if len(text) <= _MAX_EXCERPT else text[: _MAX_EXCERPT - 3] + "..."
            fields = format_count(len(header), "field", "fields")
            message = (
                f"{name}, line {line}: expected {fields} as in the header, found {len(row)}: "
                f"{text!r}."
            )
            raise SourceError(message, code="malformed-line")
    values = zip(*rows[1:], strict=True) if len(rows) > 1 else ([] for _ in header)
    columns = {field: list(column) for field, column in zip(header, values, strict=True)}
    return RawTable(columns, lines[1:], "line")


def _parse_json_table(text: str, name: str) -> RawTable:
    try:
        content = _parse_json(text)
    except ValueError:
        return _parse_json_lines(text, name)
    if isinstance(content, Mapping):
        kinds = {type(value) for value in content.values()}
        if kinds in ({dict}, {list}, set()):
            return table_from_mapping(content, name)
        content = [content]  # a single line
    return table_from_rows(content, name)


def _parse_json_lines(text: str, name: str) -> RawTable:
    rows, lines = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _parse_json(line)
        except ValueError as error:
            row = error
        if not isinstance(row, dict):
            excerpt = (
                line.strip()
                if len(line) <= _MAX_EXCERPT
                else line[: _MAX_EXCERPT - 3].strip() + "..."
            )
            reason = f" ({row})" if isinstance(row, _RepeatedKeyError) else ""
            message = f"{name}, line {number}: expected a JSON object{reason}, found: {excerpt!r}."
            raise SourceError(message, code="malformed-line")
        rows.append(row)
        lines.append(number)
    return RawTable(table_from_rows(rows, name).columns, lines, "line")


class _RepeatedKeyError(ValueError):
    """A JSON object has a key twice."""


def _parse_json(text: str) -> Any:
    import json  # loaded when a table is read

    try:
        return json.loads(text, object_pairs_hook=_check_keys)
    except RecursionError:
        message = "it is nested too deeply"
        raise ValueError(message) from None


def _check_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        message = f"the key {next(k for k in keys if keys.count(k) > 1)!r} is there twice"
        raise _RepeatedKeyError(message)
    return content


PLURAL = {"query": "queries", "item": "items"}
# A table about queries may name their users too: what says query comes first. And the id of a
# table about one thing is often called so and no more.
_PREFERRED_KEYS = {
    "query": ("query_id", "qid", "q_id", "topic_id", "query", "topic"),
    "item": (),
}
_GENERIC_KEYS = ("id",)
_EXPECTED = (
    "a file with a header (CSV, TSV, JSON lines or Parquet), a data frame, "
    "{{{0}: {{column: value}}}}, or {{column: [value, ...]}}"
)
_MAX_LISTED = 12  # columns that a sentence lists


@dataclass(frozen=True, eq=False)
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
        source: A path or an object.
        subject: What each row is about: query or item.
        names: What the user calls columns, by role.
    """
    is_file = is_path(source)
    name = os.fspath(source) if is_file else PLURAL[subject]
    raw = (
        table_from_file(source)
        if is_file
        else table_from_object(source, name, _EXPECTED.format(subject))
    )
    return make_table(raw, name, subject, names)


def make_table(raw: RawTable, name: str, subject: str, names: Mapping[str, Any]) -> AttributeTable:
    """Make a table of columns that were read; errors call it ``name``."""
    plural = PLURAL[subject]
    if not raw.columns:
        message = f"{name}: there are no {plural} in it."
        raise SourceError(message, code="nothing-in-it")
    columns = dict(raw.columns)
    ids = columns.pop(_require_key(list(columns), subject, name, names))
    if not ids:
        message = f"{name}: there are no {plural} in it."
        raise SourceError(message, code="nothing-in-it")
    return AttributeTable(name, _check_ids(ids, raw, subject, name), columns)


def find_key(names: list[str], subject: str) -> str | None:
    """Return the column of the ids of queries or items, by the names that people use.

    >>> find_key(["user_id", "query"], "query"), find_key(["_id", "title"], "item")
    ('query', '_id')
    """
    for aliases in (_PREFERRED_KEYS[subject], KNOWN_NAMES[subject], _GENERIC_KEYS):
        number = find_first(names, aliases)
        if number is not None:
            return names[number]
    return None


def _require_key(columns: list[str], subject: str, name: str, names: Mapping[str, Any]) -> str:
    key = names.get(subject, "" if columns[0] == "" else find_key(columns, subject))
    if key not in columns:
        listed = _list_names(columns)
        message = f"{name}: has no column {key!r}; there are {listed}."
        if key is None:
            message = (
                f"{name}: no column is known as the {subject}; there are {listed}. "
                f"Call one of them {subject}, or pass columns={{{subject!r}: NAME}} to "
                f"read_{PLURAL[subject]}()."
            )
        raise SourceError(message, code="missing-column")
    return str(key)


def _check_ids(source: list[Any], raw: RawTable, subject: str, name: str) -> list[str]:
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
