"""The first measure for each kind of query."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gainful.base import IntArray, format_setting, mean
from gainful.diagnostics import Notice, RareValues, UnslicedColumns
from gainful.errors import SourceError
from gainful.evaluation import Scores, split_by
from gainful.report.html.model import SliceDifference, SlicePart, Slicing
from gainful.sources import QueryData
from gainful.stats import compute_mean_interval, count_wins_ties_losses

_WORDS = {2: "1-2 words", 4: "3-4 words", math.inf: "5 or more words"}

RangeNames = dict[str, str | None]


def parse_numbers(values: Mapping[str, str | None]) -> dict[str, float] | None:
    """Parse the values as numbers, without missing ones; None if a value is not a number.

    >>> parse_numbers({"a": "2", "b": None}), parse_numbers({"a": "2", "b": "two"})
    ({'a': 2.0}, None)
    """
    try:
        groups = {query: float(value) for query, value in values.items() if value is not None}
    except ValueError:
        return None
    return groups if all(map(math.isfinite, groups.values())) else None


def group_by_quartiles(numbers: Mapping[str, float]) -> RangeNames:
    """Return the range of each number, the lowest first.

    Each quarter has as many numbers as equal numbers allow.

    >>> group_by_quartiles({"a": 40.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 1.0})
    {'e': '1-2', 'b': '1-2', 'c': '3', 'd': '4', 'a': '40'}
    """
    queries = sorted(numbers, key=numbers.__getitem__)
    ordered_numbers = np.array([numbers[query] for query in queries])
    ends = np.quantile(ordered_numbers, (0.25, 0.5, 0.75), method="inverted_cdf")
    quarter = np.searchsorted(ends, ordered_numbers).tolist()
    quarters = [ordered_numbers[np.equal(quarter, q)] for q in range(4)]
    names = [
        _format_range(quarter_numbers[0], quarter_numbers[-1]) if len(quarter_numbers) else None
        for quarter_numbers in quarters
    ]
    return {query: names[q] for query, q in zip(queries, quarter, strict=True)}


def group_by_words(texts: Mapping[str, str | None]) -> RangeNames:
    """Return the range of word counts that each text falls in; None without a word.

    >>> group_by_words({"a": "red shoes", "b": "how to clean suede shoes", "c": None})
    {'a': '1-2 words', 'b': '5 or more words', 'c': None}
    """
    return {query: _name_word_count(len((text or "").split())) for query, text in texts.items()}


def _name_word_count(n: int) -> str | None:
    return next(name for most, name in _WORDS.items() if n <= most) if n else None


def _format_range(low: float, high: float) -> str:
    ends = list(dict.fromkeys((_format_number(low), _format_number(high))))
    return (" to " if low < 0 else "-").join(ends)


def _format_number(number: float) -> str:
    return format_setting(float(f"{number:.6g}"))


MOST = 12  # slices of one column
_TEXTS = ("text", "query_text", "title", "question", "query", "topic", "keywords", "prompt")
_OTHERS = "(other values)"

Values = Mapping[str, str | None]


def find_text_column(data: QueryData | None) -> str | None:
    """Find the column with the text of the query, if there is one.

    >>> find_text_column(QueryData(["q1"], {"Text": ["red shoes"], "lang": ["en"]}))
    'Text'
    """
    columns = [] if data is None else list(data.columns)
    by_lowercase = {column.lower(): column for column in reversed(columns)}
    return next((by_lowercase[name] for name in _TEXTS if name in by_lowercase), None)


def check_columns(by: str | Iterable[str], data: QueryData | None) -> tuple[str, ...]:
    """Return the columns that make slices; raise an error if a column does not exist."""
    columns = (by,) if isinstance(by, str) else tuple(by)
    for column in columns:
        if data is None:
            message = (
                f"by: {column!r} names a column of queries, got no queries. Pass queries=... too."
            )
            raise SourceError(message, code="missing-query-data")
        data.values(column)
    return columns


class ComparedRuns(NamedTuple):
    """The two compared runs, and the difference up to which queries are tied."""

    baseline: str
    candidate: str
    tie: float


def make_slicings(
    scores: Sequence[Scores], data: QueryData | None, by: Sequence[str], beside: ComparedRuns | None
) -> tuple[tuple[Slicing, ...], tuple[Notice, ...]]:
    """Make the slices of every column, with every run on each, and the notices about them.

    Args:
        scores: Every run, on the same queries.
        data: The query attributes.
        by: The columns that are to make slices; all that can if there are none.
        beside: The runs whose differences are wanted, if there are two.
    """
    if data is None:
        return (), ()
    queries, left_out, notices = scores[0].queries, [], list[Notice]()
    groupings: list[_QueryGroups] = []
    for column in dict.fromkeys(by or data.columns):
        kinds = _make_groups(queries, data, column)
        if kinds is None and column in by:
            kinds, rare = _keep_common_values(column, data.texts(column), queries)
            notices += rare
        groupings += [kinds] if kinds else []
        left_out += [] if kinds else [column]
    notices += [UnslicedColumns(data.name, tuple(left_out), MOST)] if left_out else []
    return tuple(_make_slicing(scores, kinds, beside) for kinds in groupings), tuple(notices)


class _QueryGroups(NamedTuple):
    """Groups of queries: their column, the group of each query, and whether groups are ranges."""

    column: str
    values: Values
    ranges: bool = False


def _make_groups(queries: Sequence[str], data: QueryData, column: str) -> _QueryGroups | None:
    """Make the groups of queries in a column; None if it makes no slices."""
    values = data.texts(column)
    values_seen = set(_list_values(values, queries))
    if column == find_text_column(data):
        return _QueryGroups(f"words in {column}", group_by_words(values))
    if 1 < len(values_seen) <= MOST:
        return _QueryGroups(column, values)
    numbers = parse_numbers({query: values.get(query) for query in queries})
    if not numbers or len(values_seen) <= MOST:
        return None
    return _QueryGroups(column, group_by_quartiles(numbers), ranges=True)


def _list_values(values: Values, queries: Sequence[str]) -> Iterator[str | None]:
    return (values.get(query) for query in queries)


def _keep_common_values(
    column: str, values: Values, queries: Sequence[str]
) -> tuple[_QueryGroups, list[Notice]]:
    """Keep the most common values, and give all others one name, if there are many."""
    times = Counter(value for value in _list_values(values, queries) if value is not None)
    if len(times) <= MOST:
        return _QueryGroups(column, values), []
    common = {value for value, _ in times.most_common(MOST - 1)}
    grouped = {q: v if v is None or v in common else _OTHERS for q, v in values.items()}
    return _QueryGroups(column, grouped), [RareValues(column, len(times), len(common))]


def _make_slicing(
    scores: Sequence[Scores], kinds: _QueryGroups, beside: ComparedRuns | None
) -> Slicing:
    column, values, ranges = kinds
    queries = scores[0].queries
    groups = split_by(queries, values)
    # Ranges keep their order; otherwise they would be sorted as texts.
    order = [*dict.fromkeys(values.values()), *([None] if None in groups else [])]
    slices = [
        (f"(no {column})" if value is None else value, groups[value])
        for value in (order if ranges else groups)
    ]
    parts = tuple(
        _make_part(run_scores, name, keep) for name, keep in slices for run_scores in scores
    )
    differences = () if beside is None else tuple(_compute_differences(scores, slices, beside))
    return Slicing(column, tuple(_list_values(values, queries)), parts, differences)


def _compute_differences(
    scores: Sequence[Scores], slices: Iterable[tuple[str, IntArray]], beside: ComparedRuns
) -> Iterator[SliceDifference]:
    of_run = {run_scores.run: run_scores.column(run_scores.measures[0]) for run_scores in scores}
    differences = of_run[beside.candidate] - of_run[beside.baseline]
    for name, keep in slices:
        numbers = differences[keep][~np.isnan(differences[keep])]
        counts = count_wins_ties_losses(numbers, tie=beside.tie)
        yield SliceDifference(
            name, len(numbers), mean(numbers), compute_mean_interval(numbers), *counts
        )


def _make_part(scores: Scores, name: str, keep: IntArray) -> SlicePart:
    values = scores.column(scores.measures[0])[keep]
    numbers = values[~np.isnan(values)]
    return SlicePart(scores.run, name, len(keep), mean(numbers), compute_mean_interval(numbers))
