"""The task that workers get, the sums and errors that they return."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from gainful._version import __version__
from gainful.alignment import JudgedRankings, Rankings, Rules
from gainful.base import FloatArray, IntArray, cached_property, ragged
from gainful.errors import GainfulError
from gainful.measures import Measure
from gainful.sources import ItemData


@dataclass(frozen=True, eq=False)
class Task:
    """The computation that workers are sent.

    Attributes:
        resolved: The measures as they were asked for, each with its resolved settings.
        rules: How to join, rank and average.
        data: Data about items.
        version: Version of the package on the driver.
        qrels_rules: Rules for reading qrels, if they differ from ``rules``.
        has_scores: Whether the run has scores; otherwise its ranks decide.
        token: Different for every evaluation. Spark finds cached rows by their query plan, and
            would return those of files that have changed since.
    """

    resolved: Mapping[Measure, Measure]
    rules: Rules
    data: ItemData
    version: str = __version__
    qrels_rules: Rules | None = None
    has_scores: bool = True
    token: str = ""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        pairs = [(_pack_measure(name), _pack_measure(m)) for name, m in self.resolved.items()]
        reading = (self.qrels_rules, self.has_scores, self.token)
        return _unpack_task, (pairs, self.rules, self.data, self.version, *reading)

    @property
    def rules_of_qrels(self) -> Rules:
        """Rules for reading qrels."""
        return self.qrels_rules or self.rules

    def with_qrels_rules(self, *, read_before: bool) -> "Task":
        """Return the task with the rules for its qrels.

        If the qrels were read on the driver, their items are collapsed already.
        """
        qrels_rules = replace(self.rules, collapse=None) if read_before else None
        return replace(self, qrels_rules=qrels_rules)

    def find_first_measure(self, ranking_type: type[Rankings]) -> Measure:
        """Return the first measure that reads rankings of a type."""
        return next(
            m for m, inner in self.resolved.items() if issubclass(ranking_type, inner.reads)
        )

    @cached_property
    def ranking_types(self) -> tuple[type[Rankings], ...]:
        """Types of rankings that the measures read, without those that another one extends."""
        types = list(dict.fromkeys(measure.reads for measure in self.resolved.values()))
        return tuple(
            base for base in types if not any(issubclass(o, base) for o in types if o is not base)
        )

    @cached_property
    def whole_run_types(self) -> tuple[type[Rankings], ...]:
        """Types of rankings that measures of whole runs read."""
        types_read = tuple(measure.reads for measure in self.resolved.values() if measure.whole)
        return tuple(
            one_type for one_type in self.ranking_types if issubclass(one_type, types_read)
        )

    @cached_property
    def cutoffs(self) -> tuple[int | None, ...]:
        """Cutoffs k for which Judged@k is computed."""
        return tuple(dict.fromkeys(self.get_cutoff(measure) for measure in self.judged_measures))

    @cached_property
    def judged_measures(self) -> tuple[Measure, ...]:
        """Measures of items that are judged one by one."""
        pairs = self.resolved.items()
        return tuple(m for m, inner in pairs if issubclass(inner.reads, JudgedRankings))

    def get_cutoff(self, measure: Measure) -> int | None:
        """Return the last rank that a measure reads, or None."""
        cutoff: int | None = dict(self.resolved[measure].settings).get("cutoff")
        return cutoff

    @cached_property
    def columns(self) -> dict[str, str]:
        """Columns of the rows that workers return, each with its type.

        A row holds the values of one query. A row without a query holds the summary of a worker.
        """
        numbers = range(len(self.resolved))
        columns = {"query": "string"}
        columns |= {f"v{number}": "double" for number in numbers}
        columns |= {f"j{number}": "double" for number in range(len(self.cutoffs))}
        if self.rules.empty_weight is not None:
            columns |= {f"e{number}": "boolean" for number in numbers}
        return columns | {"summary": "binary"}

    @property
    def schema(self) -> str:
        """The columns as a schema of Spark."""
        return ", ".join(f"{name} {type_name}" for name, type_name in self.columns.items())


def _pack_measure(measure: Measure) -> Measure | dict[str, Any]:
    # A user's measure is sent with all of its fields: workers may not have declared it.
    is_ours = str(measure.compute.__module__).startswith("gainful.")
    return measure if is_ours else {f.name: getattr(measure, f.name) for f in fields(measure)}


def _unpack_task(pairs: list[tuple[Any, Any]], *arguments: Any) -> Task:
    resolved = {_unpack_measure(name): _unpack_measure(measure) for name, measure in pairs}
    return Task(resolved, *arguments)


def _unpack_measure(packed: Measure | dict[str, Any]) -> Measure:
    return packed if isinstance(packed, Measure) else Measure(**packed)


# Sums of larger values may be too large on the way: it is their order that decides.
_LARGE = 2.0**960
_WEIGHT = 0.5  # of a value in a mean, as ``ragged.mean`` scales equal weights


class PartialSum(NamedTuple):
    """Number of values, and a few terms that add up exactly to their sum.

    ``terms`` is None if the order of the values may matter.
    """

    n_values: int
    terms: tuple[float, ...] | None


def _clip_logs(values: FloatArray) -> FloatArray:
    return np.array([math.log(max(value, ragged.GEOMETRIC_FLOOR)) for value in values.tolist()])


_TERMS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda values: values * _WEIGHT,
    "sum": lambda values: values,
    "geometric": lambda values: _clip_logs(values) * _WEIGHT,
}


def sum_values(average: str, values: FloatArray) -> PartialSum:
    """Return the partial sum of some values for their average, without NaN values.

    >>> sum_values("mean", np.array([1.0, 0.5, np.nan]))
    PartialSum(n_values=2, terms=(0.75,))
    """
    defined = values[~np.isnan(values)]
    terms = _TERMS[average](defined)
    if not (np.abs(terms) < _LARGE).all():
        return PartialSum(len(defined), None)
    return PartialSum(len(defined), ragged.compute_exact_terms(terms))


def average_sums(
    average: str, sums: Sequence[PartialSum], *, of: int | None = None
) -> float | None:
    """Return the average of all values, or None if the partial sums do not determine it.

    With ``of``, the average is over so many values; those that are missing count as 0.

    >>> average_sums("mean", [sum_values("mean", np.array([value])) for value in (1.0, 0.5)])
    0.75
    """
    if any(partial_sum.terms is None for partial_sum in sums):
        return None
    n_values = sum(partial_sum.n_values for partial_sum in sums) if of is None else of
    sum_of_terms = math.fsum(chain.from_iterable(partial_sum.terms or () for partial_sum in sums))
    if average == "sum":
        return sum_of_terms
    mean = sum_of_terms / (n_values * _WEIGHT) if n_values else math.nan
    return math.exp(mean) if average == "geometric" else mean


# The order of errors: the local pipeline would have met the lowest first.
_REASON_STAGES = {"judged-twice": 1, "retrieved-twice": 3}
_READING_STAGES = {"qrels": 0, "run": 2}
_LATER_STAGES = {"qrels": 1.5, "run": 4}  # where no row is known
_FIRST_STAGE = -1
# SQL condition for summaries of workers that failed. No id matches it, because quotes in ids are
# escaped; summaries that begin otherwise are rankings.
ERROR_CONDITION = (
    "startswith(cast(summary as string), '{') and "
    "(contains(cast(summary as string), '\"worker_error\":') or "
    "not startswith(cast(summary as string), '{\"join_stats\":'))"
)
NO_ROWS: IntArray = np.zeros(0, dtype=np.int64)  # the positions of what errors name no rows of


class WorkerError(Exception):
    """An error in the form of a worker's summary. It does not leave the worker."""


