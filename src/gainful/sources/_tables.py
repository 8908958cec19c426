"""Tables that speak the Arrow PyCapsule interface, and columns, handed over to the native core."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gainful import _native
from gainful.errors import SourceError
from gainful.sources._format import Receiver
from gainful.sources._roles import Chosen, chosen
from gainful.sources._wanted import Wanted


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
    stream = table.__arrow_c_stream__()
    names = [name for name, _ in _native.columns_of(stream)]
    roles = needed(chosen(names, wanted), wanted)
    if wanted.collapse is not None:
        stream = wanted.collapse.applied(table, names[roles.item]).__arrow_c_stream__()
    receiver.push_table(
        stream, *roles, labels=None if wanted.labels is None else dict(wanted.labels)
    )


def needed(roles: Chosen, wanted: Wanted) -> Chosen:
    """The columns without ranks that nothing reads."""
    if wanted.ranks_for is None and roles.number is not None:
        return roles._replace(rank=None)
    return roles


def ids(column: Any) -> Any:
    """A column of ids as the native core reads it: a list, or an array of integers or objects."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuO":
        return np.ascontiguousarray(column)
    return column.tolist() if hasattr(column, "tolist") else list(column)
