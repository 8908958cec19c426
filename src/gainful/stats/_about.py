"""What a reader of a comparison should know."""

from collections.abc import Iterator

from gainful.comparison.result import Comparison
from gainful.comparison_notices import (
    DoubtfulTest,
    Exploratory,
    FewQueries,
    InDialect,
    ManyQueries,
    ManyTies,
    UncommonQueries,
    UndefinedQueries,
    UnevenJudging,
)
from gainful.notices import EmptyQueries, Notice, UndefinedValues
from gainful.results import Scores
from gainful.stats._settings import Settings
from gainful.stats.requested import REQUESTED

FEW_QUERIES = 25
MANY_QUERIES = 5_000
MANY_TIES = 0.2  # of the queries
UNEVEN = 0.05  # of the items looked at
MANY_UNDEFINED = 0.1  # of the queries


def about_comparison(
    comparison: Comparison, scores: list[Scores], settings: Settings
) -> tuple[Notice, ...]:
    """All that is to be said: of the comparison first, then of the data."""
    dialect = scores[0].dialect
    said = [
        *([] if dialect is None else [InDialect(dialect.title)]),
        *_about_numbers(comparison),
        *_about_ties(comparison),
        *_about_judging(comparison),
        *_about_undefined(comparison, scores),
        *_about_queries(comparison, scores),
        *(DoubtfulTest(test, REQUESTED[test].warning) for test in settings.tests),
    ]
    first, *others = map(str, comparison.measures)
    if others:
        said.append(Exploratory(first, tuple(others)))
    return tuple(dict.fromkeys([*said, *(n for one in scores for n in one.notices)]))


def _about_numbers(comparison: Comparison) -> Iterator[Notice]:
    n_queries = comparison.pairs[0].n_queries
    if n_queries < FEW_QUERIES:
        yield FewQueries(n_queries, FEW_QUERIES)
    if n_queries > MANY_QUERIES:
        yield ManyQueries(n_queries)


def _about_ties(comparison: Comparison) -> Iterator[Notice]:
    for measure in comparison.measures:
        tied = {
            f"{pair.system} - {pair.baseline}": pair.ties / pair.n_queries
            for pair in comparison.pairs
            if pair.measure == measure
            and pair.verdict != "identical"
            and pair.ties > MANY_TIES * pair.n_queries
        }
        if tied:
            yield ManyTies(str(measure), tuple(tied), max(tied.values()))


def _about_judging(comparison: Comparison) -> Iterator[Notice]:
    for measure in comparison.measures:
        judged = {s.name: s.judged for s in comparison.systems if s.measure == measure}
        least, most = min(judged, key=judged.__getitem__), max(judged, key=judged.__getitem__)
        if judged[most] - judged[least] > UNEVEN:
            yield UnevenJudging(str(measure), least, judged[least], most, judged[most])


def _about_undefined(comparison: Comparison, scores: list[Scores]) -> Iterator[Notice]:
    measure, n_queries = str(comparison.measures[0]), len(comparison.queries)
    heard = [notice for one in scores for notice in one.notices]
    empty = [n.queries for n in heard if isinstance(n, EmptyQueries) and n.rule != "skip"]
    empty += [n.queries for n in heard if isinstance(n, UndefinedValues) and n.measure == measure]
    undefined = {query for queries in empty for query in queries}
    n_undefined = len(undefined & set(comparison.queries))
    if n_undefined > MANY_UNDEFINED * n_queries:
        yield UndefinedQueries(measure, n_undefined, n_queries)


def _about_queries(comparison: Comparison, scores: list[Scores]) -> Iterator[Notice]:
    kept = set(comparison.queries)
    every = dict.fromkeys(query for one in scores for query in one.queries)
    if left_out := tuple(query for query in every if query not in kept):
        yield UncommonQueries(left_out)
