"""Any measure of labels and scores that stand in lists, one list for each query."""

import numpy as np

from gainful.at_hand import rankings_at_hand
from gainful.errors import MeasureError
from gainful.evaluate import values_of
from gainful.measures import Measure
from gainful.ragged import FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules


def of_lists(measure: Measure, wanted_by: str) -> Measure:
    """The measure, if labels and scores are all it takes; else an error."""
    if measure.reads is not JudgedRankings or measure.whole:
        message = (
            f"{wanted_by}: must be a measure of labels, one value per query, got {measure}. "
            "Pass qrels and run to evaluate() for it."
        )
        raise MeasureError(message)
    return measure


def listed_values(
    measure: Measure,
    label: FloatArray,
    score: FloatArray,
    offsets: IntArray,
    rules: Rules,
) -> FloatArray:
    """One value per list; NaN where the rules leave a list out.

    >>> from gainful.measures import RR
    >>> label, score = np.array([0.0, 1.0, 1.0]), np.array([0.5, 0.25, 0.125])
    >>> listed_values(RR, label, score, np.array([0, 2, 3]), Rules(ties="input"))
    array([0.5, 1. ])
    """
    if len(offsets) < 2:
        return np.zeros(0)
    sizes = {"group_sizes": np.diff(offsets)}
    parts, _, held = rankings_at_hand(label, score, sizes, rules.to_dict())
    return np.concatenate([values_of(measure, part(), held) for part in parts])
