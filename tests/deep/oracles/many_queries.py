"""Random queries by the hundred thousand, drawn by columns: drawing must not take the time."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gainful import Columns

# As many as a prime, so that steps through them meet none twice. Some begin with others, and some
# have bytes that sort unlike letters.
ITEMS = [f"d{n}" for n in range(17)] + ["d", "D1", "é", "e", "z", "~", "ß", "日本", "日", "😀"]
ITEMS += ["a", "A", "-0", "d1x"]
_TINY, _HUGE = 5e-324, sys.float_info.max
# What the scores of a query are drawn from.
_SCORES = np.array(
    [
        [0.125 * n for n in range(1, 9)],  # few, so that some are equal
        [1.5] * 8,
        [0.0, -0.0, 0.0, -0.0, _TINY, -_TINY, 2 * _TINY, sys.float_info.min],
        [n * _TINY for n in range(1, 9)],
        [_HUGE, -_HUGE, np.nextafter(_HUGE, 0), 1e308, -1e308, 1e300, 1e-300, 0.0],
        [np.nextafter(1, 2), 1.0, np.nextafter(1, 0), 1.0, 1 / 3, 0.1 + 0.2, 0.3, 1e-16],
        [-1.0, -2.0, -2.0, -0.5, -1e9, -1e-9, 3.0, 2.0],
        [
            1e15,
            1e15 + 0.125,
            1e15 - 0.125,
            123456789.123456789,
            1e22,
            1e23,
            9007199254740993.0,
            7.0,
        ],
    ]
)
_LABELS = np.array(
    [
        [0, 0, 1, 1, 2, 3],
        [0, 0, 0, 1, 1, 1],
        [-2, -1, 0, 1, 2, 4],
        [0, 0, 0, 0, 0, 0],
        [-1, -1, 0, -2, 0, -1],
        [0.5, 1.5, 0.1, 2.25, 3.999, 0],
    ]
)


@dataclass(frozen=True)
class RandomRows:
    """Rows of a run or of qrels: the query, by number, the item, by number, and score or label."""

    query: np.ndarray
    item: np.ndarray
    number: np.ndarray

    def group_by_query(self, n_queries: int) -> list[dict[str, float]]:
        """The items and numbers of every query."""
        groups: list[dict[str, float]] = [{} for _ in range(n_queries)]
        rows = zip(self.query.tolist(), self.item.tolist(), self.number.tolist(), strict=True)
        for query, item, number in rows:
            groups[query][ITEMS[item]] = number
        return groups

    def to_columns(self, number: str) -> Columns:
        """The same, as columns: ids as numbers and as text."""
        names = np.array(ITEMS, dtype=object)[self.item]
        return Columns(query=self.query, item=names, **{number: self.number})

    def write(self, path: Path, line: str) -> Path:
        """The same, as text."""
        rows = zip(self.query.tolist(), self.item.tolist(), self.number.tolist(), strict=True)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(line.format(query, ITEMS[item], number) for query, item, number in rows)
        return path


def draw_rows(rng: np.random.Generator, n_queries: int, pools: np.ndarray) -> RandomRows:
    """Up to eight items of each query, with numbers from one of the pools; some have none."""
    size = rng.integers(0, 9, n_queries)
    query = np.repeat(np.arange(n_queries), size)
    nth = np.arange(len(query)) - np.repeat(np.cumsum(size) - size, size)
    first, step = rng.integers(0, len(ITEMS), n_queries), rng.integers(1, len(ITEMS), n_queries)
    item = (first[query] + nth * step[query]) % len(ITEMS)
    pool = rng.integers(0, len(pools), n_queries)
    number = pools[pool[query], rng.integers(0, pools.shape[1], len(query))]
    return RandomRows(query, item, number)


def draw_collection(seed: int, n_queries: int) -> tuple[RandomRows, RandomRows]:
    """Qrels and a run; some queries are missing, not judged, or have nothing relevant."""
    rng = np.random.default_rng(seed)
    return draw_rows(rng, n_queries, _LABELS), draw_rows(rng, n_queries, _SCORES)
