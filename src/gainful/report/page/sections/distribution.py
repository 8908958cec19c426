"""How values are spread over the queries."""

from typing import Any

import numpy as np

from gainful.charts.distribution import ecdf, histogram
from gainful.comparison.digits import decimals, percent
from gainful.experiment.result import Experiment
from gainful.ragged import FloatArray
from gainful.report.page.aligned import few_runs, values_of
from gainful.report.page.parts import ID, Chart, Column, Section, Table, table
from gainful.report.page.sections.differences import places

_BINS = 10
_STEPS = 100


def section(experiment: Experiment) -> Section:
    """Histogram and ECDF of the first measure, and the shares of 0 and 1."""
    measure, runs = str(experiment.measures[0]), few_runs(experiment)
    values = {run: _known(values_of(experiment, run)) for run in runs}
    edges = _edges(experiment)
    bars = [row for run in runs for row in _bins(run, values[run], edges)]
    steps = [row for run in runs for row in _steps(run, values[run])]
    some = _left_out(experiment, runs)
    charts = (
        Chart(
            "histogram",
            f"How many queries score how much by {measure}",
            histogram(bars, measure=measure),
            "Each bar is the share of queries whose value lies in that range: bars to the left "
            f"are queries that fail.{some}",
            _histogram_table(bars, runs, measure),
        ),
        Chart(
            "ecdf",
            f"Share of queries up to a value of {measure}",
            ecdf(steps, measure=measure),
            "The line says which share of the queries scores at most so much: the lower the line, "
            f"the better the run.{some}",
        ),
    )
    shares = _shares(experiment)
    return Section("distribution", "Distribution", {"table": shares, "measure": measure}, charts)


def _known(values: FloatArray) -> FloatArray:
    known: FloatArray = values[~np.isnan(values)]
    return known


def _edges(experiment: Experiment) -> FloatArray:
    low, high = experiment.measures[0].bounds
    every = np.concatenate([_known(values_of(experiment, run)) for run in experiment.runs])
    if (low, high) != (0, 1) and len(every):
        low, high = min(0.0, float(every.min())), float(every.max()) or 1.0
    return np.round(np.linspace(low, high if high > low else low + 1, _BINS + 1), 9)


def _bins(run: str, values: FloatArray, edges: FloatArray) -> list[dict[str, Any]]:
    counts = np.histogram(values, edges)[0].tolist()
    ends = zip(edges[:-1].tolist(), edges[1:].tolist(), counts, strict=True)
    n = max(len(values), 1)
    return [
        {"run": run, "low": low, "high": high, "count": held, "share": held / n}
        for low, high, held in ends
    ]


def _steps(run: str, values: FloatArray) -> list[dict[str, Any]]:
    if not len(values):
        return []
    each, counts = np.unique(np.round(values, 6), return_counts=True)
    share = np.cumsum(counts) / len(values)
    kept = places(len(each), _STEPS)
    first = [] if each[0] <= 0 else [{"run": run, "value": 0.0, "share": 0.0}]
    return first + [
        {"run": run, "value": float(each[i]), "share": round(float(share[i]), 6)} for i in kept
    ]


def _shares(experiment: Experiment) -> Table:
    rows = []
    for run in experiment.runs:
        values = _known(values_of(experiment, run))
        quarters = np.quantile(values, [0.25, 0.5, 0.75]).tolist() if len(values) else [np.nan] * 3
        n = len(values) or 1
        shares = [percent(int((values == end).sum()) / n) for end in (0, 1)]
        rows.append([run, f"{len(values):,}", shares[0], *map(decimals, quarters), shares[1]])
    titles = ("queries", "at 0", "lower quarter", "middle", "upper quarter", "at 1")
    columns = [Column("run", ID), *map(Column, titles)]
    caption = f"How {experiment.measures[0]} is spread over the queries"
    return table("distribution-table", caption, columns, rows)


def _histogram_table(bars: list[dict[str, Any]], runs: tuple[str, ...], measure: str) -> Table:
    of_run = {run: [bar for bar in bars if bar["run"] == run] for run in runs}
    rows = [
        [f"{bar['low']:g} to {bar['high']:g}", *(f"{of_run[run][i]['count']:,}" for run in runs)]
        for i, bar in enumerate(of_run[runs[0]])
    ]
    columns = [Column("value"), *(Column(run) for run in runs)]
    return table("histogram-table", f"Queries by {measure}", columns, rows)


def _left_out(experiment: Experiment, runs: tuple[str, ...]) -> str:
    if len(runs) == len(experiment.runs):
        return ""
    return f" Shown are {len(runs)} of {len(experiment.runs):,} runs; the table below has all."
