"""Power analyses, and correlations of measures and runs."""

from collections.abc import Sequence
from typing import Any

from gainful.base import Interval, format_count, format_interval
from gainful.diagnostics import format_notice_lines
from gainful.report.tables import Bar, Column, Table
from gainful.report.view import View
from gainful.stats import (
    CORRELATION_COLUMNS,
    Correlation,
    Point,
    Power,
    format_decimals,
    format_rounded_percent,
)


def view_power(plan: Power) -> View:
    """Show the plan in sentences, tables of queries and differences, and the power curve."""
    rules = []
    if plan.pilot is not None:
        n_queries = format_count(plan.pilot.n_queries, "query", "queries")
        rules = [f"rules: {plan.rules} ({n_queries})"]
    return View(
        headline=[*plan.sentences, plan.basis],
        tables=lambda: _make_power_tables(plan),
        data=lambda: _make_power_data(plan),
        content=plan.to_dict,
        settings=rules,
        notices=format_notice_lines(plan.notices),
    )


def _make_power_tables(plan: Power) -> list[Table]:
    """Make tables of queries needed, of differences if queries are known, and of the curve."""
    powers = [format_rounded_percent(chance) for chance in plan.powers]
    needed, shown = (
        [points[i : i + len(powers)] for i in range(0, len(points), len(powers))]
        for points in (plan.table(), plan.detectable_table())
    )
    difference = Column("difference", float, format_decimals)
    columns = [difference, Column("d_z", float, format_decimals)]
    columns += [Column(power, int) for power in powers]
    rows: list[list[Any]]
    rows = [[row[0].difference, row[0].effect, *(p.queries for p in row)] for row in needed]
    tables = [Table(columns, rows, "queries needed, by power")]
    if shown:
        columns = [Column("queries", int)]
        columns += [Column(power, float, format_decimals) for power in powers]
        rows = [[row[0].queries, *(p.difference for p in row)] for row in shown]
        tables.append(Table(columns, rows, "differences shown, by power"))
    title = f"power to show a difference of {format_decimals(plan.difference)}, by queries"
    rows = [[point.queries, point.power, Bar(point.power)] for point in plan.curve()]
    columns = [Column("queries", int), Column("power", float, "{:.1%}".format), Column("", Bar)]
    return [*tables, Table(columns, rows, title)]


def _make_power_data(plan: Power) -> Table:
    """Make a row of every point."""
    parts = {"needed": plan.table(), "detectable": plan.detectable_table(), "curve": plan.curve()}
    rows = [[part, *point] for part, points in parts.items() for point in points]
    kinds = [float, float, int, float]
    columns = [Column(name, kind) for name, kind in zip(Point._fields, kinds, strict=True)]
    return Table([Column("part"), *columns], rows)


def view_correlation(correlation: Correlation) -> View:
    """Show tables of measures and of runs, then one sentence per pair."""
    pairs = format_count(len(correlation.measures), "pair of measures", "pairs of measures")
    runs = format_count(len(correlation.runs), "pair of runs", "pairs of runs")
    kinds = [str] * 4 + [float] * 3
    columns = [Column(n, kind) for n, kind in zip(CORRELATION_COLUMNS, kinds, strict=True)]
    return View(
        title=f"Correlation of {pairs} and {runs}",
        tables=lambda: _make_correlation_tables(correlation),
        data=lambda: Table(columns, list(correlation.rows())),
        content=correlation.to_dict,
        closing=correlation.sentences,
        settings=[f"rules: {correlation.rules} ({correlation.settings})"],
        notices=format_notice_lines(correlation.notices),
    )


def _make_correlation_tables(correlation: Correlation) -> Sequence[Table]:
    columns = [
        *(Column("measure"), Column("with"), Column("tau", float)),
        *(Column("interval", Interval, format_interval), Column("tau_ap", float)),
        *(Column("weighted tau", float), Column("RBO", float)),
        *(Column("alike", tuple, _format_pair), Column("swaps", int)),
    ]
    rows: list[list[Any]] = [
        [
            *(str(pair.first), str(pair.second), pair.tau, pair.interval, pair.tau_ap),
            *(pair.weighted_tau, pair.rbo, (pair.n_alike, pair.n_pairs), len(pair.swaps)),
        ]
        for pair in correlation.measures
    ]
    tables = [Table(columns, rows)] if rows else []
    columns = [
        *(Column("run"), Column("with"), Column("RBO", float)),
        *(Column(name, Interval, format_interval) for name in ("interval", "bounds")),
        *(Column(f"shared@{correlation.top}", float), Column("tau", float)),
    ]
    rows = [
        [p.first, p.second, p.rbo, p.interval, p.bounds, p.shared, p.tau] for p in correlation.runs
    ]
    return [*tables, Table(columns, rows)]


def _format_pair(counts: tuple[int, int]) -> str:
    return "/".join(map(str, counts))
