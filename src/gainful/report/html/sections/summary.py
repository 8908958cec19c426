"""The summary: the scores of every run by every measure, beside the baseline."""

from collections.abc import Callable
from math import isfinite, isnan
from typing import Any

from gainful.base import (
    Interval,
    format_count,
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
from gainful.report.tables import find_best_means
from gainful.report.views.comparison import (
    find_deciding_title,
    format_interval_title,
    make_legend,
)
from gainful.stats import Comparison, Pair, System

_JUDGED = "how much of what is ranked, down to the cutoff, has a judgment; queries without results "
_JUDGED += "are left out, while gainful eval counts them as 0"
_MARKS = {"better": "better", "worse": "worse"}


def build_summary_section(experiment: Experiment) -> PageSection:
    """Return the section of runs by measures."""
    table = make_summary_table(experiment)
    return PageSection(
        "summary", "Summary", {"table": table, "legend": _make_summary_legend(experiment, table)}
    )


def make_summary_table(experiment: Experiment) -> PageTable:
    """Make a table with a group of rows for every measure, and a row for every run."""
    comparison = experiment.comparison
    columns = [PageColumn("run", ID), PageColumn("mean")]
    columns.append(PageColumn(format_interval_title(comparison) if comparison else "95% interval"))
    if comparison:
        titles = ("difference", "relative", "d_z", find_deciding_title(comparison), "won/tied/lost")
        columns += [PageColumn(title) for title in titles]
    columns.append(PageColumn("judged"))
    groups = tuple(_make_measure_group(experiment, measure) for measure in experiment.measures)
    n_queries = format_count(len(experiment.queries), "query", "queries")
    beside = f"; differences are from {isolate_name(experiment.baseline)}" if comparison else ""
    return PageTable("summary-table", f"Means over {n_queries}{beside}", tuple(columns), groups)


def _make_summary_legend(experiment: Experiment, table: PageTable) -> list[tuple[str, str]]:
    """Return what the titles mean; shares of judged items have their own line."""
    titles = [column.title for column in table.columns]
    legend = make_legend(experiment.comparison, titles) if experiment.comparison else []
    return [*(entry for entry in legend if entry[0] != "judged"), ("judged", _JUDGED)]


def _make_measure_group(experiment: Experiment, measure: Measure) -> RowGroup:
    cells = find_systems(experiment, measure)
    best = find_best_means(measure, [system.mean for system in cells])
    title = str(measure) if len(experiment.measures) > 1 else ""
    rows = [_make_row(experiment, system, is_best=i in best) for i, system in enumerate(cells)]
    return make_group(title, rows)


def _make_row(experiment: Experiment, system: System, *, is_best: bool) -> list[str | PageCell]:
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
    """Return a chart for every column that makes slices, all on one axis; None without slices."""
    if not experiment.slicings:
        return None
    rows = [_make_slice_rows(experiment, slicing) for slicing in experiment.slicings]
    numbers = [
        row[end] for slice_rows in rows for row in slice_rows for end in ("value", "low", "high")
    ]
    axis = round_span(number for number in numbers if isfinite(number))
    pairs = zip(experiment.slicings, rows, strict=True)
    charts = [_make_slice_chart(experiment, i, *pair, axis) for i, pair in enumerate(pairs)]
    return PageSection("slices", "Slices", {}, tuple(charts))


def _make_slice_rows(experiment: Experiment, slicing: Slicing) -> list[dict[str, Any]]:
    bounds, runs = find_bounds(experiment), select_few_runs(experiment)
    parts = [part for part in slicing.parts if part.run in runs]
    return [
        {
            "run": part.run,
            "slice": part.value,
            "n": part.n_queries,
            "value": part.mean,
            **clip_interval(bounds, part.interval)._asdict(),
        }
        for part in sorted(parts, key=lambda part: runs.index(part.run))
    ]


def _make_slice_chart(
    experiment: Experiment,
    number: int,
    slicing: Slicing,
    rows: list[dict[str, Any]],
    axis: tuple[float, float],
) -> PageChart:
    measure, runs = str(experiment.measures[0]), select_few_runs(experiment)
    omissions = "" if len(runs) == len(experiment.runs) else f" Shown are {len(runs)} of the runs."
    worse = _describe_worse_slices(experiment, slicing)
    return PageChart(
        f"slices-{number}",
        f"{measure} by {slicing.column}",
        draw_slices(rows, measure=measure, column=slicing.column, ends=axis),
        "Each mark is the mean of a run on the queries of one kind, the line its 95% interval: "
        f"the fewer the queries, the longer it is.{omissions}{worse}",
        _make_slice_table(experiment, number, slicing),
    )


def _describe_worse_slices(experiment: Experiment, slicing: Slicing) -> str:
    """Say on which slices the candidate does worse than the baseline, the worst first."""
    if experiment.candidate is None or experiment.comparison is None:
        return ""
    up = experiment.measures[0].higher_is_better
    sign, word, tie = 1 if up else -1, "lower" if up else "higher", experiment.comparison.tie
    worse_slices = [
        difference for difference in slicing.differences if sign * difference.mean < -tie
    ]
    worse_slices.sort(key=lambda difference: sign * difference.mean)
    ours, theirs = isolate_name(experiment.candidate), isolate_name(experiment.baseline)
    if not worse_slices:
        return f" On no slice is the mean of {ours} {word} than that of {theirs}."
    phrases = [_format_slice(difference) for difference in worse_slices[:_MOST_NAMES]]
    phrases += (
        [f"{len(worse_slices) - _MOST_NAMES:,} more"] if len(worse_slices) > _MOST_NAMES else []
    )
    sentence = f" The mean of {ours} is {word} than that of {theirs} on {join_texts(phrases)}."
    return sentence + _describe_caution(worse_slices)


def _format_slice(difference: SliceDifference) -> str:
    by = use_minus_signs(format_signed(difference.mean, choose_digits(difference.mean)))
    n_queries = format_count(difference.n_queries, "query", "queries")
    return f"{isolate_name(difference.value)} ({by}, {n_queries})"


def _describe_caution(worse_slices: list[SliceDifference]) -> str:
    """Say how far chance may explain these slices."""
    sentence = " Slices were not tested one by one for significance"
    n_single, n_around_zero = (
        sum(unsure(difference.interval) for difference in worse_slices)
        for unsure in _UNSURE.values()
    )
    if not n_single + n_around_zero:
        return f"{sentence}."
    n = n_single + n_around_zero
    which = "that" if n == len(worse_slices) else f"{n:,} of these {len(worse_slices):,}"
    reasons = [
        text for text, n_unsure in zip(_UNSURE, (n_single, n_around_zero), strict=True) if n_unsure
    ]
    return f"{sentence}, and chance may explain {which}: {join_texts(reasons)}."


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


def _make_difference_cells(difference: SliceDifference) -> list[str]:
    counts = f"{difference.wins:,}/{difference.ties:,}/{difference.losses:,}"
    return [format_difference(difference.mean), format_interval(difference.interval), counts]
