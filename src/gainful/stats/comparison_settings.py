"""Settings and scores of a comparison, checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from gainful.base import FloatArray, Setting, check_choice, collect_arguments
from gainful.errors import ComparisonError
from gainful.evaluation import Scores
from gainful.measures import Measure
from gainful.sources import make_names_distinct
from gainful.stats.paired_tests import CORRECTIONS, OPTIONAL_TESTS
from gainful.stats.sample_size import Alpha

Margin = Annotated[float | None, Setting("largest difference that does not matter", more_than=0)]
Tie = Annotated[float, Setting("largest difference between tied values of a query", at_least=0)]
Seed = Annotated[int, Setting("seed of the random numbers", at_least=0)]
Resamples = Annotated[
    int | None,
    Setting("number of random draws of each test", at_least=1, at_most=100_000_000),
]

Pairs = Sequence[tuple[int, int]]  # system and baseline, by number


@dataclass(frozen=True, kw_only=True)
class NumericSettings:
    """The numbers that decide a comparison; see ``compare``."""

    alpha: Alpha = 0.05
    margin: Margin = None
    tie: Tie = 1e-9
    seed: Seed = 0
    resamples: Resamples = None

    def __post_init__(self) -> None:
        for name, argument in collect_arguments(NumericSettings).items():
            checked = argument.check(
                "compare", getattr(self, name), ComparisonError, "bad-argument"
            )
            object.__setattr__(self, name, checked)


@dataclass(frozen=True, kw_only=True)
class ComparisonSettings(NumericSettings):
    """Settings for comparing runs; see ``compare``."""

    baseline: str | None = None
    correction: str | None = None
    tests: str | Iterable[str] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        names = [self.tests] if isinstance(self.tests, str) else self.tests
        tests = tuple(
            dict.fromkeys(
                check_choice("tests:", test, OPTIONAL_TESTS, ComparisonError) for test in names
            )
        )
        object.__setattr__(self, "tests", tests)
        if self.correction is not None:
            check_choice("correction:", self.correction, CORRECTIONS, ComparisonError)

    def resolve_correction(self, n_pairs: int) -> str:
        """Return the correction that was chosen, else the default for this many pairs."""
        if self.correction == "max-t" and self.baseline is None:
            message = "correction: max-t compares runs with a baseline, got none. Name a baseline."
            raise ComparisonError(message, code="bad-argument")
        if self.correction is not None:
            return self.correction
        if n_pairs == 1:
            return "none"
        return "tukey" if self.baseline is None else "holm"

    @property
    def draws(self) -> dict[str, int]:
        """Number of random draws, by purpose."""
        return {
            "sign flips": self.resamples or 100_000,
            "permutations": self.resamples or 10_000,
            "bootstrap": 9_999,
        }

    def list_pairs(self, runs: Sequence[str]) -> Pairs:
        """Return the numbers of the runs that are compared: system and baseline."""
        numbers = range(len(runs))
        if self.baseline is None:
            return [(later, earlier) for earlier in numbers for later in numbers[earlier + 1 :]]
        baseline = runs.index(check_choice("baseline:", self.baseline, runs, ComparisonError))
        return [(run, baseline) for run in numbers if run != baseline]


def require_two_runs(runs: list[str]) -> list[str]:
    """Return the runs; an error if there are fewer than two."""
    if len(runs) < 2:
        message = (
            f"compare: must be given two runs or more, got {len(runs)}. "
            "Pass them in a list, or as {name: run}."
        )
        raise ComparisonError(message, code="too-few-runs")
    return runs


def check_scores(values: Iterable[Scores]) -> list[Scores]:
    """Return the scores under distinct names; an error if they differ in more than their runs."""
    scores = list(values) if isinstance(values, Iterable) else [values]
    require_two_runs([str(run_scores) for run_scores in scores])
    for run_scores in scores:
        if not isinstance(run_scores, Scores):
            message = (
                "compare: must be given Scores, as evaluate() returns them, got "
                f"{run_scores!r:.60}."
            )
            raise ComparisonError(message, code="wrong-type")
        for name in ("measures", "dialect", "rules"):
            if getattr(run_scores, name) != getattr(scores[0], name):
                message = (
                    f"compare: all scores must have the same {name}, got "
                    f"{getattr(run_scores, name)} for run {run_scores.run!r}."
                )
                raise ComparisonError(message, code="unlike-runs")
    names = make_names_distinct([run_scores.run for run_scores in scores])
    return [replace(run_scores, run=name) for run_scores, name in zip(scores, names, strict=True)]


def require_mean(measure: Measure, caller: str = "compare") -> None:
    """Raise an error if a measure is not a mean over queries."""
    if measure.whole or measure.average != "mean":
        averages = {"sum": "is a sum over queries", "geometric": "is a geometric mean"}
        problem = "has no values of queries" if measure.whole else averages[measure.average]
        message = (
            f"{caller}: {measure} {problem}, and means over queries are compared. "
            "Choose another measure."
        )
        raise ComparisonError(message, code="unfit-measure")


def stack_common_values(scores: list[Scores]) -> tuple[tuple[str, ...], FloatArray]:
    """Return the queries that all runs have, and the values of measures x runs x queries."""
    for measure in scores[0].measures:
        require_mean(measure)
    positions = [{query: i for i, query in enumerate(run_scores.queries)} for run_scores in scores]
    queries = tuple(
        q for q in scores[0].queries if all(q in position_of for position_of in positions)
    )
    if not queries:
        message = "compare: the runs have no query in common."
        raise ComparisonError(message, code="no-common-query")
    rows = [[position_of[query] for query in queries] for position_of in positions]
    values = [run_scores.values[row] for run_scores, row in zip(scores, rows, strict=True)]
    return queries, np.ascontiguousarray(np.stack(values).transpose(2, 0, 1))
