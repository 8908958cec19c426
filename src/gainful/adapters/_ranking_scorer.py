"""A scorer for scikit-learn that measures the rankings of queries, each for itself."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gainful.adapters._query_lists import ListMeasures, list_measures, one_measure
from gainful.asked import Measures
from gainful.errors import MeasureError, SourceError
from gainful.packages import package
from gainful.ragged import FloatArray
from gainful.rules import Rules
from gainful.sources import arrays

if TYPE_CHECKING:
    from gainful.dialects import Dialect

_RESPONSES = ("decision_function", "predict_proba", "predict")


def ranking_scorer(
    measure: Measures,
    *,
    group_column: str | int | None = None,
    groups: Any = None,
    response_method: str | tuple[str, ...] = _RESPONSES,
    dialect: "str | Dialect | None" = None,
    rules: Rules | None = None,
) -> "RankingScorer":
    """What ``cross_val_score``, ``GridSearchCV`` and their kin take as ``scoring``.

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
    one = one_measure("ranking_scorer", measure)
    if not one.higher_is_better:
        message = f"ranking_scorer: takes a measure that is better when it is higher, got {one}."
        raise MeasureError(message, code="unfit-measure")
    if group_column is not None and groups is not None:
        message = "ranking_scorer: takes either group_column or groups, got both."
        raise SourceError(message, code="bad-groups")
    if groups is not None and not isinstance(groups, Mapping) and not hasattr(groups, "loc"):
        message = (
            f"groups: must be a dict or a Series, from index to query, got {groups!r:.60}. "
            "Routed groups go to cross_val_score and its kin."
        )
        raise SourceError(message, code="bad-groups")
    responses = (response_method,) if isinstance(response_method, str) else tuple(response_method)
    asked = list_measures("ranking_scorer", one, dialect, rules)
    return RankingScorer(asked, group_column, groups, responses)


class RankingScorer:
    """A scorer of scikit-learn; ``ranking_scorer`` makes it."""

    def __init__(
        self,
        asked: ListMeasures,
        group_column: str | int | None,
        groups: Any,
        responses: tuple[str, ...],
    ) -> None:
        self._asked = asked
        self._group_column = group_column
        self._groups = groups
        self._responses = responses
        # Where nothing else tells the queries, they are routed, as to splitters by groups.
        own = group_column is not None or groups is not None
        self._requests: dict[str, Any] = {} if own else {"groups": True}

    def __call__(self, estimator: Any, X: Any, y: Any, groups: Any = None) -> float:
        """The mean of the measure over the queries of these rows."""
        ids = _as_ids(self._found(X) if groups is None else groups)
        labels = np.asarray(y)
        if len(ids) != len(labels):
            message = f"groups: must be one for each of {len(labels)} rows, got {len(ids)}."
            raise SourceError(message, code="bad-groups")
        return self._asked.means(labels, self._ranked(estimator, X), query_ids=ids)[0]

    def set_score_request(self, *, groups: bool | str | None = True) -> Self:
        """The scorer itself, to which ``groups`` are routed: True, or the name they are passed by.

        >>> ranking_scorer("nDCG@10").set_score_request(groups="query")
        ranking_scorer('nDCG@10')
        """
        self._requests = {"groups": groups}
        return self

    def get_metadata_routing(self) -> Any:
        """What is to be routed to it, for scikit-learn."""
        package("sklearn", "ranking_scorer", install="scikit-learn")
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=repr(self))
        for name, alias in self._requests.items():
            request.score.add_request(param=name, alias=alias)
        return request

    def __repr__(self) -> str:
        return f"ranking_scorer({str(self._asked.measures[0])!r})"

    def _found(self, X: Any) -> Any:
        """The query of every row, as X or its index tells."""
        if self._group_column is not None:
            return _column(X, self._group_column)
        if self._groups is not None:
            return _by_index(X, self._groups)
        message = (
            "ranking_scorer: needs the query of each row, got none. Pass it group_column=... or "
            "groups=..., or let scikit-learn route them: sklearn.set_config("
            "enable_metadata_routing=True), params={'groups': ...}."
        )
        raise SourceError(message, code="bad-groups")

    def _ranked(self, estimator: Any, X: Any) -> FloatArray:
        """The scores that the estimator gives to the rows."""
        name = next((one for one in self._responses if hasattr(estimator, one)), None)
        if name is None:
            wanted = " or ".join(self._responses)
            message = f"ranking_scorer: {type(estimator).__name__} has no {wanted}."
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
        return arrays.numbers(response, "scores")


def _column(X: Any, name: str | int) -> Any:
    """The values of a column, or of a level of the index."""
    columns = list(getattr(X, "columns", ()))
    if name in columns:
        return X[name]
    levels = list(getattr(getattr(X, "index", None), "names", ()))
    if name in levels:
        return X.index.get_level_values(name)
    if not columns and isinstance(name, int) and -X.shape[1] <= name < X.shape[1]:
        column = X[:, [name]]
        return np.asarray(column.todense() if hasattr(column, "todense") else column).ravel()
    known = ", ".join(repr(one) for one in columns) or "no names"
    message = f"group_column: X has no column {name!r}; it has {known}."
    raise SourceError(message, code="missing-column")


def _by_index(X: Any, groups: Any) -> Any:
    """The query that each row of a frame of pandas has, by its index."""
    if not hasattr(getattr(X, "index", None), "map"):
        message = (
            f"groups: is looked up by the index of X, which {type(X).__name__} does not have. "
            "Pass group_column=..., or a frame of pandas."
        )
        raise SourceError(message, code="bad-groups")
    found = X.index.map(groups)
    missing = np.asarray(found.isna())
    if missing.any():
        message = f"groups: must name the query of every row, got none for {X.index[missing][0]!r}."
        raise SourceError(message, code="bad-groups")
    return found


def _as_ids(given: Any) -> Any:
    """The queries of rows; whole numbers, if they are kept as floats, are ids as well."""
    ids = np.asarray(given)
    if ids.dtype.kind != "f":
        return ids
    if np.isnan(ids).any():
        message = f"groups: must be ids, got NaN at row {int(np.isnan(ids).argmax())}."
        raise SourceError(message, code="bad-groups")
    return np.unique(ids, return_inverse=True)[1]
