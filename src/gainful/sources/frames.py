"""Data frames and tables of any library that speaks the Arrow PyCapsule interface."""

from collections.abc import Iterator
from typing import Any, Protocol

from gainful.sources import _pandas, _tables
from gainful.sources._detect import library_of
from gainful.sources._format import Format, declare
from gainful.sources._reading import Reading
from gainful.sources._roles import chosen
from gainful.sources._wanted import Wanted


class ArrowTable(Protocol):
    """A table that speaks the Arrow PyCapsule interface, of whatever library."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


def _feed(source: Any, receiver: Any, wanted: Wanted, _reading: Reading) -> None:
    if _pandas.is_pandas(source):
        source = _pandas.with_index(source)
        if not _pandas.is_arrow_backed(source, wanted):
            _pandas.feed(source, receiver, wanted)
            return
    once = _tables.streams_once(source)
    _tables.feed(lambda: _frames(source, wanted), receiver, wanted, once=once)


def _frames(source: Any, wanted: Wanted) -> Iterator[Any]:
    if _pandas.is_pandas(source):
        yield _from_pandas(_pandas.with_index(source), wanted)
    elif hasattr(source, "__arrow_c_stream__"):
        yield source
    elif library_of(source) == "pyarrow":
        yield _tables.of_library(lambda: _scanned(source, wanted), wanted)
    else:
        yield _tables.of_library(lambda: _collected(source, wanted), wanted)


def _from_pandas(frame: Any, wanted: Wanted) -> Any:
    if _pandas.is_arrow_backed(frame, wanted):
        return _pandas.needed(frame, wanted)
    return _pandas.as_polars(frame, wanted)


def _collected(lazy: Any, wanted: Wanted) -> Any:
    return lazy.select(_needed_names(lazy.collect_schema().names(), wanted)).collect()


def _scanned(source: Any, wanted: Wanted) -> Any:
    """The rows of a data set of pyarrow, or of a scanner of one."""
    if not hasattr(source, "scanner"):
        return source.to_reader()
    return source.scanner(columns=_needed_names(source.schema.names, wanted)).to_reader()


def _needed_names(names: list[str], wanted: Wanted) -> list[str]:
    roles = chosen(names, wanted)
    return list(dict.fromkeys(names[i] for i in roles if i is not None))


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
