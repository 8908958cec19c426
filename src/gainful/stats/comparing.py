"""compare(): which of several runs is better, and how sure that is."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gainful.asked import Measures, as_rules
from gainful.comparison.result import Comparison
from gainful.errors import ComparisonError
from gainful.evaluate import collect_each
from gainful.measures import Measure
from gainful.named_runs import apart, name_of, named_runs
from gainful.ragged import FloatArray
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import Judgments, Progress, Reading, Run, Source, read_judgments
from gainful.stats._about import about_comparison
from gainful.stats._compared import compared
from gainful.stats._settings import Alpha, Margin, Resamples, Seed, Settings, Tie


def compare(
    qrels: Source | Judgments,
    runs: Iterable[Source | Run] | Mapping[str, Source | Run],
    measures: Measures = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    correction: str | None = None,
    tests: str | Iterable[str] = (),
    alpha: Alpha = 0.05,
    margin: Margin = None,
    tie: Tie = 1e-9,
    seed: Seed = 0,
    resamples: Resamples = None,
    bounds: bool = False,
    items: Any = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """What several runs score, how they differ, and how sure that is.

    Args:
        qrels: As for ``evaluate``.
        runs: Two or more, as for ``evaluate``: in a list, or ``{name: run}``.
        measures: As for ``evaluate``. The first decides, the others are exploratory.
        baseline: The run that the others are compared with, by its name or path; all pairs if not
            given.
        correction: How p-values take into account that there are several pairs: ``"tukey"``
            (randomised Tukey HSD; the default for all pairs), ``"holm"`` (the default against a
            baseline), ``"max-t"``, ``"bh"`` or ``"none"`` (the default for one pair).
        tests: Further tests: ``"wilcoxon"``, ``"sign"``, ``"bootstrap-shift"``.
        alpha: Below which p-value a difference is more than chance; intervals hold with
            probability ``1 - alpha``.
        margin: The difference that does not matter: lets the verdict be "practically equal".
        tie: The difference up to which two values of a query are the same.
        seed: What the random numbers start from. The same seed gives the same numbers.
        resamples: How many random draws each test makes; if not given, 100,000 sign flips and
            10,000 permutations.
        bounds: Whether to work out where the differences may lie whatever the labels of unjudged
            items: for nDCG and its kin. See ``gainful.bounds``.
        items: As for ``evaluate``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> qrels = {f"q{i}": {"d1": 2, "d2": 1} for i in range(30)}
    >>> plain = {query: ["d3", "d1"] for query in qrels}
    >>> better = {query: ["d1", "d3", "d2"][i % 3 == 0:] for i, query in enumerate(qrels)}
    >>> print(compare(qrels, {"plain": plain, "better": better}).verdict)
    better beats plain on nDCG@10: +0.2338 [0.1066, 0.3610], p = 0.0008 (paired t, 30 queries).
    """
    named = named_runs(runs)
    settings = Settings(
        baseline=name_of(baseline, named),
        correction=correction,
        tests=tests,
        alpha=alpha,
        margin=margin,
        tie=tie,
        seed=seed,
        resamples=resamples,
    )
    settings.pairs(_enough([run.name for run in named]))  # refused now, not after a long reading
    how: Any = {"rules": rules, "threads": threads, "progress": progress}
    if bounds:
        from gainful.stats._possible import with_possible

        for run in named:
            run.read_twice("bounds")
        qrels = read_judgments(qrels, as_rules(rules), Reading(threads, progress))
    found = _compared(collect_each(qrels, named, measures, items=items, **how), settings)
    return with_possible(found, qrels, named, **how) if bounds else found


def compare_scores(
    several: Iterable[Scores],
    *,
    baseline: str | None = None,
    correction: str | None = None,
    tests: str | Iterable[str] = (),
    alpha: Alpha = 0.05,
    margin: Margin = None,
    tie: Tie = 1e-9,
    seed: Seed = 0,
    resamples: Resamples = None,
) -> Comparison:
    """The same, of scores that are there already, for the same measures. See ``compare``.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> each = [gainful.evaluate(qrels, {"q1": ["d1"], "q2": ["d1"]}, "P@1") for _ in range(2)]
    >>> print(compare_scores(each).verdict)
    run-2 and run-1 are identical on P@1: same value on all 2 queries.
    """
    settings = Settings(
        baseline=baseline,
        correction=correction,
        tests=tests,
        alpha=alpha,
        margin=margin,
        tie=tie,
        seed=seed,
        resamples=resamples,
    )
    return _compared(_told_apart(several), settings)


def _compared(scores: list[Scores], settings: Settings) -> Comparison:
    runs, measures = tuple(one.run for one in scores), scores[0].measures
    pairs = settings.pairs(runs)
    queries, values = _common(scores)
    judged = {m: [one.judged_of_returned(m) for one in scores] for m in measures}
    each = [
        compared(measure, runs, values[i], judged[measure], settings)
        for i, measure in enumerate(measures)
    ]
    comparison = Comparison(
        runs=runs,
        queries=queries,
        measures=measures,
        values=values,
        baseline=settings.baseline,
        systems=tuple(system for systems, _ in each for system in systems),
        pairs=tuple(pair for _, several in each for pair in several),
        correction=settings.correction_for(len(pairs)),
        alpha=settings.alpha,
        margin=settings.margin,
        tie=settings.tie,
        seed=settings.seed,
        resamples=settings.draws,
        rules=scores[0].rules,
    )
    return replace(comparison, notices=about_comparison(comparison, scores, settings))


def _enough(runs: list[str]) -> list[str]:
    if len(runs) < 2:
        message = (
            f"compare: must be given two runs or more, got {len(runs)}. "
            "Pass them in a list, or as {name: run}."
        )
        raise ComparisonError(message, code="too-few-runs")
    return runs


def _told_apart(several: Iterable[Scores]) -> list[Scores]:
    """The scores, which must be alike but for their runs, no two of the same name."""
    scores = list(several) if isinstance(several, Iterable) else [several]
    _enough([str(one) for one in scores])
    for one in scores:
        if not isinstance(one, Scores):
            message = f"compare: must be given Scores, as evaluate() returns them, got {one!r:.60}."
            raise ComparisonError(message, code="wrong-type")
        for what in ("measures", "dialect", "rules"):
            if getattr(one, what) != getattr(scores[0], what):
                message = (
                    f"compare: all scores must have the same {what}, got "
                    f"{getattr(one, what)} for run {one.run!r}."
                )
                raise ComparisonError(message, code="unlike-runs")
    names = apart([one.run for one in scores])
    return [replace(one, run=name) for one, name in zip(scores, names, strict=True)]


def _common(scores: list[Scores]) -> tuple[tuple[str, ...], FloatArray]:
    """The queries that all have, and the values of measures x runs x queries."""
    for measure in scores[0].measures:
        averageable(measure)
    places = [{query: i for i, query in enumerate(one.queries)} for one in scores]
    queries = tuple(q for q in scores[0].queries if all(q in place for place in places))
    if not queries:
        message = "compare: the runs have no query in common."
        raise ComparisonError(message, code="no-common-query")
    rows = [[place[query] for query in queries] for place in places]
    values = [one.values[row] for one, row in zip(scores, rows, strict=True)]
    return queries, np.ascontiguousarray(np.stack(values).transpose(2, 0, 1))


def averageable(measure: Measure, wanted_by: str = "compare") -> None:
    """An error where means over queries say nothing of a measure."""
    if measure.whole or measure.average != "mean":
        averages = {"sum": "is a sum over queries", "geometric": "is a geometric mean"}
        what = "has no values of queries" if measure.whole else averages[measure.average]
        message = (
            f"{wanted_by}: {measure} {what}, and means over queries are compared. "
            "Choose another measure."
        )
        raise ComparisonError(message, code="unfit-measure")
