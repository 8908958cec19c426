"""evaluate(): the whole pipeline, on one screen."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from gainful.alignment import Rules
from gainful.base import Progress, ReadOptions
from gainful.diagnostics import diagnose_joins, name_sources
from gainful.evaluation.arguments import (
    DEFAULT_MEASURES,
    Measures,
    Weights,
    diagnose_dialect,
    name_dialect_in_errors,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
)
from gainful.evaluation.partition import (
    align_part,
    compute_values,
    diagnose_values,
    read_all_judgments,
)
from gainful.evaluation.scores import Scores
from gainful.sources import (
    GroupedJudgments,
    ItemData,
    Judgments,
    PreferenceJudgments,
    Run,
    Source,
    is_spark,
    read_items,
    read_run,
)

if TYPE_CHECKING:
    from gainful.dialects import Dialect

Qrels = Source | Judgments | GroupedJudgments | PreferenceJudgments


class EvaluateOptions(TypedDict, total=False):
    """Arguments of ``evaluate`` other than data and measures."""

    items: object
    queries: object
    weights: Weights | None
    rules: Rules | None
    dialect: "str | Dialect | None"
    threads: int | None
    progress: Progress | None


def evaluate(
    qrels: Qrels,
    run: Source | Run,
    measures: Measures = DEFAULT_MEASURES,
    *,
    items: object = None,
    queries: object = None,
    weights: Weights | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Compute the values of measures for every judged query of one run.

    Args:
        qrels: A file, a data frame or an object: whatever ``read_qrels`` takes, or what it
            returned: read them once for many runs. For measures of subtopics, what
            ``read_subtopics`` takes or returned; for measures of preferences, what
            ``read_preferences`` does.
        run: A file, a data frame or an object: whatever ``read_run`` takes, or what it returned,
            which may have another name. A DataFrame of Spark is evaluated where it is, as
            ``gainful.spark.evaluate`` does, which has more to set.
        measures: One or several: ``"nDCG@10"``, ``"nDCG@5,10"``, ``nDCG(gain="exp2") @ 10``.
        items: For measures of what is recommended: ``ItemData(...)``, or what ``read_items`` takes.
        queries: Query attributes: a table with a query column, as ``read_queries`` takes.
            ``Scores.by`` makes slices of it.
        weights: How much each query counts in the means: a column of ``queries``, or
            ``{query: weight}``.
        rules: How to join, rank and average; ``Rules()`` if not given.
        dialect: Whose definition of the measures holds, in place of ``rules``: ``"lightgbm"``,
            ``"trec_eval@9"``, or what ``find_dialect`` returned.
        threads: How many threads read files; all cores if not given. The values do not depend
            on it.
        progress: Called now and then with a file's name, the bytes that are read, and how many
            there are, if that is known.

    Returns:
        The value of every judged query by every measure, with means, rules and notices.

    Raises:
        SourceError: The qrels, the run or a table cannot be read; the message names the file, the
            line and the value.
        AlignError: They were read, but do not fit together: they share no query, for example.
        MeasureError: A measure or one of its settings is unknown, or needs other judgments.
        RuleError: The dialect is unknown, or both ``dialect`` and ``rules`` are given.

    >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}, ["nDCG@10", "DCG@10"])
    >>> scores.mean()
    {'nDCG@10': 0.6309297535714575, 'DCG@10': 0.6309297535714575}
    """
    [scores] = evaluate_runs(
        qrels,
        [run],
        measures,
        items=items,
        queries=queries,
        weights=weights,
        rules=rules,
        dialect=dialect,
        threads=threads,
        progress=progress,
    )
    return scores


