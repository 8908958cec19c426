"""Charts of plain values, made with Altair: functions from rows to charts."""

from gainful.report.charts.curves import draw_curves, draw_slices
from gainful.report.charts.differences import (
    draw_differences,
    draw_forest,
    draw_possible_values,
    draw_scatter,
)
from gainful.report.charts.distribution import (
    draw_coverage,
    draw_coverage_shares,
    draw_ecdf,
    draw_histogram,
)
from gainful.report.charts.one_query import draw_contributions, draw_gains

__all__ = [
    "draw_contributions",
    "draw_coverage",
    "draw_coverage_shares",
    "draw_curves",
    "draw_differences",
    "draw_ecdf",
    "draw_forest",
    "draw_gains",
    "draw_histogram",
    "draw_possible_values",
    "draw_scatter",
    "draw_slices",
]
