"""experiment(): everything a report says, worked out."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gainful._version import __version__
from gainful.checking import check
from gainful.comparison.result import System
from gainful.evaluate import Measures, as_measures, as_rules, evaluate_each
from gainful.experiment.curves import CUTOFFS, curves, measures_at
from gainful.experiment.details import details
from gainful.experiment.result import Experiment, File, Setup
from gainful.experiment.slicing import slicings
from gainful.gating.result import Gate
from gainful.named_runs import name_of, named_runs
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import Judgments, Progress, Reading, Run, Source, read_judgments, read_queries
from gainful.stats.bootstrap import intervals
from gainful.stats.comparing import compare_scores
from gainful.unjudged.finding import holes
from gainful.unjudged.supported import is_supported


def experiment(
    qrels: Source | Judgments,
    runs: Iterable[Source | Run] | Mapping[str, Source | Run],
    measures: Measures = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    items: Any = None,
    queries: Any = None,
    by: Iterable[str] = (),
    gate: Gate | None = None,
    command: str | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Experiment:
    """Everything a report says of runs."""
    rules, chosen, reading = as_rules(rules), as_measures(measures), Reading(threads, progress)
    how: Any = {"rules": rules, "threads": threads, "progress": progress}
    named = named_runs(runs)
    for run in named:
        run.read_twice("report")
    judgments = read_judgments(qrels, rules, reading)
    told = None if queries is None else read_queries(queries)
    more = measures_at(chosen[0], CUTOFFS)
    wide = evaluate_each(judgments, named, (*chosen, *more), queries=told, **how)
    scores = tuple(_of(one, chosen) for one in wide)
    against = name_of(baseline, named)
    comparison = None
    if len(named) > 1:
        comparison = compare_scores(scores, baseline=against, seed=seed)
    systems = comparison.systems if comparison else tuple(_alone(scores[0], seed))
    base = against or named[0].name
    others = [s for s in systems if s.measure == chosen[0] and s.name != base]
    best = max(others, key=lambda one: one.mean).name if others else None
    found = why_not = None
    if is_supported(chosen[0]):
        found = holes(judgments, named, chosen[0], baseline=against, **how)
    else:
        why_not = f"what unjudged items could change is not known for {chosen[0]}."
    notices = [n for one in scores for n in one.notices]
    notices += comparison.notices if comparison else ()
    return Experiment(
        runs=tuple(run.name for run in named),
        queries=scores[0].queries,
        texts=_texts(told),
        measures=chosen,
        scores=scores,
        systems=systems,
        comparison=comparison,
        baseline=base,
        candidate=best,
        curves=curves(wide, chosen[0]),
        details=details(judgments, named, chosen[0], scores[0].queries, items, rules, reading),
        holes=found,
        no_holes=why_not,
        slicings=slicings(scores, told, tuple(by)),
        findings=check(judgments, *named, rules=rules, threads=threads),
        gate=gate,
        setup=Setup(
            files=_files(qrels, named),
            versions={"gainful": __version__, "numpy": np.__version__},
            seed=seed,
            command=command,
            n_queries=len(scores[0].queries),
            n_judgments=len(judgments.pool_label),
        ),
        notices=tuple(dict.fromkeys(notices)),
    )


def _of(scores: Scores, measures: tuple[Any, ...]) -> Scores:
    columns = [scores.measures.index(measure) for measure in measures]
    judged = {m: share for m, share in scores.judged.items() if m in measures}
    return replace(scores, measures=measures, values=scores.values[:, columns], judged=judged)


def _alone(scores: Scores, seed: int) -> list[System]:
    out = []
    for measure in scores.measures:
        values = scores.column(measure)
        values = values[~np.isnan(values)]
        where = intervals(values[np.newaxis], [], seed=seed).means[0]
        judged = scores.judged_of_returned(measure)
        out.append(System(scores.run, measure, scores[measure], where, judged, len(values)))
    return out


def _texts(told: Any) -> dict[str, str]:
    column = next((c for c in ("text", "query_text", "title") if told and c in told.columns), None)
    return {} if column is None else {q: t for q, t in told.texts(column).items() if t}


def _files(qrels: Any, runs: list[Run]) -> tuple[File, ...]:
    import hashlib

    out = []
    for role, source in [("qrels", qrels), *(("run", run.source) for run in runs)]:
        path = os.fspath(source) if isinstance(source, str | os.PathLike) else None
        digest = None
        if path is not None:
            with open(path, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        out.append(File(role, path or type(source).__name__, digest))
    return tuple(out)
