"""How much of what is ranked is judged, and what the rest could change."""

from typing import Any

import numpy as np

from gainful.charts.intervals import possible
from gainful.charts.judged import coverage, coverage_shares
from gainful.comparison.digits import decimals, ends, percent
from gainful.experiment.result import Experiment
from gainful.ragged import IntArray
from gainful.report.page.parts import ID, Chart, Column, Section, Table, table
from gainful.report.page.runs import few_runs
from gainful.tables import printable

STATES = ("nothing", "unjudged", "not relevant", "relevant")
_RANKS = 20
_QUERIES = 40  # rows of the heat map
_GROUPS = 20  # of queries, where there are more
_RUNS = 2


def section(experiment: Experiment) -> Section:
    """The heat map of ranks, and the intervals of means if they are known."""
    runs = few_runs(experiment, _RUNS)
    states = {run: states_of(experiment, run) for run in experiment.runs}
    charts = [_heat_map(experiment, runs, states)]
    if experiment.holes is not None:
        charts.append(_possible(experiment))
    sentences = [] if experiment.holes is None else experiment.holes.summary.splitlines()
    values = {"why_not": experiment.no_holes, "sentences": [printable(s) for s in sentences[:5]]}
    return Section("coverage", "What is judged", values, tuple(charts))


def states_of(experiment: Experiment, run: str) -> IntArray:
    """The state of every query and rank, as places in ``STATES``."""
    number, details = experiment.runs.index(run), experiment.details
    depth = min(details.terms.cutoff or 10, _RANKS, details.depth)
    states = np.zeros((len(experiment.queries), depth), dtype=np.int64)
    for row, query in zip(states, experiment.queries, strict=True):
        detail = details.of.get(query)
        if detail is not None:
            head = [detail.labels[i] for i in detail.rankings[number][:depth]]
            row[: len(head)] = [1 if v is None else 3 if v > 0 else 2 for v in head]
    return states


def _heat_map(experiment: Experiment, runs: tuple[str, ...], states: dict[str, IntArray]) -> Chart:
    some = "" if len(runs) == len(experiment.runs) else f" Shown are {len(runs)} of the runs."
    if len(experiment.queries) > _QUERIES:
        rows = [row for run in runs for row in _shares(experiment, run, states[run])]
        drawing = coverage_shares(rows)
        read = "Each row is a group of queries"
    else:
        rows = [row for run in runs for row in _cells(experiment, run, states[run])]
        drawing, read = coverage(rows), "Each row is a query"
    return Chart(
        "coverage",
        "Judged, query by query and rank by rank",
        drawing,
        f"{read}, each column a rank: relevant, judged and not relevant, or not judged. Where "
        f"much is not judged, the values may be too low.{some}",
        _table(experiment, states),
    )


def _cells(experiment: Experiment, run: str, states: IntArray) -> list[dict[str, Any]]:
    return [
        {"run": run, "query": query, "rank": rank, "state": STATES[state]}
        for query, row in zip(experiment.queries, states.tolist(), strict=True)
        for rank, state in enumerate(row, 1)
    ]


def _shares(experiment: Experiment, run: str, states: IntArray) -> list[dict[str, Any]]:
    """The same for groups of neighbouring queries, as shares."""
    parts = np.array_split(np.arange(len(states)), _GROUPS)
    rows = []
    for part in parts:
        first, last = (experiment.queries[part[i]] for i in (0, -1))
        share = [(states[part] == state).mean(axis=0).round(4).tolist() for state in (3, 2, 1)]
        rows += [
            {
                "run": run,
                "query": f"{first}-{last}",
                "rank": rank,
                "relevant": relevant,
                "judged": relevant + judged,
                "unjudged": unjudged,
            }
            for rank, (relevant, judged, unjudged) in enumerate(zip(*share, strict=True), 1)
        ]
    return rows


def _table(experiment: Experiment, states: dict[str, IntArray]) -> Table:
    rows = []
    for run in experiment.runs:
        of = states[run]
        n = max(int((of > 0).sum()), 1)
        rows.append([run, *(percent(int((of == state).sum()) / n) for state in (3, 2, 1))])
    depth = next(iter(states.values())).shape[1]
    titles = ("relevant", "judged, not relevant", "not judged")
    columns = [Column("run", ID), *map(Column, titles)]
    caption = f"What the first {depth} ranks hold, all queries together"
    return table("coverage-table", caption, columns, rows)


def _possible(experiment: Experiment) -> Chart:
    assert experiment.holes is not None
    bounds = experiment.holes.bounds
    measure = str(bounds.measure)
    held = [(run, bounds.value(run), bounds.mean(run)) for run in bounds.runs]
    rows = [
        {"run": run, "value": value, "low": where.low, "high": where.high}
        for run, value, where in held
    ]
    cells = [[run, decimals(value), ends(where)] for run, value, where in held]
    columns = [Column("run", ID), Column("mean"), Column("could be")]
    order = " Whether that could change the order of runs is said below." if len(held) > 1 else ""
    return Chart(
        "possible",
        f"Where {measure} could lie, whatever the unjudged items of a run are",
        possible(rows, measure=measure),
        f"The dark mark is the mean {measure} as it is; the bar is where it could lie if all "
        f"unjudged items that the run returns were judged.{order}",
        table("possible-table", f"What judging could do to {measure}", columns, cells),
    )
