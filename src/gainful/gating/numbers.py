"""The numbers of one measure: means, their difference, and how sure it is."""

import numpy as np

from gainful.errors import ComparisonError
from gainful.gating import _statistics
from gainful.gating.coverage import judged_share, without_nan
from gainful.gating.result import Gated
from gainful.gating.thresholds import Thresholds
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.results import Scores


def gateable(measure: Measure) -> Measure:
    """The measure; an error if a drop of its mean says nothing, or cannot be tested."""
    if measure.whole or measure.average != "mean":
        message = f"gate: {measure} is no mean over queries. Gate another measure, such as nDCG@10."
        raise ComparisonError(message)
    if not measure.higher_is_better:
        message = (
            f"gate: {measure} is not better when it is higher. Gate another measure, such as "
            "nDCG@10; --min-judged asks for judged items."
        )
        raise ComparisonError(message)
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
            raise ComparisonError(message)


def numbers(
    values: FloatArray,
    measure: Measure,
    thresholds: Thresholds,
    candidate: Scores,
    baseline: Scores | None,
) -> Gated:
    """What the values of one measure come to."""
    defined = without_nan(values)
    if not defined.size:
        message = f"gate: {measure} has no value for any query; there is nothing to decide on."
        raise ComparisonError(message)
    means = [measure.averaged(row) for row in values]
    judged = judged_share(candidate, measure)
    if baseline is None:
        return Gated(measure, thresholds, defined.shape[1], means[0], judged=judged)
    differences, alpha = defined[0] - defined[1], thresholds.alpha
    many = len(differences) > 1
    return Gated(
        measure,
        thresholds,
        len(differences),
        candidate=means[0],
        baseline=means[1],
        difference=measure.averaged(defined[0]) - measure.averaged(defined[1]),
        lower=_statistics.lower_end(differences, alpha) if many else None,
        p_regression=_statistics.regression(differences) if many else None,
        p_noninferior=_statistics.non_inferiority(differences, thresholds.allowed)
        if many
        else None,
        detectable=_statistics.detectable(differences, alpha) if many else None,
        judged=judged,
        judged_before=judged_share(baseline, measure),
    )
