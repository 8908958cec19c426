"""Count: the run stays where it is.

Queries whose rows stand in one partition are ranked there. Of others, workers count how many rows
stand ahead of each judged item, and what they count is added.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gainful.engines.spark.carried import packed
from gainful.engines.spark.counting.countable import refuse_uncountable
from gainful.engines.spark.counting.passes import Passes
from gainful.engines.spark.counting.spread import READING, refuse_moved, spread_rows
from gainful.engines.spark.counting.stand import Stand, standing_of
from gainful.engines.spark.dropped import joined_of
from gainful.engines.spark.faults import WorkerError, faulty
from gainful.engines.spark.frames import Given
from gainful.engines.spark.gathering import Outcome, unpersisted_on_error
from gainful.engines.spark.partition import partitioned
from gainful.engines.spark.table_rows import named
from gainful.engines.spark.task import Task
from gainful.rankings import JudgedRankings
from gainful.sources import index_qrels

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def counted(qrels: Given, run: Given, task: Task, partitions: int | None) -> Outcome:
    """What is found without moving the run.

    A pass by Spark alone finds where queries stand. Where no judged item has a rank, queries are
    put together all the same: what they begin with may tell why.
    """
    refuse_uncountable(task)
    found = worked_out(Passes(qrels.frame, run.frame), task)
    return partitioned(qrels, run, task, partitions) if found is None else found


def worked_out(passes: Passes, task: Task) -> Outcome | None:
    """The same; None where no judged item has a rank."""
    judged = passes.judged()
    try:
        queries = _queries(judged, task)
    except WorkerError as error:
        return Outcome(passes.run, [error.args[0]])
    stand = passes.stand(queries)
    rows = _rows(passes, judged, stand, task)
    with unpersisted_on_error(rows):
        found = Outcome.of(rows.persist())
        if any("moved" in one for one in found.told):
            refuse_moved()
        if any("facts" not in one for one in found.told):
            return found
        facts = [joined_of(one["facts"][0]) for one in found.told]
        if sum(one.rows.times for one in facts) != stand.n_rows:
            refuse_moved()
    if sum(one.n_hits for one in facts):
        return found
    rows.unpersist()
    return None


def _queries(judged: Any, task: Task) -> Any:
    """The ids of judged queries; a fault where judgments cannot be read."""
    import pyarrow as pa

    with faulty("qrels", judged.column("position").to_numpy()):
        judgments = index_qrels(named(judged, "label"), task.judged_by, READING)
    return pa.array(judgments.queries, pa.string())


def _rows(passes: Passes, judged: Any, stand: Stand, task: Task) -> "DataFrame":
    """The values of all queries, and what is known of them, as workers tell it."""
    import pyarrow as pa

    several, others = passes.apart(stand)
    here = [*_missing_rows(passes, judged, stand, task)]
    if stand.n_spread:
        here += spread_rows(several, stand.of_queries(judged, stand.spread), stand, task)
    rows = passes.frame(pa.Table.from_batches(here))
    if stand.n_spread == stand.n_rows:
        return rows
    return others.in_place(standing_of(judged, stand), task).unionAll(rows)


def _missing_rows(passes: Passes, judged: Any, stand: Stand, task: Task) -> Iterator[Any]:
    """The values of queries that the run does not have, and its queries that are not judged."""
    from gainful.engines.spark.worker import about_row, joined, part_rows

    missing = stand.of_queries(judged, stand.sizes == 0)
    none = passes.no_rows()
    try:
        found = joined(missing, missing.column("position").to_numpy(), none, task)
    except WorkerError as error:
        yield about_row(packed(error.args[0]), task)
        return
    joint = found[JudgedRankings]
    facts = replace(joined_of(joint.facts), strangers=stand.strangers)
    yield from part_rows({JudgedRankings: joint._replace(facts=facts)}, task)
