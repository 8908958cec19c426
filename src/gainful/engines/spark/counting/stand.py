"""Where the queries of a run stand: in one partition, or in several."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.cached import cached_property
from gainful.engines.spark.counting.sent import Standing, check_size, packed_table
from gainful.engines.spark.frames import PER_PARTITION
from gainful.facts import Stranger
from gainful.ragged import BoolArray, IntArray
from gainful.records import Frozen


@dataclass(eq=False, repr=False)
class Stand(Frozen):
    """Where the queries of a run stand.

    Attributes:
        queries: How many rows each query has, and its first and last position.
        judged: The ids of the queries that have judgments, as an Arrow array.
    """

    queries: Any
    judged: Any

    @cached_property
    def number(self) -> IntArray:
        """The number of each query among the judged ones, or -1."""
        return numbers_of(self.queries.column("query"), self.judged)

    @cached_property
    def sizes(self) -> IntArray:
        """How many rows each judged query has."""
        found: IntArray = self._of_judged(self._sizes)
        return found

    @cached_property
    def spread(self) -> BoolArray:
        """Whether a judged query has rows in several partitions."""
        first, last = (self.queries.column(name).to_numpy() for name in ("first", "last"))
        found: BoolArray = self._of_judged(first >> PER_PARTITION != last >> PER_PARTITION)
        return found

    @cached_property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self._sizes.sum())

    @cached_property
    def n_spread(self) -> int:
        """How many of them are of judged queries that are spread."""
        return int(self.sizes[self.spread].sum())

    @cached_property
    def strangers(self) -> tuple[Stranger, ...]:
        """The queries that have no judgments, in the order of the run."""
        import pyarrow as pa

        others = self.queries.filter(pa.array(self.number < 0))
        found = zip(*(others.column(name).to_pylist() for name in ("first", "query")), strict=True)
        return tuple(sorted(Stranger(*one) for one in found if one[1] is not None))

    def of_queries(self, judged: Any, chosen: BoolArray) -> Any:
        """The judgments of some of the judged queries."""
        import pyarrow as pa

        return judged.filter(pa.array(chosen[numbers_of(judged.column("query"), self.judged)]))

    @property
    def _sizes(self) -> IntArray:
        sizes: IntArray = self.queries.column("n_rows").to_numpy()
        return sizes

    def _of_judged(self, values: Any) -> Any:
        known = self.number >= 0
        found = np.zeros(len(self.judged), dtype=values.dtype)
        found[self.number[known]] = values[known]
        return found


def numbers_of(ids: Any, known: Any) -> IntArray:
    """The number of each id among those that are known, or -1.

    >>> import pyarrow as pa
    >>> numbers_of(pa.array(["b", None, "x"]), pa.array(["a", "b"]))
    array([ 1, -1, -1])
    """
    import pyarrow.compute as pc

    found = pc.index_in(ids, value_set=known).fill_null(-1)
    number: IntArray = found.to_numpy().astype(np.int64)
    return number


def standing_of(judged: Any, stand: Stand) -> Standing:
    """What workers are told; an error where it is too much to send.

    Args:
        judged: All judgments, in the order of queries.
        stand: Where queries stand.
    """
    import pyarrow as pa

    whole = (stand.sizes > 0) & ~stand.spread
    sent = stand.of_queries(judged, whole)
    n_judged = np.bincount(numbers_of(sent.column("query"), stand.judged), minlength=len(whole))
    queries = {
        "query": stand.judged,
        "n_rows": np.where(whole, stand.sizes, 0),
        "n_judged": n_judged,
    }
    judged = packed_table(sent.select(["item", "number"]))
    found = Standing(packed_table(pa.table(queries)), judged)
    check_size((found.queries, found.judged), len(whole), sent.num_rows)
    return found
