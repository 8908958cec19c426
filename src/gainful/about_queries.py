"""Scores, and what is known of their queries: the weights of means, what slices are made of."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gainful.errors import SourceError
from gainful.metadata_notices import WeightedMeans
from gainful.notices import Notice
from gainful.ragged import FloatArray
from gainful.results import Scores
from gainful.slices import said_of_strangers
from gainful.sources import read_queries
from gainful.sources.queries import QueryData, as_weights

Weights = str | Mapping[Any, float]


def known_queries(queries: Any, weights: Weights | None) -> QueryData | None:
    """The data about queries that were given; an error where weights do not go with them."""
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


def with_data(scores: Scores, data: QueryData | None, weights: Weights | None) -> Scores:
    """The scores, and what is known of their queries."""
    notices: list[Notice] = []
    if data is not None:
        notices += said_of_strangers(data.queries, scores, data.name)
    found = None
    if weights is not None:
        found, said = _weighted(scores, data, weights)
        notices += said
    return replace(scores, notices=(*scores.notices, *notices), weights=found, query_data=data)


def _weighted(
    scores: Scores, data: QueryData | None, weights: Weights
) -> tuple[FloatArray, list[Notice]]:
    said: list[Notice] = []
    if isinstance(weights, str):
        assert data is not None
        found, by = data.weights(weights, scores.queries), f"{weights!r} of {data.name}"
    else:
        given = as_weights(weights)
        found = given.weights("weight", scores.queries, place=given.name)
        by = "the weights given"
        said += said_of_strangers(given.queries, scores, given.name)
    return found, [*said, WeightedMeans(by, float(found.min()), float(found.max()))]
