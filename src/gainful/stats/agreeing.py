"""agreement(): do measures rank systems alike, and do systems return the same items?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from gainful import ragged
from gainful.align import join
from gainful.asked import Measures, as_measures, as_rules
from gainful.comparison.agreement import Agreement
from gainful.comparison_notices import FewSystems
from gainful.errors import ComparisonError
from gainful.evaluate import collect_each
from gainful.kinds import judgments_for
from gainful.measures import Measure
from gainful.named_runs import named_runs
from gainful.ragged import FloatArray
from gainful.refused_rules import refuse
from gainful.results import Scores
from gainful.rules import Rules
from gainful.settings import Setting, arguments_of
from gainful.sources import (
    Columns,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Progress,
    Reading,
    Run,
    read_qrels,
)
from gainful.stats._settings import Seed
from gainful.stats.measure_pairs import measure_pairs
from gainful.stats.overlap import Persistence
from gainful.stats.run_pairs import Head, run_pairs

DEFAULT_MEASURES = ("nDCG@10", "P@10", "AP")

Top = Annotated[int, Setting("compare the first N items of every ranking", at_least=1)]
Level = Annotated[float, Setting("how sure an interval is", more_than=0, less_than=1)]
Resamples = Annotated[int, Setting("how often queries are drawn anew", at_least=1)]

_FEW = 5  # systems: of fewer, two orders agree by chance too often to tell anything


def agreement(
    qrels: Any,
    runs: Any,
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
) -> Agreement:
    """How alike measures rank the runs, and how alike the rankings of the runs are.

    Of measures: Kendall's tau of the means of the runs, with an interval by drawing the queries
    anew, the AP correlation, the weighted tau, and the pairs of runs that two measures order
    differently. Of runs: the mean rank-biased overlap, the share of items that both have, and
    Kendall's tau of these. Only queries that have judgments are looked at. Every run is read twice.

    Ties within a ranking are broken as the rules say, by descending item id where they are
    averaged. Runs that break their ties by id look more alike than they are.

    Args:
        qrels: As for ``evaluate``.
        runs: Two or more: ``{name: run}``, or a list, in which those of one name are numbered.
        measures: As for ``evaluate``; measures of whole runs have no values of queries, and are
            an error. With one measure, runs alone are compared.
        p: The persistence of the rank-biased overlap; with 0.9 the first 10 ranks have 86% of the
            weight.
        top: How many items of every ranking are compared; fewer if ``Rules.depth`` is.
        level: How sure the intervals are.
        resamples: How often the queries are drawn anew.
        seed: What the random numbers start from.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> qrels = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
    >>> old = {"q1": ["d1", "d2"], "q2": ["d3"]}
    >>> new = {"q1": ["d2"], "q2": ["d9", "d3"]}
    >>> found = agreement(qrels, {"old": old, "new": new}, ["P@1", "P@2"])
    >>> found.measures[0].sentence
    'P@1 and P@2 order both systems alike: tau 1.00 [0.00, 1.00].'
    >>> round(found.runs[0].rbo, 4), found.runs[0].shared
    (0.45, 0.5)
    """
    set_to = _checked(p=p, top=top, level=level, resamples=resamples, seed=seed)
    rules, chosen, reading = as_rules(rules), as_measures(measures), Reading(threads, progress)
    several = named_runs(runs)
    _check(several, chosen)
    for run in several:
        run.read_twice("agree")
    judged = judgments_for(chosen[0].reads, qrels, rules, reading, measure=str(chosen[0]))
    how: Any = {"rules": rules, "threads": threads, "progress": progress}
    scores = collect_each(judged, several, chosen, **how)
    names = [run.name for run in several]
    drawn: Any = {name: set_to[name] for name in ("level", "resamples", "seed")}
    heads = _heads(_plain(judged), several, scores[0].queries, rules, reading, set_to["top"])
    few = (FewSystems(len(names)),) if len(names) < _FEW and len(chosen) > 1 else ()
    notices = dict.fromkeys([*few, *(notice for one in scores for notice in one.notices)])
    return Agreement(
        measures=measure_pairs(chosen, names, _values(scores), p=set_to["p"], **drawn),
        runs=run_pairs(names, heads, p=set_to["p"], level=set_to["level"]),
        means={one.run: one.mean() for one in scores},
        n_queries=len(scores[0].queries),
        rules=rules,
        notices=tuple(notices),
        **set_to,
    )


def _settings(*, p: Persistence, top: Top, level: Level, resamples: Resamples, seed: Seed) -> None:
    """What may be set, and to what."""


def _checked(**given: Any) -> dict[str, Any]:
    known = arguments_of(_settings)
    return {
        n: known[n].check("agreement", v, ComparisonError, "bad-argument") for n, v in given.items()
    }


def _check(runs: Sequence[Run], measures: Sequence[Measure]) -> None:
    if len(runs) < 2:
        message = f"agreement: must be given two runs or more, got {len(runs)}."
        raise ComparisonError(message, code="too-few-runs")
    for measure in measures:
        if measure.whole:
            message = f"agreement: {measure} has no values of queries. Choose another measure."
            raise ComparisonError(message, code="unfit-measure")


def _values(scores: Sequence[Scores]) -> FloatArray:
    """Measures x runs x queries."""
    for one in scores:
        if one.queries != scores[0].queries:
            raise ComparisonError(_other_queries(scores[0], one), code="unlike-runs")
    return np.stack([one.values.T for one in scores], axis=1)


def _other_queries(first: Scores, second: Scores) -> str:
    for has, lacks in ((first, second), (second, first)):
        for query in sorted(set(has.queries) - set(lacks.queries)):
            return (
                f"agreement: every run must have the same queries, got none of {query!r} for run "
                f"{lacks.run!r}. Pass missing=zero."
            )
    raise AssertionError


def _plain(judged: Judgments | GroupedJudgments | PreferenceJudgments) -> Judgments:
    """Judgments of the same queries that any run can be joined with."""
    if isinstance(judged, Judgments):
        return judged
    pairs = judged.items.pairs
    queries, items = [query for query, _ in pairs], [item for _, item in pairs]
    return read_qrels(Columns(query=queries, item=items, label=[1.0] * len(pairs)))


def _heads(
    judgments: Judgments,
    runs: Sequence[Run],
    queries: Sequence[str],
    rules: Rules,
    reading: Reading,
    top: int,
) -> Iterator[Head]:
    """The first items of each run, for these queries."""
    refuse(rules, {"padding": ()}, "takes out items by label, but runs agree on items")
    number = {query: i for i, query in enumerate(judgments.queries)}
    keep = np.array([number[query] for query in queries])
    if rules.ties in ("average", "middle"):
        # A ranking is to have an order, and one that no label decides.
        rules = replace(rules, ties="item-desc")
    for run in runs:
        aligned = join(judgments, run, rules, reading, heads=top).aligned
        kept, offsets = ragged.take(aligned.head_offsets, keep)
        yield Head(offsets, aligned.head_item[kept], aligned.items)
