from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class BadInput(ValueError):
    """
    Args: reason, line, column, text, query, item, first, second; sources put it into words.
    """

class Ungrouped(RuntimeError):
    """
    The lines of some query stand apart: start_over(), and feed the text again.
    """

class Duplicates(enum.Enum):
    error = 0

    first = 1

    last = 2

    max = 3

    once = 4

    count = 5

class Order(enum.Enum):
    score = 0

    rank = 1

    file = 2

class Ties(enum.Enum):
    item_desc = 0

    item_asc = 1

    input = 2

    input_reversed = 3

    rank_column = 4

    average = 5

    best = 6

    worst = 7

    middle = 8

class Reading:
    """
    How text is read; none of it changes the result of good text. Read leniently, what is wrong is skipped and counted.
    """

    def __init__(self, threads: int = 1, chunk: int = 524288, scanner: str | None = None, lenient: bool = False, longest_line: int = 16777216) -> None: ...

LONGEST_LINE: int = 16777216

def hash_of(id: bytes) -> int:
    """What an id hashes to; another number in every process."""

def columns_of(stream: object) -> list[tuple[str, str]]:
    """The name and the Arrow format of every column of a table."""

def scanners() -> list[str]:
    """
    The ways to find white space that this processor has, the fastest last.
    """

class Odd:
    """Lines that were read in part or not at all."""

    @property
    def comments(self) -> int: ...

    @property
    def blanks(self) -> int: ...

    @property
    def unwhole(self) -> int: ...

    @property
    def long_lines(self) -> int: ...

    @property
    def first_long(self) -> int: ...

    @property
    def returns(self) -> int: ...

    @property
    def faults(self) -> list[tuple[int, tuple[str, int, int, bytes, bytes, bytes, float, float]]]:
        """
        What was skipped, by reason: how often, and what BadInput says of the first.
        """

class Comments(enum.Enum):
    none = 0

    plain = 1

    indented = 2

    isolated = 3

