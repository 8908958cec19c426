"""What was counted, put together as one machine would have it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gainful import _native
from gainful.align import join
from gainful.engines.spark.counting.close_scores import close_to
from gainful.engines.spark.counting.hits import Hits
from gainful.engines.spark.counting.scored import Odd
from gainful.engines.spark.table_rows import named
from gainful.ragged import ENDLESS, BoolArray, FloatArray, IntArray, owners, take
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.sources import Handed, Judgments, Reading, read_run


@dataclass(eq=False, repr=False)
class Sighted(Frozen):
    """How often something was met, and where first, as the native core has it."""

    count: int
    first: int | None


NEVER = Sighted(0, None)


class Tally(NamedTuple):
    """What scores are like, as the native core has it; places are positions."""

    rows: int = 0
    odd_ranks: int = 0
    neighbours: int = 0
    contradicted: Sighted = NEVER
    infinite: Sighted = NEVER
    telling: int = 0
    equal: Sighted = NEVER
    ascending: Sighted = NEVER
    rises: int = 0
    close: Sighted = NEVER


@dataclass(eq=False, repr=False)
class Found(Frozen):
    """Where judged items ended up, as the native core has it."""

    in_run: Any
    n_retrieved: IntArray
    hit_offsets: IntArray
    hit_rank: IntArray
    hit_label: FloatArray
    hit_tie_first: IntArray
    hit_tie_size: IntArray
    n_duplicates: int
    n_own: int
    tally: Tally


@dataclass(eq=False, repr=False)
class CountedRun(Frozen):
    """A run that is joined already: it hands over what was counted."""

    found: Found
    handed: Handed

    def aligned(self, *_: Any, **__: Any) -> tuple[Found, Handed]:
        """What was counted, whatever would join it."""
        return self.found, self.handed


class Totals(NamedTuple):
    """What is known of all partitions taken together."""

    odd: Odd
    n_duplicates: int
    n_own: int


def alone(judgments: Judgments, hits: Hits, reading: Reading) -> _native.Aligned:
    """The ranks that hits have among themselves."""
    return join(judgments, read_run(named(hits.table, "score")), hits.rules, reading).aligned


def put_together(
    hits: Hits,
    base: _native.Aligned,
    counts: Sequence[Mapping[str, Any]],
    totals: Totals,
    rules: Rules,
) -> Found:
    """Where judged items ended up: the hits ahead of each, and the other rows that were counted."""
    n_queries = len(base.n_retrieved)
    offsets = base.hit_offsets
    rank, tie_size = base.hit_rank.copy(), base.hit_tie_size.copy()
    tie_first, n_retrieved = base.hit_tie_first.copy(), base.n_retrieved.copy()
    for part in counts:
        at = part["query"]
        chosen, _ = take(offsets, at)
        rank[chosen] += part["ahead"]
        tie_first[chosen] += part["ahead"] - part["above_tie"]
        tie_size[chosen] += part["tie_size"]
        n_retrieved[at] += part["n_retrieved"]
    if rules.ties == "middle":
        rank = tie_first + (tie_size - 1) // 2
    owner = owners(offsets)
    if rules.depth is not None:
        n_retrieved = np.minimum(n_retrieved, min(rules.depth, ENDLESS))
    # An averaged tie that reaches above the cut counts with the part that does.
    shallowest = tie_first if rules.ties == "average" else rank
    kept = shallowest <= n_retrieved[owner]
    return Found(
        in_run=np.ones(n_queries, dtype=np.uint8),
        n_retrieved=n_retrieved,
        hit_offsets=np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=n_queries))]),
        hit_rank=rank[kept],
        hit_label=base.hit_label[kept],
        hit_tie_first=tie_first[kept],
        hit_tie_size=tie_size[kept],
        n_duplicates=base.n_duplicates + totals.n_duplicates,
        n_own=base.n_own + totals.n_own,
        tally=_tally(hits, counts, totals.odd, owner, kept, rules),
    )


def _tally(
    hits: Hits,
    counts: Sequence[Mapping[str, Any]],
    odd: Odd,
    owner: IntArray,
    kept: BoolArray,
    rules: Rules,
) -> Tally:
    if rules.order != "score":
        return Tally()
    query, n_rows, up, down = (
        np.concatenate([part[name] for part in counts])
        for name in ("query", "n_rows", "up", "down")
    )
    falls_never, level = down == 0, up + down == 0
    return Tally(
        rows=int(n_rows.sum()),
        odd_ranks=odd.odd_ranks,
        neighbours=odd.neighbours,
        contradicted=Sighted(*odd.contradicted),
        infinite=Sighted(*odd.infinite),
        telling=int(np.count_nonzero(~level)),
        equal=_sighted(query[level & (n_rows > 1)]),
        ascending=_sighted(query[falls_never & (up > 0)]),
        rises=int(up[falls_never].sum()),
        close=_sighted(owner[kept & _close(hits, counts, rules)]),
    )


def _close(hits: Hits, counts: Sequence[Mapping[str, Any]], rules: Rules) -> BoolArray:
    """Whether each hit, as it is ranked, has a neighbour that differs in double precision alone."""
    rows = hits.rows
    ranked = np.lexsort((rows.position, -rows.score, rows.query))
    if rules.own_items == "drop":
        ranked = ranked[~hits.own[ranked]]
    close = close_to(rows, rows.take(ranked))
    close |= np.isin(rows.position, np.concatenate([part["close"] for part in counts]))
    if rules.duplicates == "once":
        ranked = ranked[np.sort(np.unique(hits.pair[ranked], return_index=True)[1])]
    return close[ranked]


def _sighted(queries: IntArray) -> Sighted:
    return Sighted(len(queries), int(queries.min()) if len(queries) else None)
