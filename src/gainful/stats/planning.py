"""power_analysis(): how many queries are needed, from a pilot or from a deviation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from gainful.asked import as_measures
from gainful.comparison_notices import ObservedDifference, UncertainDeviation
from gainful.errors import AlignError, ComparisonError
from gainful.evaluate import collect_each
from gainful.measures import Measure
from gainful.named_runs import named_runs
from gainful.ragged import FloatArray
from gainful.results import Scores
from gainful.rules import Rules
from gainful.settings import Setting, arguments_of
from gainful.sources import Judgments, Progress, Run, Source
from gainful.stats.plan import Pilot, Power
from gainful.stats.power import Alpha, Chance, detectable_effect
from gainful.stats.spread import spread
from gainful.wording import count

DEFAULT_MEASURE = "nDCG@10"

_FEW = 25  # queries, of which a deviation is uncertain
_NOTHING = 1e-9  # an effect that is no more than rounding

Difference = Annotated[float | None, Setting("the difference of means that is to be shown")]
Deviation = Annotated[
    float | None, Setting("the standard deviation of the differences of queries", more_than=0)
]
Variance = Annotated[
    float | None, Setting("the variance of the differences of queries", more_than=0)
]
Queries = Annotated[int | None, Setting("how many queries there are", at_least=2)]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of a power analysis."""

    difference: Difference = None
    deviation: Deviation = None
    variance: Variance = None
    queries: Queries = None
    power: Chance = 0.8
    alpha: Alpha = 0.05

    def __post_init__(self) -> None:
        for name, argument in arguments_of(Question).items():
            value = argument.check("power", getattr(self, name), ComparisonError, "bad-argument")
            object.__setattr__(self, name, value)
        if self.difference == 0:
            message = "power: difference must not be 0, which no number of queries can show."
            raise ComparisonError(message, code="bad-argument")
        if self.power <= self.alpha:
            message = f"power: power must be above alpha, got {self.power:g} and {self.alpha:g}."
            raise ComparisonError(message, code="bad-argument")
        if self.deviation is not None and self.variance is not None:
            message = (
                f"power: must be given deviation or variance, got both ({self.deviation:g} and "
                f"{self.variance:g}). The variance is the square of the deviation."
            )
            raise ComparisonError(message, code="bad-argument")

    @property
    def spread(self) -> float | None:
        """The deviation, however it was given."""
        return self.deviation if self.variance is None else math.sqrt(self.variance)


