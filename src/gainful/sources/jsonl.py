"""JSON lines: a row a line, as an object."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._lines import RowLines, check_is_text, plain_lines, shown
from gainful.sources._polars_errors import explained
from gainful.sources._roles import columns_of
from gainful.sources._shapes import Repeated
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


def _tables(file: Bytes, wanted: Wanted) -> Iterator[Any]:
    names = _names(file.start)
    columns = {role: names[at] for role, at in columns_of(names, wanted).items()}
    rows = file.row_lines = RowLines()
    line = 1
    for piece in plain_lines(file):
        check_is_text(piece, wanted.place, line)
        frame, lines = _frame(piece, columns, wanted.place, line)
        rows.add(lines + line)
        _check(frame, columns, wanted, lines + line)
        yield frame
        line += piece.count(b"\n")


def _names(start: bytes) -> list[str]:
    """The keys of the first lines."""
    names: dict[str, None] = {}
    for line in start.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):  # cut, or wrong: which is said when it is read
            continue
        names |= dict.fromkeys(row) if isinstance(row, dict) else {}
    return list(names)


def _frame(piece: bytes, columns: Mapping[str, str], place: str, line: int) -> tuple[Any, Any]:
    """The columns as text, and on which line of the piece each row stands, from 0."""
    import polars as pl

    ids = [columns[role] for role in ("query", "item")]
    schema = {name: pl.String for name in columns.values()}
    try:
        with explained("JSON lines", place):
            frame = pl.read_ndjson(piece, schema=schema)
    except SourceError:
        return _one_by_one(piece, columns, place, line)
    n_lines = piece.count(b"\n") + (not piece.endswith(b"\n"))
    if frame.height != n_lines or _odd_ids(piece, ids) or _repeats(piece, schema, n_lines):
        return _one_by_one(piece, columns, place, line)
    named = [frame.get_column(name).alias(role) for role, name in columns.items()]
    return pl.DataFrame(named), np.arange(n_lines)


def _odd_ids(piece: bytes, names: list[str]) -> bool:
    """Whether an id may be neither text nor an integer, which a column of text would hide."""
    keys = b"|".join(re.escape(_key(name)) for name in names)
    return re.search(b"(?:" + keys + rb")\s*:\s*(?:-?\d+[.eE]|[tf\[{])", piece) is not None


def _repeats(piece: bytes, names: Iterable[str], n_lines: int) -> bool:
    """Whether a key may stand twice in an object, of which polars takes the first."""
    return any(piece.count(_key(name)) > n_lines for name in names)


def _key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


def _one_by_one(piece: bytes, columns: Mapping[str, str], place: str, line: int) -> tuple[Any, Any]:
    """The same, line by line: for what polars does not read, such as NaN, and what is wrong."""
    import polars as pl

    held: dict[str, list[str | None]] = {role: [] for role in columns}
    lines = []
    for number, text in enumerate(piece.split(b"\n")):
        if not text.strip():
            continue
        row = _row(text, f"{place}, line {line + number}")
        lines.append(number)
        for role, name in columns.items():
            held[role].append(_text(row.get(name), role, f"{place}, line {line + number}"))
    frame = pl.DataFrame(held, schema=dict.fromkeys(columns, pl.String))
    return frame, np.array(lines, dtype=np.int64)


def _row(text: bytes, place: str) -> dict[str, Any]:
    try:
        row = json.loads(text, object_pairs_hook=Repeated.or_dict)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict | Repeated):
        message = f"{place}: must be a JSON object, got {shown(text)}."
        raise SourceError(message, code="not-json")
    if isinstance(row, Repeated):
        message = f"{place}: has the key {row.twice!r} twice in one object: {as_written(row)}."
        raise SourceError(message, code="repeated-column")
    return row


def _text(value: Any, role: str, place: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if role in ("query", "item") and (isinstance(value, bool) or not isinstance(value, int)):
        message = f"{place}: the {role} must be a string or an integer, got {_written(value):.60}."
        raise SourceError(message, code="bad-id")
    return repr(value) if isinstance(value, float) else _written(value)


def _written(value: Any) -> str:
    return json.dumps(value, default=repr)  # an object in which a key stands twice is no dict


def _check(frame: Any, columns: Mapping[str, str], wanted: Wanted, lines: Any) -> None:
    roles = ["query", "item", "label", "score"]
    # A rank that nothing is ordered by may be missing, as in other files.
    if wanted.ranks_for is not None or "score" not in columns:
        roles.append("rank")
    for role in roles:
        if role in columns and frame[role].null_count():
            line = lines[frame[role].is_null().arg_max()]
            message = f"{wanted.place}, line {line}: has no {columns[role]!r}, the {role}."
            raise SourceError(message, code="missing-column")


for _holds, _number in (("qrels", "label"), ("run", "score")):
    declare(
        Format(
            name="jsonl",
            holds=_holds,
            summary=f"JSON lines, one object a row: query, item and {_number}, by any name.",
            is_file=True,
            renamed=True,
            unit="line",
            names=lambda file: _names(file.start),
            tables=_tables,
        )
    )
