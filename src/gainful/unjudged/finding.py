"""holes(): which unjudged items to judge next."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from gainful import ragged
from gainful.errors import ComparisonError
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.ruled_values import UNDEFINED
from gainful.rules import Rules
from gainful.sources import Judgments, Progress, Source
from gainful.unjudged.bounding import bounds
from gainful.unjudged.bounds import Bounds
from gainful.unjudged.extremes import Unjudged, unjudged
from gainful.unjudged.holes import Holes, best_ranks


def holes(
    qrels: Source | Judgments,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    baseline: str | None = None,
    grades: Iterable[float] | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Holes:
    """The unjudged items that a measure looks at, those whose label matters most first.

    An item's impact is the largest change of the value of its query that any grade of its own
    brings about, in any run, other unjudged items being left as they are. With several runs the
    first items are those that could move the difference of two of them most: of the two with the
    highest means, or of any run and the baseline, if there is one.

    Items that change as much stand in the order of their best rank, then of the qrels, then of the
    runs. Queries that have no value as they are judged are left out.

    Args:
        qrels: As for ``evaluate``.
        runs: As for ``bounds``.
        measure: As for ``bounds``.
        baseline: The run that the others are compared with.
        grades: As for ``bounds``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> found = holes({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a", "c"]}})
    >>> [(hole.item, hole.rank, round(hole.impact, 4)) for hole in found.rows]
    [('b', 1, 0.3691), ('c', 3, 0.0625)]
    """
    how: Any = {"grades": grades, "rules": rules, "threads": threads, "progress": progress}
    found = bounds(qrels, runs, measure, **how)
    if baseline is not None and baseline not in found.runs:
        message = f"baseline: must be one of {', '.join(found.runs)}, got {baseline!r}."
        raise ComparisonError(message, code="unknown-run")
    return _ordered(found, _compared(found, baseline))


def _ordered(found: Bounds, pairs: tuple[tuple[str, str], ...]) -> Holes:
    items = unjudged(found.looked)
    impact, mean_impact, verdict_impact = _impacts(found, items, pairs)
    ranks = _by_run(found, items, [looked.places.rank for looked in found.looked]).astype(np.int64)
    # Equals keep their order, which is that of the qrels and the runs.
    order = np.lexsort((best_ranks(ranks), -impact, -verdict_impact))
    valued = np.logical_not(np.isnan(found.values).all(axis=0, keepdims=True))[0]
    order = order[valued[items.query[order]]]
    ids = np.array(found.looked[0].places.ids, dtype=object)
    return Holes(
        measure=found.measure,
        runs=found.runs,
        compared=pairs,
        query=tuple(np.array(found.queries, dtype=object)[items.query[order]].tolist()),
        item=tuple(ids[items.item[order]].tolist()),
        ranks=ranks[:, order],
        impact=impact[order],
        mean_impact=mean_impact[order],
        verdict_impact=verdict_impact[order] if pairs else None,
        bounds=found,
    )


def _compared(found: Bounds, baseline: str | None) -> tuple[tuple[str, str], ...]:
    """The runs whose difference is the verdict, by name: system and baseline."""
    if baseline is not None:
        return tuple(found.pairs(baseline))
    if len(found.runs) < 2:
        return ()
    means = [-ragged.mean(values) for values in found.values]
    first, second = np.argsort(means, kind="stable")[:2].tolist()
    return ((found.runs[first], found.runs[second]),)


def _by_run(found: Bounds, items: Unjudged, columns: list[Any]) -> FloatArray:
    """What every run has for each item, a row for every run; 0 where it has not returned it."""
    table = np.zeros((len(found.runs), len(items.query)))
    for row, places, column in zip(table, items.of, columns, strict=True):
        row[places] = column
    return table


def _impacts(
    found: Bounds, items: Unjudged, pairs: tuple[tuple[str, str], ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The largest changes of a value, of a mean, and of a difference of means."""
    weight = _by_run(found, items, [looked.places.weight for looked in found.looked])
    defined = ~np.isnan(found.values)
    share = 1.0 / np.maximum(defined.sum(axis=1), 1)[:, np.newaxis]
    impact, mean_impact, verdict_impact = np.zeros((3, len(items.query)))
    numbers = [tuple(map(found.runs.index, pair)) for pair in pairs]
    for change in _changes(found, items, weight):
        moved = np.abs(change)
        np.maximum(impact, moved.max(axis=0), out=impact)
        np.maximum(mean_impact, (moved * share).max(axis=0), out=mean_impact)
        for system, baseline in numbers:
            n_both = max(int((defined[system] & defined[baseline]).sum()), 1)
            apart = np.abs(change[system] - change[baseline]) / n_both
            np.maximum(verdict_impact, apart, out=verdict_impact)
    return impact, mean_impact, verdict_impact


def _changes(found: Bounds, items: Unjudged, weight: FloatArray) -> Iterable[FloatArray]:
    """By how much a label of each item changes the value of its query in each run, grade by grade.

    The best ranking may change in runs, too, that have not returned the item.
    """
    question, query = found.question, items.query
    ideal = _ideals(found)
    now = found.values[:, query]
    sums = np.stack([question.formula.total(looked.ranked) for looked in found.looked])[:, query]
    undefined = UNDEFINED[question.rules.empty]
    for number, gain in enumerate(question.choices.gain):
        best = ideal[query, number]
        value = sums + gain * weight
        value = np.divide(value, best, out=np.full(value.shape, undefined), where=best != 0)
        if question.formula.normalised:
            value = np.minimum(value, 1.0)
        yield np.nan_to_num(value - now)


def _ideals(found: Bounds) -> FloatArray:
    """What the best ranking of each query gains with one item more, by what that gains."""
    question, ranked = found.question, found.looked[0].ranked
    n_queries, n_choices = ranked.n_queries, len(question.choices.gain)
    best = question.steps(ranked, np.ones(n_queries, dtype=np.int64))
    if best is None:
        return np.ones((n_queries, n_choices))
    totals = best.totals(np.arange(n_queries), 1)
    more = np.cumsum(totals[..., 1] - totals[..., 0], axis=1)[:, :n_choices]
    ideals: FloatArray = totals[..., 0].sum(axis=1, keepdims=True) + more
    return ideals
