"""What workers tell, put together: means, notices, errors."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.about_joins import Parties
from gainful.engines.spark.faults import raise_first
from gainful.engines.spark.frames import Given
from gainful.engines.spark.scores import SparkScores
from gainful.engines.spark.task import Task
from gainful.facts import added
from gainful.parts import Lacking, said_of, said_of_values

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Outcome(NamedTuple):
    """What a strategy found.

    Attributes:
        rows: The values of queries, as ``Task.columns`` has it; without a query where rows tell
            what is known of others.
        told: What is known of all queries, a part of them each: ``fault``, or ``facts`` of every
            kind of rankings, ``lacking`` and ``sums`` of every measure, and ``n_queries``.
    """

    rows: "DataFrame"
    told: Sequence[Mapping[str, Any]]


def gathered(found: Outcome, name: str, qrels: Given, run: Given, task: Task) -> SparkScores:
    """The scores of a run, whose values stay where they are."""
    told, rules = found.told, task.rules
    raise_first([one["fault"] for one in told if "fault" in one], qrels, run)
    facts = dict(zip(task.kinds, map(added, _each(told, "facts")), strict=True))
    who = Parties(name, run.place, qrels.place, rules.kept, run.handed)
    notices = said_of(facts, dict.fromkeys(facts, who), rules, task.data)
    lacking = dict(zip(task.settled, map(_lacking, _each(told, "lacking")), strict=True))
    notices += said_of_values(lacking, rules)
    sums = dict(zip(task.settled, _each(told, "sums"), strict=True))
    return SparkScores(
        run=name,
        measures=tuple(task.settled),
        rules=rules,
        notices=tuple(dict.fromkeys(notices)),
        overall={},
        rows=found.rows,
        task=task,
        means={one: _mean(its) for one, its in sums.items() if one.average == "mean"},
        n_queries=sum(one["n_queries"] for one in told),
    )


def _each(told: Sequence[Mapping[str, Any]], what: str) -> list[tuple[Any, ...]]:
    """What all parts tell of the first, of the second, and so on."""
    return list(zip(*(one[what] for one in told), strict=True))


def _lacking(parts: tuple[Lacking, ...]) -> Lacking:
    return Lacking(*(tuple(sorted(sum(names, ()))) for names in zip(*parts, strict=True)))


def _mean(sums: Sequence[tuple[int, tuple[float, ...]]]) -> float:
    n_values = sum(n for n, _ in sums)
    total = math.fsum(term for _, terms in sums for term in terms)
    return total / n_values if n_values else math.nan
