"""Matrices of queries by items: arrays of two dimensions, and sparse ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.records import Frozen
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._format import Format, declare
from gainful.sources._tensors import as_array
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


@dataclass(eq=False, repr=False)
class Matrix(Frozen):
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


def entries_of(given: Any, wanted: Wanted) -> Entries:
    """The entries of a matrix; an entry is a judgment, or an item that was retrieved."""
    matrix = given if isinstance(given, Matrix) else Matrix(given)
    row, column, numbers, shape = _cells(matrix.numbers, wanted)
    query = _labelled(row, matrix.queries, shape[0], "queries", wanted)
    ids = matrix.items.tolist() if hasattr(matrix.items, "tolist") else matrix.items
    if ids and all(isinstance(one, list) for one in ids):
        cell = row * shape[1] + column
        return Entries(query, _objects(_each(ids, shape, wanted))[cell], numbers)
    return Entries(query, _labelled(column, ids, shape[1], "items", wanted), numbers)


def is_sparse(given: Any) -> bool:
    """Whether it is a sparse matrix, or array, of scipy, or of one that is like it."""
    return hasattr(given, "tocoo") and hasattr(given, "shape")


def _cells(given: Any, wanted: Wanted) -> tuple[Any, Any, Any, tuple[int, ...]]:
    """The row, the column and the number of every entry, and the shape of the matrix."""
    given = given if is_sparse(given) else _dense(given, wanted)
    if len(given.shape) != 2:
        message = (
            f"{wanted.place}: must have two dimensions, queries and items, got {len(given.shape)}. "
            "For one list of all queries pass Grouped(...)."
        )
        raise SourceError(message, code="wrong-shape")
    if is_sparse(given):
        stored = given.tocoo()
        return stored.row, stored.col, stored.data, given.shape
    kept = ~np.ma.getmaskarray(given)
    row, column = np.nonzero(kept)
    return row, column, np.ma.getdata(given)[kept], given.shape


def _dense(given: Any, wanted: Wanted) -> Any:
    shared = as_array(given, wanted.place)
    try:
        return np.ma.asanyarray(shared)
    except ValueError:
        message = f"{wanted.place}: must have rows of the same length, got {as_written(given)}."
        raise SourceError(message, code="wrong-shape") from None


def _labelled(number: Any, ids: Any, count: int, name: str, wanted: Wanted) -> Any:
    """The id of each number; the number itself if there are no ids."""
    if ids is None:
        return number
    listed = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    if len(listed) != count:
        message = f"{wanted.place}: {name} must be {count} ids, got {len(listed)}."
        raise SourceError(message, code="unequal-lengths")
    return _objects(listed)[number]


def _each(ids: list[list[Any]], shape: tuple[int, ...], wanted: Wanted) -> list[Any]:
    """The ids of all entries, row by row."""
    n_rows, n_columns = shape
    if len(ids) != n_rows or {len(row) for row in ids} != {n_columns}:
        message = (
            f"{wanted.place}: items must be {n_rows} lists of {n_columns} ids, as numbers are."
        )
        raise SourceError(message, code="unequal-lengths")
    return [one for row in ids for one in row]


def _objects(listed: list[Any]) -> Any:
    # Not np.array(listed): that would make one type of integers and text.
    table = np.empty(len(listed), dtype=object)
    table[:] = listed
    return table


QRELS = declare(
    Format(
        name="matrix",
        holds="qrels",
        summary="A matrix: labels of queries x items, as an array, a sparse matrix or Matrix(...).",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
RUN = declare(
    Format(
        name="matrix",
        holds="run",
        summary="A matrix: scores of queries x items, as an array, a sparse matrix or Matrix(...).",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