@contextmanager
def convert_errors(holds: str, position: IntArray) -> Iterator[None]:
    """Convert errors into worker errors.

    Args:
        holds: What is being read: qrels or run.
        position: Position of each of its rows.
    """
    try:
        yield
    except GainfulError as error:
        raise WorkerError({"worker_error": _describe_error(error, holds, position)}) from error


def find_version_error(driver_version: str) -> dict[str, Any] | None:
    """Return the error of a worker whose version differs from the driver's, or None."""
    if driver_version == __version__:
        return None
    message = (
        f"spark: the workers have gainful {__version__}, and the driver {driver_version}. "
        "Install the same version on both."
    )
    worker_error = {"kind": "SparkError", "code": "spark-workers", "message": message}
    position = {"holds": "run", "bad_input": None, "stage": _FIRST_STAGE, "first": ""}
    return {"worker_error": worker_error | position}


def _describe_error(error: GainfulError, holds: str, position: IntArray) -> dict[str, Any]:
    bad_input = getattr(error, "bad_input", None)
    worker_error: dict[str, Any] = {"kind": type(error).__name__, "code": error.code}
    worker_error |= {"message": str(error), "holds": holds, "bad_input": None}
    if bad_input is None:
        return worker_error | {"stage": _LATER_STAGES[holds], "first": error.query}
    reason, line, column, text, query, item, first, second = bad_input
    line = int(position[line - 1]) if line else 0
    if reason == "retrieved-twice":
        first, second = (int(position[int(row) - 1]) for row in (first, second))
    texts = [part.decode("utf-8", "surrogateescape") for part in (text, query, item)]
    stage = _REASON_STAGES.get(reason, _READING_STAGES[holds])
    return worker_error | {
        "stage": stage,
        "first": line,
        "bad_input": [reason, line, column, *texts, first, second],
    }