class Rows:
    """The lines of a text, split into fields, up to the first that is wrong."""

    def __init__(self, text: bytes, columns: dict[str, int], n_fields: int, *, separator: str = '', quotes: bool = False, more: bool = False, skip_blank: bool = True, comments: Comments = ..., filled: Sequence[int] = ()) -> None:
        """
        Split lines at a separator, or at white space; columns are numbers of fields by name.
        """

    @property
    def columns(self) -> list[list[str]]:
        """The fields, column by column."""

    @property
    def lines(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """The line of each row, from 1."""

    @property
    def odd(self) -> Odd: ...

    @property
    def bad(self) -> tuple[str, int, int, bytes, bytes, bytes, float, float] | None:
        """
        What BadInput says of the line below the last row; None at the end of the text.
        """

    @property
    def unclosed(self) -> int:
        """Bytes at the end of the text, from a line whose quotes do not end."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    def __len__(self) -> int: ...

class Index:
    """The judgments: built once, joined with many runs."""

    def __init__(self, reading: Reading | None = None) -> None: ...

    def read(self, file: int, begin: int, end: int, tick: Callable[[int], object] | None) -> None:
        """Read a part of an open file, calling tick(position) now and then."""

    def feed(self, piece: object) -> None:
        """Read a piece of text; an empty piece ends it."""

    def abandon(self, settled: bool) -> None:
        """Stop reading pieces, after the complete ones were read if so asked."""

    @property
    def odd(self) -> Odd: ...

    @property
    def repeat(self) -> tuple[str, int, int, bytes, bytes, bytes, float, float] | None:
        """
        What BadInput says of the first item that a query has twice; None if there is none.
        """

    def push_table(self, stream: object, query: int, item: int, number: int | None = None, rank: int | None = None, labels: object | None = None) -> None:
        """
        Read a table from an Arrow stream; then end_tables(). The columns are numbered.
        """

    def push_columns(self, query: object, item: object, number: object | None = None, rank: object | None = None, labels: object | None = None) -> None:
        """Read columns of ids and numbers, all there are."""

    def name_queries(self, queries: list[object]) -> None:
        """Queries of tables, some of which may have no row."""

    def end_tables(self) -> None:
        """No more tables come."""

    def start_over(self) -> None:
        """
        Forget all, and hold the rows until the end: after Ungrouped was raised.
        """

    def add(self, mapping: dict[object, object]) -> None:
        """Add {query: {item: label}}."""

    def add_list(self, query: object | None, items: object) -> None:
        """Add the relevant items of one query; their label is 1."""

    def finish(self, duplicates: Duplicates) -> None: ...

    @property
    def n_queries(self) -> int: ...

    @property
    def n_duplicates(self) -> int: ...

    @property
    def queries(self) -> list[str]: ...

    @property
    def pool_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def pool_labels(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    def given_labels(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """The labels of the pool in the order of the qrels."""

    def judgments(self, query: int) -> list[tuple[str, float]]:
        """Every (item, label) of one query."""

class Sightings:
    """
    How often something was met, and where first: a line, or a query's number in the index; None if it was not.
    """

    @property
    def count(self) -> int: ...

    @property
    def first(self) -> int | None: ...

class Tally:
    """What the scores of judged queries are like, if they order a run."""

    @property
    def rows(self) -> int: ...

    @property
    def odd_ranks(self) -> int: ...

    @property
    def neighbors(self) -> int: ...

    @property
    def contradicted(self) -> Sightings: ...

    @property
    def infinite(self) -> Sightings: ...

    @property
    def telling(self) -> int: ...

    @property
    def equal(self) -> Sightings: ...

    @property
    def ascending(self) -> Sightings: ...

    @property
    def rises(self) -> int: ...

    @property
    def close(self) -> Sightings: ...

class Aligned:
    """Where the judged items of each query ended up."""

    @property
    def in_run(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def n_retrieved(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def hit_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def hit_rank(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def hit_label(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def hit_tie_first(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def hit_tie_size(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def n_duplicates(self) -> int: ...

    @property
    def n_own(self) -> int: ...

    @property
    def tally(self) -> Tally: ...

    @property
    def head_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def head_item(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def items(self) -> list[str]: ...

class Options:
    """How a run is ordered and cut."""

    def __init__(self, order: Order, ties: Ties, duplicates: Duplicates, condense: bool, float32: bool, depth: int, drop_own: bool = False) -> None: ...

class Example:
    """
    A row of the input; number is None if its query is not judged, and place if there is no such row.
    """

    @property
    def place(self) -> int | None: ...

    @property
    def query(self) -> str: ...

    @property
    def item(self) -> str: ...

    @property
    def number(self) -> int | None: ...

class Aligner:
    """Joins one run with the judgments."""

    def __init__(self, index: Index, options: Options, reading: Reading | None = None, kept: int | None = None, heads: int = 0, headed: int | None = None) -> None: ...

    def read(self, file: int, begin: int, end: int, tick: Callable[[int], object] | None) -> None:
        """Read a part of an open file, calling tick(position) now and then."""

    def feed(self, piece: object) -> None:
        """Read a piece of text; an empty piece ends it."""

    def abandon(self, settled: bool) -> None:
        """Stop reading pieces, after the complete ones were read if so asked."""

    @property
    def odd(self) -> Odd: ...

    @property
    def repeat(self) -> tuple[str, int, int, bytes, bytes, bytes, float, float] | None:
        """
        What BadInput says of the first item that a query has twice; None if there is none.
        """

    def push_table(self, stream: object, query: int, item: int, number: int | None = None, rank: int | None = None, labels: object | None = None) -> None:
        """
        Read a table from an Arrow stream; then end_tables(). The columns are numbered.
        """

    def push_columns(self, query: object, item: object, number: object | None = None, rank: object | None = None, labels: object | None = None) -> None:
        """Read columns of ids and numbers, all there are."""

    def name_queries(self, queries: list[object]) -> None:
        """Queries of tables, some of which may have no row."""

    def end_tables(self) -> None:
        """No more tables come."""

    def start_over(self) -> None:
        """
        Forget all, and hold the rows until the end: after Ungrouped was raised.
        """

    def add(self, mapping: dict[object, object]) -> None:
        """Add {query: {item: score}}."""

    def add_list(self, query: object | None, items: object | None) -> None:
        """Add the items of one query, best first."""

    def finish(self) -> Aligned: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def strangers(self) -> list[str]: ...

    @property
    def stranger_places(self) -> list[int]:
        """
        Where each of them is met first: a row, of tables; they rise in any case.
        """

    @property
    def first_row(self) -> Example: ...

    @property
    def first_judged(self) -> Example: ...

    def ranking(self) -> list[tuple[str, float, float | None, int, int]]:
        """
        Every (item, score, label or None, tie_first, tie_size) of the query that was kept.
        """

class Arrays:
    """Rankings of items without ids, and their labels descending."""

    @property
    def aligned(self) -> Aligned: ...

    @property
    def pool_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def pool_label(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

def align_arrays(labels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Options, reach: int = 0) -> Arrays:
    """
    Rank items without ids; without scores, by order=file. What stands below rank reach may be left out.
    """

class Step(enum.Enum):
    """How a value and what came before it are combined."""

    add = 0

    multiply = 1

    maximum = 2

def running(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], step: Step) -> None:
    """Replace each value by what its query's values come to up to it."""
