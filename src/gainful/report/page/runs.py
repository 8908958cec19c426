"""The runs of an experiment: what they score, and which of them there is room for."""

from math import inf, isnan

import numpy as np

from gainful.comparison.result import System
from gainful.experiment.result import Experiment
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.results import Scores

_MOST = 4


def compared(experiment: Experiment) -> tuple[str, ...]:
    """The runs that are shown beside each other: baseline and candidate, or the only one."""
    return tuple(run for run in (experiment.baseline, experiment.candidate) if run is not None)


def drawn_runs(experiment: Experiment) -> tuple[str, ...]:
    """All runs, those that are compared first: charts give them the colours of A and B."""
    return tuple(dict.fromkeys([*compared(experiment), *experiment.runs]))


def few_runs(experiment: Experiment, most: int = _MOST) -> tuple[str, ...]:
    """The runs that a chart has room for: the two that are compared, then those that do best."""
    own = sorted(systems_of(experiment), key=lambda one: (isnan(one.mean), -one.mean))
    kept = dict.fromkeys([*compared(experiment), *(one.name for one in own)])
    return tuple(run for run in drawn_runs(experiment) if run in [*kept][:most])


def systems_of(experiment: Experiment, measure: Measure | None = None) -> list[System]:
    """What every run scores by one measure, the first if none is given."""
    wanted = measure or experiment.measures[0]
    return [system for system in experiment.systems if system.measure == wanted]


def scores_of(experiment: Experiment, run: str) -> Scores:
    """What a run scores."""
    return experiment.scores[experiment.runs.index(run)]


def values_of(experiment: Experiment, run: str) -> FloatArray:
    """The values of a run by the first measure, one for every query; NaN where it has none."""
    return scores_of(experiment, run).column(experiment.measures[0])


def judged_of(experiment: Experiment, run: str) -> FloatArray | None:
    """The share of its first ranks that is judged, of every query; None if nothing is known."""
    return scores_of(experiment, run).judged.get(experiment.measures[0])


def differing_most(experiment: Experiment) -> list[int]:
    """The queries by number, those that differ most first; of one run, those that score least.

    Those that lack a value come last.
    """
    theirs, *ours = (values_of(experiment, run) for run in compared(experiment))
    # Rounded, so that what is alike but for rounding stays in the order of the queries.
    least = -np.round(np.abs(ours[0] - theirs), 12) if ours else theirs
    order: list[int] = np.argsort(least, kind="stable").tolist()
    return order


def bounds_of(experiment: Experiment) -> tuple[float, float]:
    """Where the first measure ends; nowhere if its settings let values lie beyond that."""
    low, high = experiment.measures[0].bounds
    every = (values_of(experiment, run) for run in experiment.runs)
    beyond = any(((values < low) | (values > high)).any() for values in every)
    return (-inf, inf) if beyond else (low, high)


def within(bounds: tuple[float, float], interval: Interval) -> Interval:
    """An interval, cut where the measure ends: Student's t does not know that it does.

    >>> within((0, 1), Interval(0.5, 1.2))
    Interval(low=0.5, high=1)
    """
    low, high = bounds
    return Interval(*(end if isnan(end) else min(max(end, low), high) for end in interval))
