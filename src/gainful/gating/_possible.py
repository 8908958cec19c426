"""What the labels of unjudged items could still make of a difference."""

from typing import NamedTuple

from gainful.interval import Interval
from gainful.measures import Measure
from gainful.ragged import BoolArray, FloatArray
from gainful.rules import Rules
from gainful.sources import Judgments, Run


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
    judgments: Judgments, baseline: Run, candidate: Run, measure: Measure, rules: Rules
) -> Possible | None:
    """Where the numbers of a measure may lie; None where that cannot be worked out."""
    return None
