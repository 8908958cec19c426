"""gather_experiment(): compute the content of a report."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from gainful.alignment import JudgedRankings, Rules
from gainful.base import ENDLESS, IntArray, Progress, mean
from gainful.diagnostics import (
    ExplainedInstead,
    Notice,
    UnweightedReport,
    WeightedMeans,
    check_joins,
)
from gainful.dialects import Dialect, DialectRules
from gainful.errors import AlignError, ComparisonError, MeasureError
from gainful.evaluation import (
    Collection,
    Measures,
    Qrels,
    Reconciliation,
    Runs,
    Scores,
    Weights,
    evaluate_runs,
    find_dialects_reporting,
    list_measures,
    open_collection,
    read_query_data,
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
)
from gainful.report.html.query_details import (
    choose_depth,
    choose_explained_measure,
    collect_details,
    find_untitled_items,
    make_formula,
    select_heads,
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
    find_run_name,
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
    collection: Collection, run: str, measure: Measure
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
        rules=DialectRules(**collection.rules.to_dict()),
        measures=(measure.name,),
    )
    # Other tools have settings of their own; of ours they share the cutoff alone.
    bare_measure = replace(measure, settings=(), stated=())
    cutoff = dict(measure.settings).get("cutoff")
    reconciliation = compute_reconciliation(
        collection, run, cutoff, measure=bare_measure, reference=definition, rules={}
    )
    return reconciliation, None


_MANY = 1_000_000  # places, of which each unjudged one would be a row


def find_unjudged_items(
    collection: Collection,
    measure: Measure,
    baseline: str | None,
    rankings: Sequence[JudgedRankings],
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
        return unjudged(collection, None, measure, baseline=baseline).items, None
    except (MeasureError, AlignError) as error:
        # The same rules gave scores: the measure, or the order of ties, does not allow bounds.
        return None, str(error)


def gather_experiment(
    qrels: Qrels | Collection,
    runs: Runs | None = None,
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

    The arguments are those of ``write_report``.

    >>> runs = {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a"]}}
    >>> found = gather_experiment({"q1": {"a": 1}}, runs)
    >>> [(system.name, round(system.mean, 4)) for system in found.systems]
    [('old', 0.6309), ('new', 1.0)]
    >>> found.details.by_query["q1"].rankings
    ((0, 1), (1,))
    """
    with open_collection(
        qrels,
        runs,
        items=items,
        queries=queries,
        rules=rules,
        threads=threads,
        progress=progress,
    ) as collection:
        collection.refuse_dialect("report")
        return _gather(
            collection,
            list_measures(measures),
            baseline,
            weights=weights,
            by=by,
            gate=gate,
            reconcile=reconcile,
            command=command,
            seed=seed,
        )


def _gather(
    collection: Collection,
    parsed_measures: tuple[Measure, ...],
    baseline: str | os.PathLike[str] | None,
    *,
    weights: Weights | None,
    by: str | Iterable[str],
    gate: Gate | None,
    reconcile: bool,
    command: str | None,
    seed: int,
) -> Experiment:
    rules, named_runs = collection.rules, collection.runs
    if not named_runs:
        message = "report: must be given one run or more, got none."
        raise ComparisonError(message, code="too-few-runs")
    baseline_name = find_run_name(baseline, named_runs)
    for measure in parsed_measures:
        _check_measure(measure)
    item_data = _read_items(collection, parsed_measures)
    query_data = read_query_data(collection.open_file(collection.queries), weights)
    columns = check_columns(by, query_data)
    judgments = collection.read_judgments(measure=str(parsed_measures[0]))
    explained = choose_explained_measure(parsed_measures)
    cutoff = make_formula(explained).cutoff
    collection.keep_top(choose_depth(cutoff, len(named_runs), len(judgments.queries)))
    scores = evaluate_runs(collection, None, parsed_measures, weights=weights)
    comparison = None
    if len(named_runs) > 1:
        comparison = compare_scores(scores, baseline=baseline_name, seed=seed)
        scores = [_select_queries(comparison.queries, of_run) for of_run in scores]
    systems = comparison.systems if comparison else summarize_single_run(scores[0], seed)
    query_ids = scores[0].queries
    depth = choose_depth(cutoff, len(named_runs), len(query_ids))
    keep = _find_query_numbers(query_ids, judgments)
    joins = [collection.join(run, depth=depth) for run in named_runs]
    heads = [select_heads(joined, keep, depth) for joined in joins]
    rankings = [head.ranked for head in heads]
    to_judge, no_to_judge = find_unjudged_items(
        collection, parsed_measures[0], baseline_name, rankings
    )
    details = collect_details(judgments, keep, heads, explained, rules, depth, item_data)
    base = baseline_name or named_runs[0].name
    candidate = _choose_candidate(systems, parsed_measures[0], base)
    reconciliation, no_reconciliation = (
        reconcile_run(collection, candidate or base, parsed_measures[0])
        if reconcile
        else (None, None)
    )
    compared_runs = (
        ComparedRuns(base, candidate, comparison.tie) if comparison and candidate else None
    )
    slicings, slice_notices = make_slicings(
        scores, _drop_unrelated_data(query_data, query_ids), columns, compared_runs
    )
    return Experiment(
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
        findings=check_joins(joins),
        gate=gate,
        setup=Setup(
            files=describe_files(collection),
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


def _check_measure(measure: Measure) -> None:
    """Raise an error, before anything is read, if a report cannot show a measure."""
    require_mean(measure, "report")
    if not issubclass(measure.reads, JudgedRankings):
        message = (
            f"report: {measure} is {measure.reads.made_of}, and a report shows items that are "
            "judged one by one. Choose another measure, for example nDCG@10."
        )
        raise MeasureError(message, code="unfit-measure")


def _read_items(collection: Collection, measures: Sequence[Measure]) -> ItemData | None:
    """Read item data: all of it if a measure reads it, otherwise titles and URLs."""
    if collection.items is None:
        return None
    needs_texts_only = all(measure.reads is JudgedRankings for measure in measures)
    return collection.read_items(("title", "url") if needs_texts_only else None)


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
