"""Count: the run stays where it is; workers count how many of its rows stand ahead of a hit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gainful.engines.spark.counting.countable import refuse_uncountable
from gainful.engines.spark.counting.counted import CountedRun, Found, Totals, alone, put_together
from gainful.engines.spark.counting.hits import Stand, counting_of, hits_of
from gainful.engines.spark.counting.passes import Passes, Told
from gainful.engines.spark.counting.scored import Odd
from gainful.engines.spark.counting.sent import Counting
from gainful.engines.spark.faults import WorkerError, faulty
from gainful.engines.spark.frames import Given
from gainful.engines.spark.gathering import Outcome
from gainful.engines.spark.partition import partitioned, settings
from gainful.engines.spark.table_rows import named
from gainful.engines.spark.task import Task
from gainful.errors import UncountableError
from gainful.facts import Facts, Row, Seen
from gainful.parts import aligned
from gainful.rankings import JudgedRankings, Rankings
from gainful.sources import Judgments, Reading, Run, index_qrels

if TYPE_CHECKING:
    from gainful.ragged import IntArray

READING = Reading()


def counted(qrels: Given, run: Given, task: Task, partitions: int | None) -> Outcome:
    """What the local pipeline finds once the ranks of judged items are known, all on the driver.

    Three passes over the run: two by Spark alone, which find the judged items and where queries
    stand, and one by workers, who count. Where no judged item has a rank, whole queries are looked
    at: what they begin with may tell why.
    """
    refuse_uncountable(task)
    with settings(run.frame.sparkSession):
        found = worked_out(Passes(qrels, run), task)
    return partitioned(qrels, run, task, partitions) if found is None else found


def worked_out(passes: Passes, task: Task) -> Outcome | None:
    """The same; None where no judged item has a rank."""
    try:
        judgments = _judgments(passes, task)
    except WorkerError as error:
        return Outcome(passes.run.frame, [error.args[0]])
    hits = hits_of(passes.hits(judgments), judgments, task.rules)
    if not hits.table.num_rows:
        return None
    stand = passes.stand(judgments)
    counting = counting_of(hits, stand)
    told = passes.told(counting)
    if faults := _faults(passes, told, counting):
        return Outcome(passes.run.frame, faults)
    _check_unmoved(told, stand)
    base = alone(judgments, hits, READING)
    totals = _totals(passes, told, counting)
    found = put_together(hits, base, told.counts, totals, stand, task.rules)
    if not len(found.hit_rank):
        return None
    return _outcome(found, judgments, passes, task, stand, told)


def _judgments(passes: Passes, task: Task) -> Judgments:
    """The judgments, in the order of queries."""
    table = passes.judged()
    with faulty("qrels", table.column("position").to_numpy()):
        return index_qrels(named(table, "label"), task.judged_by, READING)


def _faults(passes: Passes, told: Told, counting: Counting) -> Sequence[Mapping[str, Any]]:
    """What is wrong with the run, the first item that a query has twice included."""
    faults = [one for one in told.about if "fault" in one]
    twice = [one["fault"]["found"] for one in faults if _is_repeat(one)]
    unread = [one for one in faults if not _is_repeat(one)]
    if unread or counting.rules.keeps_mentions or not (twice or len(told.suspects)):
        return unread
    if not counting.width:
        return faults
    first = passes.first_repeat(told, [(found[4], found[5]) for found in twice], counting.width)
    if first is None and twice:
        _refuse_moved()
    if first is None and told.n_left:
        _refuse_many()
    return [] if first is None else [{"fault": first}]


def _is_repeat(one: Mapping[str, Any]) -> bool:
    found = one["fault"]["found"]
    return found is not None and found[0] == "retrieved-twice"


def _check_unmoved(told: Told, stand: Stand) -> None:
    """Refuse a run whose rows were elsewhere when they were read again."""
    n_rows = sum(one.get("n_rows", 0) for one in told.about)
    if n_rows != stand.n_rows or any(one.get("moved") for one in told.about):
        _refuse_moved()
    # Items of queries that stood in one partition were not compared with those of others.
    if any((part["n_parts"] > 1)[~stand.spread[part["query"]]].any() for part in told.counts):
        _refuse_moved()


def _refuse_moved() -> None:
    message = (
        "strategy=count reads the run several times, and its rows were not the same, or not in the "
        "same order, each time. Call run.persist() before, or pass strategy='partition'."
    )
    raise UncountableError(message)


def _refuse_many() -> None:
    message = (
        "strategy=count cannot say how many items the run has twice: there are too many. "
        "Pass strategy='partition'."
    )
    raise UncountableError(message)


def _totals(passes: Passes, told: Told, counting: Counting) -> Totals:
    odd = reduce(Odd.plus, (Odd(*one["odd"]) for one in told.about))
    n_duplicates = sum(one.get("n_duplicates", 0) for one in told.about)
    if counting.rules.keeps_mentions and len(told.suspects):
        if told.n_left:
            _refuse_many()
        n_duplicates += passes.n_repeats(told, counting.width)
    return Totals(odd, n_duplicates, sum(one.get("n_own", 0) for one in told.about))


class _Positions:
    """The position of each row, where rows are known by their positions."""

    def __getitem__(self, at: int) -> int:
        return at + 1


def _outcome(
    found: Found, judgments: Judgments, passes: Passes, task: Task, stand: Stand, told: Told
) -> Outcome:
    """The local pipeline from here on, as if it had joined the run."""
    import pyarrow as pa

    from gainful.engines.spark.worker import part_rows

    joined = cast("Run", CountedRun(found, passes.run.handed))
    judged: dict[type[Rankings], Any] = {JudgedRankings: judgments}
    try:
        with faulty("run", np.zeros(0, dtype=np.int64)):
            each = aligned(judged, joined, task.settled, task.data, task.rules, READING)
    except WorkerError as error:
        return Outcome(passes.run.frame, [error.args[0]])
    first = min(tuple(one["first"]) for one in told.about if "first" in one)
    seen = Seen(stand.n_rows, Row(*first))
    facts = replace(cast("Facts", each[JudgedRankings].facts), strangers=stand.strangers, rows=seen)
    each[JudgedRankings] = each[JudgedRankings]._replace(facts=facts)
    table = pa.Table.from_batches(part_rows(each, cast("IntArray", _Positions()), task))
    about = [one for one in table.column("about").to_pylist() if one is not None]
    return Outcome.told_by(passes.frame(table), about)