def evaluate_runs(
    qrels: Qrels,
    runs: Iterable[Source | Run],
    measures: Measures = DEFAULT_MEASURES,
    *,
    items: object = None,
    queries: object = None,
    weights: Weights | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Scores]:
    """Compute the values for every run; the qrels are read once. For arguments see ``evaluate``.

    >>> both = evaluate_runs({"q1": {"d1": 1}}, [{"q1": ["d1"]}, {"q1": ["d2", "d1"]}], "nDCG")
    >>> [scores["nDCG"] for scores in both]
    [1.0, 0.6309297535714575]
    """
    runs = list(runs)
    if any(map(_is_on_spark, (qrels, *runs))):
        options = EvaluateOptions(items=items, queries=queries, weights=weights)
        options |= EvaluateOptions(rules=rules, dialect=dialect, threads=threads, progress=progress)
        return _evaluate_on_spark(qrels, runs, measures, options)
    dialect = resolve_dialect(dialect, rules)
    rules = resolve_rules(rules) if dialect is None else dialect.rules
    resolved = resolve_measures(measures, dialect)
    read_options = ReadOptions(threads, progress)
    # Read.
    attach = _read_query_data(queries, weights)
    judgments = read_all_judgments(qrels, resolved, rules, read_options)
    data = ItemData() if items is None else read_items(items)
    collected = []
    with name_dialect_in_errors(dialect):
        for run in map(read_run, runs):
            # Join.
            parts = align_part(judgments, run, resolved, data, rules, read_options)
            stats = {kind: part.stats for kind, part in parts.items()}
            names = {
                kind: name_sources(judgments[kind], run, parts[kind].locator) for kind in parts
            }
            notices = diagnose_joins(stats, names, rules, data)
            # Measure.
            values = compute_values(parts, resolved, rules)
            notices += diagnose_values(values.undefined, rules)
            # Collect.
            scores = Scores(
                run=run.name,
                queries=values.queries,
                measures=tuple(resolved),
                values=values.values,
                rules=rules,
                notices=(*dict.fromkeys(notices), *diagnose_dialect(dialect, resolved)),
                overall={
                    m: resolved[m].compute_overall(ranked) for m, ranked in values.ranked.items()
                },
                judged=values.judged,
                empty=values.empty,
                dialect=dialect,
            )
            collected.append(attach(scores))
    return collected


def collect_runs(
    qrels: Qrels,
    runs: Iterable[Source | Run],
    measures: Measures,
    **options: Unpack[EvaluateOptions],
) -> list[Scores]:
    """Evaluate every run and bring all values to this machine; see ``evaluate``."""
    evaluated = evaluate_runs(qrels, runs, measures, **options)
    try:
        return [scores.collect() for scores in evaluated]
    finally:
        for scores in evaluated:
            scores.release()


def _is_on_spark(source: object) -> bool:
    return is_spark(source.source if isinstance(source, Run) else source)


def _evaluate_on_spark(
    qrels: Qrels, runs: Sequence[Source | Run], measures: Measures, options: EvaluateOptions
) -> list[Scores]:
    """Evaluate runs where rows are on Spark: those of the qrels, or of some runs."""
    from gainful.spark import evaluate_runs as evaluate_runs_on_spark  # slow to import

    on_spark = [_is_on_spark(qrels) or _is_on_spark(run) for run in runs]
    local = [run for run, is_remote in zip(runs, on_spark, strict=True) if not is_remote]
    remote = [run for run, is_remote in zip(runs, on_spark, strict=True) if is_remote]
    # First those that leave nothing behind if others fail.
    local_scores = iter(evaluate_runs(qrels, local, measures, **options) if local else ())
    remote_scores = iter(
        evaluate_runs_on_spark(
            qrels,
            remote,
            measures,
            items=options["items"],
            queries=options["queries"],
            weights=options["weights"],
            rules=options["rules"],
            dialect=options["dialect"],
        )
    )
    return [next(remote_scores if is_remote else local_scores) for is_remote in on_spark]


def _read_query_data(queries: object, weights: Weights | None) -> Callable[[Scores], Scores]:
    """Read data about queries, and return the function that attaches them to scores."""
    if queries is None and weights is None:
        return lambda scores: scores
    from gainful.evaluation.slices import attach_query_data, read_query_data  # slow to import

    data = read_query_data(queries, weights)
    return lambda scores: attach_query_data(scores, data, weights)
