"""Query attributes beside the judgments, such as the category or the weight of a query."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.base import (
    FloatArray,
    format_count,
    format_examples,
    format_repr,
    format_setting,
    suggest_name,
)
from gainful.errors import SourceError
from gainful.sources.columns import to_id
from gainful.sources.formats import declare_format
from gainful.sources.tables import is_missing

_MAX_LISTED = 12  # columns that a sentence lists


@dataclass(frozen=True, eq=False)
class QueryData:
    """Data about queries: columns of values.

    Attributes:
        queries: The id of each query.
        columns: The values of each column, by its name; one for every query.
        name: What errors and notices call it: the path, or "queries".

    >>> QueryData(["q1", "q2"], {"category": ["shoes", None]}).values("category")
    {'q1': 'shoes', 'q2': None}
    """

    queries: Sequence[str]
    columns: Mapping[str, Sequence[Any]]
    name: str = "queries"

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "queries", tuple(to_id(value, self.name) for value in self.queries)
        )
        if len(set(self.queries)) < len(self.queries):
            repeated = next(q for i, q in enumerate(self.queries) if q in self.queries[:i])
            message = f"{self.name}: query {repeated!r} is listed twice."
            raise SourceError(message, code="listed-twice")
        for column, values in self.columns.items():
            if len(values) != len(self.queries):
                content = format_count(len(values), "value", "values")
                message = (
                    f"{self.name}: column {column!r} must have a value for each of the "
                    f"{len(self.queries):,} queries, got {content}."
                )
                raise SourceError(message, code="unequal-lengths")

    def values(self, column: str) -> dict[str, Any]:
        """Return the values of a column, by query."""
        if column not in self.columns:
            names, hint = (
                format_examples(list(self.columns), _MAX_LISTED) or "none",
                suggest_name(column, [*self.columns]),
            )
            message = f"{self.name}: has no column {column!r}; there are {names}.{hint}"
            raise SourceError(message, code="missing-column")
        return dict(zip(self.queries, self.columns[column], strict=True))

    def texts(self, column: str) -> dict[str, str | None]:
        """Return the values of a column as text, by query; None where there is none.

        Whole numbers have no point, so that the same table says the same as a file and as a frame.

        >>> QueryData(["a", "b", "c"], {"length": [2.0, 2, float("nan")]}).texts("length")
        {'a': '2', 'b': '2', 'c': None}
        """
        return {query: self._to_text(query, column, v) for query, v in self.values(column).items()}

    def weights(
        self, column: str, queries: Sequence[str], *, place: str | None = None
    ) -> FloatArray:
        """Return the numbers of a column for some queries, checked to be weights.

        Errors call the column so, unless ``place`` gives it another name.

        >>> QueryData(["a", "b"], {"traffic": ["3", 0.5]}).weights("traffic", ["b", "a"]).tolist()
        [0.5, 3.0]
        """
        values, place = self.values(column), place or f"{self.name}, column {column!r}"
        missing = [
            query for query in queries if self._to_text(query, column, values.get(query)) is None
        ]
        if missing:
            message = (
                f"{place}: {format_count(len(missing), 'query has', 'queries have')} no weight "
                f"({format_examples(missing)}). Give each of them one; 0 leaves it out of the "
                "means."
            )
            raise SourceError(message, code="bad-weights")
        weights = np.array([_check_weight(values[query], query, place) for query in queries])
        if not weights.any():
            message = f"{place}: all weights are 0, so that there is no mean."
            raise SourceError(message, code="bad-weights")
        return weights

    def _to_text(self, query: str, column: str, value: object) -> str | None:
        if isinstance(value, str):
            return value or None
        value = value.item() if isinstance(value, np.generic) else value
        if is_missing(value):
            return None
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, bytes):
            return value.decode("utf-8", "surrogateescape")
        if isinstance(value, Mapping | list | tuple | set | np.ndarray):
            text = f"{format_repr(value)} for query {query!r}"
            message = f"{self.name}: {column!r} must be one value, got {text}."
            raise SourceError(message, code="wrong-structure")
        return format_setting(value)

    def __repr__(self) -> str:
        n_queries = format_count(len(self.queries), "query", "queries")
        return f"<QueryData {self.name!r}: {n_queries}, {', '.join(self.columns) or 'no columns'}>"


def weights_from_mapping(source: Mapping[Any, float]) -> QueryData:
    """Convert ``{query: weight}`` to query data.

    >>> weights_from_mapping({"q1": 3, 2: 1}).weights("weight", ["2", "q1"]).tolist()
    [1.0, 3.0]
    """
    by_query = {to_id(query, "weights"): weight for query, weight in source.items()}
    if len(by_query) < len(source):
        message = "weights: must name every query once, got an id as text and as a number."
        raise SourceError(message, code="listed-twice")
    return QueryData(list(by_query), {"weight": list(by_query.values())}, "weights")


def _check_weight(source: Any, query: str, place: str) -> float:
    try:
        weight = math.nan if isinstance(source, bool) or "_" in str(source) else float(source)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not math.isfinite(weight) or weight < 0:
        message = (
            f"{place}: the weight of query {query!r} must be a finite number >= 0, "
            f"got {format_repr(source)}."
        )
        raise SourceError(message, code="bad-weights")
    return weight


def read_query_table(source: object, columns: Mapping[str, Any]) -> QueryData:
    """Return the data about queries in a table, as ``read_queries`` takes it."""
    from gainful.sources.tables import read_table  # only who has such a table pays for it

    if isinstance(source, QueryData):
        return source
    table = read_table(source, "query", columns)
    return QueryData(tuple(table.ids), table.columns, table.name)


declare_format(
    name="table",
    holds="queries",
    summary="A file with a header: CSV, TSV, JSON, JSON lines, Parquet or Arrow, told by its "
    "content; one row per query, with any attributes.",
    columns=("query", "[any...]"),
    is_file=True,
    unit="line",
    read=lambda source: read_query_table(source, {}),
)
declare_format(
    name="frame",
    holds="queries",
    summary="A table with a query column: of any library that speaks the Arrow PyCapsule "
    "interface, or of pandas; {column: [value, ...]}, {query: {column: value}}, "
    "or a list of dicts.",
    read=lambda source: read_query_table(source, {}),
)
