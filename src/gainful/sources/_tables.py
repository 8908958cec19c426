"""Tables that speak the Arrow PyCapsule interface, and columns, handed over to the native core."""

import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from gainful import _native
from gainful.errors import GainfulError, SourceError
from gainful.sources._format import Receiver
from gainful.sources._roles import chosen, no_scores
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


def feed(
    tables: Callable[[], Iterable[Any]], receiver: Receiver, wanted: Wanted, *, once: bool = False
) -> None:
    """Hand over all rows of tables that have the same columns.

    Args:
        tables: Makes the tables; called again where rows of a query stand apart.
        receiver: Who takes the rows.
        wanted: What is to be read, and how errors call it.
        once: Whether the tables cannot be made again; all rows are then held in memory.
    """

    def push() -> None:
        if wanted.collapse is not None:
            wanted.collapse.start_over()
        try:
            for table in tables():
                _push(table, receiver, wanted)
        except SourceError:
            receiver.end_tables()  # a bad row above the place where reading failed comes first
            raise
        receiver.end_tables()

    if once:
        receiver.start_over()
    twice(push, receiver)


def twice(push: Callable[[], None], receiver: Receiver) -> None:
    """Hand rows over, and once more, held until the end, where those of a query stand apart."""
    try:
        push()
    except _native.Ungrouped:
        receiver.start_over()
        push()


def _push(table: Any, receiver: Receiver, wanted: Wanted) -> None:
    stream = of_library(table.__arrow_c_stream__, wanted)
    names = [name for name, _ in _native.columns_of(stream)]
    roles = chosen(names, wanted)
    if wanted.holds == "qrels" and roles.number is None:
        stream, roles = _relevant(stream, wanted), roles._replace(number=len(names))
    if wanted.collapse is not None:
        # From the stream, not from the table, whose rows may be gone once it is asked for.
        stream = wanted.collapse.applied(_Streamed(stream), names[roles.item]).__arrow_c_stream__()
    try:
        receiver.push_table(stream, *roles, labels=words(wanted))
    except _native.BadInput as error:
        # A library that calls Python tells of an interrupt as of any failure.
        if error.args[0] == "no-scores" and (said := no_scores(names, wanted)):
            raise said from None
        if error.args[0] == "table" and error.args[3].rstrip().endswith(b"KeyboardInterrupt"):
            raise KeyboardInterrupt from None
        raise


def _relevant(stream: object, wanted: Wanted) -> object:
    """The table with a last column of ones: items without a label are the relevant ones."""
    import polars as pl

    frame = of_library(lambda: pl.DataFrame(_Streamed(stream)), wanted)
    return frame.with_columns(pl.lit(1.0).alias("label")).__arrow_c_stream__()


class _Streamed:
    """A stream as a table."""

    def __init__(self, stream: object) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream


def of_library(make: Callable[[], Any], wanted: Wanted) -> Any:
    """What a function of another library makes; what goes wrong there becomes a sentence."""
    try:
        return make()
    except GainfulError:
        raise
    except Exception as error:
        first = next(iter(str(error).strip().splitlines()), type(error).__name__)
        message = f"{wanted.place}: cannot be read as a table ({first.rstrip('. ')})."
        raise SourceError(message, code="broken-file") from error


def streams_once(source: Any) -> bool:
    """Whether the rows of a table may be gone once they are read: of one that has no length."""
    # Asked of the class: some libraries run a query to tell.
    lengths = ("__len__", "shape", "num_rows")
    return hasattr(source, "__arrow_c_stream__") and not any(
        hasattr(type(source), name) for name in lengths
    )


def words(wanted: Wanted) -> dict[Any, float] | None:
    """What words mean as labels, where they are given."""
    if wanted.labels is None:
        return None
    if not isinstance(wanted.labels, Mapping):
        message = f"labels: must map words to numbers, got {as_written(wanted.labels)}."
        raise SourceError(message, code="bad-labels")
    for word, number in wanted.labels.items():
        if not isinstance(number, numbers.Real):
            pair = f"{as_written(number)} for {as_written(word)}"
            message = f"labels: must map words to numbers, got {pair}."
            raise SourceError(message, code="bad-labels")
    return {word: float(number) for word, number in wanted.labels.items()}


def ids(column: Any) -> Any:
    """A column of ids as the native core reads it: a list, or an array of integers or objects."""
    if isinstance(column, np.ndarray) and column.ndim != 1:
        message = f"columns: must have one dimension, got {column.ndim}."
        raise SourceError(message, code="wrong-shape")
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuO":
        return native_order(column)
    return column.tolist() if hasattr(column, "tolist") else list(column)


def native_order(column: Any) -> Any:
    """The array, its bytes in the order of this machine."""
    return np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
