"""Notices about a comparison: too few queries, many ties, uneven judging, and the like."""

from collections.abc import Iterable, Iterator, Sequence

from gainful.base import format_count, format_examples
from gainful.diagnostics import EmptyQueries, Notice, UndefinedValues, declare_notice
from gainful.evaluation import Scores
from gainful.stats.differences import Pair, System
from gainful.stats.paired_tests import OPTIONAL_TESTS

FEW_QUERIES = 25
MANY_QUERIES = 5_000
MANY_TIES = 0.2  # share of the queries
UNEVEN = 0.05  # share of the first ranks
MANY_UNDEFINED = 0.1  # share of the queries


@declare_notice("few-queries", "warning")
def FewQueries(n_queries: int, enough: int) -> str:
    return (
        f"{format_count(n_queries, 'query is', 'queries are')} compared, fewer than "
        f"{enough}: only large differences show, and p-values and intervals are rough."
    )


@declare_notice("many-queries", "info")
def ManyQueries(n_queries: int) -> str:
    return (
        f"{n_queries:,} queries are compared: with so many almost every difference is "
        "significant. Ask how large it is: look at the difference and at d_z."
    )


@declare_notice("many-ties", "info")
def ManyTies(measure: str, pairs: tuple[str, ...], share: float) -> str:
    return (
        f"{measure}: on up to {100 * share:.0f}% of the queries both runs have the "
        f"same value ({format_examples(pairs)}); the difference rests on the others. "
        "A deeper or finer measure tells more of them apart."
    )


@declare_notice("uneven-judging", "warning")
def UnevenJudging(measure: str, least_run: str, least: float, most_run: str, most: float) -> str:
    return (
        f"{measure}: {100 * least:.0f}% of what {least_run!r} returns is judged "
        f"but {100 * most:.0f}% of what {most_run!r} returns; unjudged items count "
        "as not relevant, so the first may be better than it looks. "
        "gainful unjudged lists what to judge, and how far nDCG could move."
    )


@declare_notice("undefined-queries", "warning")
def ManyUndefinedQueries(measure: str, n_undefined: int, n_queries: int) -> str:
    return (
        f"{measure} is undefined for {n_undefined:,} of {n_queries:,} queries: "
        "nothing is relevant there. They tell nothing, yet count among the queries; "
        "empty=skip leaves them out."
    )


@declare_notice("uncommon-queries", "warning")
def UncommonQueries(queries: tuple[str, ...]) -> str:
    return (
        f"{format_count(len(queries), 'query', 'queries')} "
        f"({format_examples(queries)}) not all runs have a value for; left out of the "
        "comparison."
    )


@declare_notice("doubtful-test", "warning")
def DoubtfulTest(test: str, warning: str) -> str:
    return f"{warning[0].upper()}{warning[1:]}"


@declare_notice("exploratory", "info")
def Exploratory(first: str, others: tuple[str, ...]) -> str:
    are = "is" if len(others) == 1 else "are"
    return (
        f"{first} decides; {', '.join(others)} {are} exploratory: p-values are "
        "adjusted for the pairs of one measure, not for the number of measures."
    )


@declare_notice("in-dialect", "info")
def InDialect(dialect: str) -> str:
    return f"values are as the dialect {dialect} defines them; see gainful dialects."


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
    undefined: set[str] = set()
    for notice in notices:
        is_empty = notice.code == EmptyQueries.code and notice.data["rule"] != "skip"
        if is_empty or (notice.code == UndefinedValues.code and notice.data["measure"] == measure):
            undefined |= {*notice.data["queries"]}
    n_undefined = len(undefined & set(queries))
    if n_undefined > MANY_UNDEFINED * len(queries):
        yield ManyUndefinedQueries(measure, n_undefined, len(queries))


def _diagnose_queries(queries: Sequence[str], scores: Sequence[Scores]) -> Iterator[Notice]:
    compared = set(queries)
    all_queries = dict.fromkeys(query for run_scores in scores for query in run_scores.queries)
    if left_out := tuple(query for query in all_queries if query not in compared):
        yield UncommonQueries(left_out)
