"""The values of runs, query by query."""

from math import isnan

from gainful.experiment.result import Experiment
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.results import Scores

_MOST = 4


def scores_of(experiment: Experiment, run: str) -> Scores:
    """What a run scores."""
    return experiment.scores[experiment.runs.index(run)]


def values_of(experiment: Experiment, run: str, measure: Measure | None = None) -> FloatArray:
    """The values of a run, one for every query; NaN where it has none."""
    return scores_of(experiment, run).column(measure or experiment.measures[0])


def judged_of(experiment: Experiment, run: str) -> FloatArray | None:
    """The share of its first ranks that is judged, of every query; None if nothing is known."""
    return scores_of(experiment, run).judged.get(experiment.measures[0])


def within(measure: Measure, interval: Interval) -> Interval:
    """An interval, cut where the measure ends: Student's t does not know that it does.

    >>> from gainful import nDCG
    >>> within(nDCG, Interval(0.5, 1.2))
    Interval(low=0.5, high=1)
    """
    low, high = measure.bounds
    return Interval(*(end if isnan(end) else min(max(end, low), high) for end in interval))


def few_runs(experiment: Experiment, most: int = _MOST) -> tuple[str, ...]:
    """The runs that a chart has room for: the two that are compared, then those that do best."""
    if len(experiment.runs) <= most:
        return experiment.runs
    own = [s for s in experiment.systems if s.measure == experiment.measures[0]]
    best = [s.name for s in sorted(own, key=lambda s: (isnan(s.mean), -s.mean))]
    compared = [run for run in (experiment.baseline, experiment.candidate) if run]
    kept = list(dict.fromkeys([*compared, *best]))[:most]
    return tuple(run for run in experiment.runs if run in kept)
