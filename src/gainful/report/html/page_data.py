"""gather_experiment(): compute the content of a report."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gainful.alignment import JudgedRankings, Rules, read_judgments_for
from gainful.base import ENDLESS, FileSnapshot, IntArray, Progress, ReadOptions, mean
from gainful.diagnostics import ExplainedInstead, Notice, UnweightedReport, WeightedMeans, check
from gainful.dialects import Dialect, DialectRules
from gainful.errors import AlignError, ComparisonError, MeasureError
from gainful.evaluation import (
    Measures,
    Reconciliation,
    Scores,
    Weights,
    evaluate_runs,
    find_dialects_reporting,
    list_measures,
    read_query_data,
    resolve_rules,
    score_queries,
)
from gainful.evaluation import reconcile as compute_reconciliation
from gainful.gate import Gate
from gainful.measures import Measure
from gainful.report.html.model import (
    Curve,
    CurvePoint,
    Experiment,
    Setup,
    collect_versions,
    describe_files,
    list_paths,
)
from gainful.report.html.query_details import (
    choose_depth,
    choose_explained_measure,
    collect_details,
    find_untitled_items,
    make_formula,
    read_heads,
)
from gainful.report.html.slice_values import (
    ComparedRuns,
    check_columns,
    find_text_column,
    make_slicings,
)
from gainful.sources import (
    ItemData,
    Judgments,
    QueryData,
    Run,
    Source,
    find_run_name,
    name_runs,
    read_item_data,
)
from gainful.stats import (
    System,
    compare_scores,
    compute_bootstrap_intervals,
    compute_mean_interval,
    require_mean,
)
from gainful.unjudged import ItemsToJudge, unjudged


def summarize_single_run(scores: Scores, seed: int) -> tuple[System, ...]:
    """Return the mean and interval of every measure, with all queries weighted equally."""
    return tuple(_summarize_measure(scores, measure, seed) for measure in scores.measures)


def _summarize_measure(scores: Scores, measure: Measure, seed: int) -> System:
    values = scores.column(measure)
    numbers = values[~np.isnan(values)]
    if not len(numbers):
        message = (
            f"report: {measure} has no value for any query; there is nothing to show. "
            "Choose another measure, or another rule for queries with nothing relevant."
        )
        raise ComparisonError(message, code="no-values")
    interval = compute_bootstrap_intervals(numbers[np.newaxis], [], seed=seed).means[0]
    judged = scores.judged_of_returned(measure)
    return System(scores.run, measure, mean(numbers), interval, judged, len(numbers))


CUTOFFS = tuple(range(1, 51))


def compute_curves(
    runs: Sequence[str], rankings: Sequence[JudgedRankings], measure: Measure, rules: Rules
) -> tuple[Curve, ...]:
    """Compute the mean of every run at each cutoff, with the interval of Student's t.

    There are no curves for a measure that takes no cutoff, or that needs more than judged rankings.
    """
    cutoff = measure.arguments.get("cutoff")
    if cutoff is None or cutoff.type is not int or measure.reads is not JudgedRankings:
        return ()
    # At other cutoffs than the requested one, a missing value is not an error.
    rules = replace(rules, empty="nan") if rules.empty == "error" else rules
    without = tuple(pair for pair in measure.settings if pair[0] != "cutoff")
    return tuple(
        Curve(run, str(replace(measure, settings=without)), _compute_points(ranked, measure, rules))
        for run, ranked in zip(runs, rankings, strict=True)
    )


def _compute_points(
    ranked: JudgedRankings, measure: Measure, rules: Rules
) -> tuple[CurvePoint, ...]:
    return tuple(
        _compute_point(ranked, measure(cutoff=cutoff), rules, cutoff) for cutoff in CUTOFFS
    )


def _compute_point(
    ranked: JudgedRankings, measure: Measure, rules: Rules, cutoff: int
) -> CurvePoint:
    values = score_queries(measure, ranked, rules)
    numbers = values[~np.isnan(values)]
    return CurvePoint(cutoff, mean(numbers), compute_mean_interval(numbers))


OURS = "this report"


def reconcile_run(
    judgments: Judgments, run: Run, measure: Measure, rules: Rules, read_options: ReadOptions
) -> tuple[Reconciliation | None, str | None]:
    """Compute the measure of one run in every dialect, or return why that is not possible."""
    if not find_dialects_reporting(measure):
        return None, f"no other tool is known to report {measure.name}."
    definition = Dialect(
        name=OURS,
        tool="Gainful",
        function="report",
        summary="The measure and the rules of this report.",
        settings=dict(measure.settings),
        rules=DialectRules(**rules.to_dict()),
        measures=(measure.name,),
    )
    # Other tools have settings of their own; of ours they share the cutoff alone.
    bare_measure = replace(measure, settings=(), stated=())
    cutoff = dict(measure.settings).get("cutoff")
    return compute_reconciliation(
        judgments,
        run,
        cutoff,
        measure=bare_measure,
        reference=definition,
        threads=read_options.threads,
        progress=read_options.progress,
    ), None


_MANY = 1_000_000  # places, of which each unjudged one would be a row


def find_unjudged_items(
    judgments: Judgments,
    runs: list[Run],
    measure: Measure,
    baseline: str | None,
    rankings: Sequence[JudgedRankings],
    rules: Rules,
    read_options: ReadOptions,
) -> tuple[ItemsToJudge | None, str | None]:
    """Find the unjudged items, or return why there are none to show."""
    cutoff = dict(measure.settings).get("cutoff") or ENDLESS
    n_places = sum(int(np.minimum(run_scores.n_retrieved, cutoff).sum()) for run_scores in rankings)
    if n_places > _MANY:
        return None, (
            f"{measure} looks at {n_places:,} places, too many to say of each what judging it "
            f"could change. Choose a measure with a lower cutoff, for example {measure.name}@10."
        )
    try:
        result = unjudged(
            judgments,
            runs,
            measure,
            baseline=baseline,
            rules=rules,
            threads=read_options.threads,
            progress=read_options.progress,
        )
        return result.items, None
    except (MeasureError, AlignError) as error:
        # The same rules gave scores: the measure, or the order of ties, does not allow bounds.
        return None, str(error)


def gather_experiment(
    qrels: Source | Judgments,
    runs: Iterable[Source | Run] | Mapping[str, Source | Run],
    measures: Measures = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    items: object = None,
    queries: object = None,
    weights: Weights | None = None,
    by: str | Iterable[str] = (),
    gate: Gate | None = None,
    reconcile: bool = False,
    command: str | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Experiment:
    """Compute everything a report shows of runs: their values, their differences and the details.

    Where the rules skip queries of some runs, the report covers the queries on which all runs are
    scored.

    Args:
        qrels: As for ``evaluate``.
        runs: One or more, as for ``compare``. They are read several times.
        measures: As for ``evaluate``. The report is about the first.
        baseline: The run that the others are compared with, by its name or path. If not given, all
            pairs are compared, and the others are shown beside the first.
        items: What items are called and where they are found, as ``read_items`` takes it.
        queries: Query attributes, as ``read_queries`` takes them: what was asked, and what
            slices are made of.
        weights: How much each query counts in the means of ``scores``, as for ``evaluate``.
        by: The columns of ``queries`` that make slices; all that can if not given.
        gate: What the gate said, to be shown.
        reconcile: Whether to compute the first measure as other tools define it.
        command: The command line, to be shown.
        seed: What the random numbers start from.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> runs = {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a"]}}
    >>> found = gather_experiment({"q1": {"a": 1}}, runs)
    >>> [(system.name, round(system.mean, 4)) for system in found.systems]
    [('old', 0.6309), ('new', 1.0)]
    >>> found.details.by_query["q1"].rankings
    ((0, 1), (1,))
    """
    rules, parsed_measures, read_options = (
        resolve_rules(rules),
        list_measures(measures),
        ReadOptions(threads, progress),
    )
    named_runs = _check_runs(runs)
    snapshot = FileSnapshot(list_paths(qrels, named_runs, items, queries))
    baseline_name = find_run_name(baseline, named_runs)
    for measure in parsed_measures:
        _check_measure(measure)
    item_data, query_data = _read_items(items, parsed_measures), read_query_data(queries, weights)
    columns = check_columns(by, query_data)
    judgments = read_judgments_for(
        JudgedRankings, qrels, rules, read_options, measure=str(parsed_measures[0])
    )
    scores = evaluate_runs(
        judgments,
        named_runs,
        parsed_measures,
        items=item_data,
        queries=query_data,
        weights=weights,
        rules=rules,
        threads=threads,
        progress=progress,
    )
    comparison = None
    if len(named_runs) > 1:
        comparison = compare_scores(scores, baseline=baseline_name, seed=seed)
        scores = [_select_queries(comparison.queries, of_run) for of_run in scores]
    systems = comparison.systems if comparison else summarize_single_run(scores[0], seed)
    query_ids, explained = scores[0].queries, choose_explained_measure(parsed_measures)
    depth = choose_depth(make_formula(explained).cutoff, len(named_runs), len(query_ids))
    keep = _find_query_numbers(query_ids, judgments)
    heads = [read_heads(judgments, run, keep, rules, read_options, depth) for run in named_runs]
    rankings = [head.ranked for head in heads]
    to_judge, no_to_judge = find_unjudged_items(
        judgments, named_runs, parsed_measures[0], baseline_name, rankings, rules, read_options
    )
    details = collect_details(judgments, keep, heads, explained, rules, depth, item_data)
    base = baseline_name or named_runs[0].name
    candidate = _choose_candidate(systems, parsed_measures[0], base)
    reconciled_run = next(run for run in named_runs if run.name == (candidate or base))
    reconciliation, no_reconciliation = (
        reconcile_run(judgments, reconciled_run, parsed_measures[0], rules, read_options)
        if reconcile
        else (None, None)
    )
    compared_runs = (
        ComparedRuns(base, candidate, comparison.tie) if comparison and candidate else None
    )
    slicings, slice_notices = make_slicings(
        scores, _drop_unrelated_data(query_data, query_ids), columns, compared_runs
    )
    gathered = Experiment(
        runs=tuple(run.name for run in named_runs),
        queries=query_ids,
        texts=_find_query_texts(query_data, query_ids),
        measures=parsed_measures,
        scores=tuple(scores),
        systems=systems,
        comparison=comparison,
        baseline=base,
        candidate=candidate,
        curves=compute_curves(
            [run.name for run in named_runs], rankings, parsed_measures[0], rules
        ),
        details=details,
        to_judge=to_judge,
        no_to_judge=no_to_judge,
        reconciliation=reconciliation,
        no_reconciliation=no_reconciliation,
        slicings=slicings,
        findings=check(judgments, *named_runs, rules=rules, threads=threads, progress=progress),
        gate=gate,
        setup=Setup(
            files=describe_files(qrels, named_runs, items, queries),
            versions=collect_versions(),
            seed=seed,
            command=command,
            n_queries=len(query_ids),
            n_judgments=len(judgments.pool_label),
        ),
        notices=_collect_notices(
            scores,
            comparison.notices if comparison else (),
            [*slice_notices, *find_untitled_items(details, item_data)],
        ),
    )
    snapshot.check()
    return gathered


def _check_runs(runs: Iterable[Source | Run] | Mapping[str, Source | Run]) -> list[Run]:
    named_runs = name_runs(runs)
    if not named_runs:
        message = "report: must be given one run or more, got none."
        raise ComparisonError(message, code="too-few-runs")
    for run in named_runs:
        run.check_rereadable("report")
    return named_runs


def _check_measure(measure: Measure) -> None:
    """Raise an error, before anything is read, if a report cannot show a measure."""
    require_mean(measure, "report")
    if not issubclass(measure.reads, JudgedRankings):
        message = (
            f"report: {measure} is {measure.reads.made_of}, and a report shows items that are "
            "judged one by one. Choose another measure, for example nDCG@10."
        )
        raise MeasureError(message, code="unfit-measure")


def _read_items(items: object, measures: Sequence[Measure]) -> ItemData | None:
    """Read item data: all of it if a measure reads it, otherwise titles and URLs."""
    if items is None:
        return None
    needs_texts_only = all(measure.reads is JudgedRankings for measure in measures)
    return read_item_data(items, {}, roles=("title", "url") if needs_texts_only else None)


def _find_query_numbers(queries: Sequence[str], judgments: Judgments) -> IntArray:
    """Return the numbers of queries in the qrels."""
    number = {query: i for i, query in enumerate(judgments.queries)}
    return np.array([number[query] for query in queries])


def _select_queries(queries: tuple[str, ...], scores: Scores) -> Scores:
    """Return the scores of these queries."""
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


def _choose_candidate(systems: Iterable[System], measure: Measure, base: str) -> str | None:
    candidates = [
        run_scores
        for run_scores in systems
        if run_scores.measure == measure and run_scores.name != base
    ]
    best = max if measure.higher_is_better else min
    return best(candidates, key=lambda run_scores: run_scores.mean).name if candidates else None


def _drop_unrelated_data(data: QueryData | None, queries: Sequence[str]) -> QueryData | None:
    """Return the query data, or None if it describes none of these queries."""
    return data if data is not None and set(queries).intersection(data.queries) else None


def _find_query_texts(data: QueryData | None, queries: Sequence[str]) -> dict[str, str]:
    column = find_text_column(data)
    if data is None or column is None:
        return {}
    texts = data.texts(column)
    return {query: text for query in queries if (text := texts.get(query))}


def _collect_notices(
    scores: Sequence[Scores], of_comparison: Sequence[Notice], of_rest: Sequence[Notice]
) -> tuple[Notice, ...]:
    """Collect all notices, each once."""
    first, notices = scores[0].measures[0], list(of_comparison)
    notices += [notice for run_scores in scores for notice in run_scores.notices]
    if scores[0].weights is not None:
        # This notice is about the means of scores; those of a report are not weighted.
        notices = [notice for notice in notices if notice.code != WeightedMeans.code]
        means = tuple(f"{run_scores[first]:.4f} ({run_scores.run})" for run_scores in scores)
        notices.append(UnweightedReport(str(first), means))
    explained = choose_explained_measure(scores[0].measures)
    if explained != first:
        notices.append(ExplainedInstead(str(first), str(explained)))
    return tuple(dict.fromkeys([*notices, *of_rest]))
