"""Any measure as evaluation metric of CatBoost: ``CatBoost({"eval_metric": eval_metric(...)})``.

CatBoost does not pass a metric the query of each row, so the sets to evaluate are named when the
metric is made. Logs show a measure by its text.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.adapters._query_lists import (
    ListMeasures,
    average_query_weights,
    parse_list_measures,
    parse_single_measure,
)
from gainful.alignment import Rules
from gainful.base import FloatArray, IntArray
from gainful.errors import SourceError
from gainful.evaluation import Measures
from gainful.sources import arrays

if TYPE_CHECKING:
    from gainful.dialects import Dialect

__all__ = ["eval_metric"]


def eval_metric(
    measure: Measures,
    *sets: object,
    dialect: "str | Dialect | None" = None,
    rules: Rules | None = None,
) -> "EvalMetric":
    """Return an object that CatBoost takes as ``eval_metric``.

    Sets are identified by their labels. Rows that CatBoost has shuffled, as it does for ordered
    boosting and for features that are categories, are an error: nothing tells their queries.

    Args:
        measure: Such as ``"nDCG@10"``.
        *sets: The set to train on and those to evaluate on: each a ``Pool`` with ``group_id``, or
            labels and group ids, ``(y, group_id)``.
        dialect: Whose definition holds, such as ``"catboost"``.
        rules: How to rank and average; if not given, ties are averaged.

    >>> metric = eval_metric("nDCG@10", ([1, 0, 0, 2], ["q1", "q1", "q2", "q2"]))
    >>> metric.evaluate([[0.9, 0.8, 0.7, 0.6]], [1, 0, 0, 2], None)
    (0.8154648767857288, 1.0)
    """
    parsed = parse_single_measure("eval_metric", measure)
    if not sets:
        message = "eval_metric: needs the sets it will be taken of. Pass Pools, or (y, group_id)."
        raise SourceError(message, code="bad-groups")
    return _make_metric(
        str(parsed), parse_list_measures("eval_metric", parsed, dialect, rules), _find_groups(sets)
    )


@dataclass(frozen=True, eq=False)
class _Groups:
    """The labels of a set, as CatBoost has them, and how many rows each query has."""

    labels: "np.ndarray[Any, np.dtype[np.float32]]"
    sizes: IntArray


class EvalMetric:
    """A measure with the methods that CatBoost calls."""

    def __init__(self, measures: ListMeasures, sets: tuple[_Groups, ...]) -> None:
        self._measures = measures
        self._sets = sets

    def is_max_optimal(self) -> bool:
        """Return whether the highest value is the best one."""
        return self._measures.requested[0].higher_is_better

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        """Return the mean over the queries, and 1: there is nothing left to divide it by."""
        labels = _convert_numbers(target)
        sizes = self._find_sizes(labels)
        query_weights = (
            None if weight is None else average_query_weights(_convert_numbers(weight), sizes)
        )
        means = self._measures.compute_means(
            labels, _convert_numbers(approxes[0]), group_sizes=sizes, weights=query_weights
        )
        return means[0], 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """Return the value once all parts are added up."""
        return error / weight

    def _find_sizes(self, labels: FloatArray) -> IntArray:
        for groups in self._sets:
            if np.array_equal(groups.labels, labels):
                return groups.sizes
        lengths = ", ".join(str(len(groups.labels)) for groups in self._sets)
        message = (
            f"eval_metric: no set has the {len(labels)} labels that CatBoost passes, in their "
            f"order, got sets of {lengths}. Name every set, and pass has_time=True to CatBoost if "
            "it shuffles rows."
        )
        raise SourceError(message, code="bad-groups")

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to rebuild the metric: CatBoost copies it, and no module has its class."""
        return _make_metric, (type(self).__name__, self._measures, self._sets)


def _make_metric(name: str, measures: ListMeasures, sets: tuple[_Groups, ...]) -> EvalMetric:
    """Return the metric, of a class named after the measure: that is the name in logs."""
    metric_class: type[EvalMetric] = type(name, (EvalMetric,), {})
    return metric_class(measures, sets)


def _find_groups(sets: tuple[Any, ...]) -> tuple[_Groups, ...]:
    groups: list[_Groups] = []
    for source in sets:
        is_pool = hasattr(source, "get_group_id_hash")
        if not is_pool and not (isinstance(source, tuple | list) and len(source) == 2):
            message = f"eval_metric: a set must be a Pool, or (y, group_id), got {source!r:.60}."
            raise SourceError(message, code="wrong-type")
        labels, ids = (source.get_label(), source.get_group_id_hash()) if is_pool else source
        numbers = _convert_numbers(labels).astype(np.float32)
        if len(ids) != len(numbers):
            message = f"group_id: must be one for each of {len(numbers)} labels, got {len(ids)}."
            raise SourceError(message, code="bad-groups")
        groups.append(_Groups(numbers, _count_rows(np.asarray(ids))))
    for first, second in combinations(groups, 2):
        same_labels = np.array_equal(first.labels, second.labels)
        if same_labels and not np.array_equal(first.sizes, second.sizes):
            message = "eval_metric: two sets have the same labels, but other queries."
            raise SourceError(message, code="bad-groups")
    return tuple(groups)


def _count_rows(ids: Any) -> IntArray:
    """Return how many rows each query has; raise an error if they are not contiguous."""
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
    n_split = len(starts) - len(set(ids[starts].tolist()))
    if n_split:
        message = f"group_id: the rows of a query must stand together, got {n_split} apart."
        raise SourceError(message, code="bad-groups")
    return np.diff(starts, append=len(ids))


def _convert_numbers(values: Any) -> FloatArray:
    """Convert what CatBoost passes, which old versions wrap in a sequence of their own."""
    if not hasattr(values, "__array__"):
        values = np.fromiter(values, dtype=np.float64, count=len(values))
    return arrays.to_float64(values, "labels")
