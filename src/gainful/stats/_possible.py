"""Differences whatever the labels of unjudged items, added to a comparison."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gainful.comparison.result import Comparison
from gainful.measures import Measure
from gainful.sources import Run
from gainful.unjudged.bounding import bounds
from gainful.unjudged.supported import formula_of, is_supported


def with_possible(
    comparison: Comparison, qrels: Any, runs: Sequence[Run], **how: Any
) -> Comparison:
    """The comparison, and where every difference may lie; an error if its measure has no bounds.

    Measures after the first, which are exploratory, go without where they have none.
    """
    formula_of(comparison.measures[0])
    kinds = [measure for measure in comparison.measures if is_supported(measure)]
    found = {measure: bounds(qrels, runs, measure, **how) for measure in kinds}
    compared = {measure: _compared(comparison, measure) for measure in kinds}
    pairs = tuple(
        replace(
            pair,
            possible=found[pair.measure].difference(
                pair.system, pair.baseline, queries=compared[pair.measure]
            ),
        )
        if pair.measure in found
        else pair
        for pair in comparison.pairs
    )
    return replace(comparison, pairs=pairs)


def _compared(comparison: Comparison, measure: Measure) -> list[str]:
    """The queries that have a value by every run: the difference is that of no others."""
    valued = ~np.isnan(comparison.of(measure)).any(axis=0)
    return [comparison.queries[i] for i in np.flatnonzero(valued).tolist()]
