"""Frames of pandas, read where they are: without pyarrow, which pandas may lack."""

from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.sources import _tables
from gainful.sources._detect import library_of
from gainful.sources._entries import texts_of
from gainful.sources._roles import Chosen, chosen
from gainful.sources._wanted import Wanted


def is_pandas(source: Any) -> bool:
    """Whether it is a frame of pandas."""
    return library_of(source) == "pandas" and hasattr(source, "columns")


def with_index(frame: Any) -> Any:
    """The frame with the levels of its index as columns, where they have names."""
    names = [n for n in frame.index.names if n is not None and n not in frame.columns]
    return frame.reset_index(level=names) if names else frame


def is_arrow_backed(frame: Any, wanted: Wanted) -> bool:
    """Whether its ids are in the memory of Arrow already, to be shown as they are."""
    dtypes = [None if i is None else frame.dtypes.iloc[i] for i in _roles(frame, wanted)]
    return (
        frame.columns.is_unique
        and all(_is_of_arrow(dtype) for dtype in dtypes[:2])
        and all(d is None or _is_of_arrow(d) or _is_number(d) for d in dtypes[2:])
    )


def _is_of_arrow(dtype: Any) -> bool:
    return hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow"


def _is_number(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iufb" and dtype.itemsize <= 8


def needed(frame: Any, wanted: Wanted) -> Any:
    """The frame with the columns that are read."""
    return frame.iloc[:, [i for i in _roles(frame, wanted) if i is not None]]


def feed(frame: Any, receiver: Any, wanted: Wanted) -> None:
    """Hand over columns of Python objects and of NumPy arrays."""
    roles = _roles(frame, wanted)
    words = _tables.words(wanted)
    ids = [_ids(frame.iloc[:, i], wanted) for i in (roles.query, roles.item)]
    number, rank = (None if i is None else frame.iloc[:, i] for i in roles[2:])
    numbers = [_numbers(number, is_mapped=words is not None), _numbers(rank)]
    if wanted.holds == "qrels" and number is None:
        numbers[0] = np.ones(len(frame))  # items without a label are the relevant ones
    _tables.twice(lambda: receiver.push_columns(*ids, *numbers, labels=words), receiver)


def as_polars(frame: Any, wanted: Wanted) -> Any:
    """The columns that are read, as a table of text and numbers."""
    import polars as pl

    roles = _roles(frame, wanted)
    ids = [(str(frame.columns[i]), _ids(frame.iloc[:, i], wanted)) for i in roles[:2]]
    numbers = [(str(frame.columns[i]), frame.iloc[:, i]) for i in roles[2:] if i is not None]
    return pl.DataFrame(
        [
            *(pl.Series(name, texts_of(column, wanted), dtype=pl.String) for name, column in ids),
            *(pl.Series(name, column.tolist(), strict=False) for name, column in numbers),
        ]
    )


def _roles(frame: Any, wanted: Wanted) -> Chosen:
    return chosen([str(name) for name in frame.columns], wanted)


def _ids(column: Any, wanted: Wanted) -> Any:
    kind = getattr(column.dtype, "kind", "O")
    if kind == "f" and len(column):
        message = (
            f"{wanted.place}: column {column.name!r} must hold text or integers to be ids, got "
            "floating-point numbers. Where some are missing, pandas turns integers into these: "
            f"drop such rows, and call astype({{{column.name!r}: int}})."
        )
        raise SourceError(message, code="column-type")
    if kind in "iu" and not column.hasnans:
        return _tables.native_order(column.to_numpy())
    return column.to_numpy(dtype=object)


def _numbers(column: Any, *, is_mapped: bool = False) -> Any:
    if column is None:
        return None
    kind = getattr(column.dtype, "kind", "O")
    if kind not in "iufb" or (is_mapped and kind in "iu"):
        return column.to_numpy(dtype=object)
    if column.hasnans:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    values = column.to_numpy()
    if kind == "b":
        return np.ascontiguousarray(values, dtype=np.bool_).view(np.uint8)
    if kind == "f" and values.itemsize not in (4, 8):
        return values.astype(np.float64)
    return _tables.native_order(values)
