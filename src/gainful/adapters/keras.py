"""Measures as Keras takes them: functions of labels and scores, and metrics that accumulate.

Keras need not be installed. Tensors are taken by DLPack, arrays and lists as they are.
"""

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.adapters._query_lists import (
    ListMeasures,
    Lists,
    drop_padding,
    parse_list_measures,
    parse_single_measure,
    read_numbers,
)
from gainful.alignment import Rules
from gainful.base import FloatArray, IntArray, ragged
from gainful.errors import RuleError, SourceError
from gainful.measures import Measure

if TYPE_CHECKING:
    from gainful.dialects import Dialect


def call_on_host(function: Callable[[Any, Any], Any], y_true: object, y_pred: object) -> Any:
    """Return what the function returns: at once, or from within the graph when it runs.

    The function gives one number of single precision for each row of ``y_pred``.
    """
    inputs = y_true, y_pred
    jax, tensorflow = sys.modules.get("jax"), sys.modules.get("tensorflow")
    if jax is not None and any(isinstance(leaf, jax.core.Tracer) for leaf in _list_leaves(inputs)):
        shape = jax.ShapeDtypeStruct(_get_batch_shape(y_pred), np.float32)
        return jax.pure_callback(function, shape, *inputs)
    if tensorflow is not None and any(map(tensorflow.is_symbolic_tensor, _list_leaves(inputs))):
        rows = tensorflow.numpy_function(function, inputs, tensorflow.float32)
        rows.set_shape(_get_batch_shape(y_pred))
        return rows
    return function(*inputs)


def _list_leaves(inputs: tuple[Any, Any]) -> list[Any]:
    y_true, y_pred = inputs
    return [*(y_true.values() if isinstance(y_true, dict) else [y_true]), y_pred]


def _get_batch_shape(y_pred: Any) -> tuple[int | None]:
    return (1 if len(y_pred.shape) == 1 else y_pred.shape[0],)


__all__ = ["RankingMetric", "metric"]


def metric(
    measure: str | Measure = "nDCG",
    *,
    dialect: "str | Dialect | None" = "keras-rs",
    rules: Rules | None = None,
    name: str | None = None,
) -> Callable[[Any, Any], Any]:
    """A function of ``y_true`` and ``y_pred``, for ``model.compile(metrics=[...])``.

    It returns one value for each list, in single precision; Keras takes their mean. A list that is
    nothing but padding has 0. From a graph that JAX or TensorFlow has compiled it is called back.

    Args:
        measure: Any that reads labels, one value per list.
        dialect: Whose definition holds; None for our own, ties averaged.
        rules: How to rank, where there is no dialect.
        name: What Keras calls it; made from the measure if None.

    >>> ndcg = metric("nDCG@10")
    >>> ndcg.__name__
    'ndcg_at_10'
    >>> ndcg([[0, 1, -1], [1, 0, 0]], [[0.9, 0.8, 1.0], [0.9, 0.8, 0.7]]).round(4)
    array([0.6309, 1.    ], dtype=float32)
    """
    measures = parse_list_measures(
        "metric", parse_single_measure("metric", measure), dialect, rules
    )
    if measures.rules.empty in ("nan", "skip"):
        message = (
            "metric: Keras takes the mean of all lists and leaves none out, "
            f"got empty={measures.rules.empty}. Take RankingMetric."
        )
        raise RuleError(message, code="refused-rule")

    def compute_on_host(y_true: object, y_pred: object) -> Any:
        return _compute_values(measures, drop_padding(y_true, y_pred, measures.rules)).astype(
            np.float32
        )

    def compute(y_true: object, y_pred: object) -> Any:
        return call_on_host(compute_on_host, y_true, y_pred)

    compute.__name__ = compute.__qualname__ = name or _make_name(measures.requested[0])
    compute.__doc__ = f"{measures.requested[0]} of each list."
    return compute


class RankingMetric:
    """A measure over batches of lists, by the methods that a metric of Keras has.

    The mean is over all lists, whatever the size of batches. A list that is nothing but padding
    is left out. For ``model.compile`` take ``metric()``; this is for loops of your own. For the
    arguments see ``metric``.

    >>> metric = RankingMetric("nDCG@10")
    >>> metric.update_state([[0, 1, -1]], [[0.9, 0.8, 1.0]])
    >>> metric.update_state([[1, 0, 0]], [[0.9, 0.8, 0.7]])
    >>> round(metric.result(), 4)
    0.8155
    """

    def __init__(
        self,
        measure: str | Measure = "nDCG",
        *,
        dialect: "str | Dialect | None" = "keras-rs",
        rules: Rules | None = None,
        name: str | None = None,
    ) -> None:
        self.measure = parse_single_measure("RankingMetric", measure)
        self.name = name or _make_name(self.measure)
        self._measures = parse_list_measures("RankingMetric", self.measure, dialect, rules)
        self.reset_state()

    def update_state(self, y_true: object, y_pred: object, sample_weight: object = None) -> None:
        """Add a batch of lists; ``sample_weight`` is one number, or one for each list."""
        lists = drop_padding(y_true, y_pred, self._measures.rules)
        weights = _check_weights(sample_weight, len(lists.sizes))
        has_items = lists.sizes > 0
        values = _compute_values(self._measures, lists)
        self._values.append(values[has_items])
        self._weights.append(weights[has_items])

    def result(self) -> float:
        """The mean over all lists so far; 0 if there were none, as Keras has it."""
        values, weights = np.concatenate(self._values), np.concatenate(self._weights)
        defined = ~np.isnan(values)
        return ragged.mean(values, weights) if weights[defined].any() else 0.0

    def reset_state(self) -> None:
        """Forget all lists."""
        self._values: list[FloatArray] = [np.zeros(0)]
        self._weights: list[FloatArray] = [np.zeros(0)]

    def merge_state(self, metrics: "list[RankingMetric]") -> None:
        """Add the lists of other metrics, of other processes for example."""
        for other in metrics:
            self._values += other._values
            self._weights += other._weights

    def __call__(self, y_true: object, y_pred: object, sample_weight: object = None) -> float:
        """The mean over all lists, those of this batch included."""
        self.update_state(y_true, y_pred, sample_weight)
        return self.result()


def _compute_values(measures: ListMeasures, lists: Lists) -> FloatArray:
    """Return one value for each list, 0 for a list without items."""
    values = np.zeros(len(lists.sizes))
    sizes: IntArray = lists.sizes[lists.sizes > 0]
    if len(sizes):
        scores = measures.compute_scores(lists.label, lists.score, group_sizes=sizes)
        values[lists.sizes > 0] = scores.values[:, 0]
    return values


def _check_weights(sample_weight: object, n_lists: int) -> FloatArray:
    weights = read_numbers(1.0 if sample_weight is None else sample_weight, "sample_weight").astype(
        np.float64
    )
    if weights.shape == (n_lists, 1):
        weights = weights[:, 0]
    if weights.shape not in ((), (n_lists,)) or not (weights >= 0).all():
        message = (
            f"sample_weight: must be one number >= 0, or one for each of {n_lists} lists, "
            f"got {sample_weight!r:.60}."
        )
        raise SourceError(message, code="bad-weights")
    return np.broadcast_to(weights, n_lists)


def _make_name(measure: Measure) -> str:
    """Return the measure as a Python identifier.

    >>> from gainful.measures import P
    >>> _make_name(P(rel=2) @ 5)
    'p_rel_2_at_5'
    """
    text = str(measure).lower().replace(")@", "@").replace("@", "_at_")
    return re.sub(r"\W+", "_", text).strip("_")
