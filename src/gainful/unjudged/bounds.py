"""Bounds: where values lie, whatever the labels of unjudged items."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful import ragged
from gainful.errors import ComparisonError
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.notices import Notice
from gainful.plain import plain, to_json
from gainful.ragged import FloatArray, IntArray
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.settings import text_of
from gainful.shapes import valid
from gainful.unjudged.extremes import Question
from gainful.unjudged.places import Looked
from gainful.unjudged.sentences import order_sentence
from gainful.wording import count, examples

if TYPE_CHECKING:
    import polars


@dataclass(eq=False, repr=False)
class Bounds(Frozen):
    """The values of runs, and how low and how high they could be.

    Every unjudged item that the measure looks at may get any of the grades; what is judged stays as
    it is. The ends are exact: there are labels with which ``evaluate`` returns them. A query that
    has no value as it is judged has NaN here too, and is left out of means.

    Attributes:
        runs: The names of the runs, in the order they were given.
        queries: The id of each query.
        measure: The measure.
        grades: The labels that unjudged items may get.
        values: The value of every run, a row each, and every query, a column each.
        low: The lowest it could be.
        high: The highest it could be.
        n_unjudged: How many unjudged items there are, of every run and query.
        judged: The share of the first ranks that is judged, of every run and query: Judged@k; NaN
            where a run has no results.
        rules: The rules under which the values hold.
        notices: What a reader of the numbers should know.
        question: What was asked.
        looked: Where the judged and the unjudged items of each run stand.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measure: Measure
    grades: tuple[float, ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    n_unjudged: IntArray
    judged: FloatArray
    rules: Rules
    notices: tuple[Notice, ...]
    question: Question
    looked: tuple[Looked, ...]

    def value(self, run: str) -> float:
        """The mean of a run, unjudged items taken for not relevant."""
        return ragged.mean(self.values[self._number(run)])

    def mean(self, run: str) -> Interval:
        """Where the mean of a run could lie.

        >>> import gainful
        >>> found = gainful.bounds({"q1": {"a": 1}}, {"mine": {"q1": ["a", "b"]}}, grades=(0, 1))
        >>> print(found.value("mine"), found.mean("mine"))
        1.0 [1.0000, 1.0000]
        """
        number = self._number(run)
        return Interval(ragged.mean(self.low[number]), ragged.mean(self.high[number]))

    def value_difference(self, system: str, baseline: str) -> float:
        """The mean of one run less the mean of another, unjudged items taken for not relevant."""
        ours, theirs = (self.values[self._number(run)] for run in (system, baseline))
        both = ~np.isnan(ours - theirs)
        return ragged.mean(ours[both]) - ragged.mean(theirs[both])

    def difference(
        self, system: str, baseline: str, *, queries: Iterable[str] | None = None
    ) -> Interval:
        """Where the mean of one run less the mean of another could lie.

        An item has the same label for both runs, and one that only one of them returned raises the
        best ranking of both. So it is not the difference of the intervals of the two means. Queries
        that either run leaves out are left out, and all but ``queries``, if they are given.

        >>> import gainful
        >>> qrels, runs = {"q1": {"a": 1}}, {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a", "b"]}}
        >>> print(gainful.bounds(qrels, runs).difference("new", "old"))
        [0.0000, 0.3691]
        """
        low, high = self._ends(system, baseline)
        if queries is not None:
            wanted = frozenset(queries)
            keep = np.array([query in wanted for query in self.queries], dtype=np.bool_)
            low, high = low[:, keep], high[:, keep]
        return Interval(*(ragged.mean(ours) - ragged.mean(theirs) for ours, theirs in (low, high)))

    def differences(self, system: str, baseline: str) -> list[Interval]:
        """The same for every query; NaN where either has no value."""
        low, high = self._ends(system, baseline)
        ends = zip((low[0] - low[1]).tolist(), (high[0] - high[1]).tolist(), strict=True)
        return [Interval(*pair) for pair in ends]

    def sentence(self, system: str, baseline: str) -> str:
        """Whether judging could turn the order of two runs over, in plain words.

        >>> import gainful
        >>> qrels, runs = {"q1": {"a": 1}}, {"old": {"q1": ["b", "a"]}, "new": {"q1": ["c", "a"]}}
        >>> gainful.bounds(qrels, runs).sentence("new", "old")
        'Judging could put new above old or below it: the difference is +0.0000 and lies in \
[-0.6131, 0.6131].'
        """
        now, possible = self.value_difference(system, baseline), self.difference(system, baseline)
        return order_sentence(system, baseline, now, possible)

    def to_dict(self, *, baseline: str | None = None) -> dict[str, Any]:
        """Everything there is, as plain values; NaN is None.

        Args:
            baseline: The run that the others are compared with; None if all pairs are.
        """
        return {
            "measure": str(self.measure),
            "grades": list(self.grades),
            "n_queries": len(self.queries),
            "runs": [self._run_dict(run) for run in self.runs],
            "differences": [self._pair_dict(*pair) for pair in self.pairs(baseline)],
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, baseline: str | None = None, indent: int | None = 2) -> str:
        """Everything there is, as JSON; floats at full precision."""
        return to_json(self.to_dict(baseline=baseline), indent=indent)

    def to_polars(self) -> "polars.DataFrame":
        """A polars frame with a row for every run and query; what has no value is null.

        >>> import gainful
        >>> found = gainful.bounds({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}}, grades=(0, 1))
        >>> found.to_polars().rows()
        [('mine', 'q1', 0.6309297535714575, 0.6309297535714575, 1.0, 1)]
        """
        import polars as pl

        names, ids = pl.Series(valid(self.runs)), pl.Series(valid(self.queries))
        n_runs, n_queries = self.values.shape
        columns = {
            "run": names.gather(np.repeat(np.arange(n_runs), n_queries)),
            "query": ids.gather(np.tile(np.arange(n_queries), n_runs)),
            **{
                name: pl.Series(getattr(self, name).ravel()).fill_nan(None)
                for name in ("values", "low", "high")
            },
            "unjudged": self.n_unjudged.ravel(),
        }
        return pl.DataFrame(columns).rename({"values": "value"})

    def pairs(self, baseline: str | None = None) -> Iterator[tuple[str, str]]:
        """Every system and baseline: all pairs of runs, or every other run with the one given."""
        if baseline is not None:
            self._number(baseline)
            yield from ((run, baseline) for run in self.runs if run != baseline)
            return
        for number, first in enumerate(self.runs):
            yield from ((later, first) for later in self.runs[number + 1 :])

    def __repr__(self) -> str:
        lines = [f"<Bounds of {self.measure} on {count(len(self.queries), 'query', 'queries')}>"]
        lines += [
            f"{run}: {self.value(run):.4f}, could be {self.mean(run)}, {judged:.1%} judged"
            for run, judged in zip(self.runs, map(ragged.mean, self.judged), strict=True)
        ]
        grades = ", ".join(map(text_of, self.grades))
        return "\n".join([*lines, f"grades: {grades}", f"rules: {self.rules}"])

    def _ends(self, system: str, baseline: str) -> tuple[FloatArray, FloatArray]:
        """The values of both runs where they differ least, and where they differ most."""
        ours, theirs = (self.looked[self._number(run)] for run in (system, baseline))
        return self.question.difference_ends(ours, theirs)

    def _number(self, run: str) -> int:
        if run not in self.runs:
            message = f"there is no run {run!r}; there are {examples(self.runs, most=10)}."
            raise ComparisonError(message, code="unknown-run")
        return self.runs.index(run)

    def _run_dict(self, run: str) -> dict[str, Any]:
        number = self._number(run)
        columns = zip(
            *(a[number].tolist() for a in (self.values, self.low, self.high)), strict=True
        )
        per_query = zip(self.queries, columns, strict=True)
        return {
            "run": run,
            **_ends_of(self.value(run), *self.mean(run)),
            "judged": plain(ragged.mean(self.judged[number])),
            "n_unjudged": int(self.n_unjudged[number].sum()),
            "per_query": {query: _ends_of(*numbers) for query, numbers in per_query},
        }

    def _pair_dict(self, system: str, baseline: str) -> dict[str, Any]:
        possible = self.difference(system, baseline)
        now = self.value_difference(system, baseline)
        return {"system": system, "baseline": baseline, **_ends_of(now, *possible)}


def _ends_of(value: float, low: float, high: float) -> dict[str, float | None]:
    named: dict[str, float | None] = plain({"value": value, "low": low, "high": high})
    return named
