"""What workers are told, and the rows that they return."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gainful._version import __version__
from gainful.cached import cached_property
from gainful.measures import Measure
from gainful.rankings import JudgedRankings, Rankings
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.sources import ItemData


@dataclass(eq=False, repr=False)
class Task(Frozen):
    """What is to be worked out.

    Attributes:
        settled: The measures that were asked for, each with what it means.
        rules: How to join, rank and average.
        data: What is known of items.
        version: Of the package, on the driver.
        judged: The rules that qrels are read by, where they are others.
        largest: How many rows of a query a worker takes, if not all.
        scored: Whether the run has scores; without them its ranks decide.
        mark: Another one for every run that is evaluated. Spark finds what it keeps by how it was
            worked out, and would hand over that of files which have changed since.
    """

    settled: Mapping[Measure, Measure]
    rules: Rules
    data: ItemData
    version: str = __version__
    judged: Rules | None = None
    largest: int | None = None
    scored: bool = True
    mark: str = ""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        pairs = [(_made_of(asked), _made_of(its)) for asked, its in self.settled.items()]
        held = (self.rules, self.data, self.version, self.judged, self.largest, self.scored)
        return _unpacked, (pairs, *held, self.mark)

    @property
    def judged_by(self) -> Rules:
        """The rules that qrels are read by."""
        return self.judged or self.rules

    def reading(self, *, read_before: bool) -> "Task":
        """The same for qrels that were read before: their items are no longer parts of others."""
        judged = replace(self.rules, collapse=None) if read_before else None
        return replace(self, judged=judged)

    def first_of(self, kind: type[Rankings]) -> Measure:
        """The first measure that reads rankings of a kind."""
        return next(one for one, its in self.settled.items() if issubclass(kind, its.reads))

    @cached_property
    def kinds(self) -> tuple[type[Rankings], ...]:
        """The kinds of rankings that are needed; what one has may serve for another."""
        wanted = list(dict.fromkeys(its.reads for its in self.settled.values()))
        return tuple(
            kind for kind in wanted if not any(issubclass(o, kind) for o in wanted if o is not kind)
        )

    @cached_property
    def whole_kinds(self) -> tuple[type[Rankings], ...]:
        """Those of them that measures of whole runs read."""
        wanted = [its.reads for its in self.settled.values() if its.whole]
        return tuple(kind for kind in self.kinds if any(issubclass(kind, one) for one in wanted))

    @cached_property
    def cutoffs(self) -> tuple[int | None, ...]:
        """The cutoffs that Judged@k is worked out for."""
        judged = [one for one, its in self.settled.items() if issubclass(its.reads, JudgedRankings)]
        return tuple(dict.fromkeys(self.cutoff_of(one) for one in judged))

    def cutoff_of(self, asked: Measure) -> int | None:
        """The last rank that a measure looks at, if there is one."""
        cutoff: int | None = dict(self.settled[asked].settings).get("cutoff")
        return cutoff

    @cached_property
    def columns(self) -> dict[str, str]:
        """The columns of the rows that workers return, each with its type.

        A row has the values of a query, or, without one, what is known of all that a worker had.
        """
        of_measures = range(len(self.settled))
        found = {"query": "string"}
        found |= {f"v{number}": "double" for number in of_measures}
        found |= {f"j{number}": "double" for number in range(len(self.cutoffs))}
        if self.rules.empty_weight is not None:
            found |= {f"e{number}": "boolean" for number in of_measures}
        return found | {"about": "binary"}

    @property
    def schema(self) -> str:
        """The same as Spark has it."""
        return ", ".join(f"{name} {kind}" for name, kind in self.columns.items())


def _made_of(measure: Measure) -> Measure | dict[str, Any]:
    # Those of a user with all that makes them: workers need not have declared them.
    ours = str(measure.compute.__module__).startswith("gainful.")
    return measure if ours else vars(measure)


def _unpacked(pairs: list[tuple[Any, Any]], *others: Any) -> Task:
    settled = {_again(asked): _again(its) for asked, its in pairs}
    return Task(settled, *others)


def _again(made_of: Measure | dict[str, Any]) -> Measure:
    return made_of if isinstance(made_of, Measure) else Measure(**made_of)
