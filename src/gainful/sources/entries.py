"""Entries and Arrow tables: the two forms in which rows reach the native core."""

import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from gainful.base import ENDLESS, FloatArray, InputFile, IntArray, ReadOptions, _native, format_repr
from gainful.errors import GainfulError, SourceError
from gainful.sources import arrays
from gainful.sources.columns import NUMBER, find_columns, make_missing_scores_error, to_id
from gainful.sources.formats import ReadSpec, Receiver


def feed_tables(
    tables: Callable[[], Iterable[Any]],
    receiver: Receiver,
    spec: ReadSpec,
    *,
    single_pass: bool = False,
) -> None:
    """Feed all rows of tables with the same columns to the native core.

    Args:
        tables: Makes the tables; called again if rows of a query are not together.
        receiver: The index or aligner of the native core that takes the rows.
        spec: What is to be read, and how errors call it.
        single_pass: Whether the tables cannot be made again; all rows are then kept in memory.
    """

    def push() -> None:
        if spec.collapse is not None:
            spec.collapse.start_over()
        try:
            for table in tables():
                _push_table(table, receiver, spec)
        except SourceError:
            receiver.end_tables()  # a bad row above the place where reading failed comes first
            raise
        receiver.end_tables()

    if single_pass:
        receiver.start_over()
    feed_twice(push, receiver)


def feed_twice(push: Callable[[], None], receiver: Receiver) -> None:
    """Feed the rows; a second time, buffered, if the rows of a query are not together."""
    try:
        push()
    except _native.Ungrouped:
        receiver.start_over()
        push()


def _push_table(table: Any, receiver: Receiver, spec: ReadSpec) -> None:
    stream = call_library(table.__arrow_c_stream__, spec)
    names = [name for name, _ in _native.columns_of(stream)]
    roles = find_columns(names, spec)
    if spec.holds == "qrels" and roles.number is None:
        stream, roles = _add_relevant_labels(stream, spec), roles._replace(number=len(names))
    if spec.collapse is not None:
        # From the stream, not from the table, whose rows may be gone once it is asked for.
        stream = spec.collapse.apply(_StreamTable(stream), names[roles.item]).__arrow_c_stream__()
    try:
        receiver.push_table(stream, *roles, labels=resolve_word_labels(spec))
    except _native.BadInput as error:
        # A library that calls Python reports an interrupt as any failure.
        if error.args[0] == "no-scores" and (text := make_missing_scores_error(names, spec)):
            raise text from None
        if error.args[0] == "table" and error.args[3].rstrip().endswith(b"KeyboardInterrupt"):
            raise KeyboardInterrupt from None
        raise


def _add_relevant_labels(stream: object, spec: ReadSpec) -> object:
    """Return the table with a last column of ones: items without a label are the relevant ones."""
    import polars as pl

    frame = call_library(lambda: pl.DataFrame(_StreamTable(stream)), spec)
    return frame.with_columns(pl.lit(1.0).alias("label")).__arrow_c_stream__()


class _StreamTable:
    """A stream as a table."""

    def __init__(self, stream: object) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream


def call_library(make: Callable[[], Any], spec: ReadSpec) -> Any:
    """Call a function of another library, and turn its errors into ours."""
    try:
        return make()
    except GainfulError:
        raise
    except Exception as error:
        first = next(iter(str(error).strip().splitlines()), type(error).__name__)
        message = f"{spec.place}: cannot be read as a table ({first.rstrip('. ')})."
        raise SourceError(message, code="broken-file") from error


def is_single_pass(source: object) -> bool:
    """Return whether a table may be read only once: it has no length."""
    # Looked up on the class: some libraries run a query for the attribute of an instance.
    lengths = ("__len__", "shape", "num_rows")
    return hasattr(source, "__arrow_c_stream__") and not any(
        hasattr(type(source), name) for name in lengths
    )


def resolve_word_labels(spec: ReadSpec) -> dict[Any, float] | None:
    """Return the labels of words, if the user passed them."""
    if spec.labels is None:
        return None
    if not isinstance(spec.labels, Mapping):
        message = f"labels: must map words to numbers, got {format_repr(spec.labels)}."
        raise SourceError(message, code="bad-labels")
    for word, number in spec.labels.items():
        if not isinstance(number, numbers.Real):
            pair = f"{format_repr(number)} for {format_repr(word)}"
            message = f"labels: must map words to numbers, got {pair}."
            raise SourceError(message, code="bad-labels")
    return {word: float(number) for word, number in spec.labels.items()}


def to_native_ids(column: Any) -> Any:
    """Return a column of ids as a list, or as an array of integers or objects."""
    if isinstance(column, np.ndarray) and column.ndim != 1:
        message = f"columns: must have one dimension, got {column.ndim}."
        raise SourceError(message, code="wrong-shape")
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuO":
        return to_native_order(column)
    return column.tolist() if hasattr(column, "tolist") else list(column)


def to_native_order(column: Any) -> Any:
    """Return the array, its bytes in the order of this machine."""
    return np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))


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


