"""Any measure as evaluation function of LightGBM.

``lightgbm.train(..., feval=feval("nDCG@10"))`` takes it in training, and
``LGBMRanker().fit(..., eval_metric=eval_metric("nDCG@10"))`` in the interface of scikit-learn.
Logs show a measure by its text.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.adapters._query_lists import ListMeasures, average_query_weights, parse_list_measures
from gainful.alignment import Rules
from gainful.errors import SourceError
from gainful.evaluation import Measures

if TYPE_CHECKING:
    from gainful.dialects import Dialect

__all__ = ["eval_metric", "feval"]

Result = tuple[str, float, bool]


def feval(
    measures: Measures, *, dialect: "str | Dialect | None" = None, rules: Rules | None = None
) -> "Feval":
    """Return a function that ``lightgbm.train`` and ``lightgbm.cv`` take as ``feval``.

    Several measures give several results. Every row is judged, by its label. Weights of rows count
    as LightGBM has them: a query weighs as much as its rows do on average.

    Args:
        measures: One or several: ``"nDCG@10"``, ``["AP", "nDCG@5,10"]``.
        dialect: Whose definition holds: ``"lightgbm"`` gives the numbers of LightGBM's own metric.
        rules: How to rank and average; if not given, ties are averaged.

    >>> class Dataset:  # as LightGBM has it
    ...     get_label = lambda self: [1, 0, 0, 2]
    ...     get_group = lambda self: [2, 2]
    ...     get_weight = lambda self: None
    >>> feval("nDCG@10")([0.9, 0.8, 0.7, 0.6], Dataset())
    ('nDCG@10', 0.8154648767857288, True)
    """
    return Feval(parse_list_measures("feval", measures, dialect, rules))


def eval_metric(
    measures: Measures, *, dialect: "str | Dialect | None" = None, rules: Rules | None = None
) -> "EvalMetric":
    """Return a function that ``LGBMRanker.fit`` takes as ``eval_metric``.

    For arguments see ``feval``.

    >>> eval_metric(["P@1", "RR"])([1, 0, 0, 2], [0.9, 0.8, 0.7, 0.6], None, [2, 2])
    [('P@1', 0.5, True), ('RR', 0.75, True)]
    """
    return EvalMetric(parse_list_measures("eval_metric", measures, dialect, rules))


@dataclass(frozen=True)
class EvalMetric:
    """Labels, scores, weights and group sizes in; name, value and whether higher is better out."""

    measures: ListMeasures

    # LightGBM counts the arguments to know what a function takes.
    def __call__(
        self, y_true: object, y_pred: object, weight: object, group: object
    ) -> Result | list[Result]:
        return _compute_results(self.measures, y_true, y_pred, weight, group)


@dataclass(frozen=True)
class Feval:
    """Scores and a ``Dataset`` in; name, value and whether higher is better out."""

    measures: ListMeasures

    def __call__(self, preds: Any, eval_data: Any) -> Result | list[Result]:
        labels, weights = eval_data.get_label(), eval_data.get_weight()
        return _compute_results(self.measures, labels, preds, weights, eval_data.get_group())


def _compute_results(
    measures: ListMeasures, labels: object, scores: object, weights: object, group: object
) -> Result | list[Result]:
    if group is None:
        message = "lightgbm: the data have no queries. Pass group=... to Dataset, or to fit."
        raise SourceError(message, code="bad-groups")
    query_weights = None if weights is None else average_query_weights(weights, group)
    means = measures.compute_means(labels, scores, group_sizes=group, weights=query_weights)
    results = [
        (str(measure), mean, measure.higher_is_better)
        for measure, mean in zip(measures.requested, means, strict=True)
    ]
    return results if len(results) > 1 else results[0]
