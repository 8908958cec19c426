"""What is sent to workers so that they can count: the judged items that the run has."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful._version import __version__
from gainful.alignment import ZERO, Count, Rules
from gainful.base import BoolArray, FloatArray, Frozen, IntArray, cached_property
from gainful.errors import UncountableError

_EXACT = 2.0**53  # above this not every whole number is a double

if TYPE_CHECKING:
    import pyarrow


class Odd(NamedTuple):
    """What is counted of all rows, as ``Facts`` has it; places are positions."""

    odd_ranks: int = 0
    neighbours: int = 0
    contradicted: Count = ZERO
    infinite: Count = ZERO

    def plus(self, other: "Odd") -> "Odd":
        """Both taken together."""
        return Odd(
            self.odd_ranks + other.odd_ranks,
            self.neighbours + other.neighbours,
            _both(self.contradicted, other.contradicted),
            _both(self.infinite, other.infinite),
        )


def _both(one: Count, other: Count) -> Count:
    firsts = [seen.first for seen in (one, other) if seen.times]
    return Count(one.times + other.times, min(firsts, default=None))


class Rows(NamedTuple):
    """Rows of judged queries as they stand: the number of the query, and what orders them.

    Ranks that are no integers are NaN.
    """

    query: IntArray
    score: FloatArray
    rank: FloatArray
    position: IntArray

    def take(self, chosen: IntArray | BoolArray | slice) -> "Rows":
        """Some of them."""
        return Rows(
            self.query[chosen], self.score[chosen], self.rank[chosen], self.position[chosen]
        )


def whole_ranks(rank: FloatArray) -> FloatArray:
    """The ranks that are integers; NaN in place of others.

    >>> whole_ranks(np.array([1.0, 2.5, -3.0]))
    array([ 1., nan, -3.])
    """
    return np.where((np.trunc(rank) == rank) & (np.abs(rank) < _EXACT), rank, np.nan)


def score_rows(rows: Rows) -> tuple[dict[str, Any], Odd]:
    """For each query, how often its scores rise and fall, and its first and last row; what is odd.

    >>> rows = Rows(np.array([0, 0, 0]), np.array([3.0, 1, 2]), np.array([1.0, 2, 3]), np.arange(3))
    >>> {name: found.tolist() for name, found in score_rows(rows)[0].items()}["up"]
    [1]
    >>> score_rows(rows)[1].contradicted
    Count(times=1, first=2)
    """
    if (rows.query[1:] < rows.query[:-1]).any():
        rows = rows.take(np.argsort(rows.query, kind="stable"))
    together, begin, end = _groups(rows.query)
    up, down, odd = _steps(rows.take(slice(None, -1)), rows.take(slice(1, None)), together)
    infinite = np.isinf(rows.score)
    odd = odd._replace(
        odd_ranks=int(np.isnan(rows.rank).sum()), infinite=_seen(infinite, rows.position)
    )
    found = {
        "query": rows.query[begin],
        "n_rows": end + 1 - begin,
        "up": _sums(up, begin),
        "down": _sums(down, begin),
        "first_score": rows.score[begin],
        "last_score": rows.score[end],
        "first_rank": rows.rank[begin],
        "last_rank": rows.rank[end],
        "position": rows.position[begin],
    }
    return found, odd


def merge_scored(parts: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], Odd]:
    """The same for queries whose rows stand in several places, each of which was scored."""
    given = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.lexsort((given["position"], given["query"]))
    given = {name: array[order] for name, array in given.items()}
    query = given["query"]
    together, begin, end = _groups(query)
    ends = Rows(query, given["last_score"], given["last_rank"], given["position"])
    begins = Rows(query, given["first_score"], given["first_rank"], given["position"])
    up, down, odd = _steps(ends.take(slice(None, -1)), begins.take(slice(1, None)), together)
    found = {
        name: given[name][begin] for name in ("query", "first_score", "first_rank", "position")
    }
    found |= {name: given[name][end] for name in ("last_score", "last_rank")}
    found["n_rows"] = np.add.reduceat(given["n_rows"], begin)
    found["up"] = np.add.reduceat(given["up"], begin) + _sums(up, begin)
    found["down"] = np.add.reduceat(given["down"], begin) + _sums(down, begin)
    return found, odd


def _groups(query: IntArray) -> tuple[BoolArray, IntArray, IntArray]:
    """Whether each row, but the first, is of the same query as that before; firsts and lasts."""
    together = query[1:] == query[:-1]
    begin = np.flatnonzero(np.concatenate([[True], ~together])[: len(query)])
    end = np.append(begin, len(query))[1:] - 1
    return together, begin, end


def _steps(before: Rows, after: Rows, together: BoolArray) -> tuple[BoolArray, BoolArray, Odd]:
    """Where scores rise or fall from one row to the next of the same query; what is odd there."""
    up = together & (after.score > before.score)
    down = together & (after.score < before.score)
    opposed = (up & (after.rank > before.rank)) | (down & (after.rank < before.rank))
    ranked = together & ~np.isnan(before.rank) & ~np.isnan(after.rank)
    odd = Odd(neighbours=int(ranked.sum()), contradicted=_seen(opposed, after.position))
    return up, down, odd


def _seen(chosen: BoolArray, position: IntArray) -> Count:
    times = int(np.count_nonzero(chosen))
    return Count(times, int(position[chosen].min())) if times else ZERO


def _sums(steps: BoolArray, begin: IntArray) -> IntArray:
    """How many steps lead to rows from each beginning to before the next."""
    if not len(begin):
        return np.zeros(0, dtype=np.int64)
    return np.add.reduceat(np.concatenate([[False], steps]), begin, dtype=np.int64)


MOST_SENT = 64 << 20  # bytes; Spark Connect takes messages of 128 MB
MARK = "mark"  # the column that tells items apart
# The columns of rows that leave a worker.
SCHEMA = "bucket string, blob binary"
COUNTS, MARKS, ABOUT = "counts", "marks", "about"  # what is in a bucket
MOVED = {"moved": True}  # what is told of rows that were elsewhere before


def counting_rules(rules: Rules) -> Rules:
    """The rules that decide the order of rows, none of which cuts it.

    Items that share the middle of their ranks stand in the order of the input, and get their ranks
    when all is counted.
    """
    return Rules(
        order=rules.order,
        ties="input" if rules.ties == "middle" else rules.ties,
        duplicates=rules.duplicates,
        unjudged="condense" if rules.unjudged == "condense" else "nonrelevant",
        precision=rules.precision,
        own_items=rules.own_items,
    )


@dataclass(eq=False, repr=False)
class Counting(Frozen):
    """What workers are told.

    Attributes:
        rules: What orders rows, as ``counting_rules`` has it.
        queries: The ids of queries, as packed tables: a query's number is its place.
        hits: Their judged items that the run has, by the numbers of queries and by positions. Of a
            query without any, one that the run does not have, whose position is null.
        n_buckets: How many parts queries are in when counts are added.
        n_mark_buckets: The same of marks.
        width: How many bits of a mark are compared.
        version: Of the package, on the driver.
    """

    rules: Rules
    queries: bytes
    hits: bytes
    n_buckets: int
    n_mark_buckets: int
    width: int
    version: str = __version__


def check_size(tables: Sequence[bytes], n_queries: int, n_items: int) -> None:
    """Refuse to send packed tables that are too large."""
    size = sum(map(len, tables))
    if size > MOST_SENT:
        message = (
            f"strategy=count sends {n_queries:,} judged queries and {n_items:,} judged items to "
            f"every worker, {size:,} bytes, more than {MOST_SENT:,}. Pass strategy='partition'."
        )
        raise UncountableError(message, code="cannot-count")


@dataclass(eq=False, repr=False)
class Standing(Frozen):
    """What workers are told of queries that stand in one partition, as packed tables.

    Attributes:
        queries: The ids of all judged queries, how many rows each has in its partition, and how
            many judgments; of those that stand in no partition, or in several, none.
        judged: Their judgments, in the order of queries.
    """

    queries: bytes
    judged: bytes


def make_row(bucket: str, blob: bytes) -> Any:
    """A row that leaves a worker."""
    import pyarrow as pa

    return pa.record_batch({"bucket": pa.array([bucket]), "blob": pa.array([blob], pa.binary())})


def serialize_table(table: "pyarrow.Table") -> bytes:
    """An Arrow table as bytes."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def deserialize_table(packed: bytes) -> Any:
    """What was packed."""
    import pyarrow as pa

    return pa.ipc.open_stream(packed).read_all()


