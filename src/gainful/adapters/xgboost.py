"""Any measure as evaluation function of XGBoost.

``xgboost.train(..., custom_metric=custom_metric("nDCG@10"))`` takes it in training, and
``XGBRanker(eval_metric=eval_metric("nDCG@10"))`` in the interface of scikit-learn. Logs show a
measure by its text, without spaces, which XGBoost cannot read back.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.adapters._query_lists import ListMeasures, parse_list_measures, parse_single_measure
from gainful.alignment import Rules
from gainful.errors import SourceError
from gainful.evaluation import Measures
from gainful.measures import Measure
from gainful.sources import arrays

if TYPE_CHECKING:
    from gainful.dialects import Dialect

__all__ = ["custom_metric", "eval_metric"]

Result = tuple[str, float]


def custom_metric(
    measures: Measures, *, dialect: "str | Dialect | None" = None, rules: Rules | None = None
) -> "CustomMetric":
    """Return a function that ``xgboost.train`` and ``xgboost.cv`` take as ``custom_metric``.

    Several measures give several results. Every row is judged, by its label; weights are those of
    queries. XGBoost rounds what such a function returns to six decimals.

    Args:
        measures: One or several: ``"nDCG@10"``, ``["AP", "nDCG@5,10"]``.
        dialect: Whose definition holds: ``"xgboost"`` gives the numbers of XGBoost's own metric.
        rules: How to rank and average; if not given, ties are averaged.

    >>> import numpy as np
    >>> class DMatrix:  # as XGBoost has it
    ...     get_label = lambda self: np.array([1, 0, 0, 2])
    ...     get_uint_info = lambda self, field: np.array([0, 2, 4])
    ...     get_weight = lambda self: np.array([])
    >>> custom_metric("nDCG@10")(np.array([0.9, 0.8, 0.7, 0.6]), DMatrix())
    ('nDCG@10', 0.8154648767857288)
    """
    return CustomMetric(parse_list_measures("custom_metric", measures, dialect, rules))


def eval_metric(
    measures: Measures, *, dialect: "str | Dialect | None" = None, rules: Rules | None = None
) -> "EvalMetric":
    """Return a function that ``XGBRanker`` takes as ``eval_metric``: one measure of one query.

    XGBoost calls it query by query and takes the mean itself: weighted by the number of rows, and
    with 1 for a query of a single row. ``custom_metric`` has neither, and is faster.

    >>> eval_metric("nDCG@10")([0, 2], [0.9, 0.8])
    0.6309297535714575
    """
    measure = parse_single_measure("eval_metric", measures)
    return EvalMetric(
        parse_list_measures("eval_metric", measure, dialect, rules), _format_name(measure)
    )


@dataclass(frozen=True)
class CustomMetric:
    """Scores and a ``DMatrix`` in; name and value out."""

    measures: ListMeasures

    def __call__(self, predt: Any, dtrain: Any) -> Result | list[Result]:
        offsets = dtrain.get_uint_info("group_ptr")
        if len(offsets) < 2:
            message = "xgboost: the data have no queries. Pass qid=... or group=... to DMatrix."
            raise SourceError(message, code="bad-groups")
        weights = arrays.to_numbers(dtrain.get_weight(), "weights")
        sizes = np.diff(offsets.astype(np.int64))
        means = self.measures.compute_means(
            dtrain.get_label(),
            predt,
            group_sizes=sizes,
            weights=weights if len(weights) else None,
        )
        results = list(zip(map(_format_name, self.measures.requested), means, strict=True))
        return results if len(results) > 1 else results[0]


@dataclass(frozen=True, eq=False)
class EvalMetric:
    """Labels and scores of one query in, a value out; XGBoost reads its name."""

    measures: ListMeasures
    __name__: str

    def __call__(self, y_true: Any, y_score: Any) -> float:
        return self.measures.compute_means(y_true, y_score, group_sizes=np.array([len(y_true)]))[0]


def _format_name(measure: Measure) -> str:
    """Return the text of a measure in a form that XGBoost can read back from a log."""
    return str(measure).replace(" ", "").replace(":", "=")
