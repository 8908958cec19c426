"""Data frames and tables of any library that speaks the Arrow PyCapsule interface."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from gainful.sources import _tables, arrays
from gainful.sources._detect import library_of
from gainful.sources._format import Format, declare
from gainful.sources._reading import Reading
from gainful.sources._roles import chosen
from gainful.sources._wanted import Wanted


class ArrowTable(Protocol):
    """A table that speaks the Arrow PyCapsule interface, of whatever library."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


def _is_lazy(source: Any) -> bool:
    return library_of(source) == "polars" and hasattr(source, "collect")


def _is_pandas(source: Any) -> bool:
    return library_of(source) == "pandas"


def _streams_once(source: Any) -> bool:
    """Whether its rows are gone once they are read."""
    return hasattr(source, "read_next_batch")


def _feed(source: Any, receiver: Any, wanted: Wanted, _reading: Reading) -> None:
    if _is_pandas(source) and not _is_arrow_backed(source, wanted):
        _feed_pandas(source, receiver, wanted)
        return
    _tables.feed(lambda: _frames(source, wanted), receiver, wanted, once=_streams_once(source))


def _frames(source: Any, wanted: Wanted) -> Iterator[Any]:
    if _is_lazy(source):
        yield source.select(_needed_names(source.collect_schema().names(), wanted)).collect()
    elif _is_pandas(source):
        needed = source[_needed_names(list(source.columns), wanted)]
        yield needed if _is_arrow_backed(source, wanted) else _as_polars(needed)
    else:
        yield source


def _needed_names(names: list[Any], wanted: Wanted) -> list[Any]:
    roles = _tables.needed(chosen([str(name) for name in names], wanted), wanted)
    return [names[i] for i in roles if i is not None]


def _is_arrow_backed(frame: Any, wanted: Wanted) -> bool:
    query, item, *_ = _needed_names(list(frame.columns), wanted)
    dtypes = [frame[name].dtype for name in (query, item)]
    return all(
        hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow"
        for dtype in dtypes
    )


def _feed_pandas(frame: Any, receiver: Any, wanted: Wanted) -> None:
    names = list(frame.columns)
    roles = _tables.needed(chosen([str(name) for name in names], wanted), wanted)
    ids = [_ids(frame.iloc[:, i]) for i in (roles.query, roles.item)]
    numbers = [None if i is None else _numbers(frame.iloc[:, i], wanted) for i in roles[2:]]
    _tables.twice(lambda: receiver.push_columns(*ids, *numbers), receiver)


def _as_polars(frame: Any) -> Any:
    """The same table, without pyarrow, which pandas may lack."""
    import polars as pl

    return pl.DataFrame({str(name): pl.Series(frame[name].tolist()) for name in frame.columns})


def _ids(column: Any) -> Any:
    values = column.to_numpy()
    return values if values.dtype.kind in "iu" else values.astype(object, copy=False)


def _numbers(column: Any, wanted: Wanted) -> Any:
    if getattr(column.dtype, "kind", "O") in "iufb" and not column.hasnans:
        values = column.to_numpy()
        kind = np.float64 if values.dtype.kind == "f" and values.itemsize < 4 else None
        return np.ascontiguousarray(values.view(np.uint8) if values.dtype == bool else values, kind)
    return arrays.converted(column.tolist(), "labels" if wanted.holds == "qrels" else "scores")


for _holds in ("qrels", "run"):
    declare(
        Format(
            name="frame",
            holds=_holds,
            summary="A data frame or table: of pandas, polars, pyarrow, DuckDB or any other "
            "library that speaks the Arrow PyCapsule interface.",
            tables=_frames,
            feed=_feed,
            unit="row",
        )
    )
