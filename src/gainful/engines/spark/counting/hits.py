"""Hits: the judged items that a run has."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.cached import cached_property
from gainful.engines.spark.counting.scored import Rows, whole_ranks
from gainful.engines.spark.counting.sent import (
    Counting,
    check_size,
    counting_rules,
    packed_table,
    rows_of,
)
from gainful.engines.spark.counting.stand import Stand, numbers_of
from gainful.ragged import BoolArray, IntArray
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.sources import Judgments

_HITS_OF_BUCKET = 1 << 20
_MARKS_OF_BUCKET = 4 << 20
_MOST_BUCKETS = 4096  # each is a task of Spark


@dataclass(eq=False, repr=False)
class Hits(Frozen):
    """The hits of all queries, by their numbers and positions.

    Attributes:
        table: With ``number_of_query``.
        rules: What orders them.
    """

    table: Any
    rules: Rules

    @cached_property
    def query(self) -> IntArray:
        """The number of each hit's query."""
        number: IntArray = self.table.column("number_of_query").to_numpy()
        return number

    @cached_property
    def rows(self) -> Rows:
        """What orders them."""
        return rows_of(self.table, self.query, self.rules)

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


def hits_of(table: Any, judgments: Judgments, rules: Rules) -> Hits:
    """The hits that can be ranked, in the order of queries.

    Those that cannot be are an error where their rows are read; and that an item is there twice,
    where it is one, is found there by the first of them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    number = numbers_of(table.column("query"), pa.array(judgments.queries, pa.string()))
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


def _rankable(table: Any, rules: Rules) -> BoolArray:
    """Whether a row has the numbers that order it."""
    names = table.column_names
    fine = np.ones(table.num_rows, dtype=np.bool_)
    if "number" in names:
        fine &= ~np.isnan(table.column("number").to_numpy())
    if rules.reading_ranks or (rules.order == "score" and "number" not in names):
        fine &= ~np.isnan(whole_ranks(table.column("rank").to_numpy()))
    return fine


def counting_of(hits: Hits, judgments: Judgments, stand: Stand) -> Counting:
    """What workers are told; an error where it is too much to send."""
    import pyarrow as pa

    queries = packed_table(pa.table({"query": pa.array(judgments.queries, pa.string())}))
    sent = packed_table(_with_unfound(hits, judgments))
    check_size((queries, sent), len(judgments.queries), hits.table.num_rows)
    return Counting(
        rules=hits.rules,
        queries=queries,
        hits=sent,
        n_buckets=min(1 + hits.table.num_rows // _HITS_OF_BUCKET, _MOST_BUCKETS),
        n_mark_buckets=min(1 + stand.n_spread // _MARKS_OF_BUCKET, _MOST_BUCKETS),
        width=_width(stand),
    )


def _width(stand: Stand) -> int:
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
