"""What was counted, put together as one machine would have it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.alignment import Rules, join
from gainful.base import (
    ENDLESS,
    BoolArray,
    FloatArray,
    Frozen,
    IntArray,
    Reading,
    _native,
    cached_property,
    owners,
    take,
)
from gainful.sources import Judgments, RowLocator, read_run
from gainful.spark.counting_layout import PartitionLayout, number_ids
from gainful.spark.counting_messages import (
    Counting,
    Odd,
    Rows,
    check_size,
    close_to,
    counting_rules,
    make_sort_keys,
    serialize_table,
    whole_ranks,
)
from gainful.spark.frames import select_input_columns

_HITS_OF_BUCKET = 1 << 20
_MARKS_OF_BUCKET = 4 << 20
_MOST_BUCKETS = 4096  # each is a task of Spark

if TYPE_CHECKING:
    import pyarrow


@dataclass(eq=False, repr=False)
class Hits(Frozen):
    """The hits of all queries, by their numbers and positions.

    Attributes:
        table: With ``number_of_query``.
        rules: What orders them.
    """

    table: "pyarrow.Table"
    rules: Rules

    @cached_property
    def query(self) -> IntArray:
        """The number of each hit's query."""
        number: IntArray = self.table.column("number_of_query").to_numpy()
        return number

    @cached_property
    def rows(self) -> Rows:
        """What orders them."""
        return make_sort_keys(self.table, self.query, self.rules)

    @cached_property
    def own(self) -> BoolArray:
        """Whether a hit has the id of its query."""
        import pyarrow.compute as pc

        own: BoolArray = pc.equal(self.table.column("query"), self.table.column("item")).to_numpy()
        return own

    @cached_property
    def pair(self) -> IntArray:
        """A number for each query and item."""
        import pyarrow.compute as pc

        item = pc.dictionary_encode(self.table.column("item")).combine_chunks().indices.to_numpy()
        pair: IntArray = self.query * (int(item.max(initial=0)) + 1) + item
        return pair


def find_hits(table: "pyarrow.Table", judgments: Judgments, rules: Rules) -> Hits:
    """The hits that can be ranked, in the order of queries.

    Those that cannot be are an error where their rows are read; and that an item is there twice,
    where it is one, is found there by the first of them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    number = number_ids(table.column("query"), pa.array(judgments.queries, pa.string()))
    table = table.append_column("number_of_query", pa.array(number))
    table = table.filter(pa.array(_rankable(table, rules)))
    order = [("number_of_query", "ascending"), ("position", "ascending")]
    table = table.take(pc.sort_indices(table, order))
    if rules.duplicates == "error":
        first = table.group_by(["number_of_query", "item"]).aggregate([("position", "min")])
        if first.num_rows < table.num_rows:
            kept = first.column("position_min")
            table = table.filter(pc.is_in(table.column("position"), value_set=kept))
    return Hits(table.combine_chunks(), counting_rules(rules))


def _rankable(table: "pyarrow.Table", rules: Rules) -> BoolArray:
    """Whether a row has the numbers that order it."""
    names = table.column_names
    fine = np.ones(table.num_rows, dtype=np.bool_)
    if "number" in names:
        fine &= ~np.isnan(table.column("number").to_numpy())
    if rules.reading_ranks or (rules.order == "score" and "number" not in names):
        fine &= ~np.isnan(whole_ranks(table.column("rank").to_numpy()))
    return fine


def make_counting(hits: Hits, judgments: Judgments, stand: PartitionLayout) -> Counting:
    """What workers are told; an error where it is too much to send."""
    import pyarrow as pa

    queries = serialize_table(pa.table({"query": pa.array(judgments.queries, pa.string())}))
    sent = serialize_table(_with_unfound(hits, judgments))
    check_size((queries, sent), len(judgments.queries), hits.table.num_rows)
    return Counting(
        rules=hits.rules,
        queries=queries,
        hits=sent,
        n_buckets=min(1 + hits.table.num_rows // _HITS_OF_BUCKET, _MOST_BUCKETS),
        n_mark_buckets=min(1 + stand.n_spread // _MARKS_OF_BUCKET, _MOST_BUCKETS),
        width=_width(stand),
    )


def _width(stand: PartitionLayout) -> int:
    """How many bits of marks tell nearly all items apart: more where few items have to be."""
    bits = stand.n_spread.bit_length()
    return min(64, 2 * bits + 8 if 16 * stand.n_spread < stand.n_rows else bits + 10)


def _with_unfound(hits: Hits, judgments: Judgments) -> Any:
    """The hits, and one judged item, which the run does not have, of queries without any."""
    import pyarrow as pa

    found = np.bincount(hits.query, minlength=len(judgments.queries))
    unfound = np.flatnonzero(found == 0)
    items = [judgments.index.judgments(number)[0] for number in unfound.tolist()]
    others = pa.table(
        {
            "number_of_query": pa.array(unfound, pa.int64()),
            "item": pa.array([item for item, _ in items], hits.table.schema.field("item").type),
            "label": pa.array([label for _, label in items], pa.float64()),
        }
    )
    table = hits.table.drop_columns(["query"])
    both = pa.concat_tables([table, others], promote_options="default")
    return both.take(pa.array(np.argsort(np.concatenate([hits.query, unfound]), kind="stable")))


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
    locator: RowLocator

    def align(self, *_: Any, **__: Any) -> tuple[Found, RowLocator]:
        """What was counted, whatever would join it."""
        return self.found, self.locator


class Totals(NamedTuple):
    """What is known of all partitions taken together."""

    odd: Odd
    n_duplicates: int
    n_own: int


def align_hits_only(judgments: Judgments, hits: Hits, reading: Reading) -> _native.Aligned:
    """The ranks that hits have among themselves."""
    return join(
        judgments, read_run(select_input_columns(hits.table, "score")), hits.rules, reading
    ).aligned


def merge_counts(
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
