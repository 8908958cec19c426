"""Where a difference may lie whatever the labels of unjudged items are."""

from gainful.interval import Interval
from gainful.measures import Measure
from gainful.rules import Rules
from gainful.sources import Judgments, Run


def possible_difference(
    judgments: Judgments, baseline: Run, candidate: Run, measure: Measure, rules: Rules
) -> Interval | None:
    """The interval of the mean difference; None where it cannot be worked out."""
    return None
