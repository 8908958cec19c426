"""Rows as objects: dicts, named tuples, dataclasses, tuples; in a list or from an iterator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from numbers import Number
from operator import attrgetter, itemgetter
from typing import Any

from gainful.errors import SourceError
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._format import Format, declare
from gainful.sources._roles import NUMBER, chosen
from gainful.sources._rows import is_uuid
from gainful.sources._wanted import Wanted
from gainful.wording import as_written

_CHUNK = 1 << 16  # rows
_WIDTH = 3  # query, item, number


def entries_of(rows: Iterable[Any], wanted: Wanted) -> Entries:
    """The entries that rows hold, all of them in the shape of the first."""
    remaining = iter(rows)
    first = list(islice(remaining, 1))
    if not first:
        return Entries(query=[], item=[], number=[])
    remaining = chain(first, remaining)
    fields = fields_of(first[0])
    if not fields:
        unnamed = _columns(remaining, partial(_unpacked, wanted=wanted), _WIDTH)
        return Entries(unnamed[0], unnamed[1], unnamed[2])
    taken = chosen(fields, wanted)
    names = [None if number is None else fields[number] for number in taken]
    columns = _columns(remaining, _taking(names, wanted), len(names))
    number, rank = (columns[i] if names[i] else None for i in (2, 3))
    return Entries(columns[0], columns[1], number, rank)


def fields_of(row: Any) -> list[str]:
    """The names of what a row holds; none where it has no names.

    >>> fields_of({"query_id": "q1", "doc_id": "d1"}), fields_of(("q1", "d1", 1))
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


def column_of(rows: Sequence[Any], name: str, refuse: Callable[[int], SourceError]) -> list[Any]:
    """What rows have under a name; ``refuse`` makes an error of the first row without it."""
    take = itemgetter(name) if isinstance(rows[0], Mapping) else attrgetter(name)
    taken: list[Any] = []
    try:
        taken.extend(map(take, rows))
    except (KeyError, AttributeError, TypeError, IndexError):
        raise refuse(len(taken)) from None
    return taken


def _taking(names: list[str | None], wanted: Wanted) -> Callable[[list[Any], int], list[Any]]:
    def take(rows: list[Any], begin: int) -> list[Any]:
        def refused(name: str, row: int) -> SourceError:
            place = f"{wanted.place}, row {begin + row + 1}"
            return SourceError(
                f"{place}: has no {name!r}, got {as_written(rows[row])}.", code="missing-column"
            )

        return [
            [] if name is None else column_of(rows, name, partial(refused, name)) for name in names
        ]

    return take


def _unpacked(rows: list[Any], begin: int, wanted: Wanted) -> Iterable[Sequence[Any]]:
    """The columns of rows that are plain tuples or lists."""
    for number, row in enumerate(rows) if not set(map(type, rows)) <= {tuple, list} else ():
        if not isinstance(row, tuple | list):
            raise _unlike(row, begin + number, wanted)
    for number, row in enumerate(rows) if set(map(len, rows)) != {_WIDTH} else ():
        if len(row) != _WIDTH:
            raise _unlike(row, begin + number, wanted)
    return zip(*rows, strict=True)


def _unlike(row: Any, number: int, wanted: Wanted) -> SourceError:
    return SourceError(
        f"{wanted.place}, row {number + 1}: expected (query, item, {NUMBER[wanted.holds]}), or "
        f"fields with names, got {as_written(row)}.",
        code="wrong-structure",
    )


def _columns(
    rows: Iterator[Any], take: Callable[[list[Any], int], Iterable[Iterable[Any]]], width: int
) -> list[list[Any]]:
    """All columns of the rows, which are taken chunk by chunk."""
    columns: list[list[Any]] = [[] for _ in range(width)]
    begin = 0
    while chunk := list(islice(rows, _CHUNK)):
        taken = take(chunk, begin)
        for column, more in zip(columns, taken, strict=True):
            column.extend(more)
        begin += len(chunk)
    return columns


QRELS = declare(
    Format(
        name="rows",
        holds="qrels",
        summary="Rows: a list or an iterator of named tuples, dicts, objects with attributes, or "
        "(query, item, label).",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
RUN = declare(
    Format(
        name="rows",
        holds="run",
        summary="Rows: a list or an iterator of named tuples, dicts, objects with attributes, or "
        "(query, item, score).",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