class BroadcastTables:
    """What was sent, unpacked."""

    def __init__(self, counting: Counting) -> None:
        self.rules = counting.rules
        self.queries = deserialize_table(counting.queries).column("query").combine_chunks()
        self.hits = deserialize_table(counting.hits)

    @cached_property
    def offsets(self) -> IntArray:
        """Where the hits of each query begin."""
        number = self.hits.column("number_of_query").to_numpy()
        return np.searchsorted(number, np.arange(len(self.queries) + 1))


def make_sort_keys(table: "pyarrow.Table", query: IntArray, rules: Rules) -> Rows:
    """What orders the rows of a table, whose queries have numbers."""
    rank = whole = np.full(len(query), np.nan)
    if "rank" in table.column_names:
        rank = _numbers(table, "rank")
        whole = whole_ranks(rank)
    score = _numbers(table, "number") if "number" in table.column_names else -rank
    if rules.precision == "float32":
        with np.errstate(over="ignore"):
            score = score.astype(np.float32).astype(np.float64)
    position = table.column("position").fill_null(-1).to_numpy()
    return Rows(query, score, whole, position)


def _numbers(table: "pyarrow.Table", name: str) -> FloatArray:
    found: FloatArray = table.column(name).to_numpy()
    return found


_LENGTH = 8  # bytes that tell how long something is


