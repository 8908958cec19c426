"""Labels and scores of all queries in one list, as learning-to-rank libraries pass them."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings, Rules, is_padding, rankings_from_arrays
from gainful.base import FloatArray, IntArray, sum_by_query
from gainful.errors import MeasureError, RuleError, SourceError
from gainful.evaluation import (
    Measures,
    Scores,
    compute_values_from_arrays,
    find_common_reach,
    list_measures,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
)
from gainful.measures import Measure
from gainful.sources import arrays, to_array

if TYPE_CHECKING:
    from gainful.dialects import Dialect


def read_numbers(values: object, name: str) -> Any:
    """Return the values as a NumPy array of numbers.

    They may be in a list, or in a tensor, also on a graphics card or with gradients. Tensors are
    shared by DLPack, and not copied where the processor can reach them.

    >>> read_numbers([1, 0], "target")
    array([1, 0])
    """
    try:
        array = np.asarray(to_array(_detach(values), name))
    except SourceError:
        raise
    except ValueError:  # lists of different lengths
        raise _make_type_error(values, name) from None
    if array.dtype.kind not in "biuf" and array.size:
        raise _make_type_error(values, name)
    return array if array.size else array.astype(np.float64)


def check_order(array: Any, name: str) -> Any:
    """Return the array; raise an error if it has NaN, which cannot be ordered."""
    bad = np.isnan(array)
    if bad.any():
        place = int(bad.ravel().argmax())
        message = f"{name}: must be numbers that can be ordered, got nan at position {place}."
        raise SourceError(message, code="not-numbers")
    return array


def get_device(values: Any) -> str | None:
    """Return the device of a torch tensor; None for anything else.

    >>> get_device([1, 0]) is None
    True
    """
    is_torch = type(values).__module__.partition(".")[0] == "torch" and hasattr(values, "device")
    return str(values.device) if is_torch else None


def make_torch_tensor(values: object, device: str) -> Any:
    """Return the values as a torch tensor.

    Torch is loaded already: the input was tensors.
    """
    torch = sys.modules["torch"]
    return torch.tensor(values, dtype=torch.float32, device=device)


def _detach(values: Any) -> Any:
    for step in ("detach", "cpu"):
        values = getattr(values, step, lambda same=values: same)()
    # NumPy has no such type; single precision represents all of its numbers.
    return values.float() if str(getattr(values, "dtype", "")).endswith("bfloat16") else values


def _make_type_error(values: object, name: str) -> SourceError:
    return SourceError(f"{name}: must be numbers, got {values!r:.60}.", code="not-numbers")


@dataclass(frozen=True)
class ListMeasures:
    """Measures of lists in which every item has a label and a score, with their rules.

    Attributes:
        requested: The measures as the caller named them.
        resolved: The same measures as the dialect defines them.
        rules: How to rank and average.
    """

    requested: tuple[Measure, ...]
    resolved: tuple[Measure, ...]
    rules: Rules

    def compute_means(
        self, labels: object, scores: object, *, weights: object = None, **groups: object
    ) -> list[float]:
        """Return the mean of every measure over the queries.

        Args:
            labels: The labels of all rows.
            scores: Scores that order the rows of a query; None if they are in order.
            weights: The weight of each query, in the order of their first rows.
            **groups: How to split the rows into queries: ``group_sizes`` or ``query_ids``.
        """
        result = self.compute_scores(labels, scores, weights=weights, **groups)
        return [result[measure] for measure in result.measures]

    def compute_scores(
        self, labels: Any, scores: Any, *, weights: Any = None, **groups: Any
    ) -> Scores:
        """Return the values of every query."""
        parts, _, rules = rankings_from_arrays(
            labels,
            scores,
            groups,
            {},
            dialect_rules=self.rules,
            reach=find_common_reach(self.resolved),
        )
        values, empty = compute_values_from_arrays(parts, self.resolved, rules, self.requested)
        return Scores(
            run="run",
            queries=tuple(map(str, range(len(values)))),
            measures=self.resolved,
            values=values,
            rules=rules,
            notices=(),
            weights=weights,
            empty=dict(zip(self.resolved, empty.T, strict=True)) if rules.empty_weight else {},
        )


def parse_list_measures(
    caller: str, measures: Measures, dialect: "str | Dialect | None", rules: Rules | None
) -> ListMeasures:
    """Return the requested measures; raise an error for one that does not apply to lists."""
    resolved_dialect = resolve_dialect(dialect, rules)
    resolved = resolve_measures(measures, resolved_dialect)
    requested = tuple(resolved)
    for measure in requested:
        if measure.whole or not issubclass(JudgedRankings, measure.reads):
            message = f"{caller}: takes measures of items with one label each, got {measure}."
            raise MeasureError(message, code="unfit-measure")
    if resolved_dialect is not None:
        return ListMeasures(requested, tuple(resolved.values()), resolved_dialect.rules)
    if rules is not None and (
        resolve_rules(rules, None).depth is not None or rules.order != "score"
    ):
        message = f"{caller}: scores order the items, and measures cut them, got {rules}."
        raise RuleError(message, code="refused-rule")
    unaveraged = [measure for measure in requested if not measure.averages_ties]
    if rules is None and unaveraged:
        message = (
            f"{caller}: no exact average over ties is known for {unaveraged[0]}. "
            "Pass rules=Rules(ties=...), for example 'worst'."
        )
        raise MeasureError(message, code="no-exact-average")
    return ListMeasures(requested, requested, rules or Rules(ties="average"))


def parse_single_measure(caller: str, measures: Measures) -> Measure:
    """Return the requested measure; raise an error if there are several."""
    requested = list_measures(measures)
    if len(requested) > 1:
        message = f"{caller}: takes one measure, got {', '.join(map(str, requested))}."
        raise MeasureError(message, code="one-measure")
    return requested[0]


def average_query_weights(row_weights: Any, group_sizes: Any) -> FloatArray:
    """Return the mean weight of each query's rows, as LightGBM and CatBoost weight queries.

    >>> average_query_weights([1, 3, 2], [2, 1]).tolist()
    [2.0, 2.0]
    """
    weights = arrays.to_numbers(row_weights, "weights")
    sizes = np.asarray(group_sizes, dtype=np.int64)
    if len(weights) != sizes.sum():
        message = f"weights: must be one for each of {sizes.sum()} rows, got {len(weights)}."
        raise SourceError(message, code="bad-weights")
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return sum_by_query(weights, owner, len(sizes)) / np.maximum(sizes, 1)


class Lists(NamedTuple):
    """The items of all lists without padding, and the number of items in each list."""

    label: FloatArray
    score: FloatArray
    sizes: IntArray


def drop_padding(y_true: object, y_pred: object, rules: Rules) -> Lists:
    """Return the items of each list that are not padding; a single list is a batch of one.

    Args:
        y_true: Labels, or ``{"labels": ..., "mask": ...}`` as keras-rs takes them.
        y_pred: Scores.
        rules: Rules that define which labels are padding.
    """
    inputs = y_true if isinstance(y_true, dict) else {"labels": y_true}
    if "labels" not in inputs:
        message = f"y_true: must have labels, got {', '.join(map(str, inputs)) or 'nothing'}."
        raise SourceError(message, code="missing-column")
    label, score = _to_lists(inputs["labels"], "y_true"), _to_lists(y_pred, "y_pred")
    is_item = ~is_padding(label, rules)
    if inputs.get("mask") is not None:
        is_item &= _check_shape(_to_lists(inputs["mask"], "mask"), label, "mask").astype(np.bool_)
    score = _check_shape(score, label, "y_pred")
    check_order(np.where(is_item, score, 0.0), "y_pred")  # padding may have any score
    return Lists(label[is_item], score[is_item], is_item.sum(axis=1))


def _to_lists(values: object, name: str) -> Any:
    array = read_numbers(values, name)
    if array.ndim not in (1, 2):
        message = f"{name}: must be one list, or a batch of lists, got the shape {array.shape}."
        raise SourceError(message, code="wrong-shape")
    return np.atleast_2d(array).astype(np.float64)


def _check_shape(array: Any, label: Any, name: str) -> Any:
    if array.shape != label.shape:
        message = f"{name}: must have the shape of y_true, {label.shape}, got {array.shape}."
        raise SourceError(message, code="unequal-lengths")
    return array
