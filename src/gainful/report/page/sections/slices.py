"""The first measure, apart for kinds of queries."""

from collections.abc import Callable
from math import isfinite, isnan
from typing import Any

from gainful.charts.by_slice import slices
from gainful.charts.scales import span
from gainful.comparison.digits import decimals, ends, signed
from gainful.experiment.result import Experiment, SliceDifference, Slicing
from gainful.interval import Interval
from gainful.report.page.parts import ID, TEXT, Chart, Column, Section, Table, table
from gainful.report.page.runs import bounds_of, few_runs, within
from gainful.report.page.words import digits_for, listed, minus, named, plus
from gainful.wording import count

_NAMED = 5  # slices that a sentence names
_UNSURE: dict[str, Callable[[Interval], bool]] = {
    "one query shows nothing": lambda interval: isnan(interval.low),
    "the interval of the difference holds 0": lambda interval: 0 in interval,
}


def section(experiment: Experiment) -> Section | None:
    """A chart for every column that makes slices, all on one axis; None if there is none."""
    if not experiment.slicings:
        return None
    rows = [_rows(experiment, found) for found in experiment.slicings]
    held = [row[end] for each in rows for row in each for end in ("value", "low", "high")]
    axis = span(number for number in held if isfinite(number))
    pairs = zip(experiment.slicings, rows, strict=True)
    charts = [_chart(experiment, i, *pair, axis) for i, pair in enumerate(pairs)]
    return Section("slices", "Slices", {}, tuple(charts))


def _rows(experiment: Experiment, slicing: Slicing) -> list[dict[str, Any]]:
    bounds, runs = bounds_of(experiment), few_runs(experiment)
    shown = [part for part in slicing.parts if part.run in runs]
    return [
        {
            "run": part.run,
            "slice": part.value,
            "n": part.n_queries,
            "value": part.mean,
            **within(bounds, part.interval)._asdict(),
        }
        for part in sorted(shown, key=lambda part: runs.index(part.run))
    ]


def _chart(
    experiment: Experiment,
    number: int,
    slicing: Slicing,
    rows: list[dict[str, Any]],
    axis: tuple[float, float],
) -> Chart:
    measure, runs = str(experiment.measures[0]), few_runs(experiment)
    some = "" if len(runs) == len(experiment.runs) else f" Shown are {len(runs)} of the runs."
    return Chart(
        f"slices-{number}",
        f"{measure} by {slicing.column}",
        slices(rows, measure=measure, column=slicing.column, ends=axis),
        "Each mark is the mean of a run on the queries of one kind, the line its 95% interval: "
        f"the fewer the queries, the longer it is.{some}{_lower(experiment, slicing)}",
        _table(experiment, number, slicing),
    )


def _lower(experiment: Experiment, slicing: Slicing) -> str:
    """On which slices the candidate does worse than the baseline, the worst first."""
    if experiment.candidate is None or experiment.comparison is None:
        return ""
    up = experiment.measures[0].higher_is_better
    sign, word, tie = 1 if up else -1, "lower" if up else "higher", experiment.comparison.tie
    found = [one for one in slicing.differences if sign * one.mean < -tie]
    found.sort(key=lambda one: sign * one.mean)
    ours, theirs = named(experiment.candidate), named(experiment.baseline)
    if not found:
        return f" On no slice is the mean of {ours} {word} than that of {theirs}."
    told = [_told(one) for one in found[:_NAMED]]
    told += [f"{len(found) - _NAMED:,} more"] if len(found) > _NAMED else []
    said = f" The mean of {ours} is {word} than that of {theirs} on {listed(told)}."
    return said + _caution(found)


def _told(one: SliceDifference) -> str:
    by = minus(plus(one.mean, digits_for(one.mean)))
    return f"{named(one.value)} ({by}, {count(one.n_queries, 'query', 'queries')})"


def _caution(found: list[SliceDifference]) -> str:
    """What the sentence does not show."""
    said = " Slices were not tested one by one for significance"
    alone, around = (sum(unsure(one.interval) for one in found) for unsure in _UNSURE.values())
    if not alone + around:
        return f"{said}."
    n = alone + around
    what = "that" if n == len(found) else f"{n:,} of these {len(found):,}"
    why = [text for text, held in zip(_UNSURE, (alone, around), strict=True) if held]
    return f"{said}, and chance may explain {what}: {listed(why)}."


def _table(experiment: Experiment, number: int, slicing: Slicing) -> Table:
    beside = iter(slicing.differences)
    rows = []
    for part in slicing.parts:
        own = [part.value, part.run, f"{part.n_queries:,}", decimals(part.mean)]
        own.append(ends(part.interval))
        if slicing.differences:
            is_candidate = part.run == experiment.candidate
            own += _difference(next(beside)) if is_candidate else [""] * 3
        rows.append(own)
    titles = ["queries", "mean", "95% interval"]
    titles += ["difference", "95% interval of it", "won/tied/lost"] if slicing.differences else []
    columns = [Column(slicing.column, TEXT), Column("run", ID), *map(Column, titles)]
    caption, note = f"{experiment.measures[0]} by {slicing.column}", ""
    if experiment.candidate is not None:
        ours, theirs = named(experiment.candidate), named(experiment.baseline)
        note = f"Differences are {ours} less {theirs}, query by query."
    return table(f"slices-{number}-table", caption, columns, rows, note)


def _difference(one: SliceDifference) -> list[str]:
    counted = f"{one.wins:,}/{one.ties:,}/{one.losses:,}"
    return [signed(one.mean), ends(one.interval), counted]
