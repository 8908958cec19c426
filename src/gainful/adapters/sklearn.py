"""scikit-learn's ``dcg_score`` and ``ndcg_score``, and a scorer that knows of queries.

``from gainful.adapters.sklearn import ndcg_score`` takes the place of
``from sklearn.metrics import ndcg_score``: the same arguments, the same values, the same kinds of
errors. ``ranking_scorer`` is what scikit-learn lacks: any measure as ``scoring=`` of
``cross_val_score`` or ``GridSearchCV``, query by query.
"""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gainful.adapters._query_lists import ListMeasures, parse_list_measures, parse_single_measure
from gainful.alignment import Rules
from gainful.base import FloatArray, import_package
from gainful.errors import MeasureError, SourceError
from gainful.evaluation import Measures
from gainful.measures import DCG, Measure, nDCG
from gainful.sources import arrays

if TYPE_CHECKING:
    from gainful.dialects import Dialect


_RESPONSES = ("decision_function", "predict_proba", "predict")


def ranking_scorer(
    measure: Measures,
    *,
    group_column: str | int | None = None,
    groups: object = None,
    response_method: str | tuple[str, ...] = _RESPONSES,
    dialect: "str | Dialect | None" = None,
    rules: Rules | None = None,
) -> "RankingScorer":
    """Return a scorer that ``cross_val_score``, ``GridSearchCV`` and others take as ``scoring``.

    Rows of ``X`` are items, ``y`` has their labels, and the estimator ranks the items of each
    query. Which query a row belongs to is found in ``X``, or by the row's index, or it is routed:
    with ``sklearn.set_config(enable_metadata_routing=True)`` the scorer requests ``groups``, as
    group splitters do. The value is the mean over the queries that a fold holds.

    Args:
        measure: Such as ``"nDCG@10"``.
        group_column: The column of ``X`` that has the queries, or the level of its index; a number
            if ``X`` is an array.
        groups: The query of every row by its index: a Series of pandas, or a dict.
        response_method: What of the estimator ranks; of several, the first that it has. Of
            ``predict_proba`` it is the probability of the second of two classes.
        dialect: Whose definition holds, such as ``"lightgbm"``.
        rules: How to rank and average; if not given, ties are averaged.

    >>> class Ranker:
    ...     predict = lambda self, X: [row[1] for row in X]
    >>> import numpy as np
    >>> X = np.array([[7, 0.9], [7, 0.8], [8, 0.7], [8, 0.6]])
    >>> ranking_scorer("nDCG@10", group_column=0)(Ranker(), X, [1, 0, 0, 2])
    0.8154648767857288
    """
    parsed = parse_single_measure("ranking_scorer", measure)
    if not parsed.higher_is_better:
        message = f"ranking_scorer: takes a measure that is better when it is higher, got {parsed}."
        raise MeasureError(message, code="unfit-measure")
    if group_column is not None and groups is not None:
        message = "ranking_scorer: takes either group_column or groups, got both."
        raise SourceError(message, code="bad-groups")
    if groups is not None and not isinstance(groups, Mapping) and not hasattr(groups, "loc"):
        message = (
            f"groups: must be a dict or a Series, from index to query, got {groups!r:.60}. "
            "Routed groups go to cross_val_score and related functions."
        )
        raise SourceError(message, code="bad-groups")
    responses = (response_method,) if isinstance(response_method, str) else tuple(response_method)
    measures = parse_list_measures("ranking_scorer", parsed, dialect, rules)
    return RankingScorer(measures, group_column, groups, responses)


class RankingScorer:
    """A scorer of scikit-learn; ``ranking_scorer`` makes it."""

    def __init__(
        self,
        measures: ListMeasures,
        group_column: str | int | None,
        groups: object,
        responses: tuple[str, ...],
    ) -> None:
        self._measures = measures
        self._group_column = group_column
        self._groups = groups
        self._responses = responses
        # Queries that nothing else determines are routed, as to splitters by groups.
        finds_groups = group_column is not None or groups is not None
        self._requests: dict[str, Any] = {} if finds_groups else {"groups": True}

    def __call__(self, estimator: object, X: object, y: object, groups: object = None) -> float:
        """Return the mean of the measure over the queries of these rows."""
        ids = _convert_ids(self._find_queries(X) if groups is None else groups)
        labels = np.asarray(y)
        if len(ids) != len(labels):
            message = f"groups: must be one for each of {len(labels)} rows, got {len(ids)}."
            raise SourceError(message, code="bad-groups")
        return self._measures.compute_means(
            labels, self._compute_scores(estimator, X), query_ids=ids
        )[0]

    def set_score_request(self, *, groups: bool | str | None = True) -> Self:
        """Route ``groups`` to the scorer (True, or the name they are passed by), and return it.

        >>> ranking_scorer("nDCG@10").set_score_request(groups="query")
        ranking_scorer('nDCG@10')
        """
        self._requests = {"groups": groups}
        return self

    def get_metadata_routing(self) -> Any:
        """Return the metadata that scikit-learn routes to the scorer."""
        import_package("sklearn", "ranking_scorer", install="scikit-learn")
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=repr(self))
        for name, alias in self._requests.items():
            request.score.add_request(param=name, alias=alias)
        return request

    def __repr__(self) -> str:
        return f"ranking_scorer({str(self._measures.requested[0])!r})"

    def _find_queries(self, X: object) -> Any:
        """Return the query of every row, from X or its index."""
        if self._group_column is not None:
            return _get_column(X, self._group_column)
        if self._groups is not None:
            return _align_groups(X, self._groups)
        message = (
            "ranking_scorer: needs the query of each row, got none. Pass it group_column=... or "
            "groups=..., or let scikit-learn route them: sklearn.set_config("
            "enable_metadata_routing=True), params={'groups': ...}."
        )
        raise SourceError(message, code="bad-groups")

    def _compute_scores(self, estimator: object, X: object) -> FloatArray:
        """Return the scores that the estimator gives to the rows."""
        name = next((method for method in self._responses if hasattr(estimator, method)), None)
        if name is None:
            methods = " or ".join(self._responses)
            message = f"ranking_scorer: {type(estimator).__name__} has no {methods}."
            raise SourceError(message, code="wrong-type")
        response = np.asarray(getattr(estimator, name)(X))
        if name == "predict_proba" and response.ndim == 2 and response.shape[1] == 2:
            response = response[:, 1]
        if response.ndim != 1:
            message = (
                f"ranking_scorer: {name} must give one score for each row, got the shape "
                f"{response.shape}. Pass response_method='predict'."
            )
            raise SourceError(message, code="wrong-shape")
        return arrays.to_numbers(response, "scores")


