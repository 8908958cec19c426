"""The numbers behind the checks: means, their difference, tests, and how much is judged."""

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gainful.base import (
    TOLERANCE,
    BoolArray,
    FloatArray,
    Interval,
    to_jsonable,
)
from gainful.errors import AlignError, ComparisonError, MeasureError, SparkError
from gainful.evaluation import Collection, Scores
from gainful.gate.thresholds import Thresholds
from gainful.measures import Judged, Measure
from gainful.sources import (
    Run,
    Source,
    is_path,
    read_run,
)
from gainful.stats import (
    compute_non_inferiority_p,
    compute_regression_p,
    find_detectable_effect,
    measure_spread,
    paired_t,
)
from gainful.unjudged import compute_bounds


@dataclass(frozen=True)
class Evidence:
    """The numbers of one measure, on which its checks are based.

    What takes a baseline is None without one; what takes two queries is None for one.

    Attributes:
        measure: The measure.
        thresholds: The thresholds of the measure.
        n_queries: Number of queries with a value in both runs.
        candidate: The mean of the candidate.
        baseline: The mean of the baseline.
        difference: The mean of the candidate less the mean of the baseline.
        lower: The lower end of the one-sided confidence interval of the difference.
        p_regression: The one-sided p-value that the candidate is worse.
        p_noninferior: The one-sided p-value that it is not worse by as much as is allowed.
        detectable: The smallest drop that so many queries show four times out of five, by the
            one-sided test.
        judged: The share of what the candidate ranks within the cutoff that is judged: the mean of
            Judged@k, queries without results left out. None where items are not judged one by one.
        judged_before: That share of the baseline.
        possible: The range of the difference over all labels of unjudged items; computed for nDCG
            and related measures where a check failed.
        possible_candidate: That range of the mean of the candidate.
    """

    measure: Measure
    thresholds: Thresholds
    n_queries: int
    candidate: float
    baseline: float | None = None
    difference: float | None = None
    lower: float | None = None
    p_regression: float | None = None
    p_noninferior: float | None = None
    detectable: float | None = None
    judged: float | None = None
    judged_before: float | None = None
    possible: Interval | None = None
    possible_candidate: Interval | None = None

    @property
    def newly_unjudged(self) -> float:
        """The share of unjudged items in the candidate beyond that in the baseline.

        >>> from gainful import nDCG
        >>> Evidence(nDCG, Thresholds(), 9, 0.5, judged=0.75, judged_before=1.0).newly_unjudged
        0.25
        """
        if self.judged is None or self.judged_before is None:
            return 0.0
        return self.judged_before - self.judged

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers by name."""
        names = {"measure": str(self.measure), "thresholds": self.thresholds.to_dict()}
        numbers: dict[str, Any] = to_jsonable({**vars(self), **names})
        return numbers


def reads_plain_qrels(measure: Measure) -> bool:
    """Return True if a measure reads plain qrels: one label per item.

    >>> from gainful import StRecall, nDCG
    >>> reads_plain_qrels(nDCG), reads_plain_qrels(StRecall)
    (True, False)
    """
    return issubclass(Judged.reads, measure.reads)


def name_runs_apart(baseline: Source | Run | None, candidate: Source | Run) -> list[Run]:
    """Return the runs, candidate last, with different names.

    >>> [run.name for run in name_runs_apart("a/bm25.run", "b/bm25.run")]
    ['a/bm25.run', 'b/bm25.run']
    """
    candidate_run = read_run(candidate)
    if baseline is None:
        return [candidate_run]
    baseline_run = read_run(baseline)
    if is_path(baseline_run.source) and baseline_run.source == candidate_run.source:
        message = (
            f"gate: baseline and candidate must be two runs, got {candidate_run.place} for both. "
            "Pass the run in use, and the one that would replace it."
        )
        raise ComparisonError(message, code="too-few-runs")
    if baseline_run.name != candidate_run.name:
        return [baseline_run, candidate_run]
    if baseline_run.place != candidate_run.place:
        return [
            read_run(baseline_run, name=baseline_run.place),
            read_run(candidate_run, name=candidate_run.place),
        ]
    return [read_run(baseline_run, name="baseline"), read_run(candidate_run, name="candidate")]


# The share of newly unjudged items above which a failed check proves nothing.
MAX_NEWLY_UNJUDGED = 0.05


def compute_judged_share(scores: Scores, measure: Measure) -> float | None:
    """Return the mean of Judged@k over the queries with results; None if there is no such value.

    >>> from gainful import evaluate, nDCG
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> compute_judged_share(evaluate(qrels, {"q1": ["d1", "d2"]}, "nDCG@10"), nDCG @ 10)
    0.5
    """
    # Condensed rankings have nothing unjudged left in them.
    condensed = scores.rules.unjudged == "condense"
    if not reads_plain_qrels(measure) or measure not in scores.judged or condensed:
        return None
    share = scores.judged_of_returned(measure)
    return None if math.isnan(share) else share


def lacks_labels(evidence: Evidence) -> bool:
    """Return True if fewer items are judged than in the baseline, or than ``min_judged`` asks."""
    return _is_below_min_judged(evidence) or evidence.newly_unjudged > TOLERANCE


def lacks_many_labels(evidence: Evidence) -> bool:
    """Return True if many labels are missing, for measures without bounds on their effect."""
    too_many = evidence.newly_unjudged > MAX_NEWLY_UNJUDGED + TOLERANCE
    return too_many or _is_below_min_judged(evidence)


def _is_below_min_judged(evidence: Evidence) -> bool:
    minimum = evidence.thresholds.min_judged or 0.0
    return evidence.judged is not None and evidence.judged < minimum


def describe_depth(evidence: Evidence) -> str:
    """Describe the part of a ranking that a measure looks at.

    >>> from gainful import nDCG
    >>> from gainful.gate.thresholds import Thresholds
    >>> describe_depth(Evidence(nDCG @ 10, Thresholds(), 9, 0.5))
    'the first 10 items'
    """
    cutoff = evidence.measure.all_settings.get("cutoff")
    descriptions = {None: "the items", 1: "the first items"}  # one of each query
    return descriptions.get(cutoff, f"the first {cutoff} items")


def require_gateable(measure: Measure) -> Measure:
    """Return the measure, or raise an error if a drop of its mean cannot be tested."""
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


def stack_values(candidate: Scores, baseline: Scores | None, measure: Measure) -> FloatArray:
    """Return the values of the candidate in one row, and below them those of the baseline."""
    if baseline is None:
        return candidate.column(measure)[np.newaxis]
    if candidate.queries != baseline.queries:
        _refuse_unlike_queries(candidate, baseline)
    return np.stack([candidate.column(measure), baseline.column(measure)])


def _refuse_unlike_queries(candidate: Scores, baseline: Scores) -> None:
    for run, complete_run in ((candidate, baseline), (baseline, candidate)):
        missing = sorted(set(complete_run.queries) - set(run.queries))
        if missing:
            message = (
                f"gate: both runs must have the same queries, got nothing for query {missing[0]!r} "
                f"in run {run.run!r}, which missing=skip leaves out. Pass --missing zero."
            )
            raise ComparisonError(message, code="unlike-runs")


def collect_evidence(
    values: FloatArray,
    measure: Measure,
    thresholds: Thresholds,
    candidate: Scores,
    baseline: Scores | None,
) -> Evidence:
    """Compute the means, difference, tests and judged share of one measure."""
    defined = values[:, ~np.isnan(values).any(axis=0)]
    if not defined.size:
        message = f"gate: {measure} has no value for any query; there is nothing to decide on."
        raise ComparisonError(message, code="no-values")
    means = [measure.average_values(row) for row in values]
    judged = compute_judged_share(candidate, measure)
    if baseline is None:
        return Evidence(measure, thresholds, defined.shape[1], means[0], judged=judged)
    differences = defined[0] - defined[1]
    evidence = Evidence(
        measure,
        thresholds,
        len(differences),
        means[0],
        means[1],
        difference=measure.average_values(defined[0]) - measure.average_values(defined[1]),
        judged=judged,
        judged_before=compute_judged_share(baseline, measure),
    )
    return _add_tests(evidence, differences) if len(differences) > 1 else evidence


def _add_tests(evidence: Evidence, differences: FloatArray) -> Evidence:
    """Add the one-sided tests and the lower end of the interval of the difference."""
    alpha, sides = evidence.thresholds.alpha, 2
    effect = find_detectable_effect(len(differences), alpha=sides * alpha)
    return replace(
        evidence,
        lower=paired_t(differences, level=1 - sides * alpha).interval.low,
        p_regression=compute_regression_p(differences),
        p_noninferior=compute_non_inferiority_p(differences, evidence.thresholds.allowed_drop),
        detectable=effect * measure_spread(differences).deviation,
    )


class PossibleValues(NamedTuple):
    """The ranges of the numbers over all labels of unjudged items.

    Attributes:
        difference: The mean of the candidate less the mean of the baseline.
        candidate: The mean of the candidate.
        highest: The highest difference of each query.
        lacks_labels: For each query, True if the candidate has more unjudged items than the
            baseline.
    """

    difference: Interval
    candidate: Interval
    highest: FloatArray
    lacks_labels: BoolArray


def compute_possible_values(
    collection: Collection, measure: Measure, scores: Scores
) -> PossibleValues | None:
    """Compute the ranges of the numbers of a measure; None where there are no bounds.

    There are for nDCG and related measures, if labels are few.

    Args:
        collection: The qrels, and the run in use before the one that would replace it.
        measure: The measure.
        scores: The scores of the candidate, with the queries to use.
    """
    if measure.formula is None:
        return None
    try:
        ranges = compute_bounds(collection, None, measure)
    except (AlignError, ComparisonError, SparkError, MeasureError):
        # Settings, rules or labels without bounds, or runs on Spark: the judged share decides.
        return None
    if ranges.queries != scores.queries:
        return None
    baseline_name, candidate_name = ranges.runs
    differences = ranges.differences(candidate_name, baseline_name)
    baseline_unjudged, candidate_unjudged = ranges.n_unjudged
    return PossibleValues(
        ranges.difference(candidate_name, baseline_name),
        ranges.mean(candidate_name),
        np.array([interval.high for interval in differences]),
        candidate_unjudged > baseline_unjudged,
    )
