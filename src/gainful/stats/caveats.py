"""Notices about a comparison: too few queries, many ties, uneven judging, and the like."""

from collections.abc import Iterable, Iterator, Sequence

from gainful.diagnostics import (
    DoubtfulTest,
    EmptyQueries,
    Exploratory,
    FewQueries,
    InDialect,
    ManyQueries,
    ManyTies,
    ManyUndefinedQueries,
    Notice,
    UncommonQueries,
    UndefinedValues,
    UnevenJudging,
)
from gainful.evaluation import Scores
from gainful.stats.differences import Pair, System
from gainful.stats.paired_tests import OPTIONAL_TESTS

FEW_QUERIES = 25
MANY_QUERIES = 5_000
MANY_TIES = 0.2  # share of the queries
UNEVEN = 0.05  # share of the first ranks
MANY_UNDEFINED = 0.1  # share of the queries


def diagnose_comparison(
    systems: Sequence[System],
    pairs: Sequence[Pair],
    queries: Sequence[str],
    scores: Sequence[Scores],
    tests: Iterable[str],
) -> tuple[Notice, ...]:
    """Return the notices about a comparison, followed by those of its scores.

    Args:
        systems: Mean of every run by every measure.
        pairs: Differences of the runs.
        queries: The queries that all runs have.
        scores: The scores that are compared.
        tests: The additional tests that were requested.
    """
    dialect = scores[0].dialect
    first, *exploratory = map(str, scores[0].measures)
    notices = [
        *([] if dialect is None else [InDialect(dialect.title)]),
        *_diagnose_size(pairs[0].n_queries),
        *_diagnose_ties(pairs),
        *_diagnose_judging(systems),
        *_diagnose_undefined(first, queries, scores),
        *_diagnose_queries(queries, scores),
        *(DoubtfulTest(test, OPTIONAL_TESTS[test].warning) for test in tests),
        *([Exploratory(first, tuple(exploratory))] if exploratory else []),
        *(notice for run_scores in scores for notice in run_scores.notices),
    ]
    return tuple(dict.fromkeys(notices))


def _diagnose_size(n_queries: int) -> Iterator[Notice]:
    if n_queries < FEW_QUERIES:
        yield FewQueries(n_queries, FEW_QUERIES)
    if n_queries > MANY_QUERIES:
        yield ManyQueries(n_queries)


def _diagnose_ties(pairs: Sequence[Pair]) -> Iterator[Notice]:
    for measure in dict.fromkeys(pair.measure for pair in pairs):
        tied = {
            f"{pair.system} - {pair.baseline}": pair.ties / pair.n_queries
            for pair in pairs
            if pair.measure == measure
            and pair.verdict != "identical"
            and pair.ties > MANY_TIES * pair.n_queries
        }
        if tied:
            yield ManyTies(str(measure), tuple(tied), max(tied.values()))


def _diagnose_judging(systems: Sequence[System]) -> Iterator[Notice]:
    for measure in dict.fromkeys(system.measure for system in systems):
        judged = {s.name: s.judged for s in systems if s.measure == measure}
        least_judged, most_judged = (
            min(judged, key=judged.__getitem__),
            max(judged, key=judged.__getitem__),
        )
        if judged[most_judged] - judged[least_judged] > UNEVEN:
            yield UnevenJudging(
                str(measure), least_judged, judged[least_judged], most_judged, judged[most_judged]
            )


def _diagnose_undefined(
    measure: str, queries: Sequence[str], scores: Sequence[Scores]
) -> Iterator[Notice]:
    """Yield a notice if many queries have no value of their own by the first measure."""
    notices = [notice for run_scores in scores for notice in run_scores.notices]
    empty = [n.queries for n in notices if isinstance(n, EmptyQueries) and n.rule != "skip"]
    empty += [n.queries for n in notices if isinstance(n, UndefinedValues) and n.measure == measure]
    undefined = {query for query_ids in empty for query in query_ids}
    n_undefined = len(undefined & set(queries))
    if n_undefined > MANY_UNDEFINED * len(queries):
        yield ManyUndefinedQueries(measure, n_undefined, len(queries))


def _diagnose_queries(queries: Sequence[str], scores: Sequence[Scores]) -> Iterator[Notice]:
    compared = set(queries)
    all_queries = dict.fromkeys(query for run_scores in scores for query in run_scores.queries)
    if left_out := tuple(query for query in all_queries if query not in compared):
        yield UncommonQueries(left_out)
