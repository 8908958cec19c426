"""What a run scores that there is nothing to compare with."""

import numpy as np

from gainful.comparison.result import System
from gainful.errors import ComparisonError
from gainful.measures import Measure
from gainful.ragged import mean
from gainful.results import Scores
from gainful.stats.bootstrap import intervals


def alone(scores: Scores, seed: int) -> tuple[System, ...]:
    """The mean and interval of every measure, all queries counting alike."""
    return tuple(_system(scores, measure, seed) for measure in scores.measures)


def _system(scores: Scores, measure: Measure, seed: int) -> System:
    values = scores.column(measure)
    known = values[~np.isnan(values)]
    if not len(known):
        message = (
            f"report: {measure} has no value for any query; there is nothing to show. "
            "Choose another measure, or another rule for queries with nothing relevant."
        )
        raise ComparisonError(message, code="no-values")
    where = intervals(known[np.newaxis], [], seed=seed).means[0]
    judged = scores.judged_of_returned(measure)
    return System(scores.run, measure, mean(known), where, judged, len(known))
