"""Matrices of queries by items: arrays of two dimensions, and sparse ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.base import format_repr
from gainful.errors import SourceError
from gainful.sources.arrays import to_array
from gainful.sources.entries import Entries
from gainful.sources.formats import Format, declare_format
from gainful.sources.read_spec import ReadSpec


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


QRELS = declare_format(
    Format(
        name="matrix",
        holds="qrels",
        summary="A matrix: labels of queries x items, as an array, a sparse matrix or Matrix(...).",
        read_entries=read_matrix_entries,
    )
)
RUN = declare_format(
    Format(
        name="matrix",
        holds="run",
        summary="A matrix: scores of queries x items, as an array, a sparse matrix or Matrix(...).",
        read_entries=read_matrix_entries,
    )
)
