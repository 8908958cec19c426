"""Labels and scores of all queries in one list, as libraries that learn to rank hand them over."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.alignment import JudgedRankings, Rules, is_padding, rankings_from_arrays
from gainful.base import FloatArray, IntArray, Record
from gainful.errors import MeasureError, RuleError, SourceError
from gainful.evaluation import (
    Measures,
    Scores,
    common_reach,
    list_measures,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
    values_from_arrays,
)
from gainful.measures import Measure
from gainful.sources import arrays, to_array

if TYPE_CHECKING:
    from gainful.dialects import Dialect


def read_numbers(given: object, name: str) -> Any:
    """A NumPy array of numbers, be they on a graphics card, under gradients, or in a list.

    Tensors are shared by DLPack, and not copied where the processor can reach them.

    >>> read_numbers([1, 0], "target")
    array([1, 0])
    """
    try:
        array = np.asarray(to_array(_detach(given), name))
    except SourceError:
        raise
    except ValueError:  # lists of different lengths
        raise _make_type_error(given, name) from None
    if array.dtype.kind not in "biuf" and array.size:
        raise _make_type_error(given, name)
    return array if array.size else array.astype(np.float64)


def check_order(array: Any, name: str) -> Any:
    """The numbers, unless one of them cannot be ordered: NaN."""
    bad = np.isnan(array)
    if bad.any():
        place = int(bad.ravel().argmax())
        message = f"{name}: must be numbers that can be ordered, got nan at position {place}."
        raise SourceError(message, code="not-numbers")
    return array


def device_of(given: Any) -> str | None:
    """Where a tensor of torch is; None for what is none.

    >>> device_of([1, 0]) is None
    True
    """
    is_torch = type(given).__module__.partition(".")[0] == "torch" and hasattr(given, "device")
    return str(given.device) if is_torch else None


def torch_tensor(values: object, device: str) -> Any:
    """The values as a tensor of torch, which is loaded: tensors came in."""
    torch = sys.modules["torch"]
    return torch.tensor(values, dtype=torch.float32, device=device)


def _detach(given: Any) -> Any:
    for step in ("detach", "cpu"):
        given = getattr(given, step, lambda same=given: same)()
    # NumPy has no such type; single precision holds all of its numbers.
    return given.float() if str(getattr(given, "dtype", "")).endswith("bfloat16") else given


def _make_type_error(given: object, name: str) -> SourceError:
    return SourceError(f"{name}: must be numbers, got {given!r:.60}.", code="not-numbers")


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

    def means(
        self, labels: object, scores: object, *, weights: object = None, **groups: object
    ) -> list[float]:
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
        parts, _, rules = rankings_from_arrays(
            labels,
            scores,
            groups,
            {},
            dialect_rules=self.rules,
            reach=common_reach(self.settled),
        )
        values, empty = values_from_arrays(parts, self.settled, rules, self.measures)
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


def parse_list_measures(
    wanted_by: str, measures: Measures, dialect: "str | Dialect | None", rules: Rules | None
) -> ListMeasures:
    """The measures that were asked for; an error where one cannot be taken of such lists."""
    spoken = resolve_dialect(dialect, rules)
    settled = resolve_measures(measures, spoken)
    asked = tuple(settled)
    for measure in asked:
        if measure.whole or not issubclass(JudgedRankings, measure.reads):
            message = f"{wanted_by}: takes measures of items with one label each, got {measure}."
            raise MeasureError(message, code="unfit-measure")
    if spoken is not None:
        return ListMeasures(asked, tuple(settled.values()), spoken.rules)
    if rules is not None and (resolve_rules(rules).depth is not None or rules.order != "score"):
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


def parse_single_measure(wanted_by: str, measures: Measures) -> Measure:
    """The one measure that was asked for."""
    asked = list_measures(measures)
    if len(asked) > 1:
        message = f"{wanted_by}: takes one measure, got {', '.join(map(str, asked))}."
        raise MeasureError(message, code="one-measure")
    return asked[0]


def average_query_weights(row_weights: Any, group_sizes: Any) -> FloatArray:
    """The mean weight of each query's rows, in single precision, as LightGBM has it.

    >>> average_query_weights([1, 3, 2], [2, 1]).tolist()
    [2.0, 2.0]
    """
    weights = arrays.to_numbers(row_weights, "weights").astype(np.float32)
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


class Lists(NamedTuple):
    """The items of all rows that are no padding, and how many each row has."""

    label: FloatArray
    score: FloatArray
    sizes: IntArray


def drop_padding(y_true: object, y_pred: object, rules: Rules) -> Lists:
    """The items of each list that are no padding; one list alone is a batch of one.

    Args:
        y_true: Labels, or ``{"labels": ..., "mask": ...}`` as keras-rs takes them.
        y_pred: Scores.
        rules: What says which labels are padding.
    """
    asked = y_true if isinstance(y_true, dict) else {"labels": y_true}
    if "labels" not in asked:
        message = f"y_true: must have labels, got {', '.join(map(str, asked)) or 'nothing'}."
        raise SourceError(message, code="missing-column")
    label, score = _to_lists(asked["labels"], "y_true"), _to_lists(y_pred, "y_pred")
    kept = ~is_padding(label, rules)
    if asked.get("mask") is not None:
        kept &= _check_shape(_to_lists(asked["mask"], "mask"), label, "mask").astype(np.bool_)
    score = _check_shape(score, label, "y_pred")
    check_order(np.where(kept, score, 0.0), "y_pred")  # padding may have any score
    return Lists(label[kept], score[kept], kept.sum(axis=1))


def _to_lists(given: object, name: str) -> Any:
    array = read_numbers(given, name)
    if array.ndim not in (1, 2):
        message = f"{name}: must be one list, or a batch of lists, got the shape {array.shape}."
        raise SourceError(message, code="wrong-shape")
    return np.atleast_2d(array).astype(np.float64)


def _check_shape(array: Any, label: Any, name: str) -> Any:
    if array.shape != label.shape:
        message = f"{name}: must have the shape of y_true, {label.shape}, got {array.shape}."
        raise SourceError(message, code="unequal-lengths")
    return array
