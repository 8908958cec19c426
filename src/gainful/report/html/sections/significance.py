"""Which differences are more than chance."""

import math
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from gainful.base import (
    FloatArray,
    format_difference,
    format_effect_size,
    format_interval,
    format_number,
    format_p_value,
    format_percent,
)
from gainful.report.charts import (
    draw_curves,
    draw_differences,
    draw_ecdf,
    draw_forest,
    draw_histogram,
    draw_scatter,
    make_difference_rows,
    make_ecdf_rows,
    make_histogram_rows,
)
from gainful.report.charts.style import round_span
from gainful.report.html.model import (
    Experiment,
    clip_interval,
    find_bounds,
    find_values,
    order_runs_for_charts,
    select_compared_runs,
    select_few_runs,
)
from gainful.report.html.parts import (
    ID,
    TEXT,
    PageChart,
    PageColumn,
    PageSection,
    PageTable,
    isolate_name,
    join_texts,
    make_table,
)
from gainful.report.tables import pick_evenly_spaced
from gainful.report.views.comparison import (
    RunAgainstReference,
    compare_with_reference,
    find_deciding_title,
    format_level,
    order_runs,
    select_first_pairs,
)
from gainful.report.views.comparison_plot import make_forest_rows
from gainful.stats import VERDICTS, Comparison, Pair

_MOST = 24  # pairs that the forest shows
_COMPACT = 8  # runs, beyond which cells show one number at first
Matrix = dict[str, Any]


def build_significance_section(experiment: Experiment) -> PageSection | None:
    """Return the section with the matrix and the forest plot; None for one run."""
    comparison = experiment.comparison
    if comparison is None:
        return None
    pairs, omissions = _select_forest_pairs(comparison)
    highest = sorted(pairs, key=lambda pair: (math.isnan(pair.difference), -pair.difference))
    measure = str(comparison.measures[0])
    chart = PageChart(
        "forest",
        f"Differences of {measure}, with their {format_level(comparison)} intervals",
        draw_forest(make_forest_rows(highest), measure=measure),
        "Each line is a pair of runs: the mark is the difference, the line its "
        f"{format_level(comparison)} interval, of that pair alone. The word at its end is the "
        f"verdict, which takes into account how many pairs there are.{omissions}",
        _make_forest_table(comparison, pairs),
    )
    values = {
        "matrix": make_matrix(comparison),
        "compact": comparison.baseline is None and len(comparison.runs) > _COMPACT,
        "measure": measure,
        "p_title": find_deciding_title(comparison),
        "verdicts": VERDICTS,
        "alpha": f"{comparison.alpha:g}",
        "correction": comparison.correction,
    }
    return PageSection("significance", "Significance", values, (chart,))


def make_matrix(comparison: Comparison) -> Matrix:
    """Return difference (row minus column), p-value and effect of every ordered pair."""
    rows = order_runs(comparison)
    columns = rows if comparison.baseline is None else [comparison.baseline]
    by_column = [compare_with_reference(select_first_pairs(comparison), other) for other in columns]
    return {
        "columns": columns,
        "rows": [
            {
                "run": run,
                "cells": [
                    _make_matrix_cell(by_run.get(run), comparison.alpha) for by_run in by_column
                ],
            }
            for run in rows
        ],
    }


def _make_matrix_cell(result: RunAgainstReference | None, alpha: float) -> dict[str, str] | None:
    return result and {
        "difference": format_difference(result.difference),
        "p": format_p_value(result.p_adjusted, alpha),
        "effect": format_effect_size(result.effect),
        "verdict": result.verdict,
    }


def _select_forest_pairs(comparison: Comparison) -> tuple[list[Pair], str]:
    """Select the pairs of the forest; of many, those with the run of the highest mean."""
    pairs = select_first_pairs(comparison)
    if len(pairs) > _MOST and comparison.baseline is None:
        best = order_runs(comparison)[0]
        best_pairs = [pair for pair in pairs if best in (pair.system, pair.baseline)]
        return (
            best_pairs,
            f" Shown are the {len(best_pairs):,} of {len(pairs):,} pairs with the best run.",
        )
    return pairs, ""


def _make_forest_table(comparison: Comparison, pairs: list[Pair]) -> PageTable:
    rows = [
        [
            f"{pair.system} - {pair.baseline}",
            format_difference(pair.difference),
            format_interval(pair.t_interval),
            format_p_value(pair.p_t, comparison.alpha),
            format_p_value(pair.p_randomized, comparison.alpha),
            format_p_value(pair.p_adjusted, comparison.alpha),
            format_number(pair.detectable),
            pair.verdict,
        ]
        for pair in pairs
    ]
    titles = ("difference", f"{format_level(comparison)} interval", "p (t-test)", "p (randomized)")
    columns = [PageColumn("pair", TEXT), *map(PageColumn, (*titles, "p decides", "detectable"))]
    columns.append(PageColumn("verdict", TEXT))
    return make_table("forest-table", f"Pairs by {comparison.measures[0]}", columns, rows)


