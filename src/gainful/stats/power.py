"""power(): number of queries needed, from a pilot or from a deviation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gainful.alignment import Rules
from gainful.base import (
    FloatArray,
    Progress,
    Result,
    format_count,
)
from gainful.diagnostics import Notice, declare_notice
from gainful.errors import AlignError, ComparisonError
from gainful.evaluation import Collection, Scores, evaluate_runs, list_measures
from gainful.measures import Measure
from gainful.sources import Judgments, Run, Source, name_runs
from gainful.stats.effects import measure_spread
from gainful.stats.sample_size import (
    PowerSettings,
    compute_t_test_power,
    find_detectable_effect,
    find_queries_needed,
)

POWERS = (0.5, 0.8, 0.9)
_CURVE_POINTS = 12  # approximate number of points of a curve


class Point(NamedTuple):
    """One point of a plan: a number of queries, and a difference that they show.

    Attributes:
        difference: The difference of means.
        effect: The difference in standard deviations, d_z.
        queries: Number of queries.
        power: Probability that so many queries show the difference.
    """

    difference: float
    effect: float
    queries: int
    power: float


@dataclass(frozen=True)
class Pilot:
    """The difference that two runs have shown: the system, less the baseline.

    Attributes:
        measure: The measure.
        system: The name of one run.
        baseline: The name of the other.
        difference: The mean of the system less the mean of the baseline.
        deviation: The standard deviation of the differences of queries.
        n_queries: Number of queries.
    """

    measure: Measure
    system: str
    baseline: str
    difference: float
    deviation: float
    n_queries: int

    @property
    def sentence(self) -> str:
        """The difference in plain words."""
        return (
            f"{self.system} differs from {self.baseline} by "
            f"{format_decimals(self.difference, '+')} on {self.measure}: "
            f"{format_count(self.n_queries, 'query', 'queries')}, deviation "
            f"{format_decimals(self.deviation)}, "
            f"d_z {format_decimals(self.difference / self.deviation)}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Power(Result):
    """A plan: the differences that queries show by the paired t-test, two-sided.

    Attributes:
        difference: The difference that is planned for, either way.
        deviation: The standard deviation of the differences of queries.
        queries: Number of queries, if it is known.
        power: Desired probability that the difference is shown.
        alpha: Significance level.
        pilot: Difference of the two runs of the pilot, if there is one.
        rules: The rules under which they were evaluated.
        notices: Notices about the plan.

    >>> import gainful
    >>> plan = gainful.power(difference=0.05, variance=0.0251, queries=50)
    >>> plan.needed, round(plan.detectable, 4), round(plan.chance, 4)
    (81, 0.064, 0.5901)
    >>> plan
    50 queries show a difference of 0.0640 or more in 80% of experiments.
    50 queries show a difference of 0.0500 in 59% of experiments.
    81 queries show a difference of 0.0500 in 80% of experiments.
    paired t-test, two-sided, alpha 0.05, deviation 0.1584
    """

    difference: float
    deviation: float
    queries: int | None
    power: float
    alpha: float
    pilot: Pilot | None = None
    rules: Rules | None = None
    notices: tuple[Notice, ...] = ()

    _view = "view_power"

    @property
    def effect(self) -> float:
        """The difference in standard deviations, d_z."""
        return self.difference / self.deviation

    @property
    def needed(self) -> int:
        """Number of queries that show the difference with the desired power."""
        return find_queries_needed(self.effect, power=self.power, alpha=self.alpha)

    @property
    def detectable(self) -> float | None:
        """The smallest difference that ``queries`` queries show, if their number is known."""
        return None if self.queries is None else self._find_detectable(self.queries, self.power)

    @property
    def chance(self) -> float | None:
        """The power of ``queries`` queries to show the difference, if their number is known."""
        return None if self.queries is None else self._compute_power(self.queries)

    def table(self, differences: Sequence[float] | None = None) -> list[Point]:
        """Return the number of queries that each difference needs, for several powers.

        Args:
            differences: Differences of means; round numbers around the one that is planned for, if
                not given.
        """
        chosen_differences = (
            _list_round_numbers(self.difference) if differences is None else differences
        )
        return [self._plan_queries(d, chance) for d in chosen_differences for chance in self.powers]

    def detectable_table(self, queries: Sequence[int] | None = None) -> list[Point]:
        """Return the differences that numbers of queries show, for several powers.

        Args:
            queries: Numbers of queries; round numbers around ``Power.queries``, if not given. The
                table is empty if that is not known either.
        """
        round_numbers = [] if self.queries is None else _list_round_numbers(self.queries, 0.5, 5)
        sizes = [n for n in round_numbers if n >= 2 and n % 1 == 0] if queries is None else queries
        return [
            Point(difference, difference / self.deviation, int(n), chance)
            for n in sizes
            for chance in self.powers
            for difference in [self._find_detectable(int(n), chance)]
        ]

    def curve(self) -> list[Point]:
        """Return the power of growing numbers of queries to show the difference."""
        step = _round_up(2 * self.needed / _CURVE_POINTS)
        sizes = range(step, 2 * self.needed + step, step)
        powers = [(n, self._compute_power(n)) for n in sizes if n >= 2]
        return [Point(self.difference, self.effect, n, chance) for n, chance in powers]

    @property
    def powers(self) -> list[float]:
        """The powers that tables are for: the desired one, and customary ones."""
        return sorted({self.power, *(chance for chance in POWERS if chance > self.alpha)})

    @property
    def sentences(self) -> list[str]:
        """The plan in plain words."""
        sentences = [self.pilot.sentence] if self.pilot else []
        if self.queries is not None and self.detectable is not None:
            sentences += [_write_sentence(self.queries, self.detectable, self.power, " or more")]
            if self.detectable == self.difference:
                return sentences
            sentences += [
                _write_sentence(self.queries, self.difference, self._compute_power(self.queries))
            ]
        return [*sentences, _write_sentence(self.needed, self.difference, self.power)]

    @property
    def basis(self) -> str:
        """The test that is planned for, and its assumptions."""
        deviation = format_decimals(self.deviation)
        return f"paired t-test, two-sided, alpha {self.alpha:.4g}, deviation {deviation}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "difference": self.difference,
            "deviation": self.deviation,
            "effect": self.effect,
            "queries": self.queries,
            "power": self.power,
            "alpha": self.alpha,
            "needed": self.needed,
            "detectable": self.detectable,
            "chance": self.chance,
            "pilot": self.pilot and {**vars(self.pilot), "measure": str(self.pilot.measure)},
            "table": [point._asdict() for point in self.table()],
            "detectable_table": [point._asdict() for point in self.detectable_table()],
            "curve": [point._asdict() for point in self.curve()],
            "text": self.sentences,
            "rules": self.rules and self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        return "\n".join([*self.sentences, self.basis, *(n.line for n in self.notices)])

    def _plan_queries(self, difference: float, chance: float) -> Point:
        effect = difference / self.deviation
        n = find_queries_needed(effect, power=chance, alpha=self.alpha)
        return Point(difference, effect, n, chance)

    def _find_detectable(self, n_queries: int, chance: float) -> float:
        return find_detectable_effect(n_queries, power=chance, alpha=self.alpha) * self.deviation

    def _compute_power(self, n_queries: int) -> float:
        return compute_t_test_power(self.effect, n_queries, alpha=self.alpha)


def format_decimals(value: float, sign: str = "-") -> str:
    """Return a number with four decimals, or four digits if it is very small or large.

    >>> format_decimals(0.05), format_decimals(0.05, "+"), format_decimals(0.00012345)
    ('0.0500', '+0.0500', '0.0001234')
    """
    fits = value == 0 or 0.001 <= abs(value) < 1e6
    return f"{value:{sign}.4f}" if fits else f"{value:{sign}.4g}"


def _write_sentence(queries: int, difference: float, chance: float, suffix: str = "") -> str:
    return (
        f"{queries:,} queries show a difference of {format_decimals(difference)}{suffix} in "
        f"{format_rounded_percent(chance)} of experiments."
    )


def format_rounded_percent(share: float) -> str:
    """Return a share as a percentage with three digits, never 100% for less.

    >>> format_rounded_percent(0.8), format_rounded_percent(0.9996), format_rounded_percent(1.0)
    ('80%', '99.9%', '100%')
    """
    text = f"{100 * share:.3g}%"
    return "99.9%" if text == "100%" and share < 1 else text


def _list_round_numbers(
    center: float, lowest_share: float = 0.2, highest_share: float = 2.0
) -> list[float]:
    """Return a number and the round ones around it: 1, 2 and 5 times powers of ten.

    >>> _list_round_numbers(0.03)
    [0.01, 0.02, 0.03, 0.05]
    """
    ten = math.floor(math.log10(center))
    candidates = [float(f"{digit}e{e}") for e in range(ten - 1, ten + 2) for digit in (1, 2, 5)]
    blur = 1 + 1e-9  # a fifth of 0.05 is 0.01, though not in floats
    round_numbers = {
        n
        for n in candidates
        if lowest_share * center <= n * blur and n <= highest_share * center * blur
    }
    return sorted(round_numbers | {center})


def _round_up(number: float) -> int:
    """Return the next round number, at least 1.

    >>> _round_up(13.5), _round_up(0.2), _round_up(100)
    (20, 1, 100)
    """
    ten: int = 10 ** max(math.ceil(math.log10(number)) - 1, 0)
    return next(digit * ten for digit in (1, 2, 5, 10) if digit * ten >= number)


DEFAULT_MEASURE = "nDCG@10"

_FEW_QUERIES = 25  # queries, of which a deviation is uncertain
_NO_EFFECT = 1e-9  # an effect that is no more than rounding


@declare_notice("observed-difference", "warning")
def ObservedDifference(difference: float) -> str:
    return (
        f"the plan is for the difference that the pilot showed, {difference:.4f}; such "
        "plans are optimistic, since a difference that caught the eye is often smaller in "
        "truth. Pass --difference with the smallest one that matters."
    )


@declare_notice("uncertain-deviation", "warning")
def UncertainDeviation(n_queries: int, deviation: float, low: float, high: float) -> str:
    return (
        f"the deviation, {deviation:.4f}, comes from "
        f"{format_count(n_queries, 'query', 'queries')} and may lie anywhere from "
        f"{low:.4f} to {high:.4f}; at the upper end it takes "
        f"{(high / deviation) ** 2:.1f} times as many queries."
    )


def power(
    qrels: Source | Judgments | Collection | None = None,
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
    """Plan the number of queries for a difference, or the difference that queries can show.

    From a pilot, the qrels and two runs; or from a deviation, as a ``Pair`` of a ``Comparison``
    has it, with a difference, a number of queries, or both. The deviation is that of the
    differences of queries; to plan in units of d_z, pass ``deviation=1``.

    Without a difference the plan is for the one that the pilot shows, with a notice that this is
    optimistic; or for the smallest that the queries show.

    Args:
        qrels: Judgments of a pilot, as for ``evaluate``; or a ``Collection``.
        runs: Runs of a pilot: the baseline, then the system; of a collection their names.
        measure: Measure that compares the runs of a pilot.
        difference: Difference of means to be shown, either way.
        deviation: The standard deviation of the differences of queries.
        variance: Square of the deviation, to be passed in its place.
        queries: Number of queries; that of the pilot if not given.
        power: Desired probability that the difference is shown.
        alpha: Significance level.
        rules: As for ``evaluate``, of a pilot.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The plan: ``needed`` queries, the ``detectable`` difference, tables and sentences.

    Raises:
        ComparisonError: Neither a pilot nor a deviation is given, the pilot is incomplete or shows
            no deviation, or a number is out of range.
        AlignError: The two runs of the pilot have different queries.

    >>> power(difference=0.05, variance=0.0251).needed
    81
    >>> plan = power(queries=50, deviation=0.2)
    >>> round(plan.detectable, 4)
    0.0808
    """
    settings = PowerSettings(
        difference=difference,
        deviation=deviation,
        variance=variance,
        queries=queries,
        power=power,
        alpha=alpha,
    )
    if qrels is None and not runs:
        return _plan_from_deviation(settings)
    if isinstance(qrels, Collection):
        runs = qrels.select(runs or None).runs
    if qrels is None or len(runs) != 2 or settings.resolved_deviation is not None:
        raise ComparisonError(
            _describe_missing_input(qrels is not None, len(runs), settings), code="incomplete-plan"
        )
    baseline, system = evaluate_runs(
        qrels,
        runs if isinstance(qrels, Collection) else name_runs(runs),
        _parse_query_measure(measure),
        rules=rules,
        threads=threads,
        progress=progress,
    )
    return _plan_from_pilot(settings, baseline, system)


def _plan_from_deviation(settings: PowerSettings) -> Power:
    if settings.resolved_deviation is None:
        message = (
            "power: must know by how much queries differ, got no pilot, no deviation and no "
            "variance. Pass qrels and two runs, or deviation, or variance."
        )
        raise ComparisonError(message, code="incomplete-plan")
    if settings.difference is None and settings.queries is None:
        message = (
            "power: must be asked about a difference or a number of queries, got neither. "
            "Pass difference, or queries, or both."
        )
        raise ComparisonError(message, code="incomplete-plan")
    return _make_plan(settings, settings.resolved_deviation)


def _make_plan(settings: PowerSettings, deviation: float) -> Power:
    """Return a plan for the difference of the settings, or for the smallest that can be shown."""
    difference, power, alpha = settings.difference, settings.power, settings.alpha
    if difference is None:
        assert settings.queries is not None
        effect = find_detectable_effect(settings.queries, power=power, alpha=alpha)
        difference = effect * deviation
    if not _NO_EFFECT <= abs(difference) / deviation <= 1 / _NO_EFFECT:
        message = (
            f"power: difference and deviation must be of about a size, got {difference:g} and "
            f"{deviation:g}."
        )
        raise ComparisonError(message, code="incomplete-plan")
    return Power(abs(difference), deviation, settings.queries, power, alpha)


def _plan_from_pilot(settings: PowerSettings, baseline: Scores, system: Scores) -> Power:
    pilot = _make_pilot(baseline, system)
    notices = [*baseline.notices, *system.notices, *_diagnose_deviation(pilot)]
    settings = replace(settings, queries=settings.queries or pilot.n_queries)
    if settings.difference is None and abs(pilot.difference) > _NO_EFFECT * pilot.deviation:
        settings = replace(settings, difference=pilot.difference)
        notices += [ObservedDifference(abs(pilot.difference))]
    plan = _make_plan(settings, pilot.deviation)
    return replace(plan, pilot=pilot, rules=baseline.rules, notices=tuple(dict.fromkeys(notices)))


def _make_pilot(baseline: Scores, system: Scores) -> Pilot:
    """Return the difference of two runs; an error if no plan can be based on it."""
    differences = _pair_differences(baseline, system)
    spread = measure_spread(differences)
    names = f"runs {baseline.run!r} and {system.run!r}"
    if spread.n < 2:
        message = f"power: a pilot needs 2 queries or more, got {spread.n} for {names}."
        raise ComparisonError(message, code="incomplete-plan")
    if not spread.varies:
        message = (
            f"power: {names} differ by {spread.mean:g} on every query, so that there is no "
            "deviation to plan with. Pass deviation, or compare other runs."
        )
        raise ComparisonError(message, code="incomplete-plan")
    statistics = (spread.mean, spread.deviation, spread.n)
    return Pilot(baseline.measures[0], system.run, baseline.run, *statistics)


def _pair_differences(baseline: Scores, system: Scores) -> FloatArray:
    """Return the difference of every query that has a value in both runs."""
    if baseline.queries != system.queries:
        message = (
            f"power: both runs must have the same queries, got {len(baseline.queries):,} for run "
            f"{baseline.run!r} and {len(system.queries):,} for run {system.run!r}. "
            "Evaluate them with missing=zero."
        )
        raise AlignError(message, code="unlike-runs")
    differences: FloatArray = system.values[:, 0] - baseline.values[:, 0]
    return differences[~np.isnan(differences)]


def _diagnose_deviation(pilot: Pilot) -> list[Notice]:
    """Return a notice if the deviation comes from few queries."""
    if pilot.n_queries >= _FEW_QUERIES:
        return []
    from scipy.special import chdtri

    freedom = pilot.n_queries - 1
    low, high = (
        pilot.deviation * math.sqrt(freedom / chdtri(freedom, tail)) for tail in (0.025, 0.975)
    )
    return [UncertainDeviation(pilot.n_queries, pilot.deviation, low, high)]


def _parse_query_measure(measure: str | Measure) -> Measure:
    first, *more = list_measures(measure)
    if more or first.whole:
        reason = "got several" if more else f"{first} has no values of queries"
        message = f"power: measure must be one with values of queries, {reason}."
        raise ComparisonError(message, code="unfit-measure")
    return first


def _describe_missing_input(judged: bool, n_runs: int, settings: PowerSettings) -> str:
    """Return the message that says what a pilot lacks."""
    if not judged:
        return "power: a pilot is the qrels and two runs, got no qrels."
    if n_runs != 2:
        return (
            f"power: a pilot is the qrels and two runs, got {format_count(n_runs, 'run', 'runs')}. "
            "Name the baseline, then the system."
        )
    return (
        f"power: the deviation comes from the pilot, got another "
        f"({settings.resolved_deviation:g}). Leave out one of them."
    )
