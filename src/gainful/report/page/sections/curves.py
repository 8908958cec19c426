"""A measure at every cutoff."""

from gainful.charts.by_cutoff import curves
from gainful.comparison.digits import decimals
from gainful.experiment.result import Experiment
from gainful.report.page.parts import ID, Chart, Column, Section, Table, table
from gainful.report.page.runs import bounds_of, compared, drawn_runs, within
from gainful.report.page.words import listed, named

_BANDS = 6  # runs, up to which the chart has bands
_SHOWN = (1, 2, 3, 5, 10, 20, 30, 50)


def section(experiment: Experiment) -> Section | None:
    """The curves, on an even and on a logarithmic axis; None if the measure has no cutoff."""
    if not experiment.curves:
        return None
    bounds, order = bounds_of(experiment), drawn_runs(experiment)
    rows = [
        {
            "run": c.run,
            "k": p.cutoff,
            "value": round(p.mean, 6),
            **{end: round(at, 6) for end, at in within(bounds, p.interval)._asdict().items()},
        }
        for c in sorted(experiment.curves, key=lambda c: order.index(c.run))
        for p in c.points
    ]
    highlight = compared(experiment)
    measure = experiment.curves[0].measure
    read = f"Each line is a run: its mean {measure} when only the first k ranks count. "
    band = "The band is where the mean lies, 19 times out of 20, by Student's t."
    if len(experiment.runs) > _BANDS:
        band = f"Named are {listed([named(run) for run in highlight])}; the table has all runs."
    charts = (
        Chart(
            "curves",
            f"{measure} by cutoff",
            curves(rows, measure=measure, highlight=highlight),
            read + band,
            _table(experiment, measure),
        ),
        Chart(
            "curves-log",
            f"{measure} by cutoff, logarithmic",
            curves(rows, measure=measure, highlight=highlight, log=True),
            read + "The axis is logarithmic: the first ranks, which most people look at, have more "
            "room.",
        ),
    )
    return Section("curves", f"{measure} by cutoff", charts=charts)


def _table(experiment: Experiment, measure: str) -> Table:
    cutoffs = [p.cutoff for p in experiment.curves[0].points if p.cutoff in _SHOWN]
    rows = [
        [curve.run, *(decimals(p.mean) for p in curve.points if p.cutoff in cutoffs)]
        for curve in experiment.curves
    ]
    columns = [Column("run", ID), *(Column(f"@{cutoff}") for cutoff in cutoffs)]
    return table("curves-table", f"Mean {measure} at some cutoffs", columns, rows)
