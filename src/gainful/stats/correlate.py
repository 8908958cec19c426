"""correlate(): agreement of measures about systems, and of systems about items."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from gainful.alignment import Rules, join, refuse_rules
from gainful.base import (
    FloatArray,
    Progress,
    Result,
    Setting,
    collect_arguments,
    format_count,
    ragged,
    to_jsonable,
)
from gainful.diagnostics import Notice, declare_notice
from gainful.errors import ComparisonError
from gainful.evaluation import (
    Collection,
    Measures,
    Qrels,
    Runs,
    Scores,
    evaluate_runs,
    list_measures,
    open_collection,
)
from gainful.measures import Measure
from gainful.sources import (
    Columns,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Run,
    read_qrels,
)
from gainful.stats.comparison_settings import Seed
from gainful.stats.correlation_pairs import (
    MeasureCorrelation,
    RunCorrelation,
    TopItems,
    correlate_measures,
    correlate_runs,
    format_short_interval,
)
from gainful.stats.rank_correlation import Persistence

CORRELATION_COLUMNS = ("between", "first", "second", "statistic", "value", "low", "high")


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(Result):
    """Every pair of measures, and every pair of runs.

    As a table it is tidy: a row for every pair and statistic (``between``, ``first``, ``second``,
    ``statistic``, ``value``, ``low``, ``high``).

    Attributes:
        measures: Correlation of each pair of measures.
        runs: Correlation of each pair of runs.
        means: Mean of every run by every measure: by run, then by measure.
        n_queries: Number of queries with judgments.
        p: The persistence of the rank-biased overlap.
        top: Number of items of every ranking that were compared.
        level: Confidence level of the intervals.
        seed: Seed of the random numbers.
        resamples: Number of times that the queries were resampled.
        rules: The rules under which the values hold.
        notices: Notices about the numbers.
    """

    measures: tuple[MeasureCorrelation, ...]
    runs: tuple[RunCorrelation, ...]
    means: Mapping[str, Mapping[str, float]]
    n_queries: int
    p: float
    top: int
    level: float
    seed: int
    resamples: int
    rules: Rules
    notices: tuple[Notice, ...] = field(default=())

    _view = "view_correlation"

    @property
    def sentences(self) -> list[str]:
        """One sentence per pair: measures, then runs."""
        return [
            *(pair.sentence for pair in self.measures),
            *map(self._describe_run_pair, self.runs),
        ]

    def _describe_run_pair(self, pair: RunCorrelation) -> str:
        ranks = format_count(self.top, "rank", "ranks")
        return (
            f"{pair.first} and {pair.second} share {pair.shared:.0%} of the items in their first "
            f"{ranks}: rank-biased overlap {pair.rbo:.2f}"
            f"{format_short_interval(pair.interval)} over "
            f"{format_count(pair.n_queries, 'query', 'queries')}."
        )

    def rows(self) -> Iterator[tuple[str, str, str, str, float, float, float]]:
        """Yield the rows of the tidy table; NaN where a statistic has no interval, or no value."""
        for correlation in self.measures:
            names = ("measures", str(correlation.first), str(correlation.second))
            yield (*names, "tau", correlation.tau, *correlation.interval)
            yield (*names, "tau_ap", correlation.tau_ap, math.nan, math.nan)
            yield (*names, "weighted_tau", correlation.weighted_tau, math.nan, math.nan)
            yield (*names, "rbo", correlation.rbo, math.nan, math.nan)
        for pair in self.runs:
            names = ("runs", pair.first, pair.second)
            yield (*names, "rbo", pair.rbo, *pair.interval)
            yield (*names, "shared", pair.shared, *pair.shared_interval)
            yield (*names, "tau", pair.tau, *pair.tau_interval)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; NaN is None."""
        return {
            "measures": [
                _list_fields(pair) | {"sentence": pair.sentence} for pair in self.measures
            ],
            "runs": [
                _list_fields(pair) | {"sentence": self._describe_run_pair(pair)}
                for pair in self.runs
            ],
            "means": to_jsonable(self.means),
            **{name: getattr(self, name) for name in _SETTINGS},
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    @property
    def settings(self) -> str:
        """The settings, except the rules, as text."""
        return (
            f"{format_count(self.n_queries, 'query', 'queries')}, {self.level:.0%} intervals, "
            f"p {self.p:g}, top {self.top}, {self.resamples:,} resamples, seed {self.seed}"
        )


_SETTINGS = ("n_queries", "p", "top", "level", "seed", "resamples")


def _list_fields(pair: MeasureCorrelation | RunCorrelation) -> dict[str, Any]:
    fields: dict[str, Any] = to_jsonable(vars(pair))
    return {n: str(value) if isinstance(value, Measure) else value for n, value in fields.items()}


DEFAULT_MEASURES = ("nDCG@10", "P@10", "AP")

Top = Annotated[int, Setting("number of items of every ranking that are compared", at_least=1)]
Level = Annotated[float, Setting("confidence level of the intervals", more_than=0, less_than=1)]
Resamples = Annotated[int, Setting("number of times that queries are resampled", at_least=1)]

_FEW_SYSTEMS = 5  # systems: of fewer, two orders agree by chance too often to tell anything


@declare_notice("few-systems", "warning")
def FewSystems(n_systems: int) -> str:
    return (
        f"{n_systems} systems are few: two orders of them that have nothing to do with "
        f"each other agree 1 time in {math.factorial(n_systems)}, with tau 1."
    )


@dataclass(frozen=True, kw_only=True)
class CorrelationSettings:
    """Settings of ``correlate``, checked."""

    p: Persistence = 0.9
    top: Top = 100
    level: Level = 0.95
    resamples: Resamples = 2_000
    seed: Seed = 0

    def __post_init__(self) -> None:
        for name, argument in collect_arguments(CorrelationSettings).items():
            value = getattr(self, name)
            checked_value = argument.check("correlate", value, ComparisonError, "bad-argument")
            object.__setattr__(self, name, checked_value)


def correlate(
    qrels: Qrels | Collection,
    runs: Runs | None = None,
    measures: Measures = DEFAULT_MEASURES,
    *,
    p: float = 0.9,
    top: int = 100,
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Correlation:
    """Correlate measures by their rankings of the runs, and runs by their rankings of items.

    Of measures: Kendall's tau of the means of the runs, with an interval by resampling the
    queries, the AP correlation, the weighted tau, and the pairs of runs that two measures order
    differently. Of runs: the mean rank-biased overlap, the share of items that both have, and
    Kendall's tau of these. Only queries that have judgments are looked at.

    Ties within a ranking are broken as the rules say, by descending item id where they are
    averaged. Runs that break their ties by id look more alike than they are.

    Args:
        qrels: As for ``evaluate``.
        runs: Two or more: ``{name: run}``, or a list, in which those of one name are numbered.
            Of a collection, the names of runs; all of them if not given.
        measures: As for ``evaluate``; measures of whole runs have no values of queries, and are
            an error. With one measure, runs alone are compared.
        p: The persistence of the rank-biased overlap; with 0.9 the first 10 ranks have 86% of the
            weight.
        top: Number of items of every ranking to compare; fewer if ``Rules.depth`` is.
        level: Confidence level of the intervals.
        resamples: Number of times that the queries are resampled.
        seed: Seed of the random numbers.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The correlations of all pairs of measures and of all pairs of runs.

    Raises:
        ComparisonError: There are fewer than two runs, a measure has no values of queries, or a
            number is out of range.

    >>> qrels = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
    >>> old = {"q1": ["d1", "d2"], "q2": ["d3"]}
    >>> new = {"q1": ["d2"], "q2": ["d9", "d3"]}
    >>> result = correlate(qrels, {"old": old, "new": new}, ["P@1", "P@2"])
    >>> result.measures[0].sentence
    'P@1 and P@2 order both systems alike: tau 1.00 [0.00, 1.00].'
    >>> round(result.runs[0].rbo, 4), result.runs[0].shared
    (0.45, 0.5)
    """
    settings = CorrelationSettings(p=p, top=top, level=level, resamples=resamples, seed=seed)
    parsed = list_measures(measures)
    with open_collection(
        qrels, runs, rules=rules, threads=threads, progress=progress
    ) as collection:
        parsed = tuple(collection.resolve(parsed))
        _check_input(collection.runs, parsed)
        collection.keep_top(settings.top)
        scores, top_items = [], []
        # One run after the other: there may be hundreds.
        for run in collection.runs:
            scores += evaluate_runs(collection, [run], parsed)
            top_items.append(
                _list_top_items(collection, run, parsed[0], scores[0].queries, settings.top)
            )
            if not isinstance(qrels, Collection):
                collection.release(run)
    names = [run_scores.run for run_scores in scores]
    few_systems = (FewSystems(len(names)),) if len(names) < _FEW_SYSTEMS and len(parsed) > 1 else ()
    notices = dict.fromkeys(
        [*few_systems, *(notice for run_scores in scores for notice in run_scores.notices)]
    )
    return Correlation(
        measures=correlate_measures(
            parsed,
            names,
            _stack_values(scores),
            p=settings.p,
            level=settings.level,
            resamples=settings.resamples,
            seed=settings.seed,
        ),
        runs=correlate_runs(names, top_items, p=settings.p, level=settings.level),
        means={run_scores.run: run_scores.mean() for run_scores in scores},
        n_queries=len(scores[0].queries),
        p=settings.p,
        top=settings.top,
        level=settings.level,
        seed=settings.seed,
        resamples=settings.resamples,
        rules=scores[0].rules,
        notices=tuple(notices),
    )


def _check_input(runs: Sequence[Run], measures: Sequence[Measure]) -> None:
    if len(runs) < 2:
        message = f"correlate: must be given two runs or more, got {len(runs)}."
        raise ComparisonError(message, code="too-few-runs")
    for measure in measures:
        if measure.whole:
            message = f"correlate: {measure} has no values of queries. Choose another measure."
            raise ComparisonError(message, code="unfit-measure")


def _stack_values(scores: Sequence[Scores]) -> FloatArray:
    """Return the values of measures x runs x queries."""
    for run_scores in scores:
        if run_scores.queries != scores[0].queries:
            message = _describe_missing_query(scores[0], run_scores)
            raise ComparisonError(message, code="unlike-runs")
    return np.stack([run_scores.values.T for run_scores in scores], axis=1)


def _describe_missing_query(first: Scores, second: Scores) -> str:
    for has, lacks in ((first, second), (second, first)):
        for query in sorted(set(has.queries) - set(lacks.queries)):
            return (
                f"correlate: every run must have the same queries, got none of {query!r} for run "
                f"{lacks.run!r}. Pass missing=zero."
            )
    raise AssertionError


def _flatten_judgments(judgments: Judgments | GroupedJudgments | PreferenceJudgments) -> Judgments:
    """Return judgments of the same queries that any run can be joined with."""
    if isinstance(judgments, Judgments):
        return judgments
    pairs = judgments.items.pairs
    queries, items = [query for query, _ in pairs], [item for _, item in pairs]
    return read_qrels(Columns(query=queries, item=items, label=[1.0] * len(pairs)))


def _list_top_items(
    collection: Collection, run: Run, measure: Measure, queries: Sequence[str], top: int
) -> TopItems:
    """Return the first items of a run, for these queries."""
    rules = collection.rules
    refuse_rules(rules, {"padding": ()}, "takes out items by label, but runs agree on items")
    judgments = collection.read_judgments(measure.reads, measure=str(measure))
    flat = _flatten_judgments(judgments)
    number = {query: i for i, query in enumerate(flat.queries)}
    numbers = np.array([number[query] for query in queries])
    if rules.ties in ("average", "middle"):
        # A ranking is to have an order, and one that no label decides.
        rules = replace(rules, ties="item-desc")
    if flat is judgments:
        joined = collection.join(run, rules, depth=top)
    else:
        opened = collection.open_run(run)
        joined = join(flat, opened, rules, collection.read_options, keep_top=top)
    heads = joined.list_heads(top)
    positions, offsets = ragged.take(heads.offsets, numbers)
    return TopItems(offsets, heads.item[positions], heads.ids)
