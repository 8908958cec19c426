"""Rows of Python objects, such as named tuples, and ``Columns``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from numbers import Number
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from gainful.base import ENDLESS, IntArray, ReadOptions, _native, format_repr
from gainful.errors import SourceError
from gainful.sources import arrays
from gainful.sources.arrays import to_array
from gainful.sources.columns import NUMBER, Columns, find_columns, is_uuid
from gainful.sources.entries import (
    Entries,
    Pairs,
    feed_twice,
    to_native_ids,
)
from gainful.sources.formats import ReadSpec, declare_format

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
    roles = find_columns(fields, spec) if fields else ()
    names = [None if number is None else fields[number] for number in roles]
    columns: list[list[Any]] = [[] for _ in names or range(_WIDTH)]
    n_before = 0
    while chunk := list(islice(remaining, _CHUNK)):
        parts = (
            _unpack_fields(chunk, names, n_before, spec)
            if names
            else _unpack_tuples(chunk, n_before, spec)
        )
        for column, values in zip(columns, parts, strict=True):
            column.extend(values)
        n_before += len(chunk)
    if not names:
        return Entries(columns[0], columns[1], columns[2])
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


def _unpack_fields(
    rows: list[Any], names: list[str | None], n_before: int, spec: ReadSpec
) -> Iterable[Sequence[Any]]:
    """Return the columns of rows whose fields have names."""

    def make_error(name: str, row: int) -> SourceError:
        place = f"{spec.place}, row {n_before + row + 1}"
        return SourceError(
            f"{place}: has no {name!r}, got {format_repr(rows[row])}.", code="missing-column"
        )

    return [
        [] if name is None else get_column(rows, name, partial(make_error, name)) for name in names
    ]


def _unpack_tuples(rows: list[Any], n_before: int, spec: ReadSpec) -> Iterable[Sequence[Any]]:
    """Return the columns of rows that are plain tuples or lists."""
    for number, row in enumerate(rows, n_before + 1):
        if not isinstance(row, tuple | list) or len(row) != _WIDTH:
            message = (
                f"{spec.place}, row {number}: expected (query, item, {NUMBER[spec.holds]}), or "
                f"fields with names, got {format_repr(row)}."
            )
            raise SourceError(message, code="wrong-structure")
    return zip(*rows, strict=True)


declare_format(
    name="rows",
    holds="qrels",
    summary="Rows: a list or an iterator of named tuples, dicts, objects with attributes, or "
    "(query, item, label).",
    read_entries=read_row_entries,
)
declare_format(
    name="rows",
    holds="run",
    summary="Rows: a list or an iterator of named tuples, dicts, objects with attributes, or "
    "(query, item, score).",
    read_entries=read_row_entries,
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


declare_format(
    name="columns",
    holds="qrels",
    summary="Columns: Columns(query=..., item=..., label=...).",
    push=_feed_qrels,
    unit="row",
    read_entries=_read_column_entries,
)
declare_format(
    name="columns",
    holds="run",
    summary="Columns: Columns(query=..., item=..., score=...), with or without rank=....",
    push=_feed_run,
    unit="row",
    read_entries=_read_column_entries,
)


@dataclass(frozen=True, eq=False)
class Matrix:
    """Labels or scores of queries (rows) and items (columns), with their ids.

    Without ids the rows and columns count from 0, as they do in a matrix that is given as it is.

    Attributes:
        numbers: An array of two dimensions, or a sparse matrix of scipy. All entries of an array
            count but those that a mask hides; of a sparse matrix those that are stored.
        queries: An id for every row.
        items: An id for every column; or lists of ids in the same shape, one for every entry.

    >>> import gainful, numpy
    >>> labels = Matrix(numpy.array([[2, 0, 1]]), queries=["anna"], items=["x", "y", "z"])
    >>> gainful.evaluate(labels, {"anna": ["x", "y", "z"]}, "nDCG")["nDCG"]
    0.9502344167898356
    """

    numbers: Any
    queries: Sequence[Any] | None = None
    items: Any = None


def read_matrix_entries(source: object, spec: ReadSpec) -> Entries:
    """Return the entries of a matrix; an entry is a judgment, or an item that was retrieved."""
    matrix = source if isinstance(source, Matrix) else Matrix(source)
    row, column, numbers, shape = _read_cells(matrix.numbers, spec)
    query = _look_up_ids(row, matrix.queries, shape[0], "queries", spec)
    ids = matrix.items.tolist() if hasattr(matrix.items, "tolist") else matrix.items
    if ids and all(isinstance(value, list) for value in ids):
        cell = row * shape[1] + column
        return Entries(query, _make_object_array(_flatten_ids(ids, shape, spec))[cell], numbers)
    return Entries(query, _look_up_ids(column, ids, shape[1], "items", spec), numbers)


def is_sparse(source: object) -> bool:
    """Return whether it is a sparse matrix, or array, of scipy, or of one that is like it."""
    return hasattr(source, "tocoo") and hasattr(source, "shape")


def _read_cells(source: Any, spec: ReadSpec) -> tuple[Any, Any, Any, tuple[int, ...]]:
    """Return the row, the column and the number of every entry, and the shape of the matrix."""
    source = source if is_sparse(source) else _read_dense(source, spec)
    if len(source.shape) != 2:
        message = (
            f"{spec.place}: must have two dimensions, queries and items, got {len(source.shape)}. "
            "For one list of all queries pass Grouped(...)."
        )
        raise SourceError(message, code="wrong-shape")
    if is_sparse(source):
        stored = source.tocoo()
        return stored.row, stored.col, stored.data, source.shape
    present = ~np.ma.getmaskarray(source)
    row, column = np.nonzero(present)
    return row, column, np.ma.getdata(source)[present], source.shape


def _read_dense(source: object, spec: ReadSpec) -> Any:
    shared = to_array(source, spec.place)
    try:
        return np.ma.asanyarray(shared)
    except ValueError:
        message = f"{spec.place}: must have rows of the same length, got {format_repr(source)}."
        raise SourceError(message, code="wrong-shape") from None


def _look_up_ids(number: object, ids: Any, count: int, name: str, spec: ReadSpec) -> Any:
    """Return the id of each number; the number itself if there are no ids."""
    if ids is None:
        return number
    listed = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    if len(listed) != count:
        message = f"{spec.place}: {name} must be {count} ids, got {len(listed)}."
        raise SourceError(message, code="unequal-lengths")
    return _make_object_array(listed)[number]


def _flatten_ids(ids: list[list[Any]], shape: tuple[int, ...], spec: ReadSpec) -> list[Any]:
    """Return the ids of all entries, row by row."""
    n_rows, n_columns = shape
    if len(ids) != n_rows or {len(row) for row in ids} != {n_columns}:
        message = f"{spec.place}: items must be {n_rows} lists of {n_columns} ids, as numbers are."
        raise SourceError(message, code="unequal-lengths")
    return [value for row in ids for value in row]


def _make_object_array(listed: list[Any]) -> Any:
    # Not np.array(listed): that would make one type of integers and text.
    table = np.empty(len(listed), dtype=object)
    table[:] = listed
    return table


declare_format(
    name="matrix",
    holds="qrels",
    summary="A matrix: labels of queries x items, as an array, a sparse matrix or Matrix(...).",
    read_entries=read_matrix_entries,
)
declare_format(
    name="matrix",
    holds="run",
    summary="A matrix: scores of queries x items, as an array, a sparse matrix or Matrix(...).",
    read_entries=read_matrix_entries,
)
