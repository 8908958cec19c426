"""Entries: what dicts, lists, rows and arrays are turned into on their way to the native core."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from gainful import _native
from gainful.errors import SourceError
from gainful.ragged import ENDLESS, FloatArray, IntArray
from gainful.sources import _tables, arrays
from gainful.sources._files import Bytes
from gainful.sources._format import Receiver
from gainful.sources._reading import Reading
from gainful.sources._roles import NUMBER
from gainful.sources._rows import id_of
from gainful.sources._tables import ids
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


class Pairs(NamedTuple):
    """The query and the item of every row, in the order of the source; and comments between."""

    query: Any
    item: Any
    n_comments: int = 0


class Entries(NamedTuple):
    """Qrels or a run, one entry a row.

    Attributes:
        query: The query of each entry: a list or an array of ids.
        item: The item of each entry.
        number: Its label or score, of any kind that is a number; None where there are no scores.
        rank: Its rank, where there are ranks; one that is none matters only where ranks are read.
        queries: Every query, where one may have no entry; else None.
        scores_may_follow: Whether a run may come as scores alone, in the order of these entries.
        n_comments: How many lines of comments were skipped, where scores may follow.
    """

    query: Any
    item: Any
    number: Any = None
    rank: Any = None
    queries: Sequence[Any] | None = None
    scores_may_follow: bool = False
    n_comments: int = 0


_FINE = object()
Reader = Callable[[Any, Wanted], Entries]


def feeding(read: Reader) -> Callable[[Any, Receiver, Wanted, Reading], Any]:
    """What hands over to the native core all that a reader makes of a source."""

    def feed(given: Any, receiver: Any, wanted: Wanted, reading: Reading) -> Pairs | None:
        is_watched = isinstance(given, Bytes) and reading.progress is not None
        entries = read(_Watched(given, reading) if is_watched else given, wanted)
        columns = [ids(entries.query), ids(entries.item), numbers_of(entries, wanted)]
        if wanted.holds == "run":
            columns.append(_ranks(entries, wanted))
        if entries.queries is not None:
            receiver.name_queries(list(entries.queries))
        _tables.twice(lambda: receiver.push_columns(*columns), receiver)
        if not entries.scores_may_follow:
            return None
        return Pairs(entries.query, entries.item, entries.n_comments)

    return feed


class _Watched:
    """An open file that tells how far it was read."""

    def __init__(self, file: Bytes, reading: Reading) -> None:
        self._file, self._reading = file, reading
        self.name, self.rewind = file.name, file.rewind

    def pieces(self, *, again: bool) -> Iterator[tuple[Any, int]]:
        """As those of the file."""
        for piece, done in self._file.pieces(again=again):
            yield piece, done
            assert self._reading.progress is not None
            self._reading.progress(self._file.name, done, self._file.size)


def tabled(read: Reader) -> Callable[[Any, Wanted], Iterator[Any]]:
    """What makes a table of all that a reader makes of a source."""

    def tables(given: Any, wanted: Wanted) -> Iterator[Any]:
        import polars as pl

        entries = read(given, wanted)
        query, item = (texts_of(ids, wanted) for ids in (entries.query, entries.item))
        named = {"query": query, "item": item}
        numbers = []
        if entries.number is not None:
            numbers.append(pl.Series(NUMBER[wanted.holds], numbers_of(entries, wanted)))
        if entries.rank is not None:
            ranks = pl.Series("rank", _listed(entries.rank), strict=False)
            ranks = ranks if ranks.dtype.is_numeric() else ranks.cast(pl.String)
            # Scores that were made of ranks say no more than they do.
            made = ranks.dtype.is_integer() and bool(numbers) and (-ranks == numbers[0]).all()
            numbers = [ranks] if made else [*numbers, ranks]
        table = pl.DataFrame(named, schema=dict.fromkeys(named, pl.String))
        yield table.with_columns(numbers)

    return tables


def naming(read: Reader) -> Callable[[Any, Wanted], list[Any]]:
    """What names every query that a reader finds in a source, also those that have no entry."""
    return lambda given, wanted: list(read(given, wanted).queries or ())


def numbers_of(entries: Entries, wanted: Wanted) -> FloatArray | None:
    """The labels or scores; an error names query and item of the first that is none."""
    if entries.number is None and wanted.holds == "qrels":
        return np.ones(len(entries.query))  # items without a label are the relevant ones
    if entries.number is None:
        return None
    given = entries.number
    if wanted.holds == "qrels" and wanted.labels is not None:
        given = arrays.worded(_listed(given), wanted.labels)
    numbers = _converted(given)
    wrong = np.isnan(numbers) if wanted.holds == "run" else ~np.isfinite(numbers)
    if wrong.any():
        raise _refused(entries, given, int(wrong.argmax()), wanted)
    return numbers


def _converted(given: Any) -> FloatArray:
    """Numbers as float64; what is none is NaN, which is refused afterwards."""
    if isinstance(given, np.ndarray) and given.dtype.kind in "biuf":
        return np.ascontiguousarray(given, dtype=np.float64)
    listed = _listed(given)
    if set(map(type, listed)) <= {float, int, bool}:
        with suppress(OverflowError):
            return np.array(listed, dtype=np.float64)
    return np.fromiter(map(_number, listed), dtype=np.float64, count=len(listed))


def _number(value: Any) -> float:
    if isinstance(value, str | bytes | bytearray | complex):
        return np.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _refused(entries: Entries, given: Any, row: int, wanted: Wanted) -> _native.BadInput:
    value = _listed(given)[row]
    is_nan = isinstance(value, float) and value != value
    reason = "nan-score" if is_nan and wanted.holds == "run" else NUMBER[wanted.holds]
    pair = (
        id_of(_listed(ids)[row], wanted.place).encode("utf-8", "surrogatepass")
        for ids in (entries.query, entries.item)
    )
    shown = f"{as_written(value)}".encode("utf-8", "backslashreplace")
    return _native.BadInput(reason, 0, 0, shown, *pair, 0, 0)


def _ranks(entries: Entries, wanted: Wanted) -> list[Any] | None:
    if entries.rank is not None:
        return _listed(entries.rank)
    wanted.check_no_ranks()
    return None


def ranks_of(given: Any, wanted: Wanted) -> IntArray:
    """Ranks as integers; what is none is an error."""
    listed = _listed(given)
    if set(map(type, listed)) <= {int}:
        with suppress(OverflowError):
            return np.array(listed, dtype=np.int64)
    wrong = next((rank for rank in listed if not _is_rank(rank)), _FINE)
    if wrong is not _FINE:
        message = (
            f"{wanted.place}: rank must be an integer to order by it, got {as_written(wrong)}."
        )
        raise SourceError(message, code="bad-rank")
    return np.array([int(rank) for rank in listed], dtype=np.int64)


def _is_rank(rank: Any) -> bool:
    if isinstance(rank, bool) or not hasattr(rank, "__index__"):
        return False
    return -ENDLESS <= int(rank) <= ENDLESS


def texts_of(ids: Any, wanted: Wanted) -> list[str]:
    """Ids as text."""
    texts = [id_of(one, wanted.place) for one in _listed(ids)]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        message = f"{wanted.place}: an id must be UTF-8 text to be collapsed or converted."
        raise SourceError(message, code="not-text") from None
    return texts


def _listed(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    listed: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    return listed