N_DRAWN = 300
_ENDS = 10
_NUMBERS = ("a", "b", "difference")


def select_difference_rows(experiment: Experiment) -> list[dict[str, Any]]:
    """Select the queries that both runs have a value for, the largest loss first.

    Of more than ``N_DRAWN`` queries evenly spaced ones are taken, including both ends.
    """
    theirs, ours = (find_values(experiment, run) for run in select_compared_runs(experiment))
    all_rows = make_difference_rows(experiment.queries, theirs, ours, experiment.texts)
    selected = (all_rows[place] for place in pick_evenly_spaced(len(all_rows), N_DRAWN))
    return [row | {name: round(row[name], 6) for name in _NUMBERS} for row in selected]


def build_difference_sections(experiment: Experiment) -> list[PageSection]:
    """Return the section of bars and that of points; neither for one run."""
    if experiment.candidate is None:
        return []
    rows = select_difference_rows(experiment)
    measure, a, b = str(experiment.measures[0]), experiment.baseline, experiment.candidate
    n_queries = len(experiment.queries)
    omissions = (
        "" if n_queries <= N_DRAWN else f" Shown are {len(rows):,} of {n_queries:,} queries."
    )
    bars = PageChart(
        "differences",
        f"{measure} of {{b}} less that of {{a}}, query by query",
        draw_differences(rows, measure=measure, a=a, b=b),
        "Each bar is a query. Those with a plus do better by {b} than by {a}, those with a minus "
        f"worse; the longer the bar, the more. A click opens the query.{omissions}",
        _make_differences_table(rows, measure, a, b),
        sides={"a": a, "b": b},
    )
    points = PageChart(
        "scatter",
        f"{measure} of {{b}} against that of {{a}}",
        draw_scatter(rows, measure=measure, a=a, b=b),
        "Each point is a query: above the diagonal {b} does better, below it {a}; far to the left "
        f"are queries that {{a}} fails on. A click opens the query.{omissions}",
        sides={"a": a, "b": b},
    )
    return [
        PageSection("differences", "Query by query", charts=(bars,)),
        PageSection("scatter", "One against the other", charts=(points,)),
    ]


def _make_differences_table(rows: list[dict[str, Any]], measure: str, a: str, b: str) -> PageTable:
    ends = rows if len(rows) <= 2 * _ENDS else [*rows[:_ENDS], *rows[-_ENDS:]]
    has_text = any(row["text"] for row in ends)
    cells = [
        [
            row["query"],
            *([row["text"] or ""] if has_text else []),
            *(format_number(row[name]) for name in ("a", "b")),
            format_difference(row["difference"]),
        ]
        for row in ends
    ]
    text = [PageColumn("text", TEXT)] if has_text else []
    columns = [
        PageColumn("query", ID),
        *text,
        PageColumn(a),
        PageColumn(b),
        PageColumn("difference"),
    ]
    which = "all queries" if len(ends) == len(rows) else f"the {_ENDS} worst and the {_ENDS} best"
    return make_table("differences-table", f"{measure}: {which}", columns, cells)


_BARS = 10
_STEPS = 100


def build_distribution_section(experiment: Experiment) -> PageSection:
    """Return the section with histogram, ECDF and the shares of 0 and 1 of the first measure."""
    measure, runs = str(experiment.measures[0]), select_few_runs(experiment)
    values = {run: find_values(experiment, run) for run in runs}
    bars = make_histogram_rows(values, ends=_find_ends(experiment), n_bars=_BARS)
    steps = _select_steps(values)
    omissions = _describe_omissions(experiment, runs)
    charts = (
        PageChart(
            "histogram",
            f"How many queries score how much by {measure}",
            draw_histogram(bars, measure=measure),
            "Each bar is the share of queries whose value lies in that range: bars to the left "
            f"are queries that fail.{omissions}",
            _make_histogram_table(bars, runs, measure),
        ),
        PageChart(
            "ecdf",
            f"Share of queries up to a value of {measure}",
            draw_ecdf(steps, measure=measure),
            "The line says which share of the queries scores at most so much: the lower the line, "
            f"the better the run.{omissions}",
        ),
    )
    shares = _make_shares_table(experiment)
    return PageSection("distribution", "Distribution", {"table": shares}, charts)


def _drop_nan(values: FloatArray) -> FloatArray:
    numbers: FloatArray = values[~np.isnan(values)]
    return numbers


