"""The numbers of one measure: means, their difference, and how sure it is."""

from dataclasses import replace
from typing import Any

import numpy as np

from gainful.errors import ComparisonError
from gainful.gating.coverage import judged_share
from gainful.gating.result import Gated
from gainful.gating.thresholds import Thresholds
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.results import Scores
from gainful.stats.paired import non_inferiority, paired_t, regression
from gainful.stats.power import detectable_effect
from gainful.stats.spread import spread


def gateable(measure: Measure) -> Measure:
    """The measure; an error if a drop of its mean says nothing, or cannot be tested."""
    if measure.whole or measure.average != "mean":
        message = f"gate: {measure} is no mean over queries. Gate another measure, such as nDCG@10."
        raise ComparisonError(message, code="unfit-measure")
    if not measure.higher_is_better:
        message = (
            f"gate: {measure} is not better when it is higher. Gate another measure, such as "
            "nDCG@10; --min-judged asks for judged items."
        )
        raise ComparisonError(message, code="unfit-measure")
    return measure


def values_of(candidate: Scores, baseline: Scores | None, measure: Measure) -> FloatArray:
    """The values of the candidate, and those of the baseline below them."""
    if baseline is None:
        return candidate.column(measure)[np.newaxis]
    if candidate.queries != baseline.queries:
        _refuse_others(candidate, baseline)
    return np.stack([candidate.column(measure), baseline.column(measure)])


def _refuse_others(candidate: Scores, baseline: Scores) -> None:
    for run, other in ((candidate, baseline), (baseline, candidate)):
        missing = sorted(set(other.queries) - set(run.queries))
        if missing:
            message = (
                f"gate: both runs must have the same queries, got nothing for query {missing[0]!r} "
                f"in run {run.run!r}, which missing=skip leaves out. Pass --missing zero."
            )
            raise ComparisonError(message, code="unlike-runs")


def numbers(
    values: FloatArray,
    measure: Measure,
    thresholds: Thresholds,
    candidate: Scores,
    baseline: Scores | None,
) -> Gated:
    """What the values of one measure come to."""
    defined = values[:, ~np.isnan(values).any(axis=0)]
    if not defined.size:
        message = f"gate: {measure} has no value for any query; there is nothing to decide on."
        raise ComparisonError(message, code="no-values")
    means = [measure.averaged(row) for row in values]
    judged = judged_share(candidate, measure)
    if baseline is None:
        return Gated(measure, thresholds, defined.shape[1], means[0], judged=judged)
    differences = defined[0] - defined[1]
    return replace(
        Gated(measure, thresholds, len(differences), means[0], means[1], judged=judged),
        difference=measure.averaged(defined[0]) - measure.averaged(defined[1]),
        judged_before=judged_share(baseline, measure),
        **(_tested(differences, thresholds) if len(differences) > 1 else {}),
    )


def _tested(differences: FloatArray, thresholds: Thresholds) -> dict[str, Any]:
    """How sure the difference is, by tests at one side of it."""
    alpha, sides = thresholds.alpha, 2
    effect = detectable_effect(len(differences), alpha=sides * alpha)
    return {
        "lower": paired_t(differences, level=1 - sides * alpha).interval.low,
        "p_regression": regression(differences),
        "p_noninferior": non_inferiority(differences, thresholds.allowed),
        "detectable": effect * spread(differences).deviation,
    }
