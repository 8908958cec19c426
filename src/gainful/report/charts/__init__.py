"""Charts of plain values, as Vega-Lite: functions from rows to specifications.

They are plain dicts, since importing Altair takes four times as long as NumPy, and validating a
chart longer than drawing it; ``make_altair_chart`` makes an Altair chart of one.
"""

from gainful.report.charts.curves import draw_curves, draw_slices
from gainful.report.charts.differences import (
    draw_differences,
    draw_forest,
    draw_possible_values,
    draw_scatter,
    make_difference_rows,
)
from gainful.report.charts.distribution import (
    draw_coverage,
    draw_coverage_shares,
    draw_ecdf,
    draw_histogram,
    make_ecdf_rows,
    make_histogram_rows,
)
from gainful.report.charts.one_query import draw_contributions, draw_gains
from gainful.report.charts.style import make_altair_chart

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
    "make_altair_chart",
    "make_difference_rows",
    "make_ecdf_rows",
    "make_histogram_rows",
]