def feed_entries(
    read_entries: Callable[[Any, ReadSpec], Entries],
    source: Any,
    receiver: Receiver,
    spec: ReadSpec,
    read_options: ReadOptions,
) -> Pairs | None:
    """Feed the entries of a source to the native core; return its rows if scores may follow."""
    is_watched = isinstance(source, InputFile) and read_options.progress is not None
    entries = read_entries(_ProgressFile(source, read_options) if is_watched else source, spec)
    columns = [
        to_native_ids(entries.query),
        to_native_ids(entries.item),
        convert_entry_numbers(entries, spec),
    ]
    if spec.holds == "run":
        columns.append(_list_entry_ranks(entries, spec))
    if entries.queries is not None:
        receiver.name_queries(list(entries.queries))
    feed_twice(lambda: receiver.push_columns(*columns), receiver)
    if not entries.scores_may_follow:
        return None
    return Pairs(entries.query, entries.item, entries.n_comments)


class _ProgressFile:
    """An open file that reports how far it was read."""

    def __init__(self, file: InputFile, read_options: ReadOptions) -> None:
        self._file, self._reading = file, read_options
        self.name, self.rewind = file.name, file.rewind

    def read_pieces(self) -> Iterator[tuple[Any, int]]:
        """Yield the pieces of the file, and report progress."""
        for piece, n_bytes in self._file.read_pieces():
            yield piece, n_bytes
            assert self._reading.progress is not None
            self._reading.progress(self._file.name, n_bytes, self._file.size)


def entries_to_table(entries: Entries, spec: ReadSpec) -> Any:
    """Return the entries as a polars DataFrame."""
    import polars as pl

    query, item = (ids_to_text(ids, spec) for ids in (entries.query, entries.item))
    columns = [pl.Series("query", query, pl.String), pl.Series("item", item, pl.String)]
    numbers = convert_entry_numbers(entries, spec) if entries.number is not None else None
    if numbers is not None:
        columns.append(pl.Series(NUMBER[spec.holds], numbers))
    if entries.rank is not None:
        ranks = pl.Series("rank", _to_list(entries.rank), strict=False)
        # Scores that were made of ranks add nothing to them.
        if ranks.dtype.is_integer() and numbers is not None and (-ranks == columns[-1]).all():
            columns.pop()
        columns.append(ranks if ranks.dtype.is_numeric() else ranks.cast(pl.String))
    return pl.DataFrame(columns)


def convert_entry_numbers(entries: Entries, spec: ReadSpec) -> FloatArray | None:
    """Return the labels or scores; the error for one that is not a number names query and item."""
    if entries.number is None and spec.holds == "qrels":
        return np.ones(len(entries.query))  # items without a label are the relevant ones
    if entries.number is None:
        return None
    source = entries.number
    if spec.holds == "qrels" and spec.labels is not None:
        source = arrays.labels_from_words(_to_list(source), spec.labels)
    numbers = _to_float64(source)
    bad = np.isnan(numbers) if spec.holds == "run" else ~np.isfinite(numbers)
    if bad.any():
        raise _make_number_error(entries, source, int(bad.argmax()), spec)
    return numbers


def _to_float64(source: object) -> FloatArray:
    """Convert to float64; what is not a number becomes NaN, which is refused later."""
    if isinstance(source, np.ndarray) and source.dtype.kind in "biuf":
        return np.ascontiguousarray(source, dtype=np.float64)
    listed = _to_list(source)
    if set(map(type, listed)) <= {float, int, bool}:
        with suppress(OverflowError):
            return np.array(listed, dtype=np.float64)
    return np.fromiter(map(_to_number, listed), dtype=np.float64, count=len(listed))


def _to_number(value: Any) -> float:
    if isinstance(value, str | bytes | bytearray | complex):
        return np.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _make_number_error(
    entries: Entries, source: object, row: int, spec: ReadSpec
) -> _native.BadInput:
    value = _to_list(source)[row]
    is_nan = isinstance(value, float) and value != value
    reason = "nan-score" if is_nan and spec.holds == "run" else NUMBER[spec.holds]
    pair = (
        to_id(_to_list(ids)[row], spec.place).encode("utf-8", "surrogatepass")
        for ids in (entries.query, entries.item)
    )
    text = f"{format_repr(value)}".encode("utf-8", "backslashreplace")
    return _native.BadInput(reason, 0, 0, text, *pair, 0, 0)


def _list_entry_ranks(entries: Entries, spec: ReadSpec) -> list[Any] | None:
    if entries.rank is not None:
        return _to_list(entries.rank)
    spec.check_no_ranks()
    return None


def to_ranks(source: object, spec: ReadSpec) -> IntArray:
    """Convert to integer ranks, or raise an error."""
    listed = _to_list(source)
    if set(map(type, listed)) <= {int}:
        with suppress(OverflowError):
            return np.array(listed, dtype=np.int64)
    example = next((rank for rank in listed if not _is_rank(rank)), _FINE)
    if example is not _FINE:
        message = (
            f"{spec.place}: rank must be an integer to order by it, got {format_repr(example)}."
        )
        raise SourceError(message, code="bad-rank")
    return np.array([int(rank) for rank in listed], dtype=np.int64)


def _is_rank(rank: object) -> bool:
    if isinstance(rank, bool) or not hasattr(rank, "__index__"):
        return False
    return -ENDLESS <= int(rank) <= ENDLESS


def ids_to_text(ids: object, spec: ReadSpec) -> list[str]:
    """Convert ids to text."""
    texts = [to_id(value, spec.place) for value in _to_list(ids)]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        message = f"{spec.place}: an id must be UTF-8 text to be collapsed or converted."
        raise SourceError(message, code="not-text") from None
    return texts


def _to_list(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    listed: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    return listed
