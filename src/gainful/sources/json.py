"""JSON and JSON lines files."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from gainful.base import InputFile, format_repr, read_whole
from gainful.errors import SourceError
from gainful.sources import nested
from gainful.sources.columns import name_columns
from gainful.sources.entries import Entries
from gainful.sources.formats import ReadSpec, declare_format
from gainful.sources.native_errors import explain_polars_errors
from gainful.sources.nested import RepeatedKeys
from gainful.sources.text import RowLines, check_is_text, read_plain_lines, shorten

_EXTRA = "Extra data"


def read_json_entries(file: InputFile, spec: ReadSpec) -> Entries:
    """Return the entries of a JSON file."""
    value, _ = parse_json(read_whole(file), spec.place)
    return nested.read_nested_entries(value, spec)


def parse_json(data: bytes, place: str) -> tuple[Any, list[int] | None]:
    """Parse JSON; several values, one per line, become a list, returned with their lines."""
    # Bytes that are no UTF-8 stay what they are, as in other files.
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    try:
        return json.loads(text, object_pairs_hook=RepeatedKeys.make_object), None
    except json.JSONDecodeError as error:
        if error.msg != _EXTRA:
            raise _make_syntax_error(error, 0, place) from None
    except (ValueError, RecursionError) as error:
        raise _make_value_error(error, place) from None
    lines = {
        number: line
        for number, line in enumerate(text.split("\n"), 1)
        if line and not line.isspace()
    }
    return [_parse_line(line, number, place) for number, line in lines.items()], list(lines)


def _parse_line(line: str, number: int, place: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=RepeatedKeys.make_object)
    except json.JSONDecodeError as error:
        raise _make_syntax_error(error, number - 1, place) from None
    except (ValueError, RecursionError) as error:
        raise _make_value_error(error, place) from None


def _make_syntax_error(error: json.JSONDecodeError, lines_before: int, place: str) -> SourceError:
    line, excerpt = lines_before + error.lineno, error.doc[error.pos : error.pos + 20]
    text = f"got {excerpt!r}" if excerpt else "got the end"
    reason = f"{error.msg[0].lower()}{error.msg[1:]}"
    return SourceError(
        f"{place}, line {line}, column {error.colno}: is not JSON: {reason}, {text}.",
        code="not-json",
    )


def _make_value_error(error: Exception, place: str) -> SourceError:
    deep = isinstance(error, RecursionError)
    reason = "objects are nested too deeply" if deep else "a number has too many digits"
    return SourceError(f"{place}: cannot be read as JSON; {reason}.", code="not-json")


declare_format(
    name="json",
    holds="qrels",
    summary="A JSON file: {query: {item: label}}, {query: [item, ...]}, a list of rows, a list "
    "or lines of objects that hold one query each, or an object of columns.",
    is_file=True,
    read_entries=read_json_entries,
)
declare_format(
    name="json",
    holds="run",
    summary="A JSON file: {query: {item: score}}, {query: [item, ...]} best first, a list of "
    "rows, a list or lines of objects that hold one query each, or an object of columns.",
    is_file=True,
    read_entries=read_json_entries,
)


def _read_lines(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
    names = _read_names(file.start)
    columns = {role: names[number] for role, number in name_columns(names, spec).items()}
    rows = file.row_lines = RowLines()
    line = 1
    for piece in read_plain_lines(file):
        check_is_text(piece, spec.place, line)
        frame, lines = _parse_frame(piece, columns, spec.place, line)
        rows.add(lines + line)
        _check_frame(frame, columns, spec, lines + line)
        yield frame
        line += piece.count(b"\n")


def _read_names(start: bytes) -> list[str]:
    """Return the keys of the first lines."""
    names: dict[str, None] = {}
    for line in start.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):  # cut, or wrong, which is reported when it is read
            continue
        names |= dict.fromkeys(row) if isinstance(row, dict) else {}
    return list(names)


def _parse_frame(
    piece: bytes, columns: Mapping[str, str], place: str, line: int
) -> tuple[Any, Any]:
    """Return the columns as text, and on which line of the piece each row stands, from 0."""
    import polars as pl

    ids = [columns[role] for role in ("query", "item")]
    schema = {name: pl.String for name in columns.values()}
    try:
        with explain_polars_errors("JSON lines", place):
            frame = pl.read_ndjson(piece, schema=schema)
    except SourceError:
        return _parse_rows(piece, columns, place, line)
    n_lines = piece.count(b"\n") + (not piece.endswith(b"\n"))
    if (
        frame.height != n_lines
        or _has_odd_ids(piece, ids)
        or _has_repeated_keys(piece, schema, n_lines)
    ):
        return _parse_rows(piece, columns, place, line)
    series = [frame.get_column(name).alias(role) for role, name in columns.items()]
    return pl.DataFrame(series), np.arange(n_lines)


def _has_odd_ids(piece: bytes, names: list[str]) -> bool:
    """Return whether some id may be neither text nor an integer."""
    keys = b"|".join(re.escape(_encode_key(name)) for name in names)
    return re.search(b"(?:" + keys + rb")\s*:\s*(?:-?\d+[.eE]|[tf\[{])", piece) is not None


def _has_repeated_keys(piece: bytes, names: Iterable[str], n_lines: int) -> bool:
    """Return whether a key may stand twice in an object, of which polars takes the first."""
    return any(piece.count(_encode_key(name)) > n_lines for name in names)


def _encode_key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


def _parse_rows(piece: bytes, columns: Mapping[str, str], place: str, line: int) -> tuple[Any, Any]:
    """Parse line by line what polars does not read, such as NaN, or what is wrong."""
    import polars as pl

    content: dict[str, list[str | None]] = {role: [] for role in columns}
    lines = []
    for number, text in enumerate(piece.split(b"\n")):
        if not text.strip():
            continue
        row = _parse_row(text, f"{place}, line {line + number}")
        lines.append(number)
        for role, name in columns.items():
            content[role].append(_to_text(row.get(name), role, f"{place}, line {line + number}"))
    frame = pl.DataFrame(content, schema=dict.fromkeys(columns, pl.String))
    return frame, np.array(lines, dtype=np.int64)


def _parse_row(text: bytes, place: str) -> dict[str, Any]:
    try:
        row = json.loads(text, object_pairs_hook=RepeatedKeys.make_object)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict | RepeatedKeys):
        message = f"{place}: must be a JSON object, got {shorten(text)}."
        raise SourceError(message, code="not-json")
    if isinstance(row, RepeatedKeys):
        message = (
            f"{place}: has the key {row.repeated_key!r} twice in one object: {format_repr(row)}."
        )
        raise SourceError(message, code="repeated-column")
    return row


def _to_text(value: object, role: str, place: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if role in ("query", "item") and (isinstance(value, bool) or not isinstance(value, int)):
        message = (
            f"{place}: the {role} must be a string or an integer, got {_to_json_text(value):.60}."
        )
        raise SourceError(message, code="bad-id")
    return repr(value) if isinstance(value, float) else _to_json_text(value)


def _to_json_text(value: object) -> str:
    return json.dumps(value, default=repr)  # an object in which a key stands twice is no dict


def _check_frame(frame: Any, columns: Mapping[str, str], spec: ReadSpec, lines: Any) -> None:
    roles = ["query", "item", "label", "score"]
    # A rank that nothing is ordered by may be missing, as in other files.
    if spec.ranks_for is not None or "score" not in columns:
        roles.append("rank")
    for role in roles:
        if role in columns and frame[role].null_count():
            line = lines[frame[role].is_null().arg_max()]
            message = f"{spec.place}, line {line}: has no {columns[role]!r}, the {role}."
            raise SourceError(message, code="missing-column")


for _holds, _number in (("qrels", "label"), ("run", "score")):
    declare_format(
        name="jsonl",
        holds=_holds,
        summary=f"JSON lines, one object a row: query, item and {_number}, by any name.",
        is_file=True,
        unit="line",
        read_names=lambda file: _read_names(file.start),
        read_tables=_read_lines,
    )
