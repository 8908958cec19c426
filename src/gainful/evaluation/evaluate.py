"""evaluate(): the whole pipeline, on one screen."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gainful.alignment import ItemRankings, Rules
from gainful.base import Progress
from gainful.diagnostics import diagnose_joins, name_sources
from gainful.evaluation.arguments import (
    DEFAULT_MEASURES,
    Measures,
    Weights,
    diagnose_dialect,
    name_dialect_in_errors,
)
from gainful.evaluation.collection import Collection, Qrels, Runs, open_collection
from gainful.evaluation.partition import compute_values, diagnose_values
from gainful.evaluation.scores import Scores
from gainful.measures import Measure
from gainful.sources import ItemData, Run, Source, is_spark

if TYPE_CHECKING:
    from gainful.dialects import Dialect


def evaluate(
    qrels: Qrels | Collection,
    run: Source | Run | None = None,
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
            ``read_preferences`` does. Or a ``Collection``, which has its own items, queries and
            rules.
        run: A file, a data frame or an object: whatever ``read_run`` takes, or what it returned,
            which may have another name. A DataFrame of Spark is evaluated where it is, as
            ``gainful.spark.evaluate`` does, which has more to set. Of a collection, the name of a
            run; it may be left out if there is one.
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
    with open_collection(
        qrels,
        None if run is None else [run],
        items=items,
        queries=queries,
        rules=rules,
        dialect=dialect,
        threads=threads,
        progress=progress,
        keep_joins=False,
    ) as collection:
        collection.require_one_run("evaluate")
        return evaluate_runs(collection, None, measures, weights=weights)[0]


def evaluate_runs(
    qrels: Qrels | Collection,
    runs: Runs | None = None,
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
    with open_collection(
        qrels,
        runs,
        items=items,
        queries=queries,
        rules=rules,
        dialect=dialect,
        threads=threads,
        progress=progress,
        keep_joins=False,
    ) as collection:
        if collection.is_on_spark:
            return _evaluate_on_spark(collection, measures, weights)
        resolved = collection.resolve(measures)
        attach = _read_query_data(collection, weights)
        collected = []
        for run in collection.runs:
            with name_dialect_in_errors(collection.dialect):
                collected.append(attach(_evaluate_run(collection, run, resolved)))
            if not collection.keeps_joins:
                collection.release(run)
        return collected


def _evaluate_run(collection: Collection, run: Run, resolved: dict[Measure, Measure]) -> Scores:
    rules = collection.rules
    # Read and join.
    parts = collection.align(run, resolved)
    # Diagnose.
    names = {
        kind: name_sources(collection.read_judgments(kind), run, part.locator)
        for kind, part in parts.items()
    }
    stats = {kind: part.stats for kind, part in parts.items()}
    items = collection.read_items() if ItemRankings in parts else ItemData()
    notices = diagnose_joins(stats, names, rules, items)
    # Measure.
    values = compute_values(parts, resolved, rules)
    notices += diagnose_values(values.undefined, rules)
    # Collect.
    return Scores(
        run=run.name,
        queries=values.queries,
        measures=tuple(resolved),
        values=values.values,
        rules=rules,
        notices=(*dict.fromkeys(notices), *diagnose_dialect(collection.dialect, resolved)),
        overall={m: resolved[m].compute_overall(ranked) for m, ranked in values.ranked.items()},
        judged=values.judged,
        empty=values.empty,
        dialect=collection.dialect,
    )


def _evaluate_on_spark(
    collection: Collection, measures: Measures, weights: Weights | None
) -> list[Scores]:
    """Evaluate runs where rows are on Spark: those of the qrels, or of some runs."""
    from gainful.spark import evaluate_runs as evaluate_runs_on_spark  # slow to import

    all_remote = is_spark(collection.qrels)
    remote = [run for run in collection.runs if all_remote or is_spark(run.source)]
    local = [run for run in collection.runs if run not in remote]
    # First those that leave nothing behind if others fail.
    local_scores = evaluate_runs(collection, local, measures, weights=weights) if local else []
    remote_scores = evaluate_runs_on_spark(
        collection.qrels,
        remote,
        measures,
        items=collection.items,
        queries=collection.queries,
        weights=weights,
        rules=collection.rules if collection.dialect is None else None,
        dialect=collection.dialect,
    )
    by_name = dict(zip((run.name for run in local), local_scores, strict=True))
    by_name |= zip((run.name for run in remote), remote_scores, strict=True)
    return [by_name[run.name] for run in collection.runs]


def _read_query_data(collection: Collection, weights: Weights | None) -> Callable[[Scores], Scores]:
    """Read data about queries, and return the function that attaches them to scores."""
    if collection.queries is None and weights is None:
        return lambda scores: scores
    from gainful.evaluation.slices import attach_query_data, read_query_data  # slow to import

    data = read_query_data(collection.open_file(collection.queries), weights)
    return lambda scores: attach_query_data(scores, data, weights)
