"""The summary: what every run scores by every measure, beside the baseline."""

import math
from collections.abc import Callable
from math import isfinite, isnan
from typing import Any

from gainful.base import (
    Interval,
    count,
    format_difference,
    format_effect_size,
    format_interval,
    format_number,
    format_p_value,
    format_percent,
    format_percent_change,
)
from gainful.measures import Measure
from gainful.report.charts.curves import draw_slices
from gainful.report.charts.style import round_span
from gainful.report.html.model import (
    Experiment,
    SliceDifference,
    Slicing,
    clip_interval,
    find_bounds,
    find_systems,
    select_few_runs,
)
from gainful.report.html.parts import (
    ID,
    TEXT,
    PageCell,
    PageChart,
    PageColumn,
    PageSection,
    PageTable,
    RowGroup,
    choose_digits,
    format_signed,
    isolate_name,
    join_texts,
    make_group,
    make_table,
    use_minus_signs,
)
from gainful.report.views.comparison import ComparisonSection as Titles
from gainful.report.views.comparison import find_deciding_title, format_interval_title, make_legend
from gainful.stats import Comparison, Pair, System

_JUDGED = "how much of what is ranked, down to the cutoff, has a judgment; queries without results "
_JUDGED += "are left out, while gainful eval counts them as 0"
_MARKS = {"better": "better", "worse": "worse"}


def build_summary_section(experiment: Experiment) -> PageSection:
    """Systems x measures."""
    shown = make_summary_table(experiment)
    return PageSection(
        "summary", "Summary", {"table": shown, "legend": _make_summary_legend(experiment, shown)}
    )


def make_summary_table(experiment: Experiment) -> PageTable:
    """A group of rows for every measure, a row for every run."""
    comparison = experiment.comparison
    columns = [PageColumn("run", ID), PageColumn("mean")]
    columns.append(PageColumn(format_interval_title(comparison) if comparison else "95% interval"))
    if comparison:
        titles = ("difference", "relative", "d_z", find_deciding_title(comparison), "won/tied/lost")
        columns += [PageColumn(title) for title in titles]
    columns.append(PageColumn("judged"))
    groups = tuple(_make_measure_group(experiment, measure) for measure in experiment.measures)
    n_queries = count(len(experiment.queries), "query", "queries")
    beside = f"; differences are from {isolate_name(experiment.baseline)}" if comparison else ""
    return PageTable("summary-table", f"Means over {n_queries}{beside}", tuple(columns), groups)


def _make_summary_legend(experiment: Experiment, shown: PageTable) -> list[list[str]]:
    """Return what the titles mean; shares of judged items have their own line."""
    titles = Titles("", [column.title for column in shown.columns], [], 1)
    said = make_legend(experiment.comparison, [titles]) if experiment.comparison else []
    return [*(one for one in said if one[0] != "judged"), ["judged", _JUDGED]]


def _make_measure_group(experiment: Experiment, measure: Measure) -> RowGroup:
    cells = find_systems(experiment, measure)
    means = [system.mean for system in cells if not math.isnan(system.mean)]
    best = (max if measure.higher_is_better else min)(means, default=math.nan)
    title = str(measure) if len(experiment.measures) > 1 else ""
    return make_group(title, [_make_row(experiment, system, best) for system in cells])


def _make_row(experiment: Experiment, system: System, best: float) -> list[str | PageCell]:
    is_best = system.mean == best and len(experiment.runs) > 1
    comparison = experiment.comparison
    is_base = comparison is not None and system.name == comparison.baseline
    row: list[str | PageCell] = [
        PageCell(system.name, "baseline" if is_base else ""),
        PageCell(format_number(system.mean), "best" if is_best else ""),
        format_interval(system.interval),
    ]
    if comparison is not None:
        row += _make_baseline_cells(experiment, comparison, system)
    return [*row, format_percent(system.judged)]


def _make_baseline_cells(
    experiment: Experiment, comparison: Comparison, system: System
) -> list[str | PageCell]:
    if system.name == experiment.baseline:
        return ["-"] * 5
    pair = comparison.pair(system.name, experiment.baseline, system.measure)
    return _make_pair_cells(pair, comparison.alpha)


def _make_pair_cells(pair: Pair, alpha: float) -> list[str | PageCell]:
    mark = _MARKS.get(pair.verdict, "")
    return [
        PageCell(format_difference(pair.difference), mark),
        format_percent_change(pair.relative),
        format_effect_size(pair.effect),
        PageCell(format_p_value(pair.p_adjusted, alpha), "decides" if mark else ""),
        f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
    ]


_MOST_NAMES = 5  # slices that a sentence names
_UNSURE: dict[str, Callable[[Interval], bool]] = {
    "one query shows nothing": lambda interval: isnan(interval.low),
    "the interval of the difference holds 0": lambda interval: 0 in interval,
}


