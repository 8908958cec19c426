"""Tables that speak the Arrow PyCapsule interface, handed over to the native core."""

from collections.abc import Callable, Iterable
from typing import Any

from gainful.sources._format import Receiver
from gainful.sources._roles import chosen
from gainful.sources._wanted import Wanted


def feed(tables: Callable[[], Iterable[Any]], receiver: Receiver, wanted: Wanted) -> None:
    """Hand over all rows of tables that have the same columns.

    Args:
        tables: Makes the tables; called again where rows of a query stand apart.
        receiver: Who takes the rows.
        wanted: What is to be read, and how errors call it.
    """
    import numpy as np
    import polars as pl

    from gainful.ragged import ENDLESS
    from gainful.sources import arrays

    for table in tables():
        frame = pl.DataFrame(table)
        roles = chosen(frame.columns, wanted)
        query, item = (frame.to_series(i).to_list() for i in (roles.query, roles.item))
        number = rank = None
        if roles.number is not None:
            number = arrays.numbers(frame.to_series(roles.number).to_list(), "scores")
        if roles.rank is not None:
            rank = frame.to_series(roles.rank).cast(pl.Int64).to_numpy()
        if wanted.holds == "qrels":
            receiver.add_columns(query, item, number)  # type: ignore
            continue
        rank = np.zeros(len(query), dtype=np.int64) if rank is None else np.ascontiguousarray(rank)
        assert rank.max(initial=0) <= ENDLESS
        number = -rank.astype(np.float64) if number is None else number
        receiver.add_columns(query, item, number, rank)  # type: ignore