def serialize_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Flat arrays, whose small numbers take little room.

    >>> packed = serialize_arrays({"rank": np.zeros(10_000, dtype=np.int64)})
    >>> len(packed) < 500, deserialize_arrays(packed)["rank"].sum()
    (True, np.int64(0))
    """
    import pyarrow as pa

    names = [[name, array.dtype.str, len(array)] for name, array in arrays.items()]
    head = json.dumps(names).encode()
    # Bytes of one weight together: those of high weight are mostly zeros.
    body = [_planes(array).T.tobytes() for array in arrays.values()]
    text = b"".join([_size(head), head, *body])
    packed: bytes = _size(text) + pa.compress(text, "zstd", asbytes=True)
    return packed


def deserialize_arrays(blob: bytes) -> dict[str, Any]:
    """What was packed."""
    import pyarrow as pa

    size, packed = int.from_bytes(blob[:_LENGTH], "little"), blob[_LENGTH:]
    text = pa.decompress(packed, size, "zstd", asbytes=True)
    end = _LENGTH + int.from_bytes(text[:_LENGTH], "little")
    found = {}
    for name, kind, size in json.loads(text[_LENGTH:end]):
        width = np.dtype(kind).itemsize
        planes = np.frombuffer(text, np.uint8, width * size, end).reshape(width, size)
        found[name] = np.ascontiguousarray(planes.T).view(kind).reshape(size)
        end += width * size
    return found


def _size(text: bytes) -> bytes:
    return len(text).to_bytes(_LENGTH, "little")


def _planes(array: Any) -> Any:
    return np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.dtype.itemsize)


_SIGN = 1 << 31


def close_to(hits: Rows, rows: Rows) -> BoolArray:
    """Whether a row of its query has another score than the hit, but the same in single precision.

    There is one if and only if that next to it is one: rounding keeps the order.

    >>> hits = Rows(np.array([0, 0]), np.array([1.0, 2.0]), np.zeros(2), np.zeros(2))
    >>> rows = Rows(np.array([0, 1]), np.array([1.0 + 1e-12, 2.0]), np.zeros(2), np.zeros(2))
    >>> close_to(hits, rows).tolist()
    [True, False]
    """
    wanted, keys = _keys(hits), _keys(rows)
    # Most rows are not near a hit, and need not be sorted.
    known = np.append(np.sort(wanted), -1)
    near = np.flatnonzero(known[np.searchsorted(known[:-1], keys)] == keys)
    near = near[np.lexsort((rows.score[near], keys[near]))]
    keys, scores = keys[near], rows.score[near]
    begin = np.searchsorted(keys, wanted, "left")
    end = np.searchsorted(keys, wanted, "right")
    found = np.flatnonzero(begin < end)
    close = np.zeros(len(wanted), dtype=np.bool_)
    own = hits.score[found]
    close[found] = (scores[begin[found]] != own) | (scores[end[found] - 1] != own)
    return close


def _keys(rows: Rows) -> IntArray:
    """The query and the score in single precision, as one number that is ordered as they are."""
    with np.errstate(over="ignore"):
        single = rows.score.astype(np.float32) + np.float32(0.0)  # which has no -0.0
    bits = single.view(np.uint32).astype(np.int64)
    below = bits >= _SIGN
    return (rows.query << 32) | np.where(below, 2 * _SIGN - 1 - bits, bits + _SIGN)
