"""What workers are sent, and what they return."""

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from gainful._version import __version__
from gainful.alignment import JudgedRankings, Rankings, Rules
from gainful.base import BoolArray, FloatArray
from gainful.errors import GainfulError, SparkError
from gainful.evaluation import UndefinedQueries
from gainful.measures import Measure
from gainful.sources import ItemData

if TYPE_CHECKING:
    import pyarrow

# Rows of one query that a worker holds at most; Spark ranks a query that has more.
MAX_QUERY_ROWS = 4_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Task:
    """The computation that workers are sent.

    Attributes:
        resolved: The measures as they were asked for, each with its resolved settings.
        rules: How to join, rank and average.
        data: Data about items.
        are_collapsed: Whether the items of the qrels are collapsed already.
        run_place: Name of the run in errors.
        qrels_place: Name of the qrels in errors.
        max_query_rows: Rows of one query that a worker ranks; a query with more is left out.
        version: Version of the package on the driver.
    """

    resolved: Mapping[Measure, Measure]
    rules: Rules
    data: ItemData
    are_collapsed: bool = False
    run_place: str = "run 'run'"
    qrels_place: str = "qrels"
    max_query_rows: int = MAX_QUERY_ROWS
    version: str = __version__

    def __reduce__(self) -> tuple[Any, ...]:
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        pairs = [(_pack_measure(name), _pack_measure(m)) for name, m in self.resolved.items()]
        return _unpack_task, (pairs, values | {"resolved": {}})

    @property
    def qrels_rules(self) -> Rules:
        """Rules for reading qrels."""
        return replace(self.rules, collapse=None) if self.are_collapsed else self.rules

    @property
    def ranking_types(self) -> tuple[type[Rankings], ...]:
        """Types of rankings that the measures read, without those that another one extends."""
        types = list(dict.fromkeys(measure.reads for measure in self.resolved.values()))
        return tuple(
            base for base in types if not any(issubclass(o, base) for o in types if o is not base)
        )

    def find_first_measure(self, ranking_type: type[Rankings]) -> str:
        """Return the name of the first measure that reads rankings of a type."""
        return next(
            str(name) for name, m in self.resolved.items() if issubclass(ranking_type, m.reads)
        )


def _pack_measure(measure: Measure) -> Measure | dict[str, Any]:
    # A user's measure is sent with all of its fields: workers may not have declared it.
    is_ours = str(measure.compute.__module__).startswith("gainful.")
    return (
        measure if is_ours else {part.name: getattr(measure, part.name) for part in fields(measure)}
    )


def _unpack_task(pairs: list[tuple[Any, Any]], values: dict[str, Any]) -> Task:
    resolved = {_unpack_measure(name): _unpack_measure(measure) for name, measure in pairs}
    return Task(**values | {"resolved": resolved})


def _unpack_measure(packed: Measure | dict[str, Any]) -> Measure:
    return packed if isinstance(packed, Measure) else Measure(**packed)


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """What a worker made of one partition. Lists have one entry for every measure.

    Attributes:
        stats: The statistics of the joins, one for each type of rankings.
        queries: The ids of the queries.
        values: Their values.
        judged: Judged@k, or None for a measure that has none.
        empty: Which queries have nothing relevant; the list is empty if rules do not ask for it.
        undefined: The queries without a value.
        rankings: The rankings that measures of the whole run read, by their type.
        large: Queries that have too many rows for a worker.
        error: The error in the rows, which is raised on the driver, where it is not retried.
        stage: What the error is in: 0 for the qrels, 1 for the run, 2 for the values.
    """

    stats: list[Any] = field(default_factory=list)
    queries: tuple[str, ...] = ()
    values: list[FloatArray] = field(default_factory=list)
    judged: list[FloatArray | None] = field(default_factory=list)
    empty: list[BoolArray] = field(default_factory=list)
    undefined: list[UndefinedQueries] = field(default_factory=list)
    rankings: dict[type[JudgedRankings], JudgedRankings] = field(default_factory=dict)
    large: tuple[str, ...] = ()
    error: GainfulError | None = None
    stage: int = 0


# Parts of a pickled outcome, which Spark Connect limits to 128 MB, as rows.
SCHEMA = "part long, piece long, content binary"
_PIECE_BYTES = 1 << 24


def pack_outcome(outcome: Outcome) -> "Iterator[pyarrow.RecordBatch]":
    """Pack an outcome into rows of ``SCHEMA``."""
    import pyarrow as pa
    from pyspark import TaskContext

    context = TaskContext.get()
    part = 0 if context is None else context.partitionId()
    content = pickle.dumps(outcome)
    for piece, start in enumerate(range(0, len(content), _PIECE_BYTES)):
        values = [[part], [piece], [content[start : start + _PIECE_BYTES]]]
        yield pa.record_batch(values, names=["part", "piece", "content"])


def unpack_outcomes(rows: "pyarrow.Table") -> list[Outcome]:
    """Unpack the outcomes of all partitions, in their order."""
    contents: dict[int, list[bytes]] = {}
    for row in rows.sort_by([("part", "ascending"), ("piece", "ascending")]).to_pylist():
        contents.setdefault(row["part"], []).append(row["content"])
    return [pickle.loads(b"".join(pieces)) for pieces in contents.values()]


def find_version_error(driver_version: str) -> SparkError | None:
    """Return the error of a worker whose version differs from the driver's, or None."""
    if driver_version == __version__:
        return None
    message = (
        f"spark: the workers have gainful {__version__}, and the driver {driver_version}. "
        "Install the same version on both."
    )
    return SparkError(message, code="spark-workers")
