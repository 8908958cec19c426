"""The first measure, apart for each kind of query."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gainful.errors import SourceError
from gainful.experiment.ranges import by_quartiles, by_words, numbers_of
from gainful.experiment.result import SliceDifference, SlicePart, Slicing
from gainful.notices import Notice
from gainful.ragged import IntArray, mean
from gainful.report_notices import RareValues, UnslicedColumns
from gainful.results import Scores
from gainful.slices import partition
from gainful.sources.queries import QueryData
from gainful.stats.effects import wins_ties_losses
from gainful.stats.paired import mean_interval

MOST = 12  # slices of one column
_TEXTS = ("text", "query_text", "title", "question", "query", "topic", "keywords", "prompt")
_OTHERS = "(other values)"

Values = Mapping[str, str | None]


def text_column(data: QueryData | None) -> str | None:
    """The column that says what was asked, if there is one.

    >>> text_column(QueryData(["q1"], {"Text": ["red shoes"], "lang": ["en"]}))
    'Text'
    """
    columns = [] if data is None else list(data.columns)
    named = {column.lower(): column for column in reversed(columns)}
    return next((named[name] for name in _TEXTS if name in named), None)


def columns_for(by: str | Iterable[str], data: QueryData | None) -> tuple[str, ...]:
    """The columns that are to make slices; an error if there is no such column."""
    columns = (by,) if isinstance(by, str) else tuple(by)
    for column in columns:
        if data is None:
            message = (
                f"by: {column!r} names a column of queries, got no queries. Pass queries=... too."
            )
            raise SourceError(message, code="missing-query-data")
        data.values(column)
    return columns


class Beside(NamedTuple):
    """The two runs that are shown beside each other, and up to where queries are tied."""

    baseline: str
    candidate: str
    tie: float


def slicings(
    scores: Sequence[Scores], data: QueryData | None, by: Sequence[str], beside: Beside | None
) -> tuple[tuple[Slicing, ...], tuple[Notice, ...]]:
    """Every column that makes slices, every run on each of them, and what is to be said.

    Args:
        scores: Every run, on the same queries.
        data: What is known of the queries.
        by: The columns that are to make slices; all that can if there are none.
        beside: The runs whose differences are wanted, if there are two.
    """
    if data is None:
        return (), ()
    queries, left_out, said = scores[0].queries, [], list[Notice]()
    made: list[_Kinds] = []
    for column in dict.fromkeys(by or data.columns):
        kinds = _kinds(queries, data, column)
        if kinds is None and column in by:
            kinds, rare = _commonest(column, data.texts(column), queries)
            said += rare
        made += [kinds] if kinds else []
        left_out += [] if kinds else [column]
    said += [UnslicedColumns(data.name, tuple(left_out), MOST)] if left_out else []
    return tuple(_slicing(scores, kinds, beside) for kinds in made), tuple(said)


class _Kinds(NamedTuple):
    """What kinds of queries are called, the kind of each query, and whether kinds are ranges."""

    column: str
    values: Values
    ranges: bool = False


def _kinds(queries: Sequence[str], data: QueryData, column: str) -> _Kinds | None:
    """The kinds that a column tells apart; None if it makes no slices."""
    values = data.texts(column)
    held = set(_held(values, queries))
    if column == text_column(data):
        return _Kinds(f"words in {column}", by_words(values))
    if 1 < len(held) <= MOST:
        return _Kinds(column, values)
    numbers = numbers_of({query: values.get(query) for query in queries})
    if not numbers or len(held) <= MOST:
        return None
    return _Kinds(column, by_quartiles(numbers), ranges=True)


def _held(values: Values, queries: Sequence[str]) -> Iterator[str | None]:
    return (values.get(query) for query in queries)


def _commonest(column: str, values: Values, queries: Sequence[str]) -> tuple[_Kinds, list[Notice]]:
    """The values that most queries have, and one name for all others, if there are many."""
    times = Counter(value for value in _held(values, queries) if value is not None)
    if len(times) <= MOST:
        return _Kinds(column, values), []
    apart = {value for value, _ in times.most_common(MOST - 1)}
    named = {q: v if v is None or v in apart else _OTHERS for q, v in values.items()}
    return _Kinds(column, named), [RareValues(column, len(times), len(apart))]


def _slicing(scores: Sequence[Scores], kinds: _Kinds, beside: Beside | None) -> Slicing:
    column, values, ranges = kinds
    queries = scores[0].queries
    found = partition(queries, values)
    # Ranges stand in their order, and would be sorted as texts.
    order = [*dict.fromkeys(values.values()), *([None] if None in found else [])]
    named = [
        (f"(no {column})" if value is None else value, found[value])
        for value in (order if ranges else found)
    ]
    parts = tuple(_part(one, name, keep) for name, keep in named for one in scores)
    differences = () if beside is None else tuple(_differences(scores, named, beside))
    return Slicing(column, tuple(_held(values, queries)), parts, differences)


def _differences(
    scores: Sequence[Scores], named: Iterable[tuple[str, IntArray]], beside: Beside
) -> Iterator[SliceDifference]:
    of_run = {one.run: one.column(one.measures[0]) for one in scores}
    gained = of_run[beside.candidate] - of_run[beside.baseline]
    for name, keep in named:
        known = gained[keep][~np.isnan(gained[keep])]
        counted = wins_ties_losses(known, tie=beside.tie)
        yield SliceDifference(name, len(known), mean(known), mean_interval(known), *counted)


def _part(scores: Scores, name: str, keep: IntArray) -> SlicePart:
    values = scores.column(scores.measures[0])[keep]
    known = values[~np.isnan(values)]
    return SlicePart(scores.run, name, len(keep), mean(known), mean_interval(known))
