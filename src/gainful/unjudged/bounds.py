"""Bounds: the exact interval of nDCG over all labels of unjudged items."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.alignment import Rules
from gainful.base import (
    FloatArray,
    IntArray,
    Interval,
    Progress,
    encode_ids,
    format_count,
    format_examples,
    format_setting,
    ragged,
    to_json,
    to_jsonable,
)
from gainful.diagnostics import Notice
from gainful.errors import ComparisonError
from gainful.evaluation import Collection, Qrels, Runs, name_dialect_in_errors, open_collection
from gainful.measures import Judged, Measure
from gainful.unjudged.extremes import (
    BoundsProblem,
    check_possible_labels,
    find_distinct_gains,
    require_formula,
    resolve_bounded_measure,
)
from gainful.unjudged.places import RunItems, locate_items, number_items_alike

if TYPE_CHECKING:
    import polars


_ROUNDING = 1e-12  # the largest difference that is only rounding


def describe_order(system: str, baseline: str, difference: float, possible: Interval) -> str:
    """Return a sentence that says whether judging could reverse the order of two runs.

    >>> describe_order("new", "old", 0.25, Interval(0.125, 0.5))
    'new stays above old whatever their unjudged items are: the difference is +0.2500 and lies in \
[0.1250, 0.5000].'
    """
    if math.isnan(difference):
        return f"{system} and {baseline} have no query in common that has a value."
    range_text = f"the difference is {difference + 0.0:+.4f} and lies in {possible}."
    low, high = _clear_rounding(possible)
    if low == high == 0:
        return f"{system} and {baseline} score the same whatever their unjudged items are."
    if could_reverse(possible):
        return f"Judging could {_describe_reversal(system, baseline, difference)}: {range_text}"
    relation = _describe_relation(low, high)
    return f"{system} {relation} {baseline} whatever their unjudged items are: {range_text}"


def could_reverse(possible: Interval) -> bool:
    """Return whether a difference could lie on either side of 0.

    >>> could_reverse(Interval(-0.05, 0.2)), could_reverse(Interval(-1e-17, 0.2))
    (True, False)
    """
    low, high = _clear_rounding(possible)
    return low < 0 < high


def _clear_rounding(possible: Interval) -> tuple[float, float]:
    low, high = (0.0 if abs(end) <= _ROUNDING else end for end in possible)
    return low, high


def _describe_relation(low: float, high: float) -> str:
    if low >= 0:
        return "stays above" if low > 0 else "does not fall below"
    return "stays below" if high < 0 else "does not rise above"


def _describe_reversal(system: str, baseline: str, difference: float) -> str:
    if abs(difference) <= _ROUNDING:
        return f"put {system} above {baseline} or below it"
    first, second = (system, baseline) if difference > 0 else (baseline, system)
    return f"turn the order over and put {second} above {first}"


@dataclass(frozen=True, eq=False)
class Bounds:
    """The values of runs, and the lowest and highest values they could have.

    Every unjudged item that the measure looks at may get any of the possible labels; judged items
    keep theirs. The ends are exact: there are labels with which ``evaluate`` returns them. A query
    that has no value as it is judged has NaN here too, and is left out of means.

    Attributes:
        runs: The names of the runs, in the order they were given.
        queries: The id of each query.
        measure: The measure.
        possible_labels: The labels that unjudged items may get.
        values: The value of every run, a row each, and every query, a column each.
        low: The lowest it could be.
        high: The highest it could be.
        n_unjudged: Number of unjudged items of every run and query.
        judged: The share of the first ranks that is judged, of every run and query: Judged@k; NaN
            where a run has no results.
        rules: The rules under which the values hold.
        notices: Notices about the numbers.
        problem: The measure, the rules and the gains that were tried.
        run_items: The judged and the unjudged items of each run.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measure: Measure
    possible_labels: tuple[float, ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    n_unjudged: IntArray
    judged: FloatArray
    rules: Rules
    notices: tuple[Notice, ...]
    problem: BoundsProblem
    run_items: tuple[RunItems, ...]

    def value(self, run: str) -> float:
        """Return the mean of a run, with unjudged items as not relevant."""
        return ragged.mean(self.values[self._find_number(run)])

    def mean(self, run: str) -> Interval:
        """Return the interval in which the mean of a run could lie.

        >>> import gainful
        >>> qrels, runs = {"q1": {"a": 1}}, {"mine": {"q1": ["a", "b"]}}
        >>> result = gainful.unjudged(qrels, runs, possible_labels=(0, 1))
        >>> print(result.bounds.value("mine"), result.bounds.mean("mine"))
        1.0 [1.0000, 1.0000]
        """
        number = self._find_number(run)
        return Interval(ragged.mean(self.low[number]), ragged.mean(self.high[number]))

    def value_difference(self, system: str, baseline: str) -> float:
        """Return the difference of two means, with unjudged items as not relevant."""
        system_values, baseline_values = (
            self.values[self._find_number(run)] for run in (system, baseline)
        )
        defined = ~np.isnan(system_values - baseline_values)
        return ragged.mean(system_values[defined]) - ragged.mean(baseline_values[defined])

    def difference(
        self, system: str, baseline: str, *, queries: Iterable[str] | None = None
    ) -> Interval:
        """Return the interval in which the difference of two means could lie.

        An item has the same label for both runs, and one that only one of them returned raises the
        best ranking of both. So it is not the difference of the intervals of the two means. Queries
        that either run leaves out are left out.

        Args:
            system: Name of the run whose mean comes first.
            baseline: Name of the run whose mean is subtracted.
            queries: Ids of the queries to use; all if not given.

        Returns:
            The lowest and the highest possible difference of the means.

        Raises:
            ComparisonError: There is no run of one of these names.

        >>> import gainful
        >>> qrels, runs = {"q1": {"a": 1}}, {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a", "b"]}}
        >>> print(gainful.unjudged(qrels, runs).bounds.difference("new", "old"))
        [0.0000, 0.3691]
        """
        low, high = self._find_difference_ends(system, baseline)
        if queries is not None:
            selected = frozenset(queries)
            keep = np.array([query in selected for query in self.queries], dtype=np.bool_)
            low, high = low[:, keep], high[:, keep]
        return Interval(
            *(
                ragged.mean(system_values) - ragged.mean(baseline_values)
                for system_values, baseline_values in (low, high)
            )
        )

    def differences(self, system: str, baseline: str) -> list[Interval]:
        """Return the interval of the difference of every query; NaN where a run has no value."""
        low, high = self._find_difference_ends(system, baseline)
        ends = zip((low[0] - low[1]).tolist(), (high[0] - high[1]).tolist(), strict=True)
        return [Interval(*pair) for pair in ends]

    def sentence(self, system: str, baseline: str) -> str:
        """Return a sentence that says whether judging could reverse the order of two runs.

        >>> import gainful
        >>> qrels, runs = {"q1": {"a": 1}}, {"old": {"q1": ["b", "a"]}, "new": {"q1": ["c", "a"]}}
        >>> gainful.unjudged(qrels, runs).bounds.sentence("new", "old")
        'Judging could put new above old or below it: the difference is +0.0000 and lies in \
[-0.6131, 0.6131].'
        """
        difference, possible = (
            self.value_difference(system, baseline),
            self.difference(system, baseline),
        )
        return describe_order(system, baseline, difference, possible)

    def to_dict(self, *, baseline: str | None = None) -> dict[str, Any]:
        """Return everything as plain values; NaN is None.

        Args:
            baseline: The run that the others are compared with; None if all pairs are.
        """
        return {
            "measure": str(self.measure),
            "possible_labels": list(self.possible_labels),
            "n_queries": len(self.queries),
            "runs": [self._run_to_dict(run) for run in self.runs],
            "differences": [self._pair_to_dict(*pair) for pair in self.pairs(baseline)],
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, baseline: str | None = None, indent: int | None = 2) -> str:
        """Return everything as JSON; floats at full precision."""
        return to_json(self.to_dict(baseline=baseline), indent=indent)

    def to_polars(self) -> "polars.DataFrame":
        """Return a polars frame with a row for every run and query; what has no value is null.

        >>> import gainful
        >>> qrels, runs = {"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}}
        >>> result = gainful.unjudged(qrels, runs, possible_labels=(0, 1))
        >>> result.bounds.to_polars().rows()
        [('mine', 'q1', 0.6309297535714575, 0.6309297535714575, 1.0, 1)]
        """
        import polars as pl

        names, ids = pl.Series(encode_ids(self.runs)), pl.Series(encode_ids(self.queries))
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
        """Yield pairs of system and baseline: all pairs of runs, or every run and the baseline."""
        if baseline is not None:
            self._find_number(baseline)
            yield from ((run, baseline) for run in self.runs if run != baseline)
            return
        for number, first in enumerate(self.runs):
            yield from ((later, first) for later in self.runs[number + 1 :])

    def __repr__(self) -> str:
        lines = [
            f"<Bounds of {self.measure} on {format_count(len(self.queries), 'query', 'queries')}>"
        ]
        lines += [
            f"{run}: {self.value(run):.4f}, could be {self.mean(run)}, {judged:.1%} judged"
            for run, judged in zip(self.runs, map(ragged.mean, self.judged), strict=True)
        ]
        labels = ", ".join(map(format_setting, self.possible_labels))
        return "\n".join([*lines, f"possible labels: {labels}", f"rules: {self.rules}"])

    def _find_difference_ends(self, system: str, baseline: str) -> tuple[FloatArray, FloatArray]:
        """Return the values of both runs where they differ least, and where they differ most."""
        system_items, baseline_items = (
            self.run_items[self._find_number(run)] for run in (system, baseline)
        )
        return self.problem.find_difference_ends(system_items, baseline_items)

    def _find_number(self, run: str) -> int:
        if run not in self.runs:
            message = (
                f"there is no run {run!r}; there are {format_examples(self.runs, max_names=10)}."
            )
            raise ComparisonError(message, code="unknown-run")
        return self.runs.index(run)

    def _run_to_dict(self, run: str) -> dict[str, Any]:
        number = self._find_number(run)
        columns = zip(
            *(a[number].tolist() for a in (self.values, self.low, self.high)), strict=True
        )
        per_query = zip(self.queries, columns, strict=True)
        return {
            "run": run,
            **_ends_to_dict(self.value(run), *self.mean(run)),
            "judged": to_jsonable(ragged.mean(self.judged[number])),
            "n_unjudged": int(self.n_unjudged[number].sum()),
            "per_query": {query: _ends_to_dict(*numbers) for query, numbers in per_query},
        }

    def _pair_to_dict(self, system: str, baseline: str) -> dict[str, Any]:
        possible = self.difference(system, baseline)
        difference = self.value_difference(system, baseline)
        return {"system": system, "baseline": baseline, **_ends_to_dict(difference, *possible)}


def _ends_to_dict(value: float, low: float, high: float) -> dict[str, float | None]:
    ends: dict[str, float | None] = to_jsonable({"value": value, "low": low, "high": high})
    return ends


def compute_bounds(
    qrels: Qrels | Collection,
    runs: Runs | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    possible_labels: Iterable[float] | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Compute the intervals in which the values of runs could lie. See ``unjudged``."""
    with open_collection(
        qrels, runs, rules=rules, threads=threads, progress=progress
    ) as collection:
        with name_dialect_in_errors(collection.dialect):
            label, resolved = resolve_bounded_measure(collection, measure)
            formula = require_formula(resolved)
        judgments = collection.read_judgments(measure=str(label))
        labels = check_possible_labels(possible_labels, judgments.pool_label)
        gains = find_distinct_gains(formula, labels)
        problem = BoundsProblem(resolved, formula, collection.rules, gains)
        with name_dialect_in_errors(collection.dialect):
            runs_items = [locate_items(collection, run, formula) for run in collection.runs]
    if not runs_items:
        message = "runs: there must be at least one, got none."
        raise ComparisonError(message, code="too-few-runs")
    return _collect_bounds(label, problem, labels.tolist(), _select_common(runs_items))


def _select_common(runs_items: list[RunItems]) -> list[RunItems]:
    """Return the runs with the queries that the rules keep for any, and items numbered alike."""
    keep = np.flatnonzero(np.any([run_items.is_included for run_items in runs_items], axis=0))
    return number_items_alike([run_items.select(keep) for run_items in runs_items])


def _collect_bounds(
    label: Measure, problem: BoundsProblem, labels: list[float], runs_items: list[RunItems]
) -> Bounds:
    ends = [problem.find_ends(run_items) for run_items in runs_items]
    judged = Judged(cutoff=problem.formula.cutoff)
    n_queries = runs_items[0].ranked.n_queries
    return Bounds(
        runs=tuple(run_items.name for run_items in runs_items),
        queries=runs_items[0].ranked.queries,
        measure=label,
        possible_labels=tuple(labels),
        values=np.stack([problem.compute_values(run_items) for run_items in runs_items]),
        low=np.stack([low for low, _ in ends]),
        high=np.stack([high for _, high in ends]),
        n_unjudged=np.stack(
            [np.bincount(run_items.places.query, minlength=n_queries) for run_items in runs_items]
        ),
        judged=np.stack([_compute_judged_shares(run_items, judged) for run_items in runs_items]),
        rules=problem.rules,
        notices=tuple(dict.fromkeys(n for run_items in runs_items for n in run_items.notices)),
        problem=problem,
        run_items=tuple(runs_items),
    )


def _compute_judged_shares(run_items: RunItems, judged: Measure) -> FloatArray:
    """Return the share of judged items of each query; NaN where a run has no results."""
    has_results = run_items.is_included & (run_items.ranked.n_retrieved > 0)
    return np.where(has_results, judged.score(run_items.ranked), np.nan)
