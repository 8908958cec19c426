"""Labels and scores of all queries in one list, as libraries that learn to rank hand them over."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.asked import Measures, as_dialect, as_measures, as_rules, settled_measures
from gainful.at_hand import rankings_at_hand
from gainful.errors import MeasureError, RuleError, SourceError
from gainful.functions import common_reach, valued
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings
from gainful.records import Record
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import arrays

if TYPE_CHECKING:
    from gainful.dialects import Dialect


@dataclass(eq=False, repr=False)
class ListMeasures(Record):
    """Measures of lists in which every item has a label and a score, and how they are taken.

    Attributes:
        measures: What was asked for.
        settled: The same, as the dialect defines them.
        rules: How to rank and average.
    """

    measures: tuple[Measure, ...]
    settled: tuple[Measure, ...]
    rules: Rules

    def means(self, labels: Any, scores: Any, *, weights: Any = None, **groups: Any) -> list[float]:
        """The mean of every measure over the queries.

        Args:
            labels: Of all rows.
            scores: What orders the rows of a query; None if they are in order.
            weights: How much each query counts; in the order of their first rows.
            **groups: What cuts the rows into queries: ``group_sizes`` or ``query_ids``.
        """
        taken = self.taken(labels, scores, weights=weights, **groups)
        return [taken[measure] for measure in taken.measures]

    def taken(self, labels: Any, scores: Any, *, weights: Any = None, **groups: Any) -> Scores:
        """The values of every query."""
        how: Any = {"spoken": self.rules, "reach": common_reach(self.settled)}
        parts, _, rules = rankings_at_hand(labels, scores, groups, {}, **how)
        values, empty = valued(parts, self.settled, rules, self.measures)
        return Scores(
            run="run",
            queries=tuple(map(str, range(len(values)))),
            measures=self.settled,
            values=values,
            rules=rules,
            notices=(),
            weights=weights,
            empty=dict(zip(self.settled, empty.T, strict=True)) if rules.empty_weight else {},
        )


def list_measures(
    wanted_by: str, measures: Measures, dialect: "str | Dialect | None", rules: Rules | None
) -> ListMeasures:
    """The measures that were asked for; an error where one cannot be taken of such lists."""
    spoken = as_dialect(dialect, rules)
    settled = settled_measures(measures, spoken)
    asked = tuple(settled)
    for measure in asked:
        if measure.whole or not issubclass(JudgedRankings, measure.reads):
            message = f"{wanted_by}: takes measures of items with one label each, got {measure}."
            raise MeasureError(message, code="unfit-measure")
    if spoken is not None:
        return ListMeasures(asked, tuple(settled.values()), spoken.rules)
    if rules is not None and (as_rules(rules).depth is not None or rules.order != "score"):
        message = f"{wanted_by}: scores order the items, and measures cut them, got {rules}."
        raise RuleError(message, code="refused-rule")
    unaveraged = [measure for measure in asked if not measure.averages_ties]
    if rules is None and unaveraged:
        message = (
            f"{wanted_by}: no exact average over ties is known for {unaveraged[0]}. "
            "Pass rules=Rules(ties=...), for example 'worst'."
        )
        raise MeasureError(message, code="no-exact-average")
    return ListMeasures(asked, asked, rules or Rules(ties="average"))


def one_measure(wanted_by: str, measures: Measures) -> Measure:
    """The one measure that was asked for."""
    asked = as_measures(measures)
    if len(asked) > 1:
        message = f"{wanted_by}: takes one measure, got {', '.join(map(str, asked))}."
        raise MeasureError(message, code="one-measure")
    return asked[0]


def query_weights(row_weights: Any, group_sizes: Any) -> FloatArray:
    """The mean weight of each query's rows, in single precision, as LightGBM has it.

    >>> query_weights([1, 3, 2], [2, 1]).tolist()
    [2.0, 2.0]
    """
    weights = arrays.numbers(row_weights, "weights").astype(np.float32)
    if len(weights) != np.sum(group_sizes):
        message = (
            f"weights: must be one for each of {np.sum(group_sizes)} rows, got {len(weights)}."
        )
        raise SourceError(message, code="bad-weights")
    sizes = np.asarray(group_sizes, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    start, longest = (np.cumsum(sizes) - sizes)[order], sizes[order]
    sums = np.zeros(len(sizes), dtype=np.float32)
    # Place by place, so that every sum is rounded as if rows were added one by one.
    for place in range(sizes.max(initial=0)):
        n_left = np.searchsorted(-longest, -place)
        sums[:n_left] += weights[start[:n_left] + place]
    found = np.empty(len(sizes))
    found[order] = sums / np.maximum(longest, 1).astype(np.float32)
    return found
