"""What workers tell, put together: means, notices, errors."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.about_joins import Parties
from gainful.engines.spark.averages import averaged
from gainful.engines.spark.carried import unpacked
from gainful.engines.spark.dropped import about_order, check_judged, completed
from gainful.engines.spark.failures import unless_stopped
from gainful.engines.spark.faults import raise_first
from gainful.engines.spark.frames import Given
from gainful.engines.spark.kept import Kept
from gainful.engines.spark.scores import SparkScores
from gainful.engines.spark.sent_rankings import from_bytes, together
from gainful.engines.spark.task import Task
from gainful.facts import added
from gainful.in_dialect import undefined_in
from gainful.measures import Measure
from gainful.notices import Notice
from gainful.parts import Lacking, said_of, said_of_values
from gainful.rankings import Rankings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from gainful.dialects import Dialect

Told = Sequence[Mapping[str, Any]]


class Outcome(NamedTuple):
    """What a strategy found.

    Attributes:
        rows: The values of queries, as ``Task.columns`` has it; without a query where rows tell
            what is known of others.
        told: What is known of all queries, a part of them each: ``fault``, or ``facts`` of every
            kind of rankings, and what ``worker`` tells of values.
        ranked: Rankings that measures of whole runs read, some queries each.
    """

    rows: "DataFrame"
    told: Told
    ranked: Sequence[Rankings] = ()

    @classmethod
    def of(cls, rows: "DataFrame") -> "Outcome":
        """What the rows without a query tell."""
        found = rows.where("query is null").select("about").collect()
        return cls.told_by(rows, [bytes(row["about"]) for row in found])

    @classmethod
    def told_by(cls, rows: "DataFrame", each: Sequence[bytes]) -> "Outcome":
        """The same, what they tell being known."""
        told = [unpacked(one) for one in each if one.startswith(b"{")]
        return cls(rows, told, [from_bytes(one) for one in each if not one.startswith(b"{")])


@contextmanager
def unpersisted_on_error(rows: "DataFrame") -> Iterator[None]:
    """Let go of rows that are kept if there is an error, for nobody else could."""
    try:
        yield
    except BaseException:
        with unless_stopped():
            rows.unpersist()
        raise


def gathered(
    found: Outcome,
    name: str,
    qrels: Given,
    run: Given,
    task: Task,
    *,
    dialect: "Dialect | None" = None,
) -> SparkScores:
    """The scores of a run, whose values stay where they are."""
    told, rules = found.told, task.rules
    notices = _said_of_joins(told, name, qrels, run, task)
    raise_first(_faults(told), qrels, run)
    notices += said_of_values(_lacking(told, task), rules)
    notices += [] if dialect is None else undefined_in(dialect, task.settled)
    return SparkScores(
        run=name,
        measures=tuple(task.settled),
        rules=rules,
        notices=tuple(dict.fromkeys(notices)),
        overall=_overall(found.ranked, task),
        dialect=dialect,
        kept=_kept(found, task),
    )


def _faults(told: Told) -> list[dict[str, Any]]:
    return [one["fault"] for one in told if "fault" in one]


def _said_of_joins(told: Told, name: str, qrels: Given, run: Given, task: Task) -> list[Notice]:
    """What is to be said of the rows; an error where the local pipeline has one."""
    raise_first(_faults([one for one in told if "facts" not in one]), qrels, run)
    check_judged(told, qrels)
    facts = dict(zip(task.kinds, map(added, _each(told, "facts")), strict=True))
    facts = {kind: completed(its, qrels.dropped, run.dropped) for kind, its in facts.items()}
    judged_twice = qrels.dropped.duplicates or task.rules.kept
    who = Parties(name, run.place, qrels.place, judged_twice, run.handed)
    notices = said_of(facts, dict.fromkeys(facts, who), task.rules, task.data)
    return notices + about_order(facts, name, qrels, task.rules)


def _lacking(told: Told, task: Task) -> dict[Measure, Lacking]:
    """The queries that measures have no value for, in the order of their ids."""
    each = [[one["lacking"][i] for i in one["lacking_of"]] for one in told]
    put: dict[tuple[Lacking, ...], Lacking] = {}
    found = {}
    for measure, parts in zip(task.settled, zip(*each, strict=True), strict=True):
        if parts not in put:
            put[parts] = Lacking(
                *(tuple(sorted(chain.from_iterable(names))) for names in zip(*parts, strict=True))
            )
        found[measure] = put[parts]
    return found


def _overall(ranked: Sequence[Rankings], task: Task) -> dict[Measure, float]:
    """The numbers of measures of whole runs."""
    of_kind = {
        kind: together([one for one in ranked if type(one) is kind], task.data)
        for kind in task.whole_kinds
    }
    return {
        one: its.overall(next(of_kind[kind] for kind in of_kind if issubclass(kind, its.reads)))
        for one, its in task.settled.items()
        if its.whole
    }


def _kept(found: Outcome, task: Task) -> Kept:
    told, averages = found.told, {}
    n_queries = sum(one["n_queries"] for one in told)
    for (one, its), sums in zip(task.settled.items(), _each(told, "sums"), strict=True):
        ordered = its.average == "mean" and task.rules.averaging is not None
        average = None if ordered or its.whole else averaged(its.average, sums)
        if average is not None:
            averages[one] = average
    shares = {}
    for cutoff, sums in zip(task.cutoffs, _each(told, "judged"), strict=True):
        of_all, of_returned = averaged("mean", sums, of=n_queries), averaged("mean", sums)
        assert of_all is not None
        assert of_returned is not None
        shares[cutoff] = of_all, of_returned
    return Kept(found.rows, task, n_queries, averages, shares)


def _each(told: Told, what: str) -> list[tuple[Any, ...]]:
    """What all parts tell of the first, of the second, and so on."""
    return list(zip(*(one[what] for one in told), strict=True))
