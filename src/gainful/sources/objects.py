"""Rows of Python objects, such as named tuples, and ``Columns``."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from numbers import Number
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from gainful.base import ENDLESS, IntArray, ReadOptions, _native, format_repr
from gainful.errors import SourceError
from gainful.sources import arrays
from gainful.sources.columns import NUMBER, Columns, find_columns
from gainful.sources.entries import (
    Entries,
    Pairs,
    feed_twice,
    to_native_ids,
)
from gainful.sources.formats import Format, declare_format
from gainful.sources.read_spec import ReadSpec
from gainful.sources.rows import is_uuid

_CHUNK = 1 << 16  # rows
_WIDTH = 3  # query, item, number


def read_row_entries(rows: Iterable[Any], spec: ReadSpec) -> Entries:
    """Return the entries that rows hold, all of them in the shape of the first."""
    remaining = iter(rows)
    first = list(islice(remaining, 1))
    if not first:
        return Entries(query=[], item=[], number=[])
    remaining = chain(first, remaining)
    fields = list_field_names(first[0])
    if not fields:
        unnamed = _collect_columns(remaining, partial(_unpack_tuples, spec=spec), _WIDTH)
        return Entries(unnamed[0], unnamed[1], unnamed[2])
    roles = find_columns(fields, spec)
    names = [None if number is None else fields[number] for number in roles]
    columns = _collect_columns(remaining, _make_unpacker(names, spec), len(names))
    number, rank = (columns[i] if names[i] else None for i in (2, 3))
    return Entries(columns[0], columns[1], number, rank)


def list_field_names(row: object) -> list[str]:
    """Return the names of the fields of a row; an empty list if they have none.

    >>> list_field_names({"query_id": "q1", "doc_id": "d1"}), list_field_names(("q1", "d1", 1))
    (['query_id', 'doc_id'], [])
    """
    if isinstance(row, Number) or is_uuid(row):
        names = []
    elif isinstance(row, Mapping):
        names = list(row)
    elif isinstance(row, tuple):
        names = list(getattr(row, "_fields", ()))
    elif hasattr(row, "__dataclass_fields__"):
        names = list(row.__dataclass_fields__)
    elif hasattr(row, "__dict__"):
        names = list(vars(row))
    else:
        slots = getattr(row, "__slots__", ())
        names = [slots] if isinstance(slots, str) else list(slots)
    return names if all(isinstance(name, str) for name in names) else []


def get_column(
    rows: Sequence[Any], name: str, make_error: Callable[[int], SourceError]
) -> list[Any]:
    """Return one field of all rows; ``make_error`` returns the error for a row without it."""
    get_field = itemgetter(name) if isinstance(rows[0], Mapping) else attrgetter(name)
    values: list[Any] = []
    try:
        values.extend(map(get_field, rows))
    except (KeyError, AttributeError, TypeError, IndexError):
        raise make_error(len(values)) from None
    return values


def _make_unpacker(
    names: list[str | None], spec: ReadSpec
) -> Callable[[list[Any], int], list[Any]]:
    def unpack_rows(rows: list[Any], begin: int) -> list[Any]:
        def make_error(name: str, row: int) -> SourceError:
            place = f"{spec.place}, row {begin + row + 1}"
            return SourceError(
                f"{place}: has no {name!r}, got {format_repr(rows[row])}.", code="missing-column"
            )

        return [
            [] if name is None else get_column(rows, name, partial(make_error, name))
            for name in names
        ]

    return unpack_rows


def _unpack_tuples(rows: list[Any], begin: int, spec: ReadSpec) -> Iterable[Sequence[Any]]:
    """Return the columns of rows that are plain tuples or lists."""
    for number, row in enumerate(rows) if not set(map(type, rows)) <= {tuple, list} else ():
        if not isinstance(row, tuple | list):
            raise _make_row_error(row, begin + number, spec)
    for number, row in enumerate(rows) if set(map(len, rows)) != {_WIDTH} else ():
        if len(row) != _WIDTH:
            raise _make_row_error(row, begin + number, spec)
    return zip(*rows, strict=True)


def _make_row_error(row: object, number: int, spec: ReadSpec) -> SourceError:
    return SourceError(
        f"{spec.place}, row {number + 1}: expected (query, item, {NUMBER[spec.holds]}), or "
        f"fields with names, got {format_repr(row)}.",
        code="wrong-structure",
    )


def _collect_columns(
    rows: Iterator[Any],
    unpack_rows: Callable[[list[Any], int], Iterable[Iterable[Any]]],
    width: int,
) -> list[list[Any]]:
    """Return all columns of the rows, which are taken chunk by chunk."""
    columns: list[list[Any]] = [[] for _ in range(width)]
    begin = 0
    while chunk := list(islice(rows, _CHUNK)):
        pieces = unpack_rows(chunk, begin)
        for column, values in zip(columns, pieces, strict=True):
            column.extend(values)
        begin += len(chunk)
    return columns


QRELS = declare_format(
    Format(
        name="rows",
        holds="qrels",
        summary="Rows: a list or an iterator of named tuples, dicts, objects with attributes, or "
        "(query, item, label).",
        read_entries=read_row_entries,
    )
)
RUN = declare_format(
    Format(
        name="rows",
        holds="run",
        summary="Rows: a list or an iterator of named tuples, dicts, objects with attributes, or "
        "(query, item, score).",
        read_entries=read_row_entries,
    )
)


def _feed_qrels(
    columns: Columns, index: _native.Index, spec: ReadSpec, _read_options: ReadOptions
) -> Any:
    if columns.label is None:
        message = "qrels: columns must hold labels, got none. Pass Columns(..., label=...)."
        raise SourceError(message, code="missing-column")
    words = spec.labels
    column = (
        columns.label if words is None else arrays.labels_from_words(list(columns.label), words)
    )
    labels = arrays.to_numbers(column, "labels")
    pairs = to_native_ids(columns.query), to_native_ids(columns.item)
    feed_twice(lambda: index.push_columns(*pairs, labels), index)
    return Pairs(columns.query, columns.item)


def _feed_run(
    columns: Columns, aligner: _native.Aligner, spec: ReadSpec, _read_options: ReadOptions
) -> None:
    if columns.rank is None:
        spec.check_no_ranks()
    if columns.score is None and columns.rank is None:
        message = (
            "run: columns must hold scores or ranks, got neither. Pass Columns(..., score=...)."
        )
        raise SourceError(message, code="missing-column")
    ranks = _read_column_ranks(columns)
    # Without scores the rank decides, whatever the rules order by.
    scores = -ranks.astype(np.float64)
    if columns.score is not None:
        scores = arrays.to_numbers(columns.score, "scores")
    pairs = to_native_ids(columns.query), to_native_ids(columns.item)
    feed_twice(lambda: aligner.push_columns(*pairs, scores, ranks), aligner)


def _read_column_entries(columns: Columns, spec: ReadSpec) -> Entries:
    number = columns.label if spec.holds == "qrels" else columns.score
    return Entries(columns.query, columns.item, number, columns.rank)


def _read_column_ranks(columns: Columns) -> IntArray:
    if columns.rank is None:
        return np.zeros(len(columns.query), dtype=np.int64)
    ranks = np.asarray(columns.rank)
    if ranks.dtype.kind not in "iu" or ranks.max(initial=0) > ENDLESS:
        message = f"rank: must be integers, got {format_repr(columns.rank)}."
        raise SourceError(message, code="bad-rank")
    return np.ascontiguousarray(ranks, dtype=np.int64)


COLUMNS_QRELS = declare_format(
    Format(
        name="columns",
        holds="qrels",
        summary="Columns: Columns(query=..., item=..., label=...).",
        push=_feed_qrels,
        unit="row",
        read_entries=_read_column_entries,
    )
)
COLUMNS_RUN = declare_format(
    Format(
        name="columns",
        holds="run",
        summary="Columns: Columns(query=..., item=..., score=...), with or without rank=....",
        push=_feed_run,
        unit="row",
        read_entries=_read_column_entries,
    )
)
