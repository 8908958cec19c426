"""What the labels of unjudged items could still make of a difference."""

from typing import Any, NamedTuple

import numpy as np

from gainful.errors import AlignError, ComparisonError, EngineError, MeasureError
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.ragged import BoolArray, FloatArray
from gainful.results import Scores
from gainful.sources import Judgments, Run
from gainful.unjudged.bounding import bounds


class Possible(NamedTuple):
    """Where numbers may lie, whatever the labels of unjudged items.

    Attributes:
        difference: The mean of the candidate less the mean of the baseline.
        candidate: The mean of the candidate.
        highest: The highest difference of each query.
        lacking: Whether the candidate has more unjudged items than the baseline, of each query.
    """

    difference: Interval
    candidate: Interval
    highest: FloatArray
    lacking: BoolArray


def possible(
    judgments: Any, baseline: Run, candidate: Run, measure: Measure, scores: Scores
) -> Possible | None:
    """Where the numbers of a measure may lie; None where that cannot be worked out.

    It can for nDCG and its kin, where labels are few and runs can be read again.

    Args:
        judgments: The qrels, as they were read.
        baseline: The run in use.
        candidate: The run that would replace it.
        measure: The measure.
        scores: What the candidate scored, whose queries and rules hold here too.
    """
    if not isinstance(judgments, Judgments) or measure.formula is None:
        return None
    if not (baseline.lasts and candidate.lasts):
        return None
    try:
        found = bounds(judgments, [baseline, candidate], measure, rules=scores.rules)
    except (AlignError, ComparisonError, EngineError, MeasureError):
        # Settings, rules or labels that have no bounds, or runs that are on Spark: the share that
        # is judged has to do.
        return None
    if found.queries != scores.queries:
        return None
    before, now = found.runs
    each = found.differences(now, before)
    unjudged_before, unjudged_now = found.n_unjudged
    return Possible(
        found.difference(now, before),
        found.mean(now),
        np.array([interval.high for interval in each]),
        unjudged_now > unjudged_before,
    )
