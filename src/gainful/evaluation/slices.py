"""Slices: the values of one run, apart for each kind of query."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gainful.base import (
    FloatArray,
    IntArray,
    Result,
    format_examples,
    format_setting,
    to_jsonable,
)
from gainful.diagnostics import (
    ManySlices,
    NoKnownQuery,
    Notice,
    QueriesWithoutValue,
    UnknownQueries,
    WeightedMeans,
    WholeRunOnly,
    describe_query_fix,
)
from gainful.errors import SliceError, SourceError
from gainful.evaluation.arguments import Weights
from gainful.evaluation.scores import Scores
from gainful.sources import QueryData, read_queries, weights_from_mapping

_MAX_SLICES = 10  # slices, which are never too many


@dataclass(frozen=True, eq=False, repr=False)
class Slices(Result, Mapping[str | None, Scores]):
    """The Scores of each slice, by the value that its queries share.

    Values are text, whole numbers without a point; None stands for the queries that have none.
    Every query is in one slice. Slices stand in the order of their values, numbers by their size.

    Attributes:
        column: What the values are called.
        whole: The Scores of all queries.
        parts: The Scores of each slice.
        notices: What a reader should know, of all queries and of the slices.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    >>> run = {"q1": ["d1"], "q2": ["d2", "d1"], "q3": ["d1"]}
    >>> kinds = {"q1": {"kind": "short"}, "q2": {"kind": "long"}, "q3": {"kind": "short"}}
    >>> slices = gainful.evaluate(qrels, run, "P@1", queries=kinds).by("kind")
    >>> {kind: (len(scores.queries), scores["P@1"]) for kind, scores in slices.items()}
    {'long': (1, 0.0), 'short': (2, 1.0)}
    """

    column: str
    whole: Scores
    parts: Mapping[str | None, Scores]
    notices: tuple[Notice, ...]

    _view = "view_slices"

    def __getitem__(self, value: object) -> Scores:
        """Return the Scores of one slice, by text or number; None for queries without a value."""
        key = None if value is None else format_setting(value)
        key = str(value).lower() if isinstance(value, bool) else key
        if key not in self.parts:
            names = format_examples([self.name(value) for value in self.parts], 12)
            message = f"no query has {self.column!r} {key!r}; there are {names}."
            raise SliceError(message, code="not-in-result")
        return self.parts[key]

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def name(self, value: str | None) -> str:
        """Return the name of a slice in tables."""
        return f"(no {self.column})" if value is None else value

    def mean(self) -> dict[str | None, dict[str, float]]:
        """Return the average of every measure, by slice."""
        return {value: part.mean() for value, part in self.parts.items()}

    def to_dict(self) -> dict[str, Any]:
        """Everything there is but the values of queries, as plain values; NaN is None."""
        return {
            "run": self.whole.run,
            **_summarize(self.whole),
            "by": self.column,
            "slices": [{"value": value, **_summarize(part)} for value, part in self.items()],
            "rules": self.whole.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }


def split_by(
    queries: Sequence[str], values: Mapping[str, str | None]
) -> dict[str | None, IntArray]:
    """Return the numbers of the queries that share a value; None is the value of those without.

    >>> {v: n.tolist() for v, n in split_by(["a", "b", "c"], {"a": "10", "c": "9"}).items()}
    {'9': [2], '10': [0], None: [1]}
    """
    numbers: dict[str | None, list[int]] = {}
    for number, query in enumerate(queries):
        numbers.setdefault(values.get(query), []).append(number)
    stated = [value for value in numbers if value is not None]
    ordered = [*_sort_values(stated), *([None] if None in numbers else [])]
    return {value: np.array(numbers[value], dtype=np.int64) for value in ordered}


def diagnose_slices(
    whole: Scores, column: str, source: str, slices: Mapping[str | None, IntArray]
) -> tuple[Notice, ...]:
    """Return the notices about slices, besides those about all queries."""
    notices: list[Notice] = []
    n_queries = len(whole.queries)
    if None in slices:
        queries = tuple(whole.queries[i] for i in slices[None])
        notices.append(QueriesWithoutValue(source, column, queries, n_queries))
    if len(slices) > _MAX_SLICES and 2 * len(slices) > n_queries:
        notices.append(ManySlices(column, len(slices), n_queries))
    if measures := tuple(str(measure) for measure in whole.measures if measure.whole):
        notices.append(WholeRunOnly(measures))
    return tuple(notices)


def diagnose_unknown_queries(
    queries: Sequence[str], scores: Scores, source: str
) -> tuple[Notice, ...]:
    """Return the notices about queries of a table that were not evaluated."""
    evaluated = set(scores.queries)
    unknown = tuple(query for query in queries if query not in evaluated)
    if unknown and len(unknown) == len(queries) and evaluated:
        change = describe_query_fix(queries, scores.queries)
        return (NoKnownQuery(source, len(queries), queries[0], scores.queries[0], change),)
    return (UnknownQueries(source, unknown),) if unknown else ()


def _sort_values(values: list[str]) -> list[str]:
    try:
        numbers = {value: float(value) for value in values}
    except ValueError:
        return sorted(values)
    if any(math.isnan(number) for number in numbers.values()):
        return sorted(values)
    return sorted(values, key=lambda value: (numbers[value], value))


def _summarize(scores: Scores) -> dict[str, Any]:
    weight = {} if scores.weights is None else {"weight": math.fsum(scores.weights)}
    return {"n_queries": len(scores.queries), **weight, "mean": to_jsonable(scores.mean())}


def read_query_data(queries: object, weights: Weights | None) -> QueryData | None:
    """Read the table of queries; raise if the weights do not fit it."""
    data = None if queries is None else read_queries(queries)
    if isinstance(weights, str):
        if data is None:
            message = (
                f"weights: {weights!r} names a column of queries, got no queries. "
                "Pass queries=... too, or weights={query: weight}."
            )
            raise SourceError(message, code="missing-query-data")
        data.values(weights)
    elif weights is not None and not isinstance(weights, Mapping):
        message = (
            "weights: must be the name of a column of queries, or {query: weight}, "
            f"got {weights!r:.60}."
        )
        raise SourceError(message, code="bad-weights")
    return data


def attach_query_data(scores: Scores, data: QueryData | None, weights: Weights | None) -> Scores:
    """Return the scores with the data about their queries."""
    notices: list[Notice] = []
    if data is not None:
        notices += diagnose_unknown_queries(data.queries, scores, data.name)
    query_weights = None
    if weights is not None:
        query_weights, weight_notices = _resolve_weights(scores, data, weights)
        notices += weight_notices
    return replace(
        scores, notices=(*scores.notices, *notices), weights=query_weights, query_data=data
    )


def _resolve_weights(
    scores: Scores, data: QueryData | None, weights: Weights
) -> tuple[FloatArray, list[Notice]]:
    notices: list[Notice] = []
    if isinstance(weights, str):
        assert data is not None
        query_weights, origin = data.weights(weights, scores.queries), f"{weights!r} of {data.name}"
    else:
        mapping_data = weights_from_mapping(weights)
        query_weights = mapping_data.weights("weight", scores.queries, place=mapping_data.name)
        origin = "the weights given"
        notices += diagnose_unknown_queries(mapping_data.queries, scores, mapping_data.name)
    return query_weights, [
        *notices,
        WeightedMeans(origin, float(query_weights.min()), float(query_weights.max())),
    ]