def build_slices_section(experiment: Experiment) -> PageSection | None:
    """A chart for every column that makes slices, all on one axis; None if there is none."""
    if not experiment.slicings:
        return None
    rows = [_make_slice_rows(experiment, found) for found in experiment.slicings]
    held = [row[end] for each in rows for row in each for end in ("value", "low", "high")]
    axis = round_span(number for number in held if isfinite(number))
    pairs = zip(experiment.slicings, rows, strict=True)
    charts = [_make_slice_chart(experiment, i, *pair, axis) for i, pair in enumerate(pairs)]
    return PageSection("slices", "Slices", {}, tuple(charts))


def _make_slice_rows(experiment: Experiment, slicing: Slicing) -> list[dict[str, Any]]:
    bounds, runs = find_bounds(experiment), select_few_runs(experiment)
    shown = [part for part in slicing.parts if part.run in runs]
    return [
        {
            "run": part.run,
            "slice": part.value,
            "n": part.n_queries,
            "value": part.mean,
            **clip_interval(bounds, part.interval)._asdict(),
        }
        for part in sorted(shown, key=lambda part: runs.index(part.run))
    ]


def _make_slice_chart(
    experiment: Experiment,
    number: int,
    slicing: Slicing,
    rows: list[dict[str, Any]],
    axis: tuple[float, float],
) -> PageChart:
    measure, runs = str(experiment.measures[0]), select_few_runs(experiment)
    some = "" if len(runs) == len(experiment.runs) else f" Shown are {len(runs)} of the runs."
    worse = _describe_worse_slices(experiment, slicing)
    return PageChart(
        f"slices-{number}",
        f"{measure} by {slicing.column}",
        draw_slices(rows, measure=measure, column=slicing.column, ends=axis),
        "Each mark is the mean of a run on the queries of one kind, the line its 95% interval: "
        f"the fewer the queries, the longer it is.{some}{worse}",
        _make_slice_table(experiment, number, slicing),
    )


def _describe_worse_slices(experiment: Experiment, slicing: Slicing) -> str:
    """On which slices the candidate does worse than the baseline, the worst first."""
    if experiment.candidate is None or experiment.comparison is None:
        return ""
    up = experiment.measures[0].higher_is_better
    sign, word, tie = 1 if up else -1, "lower" if up else "higher", experiment.comparison.tie
    found = [one for one in slicing.differences if sign * one.mean < -tie]
    found.sort(key=lambda one: sign * one.mean)
    ours, theirs = isolate_name(experiment.candidate), isolate_name(experiment.baseline)
    if not found:
        return f" On no slice is the mean of {ours} {word} than that of {theirs}."
    phrases = [_format_slice(one) for one in found[:_MOST_NAMES]]
    phrases += [f"{len(found) - _MOST_NAMES:,} more"] if len(found) > _MOST_NAMES else []
    said = f" The mean of {ours} is {word} than that of {theirs} on {join_texts(phrases)}."
    return said + _describe_caution(found)


def _format_slice(one: SliceDifference) -> str:
    by = use_minus_signs(format_signed(one.mean, choose_digits(one.mean)))
    return f"{isolate_name(one.value)} ({by}, {count(one.n_queries, 'query', 'queries')})"


def _describe_caution(found: list[SliceDifference]) -> str:
    """What the sentence does not show."""
    said = " Slices were not tested one by one for significance"
    alone, around = (sum(unsure(one.interval) for one in found) for unsure in _UNSURE.values())
    if not alone + around:
        return f"{said}."
    n = alone + around
    what = "that" if n == len(found) else f"{n:,} of these {len(found):,}"
    why = [text for text, held in zip(_UNSURE, (alone, around), strict=True) if held]
    return f"{said}, and chance may explain {what}: {join_texts(why)}."


def _make_slice_table(experiment: Experiment, number: int, slicing: Slicing) -> PageTable:
    beside = iter(slicing.differences)
    rows = []
    for part in slicing.parts:
        cells = [part.value, part.run, f"{part.n_queries:,}", format_number(part.mean)]
        cells.append(format_interval(part.interval))
        if slicing.differences:
            is_candidate = part.run == experiment.candidate
            cells += _make_difference_cells(next(beside)) if is_candidate else [""] * 3
        rows.append(cells)
    titles = ["queries", "mean", "95% interval"]
    titles += ["difference", "95% interval of it", "won/tied/lost"] if slicing.differences else []
    columns = [PageColumn(slicing.column, TEXT), PageColumn("run", ID), *map(PageColumn, titles)]
    caption, note = f"{experiment.measures[0]} by {slicing.column}", ""
    if experiment.candidate is not None:
        ours, theirs = isolate_name(experiment.candidate), isolate_name(experiment.baseline)
        note = f"Differences are {ours} less {theirs}, query by query."
    return make_table(f"slices-{number}-table", caption, columns, rows, note)


def _make_difference_cells(one: SliceDifference) -> list[str]:
    counted = f"{one.wins:,}/{one.ties:,}/{one.losses:,}"
    return [format_difference(one.mean), format_interval(one.interval), counted]
