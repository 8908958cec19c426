"""The first measure, apart for kinds of queries."""

from gainful.charts.by_slice import slices
from gainful.comparison.digits import decimals, ends
from gainful.experiment.result import Experiment, Slicing
from gainful.report.page.parts import ID, TEXT, Chart, Column, Section, Table, table
from gainful.report.page.runs import bounds_of, few_runs, within


def section(experiment: Experiment) -> Section | None:
    """A chart for every column that makes slices; None if there is none."""
    if not experiment.slicings:
        return None
    charts = [_chart(experiment, i, found) for i, found in enumerate(experiment.slicings)]
    return Section("slices", "Slices", {}, tuple(charts))


def _chart(experiment: Experiment, number: int, slicing: Slicing) -> Chart:
    measure, runs = str(experiment.measures[0]), few_runs(experiment)
    bounds = bounds_of(experiment)
    rows = [
        {
            "run": part.run,
            "slice": part.value,
            "n": part.n_queries,
            "value": part.mean,
            **within(bounds, part.interval)._asdict(),
        }
        for part in slicing.parts
        if part.run in runs
    ]
    some = "" if len(runs) == len(experiment.runs) else f" Shown are {len(runs)} of the runs."
    return Chart(
        f"slices-{number}",
        f"{measure} by {slicing.column}",
        slices(rows, measure=measure, column=slicing.column),
        "Each mark is the mean of a run on the queries of one kind, the line its 95% interval: "
        f"the fewer the queries, the longer it is.{some}",
        _table(number, slicing, measure),
    )


def _table(number: int, slicing: Slicing, measure: str) -> Table:
    rows = [
        [part.value, part.run, f"{part.n_queries:,}", decimals(part.mean), ends(part.interval)]
        for part in slicing.parts
    ]
    columns = [Column(slicing.column, TEXT), Column("run", ID), Column("queries")]
    columns += [Column("mean"), Column("95% interval")]
    return table(f"slices-{number}-table", f"{measure} by {slicing.column}", columns, rows)
