"""What the scores of queries are like, counted where their rows stand and put together later."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gainful.facts import NEVER, Seen
from gainful.ragged import BoolArray, FloatArray, IntArray

_EXACT = 2.0**53  # above this not every whole number is a double


class Odd(NamedTuple):
    """What is counted of all rows, as ``Facts`` has it; places are positions."""

    odd_ranks: int = 0
    neighbours: int = 0
    contradicted: Seen = NEVER
    infinite: Seen = NEVER

    def plus(self, other: "Odd") -> "Odd":
        """Both taken together."""
        return Odd(
            self.odd_ranks + other.odd_ranks,
            self.neighbours + other.neighbours,
            _both(self.contradicted, other.contradicted),
            _both(self.infinite, other.infinite),
        )


def _both(one: Seen, other: Seen) -> Seen:
    firsts = [seen.first for seen in (one, other) if seen.times]
    return Seen(one.times + other.times, min(firsts, default=None))


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


def scored(rows: Rows) -> tuple[dict[str, Any], Odd]:
    """For each query, how often its scores rise and fall, and its first and last row; what is odd.

    >>> rows = Rows(np.array([0, 0, 0]), np.array([3.0, 1, 2]), np.array([1.0, 2, 3]), np.arange(3))
    >>> {name: found.tolist() for name, found in scored(rows)[0].items()}["up"]
    [1]
    >>> scored(rows)[1].contradicted
    Seen(times=1, first=2)
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


def put_together(parts: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], Odd]:
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


def _seen(chosen: BoolArray, position: IntArray) -> Seen:
    times = int(np.count_nonzero(chosen))
    return Seen(times, int(position[chosen].min())) if times else NEVER


def _sums(steps: BoolArray, begin: IntArray) -> IntArray:
    """How many steps lead to rows from each beginning to before the next."""
    if not len(begin):
        return np.zeros(0, dtype=np.int64)
    return np.add.reduceat(np.concatenate([[False], steps]), begin, dtype=np.int64)
