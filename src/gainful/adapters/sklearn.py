"""scikit-learn's ``dcg_score`` and ``ndcg_score``, and a scorer that knows of queries.

``from gainful.adapters.sklearn import ndcg_score`` takes the place of
``from sklearn.metrics import ndcg_score``: the same arguments, the same values, the same kinds of
errors. ``ranking_scorer`` is what scikit-learn lacks: any measure as ``scoring=`` of
``cross_val_score`` or ``GridSearchCV``, query by query.
"""

from numbers import Integral, Real
from typing import Any

import numpy as np

from gainful.adapters._query_lists import list_measures
from gainful.adapters._ranking_scorer import RankingScorer, ranking_scorer
from gainful.errors import MeasureError, SourceError
from gainful.measures import DCG, Measure, nDCG
from gainful.ragged import FloatArray
from gainful.sources import arrays

__all__ = ["RankingScorer", "dcg_score", "ndcg_score", "ranking_scorer"]


def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """The mean discounted cumulative gain of rankings, one in each row.

    Args:
        y_true: Labels, of as many items in every row.
        y_score: What orders them, highest first; equal scores are averaged.
        k: Look only at the first k ranks.
        log_base: Of the discount's logarithm, above 1.
        sample_weight: How much each row counts.
        ignore_ties: Take equal scores as they come out of sorting, which is faster.

    >>> dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    9.499457825916874
    """
    if not isinstance(log_base, Real) or not log_base > 1:
        message = f"log_base: must be a number above 1, got {log_base!r:.60}."
        raise MeasureError(message, code="bad-argument")
    measure = DCG if log_base == 2 else DCG(discount=f"log({float(log_base)!r})")
    return _mean(measure, y_true, y_score, k, sample_weight, ignore_ties)


def ndcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """The mean normalised discounted cumulative gain of rankings; see ``dcg_score``.

    Labels must not be negative, and a ranking has at least two items. One without gain counts 0.

    >>> ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    0.6956940443813076
    """
    return _mean(nDCG, y_true, y_score, k, sample_weight, ignore_ties)


def _mean(
    measure: Measure, y_true: Any, y_score: Any, k: Any, sample_weight: Any, ignore_ties: bool
) -> float:
    labels, scores = _table(y_true, "y_true"), _table(y_score, "y_score")
    if scores.shape != labels.shape:
        message = f"y_score: must have the shape of y_true, {labels.shape}, got {scores.shape}."
        raise SourceError(message, code="unequal-lengths")
    _check(labels, k, sample_weight, ignore_ties)
    cut = measure if k is None else measure @ int(k)
    if ignore_ties:
        # As they come out of this very sort, which is not stable.
        order = np.argsort(scores)[:, ::-1]
        labels = np.take_along_axis(labels, order, axis=1)
    dialect = "sklearn-ignore-ties" if ignore_ties else "sklearn"
    asked = list_measures("ndcg_score", cut, dialect, None)
    taken = asked.taken(labels, None if ignore_ties else scores)
    return float(np.average(taken.values[:, 0], weights=sample_weight))


def _check(labels: FloatArray, k: Any, sample_weight: Any, ignore_ties: Any) -> None:
    if k is not None and (not isinstance(k, Integral) or k < 1):
        message = f"k: must be an integer >= 1, got {k!r:.60}."
        raise MeasureError(message, code="bad-argument")
    if not isinstance(ignore_ties, bool | np.bool_):
        message = f"ignore_ties: must be True or False, got {ignore_ties!r:.60}."
        raise MeasureError(message, code="bad-argument")
    if sample_weight is not None and len(sample_weight) != len(labels):
        message = (
            f"sample_weight: must be one for each of {len(labels)} rankings, "
            f"got {len(sample_weight)}."
        )
        raise SourceError(message, code="bad-weights")


def _table(given: Any, name: str) -> FloatArray:
    """Finite numbers in rows and columns; two columns at least."""
    if isinstance(given, str | bytes) or not hasattr(given, "__len__"):
        message = f"{name}: must be an array of rankings, one a row, got {given!r:.60}."
        raise SourceError(message, code="wrong-type")
    try:
        table = np.asarray(given)
    except ValueError:
        message = f"{name}: must have rows of one length, got {given!r:.60}."
        raise SourceError(message, code="wrong-shape") from None
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        message = (
            f"{name}: must have a row for each ranking and a column for each of 2 items or more, "
            f"got the shape {table.shape}."
        )
        raise SourceError(message, code="wrong-shape")
    flat = arrays.converted(table.ravel(), name)
    if not np.isfinite(flat).all():
        message = f"{name}: must be finite numbers, got {flat[~np.isfinite(flat)][0]}."
        raise SourceError(message, code="not-numbers")
    return flat.reshape(table.shape)
