"""How values are spread over the queries."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from gainful.charts.distribution import ecdf, histogram
from gainful.charts.rows import ecdf_rows, histogram_rows
from gainful.charts.scales import span
from gainful.comparison.digits import decimals, percent
from gainful.experiment.result import Experiment
from gainful.ragged import FloatArray
from gainful.report.page.parts import ID, Chart, Column, Section, Table, table
from gainful.report.page.runs import bounds_of, few_runs, values_of
from gainful.report.spacing import evenly_spaced

_BARS = 10
_STEPS = 100


def section(experiment: Experiment) -> Section:
    """Histogram and ECDF of the first measure, and the shares of 0 and 1."""
    measure, runs = str(experiment.measures[0]), few_runs(experiment)
    values = {run: values_of(experiment, run) for run in runs}
    bars = histogram_rows(values, ends=_ends(experiment), n_bars=_BARS)
    steps = _steps(values)
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
    return Section("distribution", "Distribution", {"table": shares}, charts)


def _known(values: FloatArray) -> FloatArray:
    known: FloatArray = values[~np.isnan(values)]
    return known


def _ends(experiment: Experiment) -> tuple[float, float]:
    """Round ends of bars that hold every value: some settings leave the bounds of a measure."""
    if bounds_of(experiment) == (0, 1):
        return 0.0, 1.0
    every = np.concatenate([_known(values_of(experiment, run)) for run in experiment.runs])
    return span([*every.tolist(), 0.0])


def _steps(values: dict[str, FloatArray]) -> list[dict[str, Any]]:
    """The steps of every run; of many steps some."""
    every = ecdf_rows({run: np.round(of_run, 6) for run, of_run in values.items()})
    by_run = [list(steps) for _, steps in groupby(every, itemgetter("run"))]
    return [steps[i] for steps in by_run for i in evenly_spaced(len(steps), _STEPS)]


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
