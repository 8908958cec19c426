"""Queries whose rows stand in several partitions: their ranks are counted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, NoReturn, cast

from gainful.engines.spark.carried import packed
from gainful.engines.spark.counting.counted import CountedRun, Found, Totals, alone, put_together
from gainful.engines.spark.counting.hits import counting_of, hits_of
from gainful.engines.spark.counting.passes import Passes, Told
from gainful.engines.spark.counting.scored import Odd
from gainful.engines.spark.counting.sent import Counting
from gainful.engines.spark.counting.stand import Stand
from gainful.engines.spark.faults import NO_ROWS, WorkerError, faulty
from gainful.engines.spark.table_rows import named
from gainful.engines.spark.task import Task
from gainful.errors import UncountableError
from gainful.facts import Facts, Row, Seen
from gainful.parts import Joint, aligned
from gainful.rankings import JudgedRankings, Rankings
from gainful.sources import Handed, Judgments, Reading, Run, index_qrels

READING = Reading()


def spread_rows(passes: Passes, judged: Any, stand: Stand, task: Task) -> Iterator[Any]:
    """The values of the queries, as workers return those of others.

    Two passes over their rows: one by Spark alone, which finds the judged items, and one by
    workers, who count.

    Args:
        passes: Over rows of these queries alone.
        judged: Their judgments, in the order of queries.
        stand: Where queries stand.
        task: What is to be worked out.
    """
    from gainful.engines.spark.worker import about_row, part_rows

    judgments = index_qrels(named(judged, "label"), task.judged_by, READING)
    labels = _labels(judged)
    hits = hits_of(passes.hits(labels), judgments, task.rules)
    counting = counting_of(hits, judgments, stand)
    told = passes.told(counting)
    if faults := _faults(passes, told, counting):
        yield from (about_row(packed(fault), task) for fault in faults)
        return
    _check_unmoved(told, stand, hits.table.num_rows)
    totals = _totals(passes, told, labels, counting)
    base = alone(judgments, hits, READING)
    found = put_together(hits, base, told.counts, totals, task.rules)
    try:
        with faulty("run", NO_ROWS):
            joint = _joint(found, judgments, task, told)
    except WorkerError as error:
        yield about_row(packed(error.args[0]), task)
        return
    yield from part_rows({JudgedRankings: joint}, task)


def _labels(judged: Any) -> Any:
    """The first label of every judged item."""
    items = judged.select(["query", "item", "number"]).rename_columns(["query", "item", "label"])
    # By one thread: what is first depends on the order of rows.
    first = items.group_by(["query", "item"], use_threads=False).aggregate([("label", "first")])
    return first.rename_columns({"label_first": "label"})


def _faults(passes: Passes, told: Told, counting: Counting) -> Sequence[Mapping[str, Any]]:
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


def _check_unmoved(told: Told, stand: Stand, n_hits: int) -> None:
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


def _totals(passes: Passes, told: Told, labels: Any, counting: Counting) -> Totals:
    odd = reduce(Odd.plus, (Odd(*one["odd"]) for one in told.about))
    n_duplicates = sum(one.get("n_duplicates", 0) for one in told.about)
    if counting.rules.keeps_mentions and len(told.suspects):
        if told.n_left:
            _refuse_many()
        n_duplicates += passes.n_repeats(told, labels, counting.width)
    return Totals(odd, n_duplicates, sum(one.get("n_own", 0) for one in told.about))


def _joint(found: Found, judgments: Judgments, task: Task, told: Told) -> Joint:
    """The local pipeline from here on, as if it had joined the run."""
    counted = cast("Run", CountedRun(found, Handed("run", "row")))
    judged: dict[type[Rankings], Any] = {JudgedRankings: judgments}
    joint = aligned(judged, counted, task.settled, task.data, task.rules, READING)[JudgedRankings]
    first = min(tuple(one["first"]) for one in told.about if "first" in one)
    n_rows = sum(one.get("n_rows", 0) for one in told.about)
    facts = replace(cast("Facts", joint.facts), rows=Seen(n_rows, Row(*first)))
    return joint._replace(facts=facts)