def _get_column(X: Any, name: str | int) -> Any:
    """Return the values of a column, or of a level of the index."""
    columns = list(getattr(X, "columns", ()))
    if name in columns:
        return X[name]
    levels = list(getattr(getattr(X, "index", None), "names", ()))
    if name in levels:
        return X.index.get_level_values(name)
    if not columns and isinstance(name, int) and -X.shape[1] <= name < X.shape[1]:
        column = X[:, [name]]
        return np.asarray(column.todense() if hasattr(column, "todense") else column).ravel()
    column_names = ", ".join(repr(column_name) for column_name in columns) or "no names"
    message = f"group_column: X has no column {name!r}; it has {column_names}."
    raise SourceError(message, code="missing-column")


def _align_groups(X: Any, groups: Any) -> Any:
    """Return the query of each row of a pandas DataFrame, looked up by its index."""
    if not hasattr(getattr(X, "index", None), "map"):
        message = (
            f"groups: is looked up by the index of X, which {type(X).__name__} does not have. "
            "Pass group_column=..., or a frame of pandas."
        )
        raise SourceError(message, code="bad-groups")
    queries = X.index.map(groups)
    missing = np.asarray(queries.isna())
    if missing.any():
        message = f"groups: must name the query of every row, got none for {X.index[missing][0]!r}."
        raise SourceError(message, code="bad-groups")
    return queries


def _convert_ids(queries: object) -> Any:
    """Return the queries of rows as ids; whole numbers that are stored as floats are ids too."""
    ids = np.asarray(queries)
    if ids.dtype.kind != "f":
        return ids
    if np.isnan(ids).any():
        message = f"groups: must be ids, got NaN at row {int(np.isnan(ids).argmax())}."
        raise SourceError(message, code="bad-groups")
    return np.unique(ids, return_inverse=True)[1]


__all__ = ["RankingScorer", "dcg_score", "ndcg_score", "ranking_scorer"]


def dcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """Return the mean discounted cumulative gain of rankings, one in each row.

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
    return _compute_mean(measure, y_true, y_score, k, sample_weight, ignore_ties)


def ndcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """Return the mean normalized discounted cumulative gain of rankings; see ``dcg_score``.

    Labels must not be negative, and a ranking has at least two items. One without gain counts 0.

    >>> ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    0.6956940443813076
    """
    return _compute_mean(nDCG, y_true, y_score, k, sample_weight, ignore_ties)


def _compute_mean(
    measure: Measure, y_true: Any, y_score: Any, k: Any, sample_weight: Any, ignore_ties: bool
) -> float:
    labels, scores = _check_table(y_true, "y_true"), _check_table(y_score, "y_score")
    if scores.shape != labels.shape:
        message = f"y_score: must have the shape of y_true, {labels.shape}, got {scores.shape}."
        raise SourceError(message, code="unequal-lengths")
    _check_arguments(labels, k, sample_weight, ignore_ties)
    measure_at_k = measure if k is None else measure @ int(k)
    if ignore_ties:
        # In the order of this sort, which is not stable.
        order = np.argsort(scores)[:, ::-1]
        labels = np.take_along_axis(labels, order, axis=1)
    dialect = "sklearn-ignore-ties" if ignore_ties else "sklearn"
    measures = parse_list_measures("ndcg_score", measure_at_k, dialect, None)
    result = measures.compute_scores(labels, None if ignore_ties else scores)
    return float(np.average(result.values[:, 0], weights=sample_weight))


def _check_arguments(labels: FloatArray, k: Any, sample_weight: Any, ignore_ties: Any) -> None:
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


def _check_table(values: object, name: str) -> FloatArray:
    """Return finite numbers in rows and columns; raise an error for fewer than two columns."""
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        message = f"{name}: must be an array of rankings, one a row, got {values!r:.60}."
        raise SourceError(message, code="wrong-type")
    try:
        table = np.asarray(values)
    except ValueError:
        message = f"{name}: must have rows of one length, got {values!r:.60}."
        raise SourceError(message, code="wrong-shape") from None
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        message = (
            f"{name}: must have a row for each ranking and a column for each of 2 items or more, "
            f"got the shape {table.shape}."
        )
        raise SourceError(message, code="wrong-shape")
    flat = arrays.to_float64(table.ravel(), name)
    if not np.isfinite(flat).all():
        message = f"{name}: must be finite numbers, got {flat[~np.isfinite(flat)][0]}."
        raise SourceError(message, code="not-numbers")
    return flat.reshape(table.shape)
