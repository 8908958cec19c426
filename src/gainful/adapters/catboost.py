"""Any measure as evaluation metric of CatBoost: ``CatBoost({"eval_metric": eval_metric(...)})``.

CatBoost does not tell a metric which query a row belongs to, so the sets that it will be taken of
are named when it is made. Logs show a measure by its text.
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
from gainful.base import FloatArray, Frozen, IntArray
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
    """What CatBoost takes as ``eval_metric``.

    Sets are told apart by their labels. Rows that CatBoost has shuffled, as it does for ordered
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
    one = parse_single_measure("eval_metric", measure)
    if not sets:
        message = "eval_metric: needs the sets it will be taken of. Pass Pools, or (y, group_id)."
        raise SourceError(message, code="bad-groups")
    return _make_metric(
        str(one), parse_list_measures("eval_metric", one, dialect, rules), _find_groups(sets)
    )


@dataclass(eq=False)
class _Groups(Frozen):
    """The labels of a set, as CatBoost has them, and how many rows each query has."""

    labels: "np.ndarray[Any, np.dtype[np.float32]]"
    sizes: IntArray


class EvalMetric:
    """One measure, with the methods that CatBoost calls."""

    def __init__(self, asked: ListMeasures, sets: tuple[_Groups, ...]) -> None:
        self._asked = asked
        self._sets = sets

    def is_max_optimal(self) -> bool:
        """Whether the highest value is the best one."""
        return self._asked.measures[0].higher_is_better

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        """The mean over the queries, and 1: there is nothing left to divide it by."""
        labels = _convert_numbers(target)
        sizes = self._sizes(labels)
        by_query = (
            None if weight is None else average_query_weights(_convert_numbers(weight), sizes)
        )
        how: Any = {"group_sizes": sizes, "weights": by_query}
        return self._asked.means(labels, _convert_numbers(approxes[0]), **how)[0], 1.0

    def get_final_error(self, error: float, weight: float) -> float:
        """The value, once all is added up."""
        return error / weight

    def _sizes(self, labels: FloatArray) -> IntArray:
        for one in self._sets:
            if np.array_equal(one.labels, labels):
                return one.sizes
        lengths = ", ".join(str(len(one.labels)) for one in self._sets)
        message = (
            f"eval_metric: no set has the {len(labels)} labels that CatBoost passes, in their "
            f"order, got sets of {lengths}. Name every set, and pass has_time=True to CatBoost if "
            "it shuffles rows."
        )
        raise SourceError(message, code="bad-groups")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied by its name: CatBoost copies it, and the class has no module to be found in."""
        return _make_metric, (type(self).__name__, self._asked, self._sets)


def _make_metric(name: str, asked: ListMeasures, sets: tuple[_Groups, ...]) -> EvalMetric:
    """The metric, of a class that is called like the measure: that is what logs show."""
    made: type[EvalMetric] = type(name, (EvalMetric,), {})
    return made(asked, sets)


def _find_groups(sets: tuple[Any, ...]) -> tuple[_Groups, ...]:
    known: list[_Groups] = []
    for one in sets:
        is_pool = hasattr(one, "get_group_id_hash")
        if not is_pool and not (isinstance(one, tuple | list) and len(one) == 2):
            message = f"eval_metric: a set must be a Pool, or (y, group_id), got {one!r:.60}."
            raise SourceError(message, code="wrong-type")
        labels, ids = (one.get_label(), one.get_group_id_hash()) if is_pool else one
        numbers = _convert_numbers(labels).astype(np.float32)
        if len(ids) != len(numbers):
            message = f"group_id: must be one for each of {len(numbers)} labels, got {len(ids)}."
            raise SourceError(message, code="bad-groups")
        known.append(_Groups(numbers, _count_rows(np.asarray(ids))))
    for one, other in combinations(known, 2):
        alike = np.array_equal(one.labels, other.labels)
        if alike and not np.array_equal(one.sizes, other.sizes):
            message = "eval_metric: two sets have the same labels, but other queries."
            raise SourceError(message, code="bad-groups")
    return tuple(known)


def _count_rows(ids: Any) -> IntArray:
    """How many rows each query has; an error where they do not stand together."""
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
    again = len(starts) - len(set(ids[starts].tolist()))
    if again:
        message = f"group_id: the rows of a query must stand together, got {again} apart."
        raise SourceError(message, code="bad-groups")
    return np.diff(starts, append=len(ids))


def _convert_numbers(given: Any) -> FloatArray:
    """What CatBoost passes, which old versions wrap in a sequence of their own."""
    if not hasattr(given, "__array__"):
        given = np.fromiter(given, dtype=np.float64, count=len(given))
    return arrays.to_float64(given, "labels")
