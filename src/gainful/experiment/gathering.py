"""experiment(): everything a report says, worked out."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gainful.about_queries import Weights, known_queries
from gainful.asked import Measures, as_measures, as_rules
from gainful.checking import check
from gainful.comparison.result import System
from gainful.errors import ComparisonError, MeasureError
from gainful.evaluate import collect_each
from gainful.experiment.alone import alone
from gainful.experiment.curves import curves
from gainful.experiment.details import details, untitled
from gainful.experiment.heads import depth_for, heads_of
from gainful.experiment.other_tools import rosetta_or_why_not
from gainful.experiment.result import Experiment, Setup
from gainful.experiment.setup import files, paths, versions
from gainful.experiment.slicing import Beside, columns_for, slicings, text_column
from gainful.experiment.terms import explained_by, formula_of
from gainful.experiment.unjudged_items import holes_or_why_not
from gainful.gating.result import Gate
from gainful.kinds import judgments_for
from gainful.measures import Measure
from gainful.metadata_notices import WeightedMeans
from gainful.named_runs import name_of, named_runs
from gainful.notices import Notice
from gainful.ragged import IntArray
from gainful.rankings import JudgedRankings
from gainful.report_notices import ExplainedInstead, UnweightedReport
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import (
    ItemData,
    Judgments,
    Progress,
    Reading,
    Run,
    Source,
    Steady,
    read_item_data,
)
from gainful.sources.queries import QueryData
from gainful.stats.comparing import averageable, compare_scores


def experiment(
    qrels: Source | Judgments,
    runs: Iterable[Source | Run] | Mapping[str, Source | Run],
    measures: Measures = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    items: Any = None,
    queries: Any = None,
    weights: Weights | None = None,
    by: str | Iterable[str] = (),
    gate: Gate | None = None,
    command: str | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Experiment:
    """Everything a report says of runs: what they score, how they differ, and why.

    Where the rules skip queries of some runs, it is about those that all of them are scored on.

    Args:
        qrels: As for ``evaluate``.
        runs: One or more, as for ``compare``. They are read several times.
        measures: As for ``evaluate``. The report is about the first.
        baseline: The run that the others are compared with, by its name or path. If not given, all
            pairs are compared, and the others are shown beside the first.
        items: What items are called and where they are found, as ``read_items`` takes it.
        queries: What is known of queries, as ``read_queries`` takes it: what was asked, and what
            slices are made of.
        weights: How much each query counts in the means of ``scores``, as for ``evaluate``.
        by: The columns of ``queries`` that make slices; all that can if not given.
        gate: What the gate said, to be shown.
        command: The command line, to be shown.
        seed: What the random numbers start from.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> found = experiment({"q1": {"a": 1}}, {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a"]}})
    >>> [(system.name, round(system.mean, 4)) for system in found.systems]
    [('old', 0.6309), ('new', 1.0)]
    >>> found.details.of["q1"].rankings
    ((0, 1), (1,))
    """
    rules, chosen, reading = as_rules(rules), as_measures(measures), Reading(threads, progress)
    named = _readable(runs)
    steady = Steady(paths(qrels, named, items, queries))
    against = name_of(baseline, named)
    for measure in chosen:
        _reportable(measure)
    files_read: Any = {"threads": threads, "progress": progress}
    how: Any = {"rules": rules, **files_read}
    data, told = _items(items, chosen), known_queries(queries, weights)
    columns = columns_for(by, told)
    judgments = judgments_for(JudgedRankings, qrels, rules, reading, measure=str(chosen[0]))
    about: Any = {"items": data, "queries": told, "weights": weights}
    scores = collect_each(judgments, named, chosen, **about, **how)
    comparison = None
    if len(named) > 1:
        comparison = compare_scores(scores, baseline=against, seed=seed)
        scores = [_on(comparison.queries, one) for one in scores]
    systems = comparison.systems if comparison else alone(scores[0], seed)
    shown, explained = scores[0].queries, explained_by(chosen)
    depth = depth_for(formula_of(explained).cutoff, len(named), len(shown))
    keep = _numbers(shown, judgments)
    heads = [heads_of(judgments, run, keep, rules, reading, depth) for run in named]
    rankings = [one.ranked for one in heads]
    found, why_not = holes_or_why_not(judgments, named, chosen[0], against, rankings, how)
    rows = details(judgments, keep, heads, explained, rules, depth, data)
    base = against or named[0].name
    candidate = _candidate(systems, chosen[0], base)
    spoken = next(run for run in named if run.name == (candidate or base))
    translated, why_no_other = rosetta_or_why_not(judgments, spoken, chosen[0], rules, files_read)
    beside = Beside(base, candidate, comparison.tie) if comparison and candidate else None
    sliced, said = slicings(scores, _of_any(told, shown), columns, beside)
    gathered = Experiment(
        runs=tuple(run.name for run in named),
        queries=shown,
        texts=_texts(told, shown),
        measures=chosen,
        scores=tuple(scores),
        systems=systems,
        comparison=comparison,
        baseline=base,
        candidate=candidate,
        curves=curves([run.name for run in named], rankings, chosen[0], rules),
        details=rows,
        holes=found,
        no_holes=why_not,
        rosetta=translated,
        no_rosetta=why_no_other,
        slicings=sliced,
        findings=check(judgments, *named, **how),
        gate=gate,
        setup=Setup(
            files=files(qrels, named, items, queries),
            versions=versions(),
            seed=seed,
            command=command,
            n_queries=len(shown),
            n_judgments=len(judgments.pool_label),
        ),
        notices=_notices(
            scores, comparison.notices if comparison else (), [*said, *untitled(rows, data)]
        ),
    )
    steady.check()
    return gathered


def _readable(runs: Any) -> list[Run]:
    named = named_runs(runs)
    if not named:
        message = "report: must be given one run or more, got none."
        raise ComparisonError(message, code="too-few-runs")
    for run in named:
        run.read_twice("report")
    return named


def _reportable(measure: Measure) -> None:
    """An error, before anything is read, where a report has nothing to say of a measure."""
    averageable(measure, "report")
    if not issubclass(measure.reads, JudgedRankings):
        message = (
            f"report: {measure} is {measure.reads.made_of}, and a report shows items that are "
            "judged one by one. Choose another measure, for example nDCG@10."
        )
        raise MeasureError(message, code="unfit-measure")


def _items(items: Any, measures: Sequence[Measure]) -> ItemData | None:
    """What is known of items: all of it if a measure reads it, else what is shown."""
    if items is None:
        return None
    shown = all(measure.reads is JudgedRankings for measure in measures)
    return read_item_data(items, {}, roles=("title", "url") if shown else None)


def _numbers(queries: Sequence[str], judgments: Judgments) -> IntArray:
    """The numbers of queries in the qrels."""
    number = {query: i for i, query in enumerate(judgments.queries)}
    return np.array([number[query] for query in queries])


def _on(queries: tuple[str, ...], scores: Scores) -> Scores:
    """The scores of these queries."""
    if scores.queries == queries:
        return scores
    place = {query: i for i, query in enumerate(scores.queries)}
    rows = np.array([place[query] for query in queries])
    return replace(
        scores,
        queries=queries,
        values=scores.values[rows],
        weights=None if scores.weights is None else scores.weights[rows],
        judged={measure: share[rows] for measure, share in scores.judged.items()},
    )


def _candidate(systems: Iterable[System], measure: Measure, base: str) -> str | None:
    others = [one for one in systems if one.measure == measure and one.name != base]
    best = max if measure.higher_is_better else min
    return best(others, key=lambda one: one.mean).name if others else None


def _of_any(data: QueryData | None, queries: Sequence[str]) -> QueryData | None:
    """What is known of queries; None if it is of none of these, and would make one slice of all."""
    return data if data is not None and set(queries).intersection(data.queries) else None


def _texts(data: QueryData | None, queries: Sequence[str]) -> dict[str, str]:
    column = text_column(data)
    if data is None or column is None:
        return {}
    texts = data.texts(column)
    return {query: text for query in queries if (text := texts.get(query))}


def _notices(
    scores: Sequence[Scores], of_comparison: Sequence[Notice], of_rest: Sequence[Notice]
) -> tuple[Notice, ...]:
    """All that is to be said, each once."""
    first, said = scores[0].measures[0], list(of_comparison)
    said += [notice for one in scores for notice in one.notices]
    if scores[0].weights is not None:
        # Said of the means of scores; those of a report are not weighted.
        said = [notice for notice in said if not isinstance(notice, WeightedMeans)]
        means = tuple(f"{one[first]:.4f} ({one.run})" for one in scores)
        said.append(UnweightedReport(str(first), means))
    explained = explained_by(scores[0].measures)
    if explained != first:
        said.append(ExplainedInstead(str(first), str(explained)))
    return tuple(dict.fromkeys([*said, *of_rest]))