def _find_ends(experiment: Experiment) -> tuple[float, float]:
    """Find round ends of the bars that include every value: some settings exceed the bounds."""
    if find_bounds(experiment) == (0, 1):
        return 0.0, 1.0
    values = np.concatenate([_drop_nan(find_values(experiment, run)) for run in experiment.runs])
    return round_span([*values.tolist(), 0.0])


def _select_steps(values: dict[str, FloatArray]) -> list[dict[str, Any]]:
    """Select the steps of every run, evenly spaced if there are many."""
    all_steps = make_ecdf_rows({run: np.round(of_run, 6) for run, of_run in values.items()})
    by_run = [list(steps) for _, steps in groupby(all_steps, itemgetter("run"))]
    return [steps[i] for steps in by_run for i in pick_evenly_spaced(len(steps), _STEPS)]


def _make_shares_table(experiment: Experiment) -> PageTable:
    rows = []
    for run in experiment.runs:
        values = _drop_nan(find_values(experiment, run))
        quarters = np.quantile(values, [0.25, 0.5, 0.75]).tolist() if len(values) else [np.nan] * 3
        n = len(values) or 1
        shares = [format_percent(int((values == end).sum()) / n) for end in (0, 1)]
        rows.append([run, f"{len(values):,}", shares[0], *map(format_number, quarters), shares[1]])
    titles = ("queries", "at 0", "lower quarter", "middle", "upper quarter", "at 1")
    columns = [PageColumn("run", ID), *map(PageColumn, titles)]
    caption = f"How {experiment.measures[0]} is spread over the queries"
    return make_table("distribution-table", caption, columns, rows)


def _make_histogram_table(
    bars: list[dict[str, Any]], runs: tuple[str, ...], measure: str
) -> PageTable:
    of_run = {run: [bar for bar in bars if bar["run"] == run] for run in runs}
    rows = [
        [f"{bar['low']:g} to {bar['high']:g}", *(f"{of_run[run][i]['count']:,}" for run in runs)]
        for i, bar in enumerate(of_run[runs[0]])
    ]
    columns = [PageColumn("value"), *(PageColumn(run) for run in runs)]
    return make_table("histogram-table", f"Queries by {measure}", columns, rows)


def _describe_omissions(experiment: Experiment, runs: tuple[str, ...]) -> str:
    if len(runs) == len(experiment.runs):
        return ""
    return f" Shown are {len(runs)} of {len(experiment.runs):,} runs; the table below has all."


_BANDS = 6  # runs, up to which the chart has bands
_TABLE_CUTOFFS = (1, 2, 3, 5, 10, 20, 30, 50)


def build_curves_section(experiment: Experiment) -> PageSection | None:
    """Return the section of curves on a linear and a logarithmic axis; None without a cutoff."""
    if not experiment.curves:
        return None
    bounds, order = find_bounds(experiment), order_runs_for_charts(experiment)
    rows = [
        {
            "run": c.run,
            "k": p.cutoff,
            "value": round(p.mean, 6),
            **{
                end: round(at, 6) for end, at in clip_interval(bounds, p.interval)._asdict().items()
            },
        }
        for c in sorted(experiment.curves, key=lambda c: order.index(c.run))
        for p in c.points
    ]
    highlight = select_compared_runs(experiment)
    measure = experiment.curves[0].measure
    read = f"Each line is a run: its mean {measure} when only the first k ranks count. "
    band = "The band is where the mean lies, 19 times out of 20, by Student's t."
    if len(experiment.runs) > _BANDS:
        names = join_texts([isolate_name(run) for run in highlight])
        band = f"Named are {names}; the table has all runs."
    charts = (
        PageChart(
            "curves",
            f"{measure} by cutoff",
            draw_curves(rows, measure=measure, highlight=highlight),
            read + band,
            _make_curves_table(experiment, measure),
        ),
        PageChart(
            "curves-log",
            f"{measure} by cutoff, logarithmic",
            draw_curves(rows, measure=measure, highlight=highlight, log=True),
            read + "The axis is logarithmic: the first ranks, which most people look at, have more "
            "room.",
        ),
    )
    return PageSection("curves", f"{measure} by cutoff", charts=charts)


def _make_curves_table(experiment: Experiment, measure: str) -> PageTable:
    cutoffs = [p.cutoff for p in experiment.curves[0].points if p.cutoff in _TABLE_CUTOFFS]
    rows = [
        [curve.run, *(format_number(p.mean) for p in curve.points if p.cutoff in cutoffs)]
        for curve in experiment.curves
    ]
    columns = [PageColumn("run", ID), *(PageColumn(f"@{cutoff}") for cutoff in cutoffs)]
    return make_table("curves-table", f"Mean {measure} at some cutoffs", columns, rows)