def power_analysis(
    qrels: Source | Judgments | None = None,
    runs: Sequence[Source | Run] = (),
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    difference: float | None = None,
    deviation: float | None = None,
    variance: float | None = None,
    queries: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Power:
    """How many queries a difference takes, and which difference so many queries show.

    From a pilot, the qrels and two runs; or from a deviation, as a ``Pair`` of a ``Comparison``
    has it, with a difference, a number of queries, or both. The deviation is that of the
    differences of queries; to plan in units of d_z, pass ``deviation=1``.

    Without a difference the plan is for the one that the pilot shows, with a notice that this is
    optimistic; or for the smallest that the queries show.

    Args:
        qrels: Of a pilot: whatever ``evaluate`` takes.
        runs: Of a pilot: the baseline, then the system.
        measure: Of a pilot: what they are compared by.
        difference: The difference of means that is to be shown, either way.
        deviation: The standard deviation of the differences of queries.
        variance: Its square, if that is what is known.
        queries: How many queries there are; those of the pilot if not given.
        power: The chance that the difference is to be shown with.
        alpha: Below which p-value a difference is shown.
        rules: Of a pilot: how to join, rank and average.
        threads: How many threads read files.
        progress: See ``evaluate``.

    >>> power_analysis(difference=0.05, variance=0.0251).needed
    81
    >>> plan = power_analysis(queries=50, deviation=0.2)
    >>> round(plan.detectable, 4)
    0.0808
    """
    asked: Any = {"difference": difference, "deviation": deviation, "variance": variance}
    question = Question(**asked, queries=queries, power=power, alpha=alpha)
    if qrels is None and not runs:
        return _from_deviation(question)
    if qrels is None or len(runs) != 2 or question.spread is not None:
        raise ComparisonError(
            _no_pilot(qrels is not None, len(runs), question), code="incomplete-plan"
        )
    how: Any = {"rules": rules, "threads": threads, "progress": progress}
    first, second = collect_each(qrels, named_runs(runs), _one_measure(measure), **how)
    return _from_pilot(question, first, second)


def _from_deviation(question: Question) -> Power:
    if question.spread is None:
        message = (
            "power: must know by how much queries differ, got no pilot, no deviation and no "
            "variance. Pass qrels and two runs, or deviation, or variance."
        )
        raise ComparisonError(message, code="incomplete-plan")
    if question.difference is None and question.queries is None:
        message = (
            "power: must be asked about a difference or a number of queries, got neither. "
            "Pass difference, or queries, or both."
        )
        raise ComparisonError(message, code="incomplete-plan")
    return _plan(question, question.spread)


def _plan(question: Question, deviation: float) -> Power:
    """A plan for the difference that was asked for, or for the smallest that can be shown."""
    difference, power, alpha = question.difference, question.power, question.alpha
    if difference is None:
        assert question.queries is not None
        effect = detectable_effect(question.queries, power=power, alpha=alpha)
        difference = effect * deviation
    if not _NOTHING <= abs(difference) / deviation <= 1 / _NOTHING:
        message = (
            f"power: difference and deviation must be of about a size, got {difference:g} and "
            f"{deviation:g}."
        )
        raise ComparisonError(message, code="incomplete-plan")
    return Power(abs(difference), deviation, question.queries, power, alpha)


def _from_pilot(question: Question, baseline: Scores, system: Scores) -> Power:
    pilot = _pilot(baseline, system)
    notices = [*baseline.notices, *system.notices, *_uncertain(pilot)]
    asked = replace(question, queries=question.queries or pilot.n_queries)
    if asked.difference is None and abs(pilot.difference) > _NOTHING * pilot.deviation:
        asked = replace(asked, difference=pilot.difference)
        notices += [ObservedDifference(abs(pilot.difference))]
    plan = _plan(asked, pilot.deviation)
    return replace(plan, pilot=pilot, rules=baseline.rules, notices=tuple(dict.fromkeys(notices)))


def _pilot(baseline: Scores, system: Scores) -> Pilot:
    """What two runs show; a sentence where nothing can be learnt from them."""
    differences = _differences(baseline, system)
    found = spread(differences)
    names = f"runs {baseline.run!r} and {system.run!r}"
    if found.n < 2:
        message = f"power: a pilot needs 2 queries or more, got {found.n} for {names}."
        raise ComparisonError(message, code="incomplete-plan")
    if not found.varies:
        message = (
            f"power: {names} differ by {found.mean:g} on every query, so that there is no "
            "deviation to plan with. Pass deviation, or compare other runs."
        )
        raise ComparisonError(message, code="incomplete-plan")
    shown = (found.mean, found.deviation, found.n)
    return Pilot(baseline.measures[0], system.run, baseline.run, *shown)


def _differences(baseline: Scores, system: Scores) -> FloatArray:
    """One per query, those left out that have no value in either; notices have spoken of them."""
    if baseline.queries != system.queries:
        message = (
            f"power: both runs must have the same queries, got {len(baseline.queries):,} for run "
            f"{baseline.run!r} and {len(system.queries):,} for run {system.run!r}. "
            "Evaluate them with missing=zero."
        )
        raise AlignError(message, code="unlike-runs")
    differences: FloatArray = system.values[:, 0] - baseline.values[:, 0]
    return differences[~np.isnan(differences)]


def _uncertain(pilot: Pilot) -> list[UncertainDeviation]:
    """What to say of a deviation that comes from few queries."""
    if pilot.n_queries >= _FEW:
        return []
    import scipy.stats

    freedom = pilot.n_queries - 1
    ends = freedom / scipy.stats.chi2.ppf([0.975, 0.025], freedom)
    low, high = (pilot.deviation * math.sqrt(end) for end in ends)
    return [UncertainDeviation(pilot.n_queries, pilot.deviation, low, high)]


def _one_measure(measure: str | Measure) -> Measure:
    several = as_measures(measure)
    if len(several) > 1 or several[0].whole:
        why = f"{several[0]} has no values of queries" if len(several) == 1 else "got several"
        message = f"power: measure must be one with values of queries, {why}."
        raise ComparisonError(message, code="unfit-measure")
    return several[0]


def _no_pilot(judged: bool, n_runs: int, question: Question) -> str:
    """Why no pilot can be made of what was given."""
    if not judged:
        return "power: a pilot is the qrels and two runs, got no qrels."
    if n_runs != 2:
        return (
            f"power: a pilot is the qrels and two runs, got {count(n_runs, 'run', 'runs')}. "
            "Name the baseline, then the system."
        )
    return (
        f"power: the deviation comes from the pilot, got another ({question.spread:g}). "
        "Leave out one of them."
    )
