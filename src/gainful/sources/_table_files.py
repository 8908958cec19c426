"""Files that hold a small table with a header: CSV, TSV, JSON, JSON lines, Parquet, Arrow."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gainful.errors import SourceError
from gainful.sources._files import extension, opened
from gainful.sources._limits import whole
from gainful.sources._room import ask_for_room
from gainful.sources._table_objects import Raw, from_mapping, from_rows, of_frame
from gainful.wording import count

_SEPARATORS = "\t,;|"
_ENDINGS = {".csv": None, ".tsv": "\t", ".tab": "\t"}
_LONGEST = 80


def from_file(path: Any) -> Raw:
    """The table in a file, whose content tells what it is."""
    with opened(path) as file:
        data = whole(file)
    return from_bytes(data, file.name)


def from_bytes(data: bytes, name: str) -> Raw:
    """The table in the bytes of a file."""
    for magic, (what, reader) in _BINARY.items():
        if data.startswith(magic):
            ask_for_room()
            return of_frame(partial(reader, data), f"{name}: cannot be read as {what}")
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(text, name)
    return _from_delimited(text, name)


def _parquet(data: bytes) -> Any:
    import polars as pl

    return pl.read_parquet(io.BytesIO(data))


def _arrow(data: bytes) -> Any:
    import polars as pl

    return pl.read_ipc(io.BytesIO(data))


_BINARY: dict[bytes, tuple[str, Callable[[bytes], Any]]] = {
    b"PAR1": ("Parquet", _parquet),
    b"ARROW1": ("Arrow", _arrow),
}


def looks_like_a_table(data: bytes, name: str, is_header: Callable[[list[str]], bool]) -> bool:
    """Whether a file is one of these: by its first bytes, its name, or the names in its header.

    For data that come as plain text without a header, too.
    """
    if data.startswith(tuple(_BINARY)) or re.match(rb'\s*(\[\s*)?\{\s*"', data):
        return True
    if extension(name) == ".csv":
        return True
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    header = first.decode("utf-8", "replace")
    names = [field.strip(' "\r') for field in header.split(_separator(header, name))]
    known = len(names) > 1 or extension(name) in _ENDINGS
    return known and not header.startswith("#") and is_header(names)


def _separator(header: str, path: Any) -> str:
    said = _ENDINGS.get(extension(path))
    return said or next((one for one in _SEPARATORS if one in header), ",")


def _from_delimited(text: str, name: str) -> Raw:
    header = text.lstrip("\r\n").partition("\n")[0]
    separator = _separator(header, name)
    # Tabs seldom stand in a value, so that quotes are letters there, unless the header has them.
    quoted = separator != "\t" or header.startswith('"')
    how: Any = {"quoting": csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, "strict": True}
    how["skipinitialspace"] = separator != "\t"  # people write a space after a comma
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, **how)
    rows, lines, begin = [], [], 1
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        message = f"{name}, line {begin}: {_reason(error)}."
        raise SourceError(message, code="malformed-line") from None
    return _columns(rows, lines, name)


def _reason(error: csv.Error) -> str:
    known = {
        "unexpected end of data": "a quoted field does not end",
        "field larger than field limit": "a field is longer than 131,072 characters",
        "expected after": "a quoted field must end where its quote ends",
    }
    return next((words for start, words in known.items() if start in str(error)), str(error))


def _columns(rows: list[list[str]], lines: list[int], name: str) -> Raw:
    header = [field.strip() or f"column {i + 1}" for i, field in enumerate(rows[0] if rows else [])]
    repeated = next((field for i, field in enumerate(header) if field in header[:i]), None)
    if repeated is not None:
        message = f"{name}, line {lines[0]}: column {repeated!r} is there twice."
        raise SourceError(message, code="repeated-column")
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            shown = ",".join(row)
            shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."
            fields = count(len(header), "field", "fields")
            message = (
                f"{name}, line {line}: expected {fields} as in the header, found {len(row)}: "
                f"{shown!r}."
            )
            raise SourceError(message, code="malformed-line")
    values = zip(*rows[1:], strict=True) if len(rows) > 1 else ([] for _ in header)
    columns = {field: list(column) for field, column in zip(header, values, strict=True)}
    return Raw(columns, lines[1:], "line")


def _from_json(text: str, name: str) -> Raw:
    try:
        whole = _parsed(text)
    except ValueError:
        return _from_json_lines(text, name)
    if isinstance(whole, Mapping):
        kinds = {type(value) for value in whole.values()}
        if kinds in ({dict}, {list}, set()):
            return from_mapping(whole, name)
        whole = [whole]  # a single line
    return from_rows(whole, name)


def _from_json_lines(text: str, name: str) -> Raw:
    rows, lines = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _parsed(line)
        except ValueError as error:
            row = error
        if not isinstance(row, dict):
            shown = line.strip() if len(line) <= _LONGEST else line[: _LONGEST - 3].strip() + "..."
            why = f" ({row})" if isinstance(row, _RepeatedKeyError) else ""
            message = f"{name}, line {number}: expected a JSON object{why}, found: {shown!r}."
            raise SourceError(message, code="malformed-line")
        rows.append(row)
        lines.append(number)
    return Raw(from_rows(rows, name).columns, lines, "line")


class _RepeatedKeyError(ValueError):
    """A JSON object has a key twice."""


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except RecursionError:
        message = "it is nested too deeply"
        raise ValueError(message) from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        message = f"the key {next(k for k in keys if keys.count(k) > 1)!r} is there twice"
        raise _RepeatedKeyError(message)
    return found
