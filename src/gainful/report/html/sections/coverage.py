"""How much of what is ranked is judged, and what the rest could change."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gainful.base import (
    IntArray,
    encode_ids,
    encode_text,
    format_count,
    format_interval,
    format_number,
    format_percent,
)
from gainful.report.charts.differences import draw_possible_values
from gainful.report.charts.distribution import draw_coverage, draw_coverage_shares
from gainful.report.html.model import Experiment, select_few_runs
from gainful.report.html.parts import (
    ID,
    TEXT,
    PageChart,
    PageColumn,
    PageSection,
    PageTable,
    isolate_name,
    make_table,
)
from gainful.report.tables import Column, Table, make_printable, to_csv

STATES = ("nothing", "unjudged", "not relevant", "relevant")
_RANKS = 20
_QUERIES = 40  # rows of the heat map
_GROUPS = 20  # of queries, where there are more
_RUNS = 2


def build_coverage_section(experiment: Experiment) -> PageSection:
    """Return the section with the heat map of ranks, and the possible means if they are known."""
    runs = select_few_runs(experiment, _RUNS)
    states = {run: classify_ranks(experiment, run) for run in experiment.runs}
    charts = [_make_heat_map(experiment, runs, states)]
    if experiment.to_judge is not None:
        charts.append(_make_possible_chart(experiment))
    sentences = [] if experiment.to_judge is None else experiment.to_judge.summary.splitlines()
    values = {
        "why_not": experiment.no_to_judge,
        "sentences": [make_printable(s) for s in sentences[:5]],
    }
    return PageSection("coverage", "What is judged", values, tuple(charts))


def classify_ranks(experiment: Experiment, run: str) -> IntArray:
    """Return the state of every query and rank, as an index into ``STATES``."""
    number, details = experiment.runs.index(run), experiment.details
    depth = min(details.terms.cutoff or 10, _RANKS, details.depth)
    states = np.zeros((len(experiment.queries), depth), dtype=np.int64)
    for row, query in zip(states, experiment.queries, strict=True):
        detail = details.by_query.get(query)
        if detail is not None:
            head = [detail.labels[i] for i in detail.rankings[number][:depth]]
            row[: len(head)] = [1 if v is None else 3 if v > 0 else 2 for v in head]
    return states


def _make_heat_map(
    experiment: Experiment, runs: tuple[str, ...], states: dict[str, IntArray]
) -> PageChart:
    omissions = "" if len(runs) == len(experiment.runs) else f" Shown are {len(runs)} of the runs."
    if len(experiment.queries) > _QUERIES:
        rows = [row for run in runs for row in _make_share_rows(experiment, run, states[run])]
        drawing = draw_coverage_shares(rows)
        reading = "Each row is a group of queries"
    else:
        rows = [row for run in runs for row in _make_cell_rows(experiment, run, states[run])]
        drawing, reading = draw_coverage(rows), "Each row is a query"
    return PageChart(
        "coverage",
        "Judged, query by query and rank by rank",
        drawing,
        f"{reading}, each column a rank: relevant, judged and not relevant, or not judged. Where "
        f"much is not judged, the values may be too low.{omissions}",
        _make_coverage_table(experiment, states),
    )


def _make_cell_rows(experiment: Experiment, run: str, states: IntArray) -> list[dict[str, Any]]:
    return [
        {"run": run, "query": query, "rank": rank, "state": STATES[state]}
        for query, row in zip(experiment.queries, states.tolist(), strict=True)
        for rank, state in enumerate(row, 1)
    ]


def _make_share_rows(experiment: Experiment, run: str, states: IntArray) -> list[dict[str, Any]]:
    """Return the shares of each state for groups of neighboring queries."""
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


def _make_coverage_table(experiment: Experiment, states: dict[str, IntArray]) -> PageTable:
    rows = []
    for run in experiment.runs:
        run_states = states[run]
        n = max(int((run_states > 0).sum()), 1)
        rows.append(
            [run, *(format_percent(int((run_states == state).sum()) / n) for state in (3, 2, 1))]
        )
    depth = next(iter(states.values())).shape[1]
    titles = ("relevant", "judged, not relevant", "not judged")
    columns = [PageColumn("run", ID), *map(PageColumn, titles)]
    caption = f"What the first {depth} ranks hold, all queries together"
    return make_table("coverage-table", caption, columns, rows)


def _make_possible_chart(experiment: Experiment) -> PageChart:
    assert experiment.to_judge is not None
    bounds = experiment.to_judge.bounds
    measure = str(bounds.measure)
    bounds_of_runs = [(run, bounds.value(run), bounds.mean(run)) for run in bounds.runs]
    rows = [
        {"run": run, "value": value, "low": interval.low, "high": interval.high}
        for run, value, interval in bounds_of_runs
    ]
    cells = [
        [run, format_number(value), format_interval(interval)]
        for run, value, interval in bounds_of_runs
    ]
    columns = [PageColumn("run", ID), PageColumn("mean"), PageColumn("could be")]
    order = (
        " Whether that could change the order of runs is said below."
        if len(bounds_of_runs) > 1
        else ""
    )
    return PageChart(
        "possible",
        f"Where {measure} could lie, whatever the unjudged items of a run are",
        draw_possible_values(rows, measure=measure),
        f"The dark mark is the mean {measure} as it is; the bar is where it could lie if all "
        f"unjudged items that the run returns were judged.{order}",
        make_table("possible-table", f"What judging could do to {measure}", columns, cells),
    )


N_ROWS = 50
N_DOWNLOADED = 1000  # of them, for who downloads them


def build_to_judge_section(experiment: Experiment) -> PageSection:
    """Return the section of items to judge first, and what judging could change."""
    to_judge = experiment.to_judge
    values = {
        "table": _make_to_judge_table(experiment) if to_judge else None,
        "n_to_judge": format_count(len(to_judge), "unjudged item", "unjudged items")
        if to_judge
        else "",
        "why_not": experiment.no_to_judge,
        "download": _label_download(0 if to_judge is None else len(to_judge)),
    }
    return PageSection("to-judge", "What to judge next", values)


def export_to_judge_csv(experiment: Experiment) -> str | None:
    """Return the first items to judge as CSV, as many as the page has room for."""
    to_judge = experiment.to_judge
    if to_judge is None or not len(to_judge):
        return None
    # Not to_judge.to_csv(): for so few rows the import of polars takes longer than all else.
    counts, numbers = ("rank", "n_runs"), ("impact", "mean_impact", "verdict_impact")
    columns = [
        *(Column(name) for name in ("query", "item")),
        *(Column(name, int) for name in counts),
        Column("runs"),
        *(Column(name, float) for name in numbers),
    ]
    rows = [
        [*encode_ids([row.query, row.item]), row.rank, len(row.runs), _format_ranks(row.runs)]
        + [getattr(row, name) for name in numbers]
        for row in to_judge.first(N_DOWNLOADED).rows
    ]
    return to_csv(Table(columns, rows))


def _format_ranks(ranks: Mapping[str, int]) -> str:
    return " ".join(f"{encode_text(run)}:{rank}" for run, rank in ranks.items())


def _label_download(n_to_judge: int) -> str:
    if n_to_judge <= N_DOWNLOADED:
        return "Download all as CSV"
    return f"Download the first {N_DOWNLOADED:,} of {n_to_judge:,} as CSV"


def _make_to_judge_table(experiment: Experiment) -> PageTable:
    to_judge = experiment.to_judge
    assert to_judge is not None
    titles = experiment.details.titles
    has_verdict = to_judge.verdict_impact is not None
    rows = [
        [
            item.query,
            item.item,
            *([titles.get(item.item, "")] if titles else []),
            ", ".join(f"{isolate_name(run)}: {rank}" for run, rank in item.runs.items()),
            format_number(item.impact),
            format_number(item.mean_impact),
            *([format_number(item.verdict_impact or 0.0)] if has_verdict else []),
        ]
        for item in to_judge.first(N_ROWS).rows
    ]
    title = [PageColumn("title", TEXT)] if titles else []
    columns = [PageColumn("query", ID), PageColumn("item", ID), *title, PageColumn("ranks", TEXT)]
    columns += [PageColumn("of the query"), PageColumn("of a mean")]
    columns += [PageColumn("of the difference")] if has_verdict else []
    note = "" if len(to_judge) <= N_ROWS else f"The first {N_ROWS} of {len(to_judge):,}."
    caption = f"By how much one label could change {to_judge.measure}"
    return make_table("to-judge-table", caption, columns, rows, note)
