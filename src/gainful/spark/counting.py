"""Count: the run stays where it is.

Queries whose rows stand in one partition are ranked there. Of others, workers count how many rows
stand ahead of each judged item, and what they count is added.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

import numpy as np

from gainful.alignment import Count, JoinStats, JudgedRankings, Rankings, RunRow
from gainful.base import Frozen, Reading
from gainful.errors import UncountableError
from gainful.evaluation import AnyPart, align_part
from gainful.sources import Judgments, RowLocator, Run, index_qrels
from gainful.spark.counting_hits import (
    CountedRun,
    Found,
    Totals,
    align_hits_only,
    find_hits,
    make_counting,
    merge_counts,
)
from gainful.spark.counting_layout import (
    PartitionLayout,
    first_repeat,
    hash_item,
    make_standing,
    n_repeats,
    refuse_uncountable,
)
from gainful.spark.counting_messages import (
    ABOUT,
    COUNTS,
    MARK,
    SCHEMA,
    Counting,
    Odd,
    Standing,
    deserialize_arrays,
)
from gainful.spark.frames import SparkInput, select_input_columns
from gainful.spark.gather import Outcome, evaluate_partitions, get_join_stats, unpersist_on_error
from gainful.spark.serialization import deserialize, serialize
from gainful.spark.task import NO_ROWS, Task, WorkerError, convert_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Messages(NamedTuple):
    """What workers have told.

    Attributes:
        counts: The counts of queries, each of which is in one of them.
        about: What each partition tells, and what is found between partitions.
        suspects: Marks that several partitions have.
        n_left: How many others there are that have been left out.
    """

    counts: list[dict[str, Any]]
    about: list[dict[str, Any]]
    suspects: Any
    n_left: int


@dataclass(eq=False, repr=False)
class Passes(Frozen):
    """What is found in a run, pass by pass, none of which moves it.

    Attributes:
        qrels: Rows of the judgments.
        run: Rows of the run.
    """

    qrels: "DataFrame"
    run: "DataFrame"

    def judged(self) -> Any:
        """The judgments as an Arrow table, in the order of queries."""
        return self.qrels.toArrow().sort_by([("query", "ascending"), ("position", "ascending")])

    def stand(self, queries: object) -> PartitionLayout:
        """Where the queries of the run stand; the ids of those that have judgments are given."""
        from pyspark.sql import functions as F

        found = self.run.groupBy("query").agg(
            F.count("*").alias("n_rows"),
            F.min("position").alias("first"),
            F.max("position").alias("last"),
        )
        return PartitionLayout(found.toArrow(), queries)

    def apart(self, stand: PartitionLayout) -> "tuple[Passes, Passes]":
        """The same for the rows of queries that are spread, and for all others."""
        import pyarrow as pa
        from pyspark.sql import functions as F

        if stand.n_spread in (0, stand.n_rows):
            return self, self
        queries = pa.table({"query": stand.judged.filter(pa.array(stand.spread))})
        spread = F.broadcast(self.frame(queries))
        one, other = (self.run.join(spread, "query", f"left_{how}") for how in ("semi", "anti"))
        return Passes(self.qrels, one), Passes(self.qrels, other)

    def no_rows(self) -> Any:
        """None of the rows of the run, as an Arrow table."""
        import pyarrow as pa

        kinds = {"query": pa.string(), "item": pa.string(), "position": pa.int64()}
        return pa.table(
            {name: pa.array([], kinds.get(name, pa.float64())) for name in self.run.columns}
        )

    def in_place(self, standing: Standing, task: Task) -> "DataFrame":
        """The values of queries that stand in one partition."""
        return self.run.mapInArrow(partial(_rank, standing=standing, task=task), task.schema)

    def hits(self, judged: object) -> Any:
        """The rows of the run that are judged, with their labels, as an Arrow table."""
        from pyspark.sql import functions as F

        return self.run.join(F.broadcast(self.frame(judged)), ["query", "item"]).toArrow()

    def told(self, counting: Counting) -> Messages:
        """What workers count, each for a partition; added up by a few of them."""
        marked = self.run.withColumn(MARK, hash_item())
        blobs = marked.mapInArrow(partial(_count, counting=counting), SCHEMA)
        n_buckets = counting.n_buckets + counting.n_mark_buckets
        return collect_messages(
            blobs.repartition(n_buckets, "bucket").mapInArrow(_add, SCHEMA).toArrow()
        )

    def first_repeat(
        self, told: Messages, named: Sequence[tuple[str, str]], width: int
    ) -> dict[str, Any] | None:
        """The fault of the item whose second mention comes first, if one has two."""
        return first_repeat(self.run, told.suspects, named, width)

    def n_repeats(self, told: Messages, judged: object, width: int) -> int:
        """How many partitions have an unjudged item that one before them has, item by item."""
        return n_repeats(self.run, self.frame(judged), told.suspects, width)

    def frame(self, table: object) -> "DataFrame":
        """A DataFrame of the rows of an Arrow table."""
        return self.run.sparkSession.createDataFrame(table)


def collect_messages(rows: Any) -> Messages:
    """What is in the rows that were added up."""
    counts, about, suspects, n_left = [], [], [np.zeros(0, dtype=np.uint64)], 0
    for bucket, blob in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        if bucket == ABOUT:
            about.append(deserialize(blob))
        elif bucket.startswith(COUNTS):
            counts.append(deserialize_arrays(blob))
        else:
            marks = deserialize_arrays(blob)
            suspects.append(marks["suspects"])
            n_left += int(marks["n_left"][0])
    return Messages(counts, about, np.concatenate(suspects), n_left)


def _rank(batches: Any, standing: Standing, task: Task) -> Any:
    from gainful.spark.counting_worker import rank_rows

    return rank_rows(batches, standing, task)


def _count(batches: Any, counting: Counting) -> Any:
    from gainful.spark.counting_worker import count_rows

    return count_rows(batches, counting)


def _add(batches: Any) -> Any:
    from gainful.spark.counting_worker import add_blobs

    return add_blobs(batches)


READING = Reading()


def evaluate_spread_queries(
    passes: Passes, judged: object, stand: PartitionLayout, task: Task
) -> Iterator[Any]:
    """The values of the queries, as workers return those of others.

    Two passes over their rows: one by Spark alone, which finds the judged items, and one by
    workers, who count.

    Args:
        passes: Over rows of these queries alone.
        judged: Their judgments, in the order of queries.
        stand: Where queries stand.
        task: What is to be worked out.
    """
    from gainful.spark.worker import build_result_rows, build_summary_row

    judgments = index_qrels(select_input_columns(judged, "label"), task.rules_of_qrels, READING)
    labels = _labels(judged)
    hits = find_hits(passes.hits(labels), judgments, task.rules)
    counting = make_counting(hits, judgments, stand)
    told = passes.told(counting)
    if faults := _faults(passes, told, counting):
        yield from (build_summary_row(serialize(fault), task) for fault in faults)
        return
    _check_unmoved(told, stand, hits.table.num_rows)
    totals = _totals(passes, told, labels, counting)
    base = align_hits_only(judgments, hits, READING)
    found = merge_counts(hits, base, told.counts, totals, task.rules)
    try:
        with convert_errors("run", NO_ROWS):
            joint = _joint(found, judgments, task, told)
    except WorkerError as error:
        yield build_summary_row(serialize(error.args[0]), task)
        return
    yield from build_result_rows({JudgedRankings: joint}, task)


def _labels(judged: Any) -> Any:
    """The first label of every judged item."""
    items = judged.select(["query", "item", "number"]).rename_columns(["query", "item", "label"])
    # By one thread: what is first depends on the order of rows.
    first = items.group_by(["query", "item"], use_threads=False).aggregate([("label", "first")])
    return first.rename_columns({"label_first": "label"})


def _faults(passes: Passes, told: Messages, counting: Counting) -> Sequence[Mapping[str, Any]]:
    """What is wrong with the run, the first item that a query has twice included."""
    if any("moved" in one for one in told.about):
        refuse_moved()
    faults = [one for one in told.about if "fault" in one]
    twice = [one["fault"]["found"] for one in faults if _is_repeat(one)]
    unread = [one for one in faults if not _is_repeat(one)]
    if unread or counting.rules.keeps_mentions or not (twice or len(told.suspects)):
        return unread
    first = passes.first_repeat(told, [(found[4], found[5]) for found in twice], counting.width)
    if first is None and twice:
        refuse_moved()
    if first is None and told.n_left:
        _refuse_many()
    return [] if first is None else [{"fault": first}]


def _is_repeat(one: Mapping[str, Any]) -> bool:
    found = one["fault"]["found"]
    return found is not None and found[0] == "retrieved-twice"


def _check_unmoved(told: Messages, stand: PartitionLayout, n_hits: int) -> None:
    """Refuse a run whose rows were elsewhere when they were read again."""
    for name, expected in (("n_rows", stand.n_spread), ("n_hits", n_hits)):
        if sum(one.get(name, 0) for one in told.about) != expected:
            refuse_moved()


def refuse_moved() -> NoReturn:
    """Refuse a run whose rows were elsewhere when they were read again."""
    message = (
        "strategy=count reads the run several times, and its rows were not the same, or not in the "
        "same order, each time. Call run.persist() before, or pass strategy='partition'."
    )
    raise UncountableError(message, code="rows-changed")


def _refuse_many() -> NoReturn:
    message = (
        "strategy=count cannot say how many items the run has twice: there are too many. "
        "Pass strategy='partition'."
    )
    raise UncountableError(message, code="cannot-count")


def _totals(passes: Passes, told: Messages, labels: object, counting: Counting) -> Totals:
    odd = reduce(Odd.plus, (Odd(*one["odd"]) for one in told.about))
    n_duplicates = sum(one.get("n_duplicates", 0) for one in told.about)
    if counting.rules.keeps_mentions and len(told.suspects):
        if told.n_left:
            _refuse_many()
        n_duplicates += passes.n_repeats(told, labels, counting.width)
    return Totals(odd, n_duplicates, sum(one.get("n_own", 0) for one in told.about))


def _joint(found: Found, judgments: Judgments, task: Task, told: Messages) -> AnyPart:
    """The local pipeline from here on, as if it had joined the run."""
    counted = cast("Run", CountedRun(found, RowLocator("run", "row")))
    judged: dict[type[Rankings], Any] = {JudgedRankings: judgments}
    joint = align_part(judged, counted, task.resolved, task.data, task.rules, READING)[
        JudgedRankings
    ]
    first = min(tuple(one["first"]) for one in told.about if "first" in one)
    n_rows = sum(one.get("n_rows", 0) for one in told.about)
    facts = replace(cast("JoinStats", joint.stats), rows=Count(n_rows, RunRow(*first)))
    return joint._replace(stats=facts)


def count_ranks(qrels: SparkInput, run: SparkInput, task: Task, partitions: int | None) -> Outcome:
    """What is found without moving the run.

    A pass by Spark alone finds where queries stand. Where no judged item has a rank, queries are
    put together all the same: what they begin with may tell why.
    """
    refuse_uncountable(task)
    found = evaluate_passes(Passes(qrels.frame, run.frame), task)
    return evaluate_partitions(qrels, run, task, partitions) if found is None else found


def evaluate_passes(passes: Passes, task: Task) -> Outcome | None:
    """The same; None where no judged item has a rank."""
    judged = passes.judged()
    try:
        queries = _queries(judged, task)
    except WorkerError as error:
        return Outcome(passes.run, [error.args[0]])
    stand = passes.stand(queries)
    rows = _rows(passes, judged, stand, task)
    with unpersist_on_error(rows):
        found = Outcome.collect(rows.persist())
        if any("moved" in one for one in found.reports):
            refuse_moved()
        if any("facts" not in one for one in found.reports):
            return found
        facts = [get_join_stats(one["facts"][0]) for one in found.reports]
        if sum(one.rows.times for one in facts) != stand.n_rows:
            refuse_moved()
    if sum(one.n_hits for one in facts):
        return found
    rows.unpersist()
    return None


def _queries(judged: Any, task: Task) -> Any:
    """The ids of judged queries; a fault where judgments cannot be read."""
    import pyarrow as pa

    with convert_errors("qrels", judged.column("position").to_numpy()):
        judgments = index_qrels(select_input_columns(judged, "label"), task.rules_of_qrels, READING)
    return pa.array(judgments.queries, pa.string())


def _rows(passes: Passes, judged: object, stand: PartitionLayout, task: Task) -> "DataFrame":
    """The values of all queries, and what is known of them, as workers tell it."""
    import pyarrow as pa

    several, others = passes.apart(stand)
    here = [*_missing_rows(passes, judged, stand, task)]
    if stand.n_spread:
        here += evaluate_spread_queries(
            several, stand.of_queries(judged, stand.spread), stand, task
        )
    rows = passes.frame(pa.Table.from_batches(here))
    if stand.n_spread == stand.n_rows:
        return rows
    return others.in_place(make_standing(judged, stand), task).unionAll(rows)


def _missing_rows(
    passes: Passes, judged: object, stand: PartitionLayout, task: Task
) -> Iterator[Any]:
    """The values of queries that the run does not have, and its queries that are not judged."""
    from gainful.spark.worker import build_result_rows, build_summary_row, join_rows

    missing = stand.of_queries(judged, stand.sizes == 0)
    none = passes.no_rows()
    try:
        found = join_rows(missing, missing.column("position").to_numpy(), none, task)
    except WorkerError as error:
        yield build_summary_row(serialize(error.args[0]), task)
        return
    joint = found[JudgedRankings]
    facts = replace(get_join_stats(joint.stats), strangers=stand.strangers)
    yield from build_result_rows({JudgedRankings: joint._replace(stats=facts)}, task)
