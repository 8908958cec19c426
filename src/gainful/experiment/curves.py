"""A measure at every cutoff."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gainful.evaluate import values_of
from gainful.experiment.result import Curve, CurvePoint
from gainful.measures import Measure
from gainful.ragged import mean
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.stats.paired import mean_interval

CUTOFFS = tuple(range(1, 51))


def curves(
    runs: Sequence[str], rankings: Sequence[JudgedRankings], measure: Measure, rules: Rules
) -> tuple[Curve, ...]:
    """The mean of every run at each cutoff, with the interval of Student's t.

    There are none for a measure that takes no cutoff, or needs more than judged rankings.
    """
    cutoff = measure.arguments.get("cutoff")
    if cutoff is None or cutoff.type is not int or measure.reads is not JudgedRankings:
        return ()
    # What has no value at another cutoff than the one asked for is no error.
    rules = replace(rules, empty="nan") if rules.empty == "error" else rules
    without = tuple(pair for pair in measure.settings if pair[0] != "cutoff")
    return tuple(
        Curve(run, str(replace(measure, settings=without)), _points(ranked, measure, rules))
        for run, ranked in zip(runs, rankings, strict=True)
    )


def _points(ranked: JudgedRankings, measure: Measure, rules: Rules) -> tuple[CurvePoint, ...]:
    return tuple(_point(ranked, measure(cutoff=cutoff), rules, cutoff) for cutoff in CUTOFFS)


def _point(ranked: JudgedRankings, measure: Measure, rules: Rules, cutoff: int) -> CurvePoint:
    values = values_of(measure, ranked, rules)
    known = values[~np.isnan(values)]
    return CurvePoint(cutoff, mean(known), mean_interval(known))
